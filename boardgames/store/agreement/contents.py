"""Which matches a file has, cell by cell, and what it takes to play them again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session, select

from boardgames.store.agreement.matches import RepeatableCell, make_repeatable
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.opening.damage import explain_damage
from boardgames.store.read import StoredCell, find_stored_ranges, make_stored_cell
from boardgames.store.schema import Cell, Seating, StoredVariant


@dataclass(frozen=True, kw_only=True)
class StoredMatches:
    """The finished matches of a cell."""

    row: Cell
    variant: StoredVariant
    cell: StoredCell
    ranges: list[tuple[int, int]]  # of deals: first and count
    is_recorded: bool  # whether their actions are stored, because no seed brings them back

    @property
    def matches(self) -> int:
        return self.cell.seatings * sum(deals for _, deals in self.ranges)

    def make_repeatable(self) -> RepeatableCell:
        """The cell as one that can be played. Raises an error that says why it cannot be."""
        return make_repeatable(self.row, self.variant, self.cell, self.is_recorded)


@dataclass(frozen=True, kw_only=True)
class FileMatches:
    """All finished matches of a file."""

    cells: Sequence[StoredMatches]
    swapped_deals: int


_RECORDED = """SELECT DISTINCT a.cell_id FROM actions a SEMI JOIN match m
    ON (m.cell_id, m.deal, m.seating) = (a.cell_id, a.deal, a.seating)"""
_SWAPPED = (
    "SELECT coalesce(sum(deals), 0)::BIGINT FROM (SELECT DISTINCT cell_id, first_deal, deals FROM luck)"
)


def load_stored_matches(db: Path) -> FileMatches:
    """The cells of a file that have matches."""
    with open_for_reading(db) as session, explain_damage(db):
        con = get_connection(session)
        recorded = {cell for (cell,) in con.execute(_RECORDED).fetchall()}
        (swapped,) = con.execute(_SWAPPED).fetchone()
        cells = _load_cells(session)
        stored = find_stored_ranges(session, cells)
        return FileMatches(
            cells=[
                StoredMatches(
                    row=row,
                    variant=variant,
                    cell=cell,
                    ranges=sorted(stored[cell_id]),
                    is_recorded=cell_id in recorded,
                )
                for cell_id, (row, variant, cell) in cells.items()
                if stored[cell_id]
            ],
            swapped_deals=swapped,
        )


def _load_cells(session: Session) -> dict[int, tuple[Cell, StoredVariant, StoredCell]]:
    variants = {row.id: row for row in session.exec(select(StoredVariant)).all()}
    seats = group_seats(session.exec(select(Seating)).all())
    return {
        row.id: (
            row,
            variants[row.variant_id],
            make_stored_cell(row, variants.get(row.variant_id), seats.get(row.id, [])),
        )
        for row in session.exec(select(Cell)).all()
    }


def group_seats(rows: Iterable[Seating]) -> dict[int, list[Seating]]:
    """Who sits where, by cell."""
    seats: dict[int, list[Seating]] = {}
    for seat in rows:
        seats.setdefault(seat.cell_id, []).append(seat)
    return seats
