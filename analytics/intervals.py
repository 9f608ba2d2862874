"""The one interval function: a mean over blocks with its uncertainty."""

import math
from typing import NamedTuple

from scipy import stats
from statsmodels.stats.proportion import proportion_confint


class Estimate(NamedTuple):
    """A mean, its 95 % interval, and the number of blocks behind it."""

    mean: float
    low: float
    high: float
    blocks: int


def block_mean(blocks: int, total: float, squares: float, level: float = 0.95) -> Estimate:
    """The mean of block values from their sums, with Student's interval over blocks.

    A share that was 0 or 1 in every block has no variance to go by: its interval is the exact binomial one. One block alone
    gives no interval.
    """
    if blocks == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    mean = total / blocks
    if blocks == 1:
        return Estimate(mean, math.nan, math.nan, 1)
    variance = max(0.0, squares - blocks * mean * mean) / (blocks - 1)
    if variance < 1e-12 and mean in (0.0, 1.0):
        low, high = proportion_confint(round(total), blocks, alpha=1 - level, method="beta")
    else:
        low, high = stats.t.interval(level, blocks - 1, loc=mean, scale=max(math.sqrt(variance / blocks), 1e-300))
    return Estimate(mean, float(low), float(high), blocks)
