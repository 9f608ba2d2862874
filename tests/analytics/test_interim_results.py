"""Where a comparison stands while it plays, and what it says is left to play."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from analytics import compare
from analytics.questions.compare.conclusions import (
    conclude,
    describe_interim_results,
    describe_rest,
    suggest_minutes,
)
from analytics.show.terminal.comparison import show_comparison
from analytics.verdict.results import Comparison
from analytics.verdict.verdicts import DIFFERENT, FOREVER, NONE, SAME, UNCLEAR, UNKNOWN

P = "tests.truth.p_deterministic:GAME"
OTHER = f"{P}+p=60"
PLAYED = {"players": "2", "agents": ["random"], "matches": 300}


@pytest.fixture(scope="module")
def looks():
    return []


@pytest.fixture(scope="module")
def comparison(tmp_path_factory, looks) -> Comparison:
    db = tmp_path_factory.mktemp("interim") / "results.duckdb"
    return compare(P, OTHER, db=db, **PLAYED, on_look=looks.append)


def change_lines(comparison: Comparison, verdicts: dict[str, object], **changes: object) -> Comparison:
    """The comparison with these verdicts of main metrics, all others the same, and with further changes of
    those named.
    """
    (contrast,) = comparison.contrasts
    lines = [
        replace(line, verdict=verdicts.get(line.metric, SAME), **(changes if line.metric in verdicts else {}))
        for line in contrast.main_lines
    ]
    return replace(comparison, contrasts=(replace(contrast, lines=tuple(lines)),))


def test_whoever_watches_is_shown_the_main_metrics_at_fixed_numbers_of_matches(comparison, looks):
    assert [contrast.matches for (contrast,) in looks] == [64, 128, 256, 300]
    assert {line.metric for line in looks[0][0].lines} == set(comparison.terms.main_metrics)


def test_looking_meanwhile_changes_nothing(comparison, tmp_path):
    unwatched = compare(P, OTHER, db=tmp_path / "unwatched.duckdb", **PLAYED)
    assert repr(unwatched.contrasts) == repr(comparison.contrasts)


def test_the_last_look_agrees_with_the_answer(comparison, looks):
    (last,) = looks[-1]
    answer = {(line.metric, line.part): line.verdict for line in comparison.contrasts[0].main_lines}
    assert {(line.metric, line.part): line.verdict for line in last.lines} == answer


def test_a_line_names_the_clearest_difference_and_counts_what_is_open(comparison):
    found = change_lines(comparison, {"length": DIFFERENT, "tied_after": UNKNOWN}, low=1.0, high=2.0)
    text = describe_interim_results(found.contrasts)
    assert text.startswith("300 matches of each: matches are longer (")
    assert "give or take" in text
    assert text.endswith("; 1 of 6 main metrics open")
    decided = describe_interim_results(change_lines(comparison, {}).contrasts)
    assert decided == "300 matches of each: no clear difference yet; every main metric decided"


def test_a_line_about_several_contrasts_says_which_one_differs(comparison):
    (found,) = change_lines(comparison, {"length": DIFFERENT}, low=1.0, high=2.0).contrasts
    text = describe_interim_results([replace(found, lines=()), found])
    assert f"with {found.b} and 2 players matches are longer" in text


def test_one_deal_is_too_few_to_say_anything(comparison):
    (contrast,) = comparison.contrasts
    text = describe_interim_results([replace(contrast, matches=1, lines=())])
    assert text == "1 matches of each: no clear difference yet; too few matches yet"


def test_the_end_says_what_is_open_and_what_it_takes_in_matches_and_time(comparison):
    rest = change_lines(
        comparison, {"length": UNKNOWN, "tied_after": UNKNOWN}, more=6000, is_informative=True
    )
    rest = replace(rest, match_seconds=0.04)
    assert describe_rest(rest) == (
        "Open: shared wins, match length. About 6,000 (4.0 min) more matches of each may settle that."
    )
    assert suggest_minutes(rest) == 5
    unmeasured = replace(rest, match_seconds=math.nan)
    assert describe_rest(unmeasured).endswith("About 6,000 more matches of each may settle that.")
    assert suggest_minutes(unmeasured) == 10


def test_the_end_names_what_is_settled_next_and_when_all_is(comparison):
    (contrast,) = change_lines(comparison, {"length": UNKNOWN, "tied_after": UNKNOWN}).contrasts
    lines = [
        replace(line, is_informative=True, more={"length": 3000, "tied_after": 600_000}.get(line.metric))
        for line in contrast.lines
    ]
    rest = replace(comparison, contrasts=(replace(contrast, lines=tuple(lines)),), match_seconds=0.04)
    assert describe_rest(rest) == (
        "Open: shared wins, match length. About 3,000 (2.0 min) more matches of each may settle match "
        "length, about 600,000 (6.7 h) all of them."
    )
    assert suggest_minutes(rest) == 2


def test_what_has_no_answer_and_what_has_an_open_size_are_forecast_apart(comparison):
    """So that one answer has one number for what it calls open: its sentence about that has the same."""
    verdicts = {"length": UNCLEAR, "tied_after": UNKNOWN, "winning_margin": UNKNOWN}
    (contrast,) = change_lines(comparison, verdicts).contrasts
    more = {"length": 700_000, "tied_after": 3000, "winning_margin": 90_000}
    lines = [
        replace(line, is_informative=True, more=more.get(line.metric)) if line.metric in more else line
        for line in contrast.lines
    ]
    rest = replace(comparison, contrasts=(replace(contrast, lines=tuple(lines)),), match_seconds=math.nan)
    assert describe_rest(rest) == (
        "Open: shared wins, winning margin, match length. About 3,000 more matches of each may settle shared "
        "wins, about 90,000 all that has no answer yet, about 700,000 the size of match length, too."
    )
    assert any("up to 90,000 more" in sentence for sentence in conclude(rest.contrasts[0]))


def test_below_the_fewest_deals_only_first_verdicts_are_promised(comparison):
    rest = change_lines(comparison, {"length": UNKNOWN}, more=24, is_informative=False)
    assert describe_rest(rest) == (
        "Open: match length. The first verdicts may come after about 24 more matches of each."
    )


def test_what_matches_cannot_settle_is_said_and_no_command_is_given(comparison):
    rest = change_lines(comparison, {"length": UNKNOWN}, more=FOREVER, is_informative=True)
    assert "No number of matches you could wait for" in describe_rest(rest)
    assert suggest_minutes(rest) is None


def test_if_everything_is_decided_the_end_says_so(comparison):
    decided = change_lines(comparison, {})
    assert describe_rest(decided) == "Every main metric is decided."
    assert suggest_minutes(decided) is None
    no_verdicts = change_lines(comparison, dict.fromkeys(comparison.terms.main_metrics, NONE))
    assert describe_rest(no_verdicts) == ""


def test_the_rate_is_that_of_the_stored_matches(comparison):
    assert comparison.match_seconds > 0
    again = compare(P, OTHER, db=Path(comparison.file), players="2")
    assert again.played == 0
    assert again.match_seconds == comparison.match_seconds


def test_the_sentences_come_first_and_the_terms_last(comparison):
    parts = list(show_comparison(comparison))
    sentences = [f"- {sentence}" for sentence in conclude(comparison.contrasts[0])]
    assert parts[1 : 1 + len(sentences)] == sentences
    tables = [index for index, part in enumerate(parts) if not isinstance(part, str)]
    terms = [str(part) for part in parts[max(tables) + 1 :]]
    assert min(tables) > len(sentences)
    assert any(part.startswith("Main metrics and their thresholds: ") for part in terms)
    assert any("the chance that any is ever wrong is at most 5%" in part for part in terms)
