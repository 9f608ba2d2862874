"""Ratios, and whatever else is computed from two means, as one number for each deal.

The formula is replaced by its tangent at the means of earlier deals: those of slices 2 to 3 lie on the
tangent of slices 0 to 1, those of slices 4 to 7 on that of slices 0 to 3, and so on. So a number never
changes once it is stored, and what was far off in few deals is soon outweighed. The mean of these numbers is
the ratio, up to an error of second order, and each deal's number can be counted like any other value.

Each cell has tangents of its own: what a deal counts for depends on the base that it is divided by, and two
variants may differ in that. But where hardly any deal plays out differently, all others would have a tiny
difference, and thousands of those would look like evidence. So numbers on the common tangents, at the mean of
both cells, are stored beside them: there a deal that plays out alike has a difference of exactly 0. They are
used as long as few deals differ and both scatter alike. Where a base is rare, few deals differ, too, but the
bases may be far apart; then common tangents scatter less than the ratio does, and would claim too much.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from analytics.metric.metric import Metric
from analytics.stats.capital import is_sparse
from boardgames.plan.counts import Counts
from boardgames.play.batch import SLICE
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.pairs import DERIVED, DealValues, Derivation

Array = np.ndarray[Any, Any]
MOST_DOUBLINGS = 14  # of the first slices: later tangents would hardly differ
MOST_SCATTER = 1.25  # of own tangents, beside common ones, as variance: with more, the bases differ
FEWEST_IN_BASE = 16  # of what is counted in a ratio's base, before there is a first tangent
METHOD = 3  # raised when the numbers change: those that a file holds are then worked out again
NUDGE = 1e-6  # of a mean, to measure a slope
OWN, COMMON = "own", "common"  # tangents of a cell, and those that both cells of a pair have

FIRST_SLICES = f"""
CREATE OR REPLACE TEMP TABLE first_slices AS
SELECT cell_id, CASE WHEN slice = 0 THEN 0 ELSE floor(log2(slice))::BIGINT + 1 END AS slice, value,
    sum(deals) AS deals, sum(total) AS total, sum(squares) AS squares
FROM slice WHERE list_contains(?, cell_id) AND slice < {1 << MOST_DOUBLINGS} GROUP BY ALL
"""
COMPLETE = "SELECT cell_id, slice, deals FROM first_slices WHERE value = 'turns'"


class FirstSums(NamedTuple):
    """How many deals there are in the first slice, the first two, four, eight ..., and their sums."""

    deals: Array
    top: Array
    base: Array

    @classmethod
    def of(cls, ends: Array, top: Array, base: Array) -> Self:
        """Of two columns of deals, at these ends of `list_first_ends`."""
        return cls(ends, *(column.cumsum()[ends - 1] for column in (top, base)))


def list_first_ends(deals: int) -> Array:
    """The numbers of deals in the first slice, the first two, four, eight ... that there are."""
    ends = SLICE << np.arange(MOST_DOUBLINGS + 1)
    return np.asarray(ends[ends <= deals])


class Tangents(NamedTuple):
    """offset + top_slope * top + base_slope * base, for each doubling of the first slices."""

    offsets: Array
    top_slopes: Array
    base_slopes: Array

    @classmethod
    def fit(cls, metric: Metric, sums: FirstSums) -> Self:
        """The tangents at the means; nan where the formula has none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            top, base = sums.top / sums.deals, sums.base / sums.deals
            steps = [NUDGE * np.maximum(np.abs(mean), NUDGE) for mean in (top, base)]
            top_slopes = metric.formula(top + steps[0], base) - metric.formula(top - steps[0], base)
            top_slopes /= 2 * steps[0]
            base_slopes = metric.formula(top, base + steps[1]) - metric.formula(top, base - steps[1])
            base_slopes /= 2 * steps[1]
            offsets = metric.formula(top, base) - top_slopes * top - base_slopes * base
        return cls(offsets, top_slopes, base_slopes)

    def compute_numbers(self, slices: Array, top: Array, base: Array) -> Array:
        """Of deals in these slices, each on the tangent of the doublings before it."""
        doublings = np.log2(np.maximum(slices, 1)).astype(np.int64)
        offsets, top_slopes, base_slopes = (
            column[np.minimum(doublings, len(self.offsets) - 1)] for column in self
        )
        return np.asarray(offsets + top_slopes * top + base_slopes * base)


