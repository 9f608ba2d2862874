"""From block differences to one of four verdicts, by intervals that hold at all times together."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from analytics.stats.imbalance import distance, distance_change
from analytics.stats.intervals import FEWEST_UNITS, Formula, Sums, Units, multiplier, pseudo_values, share_bounds, weighted_error
from analytics.verdict.terms import Terms
from boardgames.play.quantiles import normal_quantile, student_quantile

SAME, DIFFERENT, UNCLEAR, UNKNOWN, NONE = "same", "different", "size unclear", "not yet known", "no verdict"
PSEUDO_EVENTS = 10  # the variance is taken as if so many more blocks had differed by as much as they can, or by 10 deviations
MOST_OF_A_SHARE = 2.0  # what shares, edges and taus can move: few enough to allow for all of it
FEWEST_GROUPS = 2 * FEWEST_UNITS
FOREVER = 10**7  # blocks that nobody will wait for


class Sure(NamedTuple):
    """An interval for a difference that holds whenever one looks, and what it will be like after more blocks."""

    low: float
    high: float
    spread: float = math.nan  # standard deviation of a block's difference
    exact: bool = False  # from the count of touched blocks alone


class Luck(NamedTuple):
    """How much of two cells differs, and what one may conclude from it with chance alpha of ever being wrong."""

    blocks: int
    touched: int  # blocks with any difference
    alpha: float

    @property
    def most(self) -> float:
        return share_bounds(self.touched, self.blocks, self.alpha)[1]

    def most_after(self, blocks: int) -> float:
        """The same after more blocks that are touched as often."""
        return share_bounds(self.touched * blocks // self.blocks, blocks, self.alpha)[1]

    def enough(self, terms: Terms) -> bool:
        return self.blocks >= terms.start and self.touched >= terms.fewest_touched


def sure_half(n: Any, variance: Any, alpha: float, planned: float) -> Any:
    """Half the width of the interval for the mean of n block differences."""
    return np.sqrt(variance / n) * multiplier(n, alpha, planned)


def cautious(variance: Any, reach: float, n: Any) -> Any:
    """A variance that allows for rare great differences that have not come yet; in the long run the same."""
    great = reach if reach <= MOST_OF_A_SHARE else np.minimum(reach, 10 * np.sqrt(variance))
    return variance + PSEUDO_EVENTS * great**2 / n


def sure_mean(sums: Sums, luck: Luck, reach: float, alpha: float, terms: Terms) -> Sure:
    """For a difference of means.

    Where little was touched, variances say little, and identical matches would give none at all: then the share of touched
    blocks, which can be counted, is multiplied by the most that one of them can change. Likewise where no block differs in this.
    """
    if not luck.enough(terms) or sums.squares == 0:
        most = reach * (share_bounds(0, sums.blocks, alpha)[1] if sums.squares == 0 else luck.most)
        return Sure(-most, most, math.sqrt(sums.variance) if sums.blocks > 1 else math.nan, True)
    variance = float(cautious(sums.variance, reach, sums.blocks))
    half, mean = float(sure_half(sums.blocks, variance, alpha, terms.planned)), sums.total / sums.blocks
    return Sure(mean - half, mean + half, math.sqrt(variance))


def sure_ratio(a: Units, b: Units, formula: Formula, luck: Luck, reach: float, alpha: float, terms: Terms) -> Sure:
    """For a difference of ratios and the like: pseudo-values of the groups of blocks that both have."""
    if not luck.enough(terms) or len(a.blocks) < FEWEST_GROUPS:
        most = luck.most * reach / max(float(b.base.sum() / max(1.0, b.blocks.sum())), 1e-300)
        return Sure(-most, most, math.nan, True)
    differences, groups = pseudo_values(b, formula) - pseudo_values(a, formula), len(a.blocks)
    mean = float(np.average(differences, weights=a.blocks))
    few = student_quantile(1 - alpha / 2, groups - 1) / normal_quantile(1 - alpha / 2)  # the variance is that of a few groups
    error, n = weighted_error(differences, a.blocks) * few, float(a.blocks.sum())
    half = float(error * multiplier(n, alpha, terms.planned))
    return Sure(mean - half, mean + half, error * math.sqrt(n))


def sure_distance(a: Sequence[Sums], b: Sequence[Sums], d: Sequence[Sums], luck: Luck, alpha: float, terms: Terms) -> Sure:
    """For a difference of distances from equal shares; each seat has its part of alpha, three times."""
    if not luck.enough(terms):
        most = luck.most * math.sqrt(2)
        return Sure(-most, most, math.nan, True)
    each, n = alpha / (3 * len(a)), d[0].blocks
    halves = [
        [float(sure_half(one.blocks, cautious(one.variance, 1.0, one.blocks), each, terms.planned)) for one in several]
        for several in (a, b, d)
    ]
    half, change = distance_change(d, *halves), distance(b) - distance(a)
    return Sure(change - half, change + half, half * math.sqrt(n) / float(multiplier(n, alpha, terms.planned)))


def decide(sure: Sure, margin: float) -> str:
    """The verdict: where the interval lies between -margin, 0 and margin."""
    if -margin <= sure.low and sure.high <= margin:
        return SAME
    if sure.low > margin or sure.high < -margin:
        return DIFFERENT
    return UNCLEAR if sure.low > 0 or sure.high < 0 else UNKNOWN


def blocks_to_settle(sure: Sure, mean: float, margin: float, luck: Luck, reach: float, alpha: float, terms: Terms) -> int:
    """How many blocks in all would probably settle it, if what was seen so far goes on; FOREVER if nobody can wait for that."""
    near = margin / (2 if sure.low <= 0 <= sure.high else 20)  # nothing known yet: it need not be as near the margin as it looks
    gap = max(abs(abs(mean) - margin), near)
    least = max(luck.blocks, terms.start)
    if sure.exact and luck.enough(terms):
        luck = Luck(luck.blocks, 0, alpha)  # no block differs in this
    if luck.touched < terms.fewest_touched:
        lively = terms.fewest_touched * luck.blocks // luck.touched if luck.touched else FOREVER
        return max(least, min(lively, next((n for n in _growing(least) if luck.most_after(n) * reach <= margin), FOREVER)))
    if not math.isfinite(sure.spread):
        return FOREVER
    return next((n for n in _growing(least) if sure.spread / math.sqrt(n) * multiplier(n, alpha, terms.planned) <= gap), FOREVER)


def _growing(least: int) -> list[int]:
    return [round(least * 1.1**step) for step in range(150) if least * 1.1**step < FOREVER]
