"""Keltis: each ruling of RULES.md, by its number."""

import re
from pathlib import Path

import pytest

from boardgames import Match, make_variant
from boardgames.rules import protocol
from tests.variants.keltis.table import Table, goal_with, stones, words_of
from variants import keltis
from variants.keltis import GAME

COLOURS = ("red", "yellow", "pink", "green", "blue")


def test_every_ruling_has_a_test():
    text = (Path(keltis.__file__).parent / "RULES.md").read_text()
    ruled = re.findall(r"^\*\*Ruling (\d+)\.", text, re.MULTILINE)
    tested = {number for name in globals() for number in re.findall(r"^test_ruling_(\d+)_", name)}
    assert sorted(map(int, ruled)) == list(range(1, 40))
    assert tested == set(ruled)


# ---- columns


@pytest.mark.parametrize("first", [0, 10])
def test_ruling_1_a_first_0_or_10_decides_nothing(first):
    table = Table().hold("red 0", "red 5", "red 10").laid(f"red {first}").figure("red", 1)
    assert all(table.can(f"lay red {value}") for value in (0, 5, 10))


def test_ruling_2_the_same_value_leaves_an_open_column_open():
    table = Table().hold("red 2", "red 4", "red 3").laid("red 3").figure("red", 1)
    table.push("lay red 3").push("draw a card").push("discard pink 0").push("draw a card").hold(
        "red 2", "red 4"
    )
    assert table.can("lay red 2")
    assert table.can("lay red 4")


def test_ruling_2_the_same_value_follows_in_a_decided_column():
    rising = Table().hold("red 6").laid("red 3", "red 6").figure("red", 2)
    falling = Table().hold("red 3").laid("red 6", "red 3").figure("red", 2)
    assert rising.can("lay red 6")
    assert falling.can("lay red 3")


def test_ruling_3_a_card_that_fits_may_be_discarded():
    table = Table().hold("red 5").laid("red 4").figure("red", 3)
    assert set(table.choices()) == {"discard red 5", "lay red 5"}
    assert table.push("discard red 5").row("red") == 3


# ---- steps


def test_ruling_4_the_step_is_not_left_to_the_player():
    table = Table().hold("red 5").push("lay red 5, a small figure enters")
    assert table.row("red") == 1
    assert table.can("draw a card")


def test_ruling_4_not_even_where_it_ends_the_match():
    table = goal_with(4, Table()).hold("red 5").figure("red", 6)
    assert set(table.choices()) == {"discard red 5", "lay red 5 and end the match"}


def test_ruling_5_the_large_figure_may_enter_first():
    table = Table().hold("red 5").push("lay red 5, the large figure enters")
    assert table.state.large[0] == 0
    assert table.state.small[0] == 4
    assert table.tally("large path") == 1


def test_ruling_5_a_figure_is_never_exchanged():
    table = Table().hold("red 5").laid("red 3").figure("red", 1)
    assert set(table.choices()) == {"discard red 5", "lay red 5"}


def test_ruling_6_a_second_card_brings_in_no_second_figure():
    table = Table().hold("red 5").laid("red 3").figure("red", 1).push("lay red 5")
    assert table.row("red") == 2
    assert table.state.small[0] == 3


def test_ruling_7_on_the_end_stone_a_card_still_has_to_follow():
    table = Table().hold("red 3", "red 5").laid("red 2", "red 4").figure("red", 9)
    assert table.can("lay red 5")
    assert not table.can("lay red 3")


def test_ruling_8_the_substitute_step_may_be_left_out():
    table = Table().hold("red 5").laid("red 4").figure("red", 9).figure("blue", 3).push("lay red 5")
    assert set(table.choices()) == {"instead: advance on blue", "instead: nobody moves"}
    table.push("instead: nobody moves")
    assert table.row("blue") == 3
    assert table.tally("substitute steps") == 0


def test_ruling_8_a_substitute_step_can_end_the_match_or_not():
    table = (
        goal_with(3, Table()).hold("red 5").laid("red 4").figure("red", 9).figure("blue", 6).push("lay red 5")
    )
    assert set(table.choices()) == {"instead: advance on blue and end the match", "instead: nobody moves"}


def test_ruling_9_the_substitute_step_brings_no_figure_in():
    table = Table().hold("red 5").laid("red 4").figure("red", 9).figure("blue", 3).push("lay red 5")
    assert not any("enters" in words for words in table.choices())


