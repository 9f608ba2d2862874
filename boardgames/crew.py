"""Playing what is missing: work handed out in spans of blocks to threads here, or by boardgames.cluster to other machines."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

from boardgames.batch import MATCHES, make_desk, warm_up
from boardgames.errors import BadInput
from boardgames.experiment import Plan, PlannedCell, Played, Progress
from boardgames.stopping import Stop, stoppable

FLUSH_MATCHES, FLUSH_SECONDS = 122_880, 5.0  # a row group of DuckDB; a crash loses at most this much
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
    lost: str  # why it had to give up, if it had to

    def play(self, stopped: Stop) -> Iterator[list[Played]]: ...


def run(crew: Crew, store: Callable[[list[Played]], None], report: Callable[[Progress], None] = lambda progress: None) -> int:
    """Play all the work and hand it to `store` in large portions; returns how many matches were stored.

    Interrupted, it stores what is finished and then raises KeyboardInterrupt.
    """
    finished: list[Played] = []
    played, last = 0, time.monotonic()
    with stoppable() as stopped, _Writer(store) as writer:  # playing goes on while a flush is written
        for arrived in crew.play(stopped):
            finished += arrived
            played += sum(part.matches for part in arrived)
            if arrived:
                report(Progress(played, crew.work.wanted, arrived[-1].cell.variant.name))
            full = sum(part.matches for part in finished) >= FLUSH_MATCHES
            if finished and (full or time.monotonic() - last > FLUSH_SECONDS):
                writer.write(finished)
                finished, last = [], time.monotonic()
        writer.write(finished)
    if stopped.is_set():
        raise KeyboardInterrupt
    if crew.lost:
        raise BadInput(crew.lost)
    return played


class _Writer:
    """One thread that stores; at its end everything handed to it is stored."""

    def __init__(self, store: Callable[[list[Played]], None]) -> None:
        self.store, self.pool = store, ThreadPoolExecutor(1)
        self.flush: Future[None] | None = None

    def __enter__(self) -> "_Writer":
        return self

    def write(self, played: list[Played]) -> None:
        """Hand over what was played, once the last portion is stored."""
        self.wait()
        if played:
            self.flush = self.pool.submit(self.store, played)

    def wait(self) -> None:
        if self.flush:
            self.flush.result()

    def __exit__(self, *error: Any) -> None:
        with self.pool:
            if error == (None, None, None):
                self.wait()


class Threads:
    """The cores of this machine."""

    lost = ""

    def __init__(self, plan: Plan, missing: Missing, workers: int) -> None:
        self.work = Work(plan, missing, SPAN_SECONDS, MATCHES)
        self.pool = ThreadPoolExecutor(workers)
        self.window = 2 * workers  # the next span waits while one is played
        self.desks = threading.local()
        self.running: dict[Future[tuple[Any, float]], Span] = {}
        for cell in self.work.cells.values():
            warm_up(cell.table)  # compile, one after the other, what the threads will run

    def play(self, stopped: Stop) -> Iterator[list[Played]]:
        with self.pool:
            while self._hand_out(stopped):
                done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                yield [self.work.played(self.running.pop(future), *future.result()) for future in done]

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
