"""Machine code made by the tests is kept beside pytest's own cache, for the next run; long tests come first."""

import os
import signal
from pathlib import Path

import pytest

os.environ.setdefault("BOARDGAMES_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "boardgames"))

# A shell that starts `make test` in the background has Ctrl-C ignored, also in all that is started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = (
    "test_check",
    "test_store",
    "test_rungs",
    "test_search",
    "test_styles",
    "test_tutorial",
    "test_cluster",
    "test_browser",
    "test_pages",
)


def pytest_collection_modifyitems(items):
    """Files with long tests first, so that at the end no core waits for the other."""
    items.sort(key=lambda item: not item.path.stem.startswith(LONG))


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
