"""Results of another file, copied into this one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import Session, SQLModel, select

from boardgames.plan.played import PlayedDeals
from boardgames.store.connection import (
    FLUSH_MATCHES,
    get_connection,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.luck import merge_swaps
from boardgames.store.read import StoredCell, make_stored_cell, read_batch
from boardgames.store.schema import (
    Cell,
    RealMatch,
    RealSeat,
    Registration,
    Run,
    RunCell,
    Seating,
    StoredAgent,
    StoredFix,
    StoredVariant,
)
from boardgames.store.write import insert_if_missing, store_played

SMALL_TABLES: tuple[type[SQLModel], ...] = (
    StoredVariant,
    StoredAgent,
    Cell,
    Seating,
    Registration,
    RealMatch,
    RealSeat,
    StoredFix,
)


class FileContents(NamedTuple):
    """What another file has, but for its matches."""

    small_rows: list[SQLModel]  # all that do not depend on the numbers of runs
    actions: list[tuple[Any, ...]]
    swaps: list[tuple[Any, ...]]  # rows of the table `luck`
    batches: list[tuple[int, int, int, float]]  # cell, first deal, deals, seconds
    runs: Sequence[Run]
    run_cells: Sequence[RunCell]

    def list_cells(self) -> dict[int, StoredCell]:
        """The cells by id."""
        variants = {row.id: row for row in self.small_rows if isinstance(row, StoredVariant)}
        seats = [row for row in self.small_rows if isinstance(row, Seating)]
        cells = [row for row in self.small_rows if isinstance(row, Cell)]
        return {cell.id: make_stored_cell(cell, variants.get(cell.variant_id), seats) for cell in cells}


def merge(db: Path, other: Path) -> int:
    """Copy another file's results into `db`; returns the number of new matches. Nothing is stored twice."""
    contents = _read_contents(other)
    cells = contents.list_cells()
    with open_for_writing(db) as session:
        for row in contents.small_rows:
            insert_if_missing(session, type(row)(**row.model_dump()))
        _merge_actions(get_connection(session), contents.actions)
        merge_swaps(get_connection(session), contents.swaps)
        _merge_runs(session, contents.runs, contents.run_cells)
    before = _count_matches(db)
    seatings = {cell_id: cell.seatings for cell_id, cell in cells.items()}
    for cell_id, first, deals, seconds in _join_batches(contents.batches, seatings):
        batch = read_batch(other, cells[cell_id], first, deals)
        store_played(db, [PlayedDeals(cells[cell_id], first, deals, batch, seconds)])
    return _count_matches(db) - before


def _read_contents(db: Path) -> FileContents:
    batches = "SELECT cell_id, first_deal, deals, seconds FROM batch ORDER BY 1, 2"
    with open_for_reading(db) as session:
        con = get_connection(session)
        return FileContents(
            small_rows=[row for model in SMALL_TABLES for row in session.exec(select(model)).all()],
            actions=con.execute("SELECT * FROM actions").fetchall(),
            swaps=con.execute("SELECT * FROM luck").fetchall(),
            batches=con.execute(batches).fetchall(),
            runs=session.exec(select(Run).order_by("number")).all(),
            run_cells=session.exec(select(RunCell)).all(),
        )


def _join_batches(
    batches: Sequence[tuple[int, int, int, float]], seatings: dict[int, int]
) -> list[tuple[int, int, int, float]]:
    """Join neighbouring batches, up to the size of a transaction: small ones cost as much as large ones."""
    joined: list[tuple[int, int, int, float]] = []
    for cell, first, deals, seconds in batches:
        last = joined[-1] if joined else (-1, 0, 0, 0.0)
        if (
            last[0] == cell
            and last[1] + last[2] == first
            and (last[2] + deals) * seatings[cell] <= FLUSH_MATCHES
        ):
            joined[-1] = (cell, last[1], last[2] + deals, last[3] + seconds)
        else:
            joined.append((cell, first, deals, seconds))
    return joined


def _merge_actions(con: Any, actions: Sequence[tuple[Any, ...]]) -> None:
    """Insert lists of actions; of two lists for the same match, keep the longer one."""
    for cell, deal, seating, played, changed in actions:
        key = [cell, deal, seating]
        where = "WHERE cell_id = ? AND deal = ? AND seating = ?"
        con.execute(f"DELETE FROM actions {where} AND len(actions) < ?", [*key, len(played)])
        if not con.execute(f"SELECT 1 FROM actions {where}", key).fetchone():
            con.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", [*key, played, changed])


def _count_matches(db: Path) -> int:
    with open_for_reading(db) as session:
        return int(get_connection(session).execute("SELECT count(*) FROM match").fetchone()[0])


def _merge_runs(session: Session, runs: Sequence[Run], run_cells: Sequence[RunCell]) -> None:
    """Insert runs under new numbers, except those that the file already has."""
    numbers = {(run.name, run.command, run.created): run.number for run in session.exec(select(Run)).all()}
    for run in runs:
        number = numbers.get((run.name, run.command, run.created))
        if number is None:
            number = max([0, *numbers.values()]) + 1
            numbers[run.name, run.command, run.created] = number
            session.add(Run(**{**run.model_dump(), "number": number}))
        for run_cell in run_cells:
            if run_cell.run == run.number:
                insert_if_missing(
                    session, RunCell(run=number, cell_id=run_cell.cell_id, deals=run_cell.deals)
                )
