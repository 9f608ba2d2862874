"""Celtae: recruiting, druids, and the cut of the tribe."""

import pytest

from tests.variants.celtae.table import SITE_NAMES, Table, letters_of
from variants.celtae import GAME, codes

DRUID_SITE = SITE_NAMES.index("southern druid")
FB, BS, SN, FN, FBS, BSN = 0, 1, 2, 3, 4, 9  # druid tiles by the workers they show


def camp(active="FBS", tribe="", cards=(), tile=codes.NONE, left=3, **given):
    """In the southwest, about to recruit; there is a druid tile only if the test says so."""
    has = {name: given.pop(name) for name in ("tokens", "strength") if name in given}
    table = Table(**given).hold(*cards).workers(active, tribe).has(**has).area("centre", "BNN")
    return table.site("southern druid", tile, left if tile != codes.NONE else 0).act("west")


def refill(table):
    while any("from the centre" in words for words in table.choices()):
        table.push(table.legal()[0])
    return table


def test_one_active_worker_joins_the_tribe():
    table = camp().push("recruit a farmer")
    assert (table.tribe(), table.active()) == ("F", "BS")
    assert table.tally("workers recruited") == table.tally("recruitings") == 1


@pytest.mark.parametrize(
    ("active", "tribe", "most"),
    [("FBS", "", 1), ("FBN", "", 2), ("FBN", "N", 3), ("FBN", "NNN", 3), ("FBS", "D", 1)],
)
def test_each_noble_allows_one_more_but_three_are_the_most_and_druids_do_not_help(active, tribe, most):
    table = camp(active, tribe)
    recruited = 0
    while any(words.startswith("recruit a") for words in table.choices()):
        table.push(table.legal()[0])
        recruited += 1
    assert recruited == most


def test_ruling_25_moving_a_noble_changes_nothing():
    table = camp("NNN").plays("recruit a noble", "recruit a noble", "recruit a noble")
    assert table.tribe() == "NNN"


def test_ruling_25_a_token_is_a_noble():
    table = camp(tokens=1).push("recruit a farmer")
    assert set(table.choices()) == {"spend a token as a noble", "recruit no more"}
    table.plays("spend a token as a noble", "recruit a builder")
    assert table.tribe() == "FB"
    assert table.state.tokens[0] == 0


def test_one_may_recruit_fewer_than_nobles_allow():
    table = camp("FBN").plays("recruit a farmer", "recruit no more")
    assert table.tribe() == "F"


def test_recruits_come_in_one_order_only():
    """Of F, B and N, with one noble: three single ones and three pairs."""
    table = camp("FBN")
    ends = sum(
        len(table.copy().push(first).choices()) if first != table.legal()[-1] else 1
        for first in table.legal()
    )
    assert ends == 3 + 2 + 1


# ---- new active workers


def test_ruling_22_the_player_chooses_whom_to_take_from_the_centre():
    table = camp().push("recruit a farmer")
    assert set(table.choices()) == {"take a builder from the centre", "take a noble from the centre"}
    table.push("take a noble from the centre")
    assert table.active() == "BSN"


def test_ruling_23_active_workers_are_refilled_after_every_recruiting():
    table = refill(camp("FBN").plays("recruit a farmer", "recruit a builder"))
    assert len(table.active()) == 3
    assert len(letters_of(table.state.ring[4])) == 3
    assert table.state.turn_owner == 1


def test_the_centre_is_refilled_only_after_all_were_taken():
    table = camp("FNN").plays(
        "recruit a farmer", "recruit a noble", "recruit a noble", "take a builder from the centre"
    )
    assert letters_of(table.state.ring[4]) == "NN"
    assert list(table.choices()) == ["take a noble from the centre"]


def test_ruling_29_if_the_bag_is_short_the_centre_is_complete_after_the_cut():
    table = camp("FBN", "FFFFFFFF")
    table.state.bag[:] = [0, 0, 1, 0]
    refill(table.plays("recruit a farmer", "recruit a builder"))
    assert len(letters_of(table.state.ring[4])) == 2
    table.plays("dismiss a farmer", "dismiss a farmer")
    assert len(letters_of(table.state.ring[4])) == 3
    assert table.state.bag.sum() == 1


