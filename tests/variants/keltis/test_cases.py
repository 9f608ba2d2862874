"""Keltis: the examples of the rulebook, and twelve positions worked out beforehand."""

import pytest

from boardgames import Match, make_variant
from tests.variants.keltis.table import Table, goal_with, path_of, stones
from variants.keltis import GAME, codes

DARK = {
    "red": (3, 5, 6, 7, 9),
    "yellow": (2, 4, 6, 7, 9),
    "pink": (2, 3, 5, 7, 9),
    "green": (2, 4, 5, 7, 9),
    "blue": (3, 4, 6, 7, 9),
}


def lay_out(*values, variant_name=""):
    """Lay red cards one after the other, as far as they follow; returns how many did."""
    table = Table(variant_name)
    for n, value in enumerate(values):
        table.hold(f"red {value}")
        entering = table.row("red") == 0
        if not table.can(f"lay red {value}" + ", a small figure enters" * entering):
            return n
        table.push(f"lay red {value}" + ", a small figure enters" * entering).push("draw a card")
        table.push("discard pink 0").push("draw a card")
        table.hold("pink 0", seat=1)
    return len(values)


def test_the_rulebook_lays_3_3_6_7_7():
    assert lay_out(3, 3, 6, 7, 7) == 5


def test_the_rulebook_lays_9_8_8_5_3():
    assert lay_out(9, 8, 8, 5, 3) == 5


def test_case_1_after_3_3_a_2_makes_the_column_fall():
    assert lay_out(3, 3, 2, 2) == 4
    assert lay_out(3, 3, 2, 2, 3) == 4


def test_case_2_after_10_comes_0_and_0_again_and_then_no_1():
    assert lay_out(10, 0, 0) == 3
    assert lay_out(10, 0, 0, 1) == 3


@pytest.mark.parametrize("tile", ["clover", "wishing stone", "three"])
def test_case_3_the_fifth_figure_ends_the_match_before_its_tile_acts(tile):
    table = (
        goal_with(4, Table()).hold("red 5", "blue 1").figure("red", 6).figure("pink", 2).tile("red", 7, tile)
    )
    left = int(table.state.left)
    table.push("lay red 5 and end the match")
    assert table.end == "figures in the goal"
    assert table.row("red") == 7
    assert table.tile_on("red", 7) == tile
    assert table.state.points[0] == table.state.wishes[0] == 0
    assert table.hand() == ["blue 1"]
    assert table.state.left == left


def test_case_4_a_chain_of_clovers_ends_where_the_fifth_figure_arrives():
    table = goal_with(4, Table()).hold("red 5").figure("red", 2).figure("blue", 4).figure("green", 6)
    table.tile("red", 3, "clover").tile("blue", 5, "two").tile("blue", 6, "clover").tile("green", 7, "three")
    table.push("lay red 5").push("clover: advance on blue")
    assert table.state.points[0] == 2
    table.push("draw a card").push("discard pink 0").push("draw a card")
    table.hold("red 6").tile("red", 4, "clover").push("lay red 6").push("clover: advance on blue")
    table.push("clover: advance on green and end the match")
    assert table.is_over
    assert table.row("blue") == 6
    assert table.state.points[0] == 2


def test_case_5_on_the_end_stone_a_card_moves_another_figure_or_none():
    table = Table().hold("red 5").laid("red 4").figure("red", 9).figure("blue", 3)
    assert table.copy().push("lay red 5").push("instead: advance on blue").state.row[0, 4] == 4
    assert table.copy().push("lay red 5").push("instead: nobody moves").state.row[0, 4] == 3


def test_case_5_without_another_figure_on_its_way_nobody_is_asked():
    table = Table().hold("red 5").laid("red 4").figure("red", 9).figure("blue", 9)
    assert table.push("lay red 5").can("draw a card")


def test_case_5_a_card_that_does_not_follow_can_only_be_discarded():
    table = Table().hold("red 5").laid("red 4", "red 6").figure("red", 9).figure("blue", 3)
    assert list(table.choices()) == ["discard red 5"]


