"""What the file knows about some cells and their differences, read once: sums, never matches.

One pass over the slices of these cells puts them into at most a few hundred groups each; all metrics are then asked of that.
"""

import functools
import math
import sys
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.metric import Metric
from analytics.stats.imbalance import imbalance
from analytics.stats.intervals import Estimate, Sums, Units, block_mean, block_share, cut_to, jackknife
from boardgames.errors import BadInput
from boardgames.store.connection import connection, reading
from boardgames.store.pairs import fill_pair
from boardgames.store.rows import refill

FOREVER = 1 << 62
GROUPS = 512  # groups of slices that a cell is cut into: enough for a jackknife, few enough to be quick
BINNED = """
CREATE TEMP TABLE binned AS
SELECT cell_id, (slice // {step})::BIGINT AS slice, value, sum(blocks) AS blocks, sum(total) AS total, sum(squares) AS squares
FROM slice WHERE list_contains({cells}, cell_id) AND slice < {end} GROUP BY ALL
"""
PAIRED = """
CREATE TEMP TABLE paired AS
SELECT cell_a, cell_b AS cell_id, 0 AS slice, value, sum(blocks) AS blocks, sum(total) AS total, sum(squares) AS squares
FROM pair WHERE list_contains({pairs}, {{'a': cell_a, 'b': cell_b}}) GROUP BY ALL
"""
CUT_OFF = "SELECT cell_id, value, sum(blocks), sum(total), sum(squares) FROM binned WHERE value = 'cut_off' GROUP BY ALL"
TOUCHED = "SELECT cell_a, cell_id, value, blocks, total, squares FROM paired WHERE value LIKE 'touched%'"
SUMMED = "SELECT cell_id, part, sum(blocks), sum(total), sum(squares) FROM defined GROUP BY ALL"
Part = tuple[int, str]  # a cell and a part of a metric, "" where it has only one


@dataclass
class Evidence:
    """Sums by metric, then by cell and part; differences by metric, then by pair of cells and part."""

    sums: dict[str, dict[Part, Sums]] = field(default_factory=dict)
    units: dict[str, dict[Part, Units]] = field(default_factory=dict)
    differences: dict[str, dict[tuple[int, int, str], Sums]] = field(default_factory=dict)
    values: dict[tuple[int, str], Sums] = field(default_factory=dict)  # plain values of slices, by cell
    touched: dict[tuple[int, int, str], Sums] = field(default_factory=dict)

    def shared(self, a: int, b: int) -> int:
        """Blocks behind the difference of two cells."""
        return max((sums.blocks for of in self.differences.values() for key, sums in of.items() if key[:2] == (a, b)), default=0)

    def parts(self, metric: Metric, cell: int) -> list[str]:
        if metric.kind == "distance":
            return [""] if any(number == cell for number, _ in self.sums[metric.name]) else []
        known = self.units if metric.kind == "ratio" else self.sums
        here = [part for number, part in known[metric.name] if number == cell]
        return sorted((part for part in here if math.isfinite(self.estimate(metric, cell, part).mean)), key=_natural)

    def estimate(self, metric: Metric, cell: int, part: str = "") -> Estimate:
        """The ordinary answer, for reading."""
        return cut_to(metric.limits, self._uncut(metric, cell, part))

    def _uncut(self, metric: Metric, cell: int, part: str) -> Estimate:
        if metric.kind == "ratio":
            return jackknife(self.units[metric.name][cell, part], metric.formula)
        if metric.kind == "distance":
            return imbalance([sums for (number, _), sums in self.sums[metric.name].items() if number == cell])
        return (block_share if metric.limits == (0.0, 1.0) else block_mean)(*self.sums[metric.name][cell, part])


