"""Keltis told in words: the set-up, what each action caused, and why the winner won. A seat's own telling
reveals nothing that it did not see.
"""

import pytest

from boardgames import Match, make_variant
from boardgames.rules import protocol
from tests.variants.keltis.table import TILES, Table, goal_with, stones
from variants.keltis import GAME, codes
from variants.keltis.transcript import describe_effects, describe_result, describe_setup


def tell(table, words, seat=None):
    """Carry out an action; what it caused, as a seat is told it."""
    before = table.state.copy()
    action = table.choices()[words]
    table.push(action)
    return describe_effects(before, table.state, action, seat)


# ---- the set-up


@pytest.mark.parametrize("variant_name", ["", "even-paths"])
def test_the_set_up_tells_which_tile_lies_on_which_stone(variant_name):
    state = Match(make_variant(GAME, variant_name), 3).state
    lines = describe_setup(state, None)
    names = {kind: name for name, kind in TILES.items()}
    numbers = {"one": "1", "two": "2", "three": "3"}
    for (path, row), kind in stones(state).items():
        tile = f"a {numbers.get(names[kind], names[kind])} in row {row}"
        assert tile in next(line for line in lines if line.startswith(f"The {codes.PATH_NAMES[path]} path"))
    assert sum(line.count(" in row ") for line in lines) == 25


def test_the_set_up_tells_figures_hands_pile_and_who_begins():
    match = Match(make_variant(GAME), 2, deal=1)
    assert describe_setup(match.state, None)[5:] == [
        "Each seat has four small figures and the large one on the start stone, and its score marker at 0.",
        "Seat 1 holds yellow 3, yellow 6, pink 1, pink 2, pink 4, pink 7, blue 1 and blue 2.",
        "Seat 2 holds pink 8, green 9, green 9, blue 0, blue 1, blue 5, blue 8 and blue 8.",
        "The draw pile has 64 cards; 30 more are in the box, unseen.",
        "Seat 1 begins.",
    ]


def test_without_a_large_figure_the_set_up_has_five_small_ones():
    lines = describe_setup(Match(make_variant(GAME, "no-large-figure"), 3).state, None)
    assert "Each seat has five small figures on the start stone, and its score marker at 0." in lines
    assert "The draw pile has 86 cards." in lines


def test_a_seat_is_told_only_its_own_hand():
    lines = describe_setup(Match(make_variant(GAME), 3).state, 1)
    assert [line[:12] for line in lines if "holds" in line] == ["Seat 2 holds"]


# ---- what an action caused


def test_a_step_tells_the_row_and_what_it_is_worth():
    entering = Table().hold("red 5")
    assert tell(entering, "lay red 5, a small figure enters") == [
        "the figure on red is in row 1, worth -4 points"
    ]
    table = Table().hold("blue 5").laid("blue 4").figure("blue", 6, large=True)
    assert tell(table, "lay blue 5") == [
        "the blue column rises from now on",
        "the large figure on blue is in row 7, worth 2 times 6 points",
        "it is the first figure in the goal area",
    ]


def test_the_second_value_of_a_column_decides_and_is_told_once():
    table = Table().hold("red 5", "red 5", "red 3").laid("red 5").figure("red", 1)
    assert not any("column" in line for line in tell(table, "lay red 5"))
    table.push("draw a card").push("discard pink 0").push("draw a card").hold("red 3", "red 1")
    assert "the red column falls from now on" in tell(table, "lay red 3")
    table.push("draw a card").push(table.legal()[0]).push("draw a card").hold("red 1")
    assert not any("column" in line for line in tell(table, "lay red 1"))


def test_where_columns_only_rise_nothing_is_decided():
    table = Table("ascending-only").hold("red 5").laid("red 4").figure("red", 1)
    assert not any("column" in line for line in tell(table, "lay red 5"))


@pytest.mark.parametrize(
    ("tile", "line"),
    [
        ("one", "it reaches a 1: 1 point, 5 on the track"),
        ("three", "it reaches a 3: 3 points, 7 on the track"),
        ("wishing stone", "it takes a wishing stone, the second of seat 1"),
        ("clover", "it reaches a clover"),
    ],
)
def test_a_tile_tells_what_it_gave(tile, line):
    table = Table().hold("red 5").laid("red 5").figure("red", 2).tile("red", 3, tile)
    table.state.points[0], table.state.wishes[0] = 4, 1
    assert tell(table, "lay red 5")[1:] == [line]


def test_a_clover_that_lapses_says_why():
    table = Table().hold("red 5").laid("red 5").figure("red", 8).tile("red", 9, "clover")
    assert tell(table, "lay red 5")[-1] == "it reaches a clover, which lapses: no figure can move"


def test_a_clover_and_its_chain_are_told_step_by_step():
    table = Table().hold("red 5").laid("red 5").figure("red", 1).figure("blue", 1)
    table.tile("red", 2, "clover").tile("blue", 2, "two").push("lay red 5")
    assert tell(table, "clover: advance on blue") == [
        "the figure on blue is in row 2, worth -3 points",
        "it reaches a 2: 2 points, 2 on the track",
    ]


def test_a_clover_left_unused_causes_nothing():
    table = Table("clover-optional").hold("red 5").laid("red 5").figure("red", 1).tile("red", 2, "clover")
    table.push("lay red 5")
    assert tell(table, "clover: nobody moves") == []


