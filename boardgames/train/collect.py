"""Play matches in which rules write notes, and collect these: the same notes for any number of workers."""

import itertools
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents import greedy, learned, search
from boardgames.agents.agent import Agent, AgentType, copy_rule, find_agent
from boardgames.agents.scratch import NET, Scratch, ScratchSize
from boardgames.agents.weights import LearnedPlayer, Net, make_net_memory
from boardgames.game.game import Game
from boardgames.game.variant import Variant
from boardgames.play.batch import Batch, Runner, make_runner, make_scratch, warm_up
from boardgames.train import labels
from boardgames.train.columns import Survey
from boardgames.train.labels import play_and_describe, play_and_label, play_and_survey

Array = np.ndarray[Any, Any]
Span = tuple[int, int]  # the first deal, and how many
ROOM = 1 << 22  # numbers that one call from Python may write down
SHARE_PARTS = 840  # a win is shared by whole numbers of seats
POSITIONS, SURVEYED, SURVEY_DEALS, MOST_SURVEY_SPANS = 12_000, 0.1, 8, 2_000


def _make_numbers(values: Mapping[str, Any], game: Game) -> dict[int, int]:
    return {
        greedy.WORLDS: 1,
        greedy.NOISE: round(greedy.NOISE_PARTS * values["noise"]),
        labels.NOTED: round(greedy.NOISE_PARTS * values["noted"]),
    }


SURVEYOR = AgentType(
    name="surveyor",
    choose=play_and_survey,
    description="plays greedily and writes down positions",
    scratch_size=lambda values, game: ScratchSize(worlds=greedy.TRIAL_WORLDS + 1, depth=1, notes=ROOM),
    make_numbers=_make_numbers,
)
STUDENT = AgentType(
    name="student",
    choose=play_and_label,
    description="plays by its net and asks a search now and then",
    scratch_size=lambda values, game: (
        find_agent(values["teacher"], game)
        .scratch_size(game)
        ._replace(worlds=search.FIRST_TRIAL + greedy.TRIAL_WORLDS, notes=ROOM)
    ),
    make_numbers=_make_numbers,
)
OBSERVER = replace(
    SURVEYOR, name="observer", choose=play_and_describe, description="plays greedily and writes down seats"
)
LEARNED_STUDENT = replace(
    STUDENT,
    name="learned-student",
    choose=copy_rule(play_and_label, {search.rate_seat: learned.rate_seat_by_net}),
    description="like student, but a net judges where a playout of the search ends",
)


def make_surveyor(noted: float) -> Agent:
    return Agent(agent_type=SURVEYOR, name="surveyor", values={"noise": 0.2, "noted": noted})


def make_observer(player: LearnedPlayer, noise: float, noted: float) -> Agent:
    """An agent that writes down what a net would read, in a share of its decisions."""
    values = {"noise": noise, "noted": noted}
    return Agent(agent_type=OBSERVER, name="observer", values=values, player=player)


def make_student(
    player: LearnedPlayer, teacher: str, noise: float, noted: float, *, by_evaluation: bool = False
) -> Agent:
    """An agent that plays by a net, with noise, and asks the teacher in a share of its decisions. The teacher
    judges playouts by the job's learned evaluation, if `by_evaluation`.
    """
    values = {"noise": noise, "noted": noted, "teacher": teacher}
    agent_type = LEARNED_STUDENT if by_evaluation else STUDENT
    return Agent(agent_type=agent_type, name="student", values=values, player=player)


class NotesJob(NamedTuple):
    """Matches in which one kind of agent has all seats and writes notes."""

    variant: Variant
    agent: Agent
    players: int
    seed: int
    evaluation: Net | None = None  # by which the teacher judges playouts