# ---- druids


@pytest.mark.parametrize(
    ("tile", "tribe", "left", "points"), [(FB, "B", "D", 1), (FBS, "BSS", "SD", 2), (BSN, "BSNF", "FFD", 2)]
)
def test_a_druid_costs_the_workers_of_the_tile_from_the_tribe_and_a_card(tile, tribe, left, points):
    table = camp("FBS", tribe, ["teal fort", "teal trap"], tile).push("recruit a farmer")
    if table.can("recruit no more"):
        table.push("recruit no more")
    bag = int(table.state.bag.sum())
    table.push(next(words for words in table.choices() if words.startswith("train a southern druid")))
    returned = len(tribe) + 1 - len(left) + 1
    assert table.state.bag.sum() == bag + returned
    table.push("discard teal trap")
    assert table.tribe() == left
    assert table.hand() == ["teal fort"]
    assert table.state.tiles[0, 1].tolist() == ([1, 0] if points == 1 else [0, 1])
    assert table.state.druids.tolist() == [3, 2]
    assert table.tally("druids trained") == 1


def test_the_tile_is_said_in_words():
    table = camp("FBS", "BN", ["teal fort"], BSN)
    table.workers("FBS", "BN").push("recruit a soldier")
    assert table.can("train a southern druid for a builder, a soldier and a noble")


def test_training_is_optional():
    table = camp("FBS", "B", ["teal fort"], FB).plays("recruit a farmer", "train no druid")
    assert table.tribe() == "FB"


def test_ruling_18_one_druid_is_trained_in_an_action():
    table = camp("FBN", "FFBB", ["5 teal fort"], FB).plays("recruit a farmer", "recruit no more")
    table.plays("train a southern druid for a farmer and a builder", "discard teal fort")
    assert not any(words.startswith("train") for words in table.choices())


@pytest.mark.parametrize("druids", [0, 1, 2, 3])
def test_ruling_26_a_card_is_due_for_each_druid_with_the_new_one(druids):
    table = camp("FBS", "B" + "D" * druids, ["5 teal fort", "teal trap"], FB).push("recruit a farmer")
    table.push("train a southern druid for a farmer and a builder")
    for _ in range(druids + 1):
        table.push("discard teal fort")
    assert len(table.hand()) == 6 - druids - 1
    assert all("from the centre" in words for words in table.choices())


def test_ruling_26_all_druids_count_before_the_tribe_is_cut():
    table = camp("FNN", "FFBDDDDD", ["5 teal fort", "5 teal trap"], FB)
    table.plays(
        "recruit a farmer",
        "recruit a noble",
        "recruit a noble",
        "train a southern druid for a farmer and a builder",
    )
    for _ in range(6):
        table.push(table.legal()[0])
    assert len(table.hand()) == 4


def test_ruling_26_whoever_has_no_card_for_a_druid_that_could_be_dismissed_cannot_train():
    """Two druids and the new one are three cards, although the cut could leave two."""
    table = camp("FBN", "FFFFFBDD", ["2 teal fort"], FB).plays("recruit a farmer", "recruit a noble")
    assert not any(words.startswith("train") for words in table.choices())


def test_whoever_has_too_few_cards_trains_nobody():
    table = camp("FBS", "BD", ["teal fort"], FB).push("recruit a farmer")
    assert not any(words.startswith("train") for words in table.choices())


def test_any_cards_will_do():
    table = camp("FBS", "BD", ["teal fort", "orange trap", "purple weapon"], FB).push("recruit a farmer")
    table.plays(
        "train a southern druid for a farmer and a builder", "discard purple weapon", "discard orange trap"
    )
    assert table.hand() == ["teal fort"]


def test_ruling_27_neither_druids_nor_tokens_nor_active_workers_stand_for_the_workers_of_a_tile():
    table = camp("FBS", "FDDD", ["5 teal fort"], FB, tokens=2).plays("recruit a farmer", "recruit no more")
    assert not any(words.startswith("train") for words in table.choices())


