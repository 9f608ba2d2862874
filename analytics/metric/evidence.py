"""What the result file holds about some cells and their differences, read once: sums and counts, never
matches.

One pass puts the slices of each cell into at most a few hundred groups; all metrics are computed from these.
"""

import functools
import logging
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.linearize import COMMON, OWN, choose_counts, name_values
from analytics.metric.luck import Luck, load_luck
from analytics.metric.metric import Metric
from analytics.metric.sums import NOTHING_UNSTORED, UnstoredSums
from analytics.stats.imbalance import estimate_imbalance
from analytics.stats.intervals import (
    Estimate,
    Sums,
    Units,
    clip_interval,
    estimate_bounded_mean,
    estimate_share_from_sums,
    estimate_shares,
    jackknife,
)
from boardgames.errors import PluginError
from boardgames.plan.counts import Counts
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.read import add_unstored

logger = logging.getLogger(__name__)
FOREVER = 1 << 62
GROUPS = 512  # groups of slices of a cell: enough for a jackknife, few enough to be quick
BINNED = """
CREATE OR REPLACE TEMP TABLE binned AS
SELECT cell_id, (slice // {step})::BIGINT AS slice, value,
    sum(deals) AS deals, sum(total) AS total, sum(squares) AS squares
FROM {table} WHERE list_contains({cells}, cell_id) AND slice < {end} GROUP BY ALL
"""
PAIRED = """
CREATE OR REPLACE TEMP TABLE paired AS
SELECT cell_a, cell_b AS cell_id, 0 AS slice, value,
    sum(deals) AS deals, sum(total) AS total, sum(squares) AS squares
FROM {table} WHERE list_contains({pairs}, {{'a': cell_a, 'b': cell_b}}) GROUP BY ALL
"""
# Every distinct difference as a slice of its own, so that a metric's definition gives its value.
COUNTED = """
CREATE OR REPLACE TEMP TABLE counted AS
SELECT cell_a, cell_id, row_number() OVER () AS slice, value, deals,
    deals * difference AS total, deals * difference * difference AS squares
FROM (
    SELECT cell_a, cell_b AS cell_id, value, difference, sum(deals) AS deals FROM (
        SELECT cell_a, cell_b, value, unnest(differences) AS difference, unnest(counts) AS deals
        FROM {table} WHERE list_contains({pairs}, {{'a': cell_a, 'b': cell_b}})
    ) GROUP BY ALL
)
"""
CUT_OFF = """
SELECT cell_id, value, sum(deals), sum(total), sum(squares) FROM binned WHERE value = 'cut_off' GROUP BY ALL
"""
AFFECTED = "SELECT cell_a, cell_id, value, deals, total, squares FROM paired WHERE value LIKE 'affected%'"
SUMMED = "SELECT cell_id, part, sum(deals), sum(total), sum(squares) FROM defined GROUP BY ALL"
LISTED = "SELECT cell_id, part, total / deals AS difference, deals FROM defined ORDER BY ALL"
Part = tuple[int, str]  # a cell and a part of a metric, "" where it has only one


