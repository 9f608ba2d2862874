"""Who plays: the cores of this machine, as threads."""

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from boardgames.errors import BoardgamesError
from boardgames.interrupt import StopRequest
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan
from boardgames.plan.played import PlayedDeals
from boardgames.plan.request import read_workers
from boardgames.play.batch import MATCHES_PER_SPAN, make_scratch, refine, warm_up
from boardgames.run.work import MissingRanges, Span, WorkQueue

LONG_RUN = 60.0  # seconds after which better machine code pays: making it takes a few seconds of one thread
SPAN_SECONDS = 0.25  # what a thread plays at a time: short enough to stop soon, long enough to cost nothing


class ThreadWorkers:
    """The cores of this machine."""

    failure: BoardgamesError | None = None
    distrusted: frozenset[str] = frozenset()  # threads of this process are not checked

    def __init__(self, plan: Plan, missing: MissingRanges, workers: int) -> None:
        workers = read_workers(workers)
        self.work = WorkQueue(plan, missing, SPAN_SECONDS, MATCHES_PER_SPAN)
        self.pool = ThreadPoolExecutor(workers)
        self.window = 2 * workers  # for each thread, one span to play and one waiting
        self.scratches = threading.local()
        self.running: dict[Future[tuple[Any, float]], Span] = {}
        for cell in self.work.cells.values():
            warm_up(cell.runner)  # compile, one by one, what the threads will run

    def play(self, stop: StopRequest) -> Iterator[list[PlayedDeals]]:
        refine_at, refining = time.monotonic() + LONG_RUN, None
        with self.pool:
            while self._hand_out(stop):
                done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                yield [self.work.record_span(self.running.pop(future), *future.result()) for future in done]
                if time.monotonic() > refine_at:
                    refine_at = math.inf
                    refining = self.pool.submit(self._refine)
            if refining:
                refining.result()

    def _refine(self) -> None:
        for cell in self.work.cells.values():
            refine(cell.runner)

    def _hand_out(self, stop: StopRequest) -> bool:
        """Give the threads work, or after a request to stop, cancel spans that have not begun. False if none
        is left.
        """
        if stop.is_set():
            self.running = {future: span for future, span in self.running.items() if not future.cancel()}
        while not stop.is_set() and len(self.running) < self.window and (span := self.work.next()):
            self.running[self.pool.submit(self._play, self.work.cells[span.cell], span)] = span
        return bool(self.running)

    def _play(self, cell: PlannedCell, span: Span) -> tuple[Any, float]:
        if getattr(self.scratches, "cell", None) != span.cell:
            self.scratches.cell = span.cell
            self.scratches.scratch = make_scratch(cell.variant.game, cell.line_up)
        started = time.perf_counter()
        batch = cell.runner.run(span.first, span.deals, self.scratches.scratch)
        return batch, time.perf_counter() - started
