"""Where one metric of one cell lies, by always-valid intervals: goals are judged by these.

A share that lies in every deal between 0 and 1 is bounded from the first deal on: the likelihood that
`compute_share_bounds` averages is a bet that makes no money on average, also on values between 0 and 1 (it is
convex in them). Means and ratios of other numbers use the normal mixture, from a thousand deals on.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence
from analytics.metric.metric import Metric
from analytics.stats.imbalance import measure_distance
from analytics.stats.intervals import (
    Sums,
    Units,
    clip_interval,
    compute_multiplier,
    compute_pseudo_values,
    compute_share_bounds,
    compute_weighted_error,
)
from analytics.verdict.terms import PLANNED, START
from analytics.verdict.verdicts import (
    FEWEST_GROUPS,
    AlwaysValidInterval,
    compute_half_width,
    inflate_variance,
)
from boardgames.play.quantiles import normal_quantile, student_quantile
from boardgames.store.connection import get_connection, open_for_reading

NO_INTERVAL = AlwaysValidInterval(-math.inf, math.inf)
HALVES = """
SELECT count(*), coalesce(sum(below), 0), coalesce(sum(upto), 0) FROM (
    SELECT avg(({column} < $value)::INTEGER) AS below, avg(({column} <= $value)::INTEGER) AS upto
    FROM match WHERE cell_id = $cell GROUP BY deal)
"""


def compute_level_interval(
    evidence: Evidence, metric: Metric, cell: int, part: str, reach: float, alpha: float
) -> AlwaysValidInterval:
    """The interval for a metric's value in a cell; `reach` is the width of the range of a match's value."""
    return clip_interval(metric.bounds, _compute_unclipped(evidence, metric, cell, part, reach, alpha))


def _compute_unclipped(
    evidence: Evidence, metric: Metric, cell: int, part: str, reach: float, alpha: float
) -> AlwaysValidInterval:
    if metric.kind == "ratio":
        return _compute_ratio_interval(evidence.units[metric.name][cell, part], metric, reach, alpha)
    if metric.kind == "distance":
        shares = [sums for (id_, _), sums in evidence.sums[metric.name].items() if id_ == cell]
        return _compute_distance_interval(shares, alpha)
    sums = evidence.sums[metric.name][cell, part]
    if metric.is_true_share:
        return _compute_share_interval(sums, alpha)
    return _compute_mean_interval(sums, reach, alpha)


def _compute_share_interval(sums: Sums, alpha: float) -> AlwaysValidInterval:
    hits = round(sums.total, 6)  # thirds do not add up to whole numbers exactly
    low, high = compute_share_bounds(hits, sums.deals, alpha)
    mean = hits / max(1, sums.deals)
    spread = math.sqrt(mean * (1 - mean)) if 0 < mean < 1 else math.nan
    return AlwaysValidInterval(low, high, spread, exact=True)


def _compute_mean_interval(sums: Sums, reach: float, alpha: float) -> AlwaysValidInterval:
    """The interval for a mean. If all deals have the same value, there is no variance: then the share of
    deals that may differ is bounded instead.
    """
    if sums.deals < START:
        return NO_INTERVAL
    mean = sums.total / sums.deals
    if sums.variance < 1e-12:
        return _make_exact_interval(mean, reach * compute_share_bounds(0, sums.deals, alpha)[1])
    variance = float(inflate_variance(sums.variance, reach, sums.deals))
    half_width = float(compute_half_width(sums.deals, variance, alpha, PLANNED))
    return AlwaysValidInterval(mean - half_width, mean + half_width, math.sqrt(variance))


def _make_exact_interval(value: float, half_width: float) -> AlwaysValidInterval:
    return AlwaysValidInterval(value - half_width, value + half_width, exact=True)


def _compute_ratio_interval(units: Units, metric: Metric, reach: float, alpha: float) -> AlwaysValidInterval:
    deals = float(units.deals.sum())
    groups = len(units.deals)
    if deals < START or groups < FEWEST_GROUPS:
        return NO_INTERVAL
    values = compute_pseudo_values(units, metric.formula)
    mean = float(np.average(values, weights=units.deals))
    error = compute_weighted_error(values, units.deals)
    if error < 1e-12:
        max_share = compute_share_bounds(0, int(deals), alpha)[1]
        return _make_exact_interval(mean, reach * max_share / max(float(units.base.sum()) / deals, 1e-300))
    # the variance is estimated from a few groups
    error *= student_quantile(1 - alpha / 2, groups - 1) / normal_quantile(1 - alpha / 2)
    half_width = float(error * compute_multiplier(deals, alpha, PLANNED))
    return AlwaysValidInterval(mean - half_width, mean + half_width, float(error * math.sqrt(deals)))


def _compute_distance_interval(shares: list[Sums], alpha: float) -> AlwaysValidInterval:
    """A distance from equal shares changes by no more than the shares do; each seat has its part of alpha."""
    intervals = [_compute_share_interval(sums, alpha / len(shares)) for sums in shares]
    means = [sums.total / max(1, sums.deals) for sums in shares]
    half_width = math.hypot(
        *(max(mean - seat.low, seat.high - mean) for mean, seat in zip(means, intervals, strict=True))
    )
    raw = measure_distance(shares) if shares[0].deals else 0.0
    spread = math.sqrt(sum(mean * (1 - mean) for mean in means))
    return AlwaysValidInterval(max(0.0, raw - half_width), raw + half_width, spread, exact=True)


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
        -math.inf if low is None else low, math.inf if high is None else high, exact=True
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
