"""Celtae in words: what a leader wants, and what an order of choices that is ours rules out."""

import pytest

from boardgames import Match, make_variant
from tests.variants.celtae.table import Table
from variants.celtae import GAME, codes


def offered(table):
    """The legal actions with their notes."""
    return list(Match.choices(table))


def test_draft_viriato_says_what_viriato_wants():
    table = Table()
    wanted = "army tiles of 1 and of 2 points: 1 of each for 1 point, 2 of each for 3 points with side B"
    assert table.say(codes.LEADER_NAMES.index("Viriato")) == f"draft Viriato ({wanted})"


@pytest.mark.parametrize(
    ("leader", "wanted"),
    [
        ("Avarus", "garrisons: 2 for 1 point, 4 for 3 points with side B"),
        ("Boudica", "disks on citadels: 3 for 1 point, 7 for 3 points with side B"),
        ("Caratacus", "workers in the tribe, no druids: 3 for 1 point, 6 for 3 points with side B"),
        ("Cartimandua", "bonus tiles: 1 for 1 point, 3 for 3 points with side B"),
    ],
)
def test_every_leader_in_the_draft_says_what_they_want(leader, wanted):
    words = [Table().say(action) for action in range(8)]
    assert f"draft {leader} ({wanted})" in words


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_progress_cards_are_numbered_without_gaps(seats):
    match = Match(make_variant(GAME), seats)
    while not any(words.startswith("place a marker") for words in match.choices()):
        match.step("random")
    numbers = [int(words.split(",")[0].rpartition(" ")[2]) for words in match.choices()]
    assert numbers == list(range(1, 2 * seats + 2))


# ---- orders that are ours


def market():
    cards = ("magenta fort", "purple trap", "teal trap", "orange weapon", "purple fort", "teal fort")
    return Table().workers("FFN").has(tokens=1).market("south", *cards).act("south").push("farm in the south")


def test_buying_from_left_to_right_says_what_is_left_behind():
    assert offered(market()) == [
        "take purple trap from space 2 (then no tokens)",
        "take teal trap from space 3 (then none from space 2, then no tokens)",
        "take orange weapon from space 4 (then none from space 2 or 3, then no tokens)",
        "take purple fort from space 5 (then no tokens)",
        "take teal fort from space 6 (then no tokens)",
        "spend a token as a farmer (only before the first card is bought)",
        "buy no more",
    ]


def test_nothing_is_noted_on_a_card_that_the_leaves_leave_behind():
    """After the fifth or sixth space for two leaves there is nothing to buy another card with."""
    bought = market().push("take purple trap from space 2")
    assert offered(bought) == [
        "take teal trap from space 3",
        "take orange weapon from space 4",
        "buy no more",
    ]


def test_what_is_noted_on_a_purchase_is_true():
    """Spaces that are said to be left behind are not offered afterwards, though there are leaves for them."""
    table = market().push("take teal trap from space 3")
    assert offered(table) == ["take orange weapon from space 4", "buy no more"]


def test_two_cards_as_a_bonus_say_what_is_left_behind():
    table = Table().hold("2 teal fort").workers("FSN").citadel("south teal", bonus=2)
    table.market("south", "magenta fort", "purple trap", "teal trap").act("south")
    table.plays("build in the south", "build in the southern teal citadel", "discard teal fort")
    table.push("discard teal fort")
    assert offered(table) == [
        "take magenta fort from space 1",
        "take purple trap from space 2 (then none from space 1)",
    ]


def test_cards_in_the_order_of_their_kinds_say_which_are_passed_over():
    table = Table().hold("teal fort", "2 teal trap", "2 teal weapon").workers("FSN").citadel("south teal")
    table.act("south").plays("build in the south", "build in the southern teal citadel")
    assert offered(table) == [
        "discard teal fort",
        "discard teal trap (then no teal fort)",
        "discard teal weapon (then no teal fort or teal trap)",
    ]
    assert offered(table.push("discard teal trap")) == ["discard teal trap", "discard teal weapon"]


def test_notes_do_not_tell_what_is_in_the_hand():
    """All hear them: there is no teal fort in this hand."""
    table = Table().hold("2 teal trap", "teal weapon").workers("FSN").citadel("south teal").act("south")
    table.plays("build in the south", "build in the southern teal citadel")
    assert offered(table)[0] == "discard teal trap (then no teal fort)"


def test_many_kinds_that_are_passed_over_are_not_named():
    table = Table().hold("teal fort", "teal trap", "teal weapon", "2 orange fort").workers("FSS", "BD")
    table.site("southern druid", 0).act("west")
    table.plays("recruit a farmer", "train a southern druid for a farmer and a builder")
    assert offered(table)[-1] == "discard orange fort (then none of the kinds before it)"


def test_recruits_in_the_order_of_their_kinds_say_who_is_passed_over():
    table = Table().workers("FBN").act("west")
    assert offered(table) == [
        "recruit a farmer",
        "recruit a builder (then no farmer)",
        "recruit a noble (then no farmer or builder)",
    ]
    table.push("recruit a farmer")
    assert offered(table) == ["recruit a builder", "recruit a noble", "recruit no more"]


def test_workers_of_the_centre_and_of_the_cut_say_who_is_passed_over():
    table = Table().workers("FBN", "FFBBSSSD").area("centre", "FBS").site("southern druid", -1, 0).act("west")
    table.plays("recruit a farmer", "recruit a builder")
    assert offered(table)[1] == "take a builder from the centre (then no farmer)"
    table.plays("take a farmer from the centre", "take a builder from the centre")
    assert offered(table)[1] == "dismiss a builder (then no farmer)"


@pytest.mark.parametrize("region", ["south", "east"])
def test_tokens_before_cards_say_so(region):
    table = Table().hold("3 teal fort").workers("FSN").has(tokens=1).citadel("south teal").act(region)
    first = {"south": ["build in the south", "build in the southern teal citadel"]}
    table.plays(*first.get(region, ["gain strength by forts"]))
    assert [words.partition(" (")[2] for words in offered(table)] == ["tokens come before the cards)"] * 2
