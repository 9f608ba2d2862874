"""In each of our games search beats greedy, nobody peeks, and every kind of action is used."""

import pytest

from boardgames import find_variant, make_variant
from tests.test_search import POSITIONS, duel, peeking, walk

GAMES = ["celtica", "keltis", "celtae"]


@pytest.mark.long
@pytest.mark.parametrize(("game", "budget", "blocks"), [("celtica", 64, 40), ("keltis", 256, 150), ("celtae", 256, 40)])
def test_search_beats_greedy_already_on_a_small_budget(game, budget, blocks):
    """The whole ladders are in docs/agents.md."""
    assert duel(find_variant(game).game, f"mcts:{budget}", "greedy", blocks).low > 0.5


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_neither_greedy_nor_search_sees_what_is_hidden(game):
    asked, caught = peeking(game, 3, ["greedy", "mcts:16"])
    assert asked == 2 * POSITIONS
    assert caught == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_group_of_actions_is_used_in_random_play(game):
    found = find_variant(game).game
    variants = [make_variant(found, house) for house in ["", *found.variants]]
    used = set()
    for block in range(240):
        variant, seats = variants[block % len(variants)], found.players[block % len(found.players)]
        used |= {int(action) for *_, action in walk(variant, seats, 8, block)}
    assert [name for name, group in found.groups.items() if not used & set(group)] == []
