"""Every metric gives the known answer of a truth game, read from a real file: four standard errors are
allowed.
"""

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analytics.metric.built_in import BUILT_IN
from analytics.metric.chance_race import LAST_AT_HALF, LEADER, measure_calibration
from analytics.metric.evidence import load_evidence
from analytics.metric.metric import Metric, _load_plugin_metrics, find_metric, metrics
from analytics.metric.wording import PLAIN
from analytics.show.handbook import collect_facts, render_page
from analytics.stats.intervals import Estimate
from boardgames import InvalidInput, play_batch, run_plan, simulate
from boardgames.errors import PluginError
from boardgames.examples import tic_tac_toe
from boardgames.game.plugins import find_variant
from boardgames.plan.plan import make_plan
from boardgames.plan.played import PlayedDeals
from boardgames.plan.values import compute_match_values
from boardgames.play.batch import Batch
from boardgames.store.connection import open_for_writing
from boardgames.store.schema import Cell
from boardgames.store.write import store_played

DEALS = 4096
ROOT = Path(__file__).parent.parent.parent
LENGTHS = {
    5: Fraction(2, 21),
    6: Fraction(37, 420),
    7: Fraction(37, 140),
    8: Fraction(1, 5),
    9: Fraction(37, 105),
}
DRAW = 8 / 63


class Answers:
    """The metrics of one cell of a file."""

    def __init__(self, path: Path, cell: int) -> None:
        self.db, self.cell = path, cell
        self.evidence = load_evidence(path, [cell], list(metrics().values()))

    def __call__(self, name: str, part: str = "") -> Estimate:
        return self.evidence.estimate(find_metric(name), self.cell, part)


def play(folder: Path, spec: str, players: int = 2, deals: int = DEALS) -> Answers:
    plan = make_plan([spec], str(players), ["random"], deals, seed=7)
    db = folder / f"{spec.rpartition('.')[2].replace(':', '-')}-{players}.duckdb"
    run_plan(plan, db)
    return Answers(db, plan.cells[0].id)


def assert_agrees(estimate: Estimate, truth: float) -> bool:
    """Within four standard errors, which is a little over twice the interval's half-width."""
    half = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    assert math.isfinite(half)
    return abs(estimate.mean - truth) <= 2.05 * half + 1e-9


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("metrics")


@pytest.fixture(scope="module")
def noughts(folder) -> Answers:
    return play(folder, "tic-tac-toe")


@pytest.fixture(scope="module")
def coins(folder) -> Answers:
    return play(folder, "tests.truth.coin_race:GAME+steps=21")


@pytest.fixture(scope="module")
def charms(folder) -> Answers:
    return play(folder, "tests.analytics.support.charm:GAME")


# ---- fairness and outcome


def test_seat_win_shares_of_tic_tac_toe_split_draws(noughts):
    assert assert_agrees(noughts("seat_win_share", "1"), 737 / 1260 + DRAW / 2)
    assert assert_agrees(noughts("seat_win_share", "2"), 121 / 420 + DRAW / 2)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seat_win_shares_of_the_first_six_are_right_for_each_player_count(folder, players):
    answers = play(folder, "tests.truth.first_six:GAME", players)
    chances = [(5 / 6) ** seat / 6 / (1 - (5 / 6) ** players) for seat in range(players)]
    for seat, chance in enumerate(chances, 1):
        assert assert_agrees(answers("seat_win_share", str(seat)), chance)
    truth = math.hypot(*(chance - 1 / players for chance in chances))
    estimates = answers("seat_imbalance")
    assert estimates.low <= truth <= estimates.high
    assert abs(estimates.mean - truth) < 0.03


@pytest.mark.long
def test_the_imbalance_of_a_fair_game_is_not_taken_for_unfair_by_noise(coins):
    estimates = coins("seat_imbalance")
    assert estimates.low == 0
    assert estimates.mean < 0.012
    assert 0 < estimates.high < 0.05


def test_ties_winning_margins_and_scores_of_tic_tac_toe(noughts):
    for name in ("tied_before", "tied_after", "close_finish"):
        assert assert_agrees(noughts(name), DRAW)
    assert assert_agrees(noughts("winning_margin"), 1 - DRAW)
    win = (1 - DRAW) / 2
    assert assert_agrees(noughts("score_level"), win)
    assert assert_agrees(noughts("score_spread"), math.sqrt(win * (1 - win)))


