"""One test for each ruling of RULES.md; its number is in the test's name."""

import re
from pathlib import Path

import pytest

from boardgames import IllegalAction, Match, play_batch
from tests.variants.celtica.setting import (
    acting,
    colours,
    display,
    experience,
    hand,
    kinds,
    move,
    parts,
    place,
    played,
    plays,
    table,
    variant,
)
from variants import celtica
from variants.celtica import codes

HOME = dict.fromkeys(codes.COLOUR_NAMES, 19)
WHOLE = "1 2 3 4 5 6 7 8 M"


def test_every_ruling_has_a_test():
    text = (Path(celtica.__file__).parent / "RULES.md").read_text(encoding="utf-8")
    rulings = [int(number) for number in re.findall(r"^\*\*Ruling (\d+)\.\*\*", text, re.MULTILINE)]
    assert sorted(rulings) == list(range(1, 38))
    tested = {int(match[1]) for name in globals() if (match := re.match(r"test_ruling_(\d+)_", name))}
    assert tested == set(rulings)


# ---- movement and cards


def test_ruling_01_surplus_cards_stop_at_the_goal_and_are_discarded():
    match = table(hands=["red red red grey", "grey"], at={"red": 18})
    match.push("play 3 red, move the red druid to the goal")
    assert place(match, "red") == 19
    assert match.state.druid_discard[0] == 3


def test_ruling_01_an_exact_count_can_be_asked_for():
    match = table("exact-goal", hands=["red red red"], at={"red": 18})
    assert plays(match) == ["play 1 red, move the red druid to the goal"]


def test_ruling_02_any_number_of_cards_of_a_druid_at_the_goal_is_discarded_without_effect():
    match = table(hands=["red red grey", "grey"], at={"red": 19})
    assert len(plays(match, "play 1 red without")) == len(plays(match, "play 2 red without")) == 1
    played(match, "play 2 red without")
    assert acting(match) == 2
    assert parts(match, 1) == ""
    assert match.state.druid_discard[0] == 2


def test_ruling_02_in_the_other_reading_they_go_one_at_a_time():
    match = table("+most_cards_home=1", hands=["red red grey"], at={"red": 19})
    assert len(plays(match, "play 1 red")) == 1
    assert not plays(match, "play 2 red")


def test_ruling_02_an_experience_card_of_a_druid_at_the_goal_is_discarded_without_effect_too():
    match = table(hands=["grey", "grey"], experience=["red"], at={"red": 19})
    match.push("play 1 red experience without effect, as the red druid is at the goal")
    assert acting(match) == 2
    assert hand(match, 1) == "grey"
    assert experience(match, 1) == parts(match, 1) == ""
    assert match.state.experience_discard.tolist() == colours("red").tolist()


def test_ruling_03_who_has_only_cards_of_druids_at_the_goal_must_still_play_them():
    match = table(hands=["red", "red grey", ""], at={"red": 19}, player=1)
    played(match, "play 1 red")
    assert acting(match) == 2
    played(match, "play 1 red")
    assert acting(match) == 2


def test_ruling_04_experience_cards_can_be_played_alone_while_a_druid_card_of_any_colour_is_held():
    match = table(hands=["grey"], experience=["red"])
    match.push("play 1 red experience, move the red druid to the village on place 2")
    assert hand(match, 1) == "grey"


def test_ruling_04_that_can_be_switched_off():
    match = table("+experience_alone=no", hands=["grey red"], experience=["red"])
    assert not plays(match, "play 1 red experience")
    assert len(plays(match, "play 1 red and 1 red experience")) == 1


def test_ruling_05_who_has_only_experience_cards_is_out_of_the_round_and_keeps_them():
    match = table(hands=["", "grey grey", ""], experience=["red red"], at={"grey": 4}, player=2)
    played(match, "play 1 grey")  # to the ruin
    assert acting(match) == 2  # seats 3 and 1 are passed over
    match.push("play 1 grey, move the grey druid to the village on place 6").push("take part 1")
    assert experience(match, 1) == "red red"
    assert hand(match, 1).count(" ") == 4  # five new cards