@dataclass(kw_only=True)
class Evidence:
    """Sums by metric, then by cell and part; differences by metric, then by pair of cells and part.

    Counts of differences are there for each pair that was asked for; those of the pair (NO_CELL, b) are the
    values of b.
    """

    sums: dict[str, dict[Part, Sums]] = field(default_factory=dict)
    units: dict[str, dict[Part, Units]] = field(default_factory=dict)
    differences: dict[str, dict[tuple[int, int, str], Sums]] = field(default_factory=dict)
    counts: dict[str, dict[tuple[int, int, str], Counts]] = field(default_factory=dict)
    values: dict[tuple[int, str], Sums] = field(default_factory=dict)  # plain values of slices, by cell
    affected: dict[tuple[int, int, str], Sums] = field(default_factory=dict)
    luck: dict[str, dict[int, Luck]] = field(default_factory=dict)  # by metric of kind swaps, then by cell

    def count_shared_deals(self, a: int, b: int) -> int:
        return max(
            (
                sums.deals
                for differences in self.differences.values()
                for (cell_a, cell_b, _), sums in differences.items()
                if (cell_a, cell_b) == (a, b)
            ),
            default=0,
        )

    def list_parts(self, metric: Metric, cell: int) -> list[str]:
        """The parts for which the cell has a value, in order."""
        if metric.kind == "distance":
            return [""] if any(id_ == cell for id_, _ in self.sums[metric.name]) else []
        if metric.kind == "swaps":
            luck = self.luck[metric.name].get(cell)
            return luck.list_parts() if luck else []
        stored = self.units if metric.kind == "ratio" else self.sums
        parts = [part for id_, part in stored[metric.name] if id_ == cell]
        measured = [part for part in parts if math.isfinite(self.estimate(metric, cell, part).mean)]
        return sorted(measured, key=_make_sort_key)

    def estimate(self, metric: Metric, cell: int, part: str = "") -> Estimate:
        """The value with its ordinary interval, for reading."""
        return clip_interval(metric.bounds, self._estimate_unclipped(metric, cell, part))

    def _estimate_unclipped(self, metric: Metric, cell: int, part: str) -> Estimate:
        if metric.kind == "ratio":
            return jackknife(self.units[metric.name][cell, part], metric.formula)
        if metric.kind == "distance":
            shares = [sums for (id_, _), sums in self.sums[metric.name].items() if id_ == cell]
            return estimate_imbalance(shares)
        if metric.kind == "swaps":
            return self.luck[metric.name][cell].estimate(part)
        if metric.has_fair_share:
            return self._estimate_seats(metric, cell)[part]
        sums = self.sums[metric.name][cell, part]
        return (
            estimate_share_from_sums(*sums)
            if metric.is_true_share
            else estimate_bounded_mean(metric.bounds, sums)
        )

    def _estimate_seats(self, metric: Metric, cell: int) -> dict[str, Estimate]:
        """The share of each seat, all at once: that of one may follow from another one's."""
        seats = {part: sums for (id_, part), sums in self.sums[metric.name].items() if id_ == cell}
        return dict(zip(seats, estimate_shares(list(seats.values())), strict=True))


