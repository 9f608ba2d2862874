"""Celtica, who has won. A § is a section of RULES.md."""

import numpy as np

from boardgames import rule
from variants.celtica import codes

# What an amulet's worth of standing is: one digit for the size of each amulet, the first amulet's in front.
# (§6.4)
STANDING = np.array(
    [sum(10 ** (codes.PART_COPIES - k) for k in range(1, held + 1)) for held in range(codes.PART_COPIES + 1)]
)


@rule
def score(state, seat):
    """§6.4. Complete amulets: as many as there are parts of the rarest kind."""
    parts = state.parts[seat]
    complete = parts[0]
    for kind in range(1, codes.KINDS):
        complete = min(complete, parts[kind])
    return int(complete)


@rule
def standing(state, seat):
    """§6.4. The sizes of all amulets, the largest first, as the digits of a number: complete ones are the
    nines in front.
    """
    parts, sizes = state.parts[seat], 0
    for kind in range(codes.KINDS):
        sizes += STANDING[parts[kind]]
    return sizes