def test_ruling_9_unless_the_variant_says_so():
    table = Table("substitute-enters").hold("red 5").laid("red 4").figure("red", 9).push("lay red 5")
    assert len(table.choices()) == 2 * 4 + 1
    table.push("instead: the large figure enters green")
    assert table.row("green") == 1
    assert table.state.large[0] == 3
    assert table.tally("substitute steps") == 1


def test_ruling_10_a_tile_reached_by_a_substitute_step_acts():
    table = (
        Table()
        .hold("red 5")
        .laid("red 4")
        .figure("red", 9)
        .figure("blue", 3)
        .tile("blue", 4, "clover")
        .tile("blue", 5, "two")
    )
    table.push("lay red 5").push("instead: advance on blue").push("clover: advance on blue")
    assert table.row("blue") == 5
    assert table.state.points[0] == 2


# ---- clovers


def on_a_clover(variant_name="", **given):
    """A card brings the red figure onto a clover, and the blue one could move as well."""
    table = (
        Table(variant_name, **given)
        .hold("red 5")
        .laid("red 4")
        .figure("red", 1)
        .figure("blue", 3)
        .tile("red", 2, "clover")
    )
    return table.push("lay red 5")


def test_ruling_11_a_clover_brings_no_figure_in():
    assert set(on_a_clover().choices()) == {"clover: advance on red", "clover: advance on blue"}


def test_ruling_12_if_it_may_any_path_without_an_own_figure_is_open_to_both_kinds():
    words = set(on_a_clover("clover-enters").choices())
    entering = {
        f"clover: {figure} enters {path}"
        for figure in ("a small figure", "the large figure")
        for path in COLOURS[1:4]
    }
    assert words == entering | {"clover: advance on red", "clover: advance on blue"}


def test_ruling_12_the_first_card_of_that_colour_then_moves_the_figure_to_row_2():
    table = on_a_clover("clover-enters").push("clover: a small figure enters green").push("draw a card")
    assert table.row("green") == 1
    assert table.state.column[0, 3] == 0
    table.push("discard pink 0").push("draw a card").hold("green 9").push("lay green 9")
    assert table.row("green") == 2
    assert table.state.small[0] == 1


def test_ruling_13_a_clover_must_be_used():
    assert "clover: nobody moves" not in on_a_clover().choices()


def test_ruling_13_unless_the_variant_says_so():
    table = on_a_clover("clover-optional").push("clover: nobody moves")
    assert table.row("red") == 2
    assert table.can("draw a card")
    assert table.tally("clovers") == 1
    assert table.tally("clovers used") == 0


def test_ruling_16_a_clover_lapses_if_no_figure_can_move():
    table = (
        Table("clover-optional")
        .hold("red 5")
        .laid("red 4")
        .figure("red", 8)
        .figure("blue", 9)
        .tile("red", 9, "clover")
    )
    assert table.push("lay red 5").can("draw a card")
    assert table.tally("clovers") == 1


def test_ruling_17_a_clover_on_an_end_stone_moves_another_figure():
    table = Table().hold("red 5").laid("red 4").figure("red", 8).figure("blue", 3).tile("red", 9, "clover")
    assert list(table.push("lay red 5").choices()) == ["clover: advance on blue"]


def test_ruling_18_a_chain_goes_on_through_all_nine_clovers():
    table = Table().hold("red 5").laid("red 4").figure("red", 0)
    for row in range(1, 10):
        table.tile("red", row, "clover")
    table.figure("blue", 8)
    table.push("lay red 5, a small figure enters")
    for row in range(1, 9):
        assert table.row("red") == row
        table.push("clover: advance on red")
    assert list(table.choices()) == ["clover: advance on blue"]
    table.push("clover: advance on blue")
    assert table.can("draw a card")
    assert (table.tally("clovers"), table.tally("clovers used"), table.tally("clovers chained")) == (9, 9, 8)


def test_ruling_37_whoever_comes_to_an_emptied_stone_gets_nothing():
    table = (
        Table()
        .hold("red 5")
        .hold("red 6", seat=1)
        .figure("red", 1)
        .figure("red", 1, seat=1)
        .tile("red", 2, "wishing stone")
    )
    table.push("lay red 5").push("draw a card").push("lay red 6")
    assert table.can("draw a card")
    assert table.state.wishes.tolist() == [1, 0, 0, 0]
    assert table.tally("wishing stones", seat=1) == 0