def test_ruling_06_the_last_druid_card_can_be_played_together_with_experience_cards():
    match = table(hands=["red", "grey"], experience=["red red"])
    match.push("play 1 red and 2 red experience, move the red druid to the cult site on place 4")


def test_ruling_06_in_the_narrower_reading_a_druid_card_is_left_in_the_hand():
    last = table("card-left", hands=["red", "grey"], experience=["red red"])
    assert not plays(last, "play 1 red and")
    assert plays(last, "play 1 red,")
    assert len(plays(last, "play 1 red experience")) == len(plays(last, "play 2 red experience")) == 1
    with_another = table("card-left", hands=["red grey", "grey"], experience=["red red"])
    assert len(plays(with_another, "play 1 red and")) == 2
    both = table("card-left", hands=["red red", "grey"], experience=["red"])
    assert len(plays(both, "play 1 red and 1")) == 1
    assert not plays(both, "play 2 red and")


def test_ruling_07_there_is_no_passing_with_a_druid_card_in_hand():
    match = table(hands=["red"], at={"red": 19})
    assert list(match.choices()) == ["play 1 red without effect, as the red druid is at the goal"]


def test_ruling_08_an_experience_card_can_be_used_in_the_very_next_turn():
    match = table(hands=["red grey", "", ""], at={"red": 4})
    played(match, "play 1 red,")
    (colour,) = experience(match, 1).split()
    assert acting(match) == 1
    assert plays(match, f"play 1 {colour} experience")


def test_ruling_09_hands_are_hidden_and_everything_else_is_known():
    seen = {name: field.visibility for name, field in celtica.GAME.fields.items()}
    assert {name for name in seen if seen[name] == "private"} == {"hand", "experience", "due"}
    assert {name for name in seen if seen[name] == "hidden"} == {"druid_deck", "experience_deck"}


# ---- cult sites


def test_ruling_10_the_draw_at_a_cult_site_is_a_choice_made_before_the_card_is_seen():
    match = table(hands=["red red", "grey"], at={"red": 3}, deck="black")
    played(match, "play 1 red")
    assert list(match.choices()) == ["draw a druid card", "draw no card"]
    assert hand(match.copy().push("draw no card"), 1) == "red"
    assert hand(match.push("draw a druid card"), 1) == "red black"


def test_ruling_10_where_the_overview_is_taken_at_its_word_the_card_must_be_drawn():
    match = table("must-draw", hands=["red red", "grey"], at={"red": 3}, deck="black")
    played(match, "play 1 red")
    assert list(match.choices()) == ["draw a druid card"]


def test_ruling_11_a_card_drawn_in_the_german_game_can_wait_but_is_played_in_this_round():
    match = table("de", hands=["red red", "", ""], at={"red": 3}, deck="black")
    played(match, "play 1 red").push("draw a druid card")
    played(match, "play 1 red")  # not the drawn card, which is the last one left now
    assert hand(match, 1) == "black"
    assert acting(match) == 1


def under_a_duty(hands, at, drawn, **more):
    """An English player draws a card at a cult site, and it is his turn again."""
    match = table("en", hands=[hands, "", ""], at={"red": 3, **at}, deck=drawn, **more)
    return played(match, "play 1 red").push("draw a druid card")


def test_ruling_12_an_english_player_must_play_the_drawn_colour_next_and_may_add_to_it():
    match = under_a_duty("red grey grey white", {}, "grey", experience=["grey white"])
    actions = [words.partition(",")[0] for words in match.choices()]
    counts = ["1 grey", "1 grey and 1 grey experience", "2 grey", "2 grey and 1 grey experience"]
    assert actions == [f"play {cards}" for cards in [*counts, "3 grey", "3 grey and 1 grey experience"]]


def test_ruling_12_the_duty_also_holds_for_a_druid_at_the_goal():
    match = under_a_duty("red white", {"grey": 19}, "grey")
    assert list(match.choices()) == ["play 1 grey without effect, as the grey druid is at the goal"]


