"""Labels from more than one machine: the workers of a Dask cluster ask the teacher, this process fits the
net.

A worker takes part only after it has shown that it has the same versions and the same rules. It gets the
net's weights as data; nothing that a message names is imported unless the worker trusts it.
"""

import functools
import hashlib
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.seating import find_line_up
from boardgames.agents.weights import LearnedPlayer, pack_player, unpack_player
from boardgames.errors import ClusterError
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell
from boardgames.plan.played import environment_versions
from boardgames.run.cluster import (
    FIRST_PATIENCE,
    PATIENCE,
    POLL_SECONDS,
    CellSpec,
    connect,
    explain_gone_workers,
    find_worker_problem,
    make_cell,
    make_cell_spec,
    read_worker_problem,
)
from boardgames.train.collect import NotesJob, NotesWriter, Span, collect_in_order, make_student


class StudentSpec(NamedTuple):
    """All that a worker needs to play as the student."""

    cell: CellSpec  # of the teacher in all seats: the rules and the search that the worker must have
    noise: float
    noted: float
    weights: bytes
    evaluation: bytes = b""  # of the net by which the teacher judges playouts, if it has one


GOES_ON = "What was played is kept: the same command goes on"
_WRITERS: dict[str, NotesWriter] = {}
_MAKING = threading.Lock()  # threads of a worker begin at the same time


def play_student_span(spec: StudentSpec, span: Span) -> np.ndarray[Any, Any]:
    """The notes of some deals, on a worker. It keeps what the last net needed."""
    key = hashlib.blake2b(repr(spec).encode()).hexdigest()
    with _MAKING:
        if key not in _WRITERS:
            variant = make_cell(spec.cell).variant
            _WRITERS.clear()
            _WRITERS[key] = NotesWriter(_make_job(spec, variant))
        writer = _WRITERS[key]
    return writer.play(span)


def _make_job(spec: StudentSpec, variant: Variant) -> NotesJob:
    teacher, players = spec.cell.line_up.split(",")[0], spec.cell.players
    player, evaluation = (
        unpack_player(content, variant.game, "the message") if content else None
        for content in (spec.weights, spec.evaluation)
    )
    assert player is not None
    student = make_student(player, teacher, spec.noise, spec.noted, by_evaluation=evaluation is not None)
    net = evaluation.find_net(players) if evaluation else None
    return NotesJob(variant, student, players, spec.cell.seed, net)


def collect_on_cluster(
    job: NotesJob, spans: Iterator[Span], address: str
) -> Generator[np.ndarray[Any, Any], None, None]:
    """The notes of each span of deals, in their order, from all workers that fit."""
    teacher = find_line_up(job.agent.values["teacher"], job.players, job.variant.game)
    assert job.agent.player is not None
    cell = make_cell_spec(PlannedCell(job.variant, teacher, job.seed))
    values = job.agent.values
    evaluation = b""
    if job.evaluation:
        evaluation = pack_player(LearnedPlayer(job.variant.game.name, {job.players: job.evaluation}))
    spec = StudentSpec(cell, values["noise"], values["noted"], pack_player(job.agent.player), evaluation)
    with connect(address) as client:
        workers = FittingWorkers(client, cell)
        ahead = 2 * sum(workers.threads.values())
        yield from collect_in_order(lambda span: SpanInPlay(workers, spec, span), spans, ahead)


def check_cluster(
    variant: Variant, teacher: str, players: int, address: str, on_warning: Callable[[str], None]
) -> None:
    """Raise if there is no scheduler, or no worker that could take part. Others are told."""
    line_up = find_line_up(teacher, players, variant.game)
    with connect(address) as client:
        FittingWorkers(client, make_cell_spec(PlannedCell(variant, line_up, 1)), on_warning)


class FittingWorkers:
    """The workers that play the same matches, with their threads."""

    def __init__(
        self, client: Any, cell: CellSpec, on_warning: Callable[[str], None] = lambda sentence: None
    ) -> None:
        self.client, self.cell, self.on_warning = client, cell, on_warning
        self.threads: dict[str, int] = {}
        self.find(FIRST_PATIENCE)

    def find(self, patience: float) -> None:
        """Wait for a worker, and ask all. Raises if none fits, and says why."""
        end = time.monotonic() + patience
        while not (present := self.client.nthreads()) and time.monotonic() < end:
            time.sleep(POLL_SECONDS / 4)
        problems = self._ask(present)
        self.threads = {worker: present[worker] for worker in present if problems[worker] is None}
        refused = {worker: problem for worker, problem in problems.items() if problem}
        if not self.threads:
            reasons = "; ".join(f"{worker}: {problem}" for worker, problem in refused.items())
            reasons = reasons or "There are none: start some with `dask worker`"
            raise ClusterError(f"no worker can take part in the training. {reasons}")
        for worker, problem in refused.items():
            self.on_warning(f"the worker {worker} is left out: {problem}")

    def _ask(self, workers: Iterable[str]) -> dict[str, str | None]:
        """Why each of them would not play the same matches; None if it would."""
        ask = functools.partial(self.client.submit, find_worker_problem, [self.cell], environment_versions())
        answers = {worker: ask(workers=[worker], pure=False) for worker in workers}
        return {worker: read_worker_problem(answer) for worker, answer in answers.items()}


class SpanInPlay:
    """A span that workers have been given. If all of them leave, it is given to others."""

    def __init__(self, workers: FittingWorkers, spec: StudentSpec, span: Span) -> None:
        self.workers, self.spec, self.span = workers, spec, span
        self._submit()

    def _submit(self) -> None:
        self.asked = self.workers.threads.keys()
        self.future = self.workers.client.submit(
            play_student_span, self.spec, self.span, workers=sorted(self.asked), pure=False
        )

    def result(self) -> np.ndarray[Any, Any]:
        """Its notes, when they are there."""
        while True:
            try:
                notes: np.ndarray[Any, Any] = self.future.result(timeout=POLL_SECONDS)
                return notes
            except TimeoutError:
                self._submit_again_if_orphaned()
            except Exception as error:
                if gone := explain_gone_workers(error):
                    raise ClusterError(f"labels could not be collected: {gone}. {GOES_ON}") from None
                raise

    def _submit_again_if_orphaned(self) -> None:
        try:
            present = self.workers.client.nthreads().keys()
        except OSError:
            raise ClusterError(f"labels could not be collected: the scheduler has gone. {GOES_ON}") from None
        if self.asked & present:
            return
        if not self.workers.threads.keys() & present:  # else another span has found new ones already
            self.workers.find(PATIENCE)
        self.future.cancel()
        self._submit()

    def cancel(self) -> None:
        self.future.cancel()
