"""Results of matches with swapped chance, in a table of their own: they are no ordinary matches."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from boardgames.plan.played import PlayedDeals
from boardgames.plan.ranges import find_gaps
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.batch import Batch
from boardgames.play.swaps import count_mixes
from boardgames.store.connection import get_connection, insert, open_for_reading
from boardgames.store.write import cut_unstored, open_for_results

Array = np.ndarray[Any, Any]
Ranges = dict[int, list[tuple[int, int]]]


class SwapResults(NamedTuple):
    """What every seat got in the matches of a cell with swapped chance, by deal and match (and seat)."""

    sources: tuple[str, ...]
    deals: Array
    masks: Array  # which sources are the partner's, a bit for each
    win_shares: Array
    scores: Array

    def select(self, wanted: Array) -> "SwapResults":
        """The same for the deals that are among those wanted."""
        rows = np.isin(self.deals, wanted)
        return SwapResults(self.sources, *(column[rows] for column in self[1:]))


def find_missing_swaps(cells: Mapping[int, int], db: Path) -> Ranges:
    """The ranges (first, count) of deals to play with swapped chance, by cell; `cells` says how many deals of
    each are wanted.
    """
    stored = find_stored_swaps(cells, db)
    return {cell: find_gaps(stored[cell], deals) for cell, deals in cells.items()}


def find_stored_swaps(cells: Iterable[int], db: Path) -> Ranges:
    """The ranges (first, count) of deals that were played with swapped chance, by cell."""
    if not db.exists():
        return {cell: [] for cell in cells}
    with open_for_reading(db) as session:
        return _find_stored(get_connection(session), cells)


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
    with open_for_results(db, cells, patience) as session:
        con = get_connection(session)
        stored = _find_stored(con, cells)
        parts = [
            piece for part in _join_neighbours(played) for piece in cut_unstored(part, stored[part.cell.id])
        ]
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
        np.concatenate([batch.matches for batch in batches]),
        np.concatenate([batch.seats for batch in batches]),
    )
    return parts[0]._replace(deals=sum(part.deals for part in parts), batch=batch)


def _make_table(cell: SwappedCell, part: PlayedDeals) -> pa.Table:
    """A row for each match of a deal and each seat, with the results of all deals as lists."""
    assert isinstance(part.batch, Batch)
    mixes = cell.swaps.matches_per_deal
    masks = cell.swaps.make_masks(part.first, part.deals)
    seats = part.batch.seats.reshape(part.deals, mixes, cell.players)
    places = [(mix, seat) for mix in range(mixes) for seat in range(cell.players)]
    count = len(places)
    return pa.table(
        {
            "cell_id": [cell.id] * count,
            "first_deal": [part.first] * count,
            "deals": [part.deals] * count,
            "sources": [list(cell.swaps.sources)] * count,
            "mix": pa.array([mix for mix, _ in places], pa.int16()),
            "seat": pa.array([seat + 1 for _, seat in places], pa.int16()),
            "masks": [masks[:, mix] for mix, _ in places],
            "win_shares": [seats["win_share"][:, mix, seat] for mix, seat in places],
            "scores": [seats["score"][:, mix, seat] for mix, seat in places],
        }
    )


def load_swaps(db: Path, cell: int) -> SwapResults | None:
    """All stored results of a cell; None if there are none."""
    query = """SELECT first_deal, deals, sources, masks, win_shares, scores FROM luck WHERE cell_id = ?
        ORDER BY first_deal, mix, seat"""
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(query, [cell]).fetchall()
    ranges = [_make_results(list(part)) for _, part in itertools.groupby(rows, key=lambda row: row[0])]
    if not ranges:
        return None
    return SwapResults(
        ranges[0].sources, *map(np.concatenate, zip(*(part[1:] for part in ranges), strict=True))
    )


def _make_results(rows: Sequence[tuple[Any, ...]]) -> SwapResults:
    """The results of one range of deals, from its rows."""
    first, deals, sources = rows[0][:3]
    shape = (count_mixes(tuple(sources)), -1, deals)
    masks, win_shares, scores = (
        np.array([row[column] for row in rows]).reshape(shape) for column in (3, 4, 5)
    )
    by_deal = (column.transpose(2, 0, 1) for column in (win_shares, scores))
    return SwapResults(tuple(sources), np.arange(first, first + deals), masks[:, 0].T, *by_deal)


_CUT_ROWS = """INSERT INTO luck BY NAME SELECT * REPLACE ($start AS first_deal, $count AS deals,
    masks[$low:$high] AS masks, win_shares[$low:$high] AS win_shares, scores[$low:$high] AS scores)
    FROM others WHERE cell_id = $cell AND first_deal = $first AND deals = $deals"""


def merge_swaps(con: Any, rows: pa.Table) -> int:
    """Insert rows of another file, without the deals that are stored already; returns the number of deals
    that are new.
    """
    con.register("others", rows)
    ranges = con.execute("SELECT DISTINCT cell_id, first_deal, deals FROM others").fetchall()
    stored, new = _find_stored(con, {cell for cell, *_ in ranges}), 0
    for cell, first, deals in ranges:
        for start, count in find_gaps([(0, first), *stored[cell]], first + deals):
            of_lists = {"low": start - first + 1, "high": start - first + count}  # SQL counts from 1
            of_range = {"cell": cell, "first": first, "deals": deals, "start": start, "count": count}
            con.execute(_CUT_ROWS, of_range | of_lists)
            stored[cell].append((start, count))
            new += count
    con.unregister("others")
    return new
