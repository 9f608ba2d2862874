"""Keltis: the picture of a position. It is well formed, shows what is there, and nothing that a seat does not
see.
"""

import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match, make_variant
from boardgames.rules import protocol
from tests.variants.keltis.table import Table
from variants.keltis import GAME
from variants.keltis.drawing import list_column


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant_name", ["", "no-large-figure", "even-paths"])
def test_every_position_of_a_match_can_be_drawn(variant_name, seats):
    match = Match(make_variant(GAME, variant_name), seats, compiled=True)
    while not match.is_over:
        if len(match.actions) % 40 == 0:
            assert f"seat {match.state.turn_owner + 1}" in texts(GAME.draw(match.state, None))[0]
        match.step("random")
    assert texts(GAME.draw(match.state, None))[0] == "The match is over: the last card is drawn"


@pytest.mark.parametrize("seats", [2, 4])
def test_a_picture_for_one_seat_shows_nothing_hidden(seats):
    match = Match(make_variant(GAME), seats, compiled=True)
    for _ in range(60):
        match.step("random")
    for seat in range(seats):
        world = match.copy()
        world._run(protocol.rekey_and_resample, world.state, seat, 99)
        assert world.state.hand.tolist() != match.state.hand.tolist()
        assert GAME.draw(world.state, seat) == GAME.draw(match.state, seat)


def test_a_card_taken_openly_is_shown_to_all():
    table = Table().pile("green 7").push("discard pink 0").push("take green 7")
    assert "all know: green 7" in texts(GAME.draw(table.state, 1))


def test_columns_are_shown_as_they_were_laid():
    table = Table().laid("red 3", "red 3", "red 6", "blue 9", "blue 8", "blue 8", "blue 5", "pink 4")
    values = [list_column(table.state, 0, path) for path in range(5)]
    assert values == [[3, 3, 6], [], [4], [], [9, 8, 8, 5]]


def test_what_each_player_has_is_described_in_words():
    table = Table().figure("red", 1)
    table.state.points[0], table.state.wishes[0] = 3, 1
    output = texts(GAME.draw(table.state, 0))
    assert "3 on the track, 1 wishing stone, would score \u22124" in output
    assert "64 left" in texts(GAME.draw(Match(make_variant(GAME), 2).state, 0))
