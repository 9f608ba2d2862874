"""Every metric gives the known answer of a truth game, read from a real file: four standard errors are allowed."""

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analytics.metric.chance_race import LAST_AT_HALF, LEADER, calibration
from analytics.metric.evidence import gather
from analytics.metric.handbook import facts, page
from analytics.metric.lift import win_lift
from analytics.metric.metric import FIRST_RELEASE, Metric, _brought_by, find_metric, metrics
from analytics.stats.intervals import Estimate
from boardgames import BadInput, play_batch, simulate
from boardgames.experiment.plan import Played, make_plan
from boardgames.experiment.values import match_values
from boardgames.game.plugins import find_variant
from boardgames.play.batch import Batch
from boardgames.store.rows import store_played
from tests.truth import tic_tac_toe

BLOCKS = 4096
ROOT = Path(__file__).parent.parent.parent
LENGTHS = {5: Fraction(2, 21), 6: Fraction(37, 420), 7: Fraction(37, 140), 8: Fraction(1, 5), 9: Fraction(37, 105)}
DRAW = 8 / 63


class Answers:
    """The metrics of one cell of a file."""

    def __init__(self, path: Path, cell: int) -> None:
        self.path, self.cell = path, cell
        self.evidence = gather(path, [cell], [metric for metric in metrics().values() if metric.kind != "rows"])

    def __call__(self, name: str, part: str = "") -> Estimate:
        return self.evidence.estimate(find_metric(name), self.cell, part)


def played(folder: Path, spec: str, players: int = 2, blocks: int = BLOCKS) -> Answers:
    plan = make_plan([spec], str(players), ["random"], blocks, seed=7)
    path = folder / f"{spec.rpartition('.')[2].replace(':', '-')}-{players}.duckdb"
    simulate(plan, path)
    return Answers(path, plan.cells[0].id)


def agrees(estimate: Estimate, truth: float) -> bool:
    """Within four standard errors, which is a little over twice the interval's half-width."""
    half = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    assert math.isfinite(half)
    return abs(estimate.mean - truth) <= 2.05 * half + 1e-9


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("metrics")


@pytest.fixture(scope="module")
def noughts(folder) -> Answers:
    return played(folder, "tests.truth.tic_tac_toe:GAME")


@pytest.fixture(scope="module")
def coins(folder) -> Answers:
    return played(folder, "tests.truth.coin_race:GAME+steps=21")


@pytest.fixture(scope="module")
def charms(folder) -> Answers:
    return played(folder, "tests.analytics.charm:GAME")


# ---- fairness and outcome


def test_seat_win_shares_of_tic_tac_toe_split_draws(noughts):
    assert agrees(noughts("seat_win_share", "1"), 737 / 1260 + DRAW / 2)
    assert agrees(noughts("seat_win_share", "2"), 121 / 420 + DRAW / 2)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seat_win_shares_of_the_first_six_are_right_for_each_player_count(folder, players):
    answers = played(folder, "tests.truth.first_six:GAME", players)
    chances = [(5 / 6) ** seat / 6 / (1 - (5 / 6) ** players) for seat in range(players)]
    for seat, chance in enumerate(chances, 1):
        assert agrees(answers("seat_win_share", str(seat)), chance)
    truth = math.hypot(*(chance - 1 / players for chance in chances))
    found = answers("seat_imbalance")
    assert found.low <= truth <= found.high
    assert abs(found.mean - truth) < 0.03


def test_the_imbalance_of_a_fair_game_is_not_taken_for_unfair_by_noise(coins):
    found = coins("seat_imbalance")
    assert found.low == 0
    assert found.mean < 0.012
    assert 0 < found.high < 0.05


def test_ties_and_margins_and_scores_of_tic_tac_toe(noughts):
    for name in ("tied_before", "tied_after", "close_finish"):
        assert agrees(noughts(name), DRAW)
    assert agrees(noughts("victory_margin"), 1 - DRAW)
    win = (1 - DRAW) / 2
    assert agrees(noughts("score_level"), win)
    assert agrees(noughts("score_spread"), math.sqrt(win * (1 - win)))


def test_a_finish_is_close_up_to_exactly_one_lap_as_its_question_says(noughts):
    """The winner scored 6 points in 2 laps: 3 a lap."""
    batch = play_batch(find_variant("tests.truth.tic_tac_toe:GAME"), "random", 2, 3, plain=True)
    batch.matches["laps"], batch.matches["margin"] = 2, [2, 3, 4]
    batch.seats["score"], batch.seats["win_share"] = [6, 3], [1, 0]
    close = match_values(tic_tac_toe.GAME, batch, np.array([[1, 1]]))["close"]
    assert close.tolist() == [True, True, False]
    assert find_metric("close_finish").question == "How often is the second at most one lap behind the winner?"


def test_tie_breaks_are_told_from_ties(folder):
    answers = played(folder, "tests.truth.card_game:GAME", blocks=512)
    assert answers("tied_before").mean > 2 * answers("tied_after").mean


