"""Line-ups, one agent per seat as typed, and which agent has which seat in each match of a deal."""

import itertools
from collections.abc import Callable, Mapping, Sequence

from boardgames.agents.agent import Agent, find_agent
from boardgames.agents.python_agent import PYTHON, make_python_agent
from boardgames.errors import InvalidInput
from boardgames.game.game import Game

Choose = Callable[..., int]  # an agent written in Python, which takes a View
LineUp = Agent | str | Choose | Sequence[Agent | str | Choose]  # one agent for all seats, or one for each


def find_line_up(line_up: LineUp, players: int, game: Game | None = None) -> tuple[Agent, ...]:
    """`greedy` for all seats, or one agent for each: `greedy,random`. Python functions need a game."""
    if isinstance(line_up, str):
        line_up = line_up.split(",")
    named = line_up if isinstance(line_up, Sequence) else [line_up]
    made = _make_python_agents(named, game)
    agents = tuple(_find_one(agent, game, made) for agent in named)
    if len(agents) not in (1, players):
        names = ",".join(agent.name for agent in agents)
        advice = "name one for all, or one for each seat"
        raise InvalidInput(f"'{names}' names {len(agents)} agents for {players} seats; {advice}")
    return agents * players if len(agents) == 1 else agents


def _find_one(agent: Agent | str | Choose, game: Game | None, made: Mapping[int, Agent]) -> Agent:
    if isinstance(agent, Agent):
        return agent
    return made[id(agent)] if id(agent) in made else find_agent(agent, game)  # type: ignore[arg-type]


def _make_python_agents(named: Sequence[Agent | str | Choose], game: Game | None) -> dict[int, Agent]:
    """An agent for each Python function, by its id; functions of one name are numbered."""
    if game is None:
        return {}
    functions = {id(choose): choose for choose in named if callable(choose)}
    names = [getattr(choose, "__name__", PYTHON) for choose in functions.values()]
    made: dict[int, Agent] = {}
    for number, (key, name) in enumerate(zip(functions, names, strict=True), 1):
        label = name if names.count(name) == 1 else f"{name} {number}"
        made[key] = make_python_agent(functions[key], game, label)
    return made


def list_seatings(line_up: Sequence[Agent]) -> list[tuple[int, ...]]:
    """The seatings of a line-up that a deal plays: for each seat, the index of its agent in the line-up.

    Seating 0 is the line-up as typed. Together they are balanced for the seat and, up to five players, for
    the neighbour on the left. Equal agents make equal seatings, which are played once.
    """
    orders: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in _make_balanced_orders(len(line_up)):
        orders.setdefault(tuple(line_up[index].name for index in order), order)
    return list(orders.values())


def _make_balanced_orders(n: int) -> list[tuple[int, ...]]:
    """All orders for 2 to 4 players (nothing smaller is balanced for 4); the circles i -> k*i mod 5 for 5;
    one circle for more.
    """
    if n <= 4:
        return list(itertools.permutations(range(n)))
    circles = range(1, n) if n == 5 else [1]
    return [tuple((k * (i + shift)) % n for i in range(n)) for k in circles for shift in range(n)]
