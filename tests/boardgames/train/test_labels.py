"""What a net learns from is written without a look at what a seat cannot see."""

import dataclasses
import itertools

import numpy as np
import pytest

from boardgames import find_variant
from boardgames.agents.weights import LearnedPlayer
from boardgames.play import engine
from boardgames.play.batch import assign_slots, bind_engine, make_runner
from boardgames.rules import protocol
from boardgames.rules.chance import fold
from boardgames.rules.rulecode import rebind
from boardgames.train import labels
from boardgames.train.collect import NotesJob, _make_scratch, make_observer, make_student, make_surveyor
from tests.boardgames.agents.test_learned import make_random_net
from tests.boardgames.agents.test_search import look_at_the_cards, ours, positions

pytestmark = pytest.mark.long
ASKED = 60


@pytest.fixture(scope="module")
def net():
    return make_random_net("magpies", 3, 1)


def make_student_job(net, *, by_evaluation: bool) -> NotesJob:
    student = make_student(LearnedPlayer("magpies", {3: net}), "mcts:8", 0, 1, by_evaluation=by_evaluation)
    return NotesJob(find_variant("magpies"), student, 3, 1, net if by_evaluation else None)


class Writer:
    """Writes the notes of one position."""

    def __init__(self, job: NotesJob, compiled: bool = True) -> None:
        runner = make_runner(job.variant, [job.agent] * 3, 1)
        agent_types = assign_slots(runner.line_up)
        self.functions = bind_engine(job.variant.game, agent_types, compiled)
        self.scratch = _make_scratch(runner, job)
        self.row = np.array(job.agent.make_row(0, 0, job.variant.game), np.int64)

    def redeal(self, state, seat: int, key: int):
        """The position with other cards where this seat cannot see them, and another future."""
        other = state.copy()
        self.functions[protocol.rekey_and_resample](other[0], seat, fold(key, 999))
        return other

    def write(self, state, legal, key: int) -> bytes:
        self.scratch.net.notes[0] = 1
        self.scratch.actions[0, : len(legal)] = legal
        self.functions[engine.choose](
            state[0], self.scratch.actions[0], len(legal), key, self.row, self.scratch
        )
        return self.scratch.net.notes[1 : self.scratch.net.notes[0]].tobytes()


def count_leaks(job: NotesJob) -> int:
    """How many of ASKED positions are written otherwise when what the actor cannot see is dealt again."""
    writer, leaks, written = Writer(job), 0, 0
    for state, legal, key in itertools.islice(positions(job.variant, 3, 60), ASKED):
        notes = writer.write(state, legal, key)
        leaks += notes != writer.write(writer.redeal(state, state[0].actor, key), legal, key)
        written += len(notes) > 0
    assert written > ASKED / 2
    return leaks


@pytest.mark.parametrize("by_evaluation", [False, True])
def test_a_label_shows_nothing_that_its_seat_cannot_see(net, by_evaluation):
    assert count_leaks(make_student_job(net, by_evaluation=by_evaluation)) == 0


def test_a_surveyed_position_shows_nothing_that_its_seat_cannot_see():
    assert count_leaks(NotesJob(find_variant("magpies"), make_surveyor(1), 3, 1)) == 0


def test_a_label_by_a_cheat_is_caught(net):
    """Without resampling, the test above fails."""
    honest = make_student_job(net, by_evaluation=False)
    choose = rebind([labels.play_and_label], {protocol.rekey_and_resample: look_at_the_cards}, follow=ours)[
        labels.play_and_label
    ]
    cheat = dataclasses.replace(honest.agent.agent_type, name="cheat", choose=choose)
    agent = dataclasses.replace(honest.agent, agent_type=cheat, name="cheat")
    assert count_leaks(honest._replace(agent=agent)) > 0


def test_a_seat_of_a_position_with_its_result_is_described_as_it_sees_it_itself(net):
    """Each seat's own row stays the same when what that seat cannot see is dealt again."""
    variant = find_variant("magpies")
    observer = make_observer(LearnedPlayer("magpies", {3: net}), 0.1, 1)
    writer, changed = Writer(NotesJob(variant, observer, 3, 1)), 0
    for state, legal, key in itertools.islice(positions(variant, 3, 60), ASKED):
        rows = split_seats(writer.write(state, legal, key), len(net.numbers))
        for seat in range(3):
            other = split_seats(writer.write(writer.redeal(state, seat, key), legal, key), len(net.numbers))
            assert other[seat] == rows[seat]
            changed += other != rows
    assert changed > 0


@pytest.mark.parametrize("room", [1_700, 100_000])
def test_nothing_is_written_behind_the_end_of_the_notes(net, room):
    """However many columns a net has: uncompiled it would be an error, compiled it would damage memory."""
    wide = LearnedPlayer("magpies", {3: dataclasses.replace(net, columns=net.columns * 100)})
    writer = Writer(NotesJob(find_variant("magpies"), make_observer(wide, 0, 1), 3, 1), compiled=False)
    notes = np.zeros(room, np.int32)
    writer.scratch = writer.scratch._replace(net=writer.scratch.net._replace(notes=notes))
    state, legal, key = next(positions(find_variant("magpies"), 3, 1))
    assert bool(writer.write(state, legal, key)) == (room == 100_000)


def split_seats(notes: bytes, numbers: int) -> list[list[int]]:
    """The numbers of each seat, from one label of `write_seats`."""
    label = np.frombuffer(notes, np.int32).tolist()
    place, rows = 2, []
    for _ in range(label[0]):
        end = place + 2 + label[place + 1] + numbers
        rows.append(label[place:end])
        place = end
    return rows
