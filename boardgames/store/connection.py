"""One DuckDB file of results. The only module that opens DuckDB connections; all have one configuration.

A file may come from a stranger and hold views and macros of its own. No connection reaches another file or a
network, but for one file that is named when it is opened.

Rows of small tables are models of boardgames.store.schema; bulk rows arrive as Arrow in the same transaction.
A connection is open for one short transaction at a time, because DuckDB lets either one writer or several
readers have the file.

A commit is a checkpoint: DuckDB writes new pages beside the old ones and then, with one small write, a header
that points to them. There is no log. DuckDB 1.5 replays a log that was cut off in part, where a transaction
holds more than a row group (122,880 rows) of a table: rows would be there that no `batch` tells of, and a
resumed run would double them.

What a commit overwrites all the same is saved before it: see boardgames.store.opening.undo.
"""

import errno
import fcntl
import logging
import os
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import URL, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlmodel import Session, SQLModel, create_engine

from boardgames.errors import InvalidInput, UnusableFile
from boardgames.files import DUCKDB_START, REASONS, create_file, is_duckdb, resolve_path
from boardgames.interrupt import catch_interrupt
from boardgames.store.opening.access import (
    check_may_write,
    find_access,
    find_shared_session,
    share_session,
)
from boardgames.store.opening.catalogue import (
    check_shapes,
    list_views,
    make_views,
    read_tables,
)
from boardgames.store.opening.damage import DATABASE_ERRORS, explain_damage, make_damage_error
from boardgames.store.opening.database import put_duckdb_first, put_file_first
from boardgames.store.opening.migrations import MIGRATIONS
from boardgames.store.opening.undo import (
    HEADER_BYTES,
    WRITE_LOCKS,
    find_undo_file,
    forget_saved_pages,
    save_pages,
)
from boardgames.store.opening.waiting import connect_patiently
from boardgames.store.schema import SCHEMA, FileInfo
from boardgames.store.tables.bulk import CREATE_BULK_TABLES
from boardgames.store.tables.comments import TABLES, comment_on_everything
from boardgames.store.tables.views import CREATE_VIEWS

LOG = logging.getLogger(__name__)
FLUSH_MATCHES = 122_880  # stored at one go: a row group of DuckDB
PATIENCE = 60.0  # seconds to wait for another program that has the file
# the same while a run is on: what it has played must not be lost to an open notebook
RUN_PATIENCE = 24 * 3600.0
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors for want of room

CONFIG = {
    "preserve_insertion_order": "false",
    "checkpoint_threshold": "0b",
    "auto_checkpoint_skip_wal_threshold": "0",
    "enable_external_access": "false",
}

_running: list[Path] = []  # files that runs of this process store into
_OUTPUT_TURN = threading.RLock()  # connections with an output would share that of the first


@contextmanager
def open_for_writing(
    db: Path, patience: float | None = None, output: Path | None = None
) -> Iterator[Session]:
    """One transaction on the file, which is made if it does not exist. All of it is stored, or nothing.

    Of other files, `output` alone can be used.
    """
    _check_file(db)
    check_may_write(db)
    with WRITE_LOCKS[resolve_path(db)]:  # two transactions at once could not checkpoint
        _create_file(db)
        with _open_session(db, patience, read_only=False, output=output) as session:
            try:
                with _explain_denied_access(db):
                    _prepare_schema(session, db)
                    yield session
                    _commit(session, db)
            except (DBAPIError, duckdb.Error) as error:
                raise _make_write_error(db, getattr(error, "orig", error)) from None


def _commit(session: Session, db: Path) -> None:
    """End the transaction. If the program is killed meanwhile, whoever opens the file next undoes it."""
    if session.in_transaction():
        save_pages(get_connection(session), db)
        session.commit()
        forget_saved_pages(db)


