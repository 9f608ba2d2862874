"""Opening a file that another program may have: wait, say so, and in the end say who has it."""

import errno
import fcntl
import logging
import os
import random
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError

from boardgames.errors import FileInUse, UnusableFile
from boardgames.interrupt import StopRequest
from boardgames.store.opening.access import find_turn
from boardgames.store.opening.damage import ADVICE
from boardgames.store.opening.undo import find_undo_file, undo_half_commit

LOG = logging.getLogger(__name__)
NOTICE_SECONDS, REMIND_SECONDS = 2.0, 60.0  # of waiting, until the first warning says why, and the next
# What DuckDB says where this very process has the file open: a notebook with a connection of its own, or a
# thread of ours that writes while another one wants to read; and where a thread is just closing the file.
OWN_CONNECTION = re.compile(
    "Connection Error: Can't open a connection to same database file"
    "|Binder Error: Unique file handle conflict"
)
# The same for another process. How the message begins, because the path in it may hold any words.
OTHERS_LOCK = re.compile("IO Error: Could not set lock on file")
HOLDER = re.compile(r"held in (.+) \(PID (\d+)\)")  # in what it says then
OWN_PATIENCE = 60.0  # seconds to wait for it at most: perhaps only the thread that waits could close it


@contextmanager
def connect_patiently(engine: Engine, db: Path, patience: float, stop: StopRequest) -> Iterator[Any]:
    """Connect; where the file is in use, wait and try again, and in the end say who has it."""
    started, pause, tell_at = time.monotonic(), 0.005, NOTICE_SECONDS
    while True:
        try:
            with ExitStack() as turn:
                turn.enter_context(find_turn())
                link = _connect(engine, db)
                held = turn.pop_all()  # as long as the file is open, but not while waiting for it
            break
        except (DBAPIError, BlockingIOError) as error:
            reason = str(getattr(error, "orig", error))
            if not (isinstance(error, BlockingIOError) or _is_in_use(reason)):
                raise UnusableFile(_explain_unusable(db, reason)) from None
            _check_can_lock(db, reason)
            waited = time.monotonic() - started
            if waited >= (min(patience, OWN_PATIENCE) if OWN_CONNECTION.match(reason) else patience):
                raise _make_in_use_error(db, reason) from None
            if waited > tell_at:
                tell_at += REMIND_SECONDS
                LOG.warning("waiting for %s: %s", db, _explain_use(reason))
        if stop.is_set():
            raise KeyboardInterrupt
        time.sleep(pause * (0.5 + random.random()))
        pause = min(pause * 1.6, 0.1)
    with held:
        try:
            yield link
        finally:
            link.close()
            engine.dispose()


def _connect(engine: Engine, db: Path) -> Any:
    """Connect. What a killed program left half written is undone first."""
    undo_half_commit(db)
    link = engine.connect()
    if find_undo_file(db).exists():  # another program opened the file, or was killed, in between
        link.close()
        engine.dispose()
        raise BlockingIOError("another program has a lock on the file")
    return link


def _is_in_use(reason: str) -> bool:
    return bool(OWN_CONNECTION.match(reason) or OTHERS_LOCK.match(reason))


def _check_can_lock(db: Path, reason: str) -> None:
    """Raise if DuckDB got no lock although no other program has one: to wait would not help."""
    if not OTHERS_LOCK.match(reason) or HOLDER.search(reason):
        return
    try:
        with db.open("rb") as file:  # DuckDB has not opened it in this process
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "unknown")
        raise UnusableFile(
            f"cannot lock {db}: {error.strerror} ({name}). Without locks two programs could spoil it: choose"
            " another disk"
        ) from None


def _make_in_use_error(db: Path, reason: str) -> FileInUse:
    match = re.search(r"\(PID (\d+)\)", reason)
    process = int(match[1]) if match else os.getpid() if OWN_CONNECTION.match(reason) else None
    return FileInUse(f"{db} is in use: {_explain_use(reason)}", process)


def _explain_use(reason: str) -> str:
    """Who has the file, from what DuckDB says: `python3.11 (PID 4711) has it open`."""
    if OWN_CONNECTION.match(reason):
        return "close the connection that this program has open"
    match = HOLDER.search(reason)
    holder = f"{Path(match[1]).name} (PID {match[2]})" if match else "another program"
    return f"{holder} has it open"


def _explain_unusable(db: Path, reason: str) -> str:
    if "not a valid DuckDB" in reason:
        return f"{db} is not a boardgames result file: it is not a DuckDB database"
    if "Corrupt database file" in reason:
        return f"{db} is damaged: DuckDB finds that a part of it has changed since it was written. {ADVICE}"
    return f"cannot open {db}: {reason.splitlines()[0]}"
