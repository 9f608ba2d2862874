"""The parameters of a rulebook: each with its type, default, allowed range and one sentence.

A parameter's value lives in `state.rules` under its own name. All are whole numbers there, so that a million
variants need no recompiling. In a spec a value is written as text: `hand_size=6`, `goal_pays=no`,
`wishing=-4/-3/2/3/6/10`, `board=my.toml`.
"""

import hashlib
import json
import math
import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import InvalidInput
from boardgames.files import read_file

RecordField = tuple[str, str] | tuple[str, str, Any]
MOST_STEPS = 4  # that a value moves either way, unless its range is given
SHARE_STEP = 0.05


class Axis(NamedTuple):
    """One thing that can move in a parameter: its value, or one entry of a list."""

    key: str  # the number of the entry, from 1; "" for the whole value
    values: tuple[Any, ...]  # the present one among them, in order if they have one
    present: int  # the index of the present value
    is_ordered: bool


def make_axis(key: str, values: Sequence[Any], present: Any, is_ordered: bool) -> Axis:
    """The axis of these values and the present one."""
    every = dict.fromkeys([*values, present])
    listed = tuple(sorted(every)) if is_ordered else tuple(every)
    return Axis(key, listed, listed.index(present), is_ordered)


@dataclass(frozen=True)
class Parameter:
    """What all parameters have in common. `read` returns a value, `fill` writes it into the record."""

    name: str
    default: Any
    description: str

    def list_fields(self, player_counts: Sequence[int]) -> list[RecordField]:
        """The fields it has in the rules record."""
        return [(self.name, "i4")]

    def read(self, value: Any, player_counts: Sequence[int]) -> Any:
        """The checked value, from text in a spec or from a value in a TOML file."""
        raise NotImplementedError

    def fill(self, rules: Any, value: Any, players: int, player_counts: Sequence[int]) -> None:
        rules[self.name] = value

    def write(self, value: Any) -> str:
        """The value as text in a spec."""
        return str(value)

    def is_file_name(self, value: Any) -> bool:
        """Whether the value is the name of a file, which is read for it."""
        return False

    def inline_file(self, value: Any) -> Any:
        """The value with the content of its file instead of the file's name, for another machine."""
        return value

    def describe_allowed(self) -> str:
        raise NotImplementedError

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[Any]:
        """Values to try in `check`: the limits, and some between them."""
        raise NotImplementedError

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        """What can move, and to which values near the present one; nothing if it cannot move by itself.
        `players` are the counts that are played: what only others use does not move.
        """
        return []

    def limit_axes(
        self, texts: Sequence[str], value: Any, players: Sequence[int], player_counts: Sequence[int]
    ) -> list[Axis]:
        """As `list_axes`, with the values that a person named."""
        return [make_axis("", [self.read(text, player_counts) for text in texts], value, is_ordered=False)]

    def move(self, value: Any, moved: Mapping[str, Any]) -> Any:
        """The value with some axes moved, by key."""
        return moved.get("", value)

    def count_steps(self, value: Any, other: Any) -> int:
        """How far another value is away."""
        return int(value != other)

    def describe(self) -> dict[str, Any]:
        """The parameter as data, for programs."""
        more = {name: getattr(self, name) for name in ("low", "high", "choices") if hasattr(self, name)}
        kind = type(self).__name__.lower()
        description = {
            "name": self.name,
            "kind": kind,
            "default": self.write(self.default),
            "allowed": self.describe_allowed(),
        }
        return {**description, "sentence": self.description, **more}

    def make_error(self, value: Any) -> InvalidInput:
        limits = re.fullmatch(r"(\d{1,9})-(\d{1,9})", str(value))
        hint = (
            f". A sweep takes all values of a range: {self.name}={limits[1]}..{limits[2]}" if limits else ""
        )
        return InvalidInput(
            f"{self.name}={value} is not possible: "
            f"{self.name} is {self.describe_allowed()} ({self.description}){hint}"
        )


