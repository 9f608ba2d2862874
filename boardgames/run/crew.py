"""Playing what is missing: work handed out in spans of blocks to threads here, or by boardgames.run.cluster to other machines."""

import math
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

from boardgames.errors import BadInput, FileInUse
from boardgames.experiment.plan import Plan, PlannedCell, Played, Progress
from boardgames.interrupt import Stop, stoppable
from boardgames.play.batch import MATCHES, make_desk, refine, warm_up
from boardgames.store.connection import FLUSH_MATCHES

FLUSH_SECONDS = 5.0  # a crash loses at most this much, or FLUSH_MATCHES
MOST_WAITING = 3 * FLUSH_MATCHES  # matches that may wait, in memory, to be stored; playing stops there
LAST_PATIENCE, REMIND = 60.0, 60.0  # seconds to wait for a file after a request to stop; between two words about it
LONG_RUN = 60.0  # seconds after which better machine code pays: making it takes a few seconds of one thread
SPAN_SECONDS = 0.25  # what a thread plays at a time: short enough to stop soon, long enough to cost nothing
Missing = Mapping[int, list[tuple[int, int]]]  # runs of blocks, by cell


class Span(NamedTuple):
    """Some blocks of a cell, to be played at one go."""

    cell: int
    first: int
    blocks: int


