"""The differences between two cells on the same deals: their sums, and how many deals have each difference.
Computed once, then read like slices.

The difference of a value is b - a. Beside the values there is `affected`: the share of a deal's matches that
differ at all, and `affected_deals`: whether any does. With `NO_CELL` in place of a, the values of b
themselves are counted.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from boardgames.errors import InvalidInput, TooMuchUnstored
from boardgames.plan.counts import Counts
from boardgames.plan.ranges import find_gaps, intersect_ranges
from boardgames.plan.values import PLAIN_COLUMNS, compute_deal_values, compute_match_values
from boardgames.play.batch import Batch
from boardgames.store.connection import (
    get_connection,
    insert,
    keep_open_for_reading,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.read import StoredCell, find_known_cells, find_stored_ranges, load_cell, read_batch

CHUNK = 64 * 512  # deals in memory at a time
NO_CELL = 0
MATCH_VALUES = PLAIN_COLUMNS[0]  # where this value is stored, all values of matches are

Array = np.ndarray[Any, Any]
DealValues = dict[str, Array]
Ranges = Sequence[tuple[int, int]]


class Derivation(NamedTuple):
    """Further values of deals, which a metric computes from the stored ones."""

    names: Sequence[str] = ()  # of each; its values may be of several kinds: `name:kind`
    # from a cell, the number of the first deal, and the deals' values
    compute: Callable[[int, int, DealValues], DealValues] = lambda cell, first, values: {}
    end: int | None = None  # the values of deals from this one on cannot be computed yet


def load_pair_sums(db: Path, a: int, b: int) -> dict[str, tuple[int, float, float]]:
    """By value: number of deals, sum and sum of squares of the differences, over the deals that
    `update_pair` found in both cells.
    """
    query = """SELECT value, sum(deals), sum(total), sum(squares) FROM pair
        WHERE cell_a = ? AND cell_b = ? GROUP BY ALL"""
    with open_for_reading(db) as session:
        return {
            value: (int(n), t, s)
            for value, n, t, s in get_connection(session).execute(query, [a, b]).fetchall()
        }


def update_pair(
    db: Path, a: int, b: int, derivation: Derivation | None = None, *, shares_luck: bool = True
) -> None:
    """Compute and store the differences of the deals that are new in both cells.

    Where the cells share no luck, their deals are paired as they come: such differences are independent too.
    """
    for rows in compute_missing_rows(db, a, b, derivation, shares_luck=shares_luck):
        store_pair_rows(db, [rows])


class PairRows(NamedTuple):
    """Differences of some deals that are not stored, as rows of the table `pair`."""

    pair: tuple[int, int]
    part: "MissingPart"
    table: pa.Table


def compute_missing_rows(
    db: Path,
    a: int,
    b: int,
    derivation: Derivation | None = None,
    *,
    shares_luck: bool = True,
    most_deals: int | None = None,
) -> Iterator[PairRows]:
    """What the file lacks about two cells, a portion at a time; raises TooMuchUnstored if that are more than
    `most_deals` deals.
    """
    with keep_open_for_reading(db):
        missing = find_missing_differences(db, a, b, derivation, shares_luck=shares_luck)
    if most_deals is not None and missing.deals > most_deals:
        raise TooMuchUnstored(f"the differences of {missing.deals:,} deals are not worked out yet")
    for part in missing.list_parts():
        with keep_open_for_reading(db):
            values = missing.compute(part)
        yield PairRows((a, b), part, _make_pair_table((a, b), part, values))


def store_pair_rows(db: Path, portion: Sequence[PairRows]) -> None:
    """Store differences in one transaction, except those that another command has stored meanwhile, and those
    of cells that were forgotten.
    """
    overlap = """SELECT 1 FROM pair WHERE cell_a = ? AND cell_b = ? AND list_contains(?, value)
        AND first_deal < ? AND first_deal + deals > ? LIMIT 1"""
    with open_for_writing(db) as session:
        con = get_connection(session)
        for pair, part, table in portion:
            end, cells = part.first + part.deals, {*pair} - {NO_CELL}
            if find_known_cells(session, cells) != cells:
                continue
            if not con.execute(overlap, [*pair, list(part.names), end, part.first]).fetchone():
                insert(con, "pair", table)


def find_missing_names(
    db: Path, pairs: Sequence[tuple[int, int]], names: Sequence[str]
) -> dict[tuple[int, int], list[str]]:
    """Of `MATCH_VALUES` and these names of derived values, those that some shared deals of a pair lack; pairs
    that lack nothing are left out.
    """
    with open_for_reading(db) as session:
        stored = find_stored_ranges(session, {cell for pair in pairs for cell in pair})
        done = _find_all_done(get_connection(session), pairs)
    missing = {}
    for a, b in pairs:
        ranges = stored[b] if a == NO_CELL else intersect_ranges(stored[a], stored[b])
        gaps = _group_by_gaps(ranges, done[a, b], [MATCH_VALUES, *names])
        if lacking := [name for lacks, group in gaps.items() if lacks for name in group]:
            missing[a, b] = lacking
    return missing


class MissingPart(NamedTuple):
    """Deals whose differences are not stored, under these names."""

    first: int
    deals: int
    names: Sequence[str]


class MissingDifferences(NamedTuple):
    """What the file does not have about two cells, and how to compute it."""

    gaps: dict[tuple[tuple[int, int], ...], list[str]]  # names by the ranges of deals that they lack
    compute: Callable[[MissingPart], DealValues]

    @property
    def deals(self) -> int:
        return max((sum(count for _, count in ranges) for ranges in self.gaps), default=0)

    def list_parts(self) -> Iterator[MissingPart]:
        """What is missing, in portions that fit into memory."""
        for ranges, names in self.gaps.items():
            for first, count in ranges:
                for start in range(first, first + count, CHUNK):
                    yield MissingPart(start, min(CHUNK, first + count - start), names)


def find_missing_differences(
    db: Path, a: int, b: int, derivation: Derivation | None, *, shares_luck: bool
) -> MissingDifferences:
    derivation = derivation or Derivation()
    with open_for_reading(db) as session:
        cells = [load_cell(session, db, cell_id) for cell_id in (a, b) if cell_id != NO_CELL]
        if shares_luck and len(cells) == 2 and (problem := find_pairing_problem(*cells)):
            raise InvalidInput(f"cells {a} and {b} have no shared luck: they differ in {problem}")
        stored = find_stored_ranges(session, [cell.id for cell in cells])
        done = _find_all_done(get_connection(session), [(a, b)])[a, b]
    ranges = stored[b] if a == NO_CELL else intersect_ranges(stored[a], stored[b])

    def compute(part: MissingPart) -> DealValues:
        values = _compute_differences(db, cells, (part.first, part.deals), derivation, shares_luck)
        return {name: value for name, value in values.items() if _find_owner(name) in part.names}

    gaps = _group_by_gaps(ranges, done, [MATCH_VALUES])
    end = math.inf if derivation.end is None else derivation.end
    derivable = [(first, int(min(count, end - first))) for first, count in ranges if first < end]
    for lacks, names in _group_by_gaps(derivable, done, derivation.names).items():
        gaps.setdefault(lacks, []).extend(names)
    return MissingDifferences(gaps, compute)


Done = dict[str, list[tuple[int, int]]]  # stored ranges of deals, by value


def _find_all_done(con: Any, pairs: Sequence[tuple[int, int]]) -> defaultdict[tuple[int, int], Done]:
    """What is stored of each pair."""
    done: defaultdict[tuple[int, int], Done] = defaultdict(lambda: defaultdict(list))
    wanted = [{"a": a, "b": b} for a, b in pairs]
    query = """SELECT cell_a, cell_b, value, first_deal, deals FROM pair
        WHERE list_contains(?::STRUCT(a BIGINT, b BIGINT)[], {'a': cell_a, 'b': cell_b})"""
    for a, b, value, first, deals in con.execute(query, [wanted]).fetchall():
        done[a, b][value].append((first, deals))
    return done


def _group_by_gaps(
    ranges: Ranges, done: Done, names: Sequence[str]
) -> dict[tuple[tuple[int, int], ...], list[str]]:
    """What is missing: names by the ranges that they lack."""
    groups = defaultdict(list)
    for name in names:
        gaps = [gap for low, n in ranges for gap in find_gaps([(0, low), *done.get(name, [])], low + n)]
        groups[tuple(gaps)].append(name)
    return groups


def find_pairing_problem(a: StoredCell, b: StoredCell) -> str | None:
    """In what two cells differ that must be equal for a paired comparison; None if in nothing."""
    names = {
        "players": "the number of players",
        "seed": "the master seed",
        "engine": "the engine that played them",
    }
    other = [words for name, words in names.items() if getattr(a, name) != getattr(b, name)]
    if not other and a.line_up != b.line_up:
        other = ["their agents, or the agents' code"]
    return " and ".join(other) or None


def _compute_differences(
    db: Path, cells: list[StoredCell], deals: tuple[int, int], derivation: Derivation, shares_luck: bool
) -> DealValues:
    """By deal, the value of b minus the value of a, for every value that both have; or the value of b."""
    batches = [read_batch(db, cell, *deals) for cell in cells]
    values = []
    for cell, batch in zip(cells, batches, strict=True):
        of_deals = _compute_deal_values(cell, batch)
        values.append(of_deals | derivation.compute(cell.id, deals[0], of_deals))
    if len(cells) == 1:
        return values[0]
    values_a, values_b = values
    differences = {name: values_b[name] - values_a[name] for name in values_a if name in values_b}
    return differences | (_find_affected(batches, cells[0].seatings) if shares_luck else {})


def _compute_deal_values(cell: StoredCell, batch: Batch) -> DealValues:
    return compute_deal_values(compute_match_values(cell.game, batch, cell.agents), cell.seatings)


def load_deal_values(db: Path, cell_id: int) -> DealValues:
    """By name, the values of all deals of a cell that has no gaps."""
    with open_for_reading(db) as session:
        cell = load_cell(session, db, cell_id)
        deals = sum(count for _, count in find_stored_ranges(session, [cell_id])[cell_id])
    return _compute_deal_values(cell, read_batch(db, cell, 0, deals))


def _find_affected(batches: list[Batch], seatings: int) -> DealValues:
    a, b = batches
    same = a.matches["hash"] == b.matches["hash"]
    same &= (a.seats["score"] == b.seats["score"]).all(axis=1)
    affected = compute_deal_values({"affected": ~same}, seatings)
    affected["affected_deals"] = affected["affected"] > 0  # can be counted exactly
    return affected


def _find_owner(name: str) -> str:
    """The name that a value is asked for by: `ratio:...` without its kind, else all values of matches."""
    return name.rpartition(":")[0] if name.startswith(DERIVED) else MATCH_VALUES


DERIVED = "ratio:"


def _make_pair_table(pair: tuple[int, int], part: MissingPart, values: DealValues) -> pa.Table:
    """A row for each value, and one without counts for each name whose values are of several kinds."""
    counts = {name: Counts.of(value) for name, value in values.items()}
    names = [*values, *(name for name in part.names if name not in values)]
    nothing = np.zeros(0)
    arrays = [np.asarray(values.get(name, nothing), np.float64) for name in names]
    return pa.table(
        {
            "cell_a": [pair[0]] * len(names),
            "cell_b": [pair[1]] * len(names),
            "first_deal": [part.first] * len(names),
            "deals": [part.deals] * len(names),
            "value": names,
            "total": [float(array.sum()) for array in arrays],
            "squares": [float(np.square(array).sum()) for array in arrays],
            "differences": [counts[name].values if name in counts else nothing for name in names],
            "counts": [counts[name].counts if name in counts else nothing for name in names],
        }
    )