def test_ruling_12_the_duty_is_gone_once_it_is_done():
    match = under_a_duty("red white", {"grey": 18}, "grey")
    played(match, "play 1 grey")
    assert not match.state.due.any()
    assert not match.state.drew.any()
    assert plays(match, "play 1 white")


def test_ruling_12_the_end_of_the_match_cancels_it():
    match = table("en", hands=["red", "black", ""], at={**HOME, "red": 3, "black": 18}, deck="grey")
    played(match, "play 1 red").push("draw a druid card")
    match.state.position[codes.COLOUR_NAMES.index("red")] = 18  # somebody brought it home meanwhile
    played(match, "play 1 black")
    assert match.end == "all druids at the goal"
    assert match.state.hand.sum() == match.state.due.sum() == match.state.drew.sum() == 0


def test_ruling_13_who_draws_with_their_last_card_gone_is_back_in_the_round():
    match = table(hands=["red", "", ""], at={"red": 3}, deck="grey")
    played(match, "play 1 red").push("draw a druid card")
    assert acting(match) == 1
    assert hand(match, 1) == "grey"


def test_ruling_14_the_cards_just_played_are_part_of_a_reshuffle():
    match = table(hands=["red grey grey", "grey"], at={"red": 3}, deck="")
    match.state.hand[2] = match.state.druid_discard  # all other cards are in a hand
    match.state.druid_discard[:] = 0
    played(match, "play 1 red").push("draw a druid card")
    assert hand(match, 1) == "red grey grey"


def test_ruling_15_an_empty_druid_deck_is_reshuffled_in_the_middle_of_a_deal():
    match = table(seats=2, hands=["red", ""], deck="grey white")
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert match.state.hand[:2].sum(axis=1).tolist() == [5, 5]
    assert match.state.druid_deck.sum() == 50
    assert match.state.druid_discard.sum() == 0


def test_ruling_15_the_discards_are_shuffled_when_a_card_is_wanted_and_not_when_the_last_is_drawn():
    match = table(hands=["red red", "grey", ""], at={"red": 3, "grey": 3}, deck="black")
    played(match, "play 1 red").push("draw a druid card")
    assert match.state.druid_deck.sum() == 0
    assert match.state.druid_discard.sum() == 60 - 3  # all but those in hands
    played(match, "play 1 grey").push("draw a druid card")
    assert match.state.druid_discard.sum() == 0
    assert match.state.druid_deck.sum() == 60 - 3  # with the grey card just played


def test_ruling_15_without_any_card_left_nothing_is_asked_at_a_cult_site():
    match = table(hands=["red grey", "grey"], experience=["red"], at={"red": 3}, deck="")
    match.state.hand[2] = match.state.druid_discard
    match.state.druid_discard[:] = 0
    match.push("play 1 red experience, move the red druid to the cult site on place 4")
    assert acting(match) == 2


# ---- amulet parts


def test_ruling_16_any_middle_completes_any_amulet():
    assert codes.KINDS == 9
    match = Match(variant(), 2)
    assert (match.state.stock + match.state.display + match.state.parts.sum(axis=0) == 10).all()


def test_ruling_17_the_best_seating_counts():
    match = table(seats=2, parts=[f"{WHOLE} 1 2", "1 1 1 1 1 1 1 1 M"], display="M")
    assert match.scores() == [1, 0]
    assert match.game.standing(match.state, 0) == 9_200_000_000  # a complete amulet, then one of two parts
    assert (
        match.game.standing(match.state, 1) == 2_111_111_100
    )  # eight amulets: one of two parts, seven of one


def test_ruling_18_all_parts_of_a_turn_come_from_the_same_display():
    match = table(hands=["red", "grey"], at={"red": 6}, display="1 1 2 2 3 3 4 4 5")
    played(match, "play 1 red").push("take part 1").push("take part 1")
    assert display(match) == "2 2 3 3 4 4 5"
    match.push("take part 2")
    assert match.state.display.sum() == 9


