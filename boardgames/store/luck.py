"""Results of matches with swapped chance, in a table of their own: they are no ordinary matches."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from boardgames.plan.played import PlayedDeals
from boardgames.plan.ranges import find_gaps
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.batch import Batch
from boardgames.play.swaps import Swap
from boardgames.store.connection import get_connection, insert, open_for_reading, open_for_writing
from boardgames.store.write import cut_unstored

Array = np.ndarray[Any, Any]
Ranges = dict[int, list[tuple[int, int]]]


class SeatResults(NamedTuple):
    """What every seat got in matches with one swap: a row for each deal, a column for each seat."""

    win_shares: Array
    scores: Array


class SwapResults(NamedTuple):
    """The stored results of a cell: by swap, all in the order of the deals."""

    deals: Array
    by_swap: Mapping[Swap, SeatResults]

    def select(self, wanted: Array) -> "SwapResults":
        """The same for the deals that are among those wanted."""
        rows = np.isin(self.deals, wanted)
        by_swap = {
            swap: SeatResults(results.win_shares[rows], results.scores[rows])
            for swap, results in self.by_swap.items()
        }
        return SwapResults(self.deals[rows], by_swap)


def find_missing_swaps(cells: Mapping[int, int], db: Path) -> Ranges:
    """The ranges (first, count) of deals to play with swapped chance, by cell; `cells` says how many deals of
    each are wanted.
    """
    if not db.exists():
        return {cell: [(0, deals)] for cell, deals in cells.items()}
    with open_for_reading(db) as session:
        stored = _find_stored(get_connection(session), cells)
    return {cell: find_gaps(stored[cell], deals) for cell, deals in cells.items()}


def _find_stored(con: Any, cells: Iterable[int]) -> Ranges:
    ranges: Ranges = {cell: [] for cell in cells}
    query = "SELECT DISTINCT cell_id, first_deal, deals FROM luck WHERE list_contains(?, cell_id)"
    for cell, first, deals in con.execute(query, [list(ranges)]).fetchall():
        ranges[cell].append((first, deals))
    return ranges


def store_swaps(
    db: Path, cells: Mapping[int, SwappedCell], played: Sequence[PlayedDeals], patience: float | None = None
) -> None:
    """Store these deals in one transaction, except those that another command has stored meanwhile."""
    with open_for_writing(db, patience) as session:
        con = get_connection(session)
        stored = _find_stored(con, cells)
        parts = [piece for part in _join_neighbours(played) for piece in cut_unstored(part, stored[part.cell.id])]
        if parts:
            insert(con, "luck", pa.concat_tables([_make_table(cells[part.cell.id], part) for part in parts]))


def _join_neighbours(played: Sequence[PlayedDeals]) -> list[PlayedDeals]:
    """The same deals with neighbours joined: a row of the table holds a range of deals."""
    joined: list[list[PlayedDeals]] = []
    for part in sorted(played, key=lambda part: (part.cell.id, part.first)):
        last = joined[-1][-1] if joined else None
        if last and (last.cell.id, last.first + last.deals) == (part.cell.id, part.first):
            joined[-1].append(part)
        else:
            joined.append([part])
    return [_join(parts) for parts in joined]


def _join(parts: Sequence[PlayedDeals]) -> PlayedDeals:
    batches = [part.batch for part in parts if isinstance(part.batch, Batch)]
    batch = Batch(
        np.concatenate([batch.matches for batch in batches]), np.concatenate([batch.seats for batch in batches])
    )
    return parts[0]._replace(deals=sum(part.deals for part in parts), batch=batch)


def _make_table(cell: SwappedCell, part: PlayedDeals) -> pa.Table:
    """A row for each swap and seat, with the deals' results as lists."""
    assert isinstance(part.batch, Batch)
    seats = part.batch.seats.reshape(part.deals, len(cell.swaps), cell.players)
    places = [(swap, seat) for swap in range(len(cell.swaps)) for seat in range(cell.players)]
    count = len(places)
    return pa.table(
        {
            "cell_id": [cell.id] * count,
            "first_deal": [part.first] * count,
            "deals": [part.deals] * count,
            "swapped": [sorted(cell.swaps[swap]) for swap, _ in places],
            "seat": pa.array([seat + 1 for _, seat in places], pa.int16()),
            "win_shares": [seats["win_share"][:, swap, seat] for swap, seat in places],
            "scores": [seats["score"][:, swap, seat] for swap, seat in places],
        }
    )


def load_swaps(db: Path, cell: int) -> SwapResults:
    """All stored results of a cell."""
    query = "SELECT * EXCLUDE (cell_id) FROM luck WHERE cell_id = ? ORDER BY first_deal, seat"
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(query, [cell]).fetchall()
    deals: dict[int, Array] = {}
    by_swap: dict[Swap, dict[int, list[SeatResults]]] = defaultdict(lambda: defaultdict(list))
    for first, count, swapped, _, win_shares, scores in rows:
        deals[first] = np.arange(first, first + count)
        by_swap[frozenset(swapped)][first].append(SeatResults(np.array(win_shares), np.array(scores)))
    results = {
        swap: SeatResults(*(np.concatenate(parts) for parts in zip(*map(_join_seats, ranges.values()), strict=True)))
        for swap, ranges in by_swap.items()
    }
    return SwapResults(np.concatenate([*deals.values(), np.zeros(0, int)]), results)


def _join_seats(seats: Sequence[SeatResults]) -> SeatResults:
    """The results of single seats as columns."""
    return SeatResults(*(np.stack(columns, axis=1) for columns in zip(*seats, strict=True)))


def merge_swaps(con: Any, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows of another file, except ranges of deals that overlap with stored ones."""
    stored = _find_stored(con, {row[0] for row in rows})
    new = [row for row in rows if not _overlaps(stored[row[0]], row[1], row[2])]
    if new:
        con.executemany("INSERT INTO luck VALUES (?, ?, ?, ?, ?, ?, ?)", new)


def _overlaps(ranges: Sequence[tuple[int, int]], first: int, deals: int) -> bool:
    return any(low < first + deals and first < low + count for low, count in ranges)
