"""How code may use result files. The pages of the dashboard only read, except where people play: a look at a
page must not change a file, nor wait for long while another program has it.
"""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from sqlmodel import Session

from boardgames.errors import UnusableFile


class FileAccess(NamedTuple):
    """What the code of a page may do."""

    patience: float  # seconds to wait for a file that another program has
    may_write: bool


_access: ContextVar[FileAccess | None] = ContextVar("file access", default=None)
# What a page holds while it has a file open, never while waiting for one: DuckDB opens a file in one way at a
# time in a process, and readers that overlap would keep other programs out. A page may open a file twice.
TURN = threading.RLock()


@contextmanager
def allow_only_reading(patience: float) -> Iterator[None]:
    """Inside `with`, this thread writes to no result file and waits for none for longer than `patience`. It
    has a file open only while no other page of this process has one.
    """
    with _limit_access(FileAccess(patience, may_write=False)):
        yield


@contextmanager
def take_turns(patience: float) -> Iterator[None]:
    """The same for a page that also writes: what people play."""
    with _limit_access(FileAccess(patience, may_write=True)):
        yield


@contextmanager
def _limit_access(access: FileAccess) -> Iterator[None]:
    token = _access.set(access)
    try:
        yield
    finally:
        _access.reset(token)


def find_access() -> FileAccess | None:
    """What this thread is limited to; None if it may do everything."""
    return _access.get()


def find_turn() -> AbstractContextManager[object]:
    """What to hold while a file is open."""
    return TURN if _access.get() else nullcontext()


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
    access = _access.get()
    if access and not access.may_write:
        raise UnusableFile(
            f"{db} was made by an older boardgames, or was never finished:"
            f" `boardgames runs --db {db}` brings it up to date"
        )
