"""Agents: whatever chooses an action for a seat. How people write them, and which there are.

An agent is handed the true state, but looks ahead only on imagined ones, and its chance comes only from its key. It returns the
chosen action. It is never asked when there is nothing to choose. The functions themselves: `greedy.py`, `search.py`.
"""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boardgames.agents.greedy import NOISE, PLACES, at_random, greedy
from boardgames.agents.scratch import Needs
from boardgames.agents.search import REALS, TRIALS, flat_monte_carlo, tree_search
from boardgames.errors import BadInput, unknown
from boardgames.game import spec as specs
from boardgames.game.game import Game
from boardgames.game.parameters import Choice, Names, Number, Parameter, Share
from boardgames.game.plugins import installed, plugged_in
from boardgames.rules.rulecode import Function

GROUP = "boardgames.agents"
QUICK = ("random", "greedy")  # families that are quick enough without the compiler
NUMBERS = 16  # places in the row of numbers that an agent is handed: its slot, its row at the desk, its family's numbers


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
    """A family with all its numbers, under the restrictions of its spec or style."""

    family: Family
    name: str
    values: Mapping[str, Any]
    forbidden: tuple[int, ...] = ()  # actions it never takes, if it can help it
    forced: tuple[int, ...] = ()  # actions it takes whenever it can
    prizes: tuple[int, ...] = ()  # what each tally is worth to it beside the outlook

    @property
    def special(self) -> bool:
        """Whether it has a row of its own at the desk."""
        return bool(self.forbidden or self.forced or any(self.prizes))

    def row(self, slot: int, place: int, game: Game) -> list[int]:
        """What the compiled function reads: its slot, its row at the desk (0 = none), then its family's numbers."""
        numbers = [slot, 1 + place if self.special else 0, *self.family.numbers(self.values, game)]
        return numbers + [0] * (NUMBERS - len(numbers))

    def needs(self, game: Game) -> Needs:
        return self.family.needs(self.values, game)


RESTRICTIONS = (
    Names("forbid", (), "groups of actions it never chooses while another is legal"),
    Names("force", (), "groups of actions it chooses from whenever one is legal"),
)


WIDEST = 100_000
AIM = Choice("aim", "win", "what it tries to get: the win, or points", ("win", "score"))
TURNS = Number("turns", 2, "turns after which the outlook judges a playout; 0 = at its end, as always for points", 0, 1000)
PICKY = Number("picky", 8, "random actions of which a playout takes the best looking; 1 = just a random one", 1, 64)


def _mc_numbers(values: Mapping[str, Any], game: Game) -> list[int]:
    """Laid out as `search.py` says."""
    return [values["playouts"], AIM.choices.index(values["aim"]), 0, game.cap, -1 if game.low_wins else 1]


def _mcts_numbers(values: Mapping[str, Any], game: Game) -> list[int]:
    """Where a game has no outlook of its own, nothing says which actions look good: all are tried, and played out at random."""
    playouts, aim, _, *rest = _mc_numbers(values, game)
    widen, picky = (values["widen"], values["picky"]) if game.outlook else (WIDEST, 1)
    turns = values["turns"] if game.outlook and values["aim"] == "win" else 0
    return [playouts, aim, values["explore"], *rest, widen, picky, turns]


def _mcts_needs(values: Mapping[str, Any], game: Game) -> Needs:
    playouts = values["playouts"]
    return Needs(worlds=TRIALS + PLACES, depth=2, nodes=2 * playouts + 64, reals=REALS, logs=playouts + 2)


