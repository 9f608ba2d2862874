"""Agents written in plain Python: any function that takes a View and returns an action. Slow, but free to do
anything.

They play in a Match and in `play_batch`; the engine's loop then runs uncompiled, the rules and the other
agents compiled. They see a resampled copy of the position, which holds no hidden card of the true one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boardgames.agents.agent import Agent, AgentType
from boardgames.errors import InvalidInput
from boardgames.game.game import Game
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol

PYTHON = "python"


@dataclass(frozen=True)
class View:
    """What a seat sees when it has to choose: a position it cannot tell from the true one, and its legal
    actions.
    """

    game: Game
    state: Any  # a copy: writing into it does no harm
    seat: int
    actions: tuple[int, ...]
    key: int  # for the agent's chance: the same decision always has the same key

    def say(self, action: int) -> str:
        return self.game.say(self.state, action)


def make_python_agent(choose: Callable[[View], int], game: Game, name: str = "") -> Agent:
    """An agent that asks a Python function:

    `play_batch(variant, [make_python_agent(mine, variant.game), find_agent("greedy")], ...)`
    """
    label = name or getattr(choose, "__name__", PYTHON)

    def ask(state: Any, actions: Any, n: int, key: int, agent: Any, scratch: Any) -> int:
        legal = tuple(int(action) for action in actions[:n])
        action = int(choose(make_view(game, state, legal, int(key))))
        if action not in legal:
            names = ", ".join(map(str, legal))
            raise InvalidInput(f"the agent {label} chose {action}, which is not legal; legal are: {names}")
        return action

    agent_type = AgentType(name=PYTHON, choose=ask, description="asks a Python function")
    return Agent(agent_type=agent_type, name=label, values={})


def make_view(game: Game, state: Any, legal: tuple[int, ...], key: int) -> View:
    """A resampled copy of a position, for the seat to act."""
    copy = state.copy()
    bind_engine(game, (), False)[protocol.rekey_and_resample](copy, int(state.actor), key)
    return View(game, copy, int(state.actor), legal, key)
