"""Means and shares over blocks, each with its ordinary 95 % interval: for reading, never for verdicts."""

import math
from typing import Any, NamedTuple

import numpy as np

from boardgames.play.quantiles import beta_quantile, student_quantile

FEW_EVENTS = 20  # fewer make the distribution of a share's mean lopsided


class Estimate(NamedTuple):
    """A mean, its 95 % interval, and the number of blocks behind it."""

    mean: float
    low: float
    high: float
    blocks: int


class Sums(NamedTuple):
    """All that the interval of a mean needs: of the block values, how many, their sum and the sum of their squares."""

    blocks: int
    total: float
    squares: float

    @property
    def variance(self) -> float:
        if self.blocks < 2:
            return math.nan
        return max(0.0, self.squares - self.total**2 / self.blocks) / (self.blocks - 1)


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
    variance = Sums(blocks, total, squares).variance
    if variance < 1e-12 and mean in (0.0, 1.0):
        return block_share(blocks, total, squares, level)
    half = student_quantile((1 + level) / 2, blocks - 1) * math.sqrt(variance / blocks)
    return Estimate(mean, mean - half, mean + half, blocks)


def block_share(blocks: int, total: float, squares: float, level: float = 0.95) -> Estimate:
    """The same for values that are never outside 0 and 1; of a rare event, or one that rarely fails, Clopper and Pearson's."""
    if blocks < 2 or min(total, blocks - total) >= FEW_EVENTS:
        return block_mean(blocks, total, squares, level)
    low = beta_quantile((1 - level) / 2, total, blocks - total + 1) if total > 0 else 0.0
    high = beta_quantile((1 + level) / 2, total + 1, blocks - total) if total < blocks else 1.0
    return Estimate(total / blocks, low, high, blocks)


def estimate_share(values: np.ndarray[Any, Any]) -> Estimate:
    """The mean of one share for each block."""
    return block_share(len(values), float(values.sum()), float((values**2).sum()))
