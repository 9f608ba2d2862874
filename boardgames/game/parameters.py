"""The parameters of a rulebook: each with its type, default, allowed range and one sentence.

A parameter's value lives in `state.rules` under its own name. All are whole numbers there, so that a million variants need no
recompiling. In a spec a value is written as text: `hand_size=6`, `goal_pays=no`, `wishing=-4/-3/2/3/6/10`, `board=my.toml`.
"""

import hashlib
import json
import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.errors import BadInput
from boardgames.files import read_file

Row = tuple[str, str] | tuple[str, str, Any]


@dataclass(frozen=True)
class Parameter:
    """What all parameters have. A value is kept in the form that `read` gives, and filled into the record by `fill`."""

    name: str
    default: Any
    sentence: str

    def rows(self, players: Sequence[int]) -> list[Row]:
        """The fields it has in the rules record."""
        return [(self.name, "i4")]

    def read(self, value: Any, players: Sequence[int]) -> Any:
        """A checked value, from text in a spec or from a value in a TOML file."""
        raise NotImplementedError

    def fill(self, rules: Any, value: Any, seats: int, players: Sequence[int]) -> None:
        rules[self.name] = value

    def write(self, value: Any) -> str:
        """The value as one writes it in a spec."""
        return str(value)

    def names_file(self, value: Any) -> bool:
        """Whether the value is the name of a file, which is read for it."""
        return False

    def without_file(self, value: Any) -> Any:
        """The value with what is in its file in place of the file's name, for another machine."""
        return value

    def allowed(self) -> str:
        raise NotImplementedError

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[Any]:
        """Values to try in the conformance check: the edges, and some from between."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """What it is, for programs."""
        more = {name: getattr(self, name) for name in ("low", "high", "choices") if hasattr(self, name)}
        kind = type(self).__name__.lower()
        told = {"name": self.name, "kind": kind, "default": self.write(self.default), "allowed": self.allowed()}
        return {**told, "sentence": self.sentence, **more}

    def refusal(self, value: Any) -> BadInput:
        return BadInput(f"{self.name}={value} is not possible: {self.name} is {self.allowed()} ({self.sentence})")


@dataclass(frozen=True)
class Number(Parameter):
    """A whole number between two bounds."""

    low: int = 0
    high: int = 100

    def read(self, value: Any, players: Sequence[int]) -> Any:
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise self.refusal(value) from None
        if isinstance(value, (bool, float)) or not self.low <= number <= self.high:
            raise self.refusal(value)
        return number

    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[Any]:
        near = {value for value in (self.default - 1, self.default + 1) if self.low <= value <= self.high}
        return sorted(near | {self.low, self.high, chance.randint(self.low, self.high), chance.randint(self.low, self.high)})


@dataclass(frozen=True)
class Switch(Parameter):
    """On or off."""

    def read(self, value: Any, players: Sequence[int]) -> bool:
        words = {"yes": True, "on": True, "true": True, "1": True, "no": False, "off": False, "false": False, "0": False}
        if str(value).lower() not in words:
            raise self.refusal(value)
        return words[str(value).lower()]

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def allowed(self) -> str:
        return "yes or no"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[bool]:
        return [False, True]


@dataclass(frozen=True)
class Choice(Parameter):
    """One of several words; in the record it is the word's place in the list."""

    choices: tuple[str, ...] = ()

    def read(self, value: Any, players: Sequence[int]) -> str:
        if value not in self.choices:
            raise self.refusal(value)
        return str(value)

    def fill(self, rules: Any, value: Any, seats: int, players: Sequence[int]) -> None:
        rules[self.name] = self.choices.index(value)

    def allowed(self) -> str:
        return f"one of {', '.join(self.choices)}"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[str]:
        return list(self.choices)


@dataclass(frozen=True)
class Share(Parameter):
    """A part of the whole, from 0 to 1; in a record, in ten-thousandths."""

    def read(self, value: Any, players: Sequence[int]) -> float:
        try:
            share = round(float(value), 4)
        except (TypeError, ValueError):
            raise self.refusal(value) from None
        if isinstance(value, bool) or not 0 <= share <= 1:
            raise self.refusal(value)
        return share

    def fill(self, rules: Any, value: Any, seats: int, players: Sequence[int]) -> None:
        rules[self.name] = round(10_000 * value)

    def write(self, value: Any) -> str:
        return f"{value:g}"

    def allowed(self) -> str:
        return "a number from 0 to 1, with up to four digits behind the point"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[Any]:
        return [0.0, 1.0, round(chance.random(), 4)]


@dataclass(frozen=True)
class Names(Parameter):
    """Any number of names, written a/b/c; what they name is for the owner to say."""

    def read(self, value: Any, players: Sequence[int]) -> tuple[str, ...]:
        return tuple(filter(None, value.split("/"))) if isinstance(value, str) else tuple(value)

    def write(self, value: Any) -> str:
        return "/".join(value)

    def allowed(self) -> str:
        return "names, separated by /"


