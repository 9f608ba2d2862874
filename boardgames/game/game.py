"""The protocol on a page: a Game is a record, a handful of rule functions, and names for what they use.

The functions are described one by one in `boardgames.rules.protocol`; the laws they keep are tested by `boardgames check`.
"""

import functools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import BadInput
from boardgames.game.parameters import Parameter, Row
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, is_rule

MOST_SEATS = 8
MOST_TALLIES = 48
PHASES = 64  # an agent's chance is keyed by the phase, see engine.decision_key
HEADER = ("rules", "stream_key", "stream_step", "turn", "begun", "seats", "actor", "player", "phase", "end", "tally")


class BrokenGame(BadInput):
    """A game that does not keep the protocol: names the game, the field and the law."""


class Field(NamedTuple):
    """A part of the position and who may see it: "public", "own" (one row per seat, each seen by its seat) or "hidden"."""

    seen: str
    kind: str
    shape: tuple[int, ...]


def public(kind: str, *shape: int) -> Field:
    """A field that everybody sees. Kinds are NumPy's: "i2" unless there is a reason."""
    return Field("public", kind, shape)


def own(kind: str, *shape: int) -> Field:
    """A field with a row for each seat that only this seat sees: a hand. The first dimension is the seat."""
    return Field("own", kind, shape)


def hidden(kind: str, *shape: int) -> Field:
    """A field that nobody sees: a deck, a bag, face-down tiles."""
    return Field("hidden", kind, shape)


class House(NamedTuple):
    """A named variant of a game: the parameters it changes, and a sentence why one would play it."""

    values: Mapping[str, Any]
    why: str


class Style(NamedTuple):
    """A way of playing a game: an agent, what each tally is worth to it beside the outlook, and a sentence what it is for."""

    agent: str  # a spec: greedy, greedy+forbid=ruins
    why: str
    prizes: Mapping[str, int] = {}


Bounds = tuple[int, int] | Callable[[Any, int], tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Game:
    """One rulebook in code."""

    name: str
    players: Sequence[int]  # the player counts it is for, from 2 to 8
    actions: int  # actions are 0 .. actions - 1, whatever the parameters
    fields: Mapping[str, Field]  # the position, beside the header
    setup: Function
    legal: Function
    apply: Function
    standing: Function
    say: Callable[[Any, int], str]  # an action of the actor in words, distinct among the legal ones
    score: Function | None = None  # else standing
    outlook: Function | None = None  # else standing
    imagine: Function | None = None  # needed where something is own or hidden
    is_turn_uncertain: Function | None = None  # else always; checked by `boardgames check`
    about: str = ""
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, House] = field(default_factory=dict)
    streams: tuple[str, ...] = ()  # one per source of chance; the state's streams have the same order
    ends: tuple[str, ...] = ("end",)  # why a match can end; state.end is 1 + the place here
    tallies: tuple[str, ...] = ()  # counters the rules keep in state.tally[seat, place here]
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)  # named groups of actions
    styles: Mapping[str, Style] = field(default_factory=dict)  # agents of its own, by name
    census: Callable[[Any], Mapping[str, int]] | None = None  # what is conserved: {"cards": 60}
    scores: Bounds = (-(2**31), 2**31 - 1)  # no score is ever outside; or a function of (rules, seats)
    turns: Bounds = (1, 2**31 - 1)  # likewise for the length in turns
    cap: int = 10_000  # decisions after which a match is cut off
    refuse: Callable[[Any, int], str] | None = None  # why a mix of parameters cannot be played; "" if it can
    low_wins: bool = False
    draw: Callable[[Any, int | None], str] | None = None  # a position as an SVG picture: all of it, or what one seat sees
    reconstructed: Mapping[str, str] = field(default_factory=dict)  # what no source documents: {part: what we chose and why}
    fill_in: Callable[[random.Random], Mapping[str, Any]] | None = None  # one plausible choice of values for all of that

    def __post_init__(self) -> None:
        for where, law in broken(self):
            raise BrokenGame(f"game {self.name!r}, {where}: {law}")

    @property
    def seats(self) -> int:
        """Rows in fields that have one per seat."""
        return max(self.players)

    @property
    def has_luck_or_secrets(self) -> bool:
        """Whether there is anything to imagine."""
        return bool(self.streams) or any(f.seen != "public" for f in self.fields.values())

    @functools.cached_property
    def rules(self) -> np.dtype[Any]:
        return record([row for parameter in self.parameters for row in parameter.rows(self.players)] or [("none", "i2")])

    @functools.cached_property
    def state(self) -> np.dtype[Any]:
        """The record: the common header, then the game's own fields."""
        streams, tallies = max(1, len(self.streams)), max(1, len(self.tallies))
        rows: list[Any] = [
            ("rules", self.rules),
            ("stream_key", "i8", (streams,)),
            ("stream_step", "i4", (streams,)),
            ("turn", "i4"),  # turns begun in the match
            ("begun", "i4", (self.seats,)),  # turns begun by each seat
            ("seats", "i2"),
            ("actor", "i2"),  # the seat to act
            ("player", "i2"),  # the seat whose turn it is
            ("phase", "i2"),
            ("end", "i2"),  # 0 = still on
            ("tally", "i2", (self.seats, tallies)),
        ]
        return record(rows + [(name, f.kind, self.shape(f)) for name, f in self.fields.items()])

    def shape(self, field: Field) -> tuple[int, ...]:
        return (self.seats, *field.shape) if field.seen == "own" else field.shape

    def functions(self) -> dict[str, Function]:
        """The rule functions by the name of their placeholder in `rules/protocol.py`, with what stands in for missing ones."""
        otherwise: dict[str, Function] = {
            "score": self.standing,
            "outlook": self.standing,
            "imagine": protocol.imagine,
            "is_turn_uncertain": protocol.is_turn_uncertain,
        }
        return {name: getattr(self, name) or otherwise[name] for name in RULE_FUNCTIONS}


