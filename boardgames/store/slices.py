"""The table `slice`: sums over the deals of each slice.

A slice is always summed from all its deals at once, in their order. So its sums are the same, to the last
digit, for every number of workers and whatever arrived first.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from boardgames.plan.played import PlayedDeals, Rows, StorableCell
from boardgames.plan.values import compute_deal_values, compute_match_values, sum_slices
from boardgames.play.batch import SLICE, Batch
from boardgames.store.connection import insert
from boardgames.store.read import make_batch, read_rows


def insert_slices(
    con: Any, fresh: Sequence[PlayedDeals], done: Mapping[int, Sequence[tuple[int, int]]]
) -> None:
    """Insert the sums of these deals, whose matches are inserted already. `done` are the ranges of deals that
    each cell had before: slices that they had begun are summed again.
    """
    parts, tables = sorted(fresh, key=lambda part: (part.cell.id, part.first)), []
    for cell_id, group in itertools.groupby(parts, key=lambda part: part.cell.id):
        cell, batch = _join(list(group))
        slices = batch.matches["deal"] // SLICE
        begun = _find_edges(done[cell_id]) & set(slices.tolist())
        is_new = ~np.isin(slices, list(begun))
        if is_new.any():
            tables.append(make_slice_table(cell, Batch(batch.matches[is_new], batch.seats[is_new])))
        if begun:
            tables.append(_sum_again(con, cell, begun))
    insert(con, "slice", pa.concat_tables(tables))


def _join(parts: Sequence[PlayedDeals]) -> tuple[StorableCell, Batch]:
    """The cell of these deals, and all their rows."""
    cell = parts[0].cell
    batches = [make_batch(part.batch, cell) if isinstance(part.batch, Rows) else part.batch for part in parts]
    matches = np.concatenate([batch.matches for batch in batches])
    return cell, Batch(matches, np.concatenate([batch.seats for batch in batches]))


def _find_edges(ranges: Sequence[tuple[int, int]]) -> set[int]:
    """The slices in which ranges of deals begin or end: other slices are whole, or have none of them."""
    return {deal // SLICE for first, count in ranges for deal in (first, first + count - 1)}


def _sum_again(con: Any, cell: StorableCell, slices: set[int]) -> pa.Table:
    """The sums of slices from all rows that the file has of them by now, in place of those it had."""
    con.execute("DELETE FROM slice WHERE cell_id = ? AND list_contains(?, slice)", [cell.id, list(slices)])
    bounds = f"deal >= {min(slices) * SLICE} AND deal < {(max(slices) + 1) * SLICE}"
    where = f"{bounds} AND deal // {SLICE} IN ({', '.join(map(str, slices))})"
    return make_slice_table(cell, make_batch(read_rows(con, cell, where), cell))


def make_slice_table(cell: StorableCell, batch: Batch) -> pa.Table:
    """The sums of whole deals, a row for each slice and value."""
    seatings = len(cell.agents)
    values = compute_deal_values(compute_match_values(cell.game, batch, cell.agents), seatings)
    slices, counts, sums = sum_slices(values, batch.matches["deal"][::seatings])
    value_count = len(sums)
    return pa.table(
        {
            "cell_id": np.full(value_count * len(slices), cell.id),
            "slice": np.tile(slices, value_count),
            "value": pa.array([value_sums.name for value_sums in sums for _ in slices], pa.string()),
            "deals": np.tile(counts.astype(np.int32), value_count),
            "total": np.concatenate([value_sums.total for value_sums in sums]),
            "squares": np.concatenate([value_sums.squares for value_sums in sums]),
        }
    )
