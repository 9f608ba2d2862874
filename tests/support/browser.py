"""The browser that tests look at pages with."""

import os
import shutil
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.processes import get_address_with_key

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="there is no chromium here; `make browser` installs it",
)


def sign_in(context: Any, address: str) -> None:
    """Open a dashboard of `serve_dashboard` once by the address that it printed, as a person does."""
    context.request.get(get_address_with_key(urlsplit(address).port or 80))
