"""Storing while others play: finished deals are flushed in large portions by one thread."""

import logging
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from boardgames.errors import FileInUse
from boardgames.interrupt import StopRequest, catch_interrupt
from boardgames.plan.played import PlayedDeals, Progress
from boardgames.run.work import Span, WorkerPool
from boardgames.store.connection import FLUSH_MATCHES

LOG = logging.getLogger(__name__)

FLUSH_SECONDS = 5.0  # a crash loses at most this much, or FLUSH_MATCHES
MOST_WAITING = 3 * FLUSH_MATCHES  # matches that may wait in memory to be stored; then playing pauses
LAST_PATIENCE = 60.0  # seconds to wait for a file after a request to stop
REMIND_SECONDS = 60.0  # between two messages about waiting


def play_and_store(
    pool: WorkerPool,
    store: Callable[[list[PlayedDeals]], None],
    patience: float,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> int:
    """Play all the work and pass it to `store` in large portions; returns the number of matches stored.

    On an interrupt it stores what is finished and then raises KeyboardInterrupt. If `store` finds the file in
    use, the same portion is tried again for `patience` seconds, while playing goes on.
    """
    played = 0
    with catch_interrupt() as stop, _Writer(store, patience, stop) as writer:
        for parts in pool.play(stop):
            played += count_matches(parts)
            if parts:
                last = pool.work.cells[parts[-1].cell.id].variant.name
                on_progress(Progress(played, pool.work.wanted_matches, last))
            refused = writer.add(parts, pool.distrusted)
            pool.work.put_back(Span(part.cell.id, part.first, part.deals) for part in refused)
            played -= count_matches(refused)
    if stop.is_set():
        raise KeyboardInterrupt
    if pool.failure:
        raise pool.failure
    return played


def count_matches(parts: Iterable[PlayedDeals]) -> int:
    return sum(part.matches for part in parts)


class _Writer:
    """One thread that stores while others play; at the end of the `with` body everything added is stored."""

    def __init__(
        self, store: Callable[[list[PlayedDeals]], None], patience: float, stop: StopRequest
    ) -> None:
        self.store, self.patience, self.stop = store, patience, stop
        self.pool = ThreadPoolExecutor(1)
        self.waiting: list[PlayedDeals] = []
        self.flush: Future[None] | None = None
        self.flushed = time.monotonic()
        self.has_given_up = False

    def __enter__(self) -> "_Writer":
        return self

    def add(self, played: list[PlayedDeals], distrusted: Collection[str]) -> list[PlayedDeals]:
        """Store these deals with those that wait, once there are many or they are old. Blocks if too many
        wait. Returns those that are not stored, because their worker is distrusted.
        """
        both = [*self.waiting, *played]
        self.waiting = [part for part in both if part.worker not in distrusted]
        count = count_matches(self.waiting)
        if count >= MOST_WAITING:
            self._wait()
        due = count >= FLUSH_MATCHES or time.monotonic() - self.flushed > FLUSH_SECONDS
        if due and (self.flush is None or self.flush.done()):
            self._begin_flush()
        return [part for part in both if part.worker in distrusted]

    def _begin_flush(self) -> None:
        self._wait()
        if self.waiting:
            self.flush = self.pool.submit(self._store, self.waiting)
            self.waiting, self.flushed = [], time.monotonic()

    def _wait(self) -> None:
        if self.flush:
            self.flush.result()

    def _store(self, played: list[PlayedDeals]) -> None:
        """Store a portion; if the file is in use, say so and try again."""
        end, remind, stopping = time.monotonic() + self.patience, 0.0, False
        while True:
            try:
                return self.store(played)
            except FileInUse as error:
                now, count = time.monotonic(), count_matches([*played, *self.waiting])
                if self.stop.is_set() and not stopping:
                    end, remind, stopping = min(end, now + LAST_PATIENCE), now, True
                if self.has_given_up or now >= end:
                    advice = "The same command plays them again"
                    raise FileInUse(
                        f"{error}; {count:,} finished matches could not be stored. {advice}"
                    ) from None
                if now >= remind:
                    remind = now + REMIND_SECONDS
                    ending = f" for at most {end - now:.0f} s; Ctrl-C gives them up" if stopping else ""
                    waiting = f"{count:,} matches wait to be stored{ending}"
                    LOG.warning("waiting, because %s; %s", error, waiting)

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        try:
            if kind is None:
                self._begin_flush()
                self._wait()
        finally:
            self.has_given_up = True  # after an error, or a second Ctrl-C
            self.pool.shutdown()
            self._wait()
