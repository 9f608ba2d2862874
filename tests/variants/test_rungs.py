"""In each of our games search beats greedy, nobody peeks, and every kind of action is used."""

import numpy as np
import pytest

from boardgames import find_variant, make_variant
from boardgames.batch import bound, stream_names
from boardgames.chance import number
from boardgames.engine import begin_match, block_key
from boardgames.protocol import apply, legal
from tests.test_search import POSITIONS, duel, peeking

GAMES = ["celtica", "keltis", "celtae"]


@pytest.mark.long
@pytest.mark.parametrize(("game", "budget", "blocks"), [("celtica", 64, 40)])
def test_search_beats_greedy_already_on_a_small_budget(game, budget, blocks):
    """Keltis and Celtae take more matches than a test should play: docs/agents.md has their ladders."""
    assert duel(find_variant(game).game, f"mcts:{budget}", "greedy", blocks).low > 0.5


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_neither_greedy_nor_search_sees_what_is_hidden(game):
    asked, caught = peeking(game, 3, ["greedy", "mcts:16"])
    assert asked == 2 * POSITIONS
    assert caught == []


@pytest.mark.parametrize("game", GAMES)
def test_every_group_of_actions_is_used_in_random_play(game):
    found = find_variant(game).game
    variants = [make_variant(found, house) for house in ["", *found.variants]]
    rules, used, row = bound(found, (), False), set(), np.zeros(found.actions, np.int64)
    for block in range(240):
        variant, seats = variants[block % len(variants)], found.players[block % len(found.players)]
        state, luck = variant.blank(seats), rules[block_key](8, seats, block)
        rules[begin_match](state[0], luck, stream_names(variant.game))
        for step in range(variant.game.cap):
            if state[0].end:
                break
            action = row[number(luck, step, rules[legal](state[0], row))]
            used.add(int(action))
            rules[apply](state[0], action)
    assert [name for name, group in found.groups.items() if not used & set(group)] == []