def test_a_finish_is_close_up_to_exactly_one_round_as_its_question_says(noughts):
    """The winner scored 6 points in 2 rounds: 3 a round."""
    batch = play_batch(find_variant("tic-tac-toe"), "random", 2, 3, compiled=False)
    batch.matches["rounds"], batch.matches["winning_margin"] = 2, [2, 3, 4]
    batch.seats["score"], batch.seats["win_share"] = [6, 3], [1, 0]
    close = compute_match_values(tic_tac_toe.GAME, batch, np.array([[1, 1]]))["close"]
    assert close.tolist() == [True, True, False]
    assert find_metric("close_finish").question == "How often is the gap at most the winner's average round?"


def test_tie_breaks_are_reported_from_ties(folder):
    answers = play(folder, "magpies", deals=512)
    assert answers("tied_before").mean > 2 * answers("tied_after").mean


def test_end_reasons_of_tic_tac_toe_add_up(noughts):
    full = 1 - float(sum(chance for length, chance in LENGTHS.items() if length < 9))
    assert assert_agrees(noughts("end_reason", "full board"), DRAW)
    assert assert_agrees(noughts("end_reason", "three in a row"), 1 - DRAW)
    assert noughts("end_reason", "cut off").mean == 0
    assert noughts("end_reason", "cut off").high > 0
    assert full > DRAW


# ---- pace


def test_length_and_decisions_of_tic_tac_toe(noughts):
    assert assert_agrees(noughts("length"), 3203 / 420)
    assert assert_agrees(noughts("decisions"), 3203 / 840)


@pytest.mark.long
def test_length_of_chutes_and_ladders_and_all_its_decisions_are_forced(folder):
    answers = play(folder, "tests.truth.chutes:GAME", deals=1024)
    assert assert_agrees(answers("length"), 52.154)
    assert answers("forced_share").mean == 1
    assert answers("branching_pooled").mean == 1


