"""The size of tests that can have any: kills, fuzzed lines, games. `make soak` runs them at full size."""

import os
from typing import TypeVar

Size = TypeVar("Size")
SOAKS = os.environ.get("BOARDGAMES_SOAK") == "1"


def choose_size(usual: Size, full: Size) -> Size:
    return full if SOAKS else usual
