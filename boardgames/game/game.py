"""The protocol on a page: a Game is a record, a handful of rule functions, and names for what they use.

The functions are described one by one in `boardgames.rules.protocol`; the laws they keep are tested by
`boardgames check`.
"""

import functools
import keyword
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import BoardgamesError, PluginError
from boardgames.game.field import Field
from boardgames.game.parameters import Parameter, RecordField
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, is_rule

MAX_PLAYERS = 8
# what the platform does not do, with the page about it, which is not in the wheel
LIMITS = (
    f"games have 2 to {MAX_PLAYERS} seats; there are no solo games and no teams "
    '(in the source: docs/own_game/protocol.md, "Limits")'
)
# What a NumPy record has beside its fields: uncompiled, state.round would be its method, not the field.
RECORD_ATTRIBUTES = frozenset(name for name in dir(np.record) if not name.startswith("_"))
MAX_TALLIES = 48
MAX_PHASES = 64  # an agent's chance is keyed by the phase, see engine.make_decision_key
HEADER = (
    "rules",
    "stream_key",
    "stream_step",
    "turn",
    "begun",
    "players",
    "actor",
    "turn_owner",
    "phase",
    "end",
    "tally",
)


class BrokenGame(PluginError):
    """A game that breaks the protocol: names the game, the field and the law."""


class NamedVariant(NamedTuple):
    """A named variant of a game: the parameters it changes, and why to play it."""

    values: Mapping[str, Any]
    why: str


class Style(NamedTuple):
    """A way of playing a game: an agent, what it is for, and what each tally is worth to it beside the
    evaluation.
    """

    agent: str  # a spec: greedy, greedy+forbid=ruins
    why: str
    prizes: Mapping[str, int] = {}


