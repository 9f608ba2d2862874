"""Sweeps: `hand_size=4..7` stands for a variant for each value, several sweeps for the grid of all their values."""

import itertools
import re
from collections.abc import Sequence

from boardgames.errors import BadInput

MOST = 1000  # variants that a grid may have
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")


def read_sweep(text: str) -> tuple[str, list[str]]:
    """`hand_size=4..7`, `target=50..100..10`, `board=reconstructed,l1` -> the parameter, and its values as one writes them."""
    name, _, written = text.partition("=")
    values = [value for part in written.split(",") for value in _values(part.strip())]
    if not name or not all(values):
        raise BadInput(f"sweep '{text}': write hand_size=4..7, target=50..100..10 or board=reconstructed,l1,l4")
    if twice := [value for value in values if values.count(value) > 1]:
        raise BadInput(f"sweep '{text}' has the value {twice[0]} twice")
    return name.strip(), values


def _values(part: str) -> list[str]:
    found = RANGE.fullmatch(part)
    if not found:
        return [part]
    low, high, step = (int(number or 1) for number in found.groups())
    if high < low or step == 0 or high - low > MOST * step:
        raise BadInput(f"the range {part} holds no values, or too many: write low..high or low..high..step")
    return [str(value) for value in range(low, high + 1, step)]


def swept(specs: Sequence[str], sweeps: Sequence[str]) -> list[str]:
    """Every variant with every combination of the values; without sweeps, the variants alone."""
    axes = [read_sweep(text) for text in sweeps]
    names = [name for name, _ in axes]
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadInput(f"{twice[0]} is swept twice; name all its values at once: {twice[0]}=1,2,5")
    steps = list(itertools.product(*([f"+{name}={value}" for value in values] for name, values in axes)))
    if len(specs) * len(steps) > MOST:
        raise BadInput(f"the grid has {len(specs) * len(steps):,} variants; at most {MOST:,} make sense at once")
    return [spec + "".join(step) for spec in specs for step in steps]
