"""Numbers are told so that a person can place them: beside what is fair, in rounds, as 1 match in 12."""

import numpy as np
import pytest

from analytics.metric.metric import find_metric, metrics
from analytics.stats.intervals import clip_interval
from analytics.target import read_precision
from analytics.words import compute_win_share, describe_value, format_metric, place_change
from boardgames.play.estimates import estimate_mean_from_sums, estimate_share


@pytest.mark.parametrize(
    ("name", "part", "value", "mean", "players", "sentence"),
    [
        ("seat_win_share", "1", "27.1%", 0.271, 4, "Seat 1 wins 27.1% of the matches, where 25% is fair"),
        ("seat_win_share", "3", "30.0%", 0.3, 3, "Seat 3 wins 30.0% of the matches, where 33.3% is fair"),
        ("length", "", "70.0 turns", 70.0, 4, "A match takes 70.0 turns, or 17.5 rounds"),
        ("tied_after", "", "8.33%", 1 / 12, 4, "The win is shared in 8.33% of the matches, 1 match in 12"),
        ("tied_after", "", "0.02%", 0.0002, 4, "The win is shared in 0.02% of the matches, 1 match in 5,000"),
        ("tied_after", "", "30.0%", 0.3, 4, "The win is shared in 30.0% of the matches"),
        ("tied_after", "", "0.00%", 0.0, 4, "The win is shared in 0.00% of the matches"),
        ("forced_share", "", "2.50%", 0.025, 2, "2.50% of the decisions are forced, 1 decision in 40"),
        ("seat_imbalance", "", "7.80%", 0.078, 4, "Seat imbalance is 7.80%, where 0 is fair"),
        ("lead_changes", "", "3.30 times", 3.3, 4, "The lead changes 3.30 times"),
        ("luck", "", "41.0%", 0.41, 2, "Of who wins, 41.0% is decided by all shuffles and dice together"),
    ],
)
def test_a_value_is_told_with_what_helps_to_place_it(name, part, value, mean, players, sentence):
    assert describe_value(find_metric(name), part, value, mean, players) == sentence


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("seat_win_share", 0.26, 0.271, "25% is fair"),
        ("length", 70.0, 73.5, "in rounds, 18.4 instead of 17.5"),
        ("length", 70.0, 70.1, "17.5 rounds"),
        ("tied_after", 1 / 12, 1 / 18, "1 match in 18 instead of 1 in 12"),
        ("tied_after", 0.0891, 0.117, "1 match in 9 instead of 1 in 11"),
        ("tied_after", 0.0501, 0.0502, "about 1 match in 20"),
        ("tied_after", 0.05, 0.3, ""),  # 1 in 3 would not help
        ("tied_after", 0.0, 0.05, ""),
        ("score_level", 0.01, 0.02, ""),
    ],
)
def test_a_change_is_told_with_what_helps_to_place_it(name, old, new, words):
    assert place_change(find_metric(name), old, new, 4) == words


def test_a_leader_is_placed_beside_pure_chance():
    metric = find_metric("leader_conversion")
    assert place_change(metric, 0.5, 0.6, 4, chance=0.644) == "64.4% is pure chance"


def test_every_metric_has_a_sentence_of_its_own():
    sentences = [metric.describe_value("1.00", "x") for metric in metrics().values()]
    assert all("1.00" in sentence and "{" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


def test_a_metric_is_named_by_its_title():
    assert format_metric("seat_win_share", "2") == "Wins by seat: 2"
    assert format_metric("length") == "Match length"


def test_percent_may_be_written_with_and_without_a_space():
    with_space, without = read_precision("length within 10 %"), read_precision("length within 10%")
    assert with_space == without
    assert without.describe() == "length within 10%"


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("wins", [0, 1, 5, 32, 63.5, 64])
def test_a_share_of_the_wins_has_the_interval_of_a_share_however_rarely_an_agent_wins(wins, players):
    """As `Batch.shares` says it of the same 64 deals."""
    shares = np.clip(wins - np.arange(64), 0, 1)
    edges = (shares - 1 / players) / (1 - 1 / players)
    edge = clip_interval((-1.0, 1.0), estimate_mean_from_sums(64, edges.sum(), (edges**2).sum()))
    share = compute_win_share(edge, players)
    assert share == pytest.approx(estimate_share(shares))
    assert 0 <= share.low < share.high <= 1
