"""Celtae: what each named variant changes, boards of one's own, other fill-ins, and what is refused."""

import copy
import random

import pytest

from boardgames import InvalidInput, Match, derive, make_variant, rule
from tests.variants.celtae.table import Table
from variants.celtae import GAME
from variants.celtae.board import BOARDS, DEFAULT


def test_every_parameter_is_in_the_issue_or_has_a_sentence():
    assert all(len(parameter.description.split()) >= 4 for parameter in GAME.parameters)
    assert {parameter.name for parameter in GAME.parameters} == {
        "board",
        "token_region",
        "battle_order",
        "garrison_region",
        "sides_from",
        "market_costs",
        "disk_costs",
        "strength_cap",
        "card_strength",
        "tribe_limit",
        "progress_markers",
        "starting_hand",
        "starting_tokens",
        "final_turns",
        "leader_sides",
    }


def test_every_variant_says_why_one_would_play_it():
    for variant_name, (values, why) in GAME.variants.items():
        assert len(why.split()) >= 5, variant_name
        assert make_variant(GAME, variant_name).changes().keys() == values.keys()


def test_every_parameter_is_changed_by_some_named_variant():
    changed = {name for values, _ in GAME.variants.values() for name in values}
    assert changed == {parameter.name for parameter in GAME.parameters}


@pytest.mark.parametrize("variant_name", GAME.variants)
def test_every_variant_is_played_to_its_end(variant_name):
    match = Match(make_variant(GAME, variant_name), 2).finish("random")
    assert match.is_over


def test_leaders_that_are_fixed_are_never_flipped():
    match = Match(make_variant(GAME, "leaders-fixed"), 3).finish("random")
    assert not any("on side" in move.words for move in match.moves)
    assert match.state.side.tolist() == [0] * 4


def test_a_low_track_stops_at_nine():
    table = (
        Table("low-track").hold("5 teal fort").workers("SSS", "S").act("east").push("gain strength by forts")
    )
    table.plays("discard teal fort", "discard teal fort", "discard teal fort")
    assert table.strength() == 9


def test_at_three_a_card_a_fourth_soldier_is_no_help():
    table = Table("three-a-card").hold("2 teal fort").workers("SSS", "S").act("east")
    assert table.plays("gain strength by forts", "discard teal fort").strength() == 3


def test_late_tokens_go_to_the_last_two_seats():
    match = Match(make_variant(GAME, "late-tokens"), 4)
    assert match.state.tokens.tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(("seats", "track", "turns"), [(2, 4, 10), (3, 6, 10), (4, 8, 10)])
def test_a_quick_match_has_a_third_fewer_markers(seats, track, turns):
    variant = make_variant(GAME, "quick")
    assert Match(variant, seats).state.track == track
    assert variant.bounds("turns", seats)[1] == turns * seats


def test_more_markers_than_spots_are_refused():
    variant = make_variant(GAME, "", {"progress_markers": 9})
    output = "13 progress markers, 4 of them from sites, do not fit on the 12 spots for 2 players"
    assert variant.find_problem(2) == output
    assert variant.find_problem(3) is None


def test_a_tribe_that_could_use_up_the_bag_is_refused():
    variant = make_variant(GAME, "", {"tribe_limit": 9})
    assert (
        variant.find_problem(4) == "4 tribes of 9 could use up the bag: 63 workers are needed, there are 60"
    )
    assert variant.find_problem(2) is None


def test_the_second_guess_changes_what_is_printed():
    usual, other = (
        Match(make_variant(GAME, variant_name), 2).state.rules for variant_name in ("", "second-guess")
    )
    assert usual.army_strength.tolist() != other.army_strength.tolist()
    assert usual.progress_cards.tolist() != other.progress_cards.tolist()
    assert other.market_costs.tolist() == [1, 1, 2, 2, 2]


def test_players_cannot_begin_with_more_tokens_than_there_are():
    variant = make_variant(GAME, "second-guess", {"starting_tokens": 3})
    assert variant.find_problem(2) is None
    assert variant.find_problem(3) == "3 players begin with 9 bonus tokens, there are 8"


