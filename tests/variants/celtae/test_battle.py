"""Celtae: strength, armies and garrisons."""

import pytest

from tests.variants.celtae.table import SITE_NAMES, Table
from variants.celtae import codes

FORTS = ["magenta fort", "purple fort", "teal fort", "orange fort"]


def camp(cards=(), active="FBN", tribe="", **given):
    """In the south, about to choose an icon; the army of the south has strength 12."""
    has = {name: given.pop(name) for name in ("strength", "tokens") if name in given}
    table = Table(**given).hold(*cards).workers(active, tribe).has(**has).site("southern army", 9)
    return table.act("east")


# ---- gaining strength


def test_the_example_of_the_rules_two_cards_with_three_workers_are_six_strength():
    table = camp(["magenta fort", "teal fort"], "SSB", "D").push("gain strength by forts")
    table.plays("discard magenta fort", "discard teal fort")
    assert table.strength() == 6
    assert table.hand() == []


@pytest.mark.parametrize(
    ("active", "tribe", "rate"),
    [("FBS", "", 1), ("SSN", "S", 3), ("FBN", "DD", 2), ("SSS", "S", 4), ("SSS", "SSD", 4)],
)
def test_ruling_31_a_card_brings_a_strength_for_each_soldier_and_druid_but_at_most_four(active, tribe, rate):
    table = camp(["teal fort", "teal trap"], active, tribe).plays(
        "gain strength by forts", "discard teal fort"
    )
    assert table.strength() == rate


def test_ruling_31_without_soldiers_and_tokens_there_is_no_strength_to_gain():
    assert camp(FORTS).state.turn_owner == 1


def test_ruling_31_without_soldiers_a_token_is_needed():
    table = camp(["teal fort", "teal trap"], tokens=2).push("gain strength by forts")
    assert list(table.choices()) == ["spend a token as a soldier"]
    table.push("spend a token as a soldier")
    assert list(table.choices()) == ["spend a token as a soldier", "no more tokens"]
    assert table.plays("no more tokens", "discard teal fort").strength() == 1


def test_ruling_31_tokens_raise_the_rate_to_four_and_not_further():
    table = camp(["teal fort", "teal trap"], "SSS", tokens=2).plays(
        "gain strength by forts", "spend a token as a soldier"
    )
    assert table.push("discard teal fort").strength() == 4
    assert table.state.tokens[0] == 1


def test_the_cards_share_an_icon():
    table = camp(["magenta fort", "teal trap", "teal fort"], "SSN").push("gain strength by forts")
    assert list(table.choices()) == ["discard magenta fort", "discard teal fort"]
    assert set(table.push("discard magenta fort").choices()) == {"discard teal fort", "no more cards"}


def test_the_icon_is_chosen_first_or_no_strength_gained():
    table = camp(["magenta fort", "teal trap"], "SSN")
    assert list(table.choices()) == ["gain strength by forts", "gain strength by traps", "gain no strength"]


def test_ruling_30_strength_never_exceeds_twelve():
    table = camp(FORTS, "SSS", strength=10).plays("gain strength by forts", "discard magenta fort")
    assert table.strength() == 12
    assert table.tally("strength gained") == 2
    assert len(table.hand()) == 3


def test_ruling_30_at_twelve_no_card_can_be_added():
    assert camp(FORTS, "SSS", strength=12).can("defeat the southern army of 12")
    table = camp(FORTS, "SSS", strength=9).plays("gain strength by forts", "discard magenta fort")
    assert not any(words.startswith("discard") for words in table.choices())


def test_strength_may_be_gained_without_an_army_to_defeat():
    table = camp(["teal fort"], "SBN").plays("gain strength by forts", "discard teal fort")
    assert table.state.turn_owner == 1
    assert table.tally("armies defeated") == 0


def test_the_rate_and_the_cap_can_be_changed():
    table = camp(FORTS, "SSS", "SS", card_strength=5, strength_cap=20).plays(
        "gain strength by forts", "discard magenta fort"
    )
    assert table.strength() == 5
    table.plays("discard purple fort", "discard teal fort", "discard orange fort")
    assert table.strength() == 20


# ---- armies