def test_without_a_druid_in_the_region_nobody_is_trained():
    table = camp("FBS", "B", ["teal fort"], FB)
    table.state.druids[1] = 0
    assert not any(words.startswith("train") for words in table.push("recruit a farmer").choices())


def test_ruling_24_recruits_can_be_trained_at_once_then_come_refill_marker_and_cut():
    table = camp("FBN", "SSSSSSS", ["5 teal fort"], FB, left=1)
    table.plays(
        "recruit a farmer",
        "recruit a builder",
        "train a southern druid for a farmer and a builder",
        "discard teal fort",
    )
    refill(table)
    assert all(words.startswith("place a marker") for words in table.choices())
    table.push(table.legal()[0])
    assert table.tribe() == "SSSSSSSD"
    assert table.state.turn_owner == 1


def test_ruling_24_the_next_druid_tile_is_face_down_until_cards_are_paid_and_workers_taken():
    table = camp("FBS", "B", ["teal fort", "teal trap"], FB, left=3).push("recruit a farmer")
    table.push("train a southern druid for a farmer and a builder")
    assert table.state.top[DRUID_SITE] == codes.NONE
    unseen = int(table.state.unseen[1])
    table.push("discard teal fort")
    assert table.state.top[DRUID_SITE] == codes.NONE
    refill(table)
    assert table.state.turn_owner == 1
    assert unseen - int(table.state.unseen[1]) == 1 << int(table.state.top[DRUID_SITE])
    assert table.state.stack[DRUID_SITE] == 2


def test_ruling_29_workers_returned_for_training_fill_the_centre_when_the_bag_was_empty():
    table = camp("FBS", "B", ["teal fort"], FB)
    table.state.bag[:] = 0
    table.plays("recruit a farmer", "train a southern druid for a farmer and a builder", "discard teal fort")
    table.push("take a noble from the centre")
    left_over = letters_of(table.state.ring[4])
    assert left_over in ("FBN", "BBN")  # of the farmer and the builder in the bag one was drawn
    assert table.state.bag.sum() == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_ruling_5_whoever_takes_the_last_druid_tile_places_its_marker(seats):
    table = camp("FBS", "B", ["teal fort"], FB, left=1, seats=seats)
    table.state.teutates = 1
    refill(
        table.plays(
            "recruit a farmer", "train a southern druid for a farmer and a builder", "discard teal fort"
        )
    )
    assert (table.state.actor, table.state.turn_owner) == (0, 0)
    table.push(table.legal()[-1])
    assert table.state.site_marker[DRUID_SITE] == 0
    assert table.state.top[DRUID_SITE] == codes.NONE
    assert table.tally("progress markers placed") == 1


# ---- the cut


def test_a_tribe_is_cut_to_eight_as_the_player_likes():
    table = refill(camp("FNN", "FFBBSSND").plays("recruit a farmer", "recruit a noble", "recruit a noble"))
    assert len(table.tribe()) == 11
    table.plays("dismiss a farmer", "dismiss a builder", "dismiss a noble")
    assert table.tribe() == "FFBSSNND"
    assert table.state.turn_owner == 1


def test_ruling_28_dismissed_workers_go_into_the_bag_and_a_druid_leaves_the_match():
    table = refill(camp("FBN", "FFFFFFDD").plays("recruit a farmer", "recruit a builder"))
    bag = table.state.bag.copy()
    census = GAME.census(table.state)
    table.plays("dismiss a builder", "dismiss a druid")
    assert (table.state.bag - bag).tolist() == [0, 1, 0, 0]
    assert table.state.gone_druids == 1
    assert GAME.census(table.state) == census


@pytest.mark.parametrize("limit", [4, 6, 12])
def test_another_limit_can_be_tried(limit):
    table = refill(camp("FBN", "F" * limit, tribe_limit=limit).plays("recruit a farmer", "recruit a builder"))
    table.plays("dismiss a farmer", "dismiss a farmer")
    assert len(table.tribe()) == limit
