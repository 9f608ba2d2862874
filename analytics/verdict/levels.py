"""Where one metric of one cell lies, by intervals that hold whenever one looks: what goals are judged by.

A share that lies in every block between 0 and 1 is bounded from the first block on: the likelihood that `share_bounds` averages
is a bet that nobody can make money with, also on values between 0 and 1 (it is convex in them). Means and ratios of other
numbers have the normal mixture, from a thousand blocks on.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence
from analytics.metric.metric import Metric
from analytics.stats.imbalance import distance
from analytics.stats.intervals import Sums, Units, cut_to, multiplier, pseudo_values, share_bounds, weighted_error
from analytics.verdict.terms import PLANNED, START
from analytics.verdict.verdicts import FEWEST_GROUPS, Sure, cautious, sure_half
from boardgames.play.quantiles import normal_quantile, student_quantile
from boardgames.store.connection import connection, reading

NOTHING = Sure(-math.inf, math.inf)
HALVES = """
SELECT count(*), coalesce(sum(below), 0), coalesce(sum(upto), 0) FROM (
    SELECT avg(({column} < $value)::INTEGER) AS below, avg(({column} <= $value)::INTEGER) AS upto
    FROM match WHERE cell_id = $cell GROUP BY block)
"""


def sure_level(evidence: Evidence, metric: Metric, cell: int, part: str, reach: float, alpha: float) -> Sure:
    """The interval for a metric's value in a cell; `reach` is the width of the range that a match's value can have."""
    return cut_to(metric.limits, _uncut(evidence, metric, cell, part, reach, alpha))


def _uncut(evidence: Evidence, metric: Metric, cell: int, part: str, reach: float, alpha: float) -> Sure:
    if metric.kind == "ratio":
        return _ratio(evidence.units[metric.name][cell, part], metric, reach, alpha)
    if metric.kind == "distance":
        return _distance([sums for (number, _), sums in evidence.sums[metric.name].items() if number == cell], alpha)
    sums = evidence.sums[metric.name][cell, part]
    return _share(sums, alpha) if metric.limits == (0.0, 1.0) else _mean(sums, reach, alpha)


def _share(sums: Sums, alpha: float) -> Sure:
    hits = round(sums.total, 6)  # thirds do not add up to whole numbers exactly
    low, high = share_bounds(hits, sums.blocks, alpha)
    mean = hits / max(1, sums.blocks)
    return Sure(low, high, math.sqrt(mean * (1 - mean)) if 0 < mean < 1 else math.nan, exact=True)


def _mean(sums: Sums, reach: float, alpha: float) -> Sure:
    """Equal values in all blocks have no variance to go by: how often another one can come is counted instead."""
    if sums.blocks < START:
        return NOTHING
    mean = sums.total / sums.blocks
    if sums.variance < 1e-12:
        return _still(mean, reach * share_bounds(0, sums.blocks, alpha)[1])
    variance = float(cautious(sums.variance, reach, sums.blocks))
    half = float(sure_half(sums.blocks, variance, alpha, PLANNED))
    return Sure(mean - half, mean + half, math.sqrt(variance))


def _still(value: float, half: float) -> Sure:
    return Sure(value - half, value + half, exact=True)


def _ratio(units: Units, metric: Metric, reach: float, alpha: float) -> Sure:
    blocks, groups = float(units.blocks.sum()), len(units.blocks)
    if blocks < START or groups < FEWEST_GROUPS:
        return NOTHING
    values = pseudo_values(units, metric.formula)
    mean, error = float(np.average(values, weights=units.blocks)), weighted_error(values, units.blocks)
    if error < 1e-12:
        return _still(mean, reach * share_bounds(0, int(blocks), alpha)[1] / max(float(units.base.sum()) / blocks, 1e-300))
    error *= student_quantile(1 - alpha / 2, groups - 1) / normal_quantile(1 - alpha / 2)  # the variance is that of a few groups
    half = float(error * multiplier(blocks, alpha, PLANNED))
    return Sure(mean - half, mean + half, float(error * math.sqrt(blocks)))


def _distance(shares: list[Sums], alpha: float) -> Sure:
    """A distance from equal shares changes by no more than the shares do; each seat has its part of alpha."""
    each = [_share(one, alpha / len(shares)) for one in shares]
    means = [one.total / max(1, one.blocks) for one in shares]
    half = math.hypot(*(max(mean - one.low, one.high - mean) for mean, one in zip(means, each, strict=True)))
    raw = distance(shares) if shares[0].blocks else 0.0
    return Sure(max(0.0, raw - half), raw + half, math.sqrt(sum(mean * (1 - mean) for mean in means)), exact=True)


# ---- medians


def sure_median(path: Path, cell: int, column: str, alpha: float) -> tuple[float, Sure]:
    """The median over a cell's matches, and its interval: all values that are not surely below or above half of the matches."""
    with reading(path) as session:
        con = connection(session)
        rows = con.execute(f"SELECT {column}, count(*) FROM match WHERE cell_id = ? GROUP BY ALL ORDER BY ALL", [cell]).fetchall()
        if not rows:
            return math.nan, NOTHING
        values, counts = [int(row[0]) for row in rows], np.cumsum([row[1] for row in rows])
        middle = values[int(np.searchsorted(counts, counts[-1] / 2))]
        low = _last(values, lambda value: _bounds(con, cell, column, value, alpha)[0])
        high = _last(values[::-1], lambda value: _bounds(con, cell, column, value, alpha)[1])
    return float(middle), Sure(-math.inf if low is None else low, math.inf if high is None else high, exact=True)


def _bounds(con: Any, cell: int, column: str, value: int, alpha: float) -> tuple[bool, bool]:
    """Whether the median is surely this value or more, and whether it is surely this value or less."""
    blocks, below, upto = con.execute(HALVES.format(column=column), {"value": value, "cell": cell}).fetchone()
    surely = [share_bounds(round(total, 6), blocks, alpha) for total in (below, upto)]
    return surely[0][1] < 0.5, surely[1][0] > 0.5


def _last(values: list[int], holds: Any) -> float | None:
    """The last value for which something holds that holds for all values before it."""
    first, upto = 0, len(values)
    while first < upto:
        middle = (first + upto) // 2
        first, upto = (middle + 1, upto) if holds(values[middle]) else (first, middle)
    return float(values[first - 1]) if first else None