def attack(strength=12, tile=9, left=3, cards=(), region="south", **given):
    table = (
        Table(**given)
        .hold(*cards)
        .workers("FBN")
        .has(strength=strength)
        .site(f"{region}ern army", tile, left)
    )
    return table.act("east", "southeast" if region == "south" else "northeast")


@pytest.mark.parametrize(
    ("tile", "strength", "points"),
    [(0, 4, 1), (3, 7, 1), (4, 8, 2), (6, 10, 2), (7, 10, 2), (8, 11, 2), (9, 12, 2)],
)
def test_an_army_costs_its_strength_and_is_worth_one_or_two_points(tile, strength, points):
    table = attack(strength, tile).push(f"defeat the southern army of {strength}")
    assert table.strength() == 0
    assert table.state.tiles[0, 0].tolist() == ([1, 0] if points == 1 else [0, 1])
    assert table.scores()[0] == points
    assert table.tally("strength lost") == strength


def test_an_army_needs_strength_enough():
    assert attack(11).state.turn_owner == 1


def test_an_army_may_be_left_alone():
    table = attack().push("leave the army alone")
    assert table.strength() == 12
    assert table.state.turn_owner == 1


def test_ruling_18_one_army_is_defeated_in_an_action():
    table = attack(12, 0).push("defeat the southern army of 4")
    assert table.state.turn_owner == 1
    assert table.strength() == 8


def test_an_army_may_be_defeated_right_after_gaining_the_strength():
    table = camp(["teal fort"], "SSB", strength=10).plays("gain strength by forts", "discard teal fort")
    assert table.can("defeat the southern army of 12")


def test_ruling_43_strength_is_gained_before_the_army_is_defeated_and_not_after_it():
    table = camp(["teal fort"], "SSB", strength=12)
    assert list(table.choices()) == ["defeat the southern army of 12", "leave the army alone"]
    assert table.push("defeat the southern army of 12").can("garrison in the south: fort")
    table.push("place no garrison")
    assert table.state.turn_owner == 1
    assert table.hand() == ["teal fort"]


def test_ruling_43_in_the_other_reading_strength_may_be_gained_after_the_army():
    table = camp(["teal fort", "teal trap"], "SSB", strength=12, battle_order="either")
    table.plays("defeat the southern army of 12", "garrison in the south: fort", "discard teal fort")
    assert list(table.choices()) == ["gain strength by traps", "gain no strength"]
    table.plays("gain strength by traps", "discard teal trap")
    assert table.strength() == 2
    assert table.state.turn_owner == 1


def test_ruling_43_in_the_other_reading_strength_is_gained_once_and_one_army_defeated():
    cards = ["2 teal fort", "orange fort"]
    table = camp(cards, "SSB", strength=10, battle_order="either").plays("gain strength by forts")
    table.plays("discard teal fort", "defeat the southern army of 12", "place no garrison")
    assert table.state.turn_owner == 1
    table = camp(cards, "SSB", strength=11, battle_order="either").site("southern army", 0)
    table.plays("gain no strength yet", "defeat the southern army of 4", "place no garrison")
    table.plays("gain strength by forts", "discard teal fort", "no more cards")
    assert table.strength() == 9
    assert table.state.turn_owner == 1  # although the next army may be weak enough


def test_ruling_43_in_the_other_reading_the_marker_of_the_last_army_comes_before_the_strength():
    table = camp(["teal fort"], "SSB", strength=12, battle_order="either").site("southern army", 9, left=1)
    table.plays("defeat the southern army of 12", "place no garrison")
    assert all(words.startswith("place a marker") for words in table.choices())
    table.push(table.legal()[0])
    assert table.can("gain strength by forts")


def test_ruling_36_the_next_army_is_turned_up_at_once():
    table = attack(4, 0, left=3)
    before = int(table.state.unseen[0])
    table.push("defeat the southern army of 4")
    army = SITE_NAMES.index("southern army")
    assert table.state.top[army] >= 4  # with two players there is one tile of 1 point in a stack
    assert table.state.stack[army] == 2
    assert before - int(table.state.unseen[0]) == 1 << int(table.state.top[army])


