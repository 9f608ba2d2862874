"""Sums of the differences between two cells on the same deals. Computed once, then read like slices.

The difference of a value is b - a. Beside the values there is `affected`: the share of a deal's matches that
differ at all, and `affected_deals`: whether any does.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boardgames.errors import InvalidInput
from boardgames.plan.ranges import find_gaps, intersect_ranges
from boardgames.plan.values import compute_deal_values, compute_match_values
from boardgames.play.batch import Batch
from boardgames.store.connection import get_connection, insert, open_for_reading, open_for_writing
from boardgames.store.read import StoredCell, find_stored_ranges, load_cell, read_batch

CHUNK = 64 * 512  # deals in memory at a time


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


def update_pair(db: Path, a: int, b: int) -> None:
    """Compute and store the differences of the deals that are new in both cells."""
    with open_for_reading(db) as session:
        cells = [load_cell(session, db, cell_id) for cell_id in (a, b)]
        if problem := find_pairing_problem(*cells):
            raise InvalidInput(f"cells {a} and {b} have no shared luck: they differ in {problem}")
        done = (
            get_connection(session)
            .execute("SELECT first_deal, deals FROM pair WHERE cell_a = ? AND cell_b = ?", [a, b])
            .fetchall()
        )
        ranges = intersect_ranges(*(find_stored_ranges(session, [cell_id])[cell_id] for cell_id in (a, b)))
    for first, count in [gap for low, n in ranges for gap in find_gaps([(0, low), *done], low + n)]:
        for start in range(first, first + count, CHUNK):
            deals = min(CHUNK, first + count - start)
            batches = [read_batch(db, cell, start, deals) for cell in cells]
            _store_differences(db, a, b, start, deals, _compute_differences(cells, batches, deals))


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
    cells: list[StoredCell], batches: list[Batch], deals: int
) -> dict[str, np.ndarray[Any, Any]]:
    """By deal, the value of b minus the value of a, for every value that both have."""
    seatings = cells[0].seatings
    values = [
        compute_match_values(cell.game, batch, cell.agents)
        for cell, batch in zip(cells, batches, strict=True)
    ]
    values_a, values_b = (compute_deal_values(value, seatings) for value in values)
    same = batches[0].matches["hash"] == batches[1].matches["hash"]
    same &= (batches[0].seats["score"] == batches[1].seats["score"]).all(axis=1)
    affected = compute_deal_values({"affected": ~same}, seatings)
    affected["affected_deals"] = affected["affected"] > 0  # can be counted exactly
    return affected | {name: values_b[name] - values_a[name] for name in values_a if name in values_b}


def _store_differences(
    db: Path, a: int, b: int, first: int, deals: int, values: dict[str, np.ndarray[Any, Any]]
) -> None:
    n = len(values)
    rows = pa.table(
        {
            "cell_a": [a] * n,
            "cell_b": [b] * n,
            "first_deal": [first] * n,
            "deals": [deals] * n,
            "value": list(values),
            "total": [float(value.sum()) for value in values.values()],
            "squares": [float((value * value).sum()) for value in values.values()],
        }
    )
    with open_for_writing(db) as session:
        con = get_connection(session)
        overlap = """SELECT 1 FROM pair
            WHERE cell_a = ? AND cell_b = ? AND first_deal < ? AND first_deal + deals > ? LIMIT 1"""
        is_stored = con.execute(
            overlap, [a, b, first + deals, first]
        ).fetchone()  # by another command meanwhile
        if not is_stored:
            insert(con, "pair", rows)
