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
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from boardgames.errors import FileInUse
from boardgames.store.opening.access import READERS, allow_only_reading

READS = READERS  # held while a page has the file open
MOST_ANSWERS = 60  # of one question to the file that are kept
PATIENCE = 3.0  # seconds that a page waits for another process to release the file
ATTEMPT = 0.4  # seconds of one attempt; between two of them the page says that it waits
P = ParamSpec("P")
T = TypeVar("T")
State = tuple[int, ...]
OnWait = Callable[[FileInUse], None]

_on_wait: ContextVar[OnWait | None] = ContextVar("on wait", default=None)


def read_file_state(db: Path) -> State:
    """Times and sizes of the file; they change whenever something is stored."""
    numbers: list[int] = []
    for part in (db, db.with_name(db.name + ".wal")):
        with suppress(FileNotFoundError):  # the second one comes and goes
            status = part.stat()
            numbers += [status.st_mtime_ns, status.st_size]
    return tuple(numbers)


@contextmanager
def report_waiting(on_wait: OnWait) -> Iterator[None]:
    """Inside `with`, `on_wait` hears of every attempt to read that found the file in use."""
    token = _on_wait.set(on_wait)
    try:
        yield
    finally:
        _on_wait.reset(token)


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

    def read(db: Path, question: str, *args: Any, **kwargs: Any) -> Any:
        """The answer as the file is now; raises FileInUse soon."""
        with answers.work_alone(question), allow_only_reading(ATTEMPT):
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
        started = time.monotonic()
        while True:
            try:
                return cast(T, read(db, question, *args, **kwargs))
            except FileInUse as error:
                if on_wait := _on_wait.get():
                    on_wait(error)
                if known := answers.find(question):
                    return cast(T, known.value)
                if time.monotonic() - started >= PATIENCE:
                    raise

    return read_if_changed
