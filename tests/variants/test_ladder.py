"""In each of our games search beats greedy, nobody peeks, and every kind of action is used."""

import pytest

from boardgames import find_variant, make_variant
from tests.boardgames.agents.test_search import POSITIONS, head_to_head_line_up, peeking, walk

GAMES = ["celtica", "keltis", "celtae"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "budget", "deals"), [("celtica", 256, 200), ("keltis", 256, 150), ("celtae", 256, 40)]
)
def test_search_beats_greedy_already_on_a_small_budget(game, budget, deals):
    """How strong it is at other budgets is in docs/why/agents.md. In Celtica it takes 256 playouts since the
    evaluation was tuned: 64 of them do not beat the greedy player of today.
    """
    assert head_to_head_line_up(find_variant(game).game, f"mcts:{budget}", "greedy", deals).low > 0.5


@pytest.mark.long
def test_search_beats_three_greedy_ones():
    """With several others it matters whom the agent compares itself with, and that they do not fill its
    tree.
    """
    assert head_to_head_line_up(find_variant("keltis").game, "mcts:256", "greedy", 150, seats=4).low > 1 / 4


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