def test_the_region_decides_which_army_is_fought():
    table = Table().workers("FBN").has(strength=12).site("northern army", 1).site("southern army", 2)
    assert table.copy().state.strength[0] == 12
    assert Table.act(table, "east", "northeast").can("defeat the northern army of 5")


# ---- garrisons


def won(cards, region="south", **given):
    return attack(12, 9, 3, cards, region, **given).push(f"defeat the {region}ern army of 12")


def test_a_card_with_the_icon_of_a_free_space_places_a_garrison():
    table = won(["teal trap", "orange trap", "orange fort"])
    assert list(table.choices()) == [
        "garrison in the south: fort",
        "garrison in the south: trap",
        "place no garrison",
    ]
    table.push("garrison in the south: trap")
    assert list(table.choices()) == ["discard teal trap", "discard orange trap"]
    table.push("discard orange trap")
    assert table.state.garrisons[0].tolist() == [0, 1]
    assert table.state.cubes[0] == 3
    assert table.state.garrison[1].tolist() == [0, 1, 0, codes.BLOCKED, codes.BLOCKED]
    assert table.tally("garrisons placed") == 1


def test_ruling_32_a_garrison_is_placed_in_the_region_of_the_army():
    table = won(["teal trap"], "north").plays("garrison in the north: trap", "discard teal trap")
    assert table.state.garrisons[0].tolist() == [1, 0]


def test_ruling_32_no_garrison_goes_to_the_other_region_but_where_any_may_be_chosen():
    assert not won(["teal trap"], "north").can("garrison in the south: trap")
    table = won(["teal trap"], "north", garrison_region="any")
    assert list(table.choices()) == [
        "garrison in the north: trap",
        "garrison in the south: trap",
        "place no garrison",
    ]
    table.plays("garrison in the south: trap", "discard teal trap")
    assert table.state.garrisons[0].tolist() == [0, 1]
    assert table.state.garrison[:, 1].tolist() == [0, 1]


def test_a_garrison_is_optional():
    table = won(["teal trap"]).push("place no garrison")
    assert table.state.cubes[0] == 4
    assert table.state.turn_owner == 1


def test_a_space_for_any_icon_takes_any_card():
    table = won(["teal trap"], seats=4)
    assert table.can("garrison in the south: any icon")
    table.plays("garrison in the south: any icon", "discard teal trap")
    assert table.state.garrison[1].tolist() == [0, 0, 0, 1, 0]


def test_an_occupied_space_is_not_offered():
    table = attack(cards=["teal trap", "teal fort"])
    table.state.garrison[1, 1] = 2
    table.push("defeat the southern army of 12")
    assert list(table.choices()) == ["garrison in the south: fort", "place no garrison"]


def test_ruling_33_everybody_has_four_garrison_cubes():
    table = attack(cards=["teal trap"])
    table.has(cubes=0)
    assert table.push("defeat the southern army of 12").state.turn_owner == 1


def test_without_a_fitting_card_nobody_is_asked_for_a_garrison():
    assert won([]).state.turn_owner == 1


# ---- the last army


def test_ruling_5_whoever_defeats_the_last_army_places_the_marker_of_its_site():
    table = attack(12, 9, left=1, cards=["teal trap"], seats=3)
    table.state.teutates = 2
    table.plays("defeat the southern army of 12", "garrison in the south: trap", "discard teal trap")
    assert table.state.actor == 0
    assert all(words.startswith("place a marker") for words in table.choices())
    table.push(table.legal()[0])
    army = SITE_NAMES.index("southern army")
    assert (table.state.top[army], table.state.stack[army], table.state.site_marker[army]) == (
        codes.NONE,
        0,
        0,
    )
    assert table.state.markers.sum() == 1
    assert table.state.track == 9
    assert table.state.teutates == 2
    assert table.state.turn_owner == 1


def test_where_no_army_is_left_one_can_still_gain_strength():
    table = (
        Table()
        .hold("teal fort")
        .workers("SBN")
        .has(strength=11)
        .site("southern army", codes.NONE, 0)
        .act("east")
    )
    assert table.plays("gain strength by forts", "discard teal fort").state.turn_owner == 1