def test_ruling_38_clovers_and_substitute_steps_ask_for_no_card_and_leave_columns_alone():
    table = on_a_clover()
    columns = table.state.column.copy()
    table.push("clover: advance on blue")
    assert (table.state.column == columns).all()
    assert table.row("blue") == 4


def test_ruling_39_no_path_has_a_tile_in_row_1():
    for variant_name in GAME.variants:
        assert 1 not in {row for _, row in stones(Match(make_variant(GAME, variant_name), 2).state)}


# ---- drawing


def test_ruling_14_the_card_just_discarded_cannot_be_taken_back():
    table = Table().hold("red 5").pile("red 1", "blue 3").push("discard red 5")
    assert set(table.choices()) == {"draw a card", "take blue 3"}


def test_ruling_14_unless_the_variant_says_so():
    table = Table("redraw").hold("red 5").pile("red 1", "blue 3").push("discard red 5")
    assert set(table.choices()) == {"draw a card", "take red 5", "take blue 3"}
    assert table.push("take red 5").hand() == ["red 5"]


def test_ruling_14_the_next_player_may_take_it():
    table = Table().hold("red 5").push("discard red 5").push("draw a card").push("discard pink 0")
    assert table.can("take red 5")


def test_ruling_15_after_laying_all_piles_are_open():
    table = Table().hold("red 5").pile("red 1", "red 2", "blue 3").push("lay red 5, a small figure enters")
    assert set(table.choices()) == {"draw a card", "take red 2", "take blue 3"}


# ---- the end


def test_ruling_19_the_match_ends_in_the_middle_of_a_chain():
    table = goal_with(4, on_a_clover().figure("green", 6).tile("green", 7, "two"))
    seats_turn = int(table.state.turn)
    table.push("clover: advance on green and end the match")
    assert table.end == "figures in the goal"
    assert table.legal() == []
    assert table.state.points[0] == 0
    assert table.state.turn == seats_turn
    assert table.state.held[0] == 0


@pytest.mark.parametrize("figures", [0, 1, 2, 3])
def test_ruling_20_the_tiles_of_the_figures_before_act(figures):
    table = (
        goal_with(figures, Table())
        .hold("red 5")
        .laid("red 4")
        .figure("red", 6)
        .tile("red", 7, "three")
        .push("lay red 5")
    )
    assert not table.is_over
    assert table.state.in_goal == figures + 1
    assert table.state.points[0] == 3


@pytest.mark.parametrize("row", [7, 8])
def test_ruling_21_a_figure_that_goes_on_in_the_goal_area_is_not_counted_again(row):
    table = (
        goal_with(3, Table())
        .hold("red 5")
        .laid("red 4")
        .figure("red", row)
        .tile("red", row + 1, "three")
        .push("lay red 5")
    )
    assert not table.is_over
    assert table.state.in_goal == 4
    assert table.state.points[0] == 3


def test_ruling_22_after_the_last_card_nobody_has_another_turn():
    table = Table(seats=3)
    table.state.left = 1
    table.push("discard pink 0").push("draw the last card")
    assert table.end == "last card"
    assert table.legal() == []
    assert table.state.begun.tolist() == [1, 0, 0, 0]


def test_ruling_23_the_fifth_figure_ends_it_though_one_card_is_left():
    table = goal_with(4, Table()).hold("red 5").figure("red", 6)
    table.state.left = 1
    assert table.push("lay red 5 and end the match").end == "figures in the goal"
    assert table.state.left == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_24_there_is_always_a_card_to_draw(seats):
    match = Match(make_variant(GAME), seats, compiled=True)
    while not match.is_over:
        assert match.state.left > 0
        match.step("random")
    assert match.state.left == 0


def test_ruling_36_nothing_but_a_technical_limit_ends_a_match_in_which_nobody_draws_from_the_pile():
    table = Table(seats=2).hold("red 1").hold("blue 1", seat=1).pile("yellow 0", "green 0")
    for _ in range(40):
        table.push(first(table, "discard")).push(first(table, "take"))
    assert not table.is_over
    assert GAME.cap == 4000


# ---- preparation


