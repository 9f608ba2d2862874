"""Celtae: the picture of a position. It is well formed, can be read, shows what is there, and nothing that a
seat does not see.
"""

import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match, make_variant
from boardgames.people.terminal_board import render_board
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.celtae.table import Table, card_of
from variants.celtae import GAME, codes
from variants.celtae.drawing import WIDTH
from variants.celtae.topics.glyphs import find_contrast
from variants.celtae.transcript import describe_result

SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SPACE}text")]


def positions(seats, deal=0, agent="random"):
    """Every position of a match."""
    match = Match(make_variant(GAME), seats, deal=deal)
    while not match.is_over:
        yield match
        match.step(agent)
    yield match


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_a_match_can_be_drawn(seats):
    for match in positions(seats):
        if match.is_over:
            break
        if len(match.actions) % 25 == 0:
            assert f"seat {match.state.actor + 1}" in texts(GAME.draw(match.state, None))[0]
    output = texts(GAME.draw(match.state, None))
    assert output[0] == f"The match is over. {describe_result(match.state)}"
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
    table.push("farm in the south")
    in_markets = sum(int(card) == card_of("orange trap") for card in table.state.market.flat)
    assert table.state.known[0] > 0
    assert GAME.draw(table.state, 1).count('aria-label="Ot"') == 1 + in_markets


def test_what_each_player_has_is_described_in_words():
    table = Table().has(strength=7, tokens=2, bonus_tiles=1).tiles((1, 1), (0, 2)).lead("Boudica", "B")
    output = texts(GAME.draw(table.state, 0))
    assert "Seat 1, Teutates" in output
    assert "Boudica B, 3 pts: 7+ disks on citadels (has 0)" in output
    assert "strength 7, tokens 2" in output
    assert [chip in output for chip in ("A1", "A2", "D1", "2D2", "B1")] == [True, True, False, True, True]
    assert "Progress: 6 markers on the track" in output


def test_another_players_decision_in_a_turn_is_reported():
    table = Table(seats=3)
    table.state.station, table.state.teutates = 3, 2
    table.push("move 1 to the southeast, gain 1 strength")
    assert (
        texts(GAME.draw(table.state))[0] == "Turn 1: seat 3 places a progress marker (in the turn of seat 1)"
    )


# ---- what a table shows


def test_the_draft_shows_the_leaders_on_offer_and_what_they_want():
    match = Match(make_variant(GAME), 3)
    output = texts(match.draw())
    assert output[0] == "Set-up: seat 3 drafts a leader"
    leaders = [words.partition(" (") for words in match.choices()]
    assert len(leaders) == 4
    for name, _, wanted in leaders:
        assert name.removeprefix("draft ") in output
        assert wanted.removesuffix(")") in output


def test_the_price_of_the_next_disk_is_shown():
    table = Table().workers("FBS").workers("FSN", "BB", seat=1)
    table.citadel("north teal", room=1, seat0=2)
    output = texts(GAME.draw(table.state))
    assert "next disk: 2 cards*" in output  # the third costs 3, less one for the builder
    assert "next disk: 1 card*" in output


def test_holes_with_a_point_are_gold_and_say_so_when_empty():
    table = Table().citadel("north teal", room=0, seat0=3).citadel("north orange", room=1, seat0=2)
    svg = GAME.draw(table.state)
    assert svg.count('stroke="#a3781a" stroke-width="4"') == 2 * 3
    assert texts(svg).count("+1") == 1  # the fifth disk has left its hole


def test_tiles_show_whether_they_are_worth_one_point_or_two():
    table = Table().site("northern army", 2).site("southern army", 8).site("northern druid", 0)
    output = texts(GAME.draw(table.site("southern druid", 9).state))
    assert (output.count("1 point"), output.count("2 points")) == (2, 2)


def test_north_and_south_are_named():
    output = texts(GAME.draw(Table().state))
    assert {"NORTH", "SOUTH", "North: Roman army", "South: druids", "NE", "SW"} <= set(output)
    assert "●SE" in output  # where the marker is


def test_the_disk_of_an_absent_player_stays_in_its_place():
    """On the last space of the citadel, before and after a disk comes beside it."""
    crosses = []
    for disks in (0, 1, 2):
        table = Table().citadel("north magenta", room=2 - disks, seat0=disks)
        root = ElementTree.fromstring(GAME.draw(table.state))
        crosses.append([path.get("d") for path in root.iter(f"{SPACE}path") if "l" in path.get("d")][:1])
    assert crosses[0] == crosses[1] == crosses[2]


