"""Where one metric of one cell lies, by always-valid intervals: goals are judged by these.

A share that lies in every deal between 0 and 1 is bounded by sums alone: the likelihood that
`compute_share_bounds` averages is a bet that makes no money on average, also on values between 0 and 1 (it is
convex in them). Other numbers need the counts of their values.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence
from analytics.metric.metric import Metric
from analytics.stats.capital import FEWEST_DEALS, AlwaysValidInterval, compute_interval, shift_interval
from analytics.stats.imbalance import measure_distance
from analytics.stats.intervals import Sums, clip_interval, compute_share_bounds
from boardgames.plan.counts import Counts
from boardgames.play.estimates import ErrorBudget
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.pairs import NO_CELL

NO_INTERVAL = AlwaysValidInterval(-math.inf, math.inf, is_informative=False)
HALVES = """
SELECT count(*), coalesce(sum(below), 0), coalesce(sum(upto), 0) FROM (
    SELECT avg(({column} < $value)::INTEGER) AS below, avg(({column} <= $value)::INTEGER) AS upto
    FROM match WHERE cell_id = $cell GROUP BY deal)
"""


def needs_counts(metric: Metric) -> bool:
    """Whether the interval takes the counts of a cell's values; else sums do."""
    return not (metric.is_true_share and metric.kind == "mean") and metric.kind not in ("distance", "swaps")


def compute_level_interval(
    evidence: Evidence, metric: Metric, cell: int, part: str, limits: tuple[float, float], alpha: float
) -> AlwaysValidInterval:
    """The interval for a metric's value in a cell; `limits` are those of a match's value."""
    return clip_interval(metric.bounds, _compute_unclipped(evidence, metric, cell, part, limits, alpha))


def _compute_unclipped(
    evidence: Evidence, metric: Metric, cell: int, part: str, limits: tuple[float, float], alpha: float
) -> AlwaysValidInterval:
    reach = limits[1] - limits[0]
    if metric.kind == "distance":
        shares = [sums for (id_, _), sums in evidence.sums[metric.name].items() if id_ == cell]
        return _compute_distance_interval(shares, alpha)
    if metric.kind == "swaps":
        return compute_ratio_interval(*evidence.luck[metric.name][cell].count_numbers(part), reach, alpha)
    if not needs_counts(metric):
        return _compute_share_interval(evidence.sums[metric.name][cell, part], alpha)
    counts = evidence.counts[metric.name].get((NO_CELL, cell, part))
    if counts is None:
        return NO_INTERVAL
    if metric.kind == "ratio":
        units = evidence.units[metric.name][cell, part]
        base = float(units.base.sum() / units.deals.sum()) if metric.reach else 1.0
        interval = compute_ratio_interval(counts, base, reach, alpha)
        return shift_interval(interval, evidence.estimate(metric, cell, part).mean - counts.mean)
    least, most = metric.bounds
    return compute_interval(counts, (max(least, limits[0]), min(most, limits[1])), alpha)


def compute_ratio_interval(counts: Counts, base: float, reach: float, alpha: float) -> AlwaysValidInterval:
    """The interval of the mean of a ratio's numbers, in units of its base: there a deal's numbers lie within
    the reach of the top, or what was seen if that is more, as a tangent may be a little steep.
    """
    scaled = counts.scale(base)
    least, most = float(scaled.values.min()), float(scaled.values.max())
    reach = max(reach, most - least)
    interval = compute_interval(scaled, (most - reach, least + reach), alpha)
    return interval._replace(low=interval.low / base, high=interval.high / base)


def _compute_share_interval(sums: Sums, alpha: float) -> AlwaysValidInterval:
    hits = round(sums.total, 6)  # thirds do not add up to whole numbers exactly
    low, high = compute_share_bounds(hits, sums.deals, alpha)
    return AlwaysValidInterval(low, high, sums.deals >= FEWEST_DEALS)


def _compute_distance_interval(shares: list[Sums], alpha: float) -> AlwaysValidInterval:
    """A distance from equal shares changes by no more than the shares do; each seat has its part of alpha."""
    budgets = ErrorBudget(alpha).split(*range(len(shares)))
    intervals = [_compute_share_interval(sums, budgets[seat]) for seat, sums in enumerate(shares)]
    means = [sums.total / max(1, sums.deals) for sums in shares]
    half_width = math.hypot(
        *(max(mean - seat.low, seat.high - mean) for mean, seat in zip(means, intervals, strict=True))
    )
    raw = measure_distance(shares) if shares[0].deals else 0.0
    return AlwaysValidInterval(max(0.0, raw - half_width), raw + half_width, intervals[0].is_informative)


# ---- medians


def compute_median_interval(
    db: Path, cell: int, column: str, alpha: float
) -> tuple[float, AlwaysValidInterval]:
    """The median over a cell's matches and its interval: all values that are not proved to lie below or
    above the median.
    """
    with open_for_reading(db) as session:
        con = get_connection(session)
        rows = con.execute(
            f"SELECT {column}, count(*) FROM match WHERE cell_id = ? GROUP BY ALL ORDER BY ALL", [cell]
        ).fetchall()
        if not rows:
            return math.nan, NO_INTERVAL
        values = [int(row[0]) for row in rows]
        counts = np.cumsum([row[1] for row in rows])
        median = values[int(np.searchsorted(counts, counts[-1] / 2))]

        def compare(value: int) -> tuple[bool, bool]:
            return _compare_with_median(con, cell, column, value, alpha)

        low = _find_last(values, lambda value: compare(value)[0])
        high = _find_last(values[::-1], lambda value: compare(value)[1])
    interval = AlwaysValidInterval(
        -math.inf if low is None else low,
        math.inf if high is None else high,
        low is not None or high is not None,
    )
    return float(median), interval


def _compare_with_median(con: Any, cell: int, column: str, value: int, alpha: float) -> tuple[bool, bool]:
    """Whether the median is proved to be at least this value, and whether at most."""
    deals, below, upto = con.execute(HALVES.format(column=column), {"value": value, "cell": cell}).fetchone()
    _, most_below = compute_share_bounds(round(below, 6), deals, alpha)
    least_upto, _ = compute_share_bounds(round(upto, 6), deals, alpha)
    return most_below < 0.5, least_upto > 0.5


def _find_last(values: list[int], holds: Any) -> float | None:
    """The last value for which `holds` is true, as for all values before it; None if there is none."""
    first, upto = 0, len(values)
    while first < upto:
        middle = (first + upto) // 2
        first, upto = (middle + 1, upto) if holds(values[middle]) else (first, middle)
    return float(values[first - 1]) if first else None
