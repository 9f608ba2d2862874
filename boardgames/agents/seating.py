"""Line-ups, one agent per seat as typed, and which agent has which seat in each match of a deal."""

import itertools
from collections.abc import Sequence

from boardgames.agents.agent import Agent, find_agent
from boardgames.errors import InvalidInput
from boardgames.game.game import Game

LineUp = Agent | str | Sequence[Agent | str]  # one agent for all seats, or one for each


def find_line_up(line_up: LineUp, players: int, game: Game | None = None) -> tuple[Agent, ...]:
    """`greedy` for all seats, or one agent for each: `greedy,random`."""
    if isinstance(line_up, Agent | str):
        line_up = line_up.split(",") if isinstance(line_up, str) else [line_up]
    agents = tuple(find_agent(agent, game) if isinstance(agent, str) else agent for agent in line_up)
    if len(agents) not in (1, players):
        names = ",".join(agent.name for agent in agents)
        advice = "name one for all, or one for each seat"
        raise InvalidInput(f"'{names}' names {len(agents)} agents for {players} seats; {advice}")
    return agents * players if len(agents) == 1 else agents


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
