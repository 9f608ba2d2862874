"""Keltis: the picture of a position. It is well formed, can be read, shows what is there and what may be
done, and nothing that a seat does not see.
"""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from boardgames import Match, make_variant
from boardgames.people.terminal_board import render_board
from boardgames.rules import protocol
from tests.support.svg_texts import measure_texts
from tests.variants.keltis.table import Table, goal_with
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


# ---- it can be read


@pytest.mark.parametrize(
    ("variant_name", "seats", "agent"),
    [
        pytest.param("", 2, "greedy", marks=pytest.mark.long),
        pytest.param("as-printed", 3, "random", marks=pytest.mark.long),
        ("clover-optional", 4, "random"),
        pytest.param("even-paths", 4, "greedy", marks=pytest.mark.long),
    ],
)
def test_every_text_is_large_enough_and_stands_out(variant_name, seats, agent):
    match = Match(make_variant(GAME, variant_name), seats, compiled=True)
    while True:
        if match.is_over or len(match.actions) % 40 == 0:
            drawn = measure_texts(GAME.draw(match.state, None))
            assert min(drawn, key=lambda text: text.size).size >= 11
            assert min(drawn, key=lambda text: text.contrast).contrast >= 4.5
        if match.is_over:
            break
        match.step(agent)


def test_every_card_and_stone_has_the_letter_of_its_colour():
    table = Table().hold("yellow 10").pile("blue 3")
    output = texts(GAME.draw(table.state, None))
    assert {"Y10", "B3"} <= set(output)
    assert [output.count(letter) for letter in "RYPGB"] == [9] * 5


def test_every_figure_has_the_number_of_its_seat_and_the_large_one_a_star():
    output = texts(GAME.draw(Match(make_variant(GAME), 4).state, None))
    for seat in range(4):
        assert output.count(f"{seat + 1}\u2605") == 1 + (seat == 0)  # the legend shows one as well
        assert output.count(f"{seat + 1}") >= 4 + 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nobody_is_called_a_player(seats):
    output = " ".join(texts(GAME.draw(Match(make_variant(GAME), seats).state, None)))
    assert "layer" not in output
    assert f"Seat {seats}" in output


def test_the_legend_explains_tiles_stones_figures_and_the_goal_area():
    output = texts(GAME.draw(Table().state, None))
    assert "one of your figures moves on a stone" in output
    assert "the large figure of seat 1, counts double" in output
    assert "goal area: five figures end the match" in output
    assert not any(
        "large figure" in words for words in texts(GAME.draw(Table("no-large-figure").state, None))
    )
    thrice = texts(GAME.draw(Table(large_figure=3).state, None))
    assert "the large figure of seat 1, counts three times" in thrice


def test_the_table_of_wishing_stones_is_that_of_the_variant():
    for variant_name, points in (("", ["\u22124", "\u22123"]), ("kind-stones", ["+0", "+0"])):
        output = texts(GAME.draw(Table(variant_name).state, None))
        first = output.index("Wishing stones at the end") + 3
        assert output[first : first + 4 : 2] == ["0", "1"]
        assert output[first + 1 : first + 4 : 2] == points
        assert output[first + 10 : first + 12] == ["5+", "+10"]


def test_what_is_reconstructed_has_a_star_and_a_note():
    output = texts(GAME.draw(Table().state, None))
    assert {"red*", "yellow*", "pink*", "green*", "blue*"} <= set(output)
    assert "* reconstructed: the order of the colours, without effect on play" in output
    assert "dark: for a tile" in output


def test_an_invented_board_says_so_in_the_picture():
    output = texts(GAME.draw(Table("even-paths").state, None))
    assert "dark*: for a tile" in output
    assert any("which stones are dark, invented for comparison" in words for words in output)


# ---- in the terminal


def test_the_terminal_names_the_colours_and_shows_the_legend():
    match = Match(make_variant(GAME), 3, compiled=True)
    for _ in range(60):
        match.step("greedy")
    board = render_board(GAME.draw(match.state, 0)).plain
    for name in ("red", "yellow", "pink", "green", "blue"):
        assert board.count(name) >= 1 + 3  # its pile, and a column of each seat
    assert "clover one of your figures moves on a stone" in board
    assert "Wishing stones at the end" in board
    assert re.search(r"points +\u22124 +\u22123 +\+2 +\+3 +\+6 +\+10", board)
    assert len(board.splitlines()) < 45


