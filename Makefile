# `make demo` and `make test` work from a bare clone: they make the virtual environment and install what the lock names.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test long soak lint docs pages pictures lock browser clean

# One question, answered: sentences in the terminal, a chart in demo.svg.
demo: .venv/ready
	@echo "What does the English translation of Celtica change?"
	@$(BIN)/boardgames compare celtica celtica:en --players 4 --agents learned --matches 4000 --db demo.duckdb --chart demo.svg --short
	@echo
	@echo "README.md explains these sentences. Open demo.svg in a browser to see them as a chart."
	@echo "Try next:"
	@echo "  $(BIN)/boardgames compare celtica celtica+hand_size=6    your own rule change"
	@echo "  $(BIN)/boardgames dashboard --db demo.duckdb             these matches in the browser"
	@echo "  $(BIN)/boardgames new mygame                             a game of your own"

PYTEST := $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder

test: .venv/ready
	$(PYTEST) -n 2

# What takes too long for every change: search, styles and the laws of the larger games, where compiling alone takes minutes.
# Three at once on two cores, because the tests in a browser often wait for it.
long: .venv/ready
	$(PYTEST) -n 3 -m long

# The tests that can be of any size (kills, fuzzed command lines) at full size: for a night, when their subject has changed.
soak: .venv/ready
	BOARDGAMES_SOAK=1 $(PYTEST) -n 2 -m soak

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The documentation as a site in site/: open site/index.html. A broken link, a page that is in no menu or a command
# that no page explains fails. (Without the variable, Material prints an advertisement for its successor.)
docs: .venv/ready pages
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

# The pages of docs/reference/ that follow from the program.
pages: .venv/ready
	$(BIN)/python docs/generate.py

# The pictures of the docs, taken anew: the games, the answer on the first page, every page of the dashboard.
pictures: .venv/ready
	$(BIN)/python docs/pictures.py

# The lock has hashes and no addresses; it holds all extras as well, and what builds the package.
lock: .venv/ready
	$(BIN)/python -m pip install --quiet uv
	echo "setuptools>=77" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --extra test --extra docs --extra cluster --extra pettingzoo \
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
	rm -rf .venv build site *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
