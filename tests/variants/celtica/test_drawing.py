"""Positions as pictures: well-formed, complete, and showing a seat no more than it may see."""

import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.celtica.setting import table, variant
from variants.celtica import GAME

SVG = "{http://www.w3.org/2000/svg}"


def words(picture):
    """All that is written in a picture; it has to be well-formed for that."""
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def titles(picture):
    return [title.text for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]


@pytest.mark.parametrize("board", ["reconstructed", "l1", "l4", "start-beside"])
@pytest.mark.parametrize("seats", [2, 5])
def test_every_place_every_druid_and_every_player_is_drawn(board, seats):
    picture = GAME.draw(Match(variant(f"+board={board}"), seats).state, None)
    places = 20 if board == "start-beside" else 19
    assert {f"{places} goal", "1 start", "2 village"} <= set(words(picture))
    assert titles(picture).count("red druid") == titles(picture).count("black druid") == 1
    assert [f"Player {seat}" in words(picture) for seat in range(1, 6)] == [True] * seats + [False] * (
        5 - seats
    )


def test_every_position_of_a_match_can_be_drawn():
    match, seen = Match(variant("en"), 3, seed=5), set()
    while not match.is_over:
        seen.add(int(match.state.phase))
        assert f"turn {match.state.turn}: player {match.state.actor + 1}" in " ".join(
            words(GAME.draw(match.state, 0))
        )
        match.step("random")
    assert len(seen) == 6
    assert "the match is over, won by player" in " ".join(words(GAME.draw(match.state, 0)))


def test_a_seat_sees_its_own_cards_and_the_others_from_behind():
    match = table(hands=["red red", "grey", "white"], experience=["", "black", ""])
    assert [t for t in titles(GAME.draw(match.state, 0)) if t.endswith("card")] == [
        "red card",
        "red card",
        *["hidden card"] * 3,
    ]
    assert [t for t in titles(GAME.draw(match.state, None)) if t.endswith("card")].count("hidden card") == 0


def test_the_picture_does_not_depend_on_what_the_seat_cannot_see():
    match = Match(variant("en"), 4, seed=3)
    rekey_and_resample = bind_engine(GAME, (), False)[protocol.rekey_and_resample]
    while not match.is_over:
        for seat in range(4):
            other = match.copy()
            rekey_and_resample(other.state, seat, 17 + seat)
            assert GAME.draw(other.state, seat) == GAME.draw(match.state, seat)
        for _ in range(9):
            if not match.is_over:
                match.step("random")


def test_a_duty_is_seen_by_all_and_its_colour_by_the_player_alone():
    match = table("en", hands=["red white", "grey", ""], at={"red": 3}, deck="brown")
    match.push("play 1 red, move the red druid to the cult site on place 4").push("draw a druid card")
    assert "must play brown" in words(GAME.draw(match.state, 0))
    assert "must play what he drew" in words(GAME.draw(match.state, 1))


def test_a_goal_that_pays_nothing_says_so():
    for edition, printed in [("de", "+4"), ("en", "0")]:
        assert printed in words(GAME.draw(table(edition).state, None))