def _make_write_error(db: Path, error: BaseException) -> UnusableFile:
    """What a failed write means. A transaction that had no room has changed nothing; after other errors of a
    disk no one knows.
    """
    reason = str(error).splitlines()[0]
    number = find_system_error(reason)
    if number in FULL:
        reason = REASONS[number]
    elif isinstance(error, (duckdb.IOException, duckdb.FatalException, duckdb.InternalException)):
        return UnusableFile(
            f"could not write to {db}: {reason}. `boardgames runs --db {db}` tells whether what was stored"
            " before can still be read"
        )
    return UnusableFile(f"could not write to {db}: {reason}. What was stored before is still there.")


@contextmanager
def open_for_reading(
    db: Path, patience: float | None = None, output: Path | None = None
) -> Iterator[Session]:
    """A look at the file that changes nothing, unless the file is older than this program or was never
    finished. What DuckDB cannot answer is the file's fault.

    Of other files, `output` alone can be used. While it is, no other reader of this process has the file.
    """
    with (
        explain_damage(db, DATABASE_ERRORS),
        open_for_queries(db, patience, output) as session,
    ):
        yield session


@contextmanager
def open_for_queries(
    db: Path, patience: float | None = None, output: Path | None = None
) -> Iterator[Session]:
    """The same for a query that a person typed: what DuckDB says to it stays as it is."""
    if shared := find_shared_session(db):
        yield shared
        return
    _check_file(db)
    if not db.exists():
        raise UnusableFile(f"there is no file {db}; `boardgames simulate VARIANT --db {db}` makes one")
    if _is_empty(db):
        with open_for_writing(db, patience):
            pass  # makes it anew
    with (
        _open_session(db, patience, read_only=True, output=output) as session,
        _explain_denied_access(db),
    ):
        old = _check_catalogue(session, db) < SCHEMA
        if not old:
            yield session
    if old:
        with open_for_writing(db, patience):
            pass  # opening it for writing brings it up to date
        with (
            _open_session(db, patience, read_only=True, output=output) as session,
            _explain_denied_access(db),
        ):
            _check_catalogue(session, db)
            yield session


@contextmanager
def keep_open_for_reading(db: Path) -> Iterator[None]:
    """Open the file once for all that is read of it inside `with`: opening takes longer than most queries."""
    with open_for_reading(db) as session, share_session(db, session):
        yield


@contextmanager
def _explain_denied_access(db: Path) -> Iterator[None]:
    """Say in a sentence that the file asked for what no connection reaches."""
    try:
        yield
    except (DBAPIError, duckdb.Error) as error:
        if not isinstance(getattr(error, "orig", error), duckdb.PermissionException):
            raise
        raise UnusableFile(
            f"{db} is not a plain result file: it asks for another file or host, and is not read further"
        ) from None


@contextmanager
def keep_waiting_for(db: Path) -> Iterator[None]:
    """Inside `with`, this process does not give up soon when another program has the file: what a run has
    played must not be lost to an open notebook.
    """
    path = resolve_path(db)
    _running.append(path)
    try:
        yield
    finally:
        _running.remove(path)


def find_patience(db: Path) -> float:
    """Seconds to wait for a file that is in use: BOARDGAMES_PATIENCE, or what is usual."""
    if access := find_access():
        return access.patience
    text = os.environ.get("BOARDGAMES_PATIENCE")
    if text is None:
        return RUN_PATIENCE if resolve_path(db) in _running else PATIENCE
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"BOARDGAMES_PATIENCE={text}: write a number of seconds") from None


def get_connection(session: Session) -> Any:
    """The DuckDB connection under a session: for Arrow and plain SQL in the same transaction."""
    return session.connection().connection.driver_connection


def insert(con: Any, table: str, rows: Any) -> None:
    """Rows in Arrow, by the names of their columns."""
    con.register("arriving", rows)
    con.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM arriving')
    con.unregister("arriving")


def copy_out(con: Any, query: str, output: Path, options: str) -> int:
    """Write what a query gives into a file; returns the number of rows. A file that cannot be written is an
    OSError.
    """
    quoted = str(output).replace("'", "''")
    try:
        return int(con.execute(f"COPY ({query}) TO '{quoted}' ({options}, USE_TMP_FILE false)").fetchone()[0])
    except duckdb.IOException as error:
        reason = str(error).rpartition(": ")[2]  # the system's own words
        raise OSError(find_system_error(str(error)), reason) from None