RULE_FUNCTIONS = ("setup", "legal", "apply", "standing", "score", "outlook", "imagine", "is_turn_uncertain")
SPOKEN = ("say", "refuse", "census", "draw", "scores", "turns")  # what else of a game can be a function


def record(rows: Sequence[Row]) -> np.dtype[Any]:
    """A record type whose fields are read as attributes, compiled and plain.

    Wide fields come first and the tail is filled up by a field of its own: aligned, and without gaps, so that equal records have
    equal bytes.
    """
    ordered = sorted(rows, key=lambda row: -_alignment(np.dtype(row[1])))
    used = sum(np.dtype(row[1:] if len(row) == 3 else row[1]).itemsize for row in ordered)
    rest = [("_", "i2", (-used % 8 // 2,))] if used % 8 else []
    return np.dtype((np.record, np.dtype([*ordered, *rest], align=True)))


def _alignment(kind: np.dtype[Any]) -> int:
    """NumPy does not tell the alignment of a record in a record; ours are all multiples of 8 long, and come first."""
    return 8 if kind.fields else kind.alignment


def broken(game: Game) -> list[tuple[str, str]]:
    """Which declarations of a game break which law, before anything is played."""
    wrong = []
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", str(game.name)):
        wrong.append(("name", "a name is small letters, digits, - and _, beginning with a letter"))
    if not game.players or not all(2 <= n <= MOST_SEATS for n in game.players):
        wrong.append(("players", f"player counts are from 2 to {MOST_SEATS}"))
    if not isinstance(game.actions, int) or game.actions < 1:
        wrong.append(("actions", "the number of actions is a positive whole number"))
    wrong += [(name, "it is a function marked @rule") for name in RULE_FUNCTIONS if not is_rule(game.functions()[name])]
    if not callable(game.say):
        wrong.append(("say", "it is a function of (state, action) that returns words"))
    for name, names in [("streams", game.streams), ("ends", game.ends), ("tallies", game.tallies)]:
        if isinstance(names, str) or len(set(names)) != len(names):
            wrong.append((name, "it is a tuple of different names"))
    if len(game.tallies) > MOST_TALLIES:
        wrong.append(("tallies", f"there are at most {MOST_TALLIES}"))
    if not game.ends:
        wrong.append(("ends", "a match can end: name at least one reason"))
    return wrong + _broken_fields(game) + _broken_parameters(game)


def _broken_fields(game: Game) -> list[tuple[str, str]]:
    wrong = []
    for name, f in game.fields.items():
        if name in HEADER:
            wrong.append((f"field {name}", "the header has a field of this name already"))
        if not isinstance(f, Field) or f.seen not in ("public", "own", "hidden"):
            wrong.append((f"field {name}", 'it is declared with public("i2", ...), own(...) or hidden(...)'))
        elif not re.fullmatch(r"i[248]", f.kind):
            wrong.append(
                (
                    f"field {name}",
                    f"its kind is i2, i4 or i8, not {f.kind}: small and unsigned numbers overflow differently compiled and plain",
                )
            )
    secret = any(isinstance(f, Field) and f.seen != "public" for f in game.fields.values())
    if secret and game.imagine is None:
        wrong.append(("imagine", "a game with own or hidden fields says how to re-deal them"))
    for name, group in game.groups.items():
        if any(not 0 <= action < game.actions for action in group):
            wrong.append((f"group {name}", f"its actions are from 0 to {game.actions - 1}"))
    for name, style in game.styles.items():
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            wrong.append((f"style {name}", "a name is small letters, digits, - and _, beginning with a letter"))
        wrong += [(f"style {name}", f"it prizes {tally}, which is no tally") for tally in style.prizes if tally not in game.tallies]
    return wrong


def _broken_parameters(game: Game) -> list[tuple[str, str]]:
    wrong = []
    known = [parameter.name for parameter in game.parameters]
    if len(set(known)) != len(known):
        wrong.append(("parameters", "each name once"))
    for parameter in game.parameters:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", parameter.name) or parameter.name in ("base", "why"):
            wrong.append((f"parameter {parameter.name}", "a name is small letters, digits and _, and neither base nor why"))
        wrong += _unreadable(f"parameter {parameter.name}", parameter, parameter.default, game)
    for house, (values, _) in game.variants.items():
        for name, value in values.items():
            if name not in known:
                wrong.append((f"variant {house}", f"it sets {name}, which is no parameter of this game"))
            else:
                wrong += _unreadable(f"variant {house}", game.parameters[known.index(name)], value, game)
    return wrong


def _unreadable(where: str, parameter: Parameter, value: Any, game: Game) -> list[tuple[str, str]]:
    """A default or a variant's value that the parameter itself would refuse."""
    low, high = getattr(parameter, "low", 0), getattr(parameter, "high", 0)
    if low > high or max(-low, high) >= 2**31:
        return [(where, f"its range {low} to {high} is empty or does not fit in 32 bits")]
    try:
        parameter.read(value, game.players)
    except BadInput as error:
        return [(where, str(error))]
    return []