class NotesWriter:
    """Plays spans of a job; each thread has its own scratch memory."""

    def __init__(self, job: NotesJob) -> None:
        self.job = job
        self.runner = make_runner(job.variant, [job.agent] * job.players, job.seed)
        self.scratches = threading.local()
        warm_up(self.runner)

    def play(self, span: Span) -> Array:
        """The notes of some deals."""
        if not hasattr(self.scratches, "mine"):
            self.scratches.mine = _make_scratch(self.runner, self.job)
        scratch: Scratch = self.scratches.mine
        scratch.net.notes[0] = 1
        batch = self.runner.run(*span, scratch)
        notes = scratch.net.notes[1 : scratch.net.notes[0]].copy()
        if self.job.agent.agent_type is OBSERVER:
            _fill_in_results(notes, batch, self.job)
        return notes


def _make_scratch(runner: Runner, job: NotesJob) -> Scratch:
    game, teacher = runner.variant.game, job.agent.values.get("teacher")
    scratch = make_scratch(game, runner.line_up)
    if teacher:
        scratch.teacher[:] = find_agent(teacher, game).make_row(0, 0, game)
    if job.evaluation:
        nets = [net for net in (job.agent.find_net(job.players), job.evaluation) if net]
        scratch.teacher[NET] = nets.index(job.evaluation)
        scratch = scratch._replace(net=make_net_memory(game, nets, scratch.worlds, ROOM))
    return scratch


def _fill_in_results(notes: Array, batch: Batch, job: NotesJob) -> None:
    """Write each seat's share of the win into the labels of an observer. All are of one match."""
    net = job.agent.find_net(job.players)
    numbers, place = len(net.numbers) if net else 0, 0
    shares = np.round(SHARE_PARTS * batch.seats["win_share"][0]).astype(int)
    while place < len(notes):
        place += 2  # behind the number of seats and that of the features before
        for share in shares:
            notes[place] = share
            place += 2 + notes[place + 1] + numbers


def collect_notes(job: NotesJob, spans: Iterator[Span], workers: int) -> Generator[Array, None, None]:
    """The notes of each span of deals, in their order, while they are asked for."""
    writer = NotesWriter(job)
    with ThreadPoolExecutor(workers) as pool:
        yield from collect_in_order(lambda span: pool.submit(writer.play, span), spans, 2 * workers)


def collect_in_order(
    submit: Callable[[Span], Any], spans: Iterator[Span], ahead: int
) -> Generator[Array, None, None]:
    """The results of some futures, one for each span, of which `ahead` are under way."""
    waiting = [submit(span) for span in islice(spans, ahead)]
    try:
        while waiting:
            notes = waiting.pop(0).result()
            waiting += [submit(span) for span in islice(spans, 1)]
            yield notes
    finally:
        for future in waiting:
            future.cancel()


def survey_positions(variant: Variant, players: int, seed: int, workers: int) -> Survey:
    """Positions at the end of turns, from matches that greedy agents play with noise."""
    parts, size = [], 1 + variant.game.state.itemsize // 4 + 2 * players
    job = NotesJob(variant, make_surveyor(SURVEYED), players, seed)
    notes = collect_notes(job, count_spans(SURVEY_DEALS), workers)
    positions = 0
    for part in islice(notes, MOST_SURVEY_SPANS):
        parts.append(part)
        positions += len(part) // size
        if positions >= POSITIONS:
            break
    notes.close()
    return read_survey(variant.game, players, np.concatenate(parts))


def count_spans(deals: int, number: int = 0) -> Iterator[Span]:
    """Spans of deals without end, from the one with this number on: (first deal, how many)."""
    return ((first, deals) for first in itertools.count(number * deals, deals))


def read_survey(game: Game, players: int, notes: Array) -> Survey:
    """The positions in the notes of a surveyor."""
    words = game.state.itemsize // 4
    rows = notes.reshape(-1, 1 + words + 2 * players)
    states = np.ascontiguousarray(rows[:, 1 : 1 + words]).view(game.state).reshape(-1)
    results = rows[:, 1 + words :].reshape(len(rows), players, 2).astype(np.int64)
    return Survey(states, rows[:, 0].astype(np.int64), results[:, :, 0], results[:, :, 1])
