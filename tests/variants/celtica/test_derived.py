"""A rule that no parameter covers: in a ruin the Vikings can be sent on to one's left neighbour."""

import numpy as np
import pytest

from boardgames import InvalidInput, Match, derive, make_variant, next_seat, play_batch
from tests.variants.celtica.setting import kinds, move
from variants.celtica import GAME


def neighbour(state):
    """Whoever sits left of the player loses the parts; the player chooses them, and gets the experience."""
    return next_seat(state, state.turn_owner)


RAIDERS = derive(GAME, "celtica-raiders", payer=neighbour)


def to_the_ruin(game):
    """Both players have three parts; the first one moves the red druid to a ruin of two."""
    match = Match(make_variant(game), 2)
    state = match.state
    for seat, parts in enumerate(("1 2 3", "6 7 8")):
        move(state.parts[seat], state.stock, state.parts[seat].copy())
        move(state.stock, state.parts[seat], kinds(parts))
    state.position[0], state.hand[0, 0] = 3, 1
    return match.push("play 1 red, move the red druid to the ruin on place 5")


def test_the_left_neighbour_loses_the_parts_and_the_player_has_the_experience():
    match = to_the_ruin(RAIDERS)
    assert list(match.choices()) == ["give up part 6", "give up part 7", "give up part 8"]
    match.push("give up part 6").push("give up part 8")
    assert match.state.parts[0].tolist() == kinds("1 2 3").tolist()
    assert match.state.parts[1].tolist() == kinds("7").tolist()
    assert match.state.experience.sum(axis=1).tolist() == [1, 0, 0, 0, 0]


def test_the_parent_stays_as_it_was():
    assert list(to_the_ruin(GAME).choices()) == ["give up part 1", "give up part 2", "give up part 3"]


@pytest.mark.long
def test_both_games_are_played_on_the_same_luck_and_part_at_the_first_ruin():
    parent, child = (
        play_batch(make_variant(game), "random", 2, 4, compiled=False) for game in (GAME, RAIDERS)
    )
    assert (parent.seats["opening"] == child.seats["opening"]).all()
    assert np.any(parent.matches["hash"] != child.matches["hash"])
    assert make_variant(GAME).fingerprint() != make_variant(RAIDERS).fingerprint()


def test_a_name_that_replaces_nothing_is_refused():
    with pytest.raises(InvalidInput, match="no rule function of celtica 'payers'; did you mean payer"):
        derive(GAME, "celtica-typo", payers=neighbour)
