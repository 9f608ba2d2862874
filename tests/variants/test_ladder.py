"""In each of our games search beats greedy, nobody peeks, and every kind of action is used."""

import pytest

from boardgames import find_variant, make_variant
from tests.boardgames.agents.test_search import POSITIONS, head_to_head_line_up, peeking, walk
from tests.support.sizes import choose_size

GAMES = ["celtica", "keltis", "celtae"]
# How strong they are at other budgets is in docs/why/agents.md.
QUICK = [
    ("celtica", 2, "mcts:256", 200),
    ("keltis", 2, "mcts:256", 150),
    ("keltis", 3, "mcts:64", 200),
    ("keltis", 4, "mcts:64", 150),
    ("celtae", 2, "mcts:256", 40),
    ("celtae", 3, "learned-mcts:64", 20),
    ("celtae", 4, "learned-mcts:64", 20),
]
# In Celtica with three and more it takes a learned evaluation and many matches, with five many playouts, too.
SLOW = [
    ("celtica", 3, "learned-mcts:256", 400),
    ("celtica", 4, "learned-mcts:256", 150),
    ("celtica", 5, "learned-mcts:1024", 200),  # it wins 24.7% (22.8 to 26.6) of 2,000 matches
    ("keltis", 2, "mcts:256", 1000),  # it wins 55.4% (53.5 to 57.4) of 2,000 matches
]


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize(("game", "players", "agent", "deals"), choose_size(QUICK, [*QUICK, *SLOW]))
def test_search_beats_greedy_at_every_player_count(game, players, agent, deals):
    """One among greedy ones, in every seat in turn. With several others it matters which ones the agent
    compares itself with, and that they do not fill its tree.
    """
    wins = head_to_head_line_up(find_variant(game).game, agent, "greedy", deals, seats=players)
    assert wins.low > 1 / players


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_neither_greedy_nor_search_sees_what_is_hidden(game):
    asked, caught = peeking(game, 3, ["greedy", "mcts:16"])
    assert asked == 2 * POSITIONS
    assert caught == []


@pytest.mark.long
@pytest.mark.parametrize(("game", "deals"), [("celtica", 240), ("keltis", 1500), ("celtae", 240)], ids=GAMES)
def test_every_group_of_actions_is_used_in_random_play(game, deals):
    """The substitute step of Keltis, made or declined, needs a figure on an end stone and a card for it: 41
    of 6000 random matches get there.
    """
    rules = find_variant(game).game
    variants = [make_variant(rules, variant_name) for variant_name in ["", *rules.variants]]
    used = set()
    for deal in range(deals):
        variant, seats = variants[deal % len(variants)], rules.player_counts[deal % len(rules.player_counts)]
        used |= {int(action) for *_, action in walk(variant, seats, 8, deal)}
    assert [name for name, group in rules.groups.items() if not used & set(group)] == []
