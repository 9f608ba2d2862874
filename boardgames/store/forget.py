"""Remove a run, and give its space back."""

from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.files import make_part_path, replace_file, resolve_path
from boardgames.store.connection import (
    get_connection,
    make_empty_database,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.opening.database import find_database
from boardgames.store.schema import (
    Run,
    RunCell,
)

BULK_TABLES = ("match", "seat", "slice", "batch", "actions", "luck")


def delete_run(db: Path, run: str) -> int:
    """Remove a run and every match that belongs to no other run, and shrink the file; returns the matches
    removed.
    """
    with open_for_reading(db) as session:  # a misspelt run or file must not create or change a file
        wanted = _find_run(session, run)
    with open_for_writing(db) as session:
        if _find_run(session, str(wanted.number)).created != wanted.created:  # numbers are given again
            raise InvalidInput(
                f"run '{run}' was forgotten by another command meanwhile, and is another one now"
            )
        con, number = get_connection(session), wanted.number
        (before,) = con.execute("SELECT count(*) FROM match").fetchone()
        run_cells = session.exec(select(RunCell)).all()
        session.delete(session.get(Run, number))
        for run_cell in run_cells:
            if run_cell.run == number:
                session.delete(run_cell)
        session.flush()
        own_cells = {run_cell.cell_id for run_cell in run_cells if run_cell.run == number}
        shared_cells = {run_cell.cell_id for run_cell in run_cells if run_cell.run != number}
        _delete_cells(con, sorted(own_cells - shared_cells))
        (after,) = con.execute("SELECT count(*) FROM match").fetchone()
    shrink_file(db)
    return int(before - after)


def _delete_cells(con: Any, cells: list[int]) -> None:
    """Remove everything of these cells, and the variants and agents that no cell has then."""
    for table, column in [*((name, "cell_id") for name in (*BULK_TABLES, "seating")), ("cell", "id")]:
        con.execute(f'DELETE FROM "{table}" WHERE list_contains(?, {column})', [cells])
    con.execute("DELETE FROM pair WHERE list_contains($1, cell_a) OR list_contains($1, cell_b)", [cells])
    con.execute("DELETE FROM fix WHERE list_has_any(cells::BIGINT[], $1)", [cells])
    con.execute("DELETE FROM variant WHERE id NOT IN (SELECT variant_id FROM cell)")
    con.execute("DELETE FROM agent WHERE id NOT IN (SELECT agent_id FROM seating)")


def _find_run(session: Session, run: str) -> Run:
    runs = session.exec(select(Run)).all()
    found = [candidate for candidate in runs if run in (str(candidate.number), candidate.name)]
    if len(found) == 1:
        return found[0]
    if found:
        numbers = ", ".join(str(candidate.number) for candidate in found)
        raise InvalidInput(f"{len(found)} runs are called '{run}'; use a number: {numbers}")
    raise make_unknown_error(
        "run", run, [str(candidate.number) for candidate in runs], "`boardgames runs` shows them"
    )


def shrink_file(db: Path) -> None:
    """Copy the tables into a new file and replace the old one by it, while no one else can write."""
    part = make_part_path(resolve_path(db))
    with open_for_writing(db, output=part) as session, replace_file(db, part, of_results=True) as fresh:
        con = get_connection(session)
        session.rollback()  # nothing has changed, and a database cannot be detached inside a transaction
        name = find_database(con)
        fresh.write_bytes(make_empty_database())
        quoted = str(fresh).replace("'", "''")
        try:
            con.execute(f"ATTACH '{quoted}' AS fresh")
            con.execute(f'COPY FROM DATABASE "{name}" TO fresh')
            con.execute("DETACH fresh")
        finally:
            Path(f"{fresh}.wal").unlink(missing_ok=True)  # the log of a copy that failed