# ---- what no source documents


def test_every_fill_in_of_the_unknowns_can_be_played_and_they_differ():
    chance, seen = random.Random(4), set()
    for _ in range(25):
        variant = make_variant(GAME, "", GAME.fill_in(chance))
        assert [variant.find_problem(seats) for seats in (2, 3, 4)] == [None, None, None]
        seen.add(variant.fingerprint())
    assert len(seen) > 20
    assert Match(variant, 3).finish("random").is_over


def test_documented_values_stay_in_every_fill_in():
    chance = random.Random(5)
    for _ in range(25):
        board = GAME.fill_in(chance)["board"]
        assert 11 in board["army"][4:]
        assert sum(map(len, board["ring"])) == 9
        assert (board["progress"][14]["at_least"], board["progress"][15]["at_least"]) == (3, 5)
        assert board["citadel_marks"][4:6] == [3, 4]
        assert 4 * sum(board["icons"]) == 60


# ---- boards


def board(**changed):
    return {**copy.deepcopy(BOARDS[DEFAULT]), **changed}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"army": [4, 5]}, "army is a list of 10 whole numbers, not [4, 5]"),
        ({"army": [-1] * 10}, "army: -1 is not a whole number from 0 to 99"),
        ({"druid": ["X"] * 10}, "N for noble; there are at most 3 of each, and 12 in all"),
        ({"ring": ["FBSN", "", "", "", ""]}, "there are at most 3 of each, and 3 in all"),
        ({"ring": "none"}, "ring is a list of 5 words, not none"),
        ({"workers": [3, 16, 16, 12]}, "workers: 3 farmers are too few; set-up takes 6"),
        ({"point_holes": [10]}, "point_holes: 10 is not a whole number from 1 to 9"),
        ({"citadel_marks": [9] * 8}, "citadel_marks: 9 is not a whole number from 0 to 5"),
        (
            {"garrisons": ["fort", "trap", "horse", "fort", "trap"]},
            "no space for horse; there are fort, trap, weapon, any icon",
        ),
        ({"icons": [5, 5, 6]}, "icons: 4 colours of 16 cards are 64, and there are 60 cards"),
        ({"progress": []}, "progress has 26 cards"),
        ({"two_spots": 4}, "two_spots: 4 is not a whole number from 5 to 22"),
        ({"citadel_spaces": [5] * 8}, "citadel_spaces: 5 is not a whole number from 2 to 4"),
        (
            {"bonus_tiles": [["token"] * 4, ["gold"] * 4]},
            "there is no bonus gold; there are token, recruit, cards, strength",
        ),
        (
            {"bonus_tiles": ["token"]},
            "bonus_tiles is a list for the north and one for the south, not ['token']",
        ),
        ({"tokens": 0}, "tokens: 0 is not a whole number from 4 to 99"),
        (
            {"colour": "grey"},
            "citadel_spaces, citadel_marks, garrisons, garrison_marks, bonus_tiles, tokens, icons",
        ),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_words(changed, message):
    with pytest.raises(InvalidInput) as refused:
        make_variant(GAME, "", {"board": board(**changed)})
    assert str(refused.value).endswith(message)


def test_a_progress_card_that_counts_nothing_known_is_refused():
    cards = copy.deepcopy(BOARDS[DEFAULT]["progress"])
    cards[3]["counts"] = "horses"
    with pytest.raises(InvalidInput, match="progress: nothing counts horses; there are disks in magenta"):
        make_variant(GAME, "", {"board": board(progress=cards)})


def test_a_part_of_a_board_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match="'army' is missing"):
        make_variant(GAME, "", {"board": {name: part for name, part in board().items() if name != "army"}})


# ---- a rule that no parameter covers


@rule
def spend_token(state, seat):
    """A house rule: tokens are never used up."""


def test_a_single_rule_can_be_replaced():
    generous = derive(GAME, "generous-celtae", spend_token=spend_token)
    match = Match(make_variant(generous), 2).finish("random")
    assert any("spend a token" in move.words for move in match.moves)
    assert match.state.tokens[:2].min() >= 1
