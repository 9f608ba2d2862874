"""Keltis: what each named variant changes, boards of one's own, and what is refused."""

import copy

import pytest

from boardgames import InvalidInput, Match, derive, make_variant, rule
from tests.variants.keltis.table import Table, goal_with, stones
from variants.keltis import GAME
from variants.keltis.board import BOARDS


def test_ascending_only_lets_no_column_fall():
    table = Table("ascending-only").hold("red 2", "red 3", "red 4").laid("red 3").figure("red", 1)
    assert table.can("lay red 3")
    assert table.can("lay red 4")
    assert not table.can("lay red 2")


def test_four_figures_end_the_match():
    table = goal_with(3, Table("four-figures")).hold("red 5").figure("red", 6)
    assert table.push("lay red 5 and end the match").is_over


def test_figures_to_end_can_differ_by_the_number_of_players():
    variant = make_variant(GAME, "", {"figures_to_end": "4/5/6"})
    assert [variant.make_blank_state(seats)[0].rules.figures_to_end for seats in (2, 3, 4)] == [4, 5, 6]


def test_no_large_figure_leaves_five_small_ones():
    table = Table("no-large-figure").hold("blue 5")
    for path in ("red", "yellow", "pink", "green"):
        table.figure(path, 9)
    assert set(table.choices()) == {"discard blue 5", "lay blue 5, a small figure enters"}
    assert table.push("lay blue 5, a small figure enters").scores()[0] == 4 * 10 - 4 - 4


def test_a_large_figure_can_count_three_times():
    assert Table(large_figure=3).figure("red", 9, large=True).scores()[0] == 30 - 4


def test_six_cards_are_dealt_and_refilled():
    match = Match(make_variant(GAME, "six-cards"), 4)
    match.push(match.legal()[0]).push("draw a card")
    assert match.state.held.tolist() == [6] * 4


def test_two_players_use_the_full_deck():
    assert Match(make_variant(GAME, "full-deck"), 2).state.left == 110 - 16


@pytest.mark.parametrize(
    ("wishes", "usual", "kind"),
    [(0, -4, 0), (1, -3, 0), (2, 2, 2), (3, 3, 3), (4, 6, 6), (5, 10, 10), (9, 10, 10)],
)
def test_kind_stones_take_no_points(wishes, usual, kind):
    for variant_name, points in (("", usual), ("kind-stones", kind)):
        table = Table(variant_name)
        table.state.wishes[0] = wishes
        assert table.scores()[0] == points


def test_even_paths_have_their_tiles_in_the_same_rows():
    tiles = stones(Match(make_variant(GAME, "even-paths"), 2).state)
    assert {tuple(row for p, row in tiles if p == path) for path in range(5)} == {(2, 4, 6, 7, 9)}


def test_as_printed_takes_the_text_at_its_word():
    assert make_variant(GAME, "as-printed").changes() == {
        "clover_enters": (False, True),
        "substitute_enters": (False, True),
        "redraw": (False, True),
    }


def test_free_clovers_may_be_left_unused_and_may_bring_a_figure_in():
    table = Table("free-clovers").hold("red 5").laid("red 4").figure("red", 1).tile("red", 2, "clover")
    choices = set(table.push("lay red 5").choices())
    entering = {
        f"clover: {figure} enters {path}"
        for figure in ("a small figure", "the large figure")
        for path in ("yellow", "pink", "green", "blue")
    }
    assert choices == entering | {"clover: advance on red", "clover: nobody moves"}


def test_free_clovers_do_not_lapse_while_a_figure_waits_at_the_start():
    table = Table("free-clovers").hold("red 5").laid("red 4").figure("red", 8).tile("red", 9, "clover")
    assert "clover: the large figure enters blue" in table.push("lay red 5").choices()
    assert table.push("clover: nobody moves").can("draw a card")


def test_every_variant_but_no_parameter_of_none_is_reported_in_a_sentence():
    changed = set()
    for variant_name, (values, why) in GAME.variants.items():
        assert len(why.split()) >= 5, variant_name
        changed |= set(values)
    assert changed == {parameter.name for parameter in GAME.parameters}


def test_nobody_waits_for_more_figures_than_there_are():
    variant = make_variant(GAME, "", {"figures_to_end": 11})
    assert (
        variant.find_problem(2)
        == "2 players have 10 figures: figures_to_end=11 can never be in the goal area"
    )
    assert variant.find_problem(3) is None


@rule
def reach_clover(state):
    """A house rule that no parameter covers: a clover counts two points and moves nobody."""
    state.points[state.turn_owner] += 2


def test_a_single_rule_can_be_replaced():
    mine = derive(GAME, "lazy-clovers", reach_clover=reach_clover)
    match = Match(make_variant(mine), 2)
    while not match.is_over:
        match.step("random")
    assert not any("clover" in move.words for move in match.moves)
    assert (match.state.tally[:, mine.tallies.index("clovers used")] == 0).all()


# ---- boards


def board(**changed):
    return {**copy.deepcopy(BOARDS["printed"]), **changed}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rows": [1, 2, 3]}, "rows has 3 values, and a path has 9 stones"),
        ({"rows": "many"}, "rows is a list of whole numbers, not many"),
        ({"rows": [-4, -3, -2, 1, 2, 3, 6, 7, 1000]}, "rows: 1000 is not a whole number from -100 to 100"),
        ({"goal": 1}, "goal: 1 is not a whole number from 2 to 9"),
        ({"tiles": {"clover": 9}}, "25 stones take a tile, and there are 9 tiles"),
        (
            {"tiles": {"dragon": 25}},
            "tiles: there is no tile dragon; there are one, two, three, clover, wishing_stone",
        ),
        ({"stones": {"red": [2]}}, "stones has the paths red; a board has red, yellow, pink, green, blue"),
        (
            {"stones": {**BOARDS["printed"]["stones"], "red": [0, 5, 6, 7, 9]}},
            "stones of the red path: 0 is not a whole number from 1 to 9",
        ),
        (
            {"stones": {**BOARDS["printed"]["stones"], "red": [5, 5, 6, 7, 9]}},
            "stones of the red path: a row is named twice",
        ),
        ({"colour": "grey"}, "it has colour, which no board has; a board has rows, goal, tiles and stones"),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_words(changed, message):
    with pytest.raises(InvalidInput) as refused:
        make_variant(GAME, "", {"board": board(**changed)})
    assert str(refused.value).endswith(message)


def test_a_part_of_a_board_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match="'goal' is missing"):
        make_variant(GAME, "", {"board": {name: part for name, part in board().items() if name != "goal"}})


def test_a_board_of_ones_own_is_played(tmp_path):
    (tmp_path / "mine.toml").write_text(
        "rows = [1, 2, 3, 4, 5, 6, 7, 8, 9]\ngoal = 3\ntiles = { clover = 5 }\n[stones]\n"
        + "".join(f"{name} = [2]\n" for name in BOARDS["printed"]["stones"])
    )
    match = Match(make_variant(GAME, "", {"board": str(tmp_path / "mine.toml")}), 2)
    assert len(stones(match.state)) == 5
    while not match.is_over:
        match.step("random")
    assert match.end == "figures in the goal"
