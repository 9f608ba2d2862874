"""One DuckDB file of results. The only module that opens DuckDB connections; all have one configuration.

Rows of small tables are models of boardgames.schema; bulk rows arrive as Arrow in the same transaction. A connection is open
for one short transaction at a time, because DuckDB lets either one writer or several readers have the file.
"""

import random
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlmodel import Session, SQLModel, create_engine

from boardgames.errors import BadInput
from boardgames.schema import BULK, MIGRATIONS, SCHEMA, VIEWS, About
from boardgames.stopping import Stop, stoppable

PATIENCE = 60.0  # seconds to wait for another process that has the file
SAY_SO = 2.0  # seconds after which somebody who waits is told why


@contextmanager
def writing(path: Path, patience: float = PATIENCE) -> Iterator[Session]:
    """One transaction on the file, which is made if it does not exist. All of it is stored, or nothing."""
    with _opened(path, patience, read_only=False) as session:
        _make(session, path)
        try:
            yield session
            session.commit()
        except (DBAPIError, duckdb.Error) as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            raise BadInput(f"could not write to {path}: {reason}. What was stored before is still there.") from None


@contextmanager
def reading(path: Path, patience: float = PATIENCE) -> Iterator[Session]:
    """A look at the file that changes nothing."""
    if not path.exists():
        raise BadInput(f"there is no file {path}; `boardgames simulate VARIANT --into {path}` makes one")
    with _opened(path, patience, read_only=True) as session:
        old = _version(session, path) < SCHEMA
        if not old:
            yield session
    if old:
        with writing(path, patience):
            pass  # opening it for writing brings it up to date
        with _opened(path, patience, read_only=True) as session:
            yield session


def connection(session: Session) -> Any:
    """The DuckDB connection under a session: for Arrow and plain SQL in the same transaction."""
    return session.connection().connection.driver_connection


def insert(con: Any, table: str, rows: Any) -> None:
    """Rows in Arrow, by the names of their columns."""
    con.register("arriving", rows)
    con.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM arriving')
    con.unregister("arriving")


# A stranger's query reads the tables of its one file, in little memory, and nothing else on this machine.
SEALED = {
    "enable_external_access": "false", "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
    "allow_community_extensions": "false", "python_enable_replacements": "false", "memory_limit": "512MB", "threads": "1",
    "max_temp_directory_size": "0B", "lock_configuration": "true",
}  # fmt: skip


@contextmanager
def sealed(path: Path, patience: float = PATIENCE) -> Iterator[Any]:
    """A connection for queries that somebody typed; for a process of its own, which can be killed."""
    with _opened(path, patience, read_only=True, config=SEALED) as session:
        yield connection(session)


@contextmanager
def _opened(
    path: Path, patience: float, read_only: bool, config: Mapping[str, str] = {"preserve_insertion_order": "false"}
) -> Iterator[Session]:
    arguments: dict[str, Any] = {"read_only": read_only, "config": dict(config)}
    engine = create_engine(f"duckdb:///{path}", poolclass=NullPool, connect_args=arguments)
    with stoppable() as stop, _patiently(engine, path, patience, stop) as link, Session(link) as session:
        stop.at_once = link.connection.driver_connection.interrupt
        try:
            if stop.is_set():  # before there was a query to interrupt
                raise KeyboardInterrupt
            yield session
        except Exception:
            if stop.is_set():  # the query that was interrupted
                raise KeyboardInterrupt from None
            raise
        finally:
            stop.at_once = lambda: None  # what is closed cannot be interrupted


@contextmanager
def _patiently(engine: Engine, path: Path, patience: float, stop: Stop) -> Iterator[Any]:
    """Connect; where another process has the file, wait and try again, and in the end say who has it."""
    started, pause, silent = time.monotonic(), 0.005, True
    while True:
        try:
            link = engine.connect()
            break
        except DBAPIError as error:
            reason = str(error.orig)
            if "lock" not in reason:
                raise BadInput(_unusable(path, reason)) from None
            waited = time.monotonic() - started
            if silent and waited > SAY_SO:
                silent = False
                print(f"boardgames: waiting for {path}: {reason.splitlines()[0]}", file=sys.stderr)
            if waited > patience:
                raise BadInput(
                    f"{path} is in use by another process, also after {patience:.0f} s: {reason.splitlines()[0]}"
                ) from None
        if stop.is_set():
            raise KeyboardInterrupt
        time.sleep(pause * (0.5 + random.random()))
        pause = min(pause * 1.6, 0.1)
    try:
        yield link
    finally:
        link.close()
        engine.dispose()


def _unusable(path: Path, reason: str) -> str:
    if "not a valid DuckDB" in reason:
        return f"{path} is not a file of ours: it is no DuckDB database"
    return f"cannot open {path}: {reason.splitlines()[0]}"


def _make(session: Session, path: Path) -> None:
    """Bring a new or an older file into shape; refuse one that is not ours, or newer."""
    tables = _tables(session)
    if not tables:
        SQLModel.metadata.create_all(session.connection())
        connection(session).execute(BULK)
        connection(session).execute(VIEWS)
        session.add(About(schema_version=SCHEMA))
        session.commit()
        return
    for version in range(_version(session, path), SCHEMA):
        views = VIEWS if version + 1 == SCHEMA else ""  # they read tables of today
        connection(session).execute(f"{MIGRATIONS[version]} {views} UPDATE boardgames_file SET schema_version = {version + 1}")
        session.commit()


def _tables(session: Session) -> set[str]:
    return {name for (name,) in session.connection().execute(text("SELECT table_name FROM duckdb_tables()"))}


def _version(session: Session, path: Path) -> int:
    """The schema of a file of ours, not newer than this program."""
    if "boardgames_file" not in _tables(session):
        raise BadInput(f"{path} is not a file of ours: it has no results of boardgames in it")
    (version,) = session.connection().execute(text("SELECT max(schema_version) FROM boardgames_file")).one()
    if version > SCHEMA:
        raise BadInput(f"{path} was made by a newer boardgames (its schema is {version}, ours {SCHEMA}): update boardgames")
    return int(version)