def find_system_error(message: str) -> int:
    """The number of the error of the system with which a message of DuckDB ends; 0 if it is none."""
    numbers = (number for number in errno.errorcode if message.strip().endswith(os.strerror(number)))
    return next(numbers, 0)


# A stranger's query reads the tables of its one file, in little memory, and nothing else on this machine.
SANDBOX_CONFIG = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": "512MB",
    "threads": "1",
    "max_temp_directory_size": "0B",
    "lock_configuration": "true",
}


@contextmanager
def open_sandboxed(db: Path, patience: float | None = None) -> Iterator[Any]:
    """A connection for queries that somebody typed; for a process of its own, which can be killed."""
    with _open_session(db, patience, read_only=True, config=SANDBOX_CONFIG) as session:
        _check_catalogue(session, db)
        yield get_connection(session)


@contextmanager
def _open_session(
    db: Path,
    patience: float | None,
    read_only: bool,
    config: Mapping[str, str] = CONFIG,
    output: Path | None = None,
) -> Iterator[Session]:
    patience = find_patience(db) if patience is None else patience
    settings = {**config, "enable_external_access": "true"} if output else dict(config)
    arguments: dict[str, Any] = {"read_only": read_only, "config": settings}
    # A text would be parsed as an address, where `?` and `%` have a meaning, and `md:x` alone is a host.
    url = URL.create("duckdb", database=os.path.abspath(db))
    engine = create_engine(url, poolclass=NullPool, connect_args=arguments)
    event.listen(engine, "connect", lambda con, record: put_duckdb_first(con), insert=True)
    with (
        _OUTPUT_TURN if output else nullcontext(),
        catch_interrupt() as stop,
        connect_patiently(engine, db, patience, stop) as link,
        Session(link) as session,
    ):
        stop.on_stop = link.connection.driver_connection.interrupt
        try:
            if stop.is_set():  # before there was a query to interrupt
                raise KeyboardInterrupt
            if output:
                _allow_only(get_connection(session), output)
            yield session
        except Exception:
            if stop.is_set():  # the query that was interrupted
                raise KeyboardInterrupt from None
            raise
        finally:
            stop.on_stop = lambda: None  # what is closed cannot be interrupted


def _check_file(db: Path) -> None:
    """Raise for what is no file, for one of which only the start is left, and for a name in which DuckDB
    takes the `?` for the begin of something else.
    """
    if db.is_dir():
        raise UnusableFile(f"cannot open {db}: it is a folder; name a file")
    if db.exists() and not db.is_file():  # to open a pipe waits for who writes to it
        raise UnusableFile(f"cannot open {db}: it is not a file on a disk; name one")
    _check_not_cut(db)
    if "?" in os.path.abspath(db):
        raise UnusableFile(f"{db}: DuckDB opens no file with a ? in its name or folder; choose another name")


def _allow_only(con: Any, output: Path) -> None:
    """Deny access to all other files but this one, and its log if it is a database. DuckDB takes these paths
    only from an open connection, and only before all others are denied.
    """
    con.execute("SET allowed_paths = $1", [[str(output), f"{output}.wal"]])
    con.execute("SET enable_external_access = false")


# ---- a file that is new, older, or was never finished


def _check_not_cut(db: Path) -> None:
    """Raise for a file that has lost nearly all, or all while it was written to. What is left stays."""
    size = db.stat().st_size if db.exists() else HEADER_BYTES
    if size >= HEADER_BYTES:
        return  # and is not opened: to close it again would end a lock of DuckDB in this process
    if size == 0 and find_undo_file(db).exists():
        problem = f"it was emptied, and {find_undo_file(db).name} beside it tells that it was in use"
    elif is_duckdb(_read_start(db)):
        problem = f"it was cut off after {size:,} bytes"
    else:
        return
    raise make_damage_error(db, f"{problem}. It stays as it is; to begin anew under its name, move it away")


