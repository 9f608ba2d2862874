"""Positions as pictures: well-formed, complete, and showing a seat no more than it may see."""

import itertools
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match, make_variant
from boardgames.people.terminal_board import render_board
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.support.svg_texts import measure_texts
from tests.variants.celtica.setting import table, variant
from variants.celtica import GAME
from variants.celtica.board import find_reconstructed

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
    assert {f"{places} goal*", "2 village*"} <= set(words(picture))
    assert any(label.rstrip("*") == "1 start" for label in words(picture))
    assert titles(picture).count("red druid") == titles(picture).count("black druid") == 1
    assert [f"Seat {seat}" in words(picture) for seat in range(1, 6)] == [True] * seats + [False] * (
        5 - seats
    )
    assert "player" not in picture.lower()


def test_every_position_of_a_match_can_be_drawn():
    match, seen = Match(variant("en"), 3, seed=5), set()
    while not match.is_over:
        seen.add(int(match.state.phase))
        assert f"Turn {match.state.turn}: seat {match.state.actor + 1}" in " ".join(
            words(GAME.draw(match.state, 0))
        )
        match.step("random")
    assert len(seen) == 6


def test_the_final_picture_names_the_winner_and_why():
    match = table("en", hands=["red"], parts=["1 2", "1 2 3", "1"], at={"red": 19})
    match.push("play 1 red without effect, as the red druid is at the goal")
    written = words(GAME.draw(match.state, 0))
    assert "Match over: the last round" in written
    assert "Seat 2 wins: 0 amulets each, then 3 parts against 2." in written
    assert written.index("Seat 2") < written.index("winner") < written.index("Seat 3")
    assert written.count("winner") == 1


def test_a_seat_sees_its_own_cards_and_the_others_from_behind():
    match = table(hands=["red red", "grey", "white"], experience=["", "black", ""])
    assert [t for t in titles(GAME.draw(match.state, 0)) if t.endswith("card")] == [
        "red card",
        "red card",
        "hidden card",
        "hidden experience card",
        "hidden card",
    ]
    assert [t for t in titles(GAME.draw(match.state, None)) if t.endswith("card") and "hidden" in t] == []


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
    assert "must play the drawn card" in words(GAME.draw(match.state, 1))


def test_a_goal_that_pays_nothing_says_so():
    for edition, printed in [("de", "+4"), ("en", "0")]:
        assert printed in words(GAME.draw(table(edition).state, None))


def numbers_in(picture):
    """The actions that pieces of a picture carry."""
    elements = ElementTree.fromstring(picture).iter()
    return {int(number) for element in elements for number in element.get("data-action", "").split()}


def test_every_legal_action_concerns_a_piece_of_the_actor_s_picture():
    match, phases = Match(variant("en"), 3, seed=5), set()
    while not match.is_over:
        assert numbers_in(GAME.draw(match.state, int(match.state.actor))) == set(match.legal())
        phases.add(int(match.state.phase))
        match.step("random")
    assert len(phases) == 6
    assert not numbers_in(GAME.draw(match.state, None))


def test_the_pictures_of_other_seats_tell_nothing_about_the_actor_s_choices():
    match = table(hands=["red grey", "grey"], experience=["red"])
    assert numbers_in(GAME.draw(match.state, None)) == set(match.legal())
    assert not numbers_in(GAME.draw(match.state, 1))


def test_the_pieces_of_a_play_are_its_cards_its_druid_and_the_place_it_leads_to():
    match = table(hands=["red grey", "grey"], experience=["red"])
    root = ElementTree.fromstring(GAME.draw(match.state, 0))
    pieces = {
        element.find(f"{SVG}title").text: set(map(int, element.get("data-action").split()))
        for element in root.iter()
        if element.get("data-action")
    }
    both = match.choices()["play 1 red and 1 red experience, move the red druid to the cloister on place 3"]
    assert {title for title, numbers in pieces.items() if both in numbers} == {
        "red card",
        "red experience card",
        "red druid",
        "3 cloister*",
    }


@pytest.mark.long
def test_every_text_is_large_enough_and_stands_out():
    """At 1,000 px width no text is below 11 px, and its contrast is at least 4.5:1."""
    match = Match(variant("en"), 3, seed=5)
    under_a_duty = table("en", hands=["red white", "grey", ""], at={"red": 3}, deck="brown")
    under_a_duty.push("play 1 red, move the red druid to the cult site on place 4")
    pictures = [GAME.draw(match.state, None), GAME.draw(under_a_duty.state, 0)]
    under_a_duty.push("draw a druid card")
    pictures.append(GAME.draw(under_a_duty.state, 0))
    pictures.append(GAME.draw(match.finish("random").state, 1))
    for picture in pictures:
        for text in measure_texts(picture):
            assert text.size >= 11, text
            assert text.contrast >= 4.5, text


def test_reconstructed_places_are_marked_and_documented_ones_are_not():
    state = Match(variant(), 2).state
    written = set(words(GAME.draw(state, None)))
    assert {"1 start", "8 cult site", "9 ruin", "10 ruin", "2 village*", "19 goal*"} <= written
    assert "dashed ring and *: reconstructed," in written
    root = ElementTree.fromstring(GAME.draw(state, None))
    rings = [circle.get("stroke-dasharray") for circle in root.iter(f"{SVG}circle")]
    assert [ring is not None for ring in rings] == [
        place in find_reconstructed(state.rules) for place in range(19)
    ]


def test_a_board_of_your_own_is_drawn_without_such_marks_however_many_places_it_has():
    inner = [{"kind": "village", "parts": 1}, {"kind": "cult"}] * 15
    for places in (3, 30):
        board = [{"kind": "start"}, *inner[:places], {"kind": "goal", "parts": 3}]
        state = Match(make_variant(GAME, "", {"board": {"places": board}}), 2).state
        picture = GAME.draw(state, None)
        assert "*" not in "".join(words(picture))
        circles = [
            (float(circle.get("cx")), float(circle.get("cy")), float(circle.get("r")))
            for circle in ElementTree.fromstring(picture).iter(f"{SVG}circle")
        ]
        assert len(circles) == places + 2
        for one, other in itertools.combinations(circles, 2):
            assert math.dist(one[:2], other[:2]) > 2 * one[2]


def test_missing_parts_are_named_and_only_those_that_are_there_can_be_given():
    match = table(hands=["red", "grey"], parts=["1 2 2"], at={"red": 4})
    match.push("play 1 red, move the red druid to the ruin on place 5")
    picture = GAME.draw(match.state, 0)
    assert "2 of 9 parts, missing: 3, 4, 5, 6, 7, 8, M" in titles(picture)
    assert "1 of 9 parts, missing: 1, 3, 4, 5, 6, 7, 8, M" in titles(picture)
    assert {"2 of 9", "1 of 9"} <= set(words(picture))
    assert numbers_in(picture) == set(match.legal())


def test_a_terminal_shows_the_parts_that_are_there_and_not_the_missing_ones():
    match = table(seats=2, parts=["4 5", "6"], display="M")
    shown = render_board(GAME.draw(match.state, None)).plain
    panel = shown[shown.index("Seat 1") : shown.index("Seat 2")]
    assert re.findall(r"\d", panel.replace("Seat 1", "").replace("2 of 9", "").replace("0 complete", "")) == [
        "5",
        "4",
    ]
