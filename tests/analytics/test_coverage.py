"""Coverage counts the rules that fire in real matches, and says how sure it is."""

import json

import pytest
from typer.testing import CliRunner

from analytics.questions.coverage import ALLOWS, DOES, SCORES, headings, measure_coverage, rules_of
from analytics.show.terminal.coverage import show_coverage, told
from boardgames import Match, find_variant
from boardgames.cli import app
from boardgames.game.plugins import installed_game

MAGPIES = "tests.truth.card_game:GAME"


@pytest.fixture(scope="module")
def found():
    return measure_coverage(MAGPIES, players="2", agents="random", matches=40)


def function(found, name):
    (one,) = [one for one in found.functions if one.name.endswith(f".{name}")]
    return one


def test_a_rule_is_counted_in_the_matches_in_which_it_is_carried_out(found):
    """A magpie snatches in as many matches as the transcripts say."""
    spoken = [Match(find_variant(MAGPIES), 2, block=block, plain=False).finish("random,random").spoken for block in range(40)]
    snatched = sum(any("snatch" in line for line in lines) for lines in spoken)
    assert 0 < snatched < 40
    assert function(found, "snatch").share.mean == snatched / 40
    assert function(found, "setup").share.mean == 1


def test_rules_do_allow_or_score():
    rules = rules_of(find_variant(MAGPIES).game)
    kinds = {function.__name__: rules.kinds[code] for code, function in rules.functions.items()}
    assert (kinds["snatch"], kinds["ways_to_fetch"], kinds["standing"]) == (DOES, ALLOWS, SCORES)
    assert "outlook" not in kinds  # what agents think is no rule
    assert "begin_turn" not in kinds  # the platform's


def test_sections_are_those_that_the_functions_cite(found):
    assert [one.name for one in found.sections] == ["1", "2", "2a", "2b", "2c", "3", "4"]
    assert function(found, "snatch").sections == ("2c",)
    (stealing,) = [one for one in found.sections if one.name == "2c"]
    assert function(found, "snatch").share.mean <= stealing.share.mean <= 1
    assert stealing.share.low < stealing.share.mean
    assert function(found, stealing.rarest.split(".")[1]).share.mean <= function(found, "snatch").share.mean


def test_what_was_not_seen_is_bounded():
    """Where nobody may chase a thief, nobody is asked. In a thousand matches that would mean under 0.3 %."""
    found = measure_coverage(f"{MAGPIES}+chase=no", players="2", agents="random", matches=20)
    asked = function(found, "answers")
    assert asked.unseen
    assert told(asked) == "not seen: under 14"
    assert asked.at_most == pytest.approx(1 - 0.05 ** (1 / 20))
    assert "never seen: " in "\n".join(map(str, show_coverage(found)))


@pytest.mark.parametrize(("game", "section", "title"), [("keltis", "2.3", "Laying: columns"), ("celtica", "4.2", "The display")])
def test_sections_have_the_titles_of_the_rules(game, section, title):
    assert headings(installed_game(game))[section] == title


def test_the_command_counts_player_counts_in_turn():
    done = CliRunner().invoke(app, ["coverage", MAGPIES, "--players", "2,3", "--agents", "random", "--matches", "4", "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert (answer["players"], answer["matches"]) == ([2, 3], 4)
    done = CliRunner().invoke(app, ["coverage", MAGPIES, "--players", "7"])
    assert (done.exit_code, done.stdout) == (2, "")
