"""Whether the sums that comparisons read (the table `slice`) are those of the stored matches."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from boardgames.plan.ranges import intersect_ranges
from boardgames.play.batch import SLICE
from boardgames.store.connection import FLUSH_MATCHES, get_connection, open_for_reading
from boardgames.store.opening.damage import explain_damage
from boardgames.store.read import StoredCell, read_batch
from boardgames.store.slices import make_slice_table


def find_wrong_slices(
    db: Path, cell: StoredCell, ranges: Sequence[tuple[int, int]], chosen: Iterable[tuple[int, int]]
) -> list[int]:
    """The slices whose sums are not those of the rows, of those that the chosen ranges of deals lie in;
    `ranges` are all stored ones. A cell that has no sums yet gets them when they are needed.
    """
    slices = {n for first, deals in chosen for n in range(first // SLICE, -(-(first + deals) // SLICE))}
    most = max(1, FLUSH_MATCHES // (SLICE * cell.seatings))  # rows that are in memory at a time
    wrong: set[int] = set()
    for first, count in _cut_into_runs(sorted(slices), most):
        stored = _read_slices(db, cell, first, count)
        if stored:
            wrong |= _compare_sums(stored, _sum_rows_again(db, cell, ranges, first, count))
    return sorted(wrong)


def _cut_into_runs(numbers: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Runs of neighbours (first, count) of at most this length."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        first, count = runs[-1] if runs else (number, 0)
        if number == first + count and 0 < count < most:
            runs[-1] = first, count + 1
        else:
            runs.append((number, 1))
    return runs


SliceSums = dict[tuple[int, str], tuple[float, ...]]  # deals, total and squares by slice and value


def _read_slices(db: Path, cell: StoredCell, first: int, count: int) -> SliceSums:
    query = """SELECT slice, value, sum(deals)::BIGINT, sum(total), sum(squares) FROM slice
        WHERE cell_id = ? AND slice >= ? AND slice < ? GROUP BY ALL"""
    with open_for_reading(db) as session, explain_damage(db):
        rows = get_connection(session).execute(query, [cell.id, first, first + count]).fetchall()
    return {(number, value): tuple(sums) for number, value, *sums in rows}


def _sum_rows_again(
    db: Path, cell: StoredCell, ranges: Sequence[tuple[int, int]], first: int, count: int
) -> SliceSums:
    """The sums of these slices, from the rows."""
    tables = []
    for start, deals in intersect_ranges(ranges, [(first * SLICE, count * SLICE)]):
        tables.append(make_slice_table(cell, read_batch(db, cell, start, deals)))
    columns = pa.concat_tables(tables).to_pydict()
    keys = zip(columns["slice"], columns["value"], strict=True)
    sums: SliceSums = {}
    for key, *added in zip(keys, columns["deals"], columns["total"], columns["squares"], strict=True):
        sums[key] = tuple(map(sum, zip(sums.get(key, (0, 0.0, 0.0)), added, strict=True)))
    return sums


def _compare_sums(stored: SliceSums, computed: SliceSums) -> set[int]:
    """The slices in which they differ by more than the order of adding can."""
    wrong = {number for number, _ in stored.keys() ^ computed.keys()}
    both = [key for key in stored if key in computed]
    theirs, ours = (np.array([sums[key] for key in both], np.float64) for sums in (stored, computed))
    if both:
        differs = ~np.isclose(theirs, ours, rtol=1e-9, atol=1e-9).all(axis=1)
        wrong |= {both[index][0] for index in np.flatnonzero(differs)}
    return wrong