OURS = {
    family.name: family
    for family in (
        Family("random", at_random, "every legal action with equal chance"),
        Family(
            "greedy",
            greedy,
            "what looks best at the end of its own turn",
            (
                Number("worlds", 2, "imagined worlds it looks at", 1, 64),
                Share("noise", 0.0, "share of its choices that it makes at random"),
            ),
            needs=lambda values, game: Needs(worlds=PLACES + values["worlds"], depth=1),
            numbers=lambda values, game: [values["worlds"] if game.has_luck_or_secrets else 1, round(NOISE * values["noise"])],
        ),
        Family(
            "mc",
            flat_monte_carlo,
            "the action after which random play to the end goes best",
            (Number("playouts", 256, "random matches it plays in its head", 1, 1 << 20), AIM),
            "playouts",
            needs=lambda values, game: Needs(worlds=2, depth=1, reals=REALS + game.actions),
            numbers=_mc_numbers,
        ),
        Family(
            "mcts",
            tree_search,
            "search in a tree of what it can know, each iteration in another imagined world",
            (
                Number("playouts", 256, "iterations, each with an imagined world and a playout", 1, 1 << 20),
                AIM,
                TURNS,
                PICKY,
                Number("explore", 70, "how much it tries what it has tried little, in hundredths", 0, 1000),
                Number("widen", 30, "how soon it tries more than two actions, in hundredths of the root of visits", 0, WIDEST),
            ),
            "playouts",
            needs=_mcts_needs,
            numbers=_mcts_numbers,
        ),
    )
}


def families() -> list[str]:
    """The names of ours, then of those that other packages bring, not yet imported."""
    return [*OURS, *(name for name in installed(GROUP) if name not in OURS)]


@functools.cache
def find_family(name: str) -> Family:
    """Ours, or a plug-in's: a broken one troubles only those who name it."""
    if name in OURS:
        return OURS[name]
    family = plugged_in(name, GROUP)
    if not isinstance(family, Family) or family.name != name:
        raise BadInput(f"plug-in '{name}' is no boardgames.agents.agent.Family of that name")
    return family


def find_agent(spec: str, game: Game | None = None) -> Agent:
    """The agent that a spec names: `greedy`, `greedy+noise=0.1`, `mcts:256+forbid=cult-draw`; or a style of the game."""
    base, given = specs.split(spec.strip())
    styles = game.styles if game else {}
    style = styles.get(base)
    if style:
        of_style, usual_given = specs.split(style.agent)
        return _made(spec, base, of_style, {**usual_given, **given}, usual_given, game, style.prizes)
    return _made(spec, "", base, given, {}, game, {})


def _made(
    spec: str, style: str, base: str, given: Mapping[str, str], usual_given: Mapping[str, str], game: Game | None,
    prizes: Mapping[str, int],
) -> Agent:  # fmt: skip
    head, colon, budget = base.partition(":")
    known = families()
    if head not in known:
        raise unknown("agent", head, [*known, *(game.styles if game else {})])
    family = find_family(head)
    if colon and not family.main:
        raise BadInput(f"'{spec}': {head} takes no number after a colon")
    parameters = (*family.parameters, *RESTRICTIONS)
    main = {family.main: budget} if colon else {}
    usual = specs.checked(head, parameters, {**main, **usual_given}, ())
    values = specs.checked(head, parameters, {**main, **given}, ())
    base = style or (f"{head}:{values[family.main]}" if family.main else head)
    name = specs.write(base, [p for p in parameters if style or p.name != family.main], values, usual)
    tallies = tuple(prizes.get(tally, 0) for tally in game.tallies) if game else ()
    forbidden, forced = (_group(game, values.pop(kind)) for kind in ("forbid", "force"))
    return Agent(family, name, values, forbidden, forced, tallies if any(tallies) else ())


def _group(game: Game | None, names: Sequence[str]) -> tuple[int, ...]:
    """The actions of a game's groups."""
    for name in names:
        if game is None:
            raise BadInput(f"'{name}' is a group of actions: it means something only in a game")
        if name not in game.groups:
            raise unknown(f"group of actions in {game.name}", name, game.groups)
    return tuple(sorted({action for name in names for action in (game.groups[name] if game else ())}))


def find_line_up(spec: str, seats: int, game: Game | None = None) -> tuple[Agent, ...]:
    """`greedy` for all seats, or one agent for each: `greedy,random`."""
    agents = tuple(find_agent(part, game) for part in spec.split(","))
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
