"""Line-ups, one agent per seat as typed, and which agent has which seat in each match of a deal."""

import itertools
from collections.abc import Sequence

from boardgames.agents.agent import Agent, find_agent
from boardgames.errors import InvalidInput
from boardgames.game.game import Game


def find_line_up(spec: str, players: int, game: Game | None = None) -> tuple[Agent, ...]:
    """`greedy` for all seats, or one agent for each: `greedy,random`."""
    agents = tuple(find_agent(part, game) for part in spec.split(","))
    if len(agents) not in (1, players):
        raise InvalidInput(
            f"'{spec}' names {len(agents)} agents for {players} seats; name one for all, or one for each seat"
        )
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
