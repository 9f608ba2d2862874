"""Ratios, and whatever else is computed from two means, as one number for each deal.

The formula is replaced by its tangent at the means of the first complete slices, which never change once they
are stored. The mean of these numbers is the ratio, up to an error of second order, and each deal's number can
be counted like any other value.

Two cells that are compared share one tangent, at the mean of both. So a deal that plays out alike in both has
a difference of exactly 0. With a tangent each it would have a small one, and thousands of those would look
like evidence where hardly any deal tells anything.
"""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from analytics.metric.metric import Metric
from boardgames.play.batch import SLICE
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.pairs import DERIVED, DealValues, Derivation

MOST_SLICES = 1 << 14  # of those that a tangent is looked for in
FEWEST_IN_BASE = 16  # of what is counted in a ratio's base: a tangent at fewer would be far off for ever
METHOD = 2  # raised when the numbers change: those that a file holds are then worked out again
NUDGE = 1e-6  # of a mean, to measure a slope


class Tangent(NamedTuple):
    """value + top_slope * (top - mean top) + base_slope * (base - mean base), as offset and slopes."""

    offset: float
    top_slope: float
    base_slope: float


def name_values(metric: Metric) -> str:
    """The name under which the deals' numbers are stored; another definition has another one."""
    digest = hashlib.blake2b(f"{METHOD}{metric.sql}".encode(), digest_size=4).hexdigest()
    return f"{DERIVED}{metric.name}@{digest}"


def make_derivation(db: Path, cells: Sequence[int], metrics: Sequence[Metric]) -> Derivation:
    """The numbers of deals of all ratios among these metrics for which the cells have a tangent."""
    ratios = [metric for metric in metrics if metric.kind == "ratio"]
    with open_for_reading(db) as session:
        tangents = _find_tangents(get_connection(session), cells, ratios)
    known = [metric for metric in ratios if metric.name in tangents]

    def compute(cell: int, values: DealValues) -> DealValues:
        numbers: DealValues = {}
        with open_for_reading(db) as session:
            con = get_connection(session)
            con.register("deal_rows", _make_deal_rows(cell, values))
            for metric in known:
                numbers |= _compute_numbers(con, metric, tangents[metric.name], _count_deals(values))
            con.unregister("deal_rows")
        return numbers

    return Derivation([name_values(metric) for metric in known], compute)


def _find_tangents(
    con: Any, cells: Sequence[int], metrics: Sequence[Metric]
) -> dict[str, dict[str, Tangent]]:
    """By metric and part, common to the cells; from one complete slice, or two, four ... where those have no
    value yet.
    """
    tangents: dict[str, dict[str, Tangent]] = {}
    slices = 1
    while (
        slices <= MOST_SLICES
        and len(tangents) < len(metrics)
        and all(_is_complete(con, cell, slices) for cell in cells)
    ):
        con.execute(
            """CREATE OR REPLACE TEMP TABLE first_slices AS
            SELECT * REPLACE (0 AS slice, 0 AS cell_id) FROM slice
            WHERE list_contains(?, cell_id) AND slice < ?""",
            [list(cells), slices],
        )
        for metric in metrics:
            if metric.name not in tangents and (found := _find_parts(con, metric)):
                tangents[metric.name] = found
        slices *= 2
    return tangents


def _is_complete(con: Any, cell: int, slices: int) -> bool:
    query = "SELECT sum(deals) FROM slice WHERE cell_id = ? AND slice < ? AND value = 'turns'"
    return bool(con.execute(query, [cell, slices]).fetchone()[0] == slices * SLICE)


def _find_parts(con: Any, metric: Metric) -> dict[str, Tangent]:
    """The tangent of each part; nothing as long as one of them has none."""
    query = f"""WITH slice AS (SELECT cell_id, slice, value, sum(deals) AS deals, sum(total) AS total,
        sum(squares) AS squares FROM first_slices GROUP BY ALL), defined AS (\n{metric.sql}\n)
        SELECT part, sum(deals), sum(top) / sum(deals), sum(base) / sum(deals) FROM defined GROUP BY part"""
    rows = con.execute(query).fetchall()
    parts = {part: _make_tangent(metric, top, base) for part, _, top, base in rows}
    is_steep = any(_has_small_base(metric, deals, base) for _, deals, _, base in rows)
    return parts if not is_steep and all(np.isfinite(tangent).all() for tangent in parts.values()) else {}


def _has_small_base(metric: Metric, deals: float, base: float | None) -> bool:
    return metric.formula is np.divide and deals * abs(base or 0.0) < FEWEST_IN_BASE


def _make_tangent(metric: Metric, top: float | None, base: float | None) -> Tangent:
    if top is None or base is None:
        return Tangent(math.nan, math.nan, math.nan)
    steps = [NUDGE * max(abs(mean), NUDGE) for mean in (top, base)]
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [
            (
                metric.formula(np.float64(top + dt), np.float64(base + db))
                - metric.formula(np.float64(top - dt), np.float64(base - db))
            )
            / (2 * max(dt, db))
            for dt, db in ((steps[0], 0.0), (0.0, steps[1]))
        ]
        offset = metric.formula(np.float64(top), np.float64(base)) - slopes[0] * top - slopes[1] * base
    return Tangent(float(offset), float(slopes[0]), float(slopes[1]))


def _count_deals(values: DealValues) -> int:
    return len(next(iter(values.values())))


def _make_deal_rows(cell: int, values: DealValues) -> pa.Table:
    """Each deal as a slice of its own, so that a metric's definition gives its value."""
    deals = _count_deals(values)
    names = pa.DictionaryArray.from_arrays(
        np.repeat(np.arange(len(values), dtype=np.int32), deals), list(values)
    )
    totals = np.concatenate([np.asarray(value, np.float64) for value in values.values()])
    return pa.table(
        {
            "cell_id": np.full(len(totals), cell, np.int64),
            "slice": np.tile(np.arange(deals), len(values)),
            "value": names,
            "deals": np.ones(len(totals), np.int32),
            "total": totals,
            "squares": totals**2,
        }
    )


def _compute_numbers(con: Any, metric: Metric, tangents: dict[str, Tangent], deals: int) -> DealValues:
    """The numbers of each part; a deal that the definition leaves out counts as 0 / 0."""
    defined = f"WITH slice AS (FROM deal_rows), defined AS (\n{metric.sql}\n)"
    rows = con.execute(f"{defined} SELECT part, slice, top, base FROM defined").fetchnumpy()
    numbers: DealValues = {}
    for part, tangent in tangents.items():
        is_part = np.asarray(rows["part"] == part)
        at = rows["slice"][is_part].astype(np.int64)
        values = np.full(deals, tangent.offset)
        for column, slope in (("top", tangent.top_slope), ("base", tangent.base_slope)):
            values[at] += slope * np.ma.filled(np.ma.asarray(rows[column][is_part], np.float64), 0.0)
        numbers[f"{name_values(metric)}:{part}"] = values
    return numbers
