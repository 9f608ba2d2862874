# `make demo` and `make test` work from a bare clone: they make the virtual environment and install what the lock names.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test long soak lint lock browser clean

demo: .venv/ready
	$(BIN)/boardgames compare celtica celtica:en --players 4 --agents greedy --matches 4000 --db demo.duckdb
	@echo
	@echo "Next: $(BIN)/boardgames show celtica:en --svg celtica.svg    explains the variant and draws its table"
	@echo "      $(BIN)/boardgames compare celtica celtica+hand_size=6 --db demo.duckdb    says what a rule of your own does"
	@echo "      $(BIN)/boardgames dashboard --db demo.duckdb    explores it in the browser"
	@echo "      README.md, \"Add a game\"    a whole game is 60 lines"

PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test: .venv/ready
	$(PYTEST)

# What takes too long for every change: search, styles and the laws of the larger games, where compiling alone takes minutes.
long: .venv/ready
	$(PYTEST) -m long

# The tests that can be of any size (kills, fuzzed command lines) at full size: for a night, when their subject has changed.
soak: .venv/ready
	BOARDGAMES_SOAK=1 $(PYTEST) -m soak

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The lock has hashes and no addresses; it holds all extras as well, and what builds the package.
lock: .venv/ready
	$(BIN)/python -m pip install --quiet uv
	echo "setuptools>=77" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --extra test --extra cluster --extra pettingzoo \
		--extra gymnasium --extra openspiel \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml - -o requirements.lock

# The only target that installs system packages: a browser for the dashboard's tests.
browser:
	apt-get update -qq && apt-get install -y -qq chromium chromium-driver

.venv/ready: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