class Work:
    """The missing blocks of a plan, handed out so that all cells grow alike. A span grows while it is quick to play."""

    def __init__(self, plan: Plan, missing: Missing, seconds: float, most: int) -> None:
        self.cells = {cell.id: cell for cell in plan.cells if missing[cell.id]}
        self.ranges = {number: list(missing[number]) for number in self.cells}
        self.spans = dict.fromkeys(self.cells, 1)  # blocks to play at a time
        self.seconds, self.most = seconds, most  # what a span should take, and the matches it may have
        self.wanted = sum(many * self._seatings(n) for n, parts in self.ranges.items() for _, many in parts)

    def _seatings(self, number: int) -> int:
        return len(self.cells[number].table.seatings)

    def next(self) -> Span | None:
        """The next blocks of the cell that is furthest behind, up to a multiple of its span."""
        if not self.ranges:
            return None
        number = min(self.ranges, key=lambda n: self.ranges[n][0][0])
        (first, many), *rest = self.ranges[number]
        span = min(many, self.spans[number] - first % self.spans[number])
        self.ranges[number] = [(first + span, many - span), *rest] if span < many else rest
        if not self.ranges[number]:
            del self.ranges[number]
        return Span(number, first, span)

    def played(self, span: Span, batch: Any, seconds: float) -> Played:
        """Take note of how long a span took."""
        number, size = span.cell, self.spans[span.cell]
        most = max(1, self.most // self._seatings(number))
        if span.blocks == size and seconds < self.seconds / 2:
            factors = [factor for factor in (16, 4, 2) if seconds < self.seconds / factor and factor * size <= most]
            self.spans[number] = size * max(factors, default=1)
        elif seconds > 2 * self.seconds:
            self.spans[number] = max(1, span.blocks // 2)
        return Played(self.cells[number], span.first, span.blocks, batch, seconds)


class Crew(Protocol):
    """Whoever plays: iterating gives what was played since the last look.

    Asked to stop, it begins nothing new and ends with what was under way.
    """

    work: Work
    lost: BadInput | None  # why it had to give up, if it had to

    def play(self, stopped: Stop) -> Iterator[list[Played]]: ...


def run(
    crew: Crew,
    store: Callable[[list[Played]], None],
    patience: float,
    report: Callable[[Progress], None] = lambda progress: None,
) -> int:
    """Play all the work and hand it to `store` in large portions; returns how many matches were stored.

    Interrupted, it stores what is finished and then raises KeyboardInterrupt. Where `store` finds the file in use, the same
    portion is tried again for `patience` seconds, and playing goes on meanwhile.
    """
    played = 0
    with stoppable() as stopped, _Writer(store, patience, stopped) as writer:
        for arrived in crew.play(stopped):
            played += count_matches(arrived)
            if arrived:
                report(Progress(played, crew.work.wanted, arrived[-1].cell.variant.name))
            writer.take(arrived)
    if stopped.is_set():
        raise KeyboardInterrupt
    if crew.lost:
        raise crew.lost
    return played


def count_matches(played: Iterable[Played]) -> int:
    return sum(part.matches for part in played)


class _Writer:
    """One thread that stores while others play; at its end everything that it took is stored."""

    def __init__(self, store: Callable[[list[Played]], None], patience: float, stopped: Stop) -> None:
        self.store, self.patience, self.stopped = store, patience, stopped
        self.pool = ThreadPoolExecutor(1)
        self.waiting: list[Played] = []
        self.flush: Future[None] | None = None
        self.flushed = time.monotonic()
        self.given_up = False

    def __enter__(self) -> "_Writer":
        return self

    def take(self, played: list[Played]) -> None:
        """Store it with what waits, once that is much or old. Returns late where too much waits."""
        self.waiting += played
        many = count_matches(self.waiting)
        if many >= MOST_WAITING:
            self._wait()
        due = many >= FLUSH_MATCHES or time.monotonic() - self.flushed > FLUSH_SECONDS
        if due and (self.flush is None or self.flush.done()):
            self._begin_flush()

    def _begin_flush(self) -> None:
        self._wait()
        if self.waiting:
            self.flush = self.pool.submit(self._store, self.waiting)
            self.waiting, self.flushed = [], time.monotonic()

    def _wait(self) -> None:
        if self.flush:
            self.flush.result()

    def _store(self, played: list[Played]) -> None:
        """Store a portion; where the file is in use, say so and try again."""
        end, remind, stopping = time.monotonic() + self.patience, 0.0, False
        while True:
            try:
                return self.store(played)
            except FileInUse as error:
                now, many = time.monotonic(), count_matches([*played, *self.waiting])
                if self.stopped.is_set() and not stopping:
                    end, remind, stopping = min(end, now + LAST_PATIENCE), now, True
                if self.given_up or now >= end:
                    again = "The same command plays them again"
                    raise FileInUse(f"{error}; {many:,} finished matches could not be stored. {again}") from None
                if now >= remind:
                    remind = now + REMIND
                    ending = f" for at most {end - now:.0f} s; Ctrl-C gives them up" if stopping else ""
                    print(f"boardgames: waiting, because {error}; {many:,} matches wait to be stored{ending}", file=sys.stderr)

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        try:
            if kind is None:
                self._begin_flush()
                self._wait()
        finally:
            self.given_up = True  # after an error, or a second Ctrl-C
            self.pool.shutdown()
            self._wait()


class Threads:
    """The cores of this machine."""

    lost: BadInput | None = None

    def __init__(self, plan: Plan, missing: Missing, workers: int) -> None:
        self.work = Work(plan, missing, SPAN_SECONDS, MATCHES)
        self.pool = ThreadPoolExecutor(workers)
        self.window = 2 * workers  # the next span waits while one is played
        self.desks = threading.local()
        self.running: dict[Future[tuple[Any, float]], Span] = {}
        for cell in self.work.cells.values():
            warm_up(cell.table)  # compile, one after the other, what the threads will run

    def play(self, stopped: Stop) -> Iterator[list[Played]]:
        refine_at, refining = time.monotonic() + LONG_RUN, None
        with self.pool:
            while self._hand_out(stopped):
                done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                yield [self.work.played(self.running.pop(future), *future.result()) for future in done]
                if time.monotonic() > refine_at:
                    refine_at = math.inf
                    refining = self.pool.submit(self._refine)
            if refining:
                refining.result()

    def _refine(self) -> None:
        for cell in self.work.cells.values():
            refine(cell.table)

    def _hand_out(self, stopped: Stop) -> bool:
        """Give the threads work, unless asked to stop; then take back what nobody has begun."""
        if stopped.is_set():
            self.running = {future: span for future, span in self.running.items() if not future.cancel()}
        while not stopped.is_set() and len(self.running) < self.window and (span := self.work.next()):
            self.running[self.pool.submit(self._play, self.work.cells[span.cell], span)] = span
        return bool(self.running)

    def _play(self, cell: PlannedCell, span: Span) -> tuple[Any, float]:
        if getattr(self.desks, "cell", None) != span.cell:
            self.desks.cell, self.desks.desk = span.cell, make_desk(cell.variant.game, cell.line_up)
        started = time.perf_counter()
        batch = cell.table.play(span.first, span.blocks, self.desks.desk)
        return batch, time.perf_counter() - started
