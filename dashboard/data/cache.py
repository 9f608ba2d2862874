"""A cache for everything that pages read from the result file, until the file changes.

Reading is never done under a lock that another page needs, except while the file is open: DuckDB lets either
one writer or several readers open a file, so the pages read one at a time and a writer finds its gap.
"""

import functools
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from boardgames.errors import FileInUse
from boardgames.store.opening.access import allow_only_reading

MOST_ANSWERS = 60  # of one question to the file that are kept
PATIENCE = 3.0  # seconds that a page waits in all for another process to release the file
ATTEMPT = 0.4  # seconds of one attempt; between two of them the page says that it waits
P = ParamSpec("P")
T = TypeVar("T")
State = tuple[int, ...]
# hears why a page waits, and whether an answer from before stands; None when it waits no more
OnWait = Callable[[FileInUse | None, bool], None]


def ignore_waiting(error: FileInUse | None, is_outdated: bool) -> None:
    """Say nothing."""


@dataclass
class Waiting:
    """How long a page has waited for a file that another process has, and what it says meanwhile."""

    on_wait: OnWait = ignore_waiting
    seconds: float = 0.0
    is_outdated: bool = False  # an answer from before stands
    has_notice: bool = False

    def find_patience(self, has_answer: bool) -> float:
        """Seconds that the next attempt may take. Once an answer from before stands, no other one that is
        known is waited for.
        """
        if self.is_outdated and has_answer:
            return 0.0
        return max(0.0, min(ATTEMPT, PATIENCE - self.seconds))

    def note_failure(self, error: FileInUse, seconds: float, has_answer: bool) -> None:
        """An attempt to read found the file in use."""
        self.seconds += seconds
        self.is_outdated |= has_answer
        self.has_notice = True
        self.on_wait(error, self.is_outdated)

    def end(self) -> None:
        """The file was read: take the notice away, unless an answer from before stands."""
        if self.has_notice and not self.is_outdated:
            self.give_up()

    def give_up(self) -> None:
        """Take the notice away. Where nothing was read, the page itself says why."""
        self.has_notice = False
        self.on_wait(None, False)


_waiting: ContextVar[Waiting | None] = ContextVar("waiting", default=None)


def read_file_state(db: Path) -> State:
    """Times and sizes of the file; they change whenever something is stored."""
    numbers: list[int] = []
    for part in (db, db.with_name(db.name + ".wal")):
        with suppress(FileNotFoundError):  # the second one comes and goes
            status = part.stat()
            numbers += [status.st_mtime_ns, status.st_size]
    return tuple(numbers)


@contextmanager
def report_waiting(on_wait: OnWait = ignore_waiting) -> Iterator[Waiting]:
    """Inside `with`, `on_wait` hears of every attempt to read that found the file in use. All attempts
    together take no longer than a page waits.
    """
    waiting = Waiting(on_wait)
    token = _waiting.set(waiting)
    try:
        yield waiting
    finally:
        _waiting.reset(token)
    waiting.end()


def cache_until_changed(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """Cache what a function reads from a file until the file changes. While another process has the file, the
    answer before stands.
    """
    return _make_cached(function, read_file_state)


def cache_by_arguments(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """Cache what a function works out from cells whose numbers of deals are among its arguments: a run that
    stores into other cells changes nothing.
    """
    return _make_cached(function, lambda db: ())


class Answer(NamedTuple):
    state: State
    value: Any


class Answers:
    """The latest answers of one function, by its arguments."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.Lock()
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def find(self, question: str) -> Answer | None:
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
            return self._answers.get(question)

    def keep(self, question: str, answer: Answer) -> None:
        with self._lock:
            self._answers[question] = answer
            if len(self._answers) > MOST_ANSWERS:
                oldest, _ = self._answers.popitem(last=False)
                self._locks.pop(oldest, None)

    @contextmanager
    def work_alone(self, question: str) -> Iterator[None]:
        """Two windows that ask the same wait for one answer."""
        with self._lock:
            lock = self._locks[question]
        with lock:
            yield


def _make_cached(function: Callable[Concatenate[Path, P], T], find_state: Callable[[Path], State]) -> Any:
    answers = Answers()

    def read(db: Path, question: str, patience: float, *args: Any, **kwargs: Any) -> Any:
        """The answer as the file is now; raises FileInUse soon."""
        with answers.work_alone(question), allow_only_reading(patience):
            state = find_state(db)
            known = answers.find(question)
            if known and known.state == state:
                return known.value
            value = function(db, *args, **kwargs)
            answers.keep(question, Answer(state, value))
            return value

    @functools.wraps(function)
    def read_if_changed(db: Path, *args: P.args, **kwargs: P.kwargs) -> T:
        question = repr((db, args, kwargs))  # they need not be hashable
        waiting = _waiting.get() or Waiting()
        while True:
            started, known = time.monotonic(), answers.find(question)
            patience = waiting.find_patience(known is not None)
            try:
                value = read(db, question, patience, *args, **kwargs)
            except FileInUse as error:
                waiting.note_failure(error, time.monotonic() - started, has_answer=known is not None)
                if known:
                    return cast(T, known.value)
                if waiting.seconds >= PATIENCE:
                    waiting.give_up()
                    raise
            else:
                waiting.end()
                return cast(T, value)

    return read_if_changed