def test_ruling_18_a_variant_refills_after_each_part():
    match = table("+refill=part", hands=["red", "grey"], at={"red": 6}, display="1 1 2 2 3 3 4 4 5")
    played(match, "play 1 red").push("take part 1")
    assert match.state.display.sum() == 9
    assert match.state.owed == 2


def test_ruling_19_who_is_due_more_parts_than_are_displayed_takes_what_is_there():
    match = table(hands=["red", "grey"], at={"red": 6}, display="1 2")
    played(match, "play 1 red").push("take part 1").push("take part 2")
    assert acting(match) == 2


def test_ruling_20_the_display_is_filled_up_at_the_end_of_every_turn():
    match = table(hands=["red", "grey"], display="1 2 3")
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert match.state.display.sum() == 9


def test_ruling_20_given_up_parts_become_the_stock_and_then_it_goes_on_with_fewer():
    match = table(hands=["red", "grey"], display="1 2 3")
    match.state.parts[2], match.state.stock[:] = match.state.stock.copy(), 0
    move(match.state.parts[2], match.state.given_up, kinds("8 8"))
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert display(match) == "2 3 8 8"
    assert match.state.given_up.sum() == 0


def test_ruling_20_a_variant_refills_only_an_empty_display():
    match = table("+refill=empty", hands=["red grey", "grey"], display="1 2")
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert display(match) == "2"
    match.push("play 1 grey, move the grey druid to the village on place 2").push("take part 2")
    assert match.state.display.sum() == 9


def short_display(spec):
    """Two parts are displayed, nothing is left in the stock, and a ruin brings two."""
    match = table(spec, hands=["red red", "grey"], parts=["1 2 3"], at={"red": 4, "grey": 1}, display="7 8")
    match.state.parts[2], match.state.stock[:] = match.state.stock.copy(), 0
    return played(match, "play 1 red").push("give up part 1").push("give up part 2")


def test_ruling_20_parts_of_a_ruin_are_displayed_after_that_turn():
    assert display(short_display("")) == "1 2 7 8"


def test_ruling_20_by_the_german_and_french_words_only_after_parts_were_taken():
    match = short_display("refill-when-taken")
    assert display(match) == "7 8"
    match.push("play 1 grey, move the grey druid to the village on place 2").push("take part 7")
    assert display(match) == "1 2 8"


def test_ruling_20_parts_taken_one_after_the_other_are_replaced_after_the_last():
    match = table("refill-when-taken", hands=["red", "grey"], at={"red": 6})
    played(match, "play 1 red").push("take part 1").push("take part 2")
    assert match.state.display.sum() == 7
    match.push("take part 3")
    assert match.state.display.sum() == 9


def test_ruling_20_in_the_exchange_the_display_is_refilled_by_all_texts():
    match = over("refill-when-taken", experience=["red red", "", "grey grey"])
    match.push("buy part 1")
    assert acting(match) == 1
    assert match.state.display.sum() == 9


def test_ruling_21_parts_of_a_complete_amulet_may_be_given_up():
    match = table(hands=["red", "grey"], parts=[WHOLE], at={"red": 4})
    played(match, "play 1 red").push("give up the middle").push("give up part 1")
    assert match.scores()[0] == 0


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
@pytest.mark.parametrize("held", ["", "3"])
def test_ruling_21_who_has_fewer_parts_gives_what_they_have_and_gets_their_card(edition, held):
    match = table(edition, hands=["red", "grey"], parts=[held], at={"red": 4})
    played(match, "play 1 red")
    if held:
        match.push("give up part 3")
    assert acting(match) == 2
    assert parts(match, 1) == ""
    assert match.state.experience[0].sum() == 1


def test_ruling_22_without_experience_cards_left_the_loss_stands():
    match = table(hands=["red", "grey"], parts=["1 2 3"], at={"red": 4})
    move(match.state.experience_deck, match.state.experience[1], match.state.experience_deck.copy())
    played(match, "play 1 red").push("give up part 1").push("give up part 2")
    assert experience(match, 1) == ""
    assert parts(match, 1) == "3"