def test_in_the_terminal_the_letter_of_a_stone_comes_before_its_tile():
    board = render_board(GAME.draw(Match(make_variant(GAME), 2).state, None)).plain
    assert len(re.findall(r"[RYPGB] +(?:clover|stone|[123])(?= |$)", board)) >= 18
    assert not re.search(r"clover +[RYPGB] +clover +[RYPGB] *$", board, re.MULTILINE)


def test_the_number_of_a_figure_can_be_read_in_the_terminal():
    table = Table().figure("red", 3, seat=1)  # a dark number on a white figure on a dark stone
    lines = render_board(GAME.draw(table.state, None)).split("\n")
    row = next(line for line in lines if line.plain[:50].strip() == "2")
    (style,) = [span.style for span in row.spans if span.start == row.plain.index("2")]
    assert (style.color, style.bgcolor) == (None, None)


# ---- the end


def test_five_figures_in_the_goal_area_are_the_headline_and_the_winner_follows():
    table = goal_with(4, Table()).hold("red 5").figure("red", 6).push("lay red 5 and end the match")
    output = texts(GAME.draw(table.state, None))
    assert output[0] == "The match is over: five figures have reached the goal area"
    assert output[1] == "Seat 2 wins: 36 points against 2."
    assert "40 for figures, \u22124 for no wishing stones, 0 on the track: 36" in output


def test_the_headline_counts_the_figures_of_the_variant():
    table = goal_with(3, Table("four-figures")).hold("red 5").figure("red", 6)
    table.push("lay red 5 and end the match")
    assert (
        texts(GAME.draw(table.state, None))[0] == "The match is over: four figures have reached the goal area"
    )


def test_a_shared_win_names_all_winners():
    table = Table(seats=3)
    table.state.left = 1
    table.push("discard pink 0").push("draw the last card")
    assert texts(GAME.draw(table.state, None))[:2] == [
        "The match is over: the last card is drawn",
        "Seats 1, 2 and 3 share the win: -4 points each.",
    ]


# ---- pieces that an action concerns


def list_linked(svg):
    """All numbers of actions in a picture."""
    return {int(number) for group in re.findall(r'data-action="([^"]*)"', svg) for number in group.split()}


@pytest.mark.parametrize(
    ("variant_name", "seats", "agent"),
    [
        pytest.param("", 2, "greedy", marks=pytest.mark.long),
        pytest.param("as-printed", 3, "random", marks=pytest.mark.long),
        ("free-clovers", 4, "greedy"),
        pytest.param("redraw", 2, "random", marks=pytest.mark.long),
    ],
)
def test_every_legal_action_is_on_a_piece_in_every_position(variant_name, seats, agent):
    match = Match(make_variant(GAME, variant_name), seats, compiled=True)
    while not match.is_over:
        assert list_linked(GAME.draw(match.state, int(match.state.actor))) == set(match.legal())
        match.step(agent)
    assert list_linked(GAME.draw(match.state, None)) == set()


def test_a_seat_that_is_not_to_act_gets_no_actions():
    match = Match(make_variant(GAME), 3)
    assert list_linked(GAME.draw(match.state, 0)) == list_linked(GAME.draw(match.state, None)) != set()
    assert list_linked(GAME.draw(match.state, 1)) == list_linked(GAME.draw(match.state, 2)) == set()


def test_a_card_and_the_figure_it_moves_carry_the_same_number():
    table = Table().hold("red 5").laid("red 4").figure("red", 3)
    number = table.choices()["lay red 5"]
    carriers = re.findall(rf'<g data-action="(?:\d+ )*{number}(?: \d+)*">.*', GAME.draw(table.state, 0))
    assert len(carriers) == 2
    assert any(">R5<" in carrier for carrier in carriers)
    assert any(">1<" in carrier for carrier in carriers)


def test_leaving_a_clover_unused_has_a_button():
    table = Table("clover-optional").hold("red 5").laid("red 5").figure("red", 1).tile("red", 2, "clover")
    assert "nobody moves" not in texts(GAME.draw(table.state, 0))
    table.push("lay red 5")
    assert "nobody moves" in texts(GAME.draw(table.state, 0))
    assert "nobody moves" not in texts(GAME.draw(table.state, 1))