def test_case_6_a_clover_on_an_end_stone_lapses_where_all_others_wait_at_the_start():
    table = Table().hold("red 5").laid("red 4").figure("red", 8).tile("red", 9, "clover")
    assert table.push("lay red 5").can("draw a card")


def test_case_6_with_clover_enters_it_offers_to_enter():
    table = Table("clover-enters").hold("red 5").laid("red 4").figure("red", 8).tile("red", 9, "clover")
    table.push("lay red 5")
    assert len(table.choices()) == 8
    assert table.can("clover: a small figure enters blue")
    assert table.can("clover: the large figure enters blue")
    assert not table.can("clover: a small figure enters red")


def test_case_7_the_card_just_discarded_is_not_offered():
    table = Table().hold("red 5").pile("blue 3", "green 0").push("discard red 5")
    assert set(table.choices()) == {"draw a card", "take green 0", "take blue 3"}


def test_case_8_the_last_card_ends_the_match():
    table = Table()
    table.state.left = 2
    table.push("discard pink 0").push("draw a card")
    turn = table.state.turn
    table.push("discard pink 0").push("draw the last card")
    assert table.end == "last card"
    assert table.state.turn == turn
    assert table.state.held[1] == 1


@pytest.mark.parametrize(
    ("row", "points"), [(1, -8), (2, -6), (3, -4), (4, 2), (5, 4), (6, 6), (7, 12), (8, 14), (9, 20)]
)
def test_case_9_the_large_figure_counts_double(row, points):
    table = Table().figure("red", row, large=True)
    table.state.wishes[0] = 2  # for 2 points
    assert table.scores()[0] == points + 2


def test_case_10_the_fifth_path_is_for_the_large_figure_if_the_small_ones_are_out():
    table = Table().hold("blue 1", "red 7").laid("red 3")
    for path in ("red", "yellow", "pink", "green"):
        table.figure(path, 1)
    assert set(table.choices()) == {
        "discard red 7",
        "lay red 7",
        "discard blue 1",
        "lay blue 1, the large figure enters",
    }


def test_case_11_a_wishing_stone_is_for_the_first_a_number_or_clover_for_all():
    table = Table().hold("red 5").hold("red 6", seat=1)
    table.figure("red", 1).figure("red", 1, seat=1).tile("red", 2, "wishing stone").tile("red", 3, "three")
    table.push("lay red 5").push("draw a card").push("lay red 6").push("draw a card")
    assert table.state.wishes.tolist() == [1, 0, 0, 0]
    table.hold("red 7").hold("red 8", seat=1)
    table.push("lay red 7").push("draw a card").push("lay red 8").push("draw a card")
    assert table.state.points.tolist() == [3, 3, 0, 0]
    table.hold("red 9").hold("red 9", seat=1).tile("red", 4, "clover")
    table.push("lay red 9").push("clover: advance on red").push("draw a card")
    assert table.push("lay red 9").can("clover: advance on red")


@pytest.mark.parametrize(("seats", "left"), [(2, 64), (3, 86), (4, 78)])
def test_case_12_the_cards_are_dealt_as_documented(seats, left):
    state = Match(make_variant(GAME), seats).state
    assert state.held.tolist() == [8] * seats + [0] * (4 - seats)
    assert state.left == left
    assert state.deck.sum() - state.left == (30 if seats == 2 else 0)


def test_case_12_the_tiles_are_laid_out_as_documented():
    tiles = stones(Match(make_variant(GAME), 3).state)
    assert {path: tuple(row for p, row in tiles if p == path_of(path)) for path in DARK} == DARK
    kinds = list(tiles.values())
    assert {kind: kinds.count(kind) for kind in kinds} == {
        codes.ONE: 2,
        codes.TWO: 3,
        codes.THREE: 2,
        codes.CLOVER_LEAF: 9,
        codes.WISHING_STONE: 9,
    }
