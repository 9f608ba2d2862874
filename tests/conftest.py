"""Machine code made by the tests is kept beside pytest's own cache, for the next run; long tests come first."""

import os
from pathlib import Path

os.environ.setdefault("BOARDGAMES_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "boardgames"))

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
