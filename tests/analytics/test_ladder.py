"""Ladders: ratings are recovered where they are known, and a real tournament is told with intervals."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analytics.questions.ladder import (
    ELO,
    GROUPS,
    _fit_elo_per_doubling,
    _fit_ratings,
    _has_unbeaten,
    _load_counts,
    fit_ladders,
    plan_ladder,
)
from boardgames import InvalidInput, run_plan

CONNECT_FOUR = "connect-four"


def invent_results(ratings: dict[str, float], first: float, matches: int) -> pd.DataFrame:
    """Counts of wins as the logit says, without any noise: head_to_heads of all pairs in both seatings, seat
    1 favoured.
    """
    rows = []
    for cell, (strong, weak) in enumerate([("b", "a"), ("c", "b"), ("c", "a")]):
        for seating, seats in enumerate([(strong, weak), (weak, strong)]):
            power = [10 ** ((ratings[seats[0]] + first) / 400), 10 ** (ratings[seats[1]] / 400)]
            for seat in (0, 1):
                wins = matches * power[seat] / sum(power)
                rows.append(
                    {"cell": cell, "seating": seating, "seat": seat + 1, "agent": seats[seat], "wins": wins}
                )
    return pd.DataFrame(rows)


def test_known_ratings_and_the_advantage_of_a_seat_are_recovered():
    ratings = _fit_ratings(invent_results({"a": 0.0, "b": 150.0, "c": 400.0}, 50.0, 10**6), ["a", "b", "c"])
    assert ratings == pytest.approx([0, 150, 400, 0, -50], abs=0.5)


def test_the_published_gain_of_a_doubled_budget_is_the_rating_of_its_result():
    """Komodo 9.3: 44.97 % won, 49.20 % drawn, 5.83 % lost, published as 144 points."""
    share = 0.4497 + 0.4920 / 2
    assert ELO * math.log(share / (1 - share)) == pytest.approx(144, abs=1)


def test_only_budgets_of_one_family_make_a_doubling():
    fits = np.arange(3.0) * 100, np.zeros((GROUPS, 3)) + np.arange(3.0) * 100
    assert _fit_elo_per_doubling(["random", "mcts:16", "mcts:64+aim=score"], *fits).mean == pytest.approx(50)
    for order in (["human:ann", "bot:fast", "mcts:16"], ["random", "mcts:16", "other:64"]):
        assert _fit_elo_per_doubling(order, *fits) is None


@pytest.mark.parametrize(
    ("lost", "at_least"),
    [
        ((0, 0), [False, True, True]),
        ((0, 1), [False, True, True]),
        ((1, 0), [False, False, True]),
        ((1, 1), [False, False, False]),
    ],
)
def test_who_never_lost_to_weaker_ones_has_a_rating_that_is_a_lower_bound(lost, at_least):
    """What the stronger one wins itself says nothing about that; a bound goes on to all above it."""
    order = ["a", "b", "c"]
    rows = [
        {"cell": cell, "agent": agent, "wins": wins}
        for cell, (strong, weak, losses) in enumerate([("b", "a", lost[0]), ("c", "b", lost[1])])
        for agent, wins in ((strong, 10 - losses), (weak, losses))
    ]
    assert [_has_unbeaten(pd.DataFrame(rows), order, index) for index in range(3)] == at_least


@pytest.fixture(scope="module")
def ladder_and_db(tmp_path_factory):
    db = tmp_path_factory.mktemp("ladder") / "l.duckdb"
    plan = plan_ladder([CONNECT_FOUR], 2, ["random", "mcts:16", "mcts:64"], 40, 5)
    run_plan(plan, db)
    return db, fit_ladders(db, plan)[0]


@pytest.mark.long
def test_each_agent_is_rated_above_the_one_below_with_an_interval(ladder_and_db):
    _, ladder = ladder_and_db
    assert [rated.agent for rated in ladder.agents] == ["random", "mcts:16", "mcts:64"]
    assert ladder.agents[0].elo.mean == 0
    assert ladder.agents[1].elo.low > 0
    assert ladder.agents[2].elo.mean > ladder.agents[1].elo.mean
    assert ladder.elo_per_doubling.low > 0


@pytest.mark.long
def test_what_was_seen_and_what_the_ratings_say_agree(ladder_and_db):
    _, ladder = ladder_and_db
    for step in ladder.steps:
        assert step.share.low - 0.05 <= step.fitted <= step.share.high + 0.05
        assert step.edge.mean == pytest.approx(2 * step.share.mean - 1)
        assert step.tau.mean == pytest.approx(step.edge.mean, abs=0.02)  # with two players, but for draws
        assert 0 <= step.upsets.low <= step.upsets.mean <= step.upsets.high <= 1


def test_groups_without_deals_do_not_make_a_rating_surer(tmp_path):
    """Five deals in 20 groups: 15 would be left out without a change, and count as degrees of freedom."""
    db = tmp_path / "l.duckdb"
    plan = plan_ladder(["pig"], 2, ["random+force=hold", "random"], 10, 5)
    run_plan(plan, db)
    (ladder,) = fit_ladders(db, plan)
    rating = ladder.agents[1].elo
    assert rating.deals == 5
    counts = _load_counts(db, [cell.id for cell in plan.cells])
    order = ["random+force=hold", "random"]
    without = [_fit_ratings(counts[counts["part"] != group], order)[1] for group in range(5)]
    error = math.sqrt(4 / 5 * np.sum((np.array(without) - np.mean(without)) ** 2))
    assert rating.high - rating.mean == pytest.approx(stats.t.ppf(0.975, 4) * error)


@pytest.mark.long
def test_who_never_loses_has_a_rating_of_at_least_so_much(tmp_path):
    db = tmp_path / "l.duckdb"
    plan = plan_ladder(["pig+target=200"], 2, ["greedy+forbid=hold", "greedy"], GROUPS, 5)
    run_plan(plan, db)
    (ladder,) = fit_ladders(db, plan)
    assert ladder.steps[0].share.mean == 1
    assert [rated.at_least for rated in ladder.agents] == [False, True]
    assert np.isfinite(ladder.agents[1].elo.mean)


@pytest.mark.long
def test_the_command_prints_a_ladder_and_draws_it(ladder_and_db, tmp_path, run_command):
    db, _ = ladder_and_db
    words = [
        "ladder",
        CONNECT_FOUR,
        "--agents",
        "random,mcts:16,mcts:64",
        "--matches",
        "40",
        "--seed",
        "5",
        "--db",
        str(db),
    ]
    done = run_command(*words, "--chart", str(tmp_path / "l.html"), in_process=True)
    assert done.returncode == 0, done.stderr
    assert "Twice the thinking is worth" in done.stdout
    assert "http" not in (tmp_path / "l.html").read_text().split("<body>")[1].split("<script")[0]
    report = json.loads(run_command(*words, "--json", in_process=True).stdout)
    assert report[0]["agents"][0]["agent"] == "random"


def test_a_ladder_needs_two_agents(run_command):
    done = run_command("ladder", CONNECT_FOUR, "--agents", "greedy,greedy", in_process=True)
    assert (done.returncode, done.stderr) == (
        2,
        "boardgames: agents 'greedy,greedy': name at least two different agents, from weak to strong\n",
    )
    with pytest.raises(InvalidInput, match="no agent 'gredy'"):
        plan_ladder([CONNECT_FOUR], 2, ["random", "gredy"], 40, 1)