def test_ruling_25_more_or_fewer_cards_in_the_box_leave_the_same_cards_to_draw():
    usual, full = (Match(make_variant(GAME, variant_name), 2) for variant_name in ("", "full-deck"))
    for _ in range(30):
        assert (usual.state.hand == full.state.hand).all()
        action = usual.legal()[0]
        usual.push(action)
        full.push(action)
    assert full.state.left == usual.state.left + 30


def test_ruling_25_a_smaller_hand_begins_with_the_same_cards():
    eight, six = (Match(make_variant(GAME, variant_name), 3).state for variant_name in ("", "six-cards"))
    for seat in range(3):
        large, small = eight.hand[seat, :8].tolist(), six.hand[seat, :6].tolist()
        assert all(small.count(card) <= large.count(card) for card in small)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_33_seat_1_begins_and_turns_go_round(seats):
    table = Table(seats=seats)
    order = []
    for _ in range(2 * seats):
        order.append(int(table.state.turn_owner))
        table.push(table.legal()[0]).push("draw a card")
    assert order == [*range(seats)] * 2


# ---- scoring


def test_ruling_26_a_score_can_be_below_0():
    assert Table().figure("red", 1, large=True).figure("blue", 1).scores()[0] == -8 - 4 - 4


def test_ruling_27_more_than_50_points_are_just_added():
    table = Table().figure("red", 9, large=True).figure("blue", 9).figure("pink", 9).figure("green", 7)
    table.state.points[0], table.state.wishes[0] = 14, 5
    assert table.scores()[0] == 20 + 10 + 10 + 6 + 14 + 10


def test_ruling_28_all_begin_at_0():
    assert not Match(make_variant(GAME), 4).state.points.any()


def test_ruling_29_losses_and_gains_are_sums():
    table = Table().figure("red", 1).figure("blue", 9)
    table.state.points[0] = 1
    assert table.scores()[0] == 1 - 4 + 10 - 4


def test_ruling_30_a_number_is_not_doubled_for_the_large_figure():
    table = (
        Table()
        .hold("red 5")
        .laid("red 4")
        .figure("red", 3, large=True)
        .tile("red", 4, "three")
        .push("lay red 5")
    )
    assert table.state.points[0] == 3
    assert table.scores()[0] == 3 + 2 * 1 - 4


def test_ruling_31_figures_on_the_start_stone_score_nothing():
    assert Table().scores() == [-4, -4]  # for having no wishing stone


def test_ruling_32_equals_share_the_victory():
    table = Table(seats=3).figure("red", 5).figure("blue", 5, seat=2)
    table.state.left = 1
    assert table.push("discard pink 0").push("draw the last card").ranks() == [1, 3, 1]
    assert str(table.transcript()).endswith("Seats 1 and 3 share the win: -2 points each against -4.")


# ---- what players know


def test_ruling_34_only_the_uppermost_card_of_a_pile_can_be_taken():
    table = Table().pile("red 1", "red 2", "red 3").push("discard pink 0")
    assert [words for words in table.choices() if "red" in words] == ["take red 3"]
    table.push("take red 3").push("discard pink 0")
    assert [words for words in table.choices() if "red" in words] == ["take red 2"]


def test_ruling_35_hands_and_deck_are_hidden_and_everything_else_is_open():
    hidden = {name for name, field in GAME.fields.items() if field.visibility != "public"}
    assert hidden == {"deck", "hand"}


def test_ruling_35_a_card_taken_from_a_pile_stays_known_until_it_leaves_the_hand():
    match = Match(make_variant(GAME), 2)
    card = first(match, "discard").removeprefix("discard ")
    match.push(f"discard {card}").push("draw a card").push(first(match, "lay")).push(f"take {card}")
    for key in range(20):
        assert card in [words_of(int(held)) for held in rekey_and_resample(match, 0, key).hand[1, :8]]
    assert match.state.known[1].any()
    match.push(first(match, "lay")).push("draw a card").push(f"discard {card}")
    assert not match.state.known[1].any()


def first(match, beginning):
    return next(words for words in match.choices() if words.startswith(beginning))


def rekey_and_resample(match, seat, key):
    """A world that a seat cannot tell from the real one."""
    copy = match.copy()
    copy._run(protocol.rekey_and_resample, copy.state, seat, key)
    return copy.state
