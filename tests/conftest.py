"""Machine code that the tests compile is cached beside pytest's own cache; long files come first."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parent.parent
os.environ.setdefault("BOARDGAMES_CACHE", str(ROOT / ".pytest_cache" / "boardgames"))

# A shell that starts `make test` in the background ignores Ctrl-C, also in all processes started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST_FIRST = (
    "test_docs",
    "test_browser",
    "test_ladder",
    "test_scaffold",
    "test_play_browser",
    "test_play",
    "test_store",
    "test_fix",
    "test_machine_code",
    "test_laws",
    "test_openspiel",
    "test_train",
    "test_search",
    "test_learned",
    "test_tutorial",
    "test_wheel",
    "test_check",
    "test_cluster",
    "test_benchmarks",
    "test_certain_turns",
    "test_styles",
    "test_compare",
    "test_pages",
)


@pytest.fixture(autouse=True)
def _same_environment():
    """A command inside pytest may set variables (`--quiet` does): the next test does not see them."""
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


@pytest.fixture(scope="session")
def run_command():
    """A function that runs `boardgames` with the given words and returns the completed process.

    It runs in `folder` (None: the current one), where Python also imports from the folders `import_from` and
    from the project. Other keywords set environment variables. `in_process` runs it inside pytest: quicker,
    but without a folder or an environment of its own.
    """

    def run(
        *words: object,
        folder: Path | None = None,
        import_from: Sequence[Path] = (),
        in_process: bool = False,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        arguments = [str(word) for word in words]
        if in_process:
            return run_in_process(arguments)
        path = os.pathsep.join(map(str, [*import_from, ROOT]))
        return subprocess.run(
            [sys.executable, "-m", "boardgames", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def run_in_process(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    from boardgames.cli import app

    result = CliRunner().invoke(app, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def pytest_collection_modifyitems(items):
    """The files that take longest first, so that at the end no core waits for the other."""
    rank = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


def count_skipped(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", ())) if reporter else 0


def pytest_sessionfinish(session):
    """In CI a skipped test fails the run: what it needs was not installed."""
    if "CI" in os.environ and count_skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if "CI" in os.environ and (skipped := count_skipped(config)):
        terminalreporter.write_line(f"{skipped} tests were skipped. In CI that is a failure.", red=True)
