"""Machine code made by the tests is kept beside pytest's own cache, for the next run."""

import os
from pathlib import Path

os.environ.setdefault("BOARDGAMES_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "boardgames"))
