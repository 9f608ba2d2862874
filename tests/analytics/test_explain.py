"""A change of several parameters is taken apart: what each does alone, and what only their meeting does."""

import re
from dataclasses import replace

import pytest

from analytics import compare
from analytics.questions.explain import Effect, MetricExplanation, explain_change, make_switches
from analytics.show.terminal.explanation import describe_causes, show_explanation
from analytics.stats.intervals import Estimate
from boardgames import InvalidInput

P = "tests.truth.p_deterministic:GAME"
SIX = "tests.truth.first_six:GAME"


@pytest.fixture(scope="module")
def explained_change(tmp_path_factory):
    """Seat 1 wins 75 %. Skill in all matches: 100 %; the other seat stronger: 25 %; both: none. So half of it
    is interaction.
    """
    db = tmp_path_factory.mktemp("explain") / "p.duckdb"
    asked = {"players": "2", "agents": ["random"], "main_metrics": ["seat_win_share", "tied_after"]}
    (explanation,) = explain_change(P, f"{P}+p=100+strength=1/2/3/4/5", db=db, matches=1024, **asked)
    return explanation


def find_line(explanation, metric, part=""):
    (line,) = [line for line in explanation.lines if (line.metric, line.part) == (metric, part)]
    return line


def test_each_parameter_alone_and_their_meeting_have_the_planted_effects(explained_change):
    share = find_line(explained_change, "seat_win_share", "1")
    by_name = {effect.parameter: effect for effect in share.effects}
    truths = [
        (by_name["p"].from_a, 0.25),
        (by_name["strength"].from_a, -0.5),
        (by_name["p"].from_b, -0.25),
        (by_name["strength"].from_b, -1.0),
        (share.interaction, -0.5),
        (share.whole, -0.75),
    ]
    for estimate, truth in truths:
        assert abs(estimate.mean - truth) <= 2 * (estimate.high - estimate.mean)
        assert estimate.high > estimate.low
    assert by_name["p"].change == "50 -> 100"


def test_where_nothing_differs_the_interval_still_has_a_width(explained_change):
    ties = find_line(explained_change, "tied_after")
    assert ties.whole.mean == ties.interaction.mean == 0
    assert 0 < ties.whole.high < 0.01


def test_what_stands_out_is_said_in_words(explained_change):
    output = [element for element in show_explanation(explained_change) if isinstance(element, str)]
    (sentence,) = [element for element in output if element.strip().startswith("Wins by seat: 1")]
    assert re.search(r"1, -7\d\.\d pp \(.*\): caused by strength \(-7\d\.\d pp", sentence)
    assert re.search(r"; p turns round: \+2\d\.\d pp .* alone, -2\d\.\d pp .* beside the others; ", sentence)
    assert sentence.endswith("together they do more than each alone adds up to.")
    assert not any(element.strip().startswith("Shared wins") for element in output)


def test_a_few_deals_have_intervals_too_and_a_large_cause_is_named(tmp_path):
    """Groups of deals take 512 of them; pairs of deals do not. compare shows the same differences."""
    asked = {"players": "2", "agents": ["random"], "main_metrics": ["seat_win_share"], "matches": 64}
    change = P, f"{P}+p=100+strength=1/2/3/4/5"
    (explanation,) = explain_change(*change, db=tmp_path / "p.duckdb", **asked)
    (line,) = explanation.lines
    (contrast,) = compare(*change, db=tmp_path / "p.duckdb", head_to_heads=False, **asked).contrasts
    assert line.whole == contrast.lines[0].difference
    estimates = [line.whole, line.interaction, *(e for x in line.effects for e in (x.from_a, x.from_b))]
    assert all(estimate.has_interval for estimate in estimates)
    assert "caused by strength (" in "".join(describe_causes(line))


def make_line(*effects, threshold=0.01, interaction=0.0):
    """A line with effects as (first, last) in percentage points, each give or take 0.1."""

    def estimate(mean):
        return Estimate(mean / 100, mean / 100 - 0.001, mean / 100 + 0.001, 1000)

    pairs = [(estimate(first), estimate(last)) for first, last in effects]
    return MetricExplanation(
        metric="tied_after",
        part="",
        unit="share",
        threshold=threshold,
        whole=estimate(sum(first for first, _ in effects) + interaction),
        effects=tuple(Effect(name, "", *pair) for name, pair in zip("abcd", pairs, strict=False)),
        interaction=estimate(interaction),
    )


@pytest.mark.parametrize(
    ("effects", "words"),
    [
        (
            [(2.0, 2.0), (5.0, 5.0)],
            "caused by b (+5.00 pp (+4.90 to +5.10)) and a (+2.00 pp (+1.90 to +2.10)).",
        ),
        # of two with the same effects, each is clear in one order alone
        (
            [(0.1, 4.0), (4.0, 0.1)],
            "caused by a (+2.05 pp (+1.95 to +2.15)) and b (+2.05 pp (+1.95 to +2.15)).",
        ),
        (
            [(3.0, 3.0), (0.05, 0.05)],
            "caused by a (+3.00 pp (+2.90 to +3.10)); too small to matter: b (threshold: 1.00 pp).",
        ),
        # each is smaller than what matters, and together they are not
        (
            [(0.8, 0.8), (0.7, 0.7)],
            "caused by a (+0.80 pp (+0.70 to +0.90)) and b (+0.70 pp (+0.60 to +0.80)).",
        ),
        (
            [(3.0, 3.0), (0.95, 0.95)],
            "caused by a (+3.00 pp (+2.90 to +3.10)) and b (+0.95 pp (+0.85 to +1.05)).",
        ),
    ],
)
def test_causes_are_those_that_clearly_do_what_may_matter_in_whatever_order(effects, words):
    (sentence,) = describe_causes(make_line(*effects))
    assert sentence.split(": ", 1)[1] == words


def test_nothing_is_said_where_no_parameter_does_anything_that_matters():
    assert not [*describe_causes(make_line((0.3, 0.3), (-0.2, -0.2)))]
    uncertain = make_line((0.05, 0.05), (0.1, 0.1), threshold=0.001)
    assert not [*describe_causes(uncertain)]


def test_an_effect_that_is_not_clear_is_called_open_and_no_cause():
    line = make_line((3.0, 3.0), (0.05, 0.05), threshold=0.001)
    assert next(describe_causes(line)).endswith("; open: b (+0.05 pp (-0.05 to +0.15)).")


@pytest.mark.parametrize(
    ("interaction", "words"),
    [(2.0, "do more than each alone"), (-2.0, "do less than each alone"), (-9.0, "do the opposite of what")],
)
def test_the_meeting_of_changes_is_said_with_its_direction(interaction, words):
    (sentence,) = describe_causes(make_line((3.0, 3.0), (2.0, 2.0), interaction=interaction))
    assert f"together they {words}" in sentence


def test_where_nothing_is_clear_yet_that_is_said(explained_change):
    shown = [*show_explanation(replace(explained_change, lines=()))]
    assert any("No parameter clearly changes any of these metrics yet." in str(part) for part in shown)


def test_two_parameters_need_four_variants_and_three_need_eight():
    two = make_switches(P, f"{P}+p=100+strength=1/2/3/4/5")
    assert len(two.specs) == 4
    assert two.towards["p"] == two.back["strength"] == f"{P}+p=100"
    assert len(make_switches("magpies", "magpies:chicks").specs) == 8


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ([P, f"{P}+p=60"], "differ in 1 parameters"),
        ([P, SIX], "are different games"),
        ([P], "takes two variants apart, not 1"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(specs, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        explain_change(*specs, db=tmp_path / "none.duckdb")
