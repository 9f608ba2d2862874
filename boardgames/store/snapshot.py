"""A copy of the result file, also while a run stores into it."""

import os
from pathlib import Path

from sqlmodel import Session

from boardgames.errors import InvalidInput
from boardgames.files import replace_file
from boardgames.given_values import read_path
from boardgames.store.connection import (
    get_connection,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.opening.undo import find_descriptor
from boardgames.store.write import check_writable

COPY_BYTES = 2**24  # at one go


def snapshot(db: str | Path, copy: str | Path) -> int:
    """Copy a result file as it is now, also while a run stores into it; returns the number of matches copied.

    An earlier snapshot is replaced. A file that holds anything that `db` lacks is refused.
    """
    db, copy = read_path("db", db), Path(copy)
    check_writable(copy)
    if Path(f"{db}.wal").exists():  # of another program: the file alone is not all
        with open_for_writing(db):
            pass
    with open_for_reading(db) as session:
        if copy.exists():
            _check_nothing_lost(session, db, copy)
        (matches,) = get_connection(session).execute("SELECT count(*) FROM match").fetchone()
        with replace_file(copy, of_results=True) as fresh:
            _copy_open_file(db, fresh)  # no one can write meanwhile: this process has the file open
    return int(matches)


def _copy_open_file(db: Path, copy: Path) -> None:
    """Copy the file through DuckDB's own descriptor: to open the file again, and close it, would end DuckDB's
    lock, which other readers of this process need.
    """
    source = find_descriptor(db)
    with copy.open("wb") as target:
        while part := os.pread(source, COPY_BYTES, target.tell()):
            target.write(part)


IDENTIFYING_COLUMNS = {
    "batch": "cell_id, first_deal, deals",
    "run": "number, created",
    "registration": "id, version",
    "real_match": "id",
    "actions": "cell_id, deal, seating",
}


def _check_nothing_lost(session: Session, db: Path, copy: Path) -> None:
    """Raise if the old copy holds results that `db` lacks: they may be the only ones."""
    if copy.samefile(db):
        raise InvalidInput(f"{copy} is the file itself; name another one for the copy")
    with open_for_reading(copy) as old:
        old_rows = {
            name: get_connection(old).execute(f"SELECT {keys} FROM {name}").fetchall()
            for name, keys in IDENTIFYING_COLUMNS.items()
        }
    for name, keys in IDENTIFYING_COLUMNS.items():
        if set(old_rows[name]) - set(
            get_connection(session).execute(f"SELECT {keys} FROM {name}").fetchall()
        ):
            raise InvalidInput(
                f"{copy} has results that {db} does not have; remove it, or name another file for the copy"
            )
