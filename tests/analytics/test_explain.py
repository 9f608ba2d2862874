"""A change of several parameters is taken apart: what each does alone, and what only their meeting does."""

import pytest

from analytics.questions.explain import explain_change, make_switches
from analytics.show.terminal.explanation import show_explanation
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
    assert "caused by p (" in sentence
    assert "strength (" in sentence
    assert sentence.endswith("together they do more, or less, than each alone.")
    assert not any(element.strip().startswith("Shared wins") for element in output)


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
