"""Always-valid intervals by betting: they hold however often you look, from a few dozen deals on.

To test "the mean is at most m", bettors stake a part of their money on every deal being above m. Where that
is so, all bets together make no money on average, and by Ville's inequality their capital ever reaches 1 / p
times the start with a chance of at most p. What has been refuted in this way bounds the interval.

A bettor with stake s multiplies its money by 1 + s (value - m) at each deal. As long as no deal can ruin it,
the test is exact: that is so for shares, whose bounds are known and near (Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", JRSS B 86, 2024). Numbers whose bounds are far away
would need stakes too small to learn anything soon. There the boldest stake goes by the values seen so far,
losses are cut at the whole stake, and half of the error allowed is kept in reserve for tails not seen yet:
not a theorem, but tested on planted and on real differences (docs/why/evidence.md). Where hardly any deal
tells anything, what was seen is not trusted and the bounds rule.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import BoardgamesError
from boardgames.plan.counts import Counts
from boardgames.play.quantiles import normal_quantile

Array = np.ndarray[Any, Any]

FEWEST_DEALS = 64  # fewer give no verdict
BETTORS = 20
STEP = 2**-0.5  # from one bettor's stake to the next
MONEY = 0.75  # power of a stake that a bettor's money at the start goes by: the bold ones decide soon
FEWEST_ADVERSE = 3  # deals that go against a hypothesis, before what was seen is trusted
TELLING = 1 / 8  # of the typical distance: nearer deals say nothing about losses
SPARSE = 1 / 32  # of the deals: where fewer tell anything, a single one unseen can outweigh the rest
NEAR_BOUNDS = 4.0  # bounds at most this far apart (differences of shares and the like) are always used
NEAREST = 1e-6  # of the way to the bound: where the search for an end begins if all values are equal


class OutsideBounds(BoardgamesError, ValueError):
    """A value that a game or a metric says cannot be."""


class AlwaysValidInterval(NamedTuple):
    """An interval that holds however often you look."""

    low: float
    high: float
    is_informative: bool = True  # narrow beside what is possible at all

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


def shift_interval(interval: AlwaysValidInterval, shift: float) -> AlwaysValidInterval:
    return interval._replace(low=interval.low + shift, high=interval.high + shift)


def compute_interval(counts: Counts, bounds: tuple[float, float], alpha: float) -> AlwaysValidInterval:
    """The interval of the mean. No value lies outside the bounds, which may be infinite."""
    least, most = bounds
    if not counts.deals:
        return AlwaysValidInterval(least, most, is_informative=False)
    check_bounds(counts, bounds)
    low = _find_lower_end(counts, bounds, alpha)
    high = -_find_lower_end(counts.mirror(), (-most, -least), alpha)
    is_narrow = math.isfinite(high - low) and high - low <= (most - least) / 2
    return AlwaysValidInterval(low, high, is_narrow and counts.deals >= FEWEST_DEALS)


def check_bounds(counts: Counts, bounds: tuple[float, float]) -> None:
    """Raise OutsideBounds for a value that cannot be."""
    spare = 1e-9 * max(1.0, float(np.abs(counts.values).max()))
    least, most = float(counts.values.min()), float(counts.values.max())
    if least < bounds[0] - spare or most > bounds[1] + spare:
        raise OutsideBounds(
            f"values from {least:g} to {most:g} are outside their bounds, {bounds[0]:g} to {bounds[1]:g}: "
            "correct what the game declares as `scores`, `turns` or `cap`, or the metric as its reach"
        )


def _find_lower_end(counts: Counts, bounds: tuple[float, float], alpha: float) -> float:
    """The largest m below the mean for which "the mean is at most m" is refuted; the bound if there is none.

    The search goes outward from the mean in steps, first coarse, then fine: which stakes are allowed depends
    on m, so that an m may be refuted and one beyond it not.
    """
    mean = counts.mean
    farthest = (mean - bounds[0]) * (1 - NEAREST)  # at the bound itself there is nothing to lose
    if not math.isfinite(farthest):
        farthest = float(np.ptp(counts.values))
    if not farthest > 0:
        return bounds[0]
    nearest = min(farthest, counts.error / 2 or NEAREST * farthest)
    for factor in (1.25, 1.015):
        steps = math.ceil(math.log(farthest / nearest) / math.log(factor))
        distances = np.append(nearest * factor ** np.arange(steps), farthest)
        first = _find_first_refuted(counts, mean - distances, bounds, alpha)
        if first is None:
            return bounds[0]
        nearest, farthest = distances[max(0, first - 1)], distances[first]
    return float(mean - farthest)


def _find_first_refuted(
    counts: Counts, means: Array, bounds: tuple[float, float], alpha: float
) -> int | None:
    """The index of the first of these means that is too small to be true; None if all may be true."""
    for index, mean in enumerate(means):
        if is_refuted(counts, float(mean), bounds, alpha):
            return index
    return None


def is_refuted(counts: Counts, mean: float, bounds: tuple[float, float], alpha: float) -> bool:
    """Whether the bettors have refuted that the true mean is at most `mean`."""
    gains = counts.values - mean
    stake, reserve = _find_boldest_stake(counts, gains, mean - bounds[0], bounds)
    if not stake:
        return False
    stakes = stake * STEP ** np.arange(BETTORS)
    money = stakes**MONEY
    with np.errstate(divide="ignore"):  # a ruined bettor has no money
        logs = np.log1p(np.clip(np.outer(stakes, gains), -1.0, 1.0)) @ counts.counts
    richest = float(logs.max())
    if richest == -math.inf:  # all are ruined
        return False
    capital = richest + math.log(np.exp(logs - richest) @ money / money.sum())
    return bool(capital >= math.log(reserve / alpha))


def _find_boldest_stake(
    counts: Counts, gains: Array, most_lost: float, bounds: tuple[float, float]
) -> tuple[float, float]:
    """The largest stake, and by how much more than alone the two sides have to win.

    Each side has half of alpha; where the stake goes by what was seen, half of that stays in reserve, and
    three quarters where there are no bounds at all. A deal that is alike under both rules, with a difference
    of 0, tells nothing about losses, however far the hypothesis is from 0.
    """
    typical = _find_typical(counts, gains)
    if not (most_lost > 0 and typical > 0):  # at the bound itself, or no deal says anything
        return 0.0, 2.0
    adverse = counts.counts[gains <= -TELLING * typical].sum()
    if bounds[1] - bounds[0] <= NEAR_BOUNDS or adverse < FEWEST_ADVERSE or _tell_rarely(counts, gains):
        return 1 / most_lost, 2.0
    reserve = 4.0 if math.isfinite(most_lost) else 8.0  # without bounds, no caution but this
    return 1 / min(most_lost, max(2 * typical, float(-gains.min()))), reserve


def _find_typical(counts: Counts, gains: Array) -> float:
    return math.sqrt(gains**2 @ counts.counts / counts.counts.sum())


def is_sparse(counts: Counts) -> bool:
    """Whether hardly any deal tells anything; deals with a difference of 0 do not."""
    return _tell_rarely(counts, counts.values)


def _tell_rarely(counts: Counts, gains: Array) -> bool:
    is_telling = (np.abs(gains) >= TELLING * _find_typical(counts, gains)) & (counts.values != 0)
    return bool(counts.counts[is_telling].sum() < SPARSE * counts.counts.sum())


@functools.lru_cache(maxsize=1024)
def predict_half_width(deals: int, alpha: float) -> float:
    """Half the width of the interval for this many ordinary (normal) values, in their standard deviations."""
    points = np.array([normal_quantile((2 * index + 1) / 128) for index in range(64)])
    points /= math.sqrt(points @ points / len(points))
    counts = Counts(points, np.full(len(points), deals / len(points)))
    return compute_interval(counts, (-math.inf, math.inf), alpha).half_width
