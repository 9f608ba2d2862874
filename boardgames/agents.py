"""Agents: whatever chooses an action for a seat. Compiled ones here; each works for every game that keeps the protocol.

An agent is handed the true state, but looks ahead only on imagined ones, and its chance comes only from its key. It returns the
chosen action. It is never asked when there is nothing to choose.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boardgames import specs
from boardgames.chance import fold, number
from boardgames.errors import BadInput, unknown
from boardgames.game import Game
from boardgames.parameters import Number, Parameter
from boardgames.protocol import apply, imagined, legal, outlook, standing
from boardgames.rulecode import Function, rule

NUMBERS = 16  # parameters an agent can have; the row of numbers it is handed begins with its slot
WIN = 1 << 40  # worth more than any outlook
TURN_STEPS = 64  # decisions after which a look ahead gives up on the end of the turn


class Desk(NamedTuple):
    """Scratch memory of one worker, allocated once: agents and the engine write here, never into memory of their own."""

    worlds: np.ndarray[Any, Any]  # states
    actions: np.ndarray[Any, Any]  # rows of legal actions: row 0 is the choice at hand, deeper rows are for looking ahead
    numbers: np.ndarray[Any, Any]
    reals: np.ndarray[Any, Any]
    keys: np.ndarray[Any, Any]  # where each seat's chance comes from in this match
    asked: np.ndarray[Any, Any]  # decisions by seat and phase in the seat's present turn
    turn_of: np.ndarray[Any, Any]  # the turn that count belongs to
    outlooks: np.ndarray[Any, Any]  # by lap and seat
    scores: np.ndarray[Any, Any]


class Needs(NamedTuple):
    """How much scratch memory an agent asks for."""

    worlds: int = 0
    depth: int = 0
    numbers: int = 0
    reals: int = 0


# ---- the agents


@rule
def at_random(state, actions, n, key, agent, desk):
    """Every legal action with equal chance."""
    return actions[number(key, 0, n)]


@rule
def greedy(state, actions, n, key, agent, desk):
    """What looks best at the end of its own turn, on a few imagined worlds that all candidates share."""
    me, worlds = state.actor, agent[1]
    for world in range(worlds):
        desk.worlds[2 + world] = state
        imagined(desk.worlds[2 + world], me, fold(key, 1 + world))
    best, ties, chosen = np.int64(-WIN * worlds - 1), 0, actions[0]
    for i in range(n):
        value = np.int64(0)
        for world in range(worlds):
            desk.worlds[0] = desk.worlds[2 + world]
            trial = desk.worlds[0]
            apply(trial, actions[i])
            finish_turn(trial, state.turn, me, fold(key, 1 + world), desk)
            value += worth(trial, me)
        if value > best:
            best, ties, chosen = value, 1, actions[i]
        elif value == best:
            ties += 1
            if number(key, ties, ties) == 0:
                chosen = actions[i]
    return chosen


@rule
def finish_turn(trial, turn, me, key, desk):
    """Play on to the end of the turn: its own choices by their immediate worth, those of others at random."""
    actions = desk.actions[1]
    for step in range(TURN_STEPS):
        if trial.end != 0 or trial.turn != turn:
            return
        n = legal(trial, actions)
        if n == 1:
            apply(trial, actions[0])
        elif trial.actor == me:
            apply(trial, actions[best_now(trial, actions, n, me, desk)])
        else:
            apply(trial, actions[number(key, step, n)])


@rule
def best_now(trial, actions, n, me, desk):
    """The place of the action after which the position is worth most, without looking further."""
    best, place = np.int64(-WIN - 1), 0
    for i in range(n):
        desk.worlds[1] = trial
        apply(desk.worlds[1], actions[i])
        value = worth(desk.worlds[1], me)
        if value > best:
            best, place = value, i
    return place


@rule
def worth(state, me):
    """The outlook while the match is on; at its end only winning counts, and a shared win is a part of one."""
    if state.end == 0:
        return np.int64(outlook(state, me))
    mine, sharing = standing(state, me), 0
    for seat in range(state.seats):
        theirs = standing(state, seat)
        if theirs > mine:
            return np.int64(-WIN)
        sharing += theirs == mine
    return np.int64(WIN // sharing)


# ---- agents as people write them


@dataclass(frozen=True)
class Family:
    """A kind of agent: its rule function, its parameters, and the memory it needs."""

    name: str
    choose: Function
    sentence: str
    parameters: tuple[Parameter, ...] = ()
    main: str = ""  # the parameter written after the colon: mcts:256
    needs: Callable[[Mapping[str, Any], Game], Needs] = lambda values, game: Needs()
    numbers: Callable[[Mapping[str, Any], Game], list[int]] = lambda values, game: [int(value) for value in values.values()]


@dataclass(frozen=True)
class Agent:
    family: Family
    name: str
    values: Mapping[str, Any]

    def row(self, slot: int, game: Game) -> list[int]:
        """What the compiled function reads: its slot in the line-up, then its family's numbers, mostly the parameters."""
        numbers = [slot, *self.family.numbers(self.values, game)]
        return numbers + [0] * (NUMBERS - len(numbers))

    def needs(self, game: Game) -> Needs:
        return self.family.needs(self.values, game)