@dataclass(frozen=True)
class Int(Parameter):
    """A whole number between two bounds."""

    low: int = 0
    high: int = 100

    def read(self, value: Any, player_counts: Sequence[int]) -> Any:
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise self.make_error(value) from None
        if isinstance(value, (bool, float)) or not self.low <= number <= self.high:
            raise self.make_error(value)
        return number

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        return [make_axis("", self._list_near(value), value, is_ordered=True)]

    def limit_axes(
        self, texts: Sequence[str], value: Any, players: Sequence[int], player_counts: Sequence[int]
    ) -> list[Axis]:
        return [make_axis("", [self.read(text, player_counts) for text in texts], value, is_ordered=True)]

    def count_steps(self, value: Any, other: Any) -> int:
        return -(-abs(other - value) // self._find_step(value))

    def _find_step(self, number: int) -> int:
        """One, or a tenth of a large number: 100 moves to 90 and 110."""
        return max(1, abs(number) // 10)

    def _list_near(self, number: int) -> list[int]:
        """The numbers a few steps away that are allowed."""
        step = self._find_step(number)
        near = (number + steps * step for steps in range(-MOST_STEPS, MOST_STEPS + 1))
        return [value for value in near if self.low <= value <= self.high]

    def describe_allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[Any]:
        near = {value for value in (self.default - 1, self.default + 1) if self.low <= value <= self.high}
        return sorted(
            near
            | {self.low, self.high, chance.randint(self.low, self.high), chance.randint(self.low, self.high)}
        )


@dataclass(frozen=True)
class Flag(Parameter):
    """On or off."""

    def read(self, value: Any, player_counts: Sequence[int]) -> bool:
        words = {
            "yes": True,
            "on": True,
            "true": True,
            "1": True,
            "no": False,
            "off": False,
            "false": False,
            "0": False,
        }
        if str(value).lower() not in words:
            raise self.make_error(value)
        return words[str(value).lower()]

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def describe_allowed(self) -> str:
        return "yes or no"

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        return [make_axis("", [False, True], value, is_ordered=False)]

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[bool]:
        return [False, True]


@dataclass(frozen=True)
class OneOf(Parameter):
    """One of some words; in the record it is the word's index."""

    choices: tuple[str, ...] = ()

    def read(self, value: Any, player_counts: Sequence[int]) -> str:
        if value not in self.choices:
            raise self.make_error(value)
        return str(value)

    def fill(self, rules: Any, value: Any, players: int, player_counts: Sequence[int]) -> None:
        rules[self.name] = self.choices.index(value)

    def describe_allowed(self) -> str:
        return f"one of {', '.join(self.choices)}"

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        return [make_axis("", self.choices, value, is_ordered=False)]

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[str]:
        return list(self.choices)


@dataclass(frozen=True)
class Share(Parameter):
    """A share from 0 to 1; in the record, in ten-thousandths."""

    def read(self, value: Any, player_counts: Sequence[int]) -> float:
        try:
            share = round(float(value), 4)
        except (TypeError, ValueError):
            raise self.make_error(value) from None
        if isinstance(value, bool) or not 0 <= share <= 1:
            raise self.make_error(value)
        return share

    def fill(self, rules: Any, value: Any, players: int, player_counts: Sequence[int]) -> None:
        rules[self.name] = round(10_000 * value)

    def write(self, value: Any) -> str:
        return f"{value:g}"

    def describe_allowed(self) -> str:
        return "a number from 0 to 1, with up to four digits behind the point"

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        near = (round(value + n * SHARE_STEP, 4) for n in range(-MOST_STEPS, MOST_STEPS + 1))
        return [make_axis("", [share for share in near if 0 <= share <= 1], value, is_ordered=True)]

    def count_steps(self, value: Any, other: Any) -> int:
        return math.ceil(round(abs(other - value) / SHARE_STEP, 4))

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[Any]:
        return [0.0, 1.0, round(chance.random(), 4)]


@dataclass(frozen=True)
class FileName(Parameter):
    """A file that the owner reads; "" if none is named."""

    def read(self, value: Any, player_counts: Sequence[int]) -> str:
        return str(value)

    def describe_allowed(self) -> str:
        return "the name of a file"


@dataclass(frozen=True)
class NameList(Parameter):
    """Any number of names, written a/b/c; the owner knows what they name."""

    def read(self, value: Any, player_counts: Sequence[int]) -> tuple[str, ...]:
        return tuple(filter(None, value.split("/"))) if isinstance(value, str) else tuple(value)

    def write(self, value: Any) -> str:
        return "/".join(value)

    def describe_allowed(self) -> str:
        return "names, separated by /"


@dataclass(frozen=True)
class IntList(Int):
    """As many whole numbers as the default has."""

    def list_fields(self, player_counts: Sequence[int]) -> list[RecordField]:
        return [(self.name, "i4", (self.count_values(player_counts),))]

    def count_values(self, player_counts: Sequence[int]) -> int:
        return len(self.default)

    def read(self, value: Any, player_counts: Sequence[int]) -> tuple[int, ...]:
        parts = value.split("/") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)) or len(parts) != self.count_values(player_counts):
            raise self.make_error(value)
        return tuple(super(IntList, self).read(part, player_counts) for part in parts)

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        """One axis: a list may be long, so either one entry moves or all move alike."""
        lists = [
            self.move(value, {str(n): near})
            for n, old in enumerate(value, 1)
            for near in self._list_near(old)
        ]
        shifts = range(-MOST_STEPS, MOST_STEPS + 1)
        shifted = [tuple(number + shift for number in value) for shift in shifts]
        allowed = [numbers for numbers in shifted if self.low <= min(numbers) and max(numbers) <= self.high]
        return [make_axis("", [*lists, *allowed], value, is_ordered=False)]

    def limit_axes(
        self, texts: Sequence[str], value: Any, players: Sequence[int], player_counts: Sequence[int]
    ) -> list[Axis]:
        """The lists that were named; single numbers are for each entry."""
        if any("/" in text for text in texts):
            return [
                make_axis("", [self.read(text, player_counts) for text in texts], value, is_ordered=False)
            ]
        numbers = [Int.read(self, text, player_counts) for text in texts]
        return [
            make_axis(str(n), numbers, value[n - 1], is_ordered=True)
            for n in self._list_entries(players, player_counts)
        ]

    def _list_entries(self, players: Sequence[int], player_counts: Sequence[int]) -> list[int]:
        """The numbers of the entries, from 1, that these player counts use."""
        return [*range(1, self.count_values(player_counts) + 1)]

    def move(self, value: Any, moved: Mapping[str, Any]) -> Any:
        if "" in moved:
            return moved[""]
        return tuple(moved.get(str(n), number) for n, number in enumerate(value, 1))

    def count_steps(self, value: Any, other: Any) -> int:
        return sum(Int.count_steps(self, old, new) for old, new in zip(value, other, strict=True))

    def write(self, value: Any) -> str:
        return "/".join(map(str, value))

    def describe_allowed(self) -> str:
        example = self.write(self.default)
        return f"{len(self.default)} whole numbers from {self.low} to {self.high}, written {example}"

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[tuple[int, ...]]:
        n = self.count_values(player_counts)
        drawn = tuple(chance.randint(self.low, self.high) for _ in range(n))
        return [(self.low,) * n, (self.high,) * n, drawn]