def _make_sort_key(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (1 << 30, part)


def load_evidence(
    db: Path,
    cells: Sequence[int],
    metrics: Sequence[Metric],
    pairs: Sequence[tuple[int, int]] = (),
    slices: int = FOREVER,
    unstored: UnstoredSums = NOTHING_UNSTORED,
) -> Evidence:
    """What these metrics need of these cells, and of b less a for these pairs (a, b), as `fill_sums` left it,
    or with the sums that are not stored.

    `slices` limits the cells, but not the pairs, to their first slices. A plug-in's metric that fails prints
    a warning and has no parts; if it is required, it raises MetricError.
    """
    broken: set[str] = set()
    while True:
        try:
            return _read_evidence(db, cells, metrics, pairs, slices, unstored, broken)
        except MetricError as error:
            if error.metric.is_required:
                raise
            _warn_once(f"{error}; it is left out")
            broken.add(error.metric.name)


class MetricError(PluginError):
    """A metric of a plug-in that cannot be computed; the reading has to start again without it."""

    def __init__(self, metric: Metric, reason: Exception) -> None:
        lines = str(reason).strip().splitlines() or [type(reason).__name__]
        super().__init__(f"metric '{metric.name}', of a plug-in, cannot be asked: {lines[0]}")
        self.metric = metric


@functools.cache
def _warn_once(message: str) -> None:
    logger.warning("boardgames: %s", message)


def _read_evidence(
    db: Path,
    cells: Sequence[int],
    metrics: Sequence[Metric],
    pairs: Sequence[tuple[int, int]],
    slices: int,
    unstored: UnstoredSums,
    broken: Set[str],
) -> Evidence:
    """The evidence, with nothing about broken metrics."""
    evidence = Evidence()
    with open_for_reading(db) as session:
        con = get_connection(session)
        con.execute("SET threads = 1")  # several would add up fractions in another order each time
        _bin_slices(con, cells, pairs, slices, unstored)
        for metric in metrics:
            if metric.name in broken:
                evidence.units[metric.name] = {}
                evidence.sums[metric.name] = {}
                evidence.differences[metric.name] = {}
                evidence.counts[metric.name] = {}
            elif metric.kind != "swaps":
                _query_metric(con, metric, evidence, cells)
        for cell, value, *sums in con.execute(CUT_OFF).fetchall():
            evidence.values[cell, value] = _make_sums(sums)
        for a, b, value, *sums in con.execute(AFFECTED).fetchall():
            evidence.affected[a, b, value] = _make_sums(sums)
    evidence.luck = load_luck(db, cells, metrics)
    return evidence


def _query_metric(con: Any, metric: Metric, evidence: Evidence, cells: Sequence[int]) -> None:
    """Add a metric's sums to the evidence."""
    try:
        evidence.units[metric.name] = _query_units(con, metric)
        evidence.counts[metric.name] = _query_counts(con, metric)
        if metric.kind in ("mean", "distance"):
            evidence.sums[metric.name] = _query_sums(con, metric)
            evidence.differences[metric.name] = _query_differences(con, metric)
        if metric.definition:  # a plug-in's formula and parts are tried together with its query
            for cell in cells:
                evidence.list_parts(metric, cell)
    except Exception as error:
        if metric.definition:
            raise MetricError(metric, error) from error
        raise


def _bin_slices(
    con: Any, cells: Sequence[int], pairs: Sequence[tuple[int, int]], end: int, unstored: UnstoredSums
) -> None:
    """Make the small tables that all definitions read."""
    tables = {name: add_unstored(con, name, rows) for name, rows in unstored._asdict().items()}
    latest = (
        f"SELECT coalesce(max(slice), 0) FROM {tables['slice']} WHERE list_contains(?, cell_id) AND slice < ?"
    )
    (last,) = con.execute(latest, [list(cells), end]).fetchone()
    step = 1 << max(0, (int(last) // GROUPS).bit_length())
    cell_list = [int(cell) for cell in cells] or "[]::BIGINT[]"
    con.execute(BINNED.format(table=tables["slice"], step=step, end=end, cells=cell_list))
    pair_list = ", ".join(f"{{'a': {a}::BIGINT, 'b': {b}::BIGINT}}" for a, b in pairs)
    for query in (PAIRED, COUNTED):
        con.execute(query.format(table=tables["pair"], pairs=f"[{pair_list}]::STRUCT(a BIGINT, b BIGINT)[]"))


def _query_sums(con: Any, metric: Metric) -> dict[Part, Sums]:
    rows = con.execute(f"WITH slice AS (FROM binned), defined AS (\n{metric.sql}\n) {SUMMED}").fetchall()
    return {(cell, part): _make_sums(sums) for cell, part, *sums in rows}


def _query_differences(con: Any, metric: Metric) -> dict[tuple[int, int, str], Sums]:
    """Sums by pair and part; the definition sees the differences in place of the values, with the cell of
    the second variant.
    """
    differences = {}
    for (a,) in con.execute("SELECT DISTINCT cell_a FROM paired").fetchall():
        pairs_of_a = f"slice AS (SELECT * EXCLUDE (cell_a) FROM paired WHERE cell_a = {a})"
        query = f"WITH {pairs_of_a}, defined AS (\n{metric.sql}\n) {SUMMED}"
        for b, part, *sums in con.execute(query).fetchall():
            differences[a, b, part] = _make_sums(sums)
    return differences


def _query_counts(con: Any, metric: Metric) -> dict[tuple[int, int, str], Counts]:
    """How many deals have each difference, by pair and part."""
    counts: dict[tuple[int, int, str], Counts] = {}
    for (a,) in con.execute("SELECT DISTINCT cell_a FROM counted").fetchall():
        if metric.kind == "ratio":
            common = dict(_query_numbers(con, metric, COMMON, a))
            for (b, part), own in _query_numbers(con, metric, OWN, a):
                counts[a, b, part] = choose_counts(own, common[b, part]) if (b, part) in common else own
        else:
            pairs_of_a = f"slice AS (SELECT * EXCLUDE (cell_a) FROM counted WHERE cell_a = {a})"
            query = f"WITH {pairs_of_a}, defined AS (\n{metric.sql}\n) {LISTED}"
            for (b, part), differences in _group_rows(con.execute(query).fetchnumpy()):
                counts[a, b, part] = differences
    return counts


def _query_numbers(con: Any, metric: Metric, kind: str, a: int) -> Iterator[tuple[Part, Counts]]:
    """The counts of a ratio's numbers on own or on common tangents, by the cell that is compared with a."""
    first, last = name_values(metric, ""), f":{kind}"
    query = f"""SELECT cell_id, substr(value, {len(first) + 1}, length(value) - {len(first + last)}) AS part,
        total / deals AS difference, deals FROM counted
        WHERE cell_a = {a} AND starts_with(value, '{first}') AND ends_with(value, '{last}') ORDER BY ALL"""
    return _group_rows(con.execute(query).fetchnumpy())


def _group_rows(rows: Mapping[str, Any]) -> Iterator[tuple[Part, Counts]]:
    """The counts of differences, by cell and part."""
    for group in _split_rows(rows):
        values, deals = (np.asarray(rows[name][group], np.float64) for name in ("difference", "deals"))
        yield (int(rows["cell_id"][group[0]]), str(rows["part"][group[0]])), Counts(values, deals).shrink()


def _split_rows(rows: Mapping[str, Any]) -> list[Any]:
    """The indexes of the rows of each cell and part; the rows are sorted by these two."""
    cells, parts = rows["cell_id"], rows["part"]
    changes = np.flatnonzero((cells[1:] != cells[:-1]) | (parts[1:] != parts[:-1])) + 1
    return np.split(np.arange(len(cells)), changes) if len(cells) else []


def _make_sums(sums: Sequence[Any]) -> Sums:
    return Sums(int(sums[0]), float(sums[1]), float(sums[2]))


def _query_units(con: Any, metric: Metric) -> dict[Part, Units]:
    """Sums by group of deals; for a mean, the total and the deals."""
    columns = "top, base" if metric.kind == "ratio" else "total AS top, deals AS base"
    query = f"SELECT cell_id, part, slice, deals, {columns} FROM defined ORDER BY ALL"
    rows = con.execute(f"WITH slice AS (FROM binned), defined AS (\n{metric.sql}\n) {query}").fetchnumpy()
    units: dict[Part, Units] = {}
    for group in _split_rows(rows):
        arrays = [np.asarray(rows[name][group], np.float64) for name in ("slice", "deals", "top", "base")]
        units[int(rows["cell_id"][group[0]]), str(rows["part"][group[0]])] = Units(*arrays)
    return units


def select_shared_units(all_units: Sequence[Units]) -> list[Units]:
    """Of each, the groups that all have with the same number of deals."""
    indexes: list[Mapping[tuple[float, float], int]] = []
    for units in all_units:
        groups = zip(units.group.tolist(), units.deals.tolist(), strict=True)
        indexes.append({group: index for index, group in enumerate(groups)})
    common = sorted(set.intersection(*(set(index) for index in indexes)))
    return [
        units.select(np.array([index[group] for group in common], int))
        for units, index in zip(all_units, indexes, strict=True)
    ]
