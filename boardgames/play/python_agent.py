"""Agents written in plain Python: any callable that is shown a View and names an action. Slow, but free to do what it likes.

They play in a Match and in `play`; the engine's loop then runs uncompiled, the rules and the other agents compiled. They see an
imagined copy of the position, so that no hidden card can be read from it, however hard they try.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boardgames.agents.agent import Agent, Family
from boardgames.errors import BadInput
from boardgames.game.game import Game
from boardgames.play.batch import bound
from boardgames.rules import protocol

FAMILY = "python"


@dataclass(frozen=True)
class View:
    """What a seat is shown when it is asked: a position it cannot tell from the true one, and what it may do there."""

    game: Game
    state: Any  # a record of its own; writing into it harms nobody
    seat: int
    actions: tuple[int, ...]
    key: int  # for chance of its own: the same decision has the same key again

    def say(self, action: int) -> str:
        return self.game.say(self.state, action)


def python_agent(choose: Callable[[View], int], game: Game, name: str = "") -> Agent:
    """An agent that asks a Python function, for a game: `play(variant, [python_agent(mine, game), find_agent("greedy")], ...)`."""
    label = name or getattr(choose, "__name__", FAMILY)

    def ask(state: Any, actions: Any, n: int, key: int, agent: Any, desk: Any) -> int:
        legal = tuple(int(action) for action in actions[:n])
        action = int(choose(view_of(game, state, legal, int(key))))
        if action not in legal:
            raise BadInput(f"the agent {label} chose {action}, which is not legal; legal are: {', '.join(map(str, legal))}")
        return action

    return Agent(Family(FAMILY, ask, "asks a Python function"), label, {})


def view_of(game: Game, state: Any, legal: tuple[int, ...], key: int) -> View:
    """An imagined copy of a position, for the seat to act."""
    copy = state.copy()
    bound(game, (), True)[protocol.imagined](copy, int(state.actor), key)
    return View(game, copy, int(state.actor), legal, key)
