"""The size of tests that can have any size: kills, fuzzed lines. `make soak` runs them at full size."""

import os

SOAKS = os.environ.get("BOARDGAMES_SOAK") == "1"


def choose_size(usual: int, full: int) -> int:
    return full if SOAKS else usual