def _read_start(db: Path) -> bytes:
    try:
        with db.open("rb") as file:
            return file.read(DUCKDB_START)
    except OSError as error:
        raise UnusableFile(f"cannot open {db}: {error.strerror}") from None


def _is_empty(db: Path) -> bool:
    return db.is_file() and db.stat().st_size == 0


def _create_file(db: Path) -> None:
    """Write an empty database where there is no file, or an empty one. Of several programs that try, one
    does.
    """
    try:
        if not db.exists():
            create_file(db, make_empty_database())
        elif _is_empty(db):
            _fill_file(db)
    except BlockingIOError:
        pass  # somebody is making it right now
    except OSError as error:
        raise UnusableFile(f"cannot make {db}: {error.strerror}") from None


def _fill_file(db: Path) -> None:
    """Write an empty database into an empty file, and say so: it may have held results."""
    with db.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the kind of lock that DuckDB takes
        if not file.read(1):
            LOG.warning("%s was empty and is begun anew: if it held results, they are gone", db)
            os.pwrite(file.fileno(), make_empty_database(), 0)
            os.fsync(file)


def make_empty_database() -> bytes:
    """A file of DuckDB in which nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.duckdb"
        duckdb.connect(str(path), config=dict(CONFIG)).close()
        return path.read_bytes()


def _prepare_schema(session: Session, db: Path) -> None:
    """Bring a new or an older file into shape; refuse one that is not ours, or newer."""
    file_version = _check_catalogue(session, db)
    if file_version == SCHEMA:
        return
    con = get_connection(session)
    put_file_first(con)
    if file_version == 0:
        for name in read_tables(con, db):  # of a file that was never finished: they are empty
            con.execute(f'DROP TABLE "{name}"')
        SQLModel.metadata.create_all(session.connection())
        con.execute(CREATE_BULK_TABLES)
        _add_views(session)
        session.add(FileInfo(schema_version=SCHEMA))
        _commit(session, db)
    else:
        _migrate(session, db, file_version)
    put_duckdb_first(con)
    _check_catalogue(session, db)


def _migrate(session: Session, db: Path, file_version: int) -> None:
    """Bring an older file to the schema of today, step by step."""
    for version in range(file_version, SCHEMA):
        get_connection(session).execute(MIGRATIONS[version])
        if version + 1 == SCHEMA:  # views read tables of today
            _add_views(session)
        get_connection(session).execute(f"UPDATE boardgames_file SET schema_version = {version + 1}")
        _commit(session, db)


def _add_views(session: Session) -> None:
    get_connection(session).execute(CREATE_VIEWS)
    comment_on_everything(get_connection(session))


def _check_catalogue(session: Session, db: Path) -> int:
    """Raise unless the file is one of ours, not newer than this program, that runs nothing of its own;
    returns its schema, 0 if it was never finished and holds nothing. Our views of a file of today are ready.
    """
    con = get_connection(session)
    tables, views = read_tables(con, db), list_views(con, db)
    version = _read_version(con, db, tables)
    if version == SCHEMA:
        check_shapes(db, tables, views)
        make_views(con)
    return version


def _read_version(con: Any, db: Path, tables: Collection[str]) -> int:
    version = None
    if "boardgames_file" in tables:
        (version,) = con.execute("SELECT max(schema_version) FROM boardgames_file").fetchone()
    if version is None and set(tables) <= TABLES and not any(_has_rows(con, name) for name in tables):
        return 0
    if version is None:
        raise UnusableFile(f"{db} is not a boardgames result file: it has no results of boardgames")
    if not isinstance(version, int) or version < 1:
        raise make_damage_error(db, f"it says that its schema is {version}, and schemas count from 1")
    if version > SCHEMA:
        raise UnusableFile(
            f"{db} was made by a newer boardgames (its schema is {version}, ours {SCHEMA}): update boardgames"
        )
    return version


def _has_rows(con: Any, table: str) -> bool:
    return con.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone() is not None
