"""From differences of deals to one of four verdicts, by intervals that are always valid together."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from analytics.stats.imbalance import limit_distance_change, measure_distance
from analytics.stats.intervals import (
    FEWEST_UNITS,
    Formula,
    Sums,
    Units,
    compute_multiplier,
    compute_pseudo_values,
    compute_share_bounds,
    compute_weighted_error,
)
from analytics.verdict.terms import Terms
from boardgames.play.quantiles import normal_quantile, student_quantile

SAME, DIFFERENT, UNCLEAR, UNKNOWN, NONE = "same", "different", "size unclear", "not yet known", "no verdict"
# the variance is taken as if 10 more deals had differed by as much as they can, or by 10 deviations
PSEUDO_EVENTS = 10
MOST_OF_A_SHARE = 2.0  # the most that shares, edges and taus can move: little enough to allow for all of it
FEWEST_GROUPS = 2 * FEWEST_UNITS
FOREVER = 10**7  # more deals than anyone will wait for


class AlwaysValidInterval(NamedTuple):
    """An interval that holds however often you look, and how it will shrink with more deals."""

    low: float
    high: float
    spread: float = math.nan  # standard deviation of a deal's difference
    exact: bool = False  # from the count of affected deals alone


class SharedDeals(NamedTuple):
    """The deals that two cells share, how many of them are affected, and the bounds that follow from that;
    alpha is the chance that these are ever wrong.
    """

    deals: int
    affected: int  # deals with any difference
    alpha: float

    @property
    def max_share(self) -> float:
        """The upper bound of the share of affected deals."""
        return compute_share_bounds(self.affected, self.deals, self.alpha)[1]

    def predict_max_share(self, deals: int) -> float:
        """`max_share` after more deals that are affected as often."""
        return compute_share_bounds(self.affected * deals // self.deals, deals, self.alpha)[1]

    def is_enough(self, terms: Terms) -> bool:
        return self.deals >= terms.start and self.affected >= terms.fewest_affected


def compute_half_width(n: Any, variance: Any, alpha: float, planned: float) -> Any:
    """Half the width of the interval for the mean of n deal differences."""
    return np.sqrt(variance / n) * compute_multiplier(n, alpha, planned)


def inflate_variance(variance: Any, reach: float, n: Any) -> Any:
    """A variance that allows for rare large differences that have not occurred yet; the same in the long
    run.
    """
    largest = reach if reach <= MOST_OF_A_SHARE else np.minimum(reach, 10 * np.sqrt(variance))
    return variance + PSEUDO_EVENTS * largest**2 / n


def compute_mean_interval(
    sums: Sums, shared: SharedDeals, reach: float, alpha: float, terms: Terms
) -> AlwaysValidInterval:
    """The interval for a difference of means.

    Where few deals are affected, variances say little, and identical matches would give none at all: then the
    share of affected deals, which can be counted, is multiplied by the most that one of them can change.
    Likewise where no deal differs in this metric.
    """
    if not shared.is_enough(terms) or sums.squares == 0:
        max_share = shared.max_share
        if sums.squares == 0:
            max_share = compute_share_bounds(0, sums.deals, alpha)[1]
        most = reach * max_share
        spread = math.sqrt(sums.variance) if sums.deals > 1 else math.nan
        return AlwaysValidInterval(-most, most, spread, True)
    variance = float(inflate_variance(sums.variance, reach, sums.deals))
    half_width = float(compute_half_width(sums.deals, variance, alpha, terms.planned))
    mean = sums.total / sums.deals
    return AlwaysValidInterval(mean - half_width, mean + half_width, math.sqrt(variance))


def compute_ratio_interval(
    a: Units, b: Units, formula: Formula, shared: SharedDeals, reach: float, alpha: float, terms: Terms
) -> AlwaysValidInterval:
    """The interval for a difference of ratios and the like, by pseudo-values of the groups that both have."""
    if not shared.is_enough(terms) or len(a.deals) < FEWEST_GROUPS:
        most = shared.max_share * reach / max(float(b.base.sum() / max(1.0, b.deals.sum())), 1e-300)
        return AlwaysValidInterval(-most, most, math.nan, True)
    differences = compute_pseudo_values(b, formula) - compute_pseudo_values(a, formula)
    mean = float(np.average(differences, weights=a.deals))
    # the variance is estimated from a few groups
    level = 1 - alpha / 2
    correction = student_quantile(level, len(a.deals) - 1) / normal_quantile(level)
    error = compute_weighted_error(differences, a.deals) * correction
    deals = float(a.deals.sum())
    half_width = float(error * compute_multiplier(deals, alpha, terms.planned))
    return AlwaysValidInterval(mean - half_width, mean + half_width, error * math.sqrt(deals))


def compute_distance_interval(
    a: Sequence[Sums], b: Sequence[Sums], d: Sequence[Sums], shared: SharedDeals, alpha: float, terms: Terms
) -> AlwaysValidInterval:
    """The interval for a difference of distances from equal shares; each seat has its part of alpha, three
    times.
    """
    if not shared.is_enough(terms):
        most = shared.max_share * math.sqrt(2)
        return AlwaysValidInterval(-most, most, math.nan, True)
    seat_alpha = alpha / (3 * len(a))

    def list_half_widths(seats: Sequence[Sums]) -> list[float]:
        variances = [inflate_variance(sums.variance, 1.0, sums.deals) for sums in seats]
        return [
            float(compute_half_width(sums.deals, variance, seat_alpha, terms.planned))
            for sums, variance in zip(seats, variances, strict=True)
        ]

    deals = d[0].deals
    half_width = limit_distance_change(d, list_half_widths(a), list_half_widths(b), list_half_widths(d))
    change = measure_distance(b) - measure_distance(a)
    spread = half_width * math.sqrt(deals) / float(compute_multiplier(deals, alpha, terms.planned))
    return AlwaysValidInterval(change - half_width, change + half_width, spread)


def decide(interval: AlwaysValidInterval, threshold: float) -> str:
    """The verdict, by where the interval lies between -threshold, 0 and threshold."""
    if -threshold <= interval.low and interval.high <= threshold:
        return SAME
    if interval.low > threshold or interval.high < -threshold:
        return DIFFERENT
    return UNCLEAR if interval.low > 0 or interval.high < 0 else UNKNOWN


def forecast_deals(
    interval: AlwaysValidInterval,
    mean: float,
    threshold: float,
    shared: SharedDeals,
    reach: float,
    alpha: float,
    terms: Terms,
) -> int:
    """The number of deals, in all, that would probably settle the verdict if the trend goes on; FOREVER if
    that is too many.
    """
    # while the direction is unknown, the mean need not be as near the threshold as it looks
    closest = threshold / (2 if interval.low <= 0 <= interval.high else 20)
    gap = max(abs(abs(mean) - threshold), closest)
    least = max(shared.deals, terms.start)
    counts = _list_growing_counts(least)
    if interval.exact and shared.is_enough(terms):
        shared = SharedDeals(shared.deals, 0, alpha)  # no deal differs in this metric
    if shared.affected < terms.fewest_affected:
        until_affected = FOREVER
        if shared.affected:
            until_affected = terms.fewest_affected * shared.deals // shared.affected
        until_same = next((n for n in counts if shared.predict_max_share(n) * reach <= threshold), FOREVER)
        return max(least, min(until_affected, until_same))
    if not math.isfinite(interval.spread):
        return FOREVER
    half_widths = (
        interval.spread / math.sqrt(n) * compute_multiplier(n, alpha, terms.planned) for n in counts
    )
    return next((n for n, half_width in zip(counts, half_widths, strict=True) if half_width <= gap), FOREVER)


def _list_growing_counts(least: int) -> list[int]:
    return [round(least * 1.1**step) for step in range(150) if least * 1.1**step < FOREVER]