def test_ruling_22_used_experience_cards_are_shuffled_for_a_new_deck():
    match = table(hands=["red", "grey"], at={"red": 4})
    move(
        match.state.experience_deck, match.state.experience[1], match.state.experience_deck - colours("black")
    )
    move(match.state.experience_deck, match.state.experience_discard, colours("black"))
    played(match, "play 1 red")
    assert experience(match, 1) == "black"


def test_ruling_23_the_display_is_opened_before_the_players_get_their_parts():
    without, with_parts = (Match(variant(f"+starting_parts={n}"), 3).state for n in (0, 2))
    assert without.display.tolist() == with_parts.display.tolist()
    assert without.parts.sum() == 0
    assert with_parts.parts.sum(axis=1).tolist() == [2, 2, 2, 0, 0]


# ---- rounds and the end


def test_ruling_24_the_last_player_with_druid_cards_takes_turn_after_turn():
    match = table(hands=["", "red grey white", ""], player=2)
    for colour in ("red", "grey"):
        played(match, f"play 1 {colour}").push(next(iter(match.choices())))
        assert acting(match) == 2


def test_ruling_25_the_next_round_is_begun_left_of_the_player_of_the_last_turn():
    match = table(hands=["", "red", ""], player=2)
    played(match, "play 1 red").push("take part 1")
    assert acting(match) == 3


@pytest.mark.parametrize(("custom", "first"), [("after-last", 3), ("last", 2), ("rotate", 2)])
def test_ruling_25_there_are_other_customs(custom, first):
    match = table(f"+next_start={custom}", hands=["", "red", ""], player=2)
    played(match, "play 1 red").push("take part 1")
    assert acting(match) == first


def test_ruling_26_a_druid_that_gets_home_with_the_last_card_of_a_round_ends_the_match():
    match = table("en", hands=["red", "", ""], at={"red": 18})
    match.push("play 1 red, move the red druid to the goal")
    assert match.end == "the last round"


def test_ruling_26_until_then_the_round_is_played_to_its_end():
    match = table("en", hands=["red", "grey grey", ""], at={"red": 18})
    match.push("play 1 red, move the red druid to the goal")
    played(match, "play 1 grey").push("take part 1")
    assert not match.is_over
    played(match, "play 1 grey").push("take part 2").push("take part 3")
    assert match.end == "the last round"


def test_ruling_26_a_variant_waits_for_the_second_druid():
    match = table("two-home+goal_pays=no", hands=["red", "", ""], at={"red": 18})
    match.push("play 1 red, move the red druid to the goal")
    assert not match.is_over
    assert match.state.hand.sum() == 15


def test_ruling_27_five_druids_at_the_goal_end_it_at_once_after_the_parts_are_taken():
    match = table(hands=["red", "grey grey", "white"], at={**HOME, "red": 18})
    match.push("play 1 red, move the red druid to the goal")
    for part in ("part 1", "part 2", "part 3"):
        assert not match.is_over
        match.push(f"take {part}")
    match.push("take the middle")
    assert match.end == "all druids at the goal"
    assert match.state.hand.sum() == 0


def test_ruling_27_taken_at_its_word_the_fifth_druid_ends_it_before_parts_are_taken():
    match = table("at-once", hands=["red", "grey grey", "white"], at={**HOME, "red": 18})
    match.push("play 1 red, move the red druid to the goal")
    assert match.end == "all druids at the goal"
    assert parts(match, 1) == ""
    assert match.state.display.sum() == 9
    assert match.state.tally[0, codes.VISITS + codes.GOAL] == 1


def test_ruling_27_the_fourth_druid_still_finds_parts_where_the_fifth_does_not():
    match = table("at-once", hands=["red", "grey"], at={**HOME, "red": 18, "grey": 5})
    match.push("play 1 red, move the red druid to the goal")
    assert match.state.owed == 4


