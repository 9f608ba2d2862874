"""Numbers are told so that a person can place them: beside what is fair, in rounds, as 1 match in 12."""

import math

import numpy as np
import pytest

from analytics.metric.metric import find_metric, metrics
from analytics.show.terminal.comparison import describe_affected
from analytics.stats.intervals import Estimate, clip_interval
from analytics.target import read_precision
from analytics.verdict.results import Contrast
from analytics.words import (
    compute_win_share,
    describe_value,
    find_change_digits,
    format_metric,
    format_number,
    place_change,
)
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


@pytest.mark.parametrize(
    ("value", "unit", "difference", "text"),
    [
        (61.44, "turns", False, "61.4"),
        (1.234, "points", True, "+1.23"),
        (0.0034, "points", False, "0.003"),  # give or take 0.00 would say that it is exact
        (-0.0034, "points", True, "-0.003"),
        (0.99971, "share", False, "99.97"),  # not all matches
        (0.00002, "share", False, "0.002"),
        (1.0, "share", False, "100.0"),
        (0.0, "share", True, "0.00"),
        (1e-17, "points", False, "0.00"),
    ],
)
def test_what_is_not_0_and_not_all_is_not_written_so(value, unit, difference, text):
    assert format_number(value, unit, difference) == text


@pytest.mark.parametrize(
    ("old", "new", "unit", "texts"),
    [
        (1.2334, 0.9479, "points", ("1.233", "0.948", "-0.29")),
        (70.04, 61.36, "turns", ("70.04", "61.36", "-8.68")),
        (70.0, 73.5, "turns", ("70.0", "73.5", "+3.50")),
        (0.5, 0.52, "share", ("50.0", "52.0", "+2.00")),
        (math.nan, 0.5, "share", ("?", "50.0", "?")),
    ],
)
def test_a_written_difference_is_the_one_between_the_written_values(old, new, unit, texts):
    digits = find_change_digits(old, new, new - old, unit)
    old_text, new_text = (
        format_number(value, unit, digits=count) for value, count in ((old, digits.old), (new, digits.new))
    )
    assert (old_text, new_text, format_number(new - old, unit, True, digits.difference)) == texts


def test_nearly_every_match_is_not_written_as_every_one():
    contrast = Contrast(
        a="old",
        b="new",
        players=2,
        agent="random",
        changes=(),
        affected=Estimate(0.9999, 0.9995, 1.0, 20_000),
        affected_low=0.99971,
        affected_high=1.0,
    )
    assert describe_affected(contrast) == "The change affects nearly every match (at least 99.97%)"


def test_no_pair_of_values_is_written_with_a_difference_that_contradicts_it():
    rng = np.random.default_rng(3)
    for old, new in rng.normal(0, 10, (2000, 2)) * rng.choice([0.1, 1, 10], (2000, 1)):
        digits = find_change_digits(old, new, new - old, "points")
        a, b = (
            float(format_number(v, "points", digits=d)) for v, d in ((old, digits.old), (new, digits.new))
        )
        written = float(format_number(new - old, "points", True, digits.difference))
        assert abs(b - a - written) <= 0.5 * 10 ** -min(digits) + 1e-9


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
