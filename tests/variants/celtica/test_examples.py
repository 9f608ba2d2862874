"""The worked examples of the rulebooks."""

import pytest

from tests.variants.celtica.setting import acting, experience, hand, kinds, parts, place, plays, table

EDITIONS = ("de", "fr", "en")


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_white_cards_move_the_white_druid_two_places_to_the_village_where_one_part_is_taken(edition):
    match = table(edition, hands=["white white red", "grey", "grey"], at={"white": 4})
    match.push("play 2 white, move the white druid to the village on place 6").push("take part 3")
    assert parts(match, 1) == "3"
    assert hand(match, 1) == "red"
    assert acting(match) == 2
    assert match.state.display.sum() == 9


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_red_card_moves_the_red_druid_to_the_ruin_for_two_parts_and_an_experience_card(edition):
    match = table(edition, hands=["red white", "grey", "grey"], parts=["1 2 2 M"], at={"red": 4})
    match.push("play 1 red, move the red druid to the ruin on place 5").push("give up part 2").push(
        "give up the middle"
    )
    assert parts(match, 1) == "1 2"
    assert match.state.given_up.tolist() == kinds("2 M").tolist()
    assert match.state.experience[0].sum() == 1


def last_card_to_the_cult_site(edition):
    """Nobody else has cards, and every druid stands before one of the two ruins."""
    at = {"red": 7, "grey": 8, "white": 9, "brown": 8, "black": 9}
    match = table(edition, hands=["red", "", ""], parts=["1 2 3 4"], at=at)
    return match.push("play 1 red, move the red druid to the cult site on place 8")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_last_card_at_the_cult_site_before_the_two_ruins_should_not_be_followed_by_another(edition):
    match = last_card_to_the_cult_site(edition)
    assert list(match.choices()) == ["draw a druid card", "draw no card"]
    drawn = match.copy().push("draw a druid card")
    assert acting(drawn) == 1
    (only,) = plays(drawn)
    assert "to the ruin on place 9" in only or "to the ruin on place 10" in only
    drawn.push(only)
    assert drawn.state.owed == {9: 2, 10: 3}[int(only.rpartition(" ")[2])]


def test_who_draws_no_card_at_that_cult_site_ends_the_round():
    match = last_card_to_the_cult_site("de").push("draw no card")
    assert acting(match) == 2
    assert [match.state.hand[seat].sum() for seat in range(3)] == [5, 5, 5]


def test_two_red_druid_cards_and_two_red_experience_cards_move_the_red_druid_four_places():
    match = table(hands=["red red grey"], experience=["red red"], at={"red": 3})
    match.push("play 2 red and 2 red experience, move the red druid to the castle on place 7")
    assert place(match, "red") == 7
    assert experience(match, 1) == ""
    assert match.state.druid_discard[0] == 2
    assert match.state.experience_discard[0] == 2


def test_four_experience_cards_buy_one_part_and_swap_two():
    """In any order: here a swap, the purchase, the other swap."""
    match = table(
        hands=["red"], experience=["", "red red grey black", ""], parts=["", "1 1 1", ""], at={"red": 19}
    )
    match.push("play 1 red without effect, as the red druid is at the goal")
    match.push("swap for part 2").push("give part 1 in return")
    match.push("buy part 3")
    match.push("swap for the middle").push("give part 1 in return")
    assert parts(match, 2) == "1 2 3 M"
    assert (match.state.display >= kinds("1 1 4 5 6 7 8")).all()
    assert match.state.display.sum() == 9
    assert experience(match, 2) == ""
    assert match.is_over


def test_three_complete_amulets_beat_two_and_eight_parts_which_beat_two_with_seven_and_four():
    whole = "1 2 3 4 5 6 7 8 M "
    a = whole * 2 + "1 2 3 4 5 6 7 1 2 3 4"
    b = whole * 2 + "1 2 3 4 5 6 7 8"
    c = whole * 3
    match = table(parts=[a, b, c], display="M")
    assert match.scores() == [2, 2, 3]
    assert match.ranks() == [3, 2, 1]
