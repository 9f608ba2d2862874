"""Celtae: building in citadels, and the bonus of each disk."""

import pytest

from tests.variants.celtae.table import Table, cards_of, citadel_of, letters_of
from variants.celtae import codes
from variants.celtae.topics.counts import count, total

COSTS = [2, 2, 3, 3, 4, 4, 5, 5, 6]
SIX = ("magenta fort", "purple fort", "teal fort", "orange fort", "magenta trap", "purple trap")


def site(cards="5 teal fort", active="FSN", tribe="", tokens=0, bonus=codes.STRENGTH_TILE, room=3, **given):
    """Building in the south is about to be chosen, with cards for the teal citadel."""
    table = (
        Table(**given)
        .hold(*([cards] if isinstance(cards, str) else cards))
        .workers(active, tribe)
        .has(tokens=tokens)
    )
    return table.citadel("south teal", bonus=bonus, room=room).act("south")


def build(table):
    """Pay with whatever comes first."""
    table.plays("build in the south", "build in the southern teal citadel")
    while any(words.startswith("discard") or words == "no more tokens" for words in table.choices()):
        table.push("no more tokens" if table.can("no more tokens") else next(iter(table.choices())))
    return table


def with_disks(table, count):
    """So many disks are on citadels of other colours already."""
    for name in ("north magenta", "north purple", "north orange")[: -(-count // 3)]:
        table.citadel(name, room=0, seat0=min(3, count))
        count -= min(3, count)
    return table


@pytest.mark.parametrize("placed", range(9))
def test_the_leftmost_disk_says_how_many_cards_are_due(placed):
    table = (
        with_disks(Table().workers("FSN").hold("5 teal fort", "5 teal trap"), placed)
        .citadel("south teal")
        .act("south")
    )
    assert len(table.hand()) == 10
    assert len(build(table).hand()) == 10 - COSTS[placed]
    assert total(table.state.disks[0]) == placed + 1


@pytest.mark.parametrize(
    ("active", "tribe", "cards"),
    [("FSN", "", 6), ("FBS", "", 5), ("BBS", "B", 3), ("FSN", "D", 5), ("FBS", "BDD", 2), ("BBB", "BBD", 1)],
)
def test_builders_and_druids_make_it_cheaper_but_one_card_is_due(active, tribe, cards):
    table = (
        with_disks(Table().workers(active, tribe).hold("5 teal fort", "5 teal trap"), 8)
        .citadel("south teal")
        .act("south")
    )
    assert len(build(table).hand()) == 10 - cards


def test_ruling_17_at_least_one_card_is_due_whatever_the_discount_and_the_tokens():
    table = site(active="BBB", tokens=2).plays("build in the south", "build in the southern teal citadel")
    assert not table.can("spend a token as a builder")
    table.push("discard teal fort")
    assert len(table.hand()) == 4
    assert table.state.tokens[0] == 2
    assert not Table().workers("BBB", "BBBB").has(tokens=3).act("south").can("build in the south")


def test_the_cards_have_the_colour_of_the_citadel():
    table = site(cards=["teal fort", "teal weapon", "orange fort", "purple trap"])
    table.plays(
        "build in the south", "build in the southern teal citadel", "discard teal fort", "discard teal weapon"
    )
    assert table.hand() == ["purple trap", "orange fort"]


def test_whoever_has_too_few_cards_of_one_colour_cannot_build():
    table = site(cards=["teal fort", "orange fort", "purple fort", "magenta fort"])
    assert list(table.choices()) == ["farm in the south"]


def test_only_citadels_of_the_region_with_room_and_enough_cards_are_offered():
    table = Table().hold("2 teal fort", "2 orange fort", "purple fort").workers("FSN")
    table.citadel("south teal", room=1).citadel("south orange", room=0).act("south").push(
        "build in the south"
    )
    assert list(table.choices()) == ["build in the southern teal citadel"]


def test_a_disk_goes_from_the_board_to_the_citadel():
    table = build(site())
    assert count(table.state.disks[0], citadel_of("south teal")) == 1
    assert table.state.room[citadel_of("south teal")] == 2
    assert table.tally("builds south") == 1
    assert table.state.turn_owner == 1


def test_ruling_18_one_disk_is_built_in_an_action():
    table = build(site(cards=["5 teal fort", "5 teal trap"]))
    assert table.state.turn_owner == 1
    assert total(table.state.disks[0]) == 1


def test_nobody_builds_a_tenth_disk():
    table = with_disks(Table().hold("5 teal fort", "5 teal trap"), 9).act("south")
    assert list(table.choices()) == ["farm in the south"]


def test_tokens_are_builders():
    table = site(tokens=2).plays(
        "build in the south", "build in the southern teal citadel", "spend a token as a builder"
    )
    table.push("discard teal fort")
    assert len(table.hand()) == 4
    assert table.state.tokens[0] == 1


def test_whoever_is_short_of_cards_must_spend_a_token():
    table = site(cards="1 teal fort", tokens=1).plays(
        "build in the south", "build in the southern teal citadel"
    )
    assert list(table.choices()) == ["spend a token as a builder"]
    table.plays("spend a token as a builder", "discard teal fort")
    assert total(table.state.disks[0]) == 1


def test_equal_payments_come_in_one_order_only():
    """Two of three kinds of teal cards, one of each: 3 pairs, not 6."""
    table = site(cards=["teal fort", "teal trap", "teal weapon"]).plays(
        "build in the south", "build in the southern teal citadel"
    )
    assert sum(len(table.copy().push(first).legal()) for first in table.legal()) == 3


# ---- the bonus


def test_a_token_is_a_bonus():
    assert build(site(bonus=codes.TOKEN_TILE)).state.tokens[0] == 1


def test_ruling_44_ten_tokens_at_most_are_out_and_ours_never_run_out():
    """Two citadels with tokens of three spaces each, and one token for each of four players."""
    assert Table().state.rules.tokens > 2 * 3 + 4


def test_ruling_44_a_token_that_was_spent_can_be_gained_again():
    table = site(bonus=codes.TOKEN_TILE, variant_name="second-guess").has(tokens=8)
    table.state.tokens[0] -= 1  # spent on something
    assert build(table).state.tokens[0] == 8


def test_ruling_44_a_supply_of_tokens_that_is_used_up_gives_none():
    table = site(bonus=codes.TOKEN_TILE, variant_name="second-guess").has(tokens=8)
    assert build(table).state.tokens[0] == 8


def test_three_strength_are_a_bonus():
    assert build(site()).strength() == 3


def test_ruling_20_a_bonus_is_not_refused_and_strength_beyond_twelve_is_lost():
    table = site()
    table.has(strength=11)
    build(table)
    assert table.strength() == 12
    assert table.tally("strength gained") == 1


def test_a_recruit_is_a_bonus_and_the_centre_replaces_it():
    table = site(bonus=codes.RECRUIT_TILE).area("centre", "BBN")
    build(table)
    assert set(table.choices()) == {"recruit a farmer", "recruit a soldier", "recruit a noble"}
    table.push("recruit a noble")
    assert set(table.choices()) == {"take a builder from the centre", "take a noble from the centre"}
    table.push("take a builder from the centre")
    assert (table.tribe(), table.active()) == ("N", "FBS")
    assert len(letters_of(table.state.ring[4])) == 3
    assert table.state.turn_owner == 1


def test_ruling_21_a_recruit_joins_a_full_tribe_which_is_then_cut():
    table = build(site(tribe="FFFFSSSS", bonus=codes.RECRUIT_TILE).area("centre", "NNN"))
    table.plays("recruit a farmer", "take a noble from the centre")
    assert set(table.choices()) == {"dismiss a farmer", "dismiss a soldier"}
    assert table.push("dismiss a soldier").tribe() == "FFFFFSSS"


def test_two_cards_of_the_regions_market_are_a_bonus():
    table = site(bonus=codes.CARDS_TILE, cards="2 teal fort").market("south", *SIX)
    table.state.deck = cards_of("orange weapon", "orange weapon")
    build(table).push("take purple fort from space 2").push("take magenta trap from space 5")
    assert table.hand() == ["magenta trap", "purple fort"]
    assert table.state.known[0] == cards_of("magenta trap", "purple fort")
    assert (table.state.market[1] >= 0).all()
    assert table.tally("cards bought") == 0


def test_two_cards_come_in_one_order_only():
    """Of 6 different cards, 15 pairs."""
    table = build(site(bonus=codes.CARDS_TILE, cards="2 teal fort").market("south", *SIX))
    assert sum(len(table.copy().push(first).legal()) for first in table.legal()) == 15


@pytest.mark.parametrize(("cards", "taken"), [((), 0), (("orange trap",), 1)])
def test_if_there_are_fewer_than_two_cards_one_takes_what_there_is(cards, taken):
    table = site(bonus=codes.CARDS_TILE, cards="2 teal fort").market("south", *cards)
    table.state.deck = 0
    build(table)
    while table.state.turn_owner == 0:
        table.push(table.legal()[0])
    assert len(table.hand()) == taken


# ---- completion


def test_whoever_fills_a_citadel_takes_its_tile():
    table = build(site(room=1))
    assert table.state.bonus_tiles.tolist() == [1, 0, 0, 0]
    assert build(site(room=2)).state.bonus_tiles[0] == 0


@pytest.mark.parametrize(
    ("bonus", "words"),
    [(codes.TOKEN_TILE, ""), (codes.STRENGTH_TILE, ""), (codes.RECRUIT_TILE, "recruit a farmer")],
)
def test_ruling_19_the_last_disk_brings_the_bonus_as_well_as_the_tile(bonus, words):
    table = build(site(room=1, bonus=bonus))
    assert table.state.bonus_tiles[0] == 1
    assert table.state.tokens[0] == (bonus == codes.TOKEN_TILE)
    assert table.strength() == 3 * (bonus == codes.STRENGTH_TILE)
    assert not words or table.can(words)


def test_ruling_37_disks_of_an_absent_player_fill_spaces_but_score_for_nobody():
    """With two players a citadel has two free spaces; the third is blocked."""
    table = Table().workers("FSN").hold("2 teal fort")
    which = citadel_of("south teal")
    assert table.state.room[which] == 2
    table.state.room[which] = 1
    table.state.disks[1] = 1 << (4 * which)
    table.state.bonus[which] = codes.TOKEN_TILE
    build(table.act("south"))
    assert table.state.room[which] == 0
    assert table.scores() == [1 + 1, 1]  # disk and tile; disk


def test_disks_can_cost_the_same():
    table = (
        with_disks(Table("flat-disks").workers("FSN").hold("5 teal fort"), 8)
        .citadel("south teal")
        .act("south")
    )
    assert len(build(table).hand()) == 2