def test_a_card_beyond_the_end_stone_tells_whether_another_figure_may_move():
    alone = Table().hold("red 5").laid("red 5").figure("red", 9)
    assert tell(alone, "lay red 5") == ["the figure stands on the end stone already; no other can move"]
    table = Table().hold("red 5").laid("red 5").figure("red", 9).figure("blue", 3)
    assert tell(table, "lay red 5") == [
        "the figure stands on the end stone already; another may move instead"
    ]
    assert tell(table, "instead: advance on blue") == ["the figure on blue is in row 4, worth 1 point"]


def test_a_drawn_card_is_told_to_those_who_see_it():
    match = Match(make_variant(GAME), 2)
    match.push(match.legal()[0])
    before = match.state.copy()
    match.push("draw a card")
    assert describe_effects(before, match.state, codes.FROM_DECK, 1) == []
    lines = describe_effects(before, match.state, codes.FROM_DECK, 0)
    drawn = codes.PATH_NAMES.index(lines[0].split()[2]) * codes.VALUES + int(lines[0].split()[3])
    assert before.deck[drawn] - match.state.deck[drawn] == 1
    assert describe_effects(before, match.state, codes.FROM_DECK, None) == lines


def test_the_fifth_figure_ends_the_match_and_the_tile_that_does_not_act_is_named():
    table = goal_with(4, Table()).hold("red 5").laid("red 5").figure("red", 6).tile("red", 7, "two")
    assert tell(table, "lay red 5 and end the match") == [
        "the figure on red is in row 7, worth 6 points",
        "it is the fifth figure in the goal area, which ends the match",
        "a 2 lies there and does not act any more",
        "seat 1: 6 for figures, -4 for no wishing stones, 0 on the track: 2",
        "seat 2: 40 for figures, -4 for no wishing stones, 0 on the track: 36",
    ]


def test_the_last_card_ends_the_match():
    table = Table().figure("red", 5)
    table.state.left = 1
    table.push("discard pink 0")
    assert tell(table, "draw the last card", seat=1) == [
        "the draw pile is used up, which ends the match",
        "seat 1: 2 for figures, -4 for no wishing stones, 0 on the track: -2",
        "seat 2: 0 for figures, -4 for no wishing stones, 0 on the track: -4",
    ]


def test_every_point_step_and_stone_of_a_match_is_told():
    match = Match(make_variant(GAME), 3, compiled=True)
    told = {"on the track": 0, "wishing stone,": 0, "is in row": 0, "figure in the goal area": 0}
    while not match.is_over:
        before = match.state.copy()
        match.step("greedy")
        lines = describe_effects(before, match.state, match.actions[-1], None)
        for words in told:
            told[words] += sum(words in line and not line.startswith("seat ") for line in lines)
    state, tally = match.state, GAME.tallies.index
    assert told == {
        "on the track": sum(state.tally[:, tally(kind)].sum() for kind in ("ones", "twos", "threes")),
        "wishing stone,": state.wishes.sum(),
        "is in row": state.row.sum(),
        "figure in the goal area": state.in_goal,
    }


# ---- why the winner won


def test_the_result_names_the_winner_and_all_scores():
    table = Table(seats=3).figure("red", 9, seat=1).figure("blue", 6, seat=2)
    assert describe_result(table.state) == "Seat 2 wins: 6 points against -1 and -4."


def test_equals_share_the_victory_and_the_result_says_so():
    table = Table(seats=3).figure("red", 9).figure("blue", 9, seat=2)
    assert describe_result(table.state) == "Seats 1 and 3 share the win: 6 points each against -4."
    assert describe_result(Table().state) == "Seats 1 and 2 share the win: -4 points each."


# ---- nothing hidden is told


@pytest.mark.parametrize("seats", [2, 4])
def test_a_seat_is_told_the_same_whatever_it_cannot_see(seats):
    match = Match(make_variant(GAME, "as-printed"), seats, compiled=True)
    for seat in range(seats):
        assert describe_setup(redeal(match, seat), seat) == describe_setup(match.state, seat)
    while not match.is_over:
        worlds = [redeal(match, seat) for seat in range(seats)]
        before = match.state.copy()
        match.step("random")
        action = match.actions[-1]
        for seat in range(seats):
            lines = describe_effects(before, match.state, action, seat)
            assert describe_effects(worlds[seat], redeal(match, seat), action, seat) == lines


def redeal(match, seat):
    """A world that a seat cannot tell from the real one."""
    world = match.state.copy()
    match._run(protocol.rekey_and_resample, world, seat, 99)
    return world


def test_the_transcript_of_a_match_tells_set_up_effects_and_result():
    match = Match(make_variant(GAME), 2, deal=1, compiled=True).finish("greedy")
    text = str(match.transcript())
    assert "The pink path has a wishing stone in row 2" in text
    assert "it takes a wishing stone, the first of seat 1" in text
    assert text.endswith("Seat 1 wins: 51 points against 30.")
    assert text.count("  it is ") > str(match.transcript(0)).count("  it is ")


def test_describing_changes_no_position():
    match = Match(make_variant(GAME), 2).finish("random")
    bytes_before = match.state.tobytes()
    describe_setup(match.state, None)
    describe_effects(match.state, match.state, match.actions[-1], None)
    describe_result(match.state)
    assert match.state.tobytes() == bytes_before
