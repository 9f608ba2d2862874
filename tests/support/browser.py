"""The browser that tests look at pages with."""

import os
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="there is no chromium here; `make browser` installs it",
)
