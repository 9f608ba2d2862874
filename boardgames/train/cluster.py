"""Labels from more than one machine: the workers of a Dask cluster ask the teacher, this process fits the
net.

A worker takes part only after it has shown that it has the same versions and the same rules. It gets the
net's weights as data; nothing that a message names is imported unless the worker trusts it.
"""

import hashlib
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.seating import find_line_up
from boardgames.agents.weights import LearnedPlayer, pack_player, unpack_player
from boardgames.errors import ClusterError
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell
from boardgames.plan.played import environment_versions
from boardgames.run.cluster import (
    CellSpec,
    connect,
    explain_gone_workers,
    find_worker_problem,
    make_cell,
    make_cell_spec,
)
from boardgames.train.collect import NotesJob, NotesWriter, Span, collect_in_order, make_student


class StudentSpec(NamedTuple):
    """All that a worker needs to play as the student."""

    cell: CellSpec  # of the teacher in all seats: the rules and the search that the worker must have
    noise: float
    noted: float
    weights: bytes
    evaluation: bytes = b""  # of the net by which the teacher judges playouts, if it has one


_WRITERS: dict[str, NotesWriter] = {}


def play_student_span(spec: StudentSpec, span: Span) -> np.ndarray[Any, Any]:
    """The notes of some deals, on a worker. It keeps what the last net needed."""
    key = hashlib.blake2b(repr(spec).encode()).hexdigest()
    if key not in _WRITERS:
        variant = make_cell(spec.cell).variant
        _WRITERS.clear()
        _WRITERS[key] = NotesWriter(_make_job(spec, variant))
    return _WRITERS[key].play(span)


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
        workers = _find_workers(client, cell)

        def submit(span: Span) -> Any:
            return client.submit(play_student_span, spec, span, workers=workers, pure=False)

        try:
            yield from collect_in_order(submit, spans, 2 * len(workers))
        except Exception as error:
            if gone := explain_gone_workers(error):
                raise ClusterError(f"these labels could not be collected: {gone}") from None
            raise


def check_cluster(variant: Variant, teacher: str, players: int, address: str) -> None:
    """Raise if there is no scheduler, or no worker that could take part."""
    line_up = find_line_up(teacher, players, variant.game)
    with connect(address) as client:
        _find_workers(client, make_cell_spec(PlannedCell(variant, line_up, 1)))


def _find_workers(client: Any, cell: CellSpec) -> list[str]:
    """The workers that play the same matches. Raises if there are none, and says why."""
    asked = {
        worker: client.submit(
            find_worker_problem, [cell], environment_versions(), workers=[worker], pure=False
        )
        for worker in client.nthreads()
    }
    problems = {worker: answer.result() for worker, answer in asked.items()}
    fitting = [worker for worker, problem in problems.items() if problem is None]
    if not fitting:
        reasons = "; ".join(f"{worker}: {problem}" for worker, problem in problems.items())
        reasons = reasons or "There are none: start some with `dask worker`"
        raise ClusterError(f"no worker can take part in the training. {reasons}")
    return fitting
