"""The differences between two cells on the same deals: their sums, and how many deals have each difference.
Computed once, then read like slices.

The difference of a value is b - a. Beside the values there is `affected`: the share of a deal's matches that
differ at all, and `affected_deals`: whether any does. With `NO_CELL` in place of a, the values of b
themselves are counted.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from boardgames.errors import InvalidInput
from boardgames.plan.counts import Counts
from boardgames.plan.ranges import find_gaps, intersect_ranges
from boardgames.plan.values import PLAIN_COLUMNS, compute_deal_values, compute_match_values
from boardgames.play.batch import Batch
from boardgames.store.connection import get_connection, insert, open_for_reading, open_for_writing
from boardgames.store.read import StoredCell, find_stored_ranges, load_cell, read_batch

CHUNK = 64 * 512  # deals in memory at a time
NO_CELL = 0
MATCH_VALUES = PLAIN_COLUMNS[0]  # where this value is stored, all values of matches are

Array = np.ndarray[Any, Any]
DealValues = dict[str, Array]
Ranges = Sequence[tuple[int, int]]


class Derivation(NamedTuple):
    """Further values of deals, which a metric computes from the stored ones."""

    names: Sequence[str] = ()  # of each; its values may have parts: `name:part`
    compute: Callable[[int, DealValues], DealValues] = lambda cell, values: {}


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
    derivation = derivation or Derivation()
    with open_for_reading(db) as session:
        cells = [load_cell(session, db, cell_id) for cell_id in (a, b) if cell_id != NO_CELL]
        if shares_luck and len(cells) == 2 and (problem := find_pairing_problem(*cells)):
            raise InvalidInput(f"cells {a} and {b} have no shared luck: they differ in {problem}")
        stored = find_stored_ranges(session, [cell.id for cell in cells])
        done = _find_done(get_connection(session), a, b)
    ranges = stored[b] if a == NO_CELL else intersect_ranges(stored[a], stored[b])
    for gaps, names in _group_by_gaps(ranges, done, [MATCH_VALUES, *derivation.names]).items():
        for first, count in gaps:
            for start in range(first, first + count, CHUNK):
                deals = min(CHUNK, first + count - start)
                values = _compute_differences(db, cells, (start, deals), derivation, shares_luck)
                _store_differences(db, (a, b), (start, deals), names, values)


def _find_done(con: Any, a: int, b: int) -> dict[str, list[tuple[int, int]]]:
    """The stored ranges of deals, by value."""
    done = defaultdict(list)
    query = "SELECT value, first_deal, deals FROM pair WHERE cell_a = ? AND cell_b = ?"
    for value, first, deals in con.execute(query, [a, b]).fetchall():
        done[value].append((first, deals))
    return done


def _group_by_gaps(
    ranges: Ranges, done: dict[str, list[tuple[int, int]]], names: Sequence[str]
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
        of_deals = compute_deal_values(compute_match_values(cell.game, batch, cell.agents), cell.seatings)
        values.append(of_deals | derivation.compute(cell.id, of_deals))
    if len(cells) == 1:
        return values[0]
    values_a, values_b = values
    differences = {name: values_b[name] - values_a[name] for name in values_a if name in values_b}
    return differences | (_find_affected(batches, cells[0].seatings) if shares_luck else {})


def _find_affected(batches: list[Batch], seatings: int) -> DealValues:
    a, b = batches
    same = a.matches["hash"] == b.matches["hash"]
    same &= (a.seats["score"] == b.seats["score"]).all(axis=1)
    affected = compute_deal_values({"affected": ~same}, seatings)
    affected["affected_deals"] = affected["affected"] > 0  # can be counted exactly
    return affected


def _store_differences(
    db: Path, pair: tuple[int, int], deals: tuple[int, int], names: Sequence[str], values: DealValues
) -> None:
    """Store what belongs to these names, unless another command has stored it meanwhile."""
    wanted = {name: value for name, value in values.items() if _find_owner(name) in names}
    rows = _make_pair_table(pair, deals, wanted, markers=[name for name in names if name not in wanted])
    overlap = """SELECT 1 FROM pair WHERE cell_a = ? AND cell_b = ? AND list_contains(?, value)
        AND first_deal < ? AND first_deal + deals > ? LIMIT 1"""
    first, count = deals
    with open_for_writing(db) as session:
        con = get_connection(session)
        if not con.execute(overlap, [*pair, list(names), first + count, first]).fetchone():
            insert(con, "pair", rows)


def _find_owner(name: str) -> str:
    """The name that a value is asked for by: `ratio:...` without its part, else all values of matches."""
    return ":".join(name.split(":")[:2]) if name.startswith(DERIVED) else MATCH_VALUES


DERIVED = "ratio:"


def _make_pair_table(
    pair: tuple[int, int], deals: tuple[int, int], values: DealValues, markers: Sequence[str]
) -> pa.Table:
    """A row for each value, and one without counts for each name whose values have parts."""
    counts = {name: Counts.of(value) for name, value in values.items()}
    names = [*values, *markers]
    nothing = np.zeros(0)
    arrays = [np.asarray(values.get(name, nothing), np.float64) for name in names]
    return pa.table(
        {
            "cell_a": [pair[0]] * len(names),
            "cell_b": [pair[1]] * len(names),
            "first_deal": [deals[0]] * len(names),
            "deals": [deals[1]] * len(names),
            "value": names,
            "total": [float(array.sum()) for array in arrays],
            "squares": [float(array @ array) for array in arrays],
            "differences": [counts[name].values if name in counts else nothing for name in names],
            "counts": [counts[name].counts if name in counts else nothing for name in names],
        }
    )