def test_downtime_counts_the_decisions_of_others_per_turn(noughts):
    truth = sum(
        float(chance) * ((n // 2) / -(-n // 2) + -(-n // 2) / (n // 2)) / 2 for n, chance in LENGTHS.items()
    )
    assert assert_agrees(noughts("downtime"), truth)


def test_the_options_per_decision_of_tic_tac_toe_are_those_of_all_decisions_together(noughts):
    assert assert_agrees(noughts("branching_pooled"), 17861 / 3203)
    assert assert_agrees(noughts("forced_share"), 0.04620668123634093)


# ---- tension


def test_lead_changes_of_the_coin_race_are_fellers(coins):
    assert assert_agrees(coins("lead_changes"), 1.3500690460205078)
    assert assert_agrees(coins("wire_to_wire"), 0.3363761901855469)


def chance_of_leader(at: int, steps: int) -> float:
    """The chance that the leader of a coin race after `at` tosses wins it after `steps`, an odd number."""
    chance, led = 0.0, 0.0
    for heads in range(at + 1):
        lead = 2 * heads - at
        if lead > 0:
            probability = math.comb(at, heads) / 2**at
            rest = steps - at
            chance += probability * sum(
                math.comb(rest, k) / 2**rest for k in range(rest + 1) if lead + 2 * k - rest > 0
            )
            led += probability
    return chance / led


def test_leaders_of_the_coin_race_win_as_often_as_they_should(coins):
    for part, rounds in (("25", 5), ("50", 10), ("75", 15)):
        assert assert_agrees(coins("leader_conversion", part), chance_of_leader(rounds, 21))
    assert chance_of_leader(10, 21) == pytest.approx(0.8115234375)
    assert assert_agrees(coins("comeback"), 1 - 0.8115234375)


def test_the_luck_race_is_that_of_brownian_motion():
    rng = np.random.default_rng(1)
    for players in (2, 3, 4, 5):
        steps = rng.normal(size=(200_000, players, 4)).cumsum(axis=2)
        won = steps[:, :, 3].argmax(axis=1)
        for quarter, part in enumerate(("25", "50", "75")):
            assert np.mean(steps[:, :, quarter].argmax(axis=1) == won) == pytest.approx(
                LEADER[players][part], abs=0.005
            )
        assert np.mean(steps[:, :, 1].argmin(axis=1) == won) == pytest.approx(
            LAST_AT_HALF[players], abs=0.005
        )


def test_leading_is_calibrated_in_the_coin_race_and_not_where_the_evaluation_says_nothing(coins, noughts):
    calibration = measure_calibration(coins.db, coins.cell)
    assert calibration.holds
    assert calibration.chances == sorted(calibration.chances)
    assert not measure_calibration(noughts.db, noughts.cell).holds


# ---- skill


def store_contest(
    path: Path, cell: int, batch: Batch, deals: int, agents: list[list[int]], spec: str
) -> Answers:
    """A file with a cell in which these agents sit, whatever was in the seats when it was played."""
    simulate(spec, db=path, players=str(len(agents[0])), agents=["random"], matches=1)  # makes the file
    with open_for_writing(path) as session:
        session.add(
            Cell(id=cell, variant_id=0, players=len(agents[0]), line_up="", seed=3, engine=0, seatings=1)
        )
    about = SimpleNamespace(id=cell, game=find_variant(spec).game, agents=np.array(agents))
    store_played(path, [PlayedDeals(about, 0, deals, batch, 1.0)])
    return Answers(path, cell)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("p", [20, 70])
def test_the_skill_fraction_of_the_p_deterministic_game_is_p(folder, players, p):
    spec = f"tests.truth.p_deterministic:GAME+p={p}"
    batch = play_batch(find_variant(spec), "random", players, 2048, seed=3)
    db = folder / f"skill-{players}-{p}.duckdb"
    answers = store_contest(db, 1, batch, 2048, [list(range(1, players + 1))], spec)
    assert assert_agrees(answers("skill_fraction"), p / 100)
    assert assert_agrees(answers("skill_edge", "1"), p / 100)


def test_the_skill_edge_of_pig_is_that_of_the_exact_matrix_with_seats_swapped(folder):
    deals, pig = 2048, "pig"
    both = [
        play_batch(find_variant(f"{pig}+hold_at={a}/{b}/0/0/0"), "random", 2, deals, seed=3)
        for a, b in (("20", "10"), ("10", "20"))
    ]
    rows = [np.stack([pair[column] for pair in both], axis=1) for column in (0, 1)]
    mixed = Batch(*(columns.reshape(2 * deals, *columns.shape[2:]) for columns in rows))
    answers = store_contest(folder / "pig.duckdb", 2, mixed, deals, [[1, 2], [2, 1]], pig)
    win = (0.7270312069369984 + 1 - 0.3355957148822126) / 2
    assert assert_agrees(answers("skill_edge", "1"), 2 * win - 1)
    assert assert_agrees(answers("skill_edge", "2"), 1 - 2 * win)
    assert assert_agrees(answers("seat_win_share", "1"), (0.7270312069369984 + 0.3355957148822126) / 2)


# ---- strategy


def test_usage_counts_per_seat_and_match(charms):
    assert assert_agrees(charms("usage", "worn: charm"), 0.5)
    assert assert_agrees(charms("usage", "worn: hat"), 0.5)


# ---- the registry


def test_every_metric_is_explained_and_has_its_query():
    for metric in BUILT_IN:
        output = collect_facts(metric)
        assert metric.question.endswith("?")
        assert output["sql"].startswith("-- ")
        assert "SELECT" in output["sql"]
        assert metric.threshold > 0


SENTENCES = {
    ("length", 1, ""): "Matches are longer",
    ("length", 0, ""): "Matches are about as long",
    ("lead_changes", -1, ""): "The lead changes less often",
    ("seat_win_share", 1, "1"): "Seat 1 wins more often",
    ("leader_conversion", 1, "75"): "The leader at 75% wins more often",
    ("winning_margin", -1, ""): "The winning margin is smaller",
    ("score_level", 0, ""): "Scores are about the same",
    ("skill_edge", 1, ""): "The edge of agent 1 is larger",
}


@pytest.mark.parametrize(("name", "sign", "part"), SENTENCES)
def test_a_metric_says_what_a_change_does(name, sign, part):
    assert find_metric(name).describe_change(sign, part) == SENTENCES[name, sign, part]


def test_every_metric_has_words_of_its_own_and_names_its_part():
    for metric in BUILT_IN:
        assert metric.wording is not PLAIN
        assert len({metric.describe_change(sign) for sign in (-1, 0, 1)}) == 3
        assert ("{part}" in metric.wording.subject) == bool(metric.parts)


def test_a_metric_without_words_forms_sentences_from_its_title():
    plain = make_plug_in("lucky_throws", "SELECT 1")
    assert plain.describe_change(1) == "Lucky throws: higher"
    titled = replace(plain, title="Throws by seat", parts="seat")
    assert titled.describe_change(-1, "2") == "Throws by seat 2: lower"
    assert titled.name_subject("2") == "Throws by seat 2"
    assert (plain.sentence_unit, find_metric("lead_changes").sentence_unit) == ("times", "times")


def test_the_page_about_metrics_is_up_to_date():
    assert (ROOT / "docs/reference/metrics.md").read_text().rstrip() == render_page().rstrip(), "make pages"


def test_an_unknown_metric_is_reported_with_the_nearest_names():
    with pytest.raises(InvalidInput, match="did you mean seat_win_share"):
        find_metric("seat_win_shares")


def make_plug_in(name: str, definition: str, **more: Any) -> Metric:
    words = {"group": "pace", "question": "How?", "unit": "times", "bounds": (0.0, math.inf)}
    return Metric(name=name, threshold=0.5, definition=definition, **words, **more)


def make_impossible(top: Any, base: Any) -> Any:
    raise ZeroDivisionError("this formula never works")


def test_a_plug_ins_metric_that_cannot_be_asked_is_reported_once_and_the_others_go_on(coins, caplog):
    good = (
        "SELECT cell_id, '' AS part, slice, deals, total AS top, deals AS base FROM slice WHERE"
        " value = 'turns'"
    )
    bad = [
        make_plug_in("no_column", "SELECT nosuch FROM slice"),
        make_plug_in("no_formula", good, kind="ratio", formula=make_impossible),
    ]
    for _ in range(2):
        evidence = load_evidence(coins.db, [coins.cell], [bad[0], find_metric("length"), bad[1]])
        assert [evidence.list_parts(metric, coins.cell) for metric in bad] == [[], []]
        assert evidence.estimate(find_metric("length"), coins.cell) == coins("length")
    lines = caplog.messages
    assert len(lines) == 2
    assert lines[0].startswith("boardgames: metric 'no_column', of a plug-in, cannot be asked: Binder Error")
    assert "this formula never works; it is left out" in lines[1]


def test_who_names_a_metric_that_cannot_be_asked_is_stopped(coins):
    with pytest.raises(PluginError, match="metric 'no_column', of a plug-in, cannot be asked"):
        load_evidence(
            coins.db, [coins.cell], [make_plug_in("no_column", "SELECT nosuch FROM slice", is_required=True)]
        )
    assert find_metric("length").is_required


BAD = {
    "line_ups of 'm' is one of any, equal, mixed": [make_plug_in("m", "SELECT 1", line_ups="some")],
    "there is a metric 'm' already": [make_plug_in("m", "SELECT 1"), make_plug_in("m", "SELECT 2")],
    "there is a metric 'length' already": [make_plug_in("length", "SELECT 1")],
    "'m' has no group": [replace(make_plug_in("m", "SELECT 1"), group=" ")],
}


@pytest.mark.parametrize("words", BAD)
def test_what_a_plug_in_offers_is_checked(words, monkeypatch):
    monkeypatch.setattr("analytics.metric.metric.load_plugin", lambda name, group: BAD[words])
    with pytest.raises(PluginError, match=words):
        _load_plugin_metrics("club", metrics())


def test_the_known_lengths_of_tic_tac_toe_are_a_distribution():
    assert sum(LENGTHS.values()) == 1
    assert tic_tac_toe.GAME.turns == (5, 9)