def test_end_reasons_of_tic_tac_toe_add_up(noughts):
    full = 1 - float(sum(chance for length, chance in LENGTHS.items() if length < 9))
    assert agrees(noughts("end_reason", "full board"), DRAW)
    assert agrees(noughts("end_reason", "three in a row"), 1 - DRAW)
    assert noughts("end_reason", "cut off").mean == 0
    assert noughts("end_reason", "cut off").high > 0
    assert full > DRAW


# ---- pace


def test_length_and_decisions_of_tic_tac_toe(noughts):
    assert agrees(noughts("length"), 3203 / 420)
    assert agrees(noughts("decisions"), 3203 / 840)


def test_length_of_chutes_and_ladders_and_all_its_decisions_are_forced(folder):
    answers = played(folder, "tests.truth.chutes:GAME", blocks=1024)
    assert agrees(answers("length"), 52.154)
    assert answers("forced_share").mean == 1
    assert answers("branching_pooled").mean == 1


def test_downtime_counts_the_decisions_of_others_per_turn(noughts):
    truth = sum(float(chance) * ((n // 2) / -(-n // 2) + -(-n // 2) / (n // 2)) / 2 for n, chance in LENGTHS.items())
    assert agrees(noughts("downtime"), truth)


def test_the_three_branching_factors_of_tic_tac_toe_are_told_apart(noughts):
    assert agrees(noughts("branching_pooled"), 17861 / 3203)
    assert agrees(noughts("branching_mean"), 4777 / 840)
    geometric = sum(float(p) * math.exp(sum(math.log(9 - k) for k in range(n)) / n) for n, p in LENGTHS.items())
    assert agrees(noughts("branching_geometric"), geometric)
    assert agrees(noughts("forced_share"), 0.04620668123634093)


# ---- tension


def test_lead_changes_of_the_coin_race_are_fellers(coins):
    assert agrees(coins("lead_changes"), 1.3500690460205078)
    assert agrees(coins("wire_to_wire"), 0.3363761901855469)


def ahead(at: int, steps: int) -> float:
    """The chance that the leader of a coin race after `at` tosses wins it after `steps`, an odd number."""
    chance, led = 0.0, 0.0
    for heads in range(at + 1):
        lead = 2 * heads - at
        if lead > 0:
            here = math.comb(at, heads) / 2**at
            rest = steps - at
            chance += here * sum(math.comb(rest, k) / 2**rest for k in range(rest + 1) if lead + 2 * k - rest > 0)
            led += here
    return chance / led


def test_leaders_of_the_coin_race_win_as_often_as_they_should(coins):
    for part, laps in (("25", 5), ("50", 10), ("75", 15)):
        assert agrees(coins("leader_conversion", part), ahead(laps, 21))
    assert ahead(10, 21) == pytest.approx(0.8115234375)
    assert agrees(coins("comeback"), 1 - 0.8115234375)


def test_the_luck_race_is_that_of_brownian_motion():
    rng = np.random.default_rng(1)
    for players in (2, 3, 4, 5):
        steps = rng.normal(size=(200_000, players, 4)).cumsum(axis=2)
        won = steps[:, :, 3].argmax(axis=1)
        for quarter, part in enumerate(("25", "50", "75")):
            assert np.mean(steps[:, :, quarter].argmax(axis=1) == won) == pytest.approx(LEADER[players][part], abs=0.005)
        assert np.mean(steps[:, :, 1].argmin(axis=1) == won) == pytest.approx(LAST_AT_HALF[players], abs=0.005)


def test_leading_is_calibrated_in_the_coin_race_and_not_where_the_outlook_says_nothing(coins, noughts):
    found = calibration(coins.path, coins.cell)
    assert found.holds
    assert found.chances == sorted(found.chances)
    assert not calibration(noughts.path, noughts.cell).holds


# ---- skill


def stored_contest(path: Path, cell: int, batch: Batch, blocks: int, agents: list[list[int]], spec: str) -> Answers:
    """A file with a cell in which these agents sit, whatever was in the seats when it was played."""
    simulate([spec], path, players=str(len(agents[0])), agents=["random"], blocks=1)  # makes the file
    about = SimpleNamespace(id=cell, variant=find_variant(spec), agents=np.array(agents))
    store_played(path, [Played(about, 0, blocks, batch, 1.0)])
    return Answers(path, cell)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("p", [20, 70])
def test_the_skill_fraction_of_the_p_deterministic_game_is_p(folder, players, p):
    spec = f"tests.truth.p_deterministic:GAME+p={p}"
    batch = play_batch(find_variant(spec), "random", players, 2048, seed=3)
    path = folder / f"skill-{players}-{p}.duckdb"
    answers = stored_contest(path, 1, batch, 2048, [list(range(1, players + 1))], spec)
    assert agrees(answers("skill_fraction"), p / 100)
    assert agrees(answers("skill_edge", "1"), p / 100)


def test_the_skill_edge_of_pig_is_that_of_the_exact_matrix_with_seats_swapped(folder):
    blocks, pig = 2048, "tests.truth.pig:GAME"
    both = [
        play_batch(find_variant(f"{pig}+hold_at={a}/{b}/0/0/0"), "random", 2, blocks, seed=3)
        for a, b in (("20", "10"), ("10", "20"))
    ]
    rows = [np.stack([one[column] for one in both], axis=1) for column in (0, 1)]
    mixed = Batch(*(several.reshape(2 * blocks, *several.shape[2:]) for several in rows))
    answers = stored_contest(folder / "pig.duckdb", 2, mixed, blocks, [[1, 2], [2, 1]], pig)
    win = (0.7270312069369984 + 1 - 0.3355957148822126) / 2
    assert agrees(answers("skill_edge", "1"), 2 * win - 1)
    assert agrees(answers("skill_edge", "2"), 1 - 2 * win)
    assert agrees(answers("seat_win_share", "1"), (0.7270312069369984 + 0.3355957148822126) / 2)


# ---- strategy


def test_usage_counts_per_seat_and_match(charms):
    assert agrees(charms("usage", "worn: charm"), 0.5)
    assert agrees(charms("usage", "worn: hat"), 0.5)


def test_a_charm_lifts_the_chance_to_win_and_a_hat_does_not(charms):
    charm, hat = win_lift(charms.path, charms.cell, find_metric("win_lift"))
    assert (charm.counter, hat.counter) == ("worn: charm", "worn: hat")
    assert agrees(charm.lift, 5 / 3)
    assert agrees(hat.lift, 1)
    assert charm.q < 0.001 < hat.q
    assert charm.users == pytest.approx(0.5, abs=0.03)


# ---- the registry


def test_every_metric_is_explained_and_has_its_query():
    for metric in FIRST_RELEASE:
        told = facts(metric)
        assert metric.question.endswith("?")
        assert told["sql"].startswith("-- ")
        assert "SELECT" in told["sql"]
        assert metric.margin > 0


def test_the_page_about_metrics_is_up_to_date():
    assert (ROOT / "docs/metrics.md").read_text().rstrip() == page().rstrip(), (
        "python -m analytics.metric.handbook > docs/metrics.md"
    )


def test_an_unknown_metric_is_told_with_the_nearest_names():
    with pytest.raises(BadInput, match="did you mean seat_win_share"):
        find_metric("seat_win_shares")


def plugged(name: str, definition: str, **more: Any) -> Metric:
    return Metric(name, "pace", "How?", "times", "more", "0 and more", 0.5, definition=definition, **more)


def impossible(top: Any, base: Any) -> Any:
    raise ZeroDivisionError("this formula never works")


def test_a_plug_ins_metric_that_cannot_be_asked_is_told_once_and_the_others_go_on(coins, capsys):
    good = "SELECT cell_id, '' AS part, slice, blocks, total AS top, blocks AS base FROM slice WHERE value = 'turns'"
    bad = [plugged("no_column", "SELECT nosuch FROM slice"), plugged("no_formula", good, kind="ratio", formula=impossible)]
    for _ in range(2):
        found = gather(coins.path, [coins.cell], [bad[0], find_metric("length"), bad[1]])
        assert [found.parts(metric, coins.cell) for metric in bad] == [[], []]
        assert found.estimate(find_metric("length"), coins.cell) == coins("length")
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert told[0].startswith("boardgames: metric 'no_column', of a plug-in, cannot be asked: Binder Error")
    assert "this formula never works; it is left out" in told[1]


def test_who_names_a_metric_that_cannot_be_asked_is_stopped(coins):
    with pytest.raises(BadInput, match="metric 'no_column', of a plug-in, cannot be asked"):
        gather(coins.path, [coins.cell], [plugged("no_column", "SELECT nosuch FROM slice", named=True)])
    assert find_metric("length").named


BAD = {
    "line_ups of 'm' is one of any, equal, mixed": [plugged("m", "SELECT 1", line_ups="some")],
    "there is a metric 'm' already": [plugged("m", "SELECT 1"), plugged("m", "SELECT 2")],
    "there is a metric 'length' already": [plugged("length", "SELECT 1")],
    "'m' has no family": [replace(plugged("m", "SELECT 1"), family=" ")],
}


@pytest.mark.parametrize("words", BAD)
def test_what_a_plug_in_offers_is_checked(words, monkeypatch):
    monkeypatch.setattr("analytics.metric.metric.plugged_in", lambda name, group: BAD[words])
    with pytest.raises(BadInput, match=words):
        _brought_by("club", metrics())


def test_the_known_lengths_of_tic_tac_toe_are_a_distribution():
    assert sum(LENGTHS.values()) == 1
    assert tic_tac_toe.GAME.turns == (5, 9)
