"""How far shares are from being equal, as one number.

The distance of estimated shares from equal ones is never zero, even in a fair game: noise alone adds to its
square the sum of the squared standard errors, which is subtracted. Its interval uses only that a distance
cannot change by more than what it is measured from: it is valid however the seats depend on each other, and
also at zero, where no formula with a derivative is.
"""

import math
from collections.abc import Sequence

from analytics.stats.intervals import Estimate, Sums, estimate_share_from_sums


def estimate_imbalance(shares: Sequence[Sums], level: float = 0.95) -> Estimate:
    """The distance from equal shares, less what noise adds; quote the interval's upper end as the bound."""
    raw = measure_distance(shares)
    deals = shares[0].deals
    if deals < 2:
        return Estimate(raw, math.nan, math.nan, deals)
    seat_level = 1 - (1 - level) / len(shares)
    estimates = [estimate_share_from_sums(*sums, level=seat_level) for sums in shares]
    half_width = math.hypot(*(estimate.half_width for estimate in estimates))
    return Estimate(correct_distance(shares), max(0.0, raw - half_width), raw + half_width, deals)


def measure_distance(shares: Sequence[Sums]) -> float:
    return math.hypot(*(sums.total / sums.deals - 1 / len(shares) for sums in shares))


def correct_distance(shares: Sequence[Sums]) -> float:
    """The distance from equal shares without what noise adds on average."""
    noise = sum(sums.variance / sums.deals for sums in shares)
    return math.sqrt(max(0.0, measure_distance(shares) ** 2 - noise))


def limit_distance_change(
    changes: Sequence[Sums], a: Sequence[float], b: Sequence[float], d: Sequence[float]
) -> float:
    """The most that the difference of two distances can be off, from the half-widths of the shares in A, in
    B, and of their differences.

    At most by both errors together. Or, where the variants share most of their luck: by the error of the
    differences, and by what moving both ends by A's error does, which is at most twice that error and at most
    twice the difference itself.
    """
    error_a, error_b, error_d = (math.hypot(*half_widths) for half_widths in (a, b, d))
    size = math.hypot(*(sums.total / sums.deals for sums in changes))
    return min(error_a + error_b, error_d + 2 * min(size + error_d, error_a))