def fit_tangents(
    metric: Metric, sums: Mapping[int, FirstSums], rests_on: Sequence[Array] = ()
) -> dict[tuple[int, str], Tangents] | None:
    """The tangents of each cell, own and common; None as long as one of them would be far off.
    `rests_on` says how many deals the base of each cell rests on, where it is no count itself.

    Before the first good doubling, its tangent holds.
    """
    common = FirstSums(*np.sum([*sums.values()], axis=0))
    tangents = {(cell, OWN): Tangents.fit(metric, cell_sums) for cell, cell_sums in sums.items()}
    if len(sums) > 1:
        tangents |= {(cell, COMMON): Tangents.fit(metric, common) for cell in sums}
    is_good = np.all([np.isfinite(fitted).all(axis=0) for fitted in tangents.values()], axis=0)
    if metric.formula is np.divide:
        counted = rests_on or [np.abs(cell_sums.base) for cell_sums in sums.values()]
        is_good &= np.min(counted, axis=0) >= FEWEST_IN_BASE
    if not is_good.any():
        return None
    latest = np.maximum.accumulate(np.where(is_good, np.arange(len(is_good)), np.argmax(is_good)))
    return {key: Tangents(*(column[latest] for column in fitted)) for key, fitted in tangents.items()}


def choose_counts(own: Counts, common: Counts) -> Counts:
    """Of the differences on own tangents and on common ones, those that count: see this module's head."""
    is_alike = own.variance <= MOST_SCATTER * common.variance
    return common if is_alike and is_sparse(common) else own


# ---- in a result file


def name_values(metric: Metric, part: str) -> str:
    """The name under which the deals' numbers are stored; another definition has another one."""
    digest = hashlib.blake2b(f"{METHOD}{metric.sql}".encode(), digest_size=4).hexdigest()
    return f"{DERIVED}{metric.name}@{digest}:{part}"


def name_all_values(db: Path, cells: Sequence[int], metrics: Sequence[Metric]) -> dict[str, Metric]:
    """The names of the numbers of all parts of ratios that these cells have in their first slices."""
    names: dict[str, Metric] = {}
    with open_for_reading(db) as session:
        for metric in metrics:
            if metric.kind == "ratio":
                first = "slice AS (FROM slice WHERE slice = 0 AND list_contains(?, cell_id))"
                query = f"WITH {first}, defined AS (\n{metric.sql}\n) SELECT DISTINCT part FROM defined"
                rows = get_connection(session).execute(query, [list(cells)]).fetchall()
                names |= {name_values(metric, part): metric for (part,) in rows}
    return names


def make_derivation(db: Path, cells: Sequence[int], metrics: Sequence[Metric]) -> Derivation:
    """The numbers of deals of all parts of these metrics for which the cells have tangents."""
    ratios = [metric for metric in metrics if metric.kind == "ratio"]
    with open_for_reading(db) as session:
        doublings, tangents = _find_tangents(get_connection(session), cells, ratios)
    known = [metric for metric in ratios if tangents[metric.name]]
    names = [name_values(metric, part) for metric in known for part in tangents[metric.name]]

    def compute(cell: int, first: int, values: DealValues) -> DealValues:
        numbers: DealValues = {}
        with register_deals(db, cell, values) as con:
            for metric in known:
                numbers |= _compute_numbers(con, metric, tangents[metric.name], cell, first, values)
        return numbers

    end = None if doublings == MOST_DOUBLINGS else SLICE << (doublings + 1)
    return Derivation(names, compute, end)