def test_what_is_reconstructed_has_a_star_and_what_is_documented_has_none():
    output = texts(Match(make_variant(GAME), 4, deal=1).draw())
    assert {"1 leaf*", "2 leaves", "free", "strength*", "workers*", "garrisons*", "M magenta*"} <= set(output)
    assert "6: at least 2 garrisons in the north" in output  # seen in a photograph
    assert "3: at least 2 army tiles*" in output
    assert any("* no source documents it" in line for line in output)


def test_a_board_of_your_own_has_no_stars_where_it_differs():
    board = {**codes.BOX["boards"]["reconstructed"]["board"], "army": [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]}
    output = texts(Match(make_variant(GAME, "", {"board": board}), 2).draw())
    assert "strength" in output
    assert "strength*" not in output


def test_prices_can_be_read_in_a_terminal():
    cards = ("magenta fort", "purple trap", "teal trap", "orange weapon", "purple fort", "teal fort")
    table = Table().market("north", *cards)
    lines = render_board(GAME.draw(table.state)).plain.splitlines()
    line = next(line for line in lines if "NORTH" in line)
    assert "Mf free Pt 1 leaf* Tt 1 leaf* Ow 1 leaf* Pf 2 leaves Tf 2 leaves" in " ".join(line.split())


def test_an_order_that_is_ours_is_told_beside_the_board():
    table = Table().workers("FFN").market("south", "magenta fort", "purple trap", "teal trap").act("south")
    output = texts(GAME.draw(table.push("farm in the south").state))
    assert "From left to right; tokens before the first card. This order is ours, not the rules'." in output


def test_nobody_is_called_a_player():
    for match in positions(3):
        if len(match.actions) % 40 == 0:
            assert "player" not in " ".join(filter(None, texts(match.draw()))).lower()


# ---- what can be clicked


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.long)])
def test_every_legal_action_is_on_some_piece(seats):
    for match in positions(seats, deal=seats):
        if match.is_over:
            break
        root = ElementTree.fromstring(match.draw(int(match.state.actor)))
        numbers = [int(number) for group in root.iter() for number in group.get("data-action", "").split()]
        assert set(numbers) == set(match.legal())


def test_only_whoever_is_to_act_can_click():
    match = Match(make_variant(GAME), 3)
    assert match.state.actor == 2
    assert "<g data-action" in match.draw(2)
    assert "<g data-action" not in match.draw(0)


def test_a_card_of_the_market_carries_the_number_of_its_purchase():
    table = Table().workers("FFN").market("south", "magenta fort", "purple trap", "teal trap").act("south")
    table.push("farm in the south")
    root = ElementTree.fromstring(GAME.draw(table.state, 0))
    groups = [group for group in root.iter(f"{SPACE}g") if group.get("data-action") == str(codes.SLOT + 2)]
    assert [group[0].get("aria-label") for group in groups] == ["Tt"]


# ---- letters that can be read


def areas_and_texts(svg):
    """Each text with the colour that lies under it: that of the last shape drawn before it that holds it."""
    shapes = []
    for element in ElementTree.fromstring(svg).iter():
        kind, fill = element.tag.removeprefix(SPACE), element.get("fill", "none")
        if kind == "rect" and fill != "none":
            x, y = float(element.get("x", "0")), float(element.get("y", "0"))
            shapes.append((x, y, x + float(element.get("width")), y + float(element.get("height")), fill))
        elif kind == "circle" and fill != "none":
            x, y, r = (float(element.get(name)) for name in ("cx", "cy", "r"))
            shapes.append((x - r, y - r, x + r, y + r, fill))
        elif kind == "text" and element.text:
            x, y = float(element.get("x")), float(element.get("y")) - 5
            below = [shape[4] for shape in shapes if shape[0] <= x <= shape[2] and shape[1] <= y <= shape[3]]
            yield element, below[-1]


@pytest.mark.parametrize(("seats", "agent"), [(2, "random"), (4, "random")])
def test_every_text_stands_out_and_is_large_enough(seats, agent):
    drawn = 0
    for match in positions(seats, deal=3, agent=agent):
        if len(match.actions) % 12 and not match.is_over:
            continue
        for element, below in areas_and_texts(match.draw()):
            assert find_contrast(element.get("fill"), below) >= 4.5, (
                element.text,
                element.get("fill"),
                below,
            )
            assert float(element.get("font-size")) * 1000 / WIDTH >= 11, element.text
            drawn += 1
    assert drawn > 500


def test_contrast_is_that_of_the_usual_definition():
    assert find_contrast("#000000", "#ffffff") == pytest.approx(21)
    assert find_contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
