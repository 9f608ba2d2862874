"""What to play: the missing deals of a plan, handed out in spans; and who may play them."""

import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from boardgames.errors import BoardgamesError
from boardgames.interrupt import StopRequest
from boardgames.plan.plan import Plan
from boardgames.plan.played import PlayedDeals

MissingRanges = Mapping[int, list[tuple[int, int]]]  # (first deal, count), by cell


class Span(NamedTuple):
    """Some deals of a cell, to be played in one go."""

    cell: int
    first: int
    deals: int


class WorkQueue:
    """The missing deals of a plan, handed out so that all cells grow alike. Spans grow while they are quick
    to play.
    """

    def __init__(self, plan: Plan, missing: MissingRanges, seconds: float, most: int) -> None:
        self.cells = {cell.id: cell for cell in plan.cells if missing[cell.id]}
        self.ranges = {cell_id: list(missing[cell_id]) for cell_id in self.cells}
        self.spans = dict.fromkeys(self.cells, 1)  # deals to play at a time
        self.seconds, self.most = seconds, most  # what a span should take, and the matches it may have
        self.wanted_matches = sum(
            count * self.cells[cell_id].seating_count
            for cell_id, ranges in self.ranges.items()
            for _, count in ranges
        )

    def next(self) -> Span | None:
        """The next deals of the cell that is furthest behind, up to a multiple of its span."""
        if not self.ranges:
            return None
        cell_id = min(self.ranges, key=lambda n: self.ranges[n][0][0])
        (first, count), *rest = self.ranges[cell_id]
        span = min(count, self.spans[cell_id] - first % self.spans[cell_id])
        self.ranges[cell_id] = [(first + span, count - span), *rest] if span < count else rest
        if not self.ranges[cell_id]:
            del self.ranges[cell_id]
        return Span(cell_id, first, span)

    def put_back(self, spans: Iterable[Span]) -> None:
        """Hand these deals out once more."""
        for cell_id, first, deals in spans:
            bisect.insort(self.ranges.setdefault(cell_id, []), (first, deals))

    def record_span(self, span: Span, batch: Any, seconds: float, worker: str = "") -> PlayedDeals:
        """The played deals of a span. Adapts the size of the cell's next spans to the seconds it took."""
        cell_id, size = span.cell, self.spans[span.cell]
        most = max(1, self.most // self.cells[cell_id].seating_count)
        if span.deals == size and seconds < self.seconds / 2:
            factors = [
                factor for factor in (16, 4, 2) if seconds < self.seconds / factor and factor * size <= most
            ]
            self.spans[cell_id] = size * max(factors, default=1)
        elif seconds > 2 * self.seconds:
            self.spans[cell_id] = max(1, span.deals // 2)
        return PlayedDeals(self.cells[cell_id], span.first, span.deals, batch, seconds, worker)


class WorkerPool(Protocol):
    """Plays a queue of work; `play` yields what has been played since the last iteration.

    After a request to stop it begins nothing new and ends with what is under way.
    """

    work: WorkQueue
    failure: BoardgamesError | None  # why it gave up, if it did

    @property
    def distrusted(self) -> Collection[str]:
        """The workers that have given a wrong answer: what they played and is not stored, others play."""

    def play(self, stop: StopRequest) -> Iterator[list[PlayedDeals]]: ...
