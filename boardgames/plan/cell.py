"""A cell: one variant, player count and line-up, on the luck of one master seed."""

import functools
import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgames.agents.agent import Agent
from boardgames.agents.earlier_code import EARLIER_DIGESTS
from boardgames.agents.python_agent import make_nameless_error
from boardgames.agents.seating import list_seatings
from boardgames.game.game import Game
from boardgames.game.variant import Variant
from boardgames.plan.values import agent_by_seat
from boardgames.play.batch import Runner, make_runner, read_seed
from boardgames.play.engine import ENGINE_VERSION
from boardgames.rules.rulecode import digest_rules, is_rule


def hash63(*parts: Any) -> int:
    """A stable id: the same on every machine and in every file."""
    return int.from_bytes(hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).digest(), "big") >> 1


def fingerprint_agent(agent: Agent) -> str:
    """What runs when it chooses: its code, its numbers and its nets. A person, or a Python function in no
    file, is only known by name.
    """
    python = agent.agent_type.python
    if not is_rule(agent.agent_type.choose) and python is None:
        return f"{hash63(agent.agent_type.name, agent.name):016x}"
    limits = [agent.forbidden, agent.forced, agent.prizes] if agent.has_own_row else []
    nets = [agent.player.digest] if agent.player else []
    code = python.fingerprint if python else _digest_choice(agent.agent_type.choose)
    values = list(agent.values.items())
    return f"{hash63(EARLIER_DIGESTS.get(code, code), values, *limits, *nets):016x}"


@functools.lru_cache(maxsize=256)  # every cell of a plan asks about the same few agents
def _digest_choice(choose: Callable[..., Any]) -> str:
    return digest_rules([choose])


@dataclass(frozen=True)
class PlannedCell:
    """One variant, player count and line-up, on the luck of one master seed.

    Its deals are played in every seating of the line-up; without `rotate_seats` only as seated, because
    people, and Python functions, do not play all seatings.
    """

    variant: Variant
    line_up: tuple[Agent, ...]
    seed: int
    rotate_seats: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", read_seed(self.seed))
        for agent in self.line_up:
            can_play = is_rule(agent.agent_type.choose) or agent.agent_type.python
            if self.rotate_seats and not can_play:
                raise make_nameless_error(agent.name)

    @functools.cached_property
    def id(self) -> int:
        """The same in every file and on every machine."""
        agents = [(agent.name, fingerprint_agent(agent)) for agent in self.line_up]
        kind = [] if self.rotate_seats else ["as seated"]
        return hash63(*kind, self.variant.name, self.variant.fingerprint(), ENGINE_VERSION, agents, self.seed)

    @property
    def game(self) -> Game:
        return self.variant.game

    @property
    def players(self) -> int:
        return len(self.line_up)

    def format_line_up(self) -> str:
        """`greedy` for a line-up of equals, else one name per seat."""
        names = [agent.name for agent in self.line_up]
        return names[0] if len(set(names)) == 1 else ",".join(names)

    @functools.cached_property
    def seatings(self) -> np.ndarray[Any, Any]:
        """For each seating and seat, the slot in the line-up. Nothing is compiled to know them."""
        orders = list_seatings(self.line_up) if self.rotate_seats else [range(self.players)]
        return np.array(orders, np.int64)

    @property
    def seating_count(self) -> int:
        """The matches of one deal."""
        return len(self.seatings)

    def count_deals(self, matches: int) -> int:
        """The whole deals that hold at least this many matches."""
        return math.ceil(matches / self.seating_count)

    @functools.cached_property
    def runner(self) -> Runner:
        if self.rotate_seats:
            return make_runner(self.variant, self.line_up, self.seed)
        return Runner(self.variant, self.line_up, self.seatings, {}, self.seed)

    @functools.cached_property
    def agents(self) -> np.ndarray[Any, Any]:
        return agent_by_seat([agent.name for agent in self.line_up], self.seatings)
