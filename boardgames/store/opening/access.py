"""How code may use result files. The pages of the dashboard only read: a look at a page must not
change a file, nor wait for long while another program has it.
"""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from sqlmodel import Session

from boardgames.errors import UnusableFile

NO_TURN: AbstractContextManager[object] = nullcontext()


class ReadAccess(NamedTuple):
    """What code that only reads may do."""

    patience: float  # seconds to wait for a file that another program has
    # held while a file is open, never while waiting for one: readers that overlap would keep a writer out
    turn: AbstractContextManager[object]


_access: ContextVar[ReadAccess | None] = ContextVar("read access", default=None)
READERS = threading.RLock()  # the turn of all pages of this process; one of them may open a file twice


@contextmanager
def allow_only_reading(patience: float, turn: AbstractContextManager[object] = READERS) -> Iterator[None]:
    """Inside `with`, this thread writes to no result file and waits for none for longer than `patience`."""
    token = _access.set(ReadAccess(patience, turn))
    try:
        yield
    finally:
        _access.reset(token)


def find_read_access() -> ReadAccess | None:
    """What this thread is limited to; None if it may do everything."""
    return _access.get()


def find_turn() -> AbstractContextManager[object]:
    """What to hold while a file is open."""
    access = _access.get()
    return access.turn if access else NO_TURN


_sessions: ContextVar[dict[Path, Session] | None] = ContextVar("shared sessions", default=None)


@contextmanager
def share_session(db: Path, session: Session) -> Iterator[None]:
    """Inside `with`, whatever this thread reads of a file goes through one session."""
    token = _sessions.set({**(_sessions.get() or {}), db: session})
    try:
        yield
    finally:
        _sessions.reset(token)


def find_shared_session(db: Path) -> Session | None:
    return (_sessions.get() or {}).get(db)


def check_may_write(db: Path) -> None:
    """Raise where nothing but reading is allowed: what is to be written then is an update of the file."""
    if _access.get() is not None:
        raise UnusableFile(
            f"{db} was made by an older boardgames, or was never finished:"
            f" `boardgames runs --db {db}` brings it up to date"
        )