Bounds = tuple[int, int] | Callable[[Any, int], tuple[int, int]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """One rulebook in code."""

    name: str
    player_counts: Sequence[int]  # the player counts it is for, from 2 to 8
    actions: int  # actions are 0 .. actions - 1, whatever the parameters
    fields: Mapping[str, Field]  # the position, beside the header
    setup: Function
    legal: Function
    apply: Function
    standing: Function
    say: Callable[[Any, int], str]  # an action of the actor in words, distinct among the legal ones
    score: Function | None = None  # else standing
    evaluate: Function | None = None  # else standing
    resample: Function | None = None  # needed where something is private or hidden
    is_turn_uncertain: Function | None = None  # else always; checked by `boardgames check`
    about: str = ""
    is_example: bool = False  # a tiny game to try things with; `list` shows it apart
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, NamedVariant] = field(default_factory=dict)
    streams: tuple[str, ...] = ()  # one per source of chance, in the order of the state's streams
    ends: tuple[str, ...] = ("end",)  # why a match can end; state.end is 1 + the index here
    tallies: tuple[str, ...] = ()  # counted by the rules in state.tally[seat, index here]
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)  # named groups of actions
    styles: Mapping[str, Style] = field(default_factory=dict)  # the game's own agents, by name
    census: Callable[[Any], Mapping[str, int]] | None = None  # what is conserved: {"cards": 60}
    scores: Bounds = (-(2**31), 2**31 - 1)  # no score is outside; or a function of (rules, players)
    turns: Bounds = (1, 2**31 - 1)  # likewise for the length in turns
    cap: int = 10_000  # decisions after which a match is cut off
    refuse: Callable[[Any, int], str | None] | None = None  # why a mix cannot be played; None if it can
    low_wins: bool = False
    is_cooperative: bool = False  # all seats always stand equal: they win together, by the score
    # a position as an SVG picture: all of it, or what one seat sees
    draw: Callable[[Any, int | None], str] | None = None
    # what lies on the table at the start: (state, seat) -> lines. Seat None is told everything; for a seat,
    # what it cannot see is zero in the positions that this and the next function get
    describe_setup: Callable[[Any, int | None], Sequence[str]] | None = None
    # what an action caused: (before, after, action, seat) -> lines, beside the words of the action
    describe_effects: Callable[[Any, Any, int, int | None], Sequence[str]] | None = None
    # who won and why, in a sentence: "Seat 2 wins: 2 amulets each, then 7 parts against 6."
    describe_result: Callable[[Any], str] | None = None
    # what no source documents: {part: what we chose and why}
    reconstructed: Mapping[str, str] = field(default_factory=dict)
    # its trained player, for the agent `learned`: a file that `boardgames train` has made
    learned: Path | None = None
    derived_from: tuple[str, ...] = ()  # the names of the games before it, see derive
    # the rules before names alone were changed or parameters added: see boardgames/game/earlier_rules.py
    earlier_rules: Path | None = None
    # one plausible choice of values for all of that
    fill_in: Callable[[random.Random], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        for where, law in find_violations(self):
            raise BrokenGame(f"game {self.name!r}, {where}: {law}")

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> Any:
        from boardgames.game.given import reduce_game

        return reduce_game(self)

    @property
    def most_players(self) -> int:
        """The largest player count: the number of rows in fields with one row per seat."""
        return max(self.player_counts)

    def has_points_of(self, other: "Game") -> bool:
        """Whether a point means the same in both: they are one game, or have a game that both come from."""
        return not {self.name, *self.derived_from}.isdisjoint({other.name, *other.derived_from})

    @property
    def has_luck_or_secrets(self) -> bool:
        """Whether there is anything to resample."""
        return bool(self.streams) or any(f.visibility != "public" for f in self.fields.values())

    @functools.cached_property
    def rules(self) -> np.dtype[Any]:
        return make_record_type(
            [row for parameter in self.parameters for row in parameter.list_fields(self.player_counts)]
            or [("none", "i2")]
        )

    @functools.cached_property
    def state(self) -> np.dtype[Any]:
        """The record: the common header, then the game's own fields."""
        streams = max(1, len(self.streams))
        tallies = max(1, len(self.tallies))
        rows: list[Any] = [
            ("rules", self.rules),
            ("stream_key", "i8", (streams,)),
            ("stream_step", "i4", (streams,)),
            ("turn", "i4"),  # turns begun in the match
            ("begun", "i4", (self.most_players,)),  # turns begun by each seat
            ("players", "i2"),
            ("actor", "i2"),  # the seat to act
            ("turn_owner", "i2"),  # the seat whose turn it is
            ("phase", "i2"),
            ("end", "i2"),  # 0 = still on
            ("tally", "i2", (self.most_players, tallies)),
        ]
        return make_record_type(
            rows + [(name, f.kind, self.field_shape(f)) for name, f in self.fields.items()]
        )

    def field_shape(self, field: Field) -> tuple[int, ...]:
        return (self.most_players, *field.shape) if field.visibility == "private" else field.shape

    def find_visible_part(self, name: str, seat: int | None) -> Any:
        """The part of a field that a seat sees, as an index: `...` for all of it, its own row, or None."""
        visibility = self.fields[name].visibility
        if seat is None or visibility == "public":
            return ...
        return seat if visibility == "private" else None

    def hide_unseen(self, state: Any, seat: int | None) -> Any:
        """A copy of a position in which everything is zero that a seat cannot see: hidden fields, the rows of
        the other seats in private ones, and the chance streams. Nothing is hidden from None.
        """
        copy = state.copy()
        if seat is None:
            return copy
        copy.stream_key[:] = 0
        copy.stream_step[:] = 0
        for name in self.fields:
            part = self.find_visible_part(name, seat)
            if part is ...:
                continue
            copy[name] = 0
            if part is not None:
                copy[name][part] = state[name][part]
        return copy

    def functions(self) -> dict[str, Function]:
        """The rule functions by the name of their placeholder in `rules/protocol.py`, with defaults for
        missing ones.
        """
        defaults: dict[str, Function] = {
            "score": self.standing,
            "evaluate": self.standing,
            "resample": protocol.resample,
            "is_turn_uncertain": protocol.is_turn_uncertain,
        }
        return {name: getattr(self, name) or defaults[name] for name in RULE_FUNCTIONS}


RULE_FUNCTIONS = ("setup", "legal", "apply", "standing", "score", "evaluate", "resample", "is_turn_uncertain")
OTHER_FUNCTIONS = (
    "say",
    "refuse",
    "census",
    "draw",
    "describe_setup",
    "describe_effects",
    "describe_result",
    "scores",
    "turns",
)  # what else in a game can be a function


def make_record_type(rows: Sequence[RecordField]) -> np.dtype[Any]:
    """A record type whose fields are read as attributes, compiled or not.

    Wide fields come first, and a last field fills up the tail: aligned and without gaps, so that equal
    records have equal bytes.
    """
    ordered = sorted(rows, key=lambda row: -_find_alignment(np.dtype(row[1])))
    used = sum(np.dtype(row[1:] if len(row) == 3 else row[1]).itemsize for row in ordered)
    padding = [("_", "i2", (-used % 8 // 2,))] if used % 8 else []
    return np.dtype((np.record, np.dtype([*ordered, *padding], align=True)))


def _find_alignment(kind: np.dtype[Any]) -> int:
    """The alignment of a field. NumPy does not know it for a record in a record; ours are multiples of 8
    long.
    """
    return 8 if kind.fields else kind.alignment


def find_violations(game: Game) -> list[tuple[str, str]]:
    """(declaration, law) for each declaration of a game that breaks a law."""
    violations = []
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", str(game.name)):
        violations.append(("name", "a name is small letters, digits, - and _, beginning with a letter"))
    if not game.player_counts or not all(2 <= n <= MAX_PLAYERS for n in game.player_counts):
        return [*violations, ("player_counts", LIMITS)]
    if not isinstance(game.actions, int) or game.actions < 1:
        violations.append(("actions", "the number of actions is a positive whole number"))
    violations += [
        (name, "it is a function marked @rule")
        for name in RULE_FUNCTIONS
        if not is_rule(game.functions()[name])
    ]
    if not callable(game.say):
        violations.append(("say", "it is a function of (state, action) that returns words"))
    for name, names in [("streams", game.streams), ("ends", game.ends), ("tallies", game.tallies)]:
        if isinstance(names, str) or len(set(names)) != len(names):
            violations.append((name, "it is a tuple of different names"))
    if len(game.tallies) > MAX_TALLIES:
        violations.append(("tallies", f"there are at most {MAX_TALLIES}"))
    if not game.ends:
        violations.append(("ends", "a match can end: name at least one reason"))
    return violations + _find_field_violations(game) + _find_parameter_violations(game)


def _find_field_violations(game: Game) -> list[tuple[str, str]]:
    violations = []
    for name, f in game.fields.items():
        if name in HEADER:
            violations.append((f"field {name}", "the header has a field of this name already"))
        violations += [(f"field {name}", law) for law in _find_name_violations(name)]
        if not isinstance(f, Field) or f.visibility not in ("public", "private", "hidden"):
            violations.append(
                (f"field {name}", 'it is declared with public("i2", ...), private(...) or hidden(...)')
            )
        elif not re.fullmatch(r"i[248]", f.kind):
            overflow = "small and unsigned numbers overflow differently compiled and plain"
            violations.append((f"field {name}", f"its kind is i2, i4 or i8, not {f.kind}: {overflow}"))
        else:
            violations += [(f"field {name}", law) for law in _find_meaning_violations(game, f)]
    has_secrets = any(isinstance(f, Field) and f.visibility != "public" for f in game.fields.values())
    if has_secrets and game.resample is None:
        violations.append(("resample", "a game with private or hidden fields says how to re-deal them"))
    for name, group in game.groups.items():
        if any(not 0 <= action < game.actions for action in group):
            violations.append((f"group {name}", f"its actions are from 0 to {game.actions - 1}"))
    for name, style in game.styles.items():
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            violations.append(
                (f"style {name}", "a name is small letters, digits, - and _, beginning with a letter")
            )
        violations += [
            (f"style {name}", f"it prizes {tally}, which is not a tally")
            for tally in style.prizes
            if tally not in game.tallies
        ]
    return violations


def _find_name_violations(name: str) -> list[str]:
    """What is wrong with the name of a field or a parameter, which rules read as state.NAME."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        return ["a name is a Python name that does not begin with _: rules read it as state.NAME"]
    if name in RECORD_ATTRIBUTES:
        taken = f"NumPy's records have an attribute `{name}`, which rules would read instead"
        return [f"{taken}; choose another name, such as current_{name}"]
    return []


def _find_meaning_violations(game: Game, field: Field) -> list[str]:
    """What is wrong with what a field's numbers are said to mean."""
    violations = []
    most_players = max(game.player_counts, default=0)
    if field.by_seat and field.visibility == "public" and field.shape[:1] != (most_players,):
        violations.append(f"by_seat: its first dimension is {most_players}, one row for each seat")
    if field.unordered and not field.shape:
        violations.append("unordered: a single number has no order")
    if field.bits and not 1 <= field.bits <= field.number_bits:
        violations.append(f"bits: a digit of {field.kind} has 1 to {field.number_bits} bits")
    if field.bits and field.first_seat is not None:
        violations.append("its numbers are digits or name seats, not both")
    return violations


def _find_parameter_violations(game: Game) -> list[tuple[str, str]]:
    violations = []
    names = [parameter.name for parameter in game.parameters]
    if len(set(names)) != len(names):
        violations.append(("parameters", "each name once"))
    for parameter in game.parameters:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", parameter.name) or parameter.name in ("base", "why"):
            violations.append(
                (
                    f"parameter {parameter.name}",
                    "a name is small letters, digits and _, and neither base nor why",
                )
            )
        where = f"parameter {parameter.name}"
        wrong_default = _find_value_violations(where, parameter, parameter.default, game)
        violations += wrong_default
        for name, *_ in [] if wrong_default else parameter.list_fields(game.player_counts):
            violations += [(where, law) for law in _find_name_violations(name)]
    for variant, (values, _) in game.variants.items():
        for name, value in values.items():
            if name not in names:
                violations.append(
                    (f"variant {variant}", f"it sets {name}, which is not a parameter of this game")
                )
            else:
                violations += _find_value_violations(
                    f"variant {variant}", game.parameters[names.index(name)], value, game
                )
    return violations


def _find_value_violations(where: str, parameter: Parameter, value: Any, game: Game) -> list[tuple[str, str]]:
    """What is wrong with a default or a variant's value, if anything."""
    low = getattr(parameter, "low", 0)
    high = getattr(parameter, "high", 0)
    if low > high or max(-low, high) >= 2**31:
        return [(where, f"its range {low} to {high} is empty or does not fit in 32 bits")]
    try:
        parameter.read(value, game.player_counts)
    except BoardgamesError as error:
        return [(where, str(error))]
    return []