def _natural(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (1 << 30, part)


def gather(
    path: Path, cells: Sequence[int], wanted: Sequence[Metric], pairs: Sequence[tuple[int, int]] = (), slices: int = FOREVER
) -> Evidence:
    """Everything that these metrics need to know about these cells, and about b less a for these pairs (a, b).

    What is known about cells, but not about pairs, can be that of their first few slices only. A plug-in's metric that cannot be
    asked is told of and has no parts, unless somebody named it.
    """
    refill(path)
    for a, b in pairs:
        fill_pair(path, a, b)
    broken: set[str] = set()
    while True:
        try:
            return _gathered(path, cells, wanted, pairs, slices, broken)
        except Broken as error:
            if error.metric.named:
                raise
            _tell(f"{error}; it is left out")
            broken.add(error.metric.name)


class Broken(BadInput):
    """A metric of a plug-in that cannot be asked. Only those who named it stop there; what is read has to be begun again."""

    def __init__(self, metric: Metric, reason: Exception) -> None:
        told = str(reason).strip().splitlines() or [type(reason).__name__]
        super().__init__(f"metric '{metric.name}', of a plug-in, cannot be asked: {told[0]}")
        self.metric = metric


@functools.cache
def _tell(sentence: str) -> None:
    """Once is enough, however many cells are asked."""
    print(f"boardgames: {sentence}", file=sys.stderr)


def _gathered(
    path: Path, cells: Sequence[int], wanted: Sequence[Metric], pairs: Sequence[tuple[int, int]], slices: int, broken: Set[str]
) -> Evidence:
    """One reading; about what is broken, nothing is known."""
    found = Evidence()
    with reading(path) as session:
        con = connection(session)
        _bin(con, cells, pairs, slices)
        for metric in wanted:
            if metric.name in broken:
                found.units[metric.name], found.sums[metric.name], found.differences[metric.name] = {}, {}, {}
            else:
                _ask(con, metric, found, cells)
        for cell, value, *sums in con.execute(CUT_OFF).fetchall():
            found.values[cell, value] = _plain(sums)
        for a, b, value, *sums in con.execute(TOUCHED).fetchall():
            found.touched[a, b, value] = _plain(sums)
    return found


def _ask(con: Any, metric: Metric, found: Evidence, cells: Sequence[int]) -> None:
    try:
        found.units[metric.name] = _units(con, metric)
        if metric.kind in ("mean", "distance"):
            found.sums[metric.name] = _sums(con, metric)
            found.differences[metric.name] = _differences(con, metric)
        if metric.definition:  # a stranger's formula and parts are tried where its query is
            for cell in cells:
                found.parts(metric, cell)
    except Exception as error:
        if metric.definition:
            raise Broken(metric, error) from error
        raise


def _bin(con: Any, cells: Sequence[int], pairs: Sequence[tuple[int, int]], end: int) -> None:
    """The two small tables that all definitions read."""
    latest = "SELECT coalesce(max(slice), 0) FROM slice WHERE list_contains(?, cell_id) AND slice < ?"
    (last,) = con.execute(latest, [list(cells), end]).fetchone()
    step = 1 << max(0, (int(last) // GROUPS).bit_length())
    written = ", ".join(f"{{'a': {a}::BIGINT, 'b': {b}::BIGINT}}" for a, b in pairs)
    con.execute(BINNED.format(step=step, end=end, cells=[int(cell) for cell in cells] or "[]::BIGINT[]"))
    con.execute(PAIRED.format(pairs=f"[{written}]::STRUCT(a BIGINT, b BIGINT)[]"))


def _sums(con: Any, metric: Metric) -> dict[Part, Sums]:
    rows = con.execute(f"WITH slice AS (FROM binned), defined AS (\n{metric.sql}\n) {SUMMED}").fetchall()
    return {(cell, part): _plain(sums) for cell, part, *sums in rows}


def _differences(con: Any, metric: Metric) -> dict[tuple[int, int, str], Sums]:
    """By pair; the definition sees the differences in place of the values, with the cell of the second variant."""
    found = {}
    for (a,) in con.execute("SELECT DISTINCT cell_a FROM paired").fetchall():
        these = f"slice AS (SELECT * EXCLUDE (cell_a) FROM paired WHERE cell_a = {a})"
        for b, part, *sums in con.execute(f"WITH {these}, defined AS (\n{metric.sql}\n) {SUMMED}").fetchall():
            found[a, b, part] = _plain(sums)
    return found


def _plain(sums: Sequence[Any]) -> Sums:
    return Sums(int(sums[0]), float(sums[1]), float(sums[2]))


def _units(con: Any, metric: Metric) -> dict[Part, Units]:
    """Sums by group of blocks; a mean is the ratio of its total to the blocks."""
    columns = "top, base" if metric.kind == "ratio" else "total AS top, blocks AS base"
    query = f"SELECT cell_id, part, slice, blocks, {columns} FROM defined ORDER BY ALL"
    rows = con.execute(f"WITH slice AS (FROM binned), defined AS (\n{metric.sql}\n) {query}").fetchnumpy()
    found: dict[Part, Units] = {}
    keys = list(zip(rows["cell_id"].tolist(), rows["part"].tolist(), strict=True))
    for key in dict.fromkeys(keys):
        where = np.array([one == key for one in keys])
        numbers = [np.asarray(rows[name][where], np.float64) for name in ("slice", "blocks", "top", "base")]
        found[key] = Units(*numbers)
    return found


def shared_units(several: Sequence[Units]) -> list[Units]:
    """The groups that all have with the same number of blocks."""
    known: list[Mapping[tuple[float, float], int]] = [
        {pair: place for place, pair in enumerate(zip(one.group.tolist(), one.blocks.tolist(), strict=True))} for one in several
    ]
    common = sorted(set.intersection(*(set(one) for one in known)))
    return [one.at(np.array([places[pair] for pair in common], int)) for one, places in zip(several, known, strict=True)]
