"""Games that tell in which turns nothing hidden matters: greedy players choose the same in one resampled
world as in two.
"""

import dataclasses

import pytest

from boardgames import derive, find_variant, make_variant, play_batch, rule

CERTAIN = ["celtica", "celtae"]


def silenced(game):
    """The same game without its word on its turns."""
    return dataclasses.replace(game, name=f"{game.name}-silenced", is_turn_uncertain=None)


def hashes(variant, agents, seats, deals, compiled):
    return play_batch(variant, agents, seats, deals, seed=18, compiled=compiled).matches["hash"].tolist()


@pytest.mark.long
@pytest.mark.parametrize("name", CERTAIN)
def test_one_world_gives_the_choices_of_two(name):
    game = find_variant(name).game
    assert hashes(make_variant(game), "greedy", 2, 1, False) == hashes(
        make_variant(silenced(game)), "greedy", 2, 1, False
    )


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("name", CERTAIN)
def test_one_world_gives_the_choices_of_two_in_many_matches_and_in_every_style(name, seats):
    game = find_variant(name).game
    other = silenced(game)
    for agents in ["greedy", *game.styles]:
        for variant_name in ["", *game.variants]:
            ours, theirs = make_variant(game, variant_name), make_variant(other, variant_name)
            assert hashes(ours, agents, seats, 30, True) == hashes(theirs, agents, seats, 30, True), (
                agents,
                variant_name,
            )


def test_a_display_that_is_refilled_between_two_parts_makes_the_turn_uncertain():
    celtica = find_variant("celtica").game
    answers = []
    for refill in ("turn", "part", "empty"):
        (state,) = make_variant(celtica, "", {"refill": refill}).make_blank_state(2)
        answers.append(bool(celtica.is_turn_uncertain(state)))
    assert answers == [False, True, False]


@rule
def refuse_certainty(state):
    return True


def test_a_derived_game_promises_nothing_of_its_turns_unless_it_says_so_itself():
    celtica = find_variant("celtica").game
    assert derive(celtica, "quiet").is_turn_uncertain is None
    assert derive(celtica, "outspoken", is_turn_uncertain=refuse_certainty).is_turn_uncertain is not None
