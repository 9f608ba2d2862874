"""From an always-valid interval to one of four verdicts, and how many deals it would take to reach one."""

import itertools
import math
from collections.abc import Sequence
from enum import StrEnum

from analytics.stats.capital import FEWEST_DEALS, MONEY, NEAR_BOUNDS, AlwaysValidInterval, compute_interval
from analytics.stats.imbalance import limit_distance_change, measure_distance
from analytics.stats.intervals import Sums, compute_share_bounds
from boardgames.plan.counts import Counts
from boardgames.play.estimates import ErrorBudget


class Verdict(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    UNCLEAR = "size unclear"  # different, perhaps by too little to matter
    UNKNOWN = "not yet known"
    NONE = "no verdict"


SAME, DIFFERENT, UNCLEAR, UNKNOWN, NONE = Verdict
OPEN = (UNCLEAR, UNKNOWN)
FOREVER = 10**7  # more deals than anyone will wait for
SQUARED_ERRORS = 17.0  # half of an always-valid interval is about four standard errors wide


def compute_distance_interval(
    a: Sequence[Sums], b: Sequence[Sums], changes: Sequence[Sums], counts: Sequence[Counts], alpha: float
) -> AlwaysValidInterval:
    """The interval for a difference of distances from equal shares; each seat has its part of alpha, three
    times.
    """
    budgets = ErrorBudget(alpha).split(*itertools.product(("a", "b", "change"), range(len(a))))
    half_width = limit_distance_change(
        changes,
        [_bound_share(sums, budgets["a", seat]) for seat, sums in enumerate(a)],
        [_bound_share(sums, budgets["b", seat]) for seat, sums in enumerate(b)],
        [_bound_change(seat_counts, budgets["change", seat]) for seat, seat_counts in enumerate(counts)],
    )
    change = measure_distance(b) - measure_distance(a)
    is_informative = changes[0].deals >= FEWEST_DEALS and half_width < 1 / 2
    return AlwaysValidInterval(change - half_width, change + half_width, is_informative)


def _bound_share(sums: Sums, alpha: float) -> float:
    """How far a share may be from its mean so far."""
    hits = round(sums.total, 6)  # thirds do not add up to whole numbers exactly
    low, high = compute_share_bounds(hits, sums.deals, alpha)
    mean = hits / sums.deals
    return max(mean - low, high - mean)


def _bound_change(counts: Counts, alpha: float) -> float:
    interval = compute_interval(counts, (-1.0, 1.0), alpha)
    return max(counts.mean - interval.low, interval.high - counts.mean)


def tells_little(interval: AlwaysValidInterval, values: Sequence[float]) -> bool:
    """Whether an interval around 0 is wider than everything seen so far. Where the bounds are far away and
    hardly any deal differs, the bounds make it so wide; near bounds are worth saying.
    """
    seen = max(map(abs, values), default=0.0)
    return interval.low <= 0 <= interval.high and interval.half_width > max(seen, NEAR_BOUNDS / 2)


def decide(interval: AlwaysValidInterval, threshold: float) -> Verdict:
    """The verdict, by where the interval lies between -threshold, 0 and threshold."""
    if not interval.is_informative:
        return UNKNOWN
    if -threshold <= interval.low and interval.high <= threshold:
        return SAME
    if interval.low > threshold or interval.high < -threshold:
        return DIFFERENT
    return UNCLEAR if interval.low > 0 or interval.high < 0 else UNKNOWN


def forecast_deals(interval: AlwaysValidInterval, mean: float, threshold: float, deals: int) -> int:
    """The number of deals, in all, that would probably settle the verdict if the trend goes on; FOREVER if
    that is too many.
    """
    if deals < FEWEST_DEALS:
        return FEWEST_DEALS
    # while the direction is unknown, the mean need not be as near the threshold as it looks
    closest = threshold / (2 if interval.low <= 0 <= interval.high else 20)
    gap = max(abs(abs(mean) - threshold), closest)
    return predict_deals(interval, mean, gap, deals)


def predict_deals(interval: AlwaysValidInterval, mean: float, half_width: float, deals: int) -> int:
    """The number of deals after which the interval would be this narrow: it shrinks with their root, and a
    little slower, as the bettors that decide late started with less.
    """
    present = max(interval.high - mean, mean - interval.low)
    if not math.isfinite(present) or half_width <= 0:
        return FOREVER
    growth = max(1.0, present / half_width) ** 2
    growth *= 1 + MONEY * math.log(growth) / SQUARED_ERRORS
    return int(min(FOREVER, math.ceil(deals * growth)))
