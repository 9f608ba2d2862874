"""Two cells on the same luck: sums of their differences, block by block. Computed once, then read like slices.

The difference of a value is b - a. Beside the values there is `touched`: the share of a block's matches that differ at all, and
`touched_blocks`: whether any does.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boardgames.errors import BadInput
from boardgames.experiment.values import block_values, common, gaps, match_values
from boardgames.play.batch import Batch
from boardgames.store.connection import connection, insert, reading, writing
from boardgames.store.rows import covered, found_cell, read_batch

CHUNK = 64 * 512  # blocks that are held in memory at a time


def pair(path: Path, a: int, b: int) -> dict[str, tuple[int, float, float]]:
    """By value: blocks, total and sum of squares of the differences over all blocks that both cells have."""
    fill_pair(path, a, b)
    query = "SELECT value, sum(blocks), sum(total), sum(squares) FROM pair WHERE cell_a = ? AND cell_b = ? GROUP BY ALL"
    with reading(path) as session:
        return {value: (int(n), t, s) for value, n, t, s in connection(session).execute(query, [a, b]).fetchall()}


def fill_pair(path: Path, a: int, b: int) -> None:
    """Work out the differences of blocks that are new in both cells since the last time."""
    with reading(path) as session:
        cells = [found_cell(session, path, number) for number in (a, b)]
        if why := unlike(*cells):
            raise BadInput(f"cells {a} and {b} have no shared luck: they differ in {why}")
        done = (
            connection(session).execute("SELECT first_block, blocks FROM pair WHERE cell_a = ? AND cell_b = ?", [a, b]).fetchall()
        )
        runs = common(*(covered(session, [number])[number] for number in (a, b)))
    for first, many in [gap for low, n in runs for gap in gaps([(0, low), *done], low + n)]:
        for start in range(first, first + many, CHUNK):
            blocks = min(CHUNK, first + many - start)
            batches = [read_batch(path, cell, start, blocks) for cell in cells]
            _store(path, a, b, start, blocks, _differences(cells, batches, blocks))


def unlike(a: Any, b: Any) -> str:
    """What keeps the blocks of two cells from being the same luck and the same players; nothing if they are."""
    names = {"players": "the number of players", "seed": "the master seed", "engine": "the engine that played them"}
    other = [words for name, words in names.items() if getattr(a, name) != getattr(b, name)]
    if not other and a.line_up != b.line_up:
        other = ["their agents, or the agents' code"]
    return " and ".join(other)


def _differences(cells: list[Any], batches: list[Batch], blocks: int) -> dict[str, np.ndarray[Any, Any]]:
    """Block values of b less those of a, for every value that both have."""
    seatings = cells[0].seatings
    values = [match_values(cell.variant.game, batch, cell.agents) for cell, batch in zip(cells, batches, strict=True)]
    here, there = (block_values(value, seatings) for value in values)
    same = batches[0].matches["hash"] == batches[1].matches["hash"]
    same &= (batches[0].seats["score"] == batches[1].seats["score"]).all(axis=1)
    touched = block_values({"touched": ~same}, seatings)
    touched["touched_blocks"] = touched["touched"] > 0  # blocks in which anything differs: these can be counted exactly
    return touched | {name: there[name] - here[name] for name in here if name in there}


def _store(path: Path, a: int, b: int, first: int, blocks: int, values: dict[str, np.ndarray[Any, Any]]) -> None:
    n = len(values)
    rows = pa.table(
        {
            "cell_a": [a] * n,
            "cell_b": [b] * n,
            "first_block": [first] * n,
            "blocks": [blocks] * n,
            "value": list(values),
            "total": [float(value.sum()) for value in values.values()],
            "squares": [float((value * value).sum()) for value in values.values()],
        }
    )
    with writing(path) as session:
        con = connection(session)
        overlap = "SELECT 1 FROM pair WHERE cell_a = ? AND cell_b = ? AND first_block < ? AND first_block + blocks > ? LIMIT 1"
        if not con.execute(overlap, [a, b, first + blocks, first]).fetchone():  # another command may have been quicker
            insert(con, "pair", rows)
