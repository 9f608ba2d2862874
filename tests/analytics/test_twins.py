"""A twin match: one seed under two rules, alike up to the fork."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from analytics.questions.side_by_side import beside, draw_twins, find_twins, show_twins, why
from boardgames import BadInput, Match, find_variant
from boardgames.cli import app
from boardgames.game.variant import Variant

MAGPIES = "tests.truth.card_game:GAME"
SIX = "tests.truth.first_six:GAME"


@pytest.fixture(scope="module")
def twins():
    return find_twins([MAGPIES, f"{MAGPIES}+chase=no"], "2", "random")


def test_twins_are_alike_up_to_the_fork_and_not_at_it(twins):
    assert twins.a.spoken[: twins.fork] == twins.b.spoken[: twins.fork]
    assert twins.a.spoken[twins.fork] != twins.b.spoken[twins.fork]
    assert twins.a.over
    assert twins.b.over


def test_twins_are_the_matches_that_a_simulation_plays(twins):
    again = Match(find_variant(MAGPIES), 2, seed=1, block=twins.a.block).finish("random,random")
    assert again.actions == twins.a.actions


def test_the_rule_difference_and_the_fork_are_told_in_words(twins):
    lines = [line for line in show_twins(twins) if isinstance(line, str)]
    assert lines[1] == "   whether a robbed magpie may chase the thief off: yes -> no (chase)"
    assert lines[3 : 4 + twins.fork] == ["In both:", *twins.a.spoken[: twins.fork]]
    assert f"The fork, after {twins.fork} actions: {why(twins)}" in lines
    assert "only A can 'let it go'" in why(twins)  # without a chase nobody is asked


def test_a_longer_match_forks_where_the_shorter_one_is_over():
    twins = find_twins([MAGPIES, f"{MAGPIES}+days=1"], "2", "random", block=0)
    assert twins.fork == len(twins.b.actions) < len(twins.a.actions)
    assert why(twins) == "B is over, A goes on"


def test_equal_actions_with_another_end_are_told():
    twins = find_twins([MAGPIES, f"{MAGPIES}+worth=2/2/3/5/8"], "2", "random")
    assert twins.alike
    assert twins.a.scores() != twins.b.scores()
    assert "every action is the same; the end is not" in list(show_twins(twins))


def square(state, seat):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" width="10" height="20"><text>{state.turn}</text></svg>'


def test_both_sides_of_the_fork_are_drawn_beside_each_other(twins, tmp_path):
    def drawn(match):
        game = replace(match.game, draw=square)
        copy = Match(Variant(game, match.variant.name, match.variant.values), 2, block=match.block)
        copy.actions = match.actions
        return copy

    pictured = replace(twins, a=drawn(twins.a), b=drawn(twins.b))
    many = len(twins.a.actions) + 1 + len(twins.b.actions) + 1 + 1
    assert draw_twins(pictured, tmp_path) == many == len(list(tmp_path.rglob("*.svg")))
    whole = ElementTree.fromstring((tmp_path / "fork.svg").read_text())
    assert whole.attrib["viewBox"] == "0 0 1800 1840"
    assert [part.attrib["x"] for part in whole if part.tag.endswith("svg")] == ["0", "900"]
    assert [part.text for part in whole if part.tag.endswith("text")] == ["A: magpies", "B: magpies+chase=no"]
    assert "<text>" in beside({"A": square(twins.a.state, None)})


def test_the_command_shows_twins(twins):
    done = CliRunner().invoke(app, ["compare", MAGPIES, f"{MAGPIES}+chase=no", "--players", "2", "--agents", "random", "--show"])
    assert done.exit_code == 0, done.output
    assert f"block {twins.a.block}" in done.stdout
    assert "end: " in done.stdout


@pytest.mark.parametrize(
    ("specs", "players", "told"),
    [
        ([MAGPIES], "2", "of two variants, not of 1"),
        ([MAGPIES, f"{MAGPIES}+chase=no"], "2-3", "one player count"),
        ([MAGPIES, f"{MAGPIES}+hand_size=5/5/6"], "2", "have the same rules with 2 players"),
        ([MAGPIES, SIX], "2", "share no luck"),
    ],
)
def test_twins_that_cannot_be_are_refused(specs, players, told):
    with pytest.raises(BadInput, match=told):
        find_twins(specs, players, "random")


def test_a_block_without_show_is_refused():
    done = CliRunner().invoke(app, ["compare", MAGPIES, f"{MAGPIES}+chase=no", "--block", "3"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--block and --svg are for --show" in done.stderr
