"""How far shares are from being equal, as one number.

The distance of estimated shares from equal ones is never zero, even in a fair game: noise alone adds to its square the sum of the
squared standard errors, which is subtracted. Its interval uses only that a distance cannot change by more than what it is measured
from: it is valid however the seats depend on each other, and also at zero, where no formula with a derivative is.
"""

import math
from collections.abc import Sequence

from analytics.stats.intervals import Estimate, Sums, block_share


def imbalance(shares: Sequence[Sums], level: float = 0.95) -> Estimate:
    """The distance from equal shares, less what noise adds; the interval's upper end is the bound to quote."""
    raw, blocks = distance(shares), shares[0].blocks
    if blocks < 2:
        return Estimate(raw, math.nan, math.nan, blocks)
    each = [block_share(*one, level=1 - (1 - level) / len(shares)) for one in shares]
    half = math.hypot(*(max(one.high - one.mean, one.mean - one.low) for one in each))
    return Estimate(corrected(shares), max(0.0, raw - half), raw + half, blocks)


def distance(shares: Sequence[Sums]) -> float:
    return math.hypot(*(one.total / one.blocks - 1 / len(shares) for one in shares))


def corrected(shares: Sequence[Sums]) -> float:
    noise = sum(one.variance / one.blocks for one in shares)
    return math.sqrt(max(0.0, distance(shares) ** 2 - noise))


def distance_change(changes: Sequence[Sums], a: Sequence[float], b: Sequence[float], d: Sequence[float]) -> float:
    """How wrong the difference of two distances can be, from the half-widths of the shares in A, in B, and of their differences.

    At most by both errors together. Or, where the variants share most of their luck: by the error of the differences, and by what
    moving both ends by A's error does, which is at most twice that error and at most twice the difference itself.
    """
    own, size = math.hypot(*d), math.hypot(*(one.total / one.blocks for one in changes))
    return min(math.hypot(*a) + math.hypot(*b), own + 2 * min(size + own, math.hypot(*a)))