def test_ruling_27_no_part_in_display_stock_and_among_the_given_up_ends_it_at_once():
    match = table(hands=["red", "grey", "grey"], display="1")
    match.state.parts[1], match.state.stock[:] = match.state.stock.copy(), 0
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert match.end == "no parts left"


def test_ruling_27_given_up_parts_are_stock():
    match = table(hands=["red", "grey", "grey"], display="1")
    match.state.parts[1], match.state.stock[:] = match.state.stock.copy(), 0
    move(match.state.parts[1], match.state.given_up, kinds("5"))
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert not match.is_over
    assert display(match) == "5"


def over(spec="en", **more):
    """The match ends with seat 2's turn, and the exchange begins."""
    return played(table(spec, hands=["", "red", ""], at={"red": 19}, player=2, **more), "play 1 red")


def test_ruling_28_the_exchange_goes_once_round_beginning_left_of_the_player_of_the_last_turn():
    match = over(experience=["red", "grey", "white"], parts=["1", "2", "3"])
    asked = []
    while not match.is_over:
        asked.append(acting(match))
        match.push("exchange no more")
    assert asked == [3, 1, 2]


@pytest.mark.parametrize("spec", ["", "at-once"])
def test_ruling_28_after_an_immediate_end_too_the_exchange_begins_left_of_the_player_of_the_last_turn(spec):
    match = table(
        spec,
        hands=["grey", "red", "white white"],
        experience=["red", "grey", "white"],
        parts=["1", "2", "3"],
        at={**HOME, "red": 18},
        player=2,
    )
    match.push("play 1 red, move the red druid to the goal")
    asked = []
    while not match.is_over:
        if match.state.phase == codes.EXCHANGE:
            asked.append(acting(match))
        match.push("exchange no more" if match.state.phase == codes.EXCHANGE else match.legal()[0])
    assert asked == [3, 1, 2]
    assert match.end == "all druids at the goal"


def test_ruling_29_parts_of_complete_amulets_may_be_swapped_in_any_order_with_buying():
    match = over(experience=["", "", "red red grey"], parts=["", "", WHOLE])
    match.push("buy part 1").push("swap for part 2").push("give the middle in return")
    assert parts(match, 3) == "1 1 2 2 3 4 5 6 7 8"


def test_ruling_29_the_display_is_refilled_only_when_the_player_is_done():
    match = over(experience=["red red", "", "grey grey grey grey"])
    assert match.state.display.sum() == 9
    move(match.state.display, match.state.stock, match.state.display - kinds("1 2"))
    match.push("buy part 1").push("buy part 2")
    assert acting(match) == 1
    assert match.state.display.sum() == 9


def test_ruling_29_a_swap_for_the_same_kind_is_not_offered():
    match = over(experience=["", "", "red"], parts=["", "", "1"], display="1 1 1 1 1 1 1 1 2")
    assert list(match.choices()) == ["swap for part 2", "exchange no more"]
    match.push("swap for part 2")
    assert list(match.choices()) == ["give part 1 in return"]


def test_ruling_30_a_swapped_part_takes_the_place_of_the_other_and_may_be_taken_by_the_next():
    match = over(experience=["red", "", "red"], parts=["2", "", "1"], display="2 3 4 5 6 7 8 M M")
    match.push("swap for part 3").push("give part 1 in return")
    assert display(match) == "1 2 4 5 6 7 8 M M"
    match.push("swap for part 1").push("give part 2 in return")
    assert parts(match, 1) == "1"


def test_ruling_30_in_the_other_reading_it_is_given_up():
    match = over(
        "en+swapped_part=given-up",
        experience=["", "", "red"],
        parts=["", "", "1"],
        display="2 3 4 5 6 7 8 M M",
    )
    match.push("swap for part 3").push("give part 1 in return")
    assert match.state.given_up.tolist() == kinds("1").tolist()


