"""Coverage counts the rules that fire in real matches, and says how sure it is."""

import json

import pytest
from typer.testing import CliRunner

from analytics.questions.coverage import ALLOWS, DOES, SCORES, find_rules, measure_coverage, read_headings
from analytics.show.terminal.coverage import format_usage, show_coverage
from boardgames import InvalidInput, Match, find_variant, query, simulate
from boardgames.cli import app
from boardgames.game.plugins import load_installed_game

MAGPIES = "magpies"


@pytest.fixture(scope="module")
def coverage():
    return measure_coverage(MAGPIES, players="2", agents="random", matches=40)


def find_function(coverage, name):
    (rule,) = [rule for rule in coverage.functions if rule.name.endswith(f".{name}")]
    return rule


def test_a_rule_is_counted_in_the_matches_in_which_it_is_carried_out(coverage):
    """A magpie snatches in as many matches as the transcripts say."""
    matches = [
        Match(find_variant(MAGPIES), 2, deal=deal, compiled=True).finish("random,random").moves
        for deal in range(40)
    ]
    snatched = sum(any("snatch" in move.words for move in moves) for moves in matches)
    assert 0 < snatched < 40
    assert find_function(coverage, "snatch").share.mean == snatched / 40
    assert find_function(coverage, "setup").share.mean == 1


def test_rules_do_allow_or_score():
    rules = find_rules(find_variant(MAGPIES).game)
    kinds = {function.__name__: rules.kinds[code] for code, function in rules.functions.items()}
    assert (kinds["snatch"], kinds["ways_to_fetch"], kinds["standing"]) == (DOES, ALLOWS, SCORES)
    assert "evaluation" not in kinds  # what agents think is no rule
    assert "begin_turn" not in kinds  # the platform's


def test_sections_are_those_that_the_functions_cite(coverage):
    assert [section.name for section in coverage.sections] == ["1", "2", "2a", "2b", "2c", "3", "4"]
    assert find_function(coverage, "snatch").sections == ("2c",)
    (stealing,) = [section for section in coverage.sections if section.name == "2c"]
    assert find_function(coverage, "snatch").share.mean <= stealing.share.mean <= 1
    assert stealing.share.low < stealing.share.mean
    assert (
        find_function(coverage, stealing.rarest.split(".")[1]).share.mean
        <= find_function(coverage, "snatch").share.mean
    )


def test_a_result_file_has_its_own_matches_looked_at_and_no_others(coverage, tmp_path):
    db = tmp_path / "stored.duckdb"
    simulate(MAGPIES, players=2, agents="random", matches=40, db=db)
    assert measure_coverage(MAGPIES, agents="random", db=db) == coverage
    assert measure_coverage(MAGPIES, agents="random", db=db, matches=7).matches == 7
    with pytest.raises(InvalidInput, match=r"stored.duckdb has no matches of magpies by greedy on seed 1"):
        measure_coverage(MAGPIES, agents="greedy", db=db)
    assert query(db, "SELECT count(*) AS n FROM match")["n"].to_pylist() == [40]


def test_what_was_not_seen_is_bounded():
    """Where nobody may chase a thief, nobody is asked. In a thousand matches that would mean under 0.3 %."""
    coverage = measure_coverage(f"{MAGPIES}+chase=no", players="2", agents="random", matches=20)
    asked = find_function(coverage, "answers")
    assert asked.is_unseen
    assert format_usage(asked) == "not seen: under 14"
    assert asked.at_most == pytest.approx(1 - 0.05 ** (1 / 20))
    assert "Never seen: " in "\n".join(map(str, show_coverage(coverage)))


@pytest.mark.parametrize(
    ("game", "section", "title"), [("keltis", "2.3", "Laying: columns"), ("celtica", "4.2", "The display")]
)
def test_sections_have_the_titles_of_the_rules(game, section, title):
    assert read_headings(load_installed_game(game))[section] == title


def test_the_command_counts_player_counts_in_turn():
    done = CliRunner().invoke(
        app, ["coverage", MAGPIES, "--players", "2,3", "--agents", "random", "--matches", "4", "--json"]
    )
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert (answer["players"], answer["matches"]) == ([2, 3], 4)
    done = CliRunner().invoke(app, ["coverage", MAGPIES, "--players", "7"])
    assert (done.exit_code, done.stdout) == (2, "")
