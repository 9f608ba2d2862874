"""Celtae: farming, the markets, and the deck."""

import pytest

from tests.variants.celtae.table import Table, cards_of, words_of
from variants.celtae import codes

SIX = (
    "magenta fort",
    "purple fort",
    "teal fort",
    "orange fort",
    "magenta trap",
    "purple trap",
)  # free, 1, 1, 1, 2, 2


def farming(active="BSN", tribe="", tokens=0, cards=SIX, **given):
    """The southern market is about to be farmed."""
    table = Table(**given).workers(active, tribe).has(tokens=tokens).market("south", *cards)
    return table.act("south").push("farm in the south")


def offers(table):
    return [
        words.removeprefix("take ").partition(" from")[0]
        for words in table.choices()
        if words.startswith("take")
    ]


def test_without_farmers_one_takes_the_free_card_only():
    table = farming()
    assert table.hand() == ["magenta fort"]
    assert table.state.turn_owner == 1
    assert table.tally("farms") == table.tally("cards bought") == 1


@pytest.mark.parametrize(
    ("active", "tribe", "leaves"),
    [("FBS", "", 1), ("FFB", "F", 3), ("BSN", "D", 1), ("FBS", "FDD", 4), ("BSN", "BSN", 0)],
)
def test_farmers_and_druids_active_or_in_the_tribe_bring_a_leaf_each(active, tribe, leaves):
    table = farming(active, tribe)
    assert (table.state.power if table.state.turn_owner == 0 else 0) == leaves


def test_leaves_buy_cards_at_the_costs_of_their_spaces():
    table = farming("FFF")
    assert offers(table) == [*SIX[1:]]
    table.push("take purple fort from space 2")
    assert offers(table) == [*SIX[2:]]
    table.push("take magenta trap from space 5")  # it costs the two leaves that are left
    assert sorted(table.hand()) == ["magenta fort", "magenta trap", "purple fort"]
    assert table.state.turn_owner == 1


def test_cards_are_bought_from_left_to_right():
    table = farming("FFF").push("take teal fort from space 3")
    assert offers(table) == ["orange fort", "magenta trap", "purple trap"]


def test_one_may_stop_buying():
    table = farming("FFF").push("buy no more")
    assert table.hand() == ["magenta fort"]
    assert table.state.turn_owner == 1


def test_of_equal_neighbours_only_the_first_is_offered():
    table = farming(
        "FBS", cards=("magenta fort", "teal fort", "teal fort", "purple trap", "teal fort", "teal fort")
    )
    assert list(table.choices()) == [
        "take teal fort from space 2",
        "take purple trap from space 4",
        "buy no more",
    ]


def test_ruling_14_prices_stay_until_all_is_bought():
    """The card in space 5 costs 2 leaves even when those before it are gone."""
    table = farming("FFF").plays("take purple fort from space 2", "take teal fort from space 3")
    assert offers(table) == ["orange fort"]


def test_then_cards_slide_and_the_market_is_refilled_from_the_deck():
    table = Table().workers("FBS").market("south", *SIX)
    table.state.deck = cards_of("orange weapon", "orange weapon")
    table.act("south").push("farm in the south").push("take teal fort from space 3")
    market = [words_of(card) for card in table.state.market[1]]
    assert market == [
        "purple fort",
        "orange fort",
        "magenta trap",
        "purple trap",
        "orange weapon",
        "orange weapon",
    ]


def test_ruling_15_an_empty_deck_is_made_anew_from_the_discards():
    table = Table().workers("BSN").market("south", *SIX)
    table.state.deck, table.state.discard = 0, cards_of("teal weapon")
    table.act("south").push("farm in the south")
    assert words_of(table.state.market[1, 5]) == "teal weapon"
    assert table.state.discard == 0


def test_ruling_15_without_discards_the_dear_end_stays_empty():
    table = Table().workers("FBS").market("south", *SIX)
    table.state.deck, table.state.discard = 0, cards_of("teal weapon")
    table.act("south").push("farm in the south").push("take purple fort from space 2")
    assert [words_of(card) for card in table.state.market[1, :5]] == [*SIX[2:], "teal weapon"]
    assert table.state.market[1, 5] == codes.NONE


def test_ruling_16_there_is_no_limit_to_a_hand():
    table = (
        Table().hold("5 teal fort", "5 teal trap", "5 orange fort").workers("FFF", "FF").market("south", *SIX)
    )
    table.act("south").push("farm in the south")
    for words in (
        "purple fort from space 2",
        "teal fort from space 3",
        "orange fort from space 4",
        "magenta trap from space 5",
    ):
        table.push(f"take {words}")
    assert len(table.hand()) == 20


def test_a_token_is_one_more_farmer():
    table = farming(tokens=1).push("spend a token as a farmer")
    assert offers(table) == ["purple fort", "teal fort", "orange fort"]
    assert table.state.tokens[0] == 0


def test_ruling_38_any_number_of_tokens_may_be_spent_and_one_for_the_area():
    table = Table().workers("BSN").has(tokens=3).area("north", "BBB").market("south", *SIX).at("southeast")
    table.plays("spend a token on the north area", "swap nobody", "farm in the south")
    table.plays("spend a token as a farmer", "spend a token as a farmer", "take purple trap from space 6")
    assert table.state.tokens[0] == 0
    assert table.tally("tokens spent") == 3


def test_tokens_come_before_purchases():
    table = farming("FBS", tokens=1)
    assert table.can("spend a token as a farmer")
    assert table.push("take purple fort from space 2").state.turn_owner == 1


def test_a_token_is_not_offered_when_leaves_buy_everything():
    table = farming("FFF", "FFFF", tokens=1)
    assert not table.can("spend a token as a farmer")


def test_the_north_has_a_market_of_its_own():
    table = Table().workers("BSN").market("north", *SIX).market("south", *reversed(SIX))
    assert table.act("north").push("farm in the north").hand() == ["magenta fort"]


def test_other_costs_can_be_tried():
    table = farming("FBS", variant_name="dear-market")
    assert offers(table) == ["purple fort", "teal fort"]


def test_cards_from_a_market_are_known_to_all_until_one_of_the_kind_leaves_the_hand():
    table = Table().hold("teal fort").workers("FBS").market("south", *SIX)
    table.act("south").push("farm in the south").push("take teal fort from space 3")
    assert table.state.known[0] == cards_of("magenta fort", "teal fort")
    table.state.turn_owner = table.state.actor = 0
    table.act("east").plays("gain strength by forts", "discard teal fort", "discard teal fort")
    assert table.state.known[0] == cards_of("magenta fort")
