"""Training learns first who wins: an evaluation that judges the playouts of a search."""

import numpy as np
import pytest

from boardgames import InvalidInput, Match, find_agent, find_variant, trust_agent
from boardgames.agents.weights import LearnedPlayer, save_player
from boardgames.train import evaluation, train
from boardgames.train.clock import Clock
from boardgames.train.collect import SHARE_PARTS
from boardgames.train.evaluation import _make_job, collect_positions, train_evaluation
from boardgames.train.fit import Parameters, find_labels, make_parameters, measure_fit
from boardgames.train.train import TrainOptions
from tests.boardgames.agents.test_learned import make_random_net
from tests.boardgames.agents.test_search import POSITIONS, peeking

pytestmark = pytest.mark.long  # a game is compiled with players of its own


CLOCK = Clock("magpies")


def play_positions(start, wanted: int, seed: int, workers: int):
    job = _make_job(find_variant("magpies"), start, seed)
    return collect_positions(job, wanted, workers, CLOCK)


@pytest.fixture(scope="module")
def start():
    """A net for magpies that has learned nothing yet."""
    return train._begin_training(find_variant("magpies"), 3, TrainOptions(seed=4), None).start


def test_an_evaluation_tells_the_winner_better_than_the_games_own_on_deals_it_never_saw(start):
    variant = find_variant("magpies")
    net = train_evaluation(variant, start, 6000, 21, 2, CLOCK)
    new = play_positions(start, 3000, 22, 2)
    learned = Parameters(*(np.float32(part) / 256 for part in (net.weights, net.number_weights, net.outputs)))
    own = make_parameters(len(start.weights), len(start.numbers), 4)
    own.number_weights[:, 0] = 1
    assert measure_fit(learned, new).loss < measure_fit(own, new).loss


def test_the_positions_of_a_match_have_its_result(start):
    """The seats share one win, and all positions of a deal have the same winners."""
    notes = play_positions(start, 40, 23, 1)
    place, results = 0, []
    while place < len(notes):
        seats, place, result = notes[place], place + 2, []
        for _ in range(seats):
            result.append(int(notes[place]))
            place += 2 + notes[place + 1] + len(start.numbers)
        results.append(tuple(result))
    assert {sum(result) for result in results} == {SHARE_PARTS}
    assert len(set(results)) > 1


def test_positions_do_not_depend_on_the_number_of_workers(start):
    one, three = (play_positions(start, 100, 24, workers) for workers in (1, 3))
    assert one.tolist() == three.tolist()


def test_positions_go_on_where_they_were_stopped(start, tmp_path):
    job, lines = _make_job(find_variant("magpies"), start, 24), []

    def stop_in_the_middle(line):
        lines.append(line)
        if len(lines) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect_positions(job, 600, 1, Clock("magpies", on_progress=stop_in_the_middle), tmp_path)
    kept = sum(len(part) for part in load_parts(tmp_path))
    notes = collect_positions(job, 600, 3, CLOCK, tmp_path)
    assert 0 < kept < len(notes)
    assert notes.tolist() == play_positions(start, 600, 24, 1).tolist()


def test_the_evaluation_takes_a_fifth_of_the_minutes_so_that_a_player_gets_the_rest(start, monkeypatch):
    monkeypatch.setattr(evaluation, "FEWEST_POSITIONS", 50)
    clock = Clock("magpies", minutes=1000)
    clock.started -= 15_000  # a quarter of the time is over
    job = _make_job(find_variant("magpies"), start, 24)
    numbers = len(start.numbers)
    assert 50 <= len(find_labels(collect_positions(job, 3000, 1, clock), numbers)) < 3000


def load_parts(folder):
    return [np.load(path)["numbers"] for path in folder.glob("*.npz")]


def test_a_finished_evaluation_is_kept_when_the_gate_is_stopped(tmp_path):
    lines: list[str] = []

    def stop_at_the_gate(line):
        lines.append(line)
        if "is learned-mcts:8 stronger than greedy?" in line:
            raise KeyboardInterrupt

    options = TrainOptions(teacher="mcts:8", positions=600, seed=4, on_progress=stop_at_the_gate)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train.train_player(find_variant("magpies"), 3, tmp_path / "magpies.learned", options)
    assert sum("fits an evaluation" in line for line in lines) == 1


# ---- the agent


@pytest.fixture(scope="module")
def evaluation_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("evaluation") / "magpies.evaluation"
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 1)}), path)
    trust_agent(f"learned-mcts:8+weights={path}")
    return path


def test_it_plays_the_same_match_compiled_and_plain(evaluation_file):
    line_up = f"learned-mcts:8+weights={evaluation_file},mcts:8,greedy"
    compiled, plain = (
        Match(find_variant("magpies"), 3, seed=3, deal=2, compiled=compiled).finish(line_up).actions
        for compiled in (True, False)
    )
    assert compiled == plain


def test_it_does_not_see_what_is_hidden(evaluation_file):
    asked, caught = peeking("magpies", 3, [f"learned-mcts:16+weights={evaluation_file}"])
    assert asked == POSITIONS
    assert caught == []


def test_other_weights_choose_otherwise(evaluation_file, tmp_path):
    other = tmp_path / "other.evaluation"
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 2)}), other)
    trust_agent(f"learned-mcts:8+weights={other}")
    variant = find_variant("magpies")
    first, second = (
        Match(variant, 3, seed=3, compiled=True).finish(f"learned-mcts:16+weights={path}").actions
        for path in (evaluation_file, other)
    )
    assert first != second


def test_a_game_without_an_evaluation_file_says_how_to_train_one():
    with pytest.raises(
        InvalidInput, match=r"pig has no learned evaluation\. Train one with `boardgames train"
    ):
        find_agent("learned-mcts:64", find_variant("pig").game)


def test_a_player_count_without_an_evaluation_is_told(evaluation_file):
    agent = find_agent(f"learned-mcts:8+weights={evaluation_file}", find_variant("magpies").game)
    with pytest.raises(InvalidInput, match="for 3 players, not 2"):
        agent.find_net(2)
