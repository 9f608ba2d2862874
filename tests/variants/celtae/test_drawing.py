"""Celtae: the picture of a position. It is well formed, shows what is there, and nothing that a seat does not
see.
"""

import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match, make_variant
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.celtae.table import Table
from variants.celtae import GAME


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_a_match_can_be_drawn(seats):
    match = Match(make_variant(GAME), seats)
    while not match.is_over:
        if len(match.actions) % 25 == 0:
            assert f"seat {match.state.actor + 1}" in texts(GAME.draw(match.state, None))[0]
        match.step("random")
    output = texts(GAME.draw(match.state, None))
    assert output[0] == "The match is over"
    assert [f"scores {points}" in output for points in match.scores()] == [True] * seats


@pytest.mark.parametrize("seats", [2, 4])
def test_a_picture_for_one_seat_shows_nothing_hidden(seats):
    match = Match(make_variant(GAME), seats)
    for _ in range(30):
        match.step("random")
    for seat in range(seats):
        worlds = [match.copy() for _ in range(4)]
        for key, world in enumerate(worlds):
            bind_engine(GAME, (), False)[protocol.rekey_and_resample](world.state, seat, 99 + key)
        assert any(world.state.hand.tolist() != match.state.hand.tolist() for world in worlds)
        assert {GAME.draw(world.state, seat) for world in worlds} == {GAME.draw(match.state, seat)}


def test_a_card_bought_openly_is_shown_to_all():
    table = Table().workers("BSN").market("south", "orange trap").act("south")
    before = GAME.draw(table.state, 1).count("#e0954a")
    table.push("farm in the south")
    refilled = sum(int(card) // 3 == 3 for card in table.state.market.flat)
    assert table.state.known[0] > 0
    assert GAME.draw(table.state, 1).count("#e0954a") >= min(before, 1 + refilled)


def test_what_each_player_has_is_described_in_words():
    table = Table().has(strength=7, tokens=2, bonus_tiles=1).tiles((1, 1), (0, 1)).lead("Boudica", "B")
    output = texts(GAME.draw(table.state, 0))
    assert "Seat 1, Boudica B, Teutates" in output
    assert "strength 7, tokens 2" in output
    assert "2 army, 1 druid, 1 bonus" in output
    assert "Progress: 6 markers on the track" in output


def test_another_players_decision_in_a_turn_is_reported():
    table = Table(seats=3)
    table.state.station, table.state.teutates = 3, 2
    table.push("move 1 to the southeast, gain 1 strength")
    assert (
        texts(GAME.draw(table.state))[0] == "Turn 1: seat 3 places a progress marker (in the turn of seat 1)"
    )