@dataclass(frozen=True)
class IntPerSeat(IntList):
    """A whole number for each seat, seat 1 first. A single number stands for all seats."""

    each = "seat"

    def count_values(self, player_counts: Sequence[int]) -> int:
        return max(player_counts)

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        return [
            make_axis(str(n), self._list_near(value[n - 1]), value[n - 1], is_ordered=True)
            for n in self._list_entries(players, player_counts)
        ]

    def _list_entries(self, players: Sequence[int], player_counts: Sequence[int]) -> list[int]:
        return [*range(1, max(players) + 1)]

    def read(self, value: Any, player_counts: Sequence[int]) -> tuple[int, ...]:
        n = self.count_values(player_counts)
        parts = (
            value.split("/")
            if isinstance(value, str)
            else list(value)
            if isinstance(value, (list, tuple))
            else [value]
        )
        if len(parts) not in (1, n):
            raise self.make_length_error([str(part) for part in parts], n)
        return super().read(parts * n if len(parts) == 1 else parts, player_counts)

    def make_length_error(self, parts: list[str], n: int) -> InvalidInput:
        """An error with what to type instead: the same values, and the default for missing ones."""
        defaults = [self.default] * n if isinstance(self.default, int) else self.default
        example = "/".join([*parts, *map(str, defaults[len(parts) :])][:n])
        return InvalidInput(
            f"{self.name}={'/'.join(parts)} has {len(parts)} values, "
            f"but {self.name} takes {n}, one for each {self.each}, "
            f"or a single one for all: {self.name}={example} ({self.description})"
        )

    def write(self, value: Any) -> str:
        values = (value,) if isinstance(value, int) else tuple(value)
        return super().write(values[:1] if len(set(values)) == 1 else values)

    def describe_allowed(self) -> str:
        bounds = f"from {self.low} to {self.high}"
        return f"a whole number {bounds} for each {self.each}, separated by /, or one for all"


