"""Ladders: ratings are recovered where they are known, and a real tournament is told with intervals."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from analytics.questions.ladder import ELO, GROUPS, _doubling, _fit, climb, plan_ladder
from boardgames import BadInput, simulate
from tests.test_cli import run

CONNECT_FOUR = "tests.truth.connect_four:GAME"


def invented(ratings: dict[str, float], first: float, matches: int) -> pd.DataFrame:
    """Counts of wins as the logit says, without any noise: duels of all pairs in both seatings, seat 1 favoured."""
    rows = []
    for cell, (strong, weak) in enumerate([("b", "a"), ("c", "b"), ("c", "a")]):
        for arrangement, seats in enumerate([(strong, weak), (weak, strong)]):
            power = [10 ** ((ratings[seats[0]] + first) / 400), 10 ** (ratings[seats[1]] / 400)]
            for seat in (0, 1):
                wins = matches * power[seat] / sum(power)
                rows.append({"cell": cell, "arrangement": arrangement, "seat": seat + 1, "agent": seats[seat], "wins": wins})
    return pd.DataFrame(rows)


def test_known_ratings_and_the_advantage_of_a_seat_are_recovered():
    found = _fit(invented({"a": 0.0, "b": 150.0, "c": 400.0}, 50.0, 10**6), ["a", "b", "c"])
    assert found == pytest.approx([0, 150, 400, 0, -50], abs=0.5)


def test_the_published_gain_of_a_doubled_budget_is_the_rating_of_its_result():
    """Komodo 9.3: 44.97 % won, 49.20 % drawn, 5.83 % lost, published as 144 points."""
    share = 0.4497 + 0.4920 / 2
    assert ELO * math.log(share / (1 - share)) == pytest.approx(144, abs=1)


def test_only_budgets_of_one_family_make_a_doubling():
    fits = np.arange(3.0) * 100, np.zeros((GROUPS, 3)) + np.arange(3.0) * 100
    assert _doubling(["random", "mcts:16", "mcts:64+aim=score"], *fits).mean == pytest.approx(50)
    for order in (["human:ann", "bot:fast", "mcts:16"], ["random", "mcts:16", "other:64"]):
        assert _doubling(order, *fits) is None


@pytest.fixture(scope="module")
def climbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("ladder") / "l.duckdb"
    plan = plan_ladder([CONNECT_FOUR], 2, ["random", "mcts:16", "mcts:64"], 40, 5, "")
    simulate(plan, path)
    return path, climb(path, plan)[0]


@pytest.mark.long
def test_each_rung_is_rated_above_the_one_below_with_an_interval(climbed):
    _, ladder = climbed
    assert [rung.agent for rung in ladder.rungs] == ["random", "mcts:16", "mcts:64"]
    assert ladder.rungs[0].elo.mean == 0
    assert ladder.rungs[1].elo.low > 0
    assert ladder.rungs[2].elo.mean > ladder.rungs[1].elo.mean
    assert ladder.elo_per_doubling.low > 0


@pytest.mark.long
def test_what_was_seen_and_what_the_ratings_say_agree(climbed):
    _, ladder = climbed
    for step in ladder.steps:
        assert step.share.low - 0.05 <= step.fitted <= step.share.high + 0.05
        assert step.edge.mean == pytest.approx(2 * step.share.mean - 1)
        assert step.tau.mean == pytest.approx(step.edge.mean, abs=0.02)  # with two players, but for draws
        assert 0 <= step.upsets.low <= step.upsets.mean <= step.upsets.high <= 1


def test_who_never_loses_has_a_rating_of_at_least_so_much(tmp_path):
    path = tmp_path / "l.duckdb"
    plan = plan_ladder(["tests.truth.pig:GAME+target=200"], 2, ["greedy+forbid=hold", "greedy"], GROUPS, 5, "")
    simulate(plan, path)
    (ladder,) = climb(path, plan)
    assert ladder.steps[0].share.mean == 1
    assert [rung.at_least for rung in ladder.rungs] == [False, True]
    assert np.isfinite(ladder.rungs[1].elo.mean)


@pytest.mark.long
def test_the_command_prints_a_ladder_and_draws_it(climbed, tmp_path):
    path, _ = climbed
    words = ["ladder", CONNECT_FOUR, "--rungs", "random,mcts:16,mcts:64", "--blocks", "40", "--seed", "5", "--into", str(path)]
    done = run(*words, "--chart", str(tmp_path / "l.html"))
    assert done.returncode == 0, done.stderr
    assert "Twice the budget is worth" in done.stdout
    assert "http" not in (tmp_path / "l.html").read_text().split("<body>")[1].split("<script")[0]
    told = json.loads(run(*words, "--json").stdout)
    assert told[0]["rungs"][0]["agent"] == "random"


def test_a_ladder_needs_two_rungs():
    done = run("ladder", CONNECT_FOUR, "--rungs", "greedy,greedy")
    assert (done.returncode, done.stderr) == (
        2,
        "boardgames: rungs 'greedy,greedy': name at least two different agents, from weak to strong\n",
    )
    with pytest.raises(BadInput, match="no agent 'gredy'"):
        plan_ladder([CONNECT_FOUR], 2, ["random", "gredy"], 40, 1, "")