FAMILIES = {
    family.name: family
    for family in [
        Family("random", at_random, "every legal action with equal chance"),
        Family(
            "greedy",
            greedy,
            "what looks best at the end of its own turn",
            (Number("worlds", 2, "imagined worlds it looks at", 1, 64),),
            needs=lambda values, game: Needs(worlds=2 + values["worlds"], depth=1),
            numbers=lambda values, game: [values["worlds"] if game.has_luck_or_secrets else 1],
        ),
    ]
}


def find_agent(spec: str) -> Agent:
    """The agent that a spec names: `greedy`, `greedy+worlds=4`, `mcts:256`."""
    base, given = specs.split(spec.strip())
    head, colon, budget = base.partition(":")
    if head not in FAMILIES:
        raise unknown("agent", head, FAMILIES)
    family = FAMILIES[head]
    if colon and not family.main:
        raise BadInput(f"'{spec}': {head} takes no number after a colon")
    usual = specs.checked(head, family.parameters, {}, ())
    values = specs.checked(head, family.parameters, {**({family.main: budget} if colon else {}), **given}, ())
    base = f"{head}:{values[family.main]}" if family.main else head
    named = [p for p in family.parameters if p.name != family.main]
    return Agent(family, specs.write(base, named, values, usual), values)


def find_line_up(spec: str, seats: int) -> tuple[Agent, ...]:
    """`greedy` for all seats, or one agent for each: `greedy,random`."""
    agents = tuple(find_agent(part) for part in spec.split(","))
    if len(agents) not in (1, seats):
        raise BadInput(f"'{spec}' names {len(agents)} agents for {seats} seats; name one for all, or one for each seat")
    return agents * seats if len(agents) == 1 else agents


def arrangements(line_up: Sequence[Agent]) -> list[tuple[int, ...]]:
    """The seatings of a line-up that a block plays: for each, the line-up's place that sits in each seat.

    Arrangement 0 is the line-up as typed. Together they are balanced for the seat and, up to five seats, for the neighbour on the
    left. Equal agents make equal seatings, which are played once.
    """
    kept: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in _balanced(len(line_up)):
        kept.setdefault(tuple(line_up[place].name for place in order), order)
    return list(kept.values())


def _balanced(n: int) -> list[tuple[int, ...]]:
    """All orders for 2 to 4 seats (nothing smaller is balanced for 4); for 5, the circles i -> k*i mod 5; else the one circle."""
    if n <= 4:
        return list(itertools.permutations(range(n)))
    circles = range(1, n) if n == 5 else [1]
    return [tuple((k * (i + turned)) % n for i in range(n)) for k in circles for turned in range(n)]