@dataclass(frozen=True)
class IntPerPlayerCount(IntPerSeat):
    """A whole number for each player count, the smallest count first. The record holds the one that
    applies.
    """

    each = "player count"

    def _list_entries(self, players: Sequence[int], player_counts: Sequence[int]) -> list[int]:
        return [list(player_counts).index(count) + 1 for count in players]

    def list_fields(self, player_counts: Sequence[int]) -> list[RecordField]:
        return [(self.name, "i4")]

    def count_values(self, player_counts: Sequence[int]) -> int:
        return len(player_counts)

    def fill(self, rules: Any, value: Any, players: int, player_counts: Sequence[int]) -> None:
        rules[self.name] = value[list(player_counts).index(players)]


class BoardFile(str):
    """The name of a board's file, with the table that was read from it: the file is not read again, so what
    is edited later changes nothing that is planned already.
    """

    table: Mapping[str, Any]

    @classmethod
    def read(cls, path: str) -> "BoardFile":
        """The name and the table of a file. Raises UnusableFile or TOMLDecodeError."""
        board = cls(path)
        board.table = tomllib.loads(read_file(Path(path)))
        return board


@dataclass(frozen=True)
class Board(Parameter):
    """Numbers printed on a board: one of the game's named boards, or a designer's TOML file.

    `read_board(table)` turns a table into values for the fields, and raises ValueError saying what is wrong
    where. In Python and in TOML files, a board may also be the table itself.
    """

    boards: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    read_board: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def list_fields(self, player_counts: Sequence[int]) -> list[RecordField]:
        return [(name, kind, shape) for name, (kind, shape) in self.fields.items()]

    def read(self, value: Any, player_counts: Sequence[int]) -> Any:
        if self.is_file_name(value) and not isinstance(value, BoardFile):
            try:
                value = BoardFile.read(str(value))
            except (tomllib.TOMLDecodeError, RecursionError) as error:
                raise InvalidInput(f"{value} is not a TOML file: {error}") from None
        elif not isinstance(value, Mapping | BoardFile) and value not in self.boards:
            raise self.make_error(value)
        self.find_fields(value)
        return value

    def find_fields(self, value: Any) -> Mapping[str, Any]:
        """The values of the fields. An error names the board, the place and the reason."""
        try:
            return self._check_fields(self.read_board(self._find_table(value)))
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            raise InvalidInput(f"board {self.write(value)}: {error}") from None
        except KeyError as error:
            raise InvalidInput(f"board {self.write(value)}: {error} is missing") from None

    def _check_fields(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the table if it has exactly the declared fields, each with whole numbers in its shape."""
        for name in [*self.fields, *table]:
            if name not in table or name not in self.fields:
                raise ValueError(
                    f"{name} is {'missing' if name in self.fields else 'not a field of this board'}"
                )
        for name, (kind, shape) in self.fields.items():
            numbers = np.asarray(table[name])
            limits = np.iinfo(kind)
            if numbers.dtype.kind not in "iu" or numbers.shape != tuple(np.atleast_1d(shape)):
                raise ValueError(f"{name} is {shape} whole numbers, not {table[name]!r}")
            if numbers.min() < limits.min or numbers.max() > limits.max:
                raise ValueError(f"{name} has numbers that are too large")
        return table

    def _find_table(self, value: Any) -> Mapping[str, Any]:
        if isinstance(value, BoardFile):
            return value.table
        return value if isinstance(value, Mapping) else self.boards[value]

    def is_file_name(self, value: Any) -> bool:
        return not isinstance(value, Mapping) and value not in self.boards and str(value).endswith(".toml")

    def inline_file(self, value: Any) -> Any:
        return dict(value.table) if isinstance(value, BoardFile) else value

    def write(self, value: Any) -> str:
        """The board's name; a board given as a table is named after its content."""
        if not isinstance(value, Mapping):
            return str(value)
        return f"({hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()})"

    def fill(self, rules: Any, value: Any, players: int, player_counts: Sequence[int]) -> None:
        for name, numbers in self.find_fields(value).items():
            rules[name] = np.asarray(numbers)

    def describe_allowed(self) -> str:
        return f"one of {', '.join(self.boards)}, or a TOML file of your own"

    def list_axes(self, value: Any, players: Sequence[int], player_counts: Sequence[int]) -> list[Axis]:
        return (
            [] if isinstance(value, Mapping) else [make_axis("", list(self.boards), value, is_ordered=False)]
        )

    def sample_values(self, chance: random.Random, player_counts: Sequence[int]) -> list[str]:
        return list(self.boards)
