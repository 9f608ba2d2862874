"""What breaks no law, but an author should know about a game."""

from collections.abc import Iterator

import numpy as np

from boardgames.game.variant import make_variant
from boardgames.rules import protocol
from boardgames.tools.check.checker import Checker
from boardgames.tools.check.pieces import list_unread
from boardgames.tools.check.position_laws import read_pieces
from boardgames.tools.check.walk import walk_match

COOPERATIVE = (
    "all seats win together, so wins by seat, ties, leads, skill, `ladder` and `train` say nothing about it. "
    "Ask about scores, length, endings, decisions and tallies; `greedy` and `mcts` aim for the score "
    '(in the source: docs/own_game/protocol.md, "Co-operative games")'
)


def find_advice(check: Checker) -> Iterator[str]:
    """Sentences about a game that has kept all laws."""
    if check.game.is_cooperative:
        yield f"{check.game.name} is co-operative: {COOPERATIVE}"
    elif _is_always_shared(check):
        yield (
            f"in {check.deals} random matches of {check.game.name} all seats shared the win. If it is "
            f"co-operative, declare is_cooperative=True: {COOPERATIVE}"
        )
    if kinds := _find_unread_shapes(check):
        yield (
            f"pieces of the drawing are made of {', '.join(sorted(kinds))}: whether a click hits them was not"
            " checked. Put a rect, circle, ellipse, polygon or path into each"
        )


def _find_unread_shapes(check: Checker) -> set[str]:
    """What pieces are made of that the check cannot place, along a match of the default."""
    variant = make_variant(check.game)
    players = next(count for count in check.game.player_counts if variant.find_problem(count) is None)
    walk = walk_match(check, variant, players, 0)
    position, stride, kinds = walk.set_up(), max(1, len(walk.actions) // 12), set()
    for step, action in enumerate(walk.actions if check.game.draw else []):
        if step % stride == 0:
            kinds |= list_unread(read_pieces(position))
        position.run(protocol.apply, position.state, np.int64(action))
    return kinds


def _is_always_shared(check: Checker) -> bool:
    """Whether every seat wins every match of the default, with every player count."""
    variant = make_variant(check.game)
    counts = [players for players in check.game.player_counts if variant.find_problem(players) is None]
    samples = [(check.sample(variant, players), players) for players in counts]
    return bool(samples) and all((batch.matches["winners"] == players).all() for batch, players in samples)
