"""one deal side by side: one seed under two rules, alike up to the fork."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from analytics.questions.side_by_side import (
    draw_side_by_side,
    explain_fork,
    find_side_by_side,
    join_pictures,
    show_side_by_side,
)
from boardgames import InvalidInput, Match, find_variant
from boardgames.cli import app
from boardgames.game.variant import Variant

MAGPIES = "magpies"
SIX = "tests.truth.first_six:GAME"


@pytest.fixture(scope="module")
def pair():
    return find_side_by_side(MAGPIES, f"{MAGPIES}+chase=no", players="2", agents="random")


def test_matches_side_by_side_are_alike_up_to_the_fork_and_not_at_it(pair):
    a, b = ([move._replace(effects=()) for move in match.moves] for match in (pair.a, pair.b))
    assert a[: pair.fork] == b[: pair.fork]
    assert a[pair.fork] != b[pair.fork]
    assert pair.a.is_over
    assert pair.b.is_over


def test_matches_side_by_side_are_the_matches_that_a_simulation_plays(pair):
    again = Match(find_variant(MAGPIES), 2, seed=1, deal=pair.a.deal).finish("random,random")
    assert again.actions == pair.a.actions


def test_the_rule_difference_and_the_fork_are_described_in_words(pair):
    lines = [line for line in show_side_by_side(pair) if isinstance(line, str)]
    assert lines[1] == "   whether a robbed magpie may chase the thief off: yes -> no (chase)"
    assert lines[3:5] == ["Set-up of both:", "the meadow is empty"]
    *alike, snatch = pair.a.moves[: pair.fork]
    moves = lines[lines.index("In both:") :]
    assert moves[1 : pair.fork] == list(map(str, alike))
    assert moves[pair.fork].startswith(f"{snatch} [A: nothing; B: seat {snatch.seat + 1} takes a ")
    assert f"The fork, after {pair.fork} actions: {explain_fork(pair)}" in lines
    assert "only A can 'let it go'" in explain_fork(pair)  # without a chase nobody is asked


def test_a_set_up_that_differs_is_told_for_each():
    pair = find_side_by_side(MAGPIES, f"{MAGPIES}+hand_size=6", players="2", agents="random")
    lines = [line for line in show_side_by_side(pair) if isinstance(line, str)]
    setups = [lines[lines.index(f"Set-up of {letter}:") + 2] for letter in "AB"]
    hands = [sum(map(int, re.findall(r"(\d+) \w", line.split("holds")[1]))) for line in setups]
    assert hands == [5, 6]


def test_a_longer_match_forks_where_the_shorter_one_is_over():
    pair = find_side_by_side(MAGPIES, f"{MAGPIES}+days=1", players="2", agents="random", deal=0)
    assert pair.fork == len(pair.b.actions) < len(pair.a.actions)
    assert explain_fork(pair) == "B is over, A goes on"


def test_equal_actions_with_another_end_are_reported():
    pair = find_side_by_side(MAGPIES, f"{MAGPIES}+worth=2/2/3/5/8", players="2", agents="random")
    assert pair.has_same_actions
    assert pair.a.scores() != pair.b.scores()
    assert "every action is the same; the end is not" in list(show_side_by_side(pair))


def square(state, seat):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" width="10"'
        f' height="20"><text>{state.turn}</text></svg>'
    )


def test_both_sides_of_the_fork_are_drawn_beside_each_other(pair, tmp_path):
    def drawn(match):
        game = replace(match.game, draw=square)
        copy = Match(Variant(game, match.variant.name, match.variant.values), 2, deal=match.deal)
        copy.actions = match.actions
        return copy

    pictured = replace(pair, a=drawn(pair.a), b=drawn(pair.b))
    pictures = len(pair.a.actions) + 1 + len(pair.b.actions) + 1 + 1
    assert draw_side_by_side(pictured, tmp_path) == pictures == len(list(tmp_path.rglob("*.svg")))
    whole = ElementTree.fromstring((tmp_path / "fork.svg").read_text())
    assert whole.attrib["viewBox"] == "0 0 1800 1840"
    assert [part.attrib["x"] for part in whole if part.tag.endswith("svg")] == ["0", "900"]
    assert [part.text for part in whole if part.tag.endswith("text")] == ["A: magpies", "B: magpies+chase=no"]
    assert "<text>" in join_pictures({"A": square(pair.a.state, None)})


def test_the_command_shows_matches_side_by_side(pair):
    words = ["side-by-side", MAGPIES, f"{MAGPIES}+chase=no", "--players", "2", "--agents", "random"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert f"deal {pair.a.deal}" in done.stdout
    assert "Match over: " in done.stdout


@pytest.mark.parametrize(
    ("specs", "players", "message"),
    [
        ([MAGPIES], "2", "of two variants, not of 1"),
        ([MAGPIES, f"{MAGPIES}+chase=no"], "2-3", "one player count"),
        ([MAGPIES, f"{MAGPIES}+hand_size=5/5/6"], "2", "have the same rules with 2 players"),
        ([MAGPIES, SIX], "2", "cannot share deals"),
    ],
)
def test_matches_side_by_side_that_cannot_be_are_refused(specs, players, message):
    with pytest.raises(InvalidInput, match=message):
        find_side_by_side(*specs, players=players, agents="random")


def test_a_deal_of_a_comparison_is_refused():
    done = CliRunner().invoke(app, ["compare", MAGPIES, f"{MAGPIES}+chase=no", "--deal", "3"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "boardgames side-by-side A B --deal 7" in done.stderr