TangentsByPart = dict[str, dict[tuple[int, str], Tangents]]  # then by cell, and whether own or common


def _find_tangents(
    con: Any, cells: Sequence[int], metrics: Sequence[Metric]
) -> tuple[int, dict[str, TangentsByPart]]:
    """How often the first slice can be doubled in slices that all cells have, and the tangents by metric."""
    con.execute(FIRST_SLICES, [list(cells)])
    doublings = _count_doublings(con, cells)
    con.execute("DELETE FROM first_slices WHERE slice > ?", [doublings])
    return doublings, {metric.name: _find_parts(con, metric, cells, doublings) for metric in metrics}


def _count_doublings(con: Any, cells: Sequence[int]) -> int:
    """-1 if a cell does not have the first slice."""
    deals = np.zeros((len(cells), MOST_DOUBLINGS + 1))
    for cell, doubling, count in con.execute(COMPLETE).fetchall():
        deals[cells.index(cell), doubling] = count
    are_complete = (deals.cumsum(axis=1) == SLICE << np.arange(MOST_DOUBLINGS + 1)).all(axis=0)
    return int(np.argmin(np.append(are_complete, False))) - 1


def _find_parts(con: Any, metric: Metric, cells: Sequence[int], doublings: int) -> TangentsByPart:
    """The tangents of each part that has any."""
    rows = con.execute(
        f"WITH slice AS (FROM first_slices), defined AS (\n{metric.sql}\n) "
        "SELECT part, cell_id, slice, deals, top, base FROM defined"
    ).fetchall()
    sums: dict[str, dict[int, Array]] = {}
    for part, cell, doubling, *columns in rows:
        of_part = sums.setdefault(part, {cell: np.zeros((3, doublings + 1)) for cell in cells})
        of_part[cell][:, doubling] = [column or 0.0 for column in columns]
    tangents = {
        part: fit_tangents(
            metric, {cell: FirstSums(*of_cell.cumsum(axis=1)) for cell, of_cell in of_part.items()}
        )
        for part, of_part in sums.items()
    }
    return {part: of_part for part, of_part in tangents.items() if of_part}


@contextmanager
def register_deals(db: Path, cell: int, values: DealValues) -> Iterator[Any]:
    """A connection with a table `deal_rows`, in which metrics' definitions find the values of deals."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        con.register("deal_rows", _make_deal_rows(cell, values))
        yield con
        con.unregister("deal_rows")


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


def _count_deals(values: DealValues) -> int:
    return len(next(iter(values.values())))


def _compute_numbers(
    con: Any, metric: Metric, tangents: TangentsByPart, cell: int, first: int, values: DealValues
) -> DealValues:
    """The numbers of each part that has tangents."""
    slices = (first + np.arange(_count_deals(values))) // SLICE
    numbers: DealValues = {}
    for part, columns in read_tops_and_bases(con, metric, tangents, _count_deals(values)).items():
        for (owner, kind), of_kind in tangents[part].items():
            if owner == cell:
                numbers[f"{name_values(metric, part)}:{kind}"] = of_kind.compute_numbers(slices, *columns)
    return numbers


def read_tops_and_bases(con: Any, metric: Metric, parts: Iterable[str], deals: int) -> dict[str, Array]:
    """By part, two columns of `deal_rows`; a deal that the definition leaves out counts as 0 / 0."""
    defined = f"WITH slice AS (FROM deal_rows), defined AS (\n{metric.sql}\n)"
    rows = con.execute(f"{defined} SELECT part, slice, top, base FROM defined").fetchnumpy()
    columns = {part: np.zeros((2, deals)) for part in parts}
    for part, of_part in columns.items():
        is_part = np.asarray(rows["part"] == part)
        at = rows["slice"][is_part].astype(np.int64)
        for index, name in enumerate(("top", "base")):
            of_part[index, at] = np.ma.filled(np.ma.asarray(rows[name][is_part], np.float64), 0.0)
    return columns
