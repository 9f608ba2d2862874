"""What breaks no law, but an author should know about a game."""

from collections.abc import Iterator

from boardgames.game.variant import make_variant
from boardgames.tools.check.checker import Checker

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


def _is_always_shared(check: Checker) -> bool:
    """Whether every seat wins every match of the default, with every player count."""
    variant = make_variant(check.game)
    counts = [players for players in check.game.player_counts if variant.find_problem(players) is None]
    samples = [(check.sample(variant, players), players) for players in counts]
    return bool(samples) and all((batch.matches["winners"] == players).all() for batch, players in samples)
