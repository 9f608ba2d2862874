"""What the workers of a cluster answer, and what must be so before it is believed.

A worker may have bad memory, another build or a bad will. So each answer is checked to be exactly what was
asked for, and a few of its deals are played again here. Which ones, no worker can know.
"""

import math
import random
import time
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from boardgames.plan.cell import PlannedCell
from boardgames.plan.played import Rows
from boardgames.play.batch import Batch, make_scratch, warm_up
from boardgames.run.work import Span
from boardgames.store.agreement.matches import compare_batches
from boardgames.store.read import find_rows_problem, make_batch

SHARE = 1 / 200  # of a worker's deals are played again here
EARLY_SPANS = 8  # of a worker, of which at least one deal each is
MOST_PIECES = 8  # of a span, in which these deals lie
# Seconds that this machine may spend on it, and the share of its time that it may spend beyond them.
FREE_SECONDS, MOST_TIME = 10.0, 0.25


class WrongAnswer(Exception):
    """A worker's answer is not what it was asked for; the message says in which way."""


def pack_answer(rows: Rows, seconds: float) -> tuple[bytes, bytes, float]:
    """Rows as bytes that mean nothing but rows."""
    return write_table(rows.match), write_table(rows.seat), seconds


def write_table(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def unpack_answer(answer: Any, cell: PlannedCell, span: Span) -> tuple[Rows, float]:
    """The rows of a span and the seconds that playing it took. Raises WrongAnswer for anything else."""
    kinds = [type(part) for part in answer] if type(answer) is tuple else []
    if kinds != [bytes, bytes, float]:
        raise WrongAnswer(f"it answers with a {type(answer).__name__} that is not tables of matches")
    matches, seats, seconds = answer
    if not 0 <= seconds < math.inf:
        raise WrongAnswer(f"it says that playing took {seconds} seconds")
    try:
        rows = Rows(_read_table(matches), _read_table(seats))
    except (pa.ArrowException, ValueError, OSError) as error:
        reason = (str(error).splitlines() or [""])[0]
        raise WrongAnswer(f"its tables cannot be read ({reason})") from None
    if problem := find_rows_problem(rows, cell, span.first, span.deals):
        raise WrongAnswer(problem)
    return rows, float(seconds)


def _read_table(content: bytes) -> pa.Table:
    with pa.ipc.open_stream(pa.py_buffer(content)) as reader:
        if not all(pa.types.is_integer(kind) for kind in reader.schema.types):
            raise ValueError("they hold other things than whole numbers")
        table = reader.read_all()
    table.validate(full=True)
    return table


class SpotChecks:
    """Plays some of the deals again that workers say they have played."""

    def __init__(self, cells: Mapping[int, PlannedCell]) -> None:
        self.cells = cells
        self.random = random.SystemRandom()  # no seed brings it back, and no row depends on it
        self.spans: dict[str, int] = {}  # of which deals were played again, by worker
        self.scratch: tuple[int, Any] = (0, None)  # of the cell that was played last
        self.started, self.seconds = time.monotonic(), 0.0

    def check(self, worker: str, span: Span, rows: Rows) -> None:
        """Play some deals of a span again. Raises WrongAnswer where they come out otherwise."""
        for first, deals in self._choose(worker, span):
            matches = self._play(span.cell, first, deals)
            started = (first - span.first) * len(matches.matches) // deals
            theirs = self._cut(rows, span.cell, started, len(matches.matches))
            if differing := compare_batches(theirs, matches):
                row = matches.matches[differing.rows[0]]
                match = f"{span.cell}/{row['deal']}/{row['seating']}"
                columns = ", ".join(differing.columns)
                raise WrongAnswer(f"match {match}, played again here, has other values of {columns}")

    def _choose(self, worker: str, span: Span) -> list[tuple[int, int]]:
        """The deals to play again, as ranges; none while this machine spends too much time on it."""
        if self.seconds > FREE_SECONDS + MOST_TIME * (time.monotonic() - self.started):
            return []
        is_early = self.spans.get(worker, 0) < EARLY_SPANS
        wanted = max(int(is_early), int(span.deals * SHARE + self.random.random()))
        self.spans[worker] = self.spans.get(worker, 0) + (wanted > 0)
        deals = math.ceil(wanted / MOST_PIECES)
        return [
            (span.first + self.random.randrange(span.deals - deals + 1), deals)
            for _ in range(math.ceil(wanted / max(1, deals)))
        ]

    def _play(self, cell_id: int, first: int, deals: int) -> Batch:
        cell = self.cells[cell_id]
        if self.scratch[0] != cell_id:
            warm_up(cell.runner)
            self.scratch = cell_id, make_scratch(cell.variant.game, cell.line_up)
        started = time.monotonic()
        batch = cell.runner.run(first, deals, self.scratch[1])
        self.seconds += time.monotonic() - started
        return batch

    def _cut(self, rows: Rows, cell_id: int, first: int, count: int) -> Batch:
        """Some matches of these rows."""
        cell = self.cells[cell_id]
        seats = rows.seat.slice(first * cell.players, count * cell.players)
        return make_batch(Rows(rows.match.slice(first, count), seats), cell)
