"""Where the three rulebooks differ: D1 to D28 in the table of RULES.md. The other differences are in words
only.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from boardgames import play_batch
from tests.variants.celtica.setting import acting, hand, kinds, parts, played, plays, table, variant
from variants import celtica
from variants.celtica import codes

TEXT = (Path(celtica.__file__).parent / "RULES.md").read_text(encoding="utf-8")
ROWS = {row[0]: row[-1] for row in re.findall(r"^\| (D\d+) \|(?:[^|]*\|){4} ([^|]*) \|$", TEXT, re.MULTILINE)}
PARAMETERS = [parameter.name for parameter in celtica.GAME.parameters]


def test_the_german_rules_are_the_default_and_the_french_are_the_same():
    assert variant("de").changes() == variant("fr").changes() == {}
    assert variant("de").fingerprint() == variant("fr").fingerprint() == variant().fingerprint()
    assert [variant(name).name for name in ("", "de", "fr")] == ["celtica", "celtica:de", "celtica:fr"]


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_french_matches_are_german_matches_seed_by_seed(seats):
    german, french = (play_batch(variant(edition), "random", seats, 64, seed=11) for edition in ("de", "fr"))
    assert german.matches.tobytes() == french.matches.tobytes()
    assert german.seats.tobytes() == french.seats.tobytes()


def test_the_english_rules_differ_in_what_the_goal_pays_and_in_the_deadline_of_the_drawn_card():
    assert variant("en").changes() == {"goal_pays": (True, False), "cult_deadline": ("round", "next-turn")}


@pytest.mark.long
def test_english_matches_begin_like_german_ones_and_then_differ():
    german, english = (play_batch(variant(edition), "random", 3, 64, seed=11) for edition in ("de", "en"))
    assert (german.seats["opening"][:, 0] == english.seats["opening"][:, 0]).all()
    assert (german.matches["hash"] != english.matches["hash"]).all()
    assert english.seats["tally"][:, :, 6].sum() < german.seats["tally"][:, :, 6].sum()  # parts gained


@pytest.mark.long
def test_any_mix_of_editions_and_house_rules_can_be_played():
    mix = variant("en+hand_size=6+board=l4+goal_pays=yes")
    assert mix.name == "celtica:en+board=l4+hand_size=6+goal_pays=yes"
    assert np.all(play_batch(mix, "random", 5, 16).matches["end"] > 0)


def test_every_difference_is_in_the_table_and_says_where_it_is_treated():
    assert list(ROWS) == [f"D{n}" for n in range(1, 29)]
    for row in ROWS.values():
        parameters = re.findall(r"\*(\w+)\*", row)
        assert all(name in PARAMETERS for name in parameters)
        assert parameters or re.search(r"Ruling \d+|§\d|D\d+|no effect|DE's|any later round", row)


def test_every_parameter_has_a_named_variant_and_every_named_variant_its_reason():
    changed = set()
    for name, (values, why) in celtica.GAME.variants.items():
        assert len(why.split()) >= 5, name
        changed |= set(values)
    assert changed == set(PARAMETERS)


def test_every_named_variant_and_every_parameter_is_in_the_docs():
    page = (Path(__file__).parents[3] / "docs/games/celtica.md").read_text(encoding="utf-8")
    assert [name for name in celtica.GAME.variants if f"`celtica:{name}`" not in page] == []
    assert [name for name in PARAMETERS if f"`{name}" not in page] == []


def test_d1_the_goal_pays_four_parts_except_in_english():
    for edition, paid in [("de", 4), ("fr", 4), ("en", 0)]:
        match = table(edition, hands=["red", "grey", "grey"], at={"red": 18})
        match.push("play 1 red, move the red druid to the goal")
        assert match.state.owed == paid
        assert acting(match) == (1 if paid else 2)


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
def test_d2_cards_of_a_druid_at_the_goal_are_discarded_without_effect(edition):
    match = table(edition, hands=["red", "grey"], at={"red": 19})
    played(match, "play 1 red without effect")
    assert acting(match) == 2
    assert match.state.tally[0].sum() == 1  # a wasted card, and nothing else


def test_d3_a_drawn_card_must_be_played_next_only_in_english():
    for edition, free in [("de", True), ("fr", True), ("en", False)]:
        match = table(edition, hands=["red white", "", ""], at={"red": 3}, deck="grey")
        played(match, "play 1 red").push("draw a druid card")
        assert hand(match, 1) == "grey white"
        assert bool(plays(match, "play 1 white")) == free
        assert plays(match, "play 1 grey")


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
def test_d5_d6_d8_are_the_same_rule_in_other_words(edition):
    """A ruin takes what there is, the display has nine parts when a turn begins, a second copy begins another
    amulet.
    """
    match = table(edition, hands=["red white", "grey"], parts=["4"], at={"red": 4})
    played(match, "play 1 red").push("give up part 4")
    assert parts(match, 1) == ""
    match = table(edition, hands=["red white", "grey"], parts=["4"], display="4 4")
    played(match, "play 1 red").push("take part 4")
    assert match.state.display.sum() == 9
    assert match.game.standing(match.state, 0) == 1_100_000_000  # two amulets of one part


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
def test_d7_the_exchange_goes_on_with_fewer_parts_when_nothing_is_left_to_refill_with(edition):
    match = table(
        edition, hands=["red"], experience=["", "red red", "grey grey"], display="1 2", at={"red": 19}
    )
    match.state.parts[0], match.state.stock[:] = match.state.stock.copy(), 0
    played(match, "play 1 red")
    match.push("buy part 1")
    assert acting(match) == 3
    assert match.state.display.tolist() == kinds("2").tolist()


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
def test_d10_d18_at_least_one_card_and_all_of_one_colour(edition):
    match = table(edition, hands=["red grey"], experience=["red white"])
    for words in match.choices():
        assert len({colour for colour in codes.COLOUR_NAMES if colour in words.partition(",")[0]}) == 1


@pytest.mark.parametrize("edition", ["de", "fr", "en"])
def test_d15_d17_one_experience_card_for_a_ruin_which_keeps_for_a_later_round(edition):
    match = table(edition, hands=["red", "", ""], parts=["1 2 3"], at={"red": 4})
    played(match, "play 1 red").push("give up part 1").push("give up part 2")
    assert acting(match) == 2  # of the next round
    assert match.state.experience[0].sum() == 1
