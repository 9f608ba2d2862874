"""Sweeps: `hand_size=4..7` means a variant for each value; several sweeps mean the grid of all their
values.
"""

import itertools
import math
import re
from collections.abc import Sequence

from boardgames.errors import InvalidInput

MAX_VARIANTS = 1000  # variants that a grid may have
# Longer numbers than anybody means are left to the parameter to refuse: Python reads no endless ones.
RANGE = re.compile(r"(-?\d{1,99})\.\.(-?\d{1,99})(?:\.\.(\d{1,99}))?")


def read_sweep(text: str) -> tuple[str, list[str]]:
    """`hand_size=4..7`, `target=50..100..10`, `board=reconstructed,l1` -> the parameter and its values as
    text.
    """
    name, _, listed = text.partition("=")
    values = [value for part in listed.split(",") for value in _expand_range(part.strip())]
    if not name.strip().isidentifier() or not all(values):
        raise InvalidInput(
            f"sweep '{text}': write hand_size=4..7, target=50..100..10 or board=reconstructed,l1,l4"
        )
    if twice := [value for value in values if values.count(value) > 1]:
        raise InvalidInput(f"sweep '{text}' has the value {twice[0]} twice")
    return name.strip(), values


def _expand_range(part: str) -> list[str]:
    match = RANGE.fullmatch(part)
    if not match:
        return [part]
    low, high, step = (int(number or 1) for number in match.groups())
    if high < low or step == 0 or high - low > MAX_VARIANTS * step:
        raise InvalidInput(
            f"the range {part} holds no values, or too many: write low..high or low..high..step"
        )
    return [str(value) for value in range(low, high + 1, step)]


def expand_grid(specs: Sequence[str], sweeps: Sequence[str]) -> list[str]:
    """Every variant with every combination of the values; without sweeps, the variants alone."""
    axes = [read_sweep(text) for text in sweeps]
    names = [name for name, _ in axes]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InvalidInput(f"{twice[0]} is swept twice; name all its values at once: {twice[0]}=1,2,5")
    variants = len(specs) * math.prod(len(values) for _, values in axes)
    if variants > MAX_VARIANTS:  # before they fill the memory
        raise InvalidInput(f"the grid has {variants:,} variants; at most {MAX_VARIANTS:,} make sense at once")
    steps = list(itertools.product(*([f"+{name}={value}" for value in values] for name, values in axes)))
    return [spec + "".join(step) for spec in specs for step in steps]