@dataclass(frozen=True)
class List(Number):
    """As many numbers as the default has."""

    def rows(self, players: Sequence[int]) -> list[Row]:
        return [(self.name, "i4", (self.length(players),))]

    def length(self, players: Sequence[int]) -> int:
        return len(self.default)

    def read(self, value: Any, players: Sequence[int]) -> tuple[int, ...]:
        parts = value.split("/") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)) or len(parts) != self.length(players):
            raise self.refusal(value)
        return tuple(super(List, self).read(part, players) for part in parts)

    def write(self, value: Any) -> str:
        return "/".join(map(str, value))

    def allowed(self) -> str:
        return f"{len(self.default)} whole numbers from {self.low} to {self.high}, written {self.write(self.default)}"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[tuple[int, ...]]:
        n = self.length(players)
        drawn = tuple(chance.randint(self.low, self.high) for _ in range(n))
        return [(self.low,) * n, (self.high,) * n, drawn]


@dataclass(frozen=True)
class PerSeat(List):
    """A number for each seat, seat 1 first. One number alone stands for all seats."""

    each = "seat"

    def length(self, players: Sequence[int]) -> int:
        return max(players)

    def read(self, value: Any, players: Sequence[int]) -> tuple[int, ...]:
        n = self.length(players)
        parts = value.split("/") if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else [value]
        if len(parts) not in (1, n):
            raise self.wrong_length([str(part) for part in parts], n)
        return super().read(parts * n if len(parts) == 1 else parts, players)

    def wrong_length(self, parts: list[str], n: int) -> BadInput:
        """What to type instead: the same values, and the default for those that are missing."""
        usual = [self.default] * n if isinstance(self.default, int) else self.default
        example = "/".join([*parts, *map(str, usual[len(parts) :])][:n])
        return BadInput(
            f"{self.name}={'/'.join(parts)} has {len(parts)} values, but {self.name} takes {n}, one for each {self.each}, "
            f"or a single one for all: {self.name}={example} ({self.sentence})"
        )

    def write(self, value: Any) -> str:
        values = (value,) if isinstance(value, int) else tuple(value)
        return super().write(values[:1] if len(set(values)) == 1 else values)

    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high} for each {self.each}, separated by /, or one for all"


@dataclass(frozen=True)
class PerPlayers(PerSeat):
    """A number for each player count, the smallest count first. The record holds the one in force."""

    each = "player count"

    def rows(self, players: Sequence[int]) -> list[Row]:
        return [(self.name, "i4")]

    def length(self, players: Sequence[int]) -> int:
        return len(players)

    def fill(self, rules: Any, value: Any, seats: int, players: Sequence[int]) -> None:
        rules[self.name] = value[list(players).index(seats)]


@dataclass(frozen=True)
class Board(Parameter):
    """Numbers printed on a board: one of the game's named boards, or a designer's own TOML file.

    `read_board(table)` turns a table into values for the fields, and raises ValueError saying what is wrong with which place.
    From Python and in TOML files a board may also be given as the table itself.
    """

    boards: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    read_board: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def rows(self, players: Sequence[int]) -> list[Row]:
        return [(name, kind, shape) for name, (kind, shape) in self.fields.items()]

    def read(self, value: Any, players: Sequence[int]) -> Any:
        if not isinstance(value, Mapping) and value not in self.boards and not self.names_file(value):
            raise self.refusal(value)
        self.table(value)
        return value

    def table(self, value: Any) -> Mapping[str, Any]:
        """The fields' values. A mistake in a board names the board, the place and the reason."""
        try:
            return self._checked(self.read_board(self._found(value)))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadInput(f"{value} is not a TOML file: {error}") from None
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            raise BadInput(f"board {self.write(value)}: {error}") from None
        except KeyError as error:
            raise BadInput(f"board {self.write(value)}: {error} is missing") from None

    def _checked(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """Exactly the declared fields, each of whole numbers in its shape."""
        for name in [*self.fields, *table]:
            if name not in table or name not in self.fields:
                raise ValueError(f"{name} is {'missing' if name in self.fields else 'not a field of this board'}")
        for name, (kind, shape) in self.fields.items():
            numbers, limits = np.asarray(table[name]), np.iinfo(kind)
            if numbers.dtype.kind not in "iu" or numbers.shape != tuple(np.atleast_1d(shape)):
                raise ValueError(f"{name} is {shape} whole numbers, not {table[name]!r}")
            if numbers.min() < limits.min or numbers.max() > limits.max:
                raise ValueError(f"{name} has numbers that are too large")
        return table

    def _found(self, value: Any) -> Mapping[str, Any]:
        if isinstance(value, Mapping):
            return value
        return self.boards[value] if value in self.boards else tomllib.loads(read_file(Path(value)))

    def names_file(self, value: Any) -> bool:
        return not isinstance(value, Mapping) and value not in self.boards and str(value).endswith(".toml")

    def without_file(self, value: Any) -> Any:
        return dict(self._found(value)) if self.names_file(value) else value

    def write(self, value: Any) -> str:
        """A board given as a table is named after its content."""
        if not isinstance(value, Mapping):
            return str(value)
        return f"({hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()})"

    def fill(self, rules: Any, value: Any, seats: int, players: Sequence[int]) -> None:
        for name, numbers in self.table(value).items():
            rules[name] = np.asarray(numbers)

    def allowed(self) -> str:
        return f"one of {', '.join(self.boards)}, or a TOML file of your own"

    def samples(self, chance: random.Random, players: Sequence[int]) -> list[str]:
        return list(self.boards)