def test_ruling_29_where_the_swapped_part_is_given_up_one_of_the_same_kind_may_be_swapped():
    """It takes the only displayed part 1 away from seat 1."""
    match = over(
        "swapped-away", experience=["red", "", "red"], parts=["2", "", "1"], display="1 2 2 2 2 2 2 2 2"
    )
    match.push("swap for part 1")
    assert list(match.choices()) == ["give part 1 in return"]
    match.state.stock[0] = 0  # so that the refill brings none
    match.push("give part 1 in return")
    assert parts(match, 3) == "1"
    assert "swap for part 1" not in match.choices()
    assert match.state.given_up.tolist() == kinds("1").tolist()


def test_ruling_29_the_part_just_taken_cannot_be_given_for_itself():
    match = over("swapped-away", experience=["", "", "red"], parts=["", "", "2"])
    match.push("swap for part 1")
    assert list(match.choices()) == ["give part 2 in return"]


def test_ruling_31_after_an_end_for_lack_of_parts_experience_cards_buy_nothing():
    match = table(hands=["red", "grey"], experience=["red red", "grey grey"], display="1")
    match.state.parts[1], match.state.stock[:] = match.state.stock.copy(), 0
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert match.is_over
    assert experience(match, 1) == "red red"


def test_ruling_32_equal_to_the_last_amulet_is_a_shared_win():
    match = table(seats=2, parts=["1 2 2", "8 M M"])
    assert match.ranks() == [1, 1]


def test_ruling_32_a_missing_amulet_counts_as_none():
    match = table(seats=2, parts=["1 2 2", "8 M"])
    assert match.ranks() == [1, 2]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ruling_33_five_druids_five_cards_two_parts_for_any_number_of_players(seats):
    state = Match(variant(), seats).state
    assert state.hand.sum(axis=1).tolist() == [5] * seats + [0] * (5 - seats)
    assert state.parts.sum(axis=1).tolist() == [2] * seats + [0] * (5 - seats)
    assert state.position.tolist() == [0] * 5


def test_ruling_34_nobody_lands_on_the_start():
    match = table(hands=["red"])
    with pytest.raises(IllegalAction):
        match.push("play 1 red, move the red druid to the start on place 1")


@pytest.mark.long
def test_ruling_35_seat_1_begins_and_deals_rotate_the_players():
    """Each deal is played twice by two different agents: greedy has each seat once, and wins there."""
    assert acting(Match(variant(), 4)) == 1
    batch = play_batch(variant(), "greedy,random", 2, 2, compiled=False)
    assert batch.matches["deal"].tolist() == [0, 0, 1, 1]
    assert batch.seats["rank"].tolist() == [[1, 2], [2, 1], [1, 2], [2, 1]]


def hands_after_a_deal(spec):
    """The last card of a round is played while five grey cards are left in the deck."""
    match = table(spec, seats=2, hands=["red", ""], deck="grey grey grey grey grey")
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    return match


def test_ruling_36_cards_are_dealt_one_by_one_from_seat_1():
    """Of five cards left in the deck seat 1 gets the first, third and fifth."""
    match = hands_after_a_deal("")
    assert hand(match, 1).split().count("grey") >= 3
    assert hand(match, 2).split().count("grey") >= 2
    state = Match(variant("six-cards"), 3).state
    assert ((state.hand - Match(variant(), 3).state.hand).sum(axis=1) == [1, 1, 1, 0, 0]).all()


def test_ruling_36_or_a_whole_hand_at_a_time():
    match = hands_after_a_deal("hand-by-hand")
    assert hand(match, 1) == "grey grey grey grey grey"
    assert match.state.hand[1].sum() == 5


def test_ruling_37_a_cult_site_in_the_last_round_gives_a_card_and_prolongs_the_round():
    match = table(hands=["red", "", ""], at={"red": 3, "white": 19}, deck="grey")
    played(match, "play 1 red").push("draw a druid card")
    assert not match.is_over
    assert acting(match) == 1
    played(match, "play 1 grey").push("take part 1")
    assert match.end == "the last round"
