"""Learned players as files: for each player count the columns that a net reads, and its weights.

A file names the fields of the record, never places in memory: they are looked up in the game at hand. What
does not fit is refused with a sentence.
"""

import functools
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from boardgames.agents.net import (
    ALWAYS,
    COLUMN,
    EVALUATION,
    NO_FEATURE,
    NUMBER,
    SCORE,
    SIZE,
    UNITS,
    UNREAD,
    NetMemory,
)
from boardgames.errors import InvalidInput
from boardgames.files import read_bytes, write_file
from boardgames.game.game import Game

Array = np.ndarray[Any, Any]
NO_SEAT = -1  # a column that belongs to no seat, or names none
WHOLE = -1  # the mask of a whole number
LARGEST, LARGEST_PLACE = (1 << 63) - 1, (1 << 31) - 1  # of numbers of eight and of four bytes
Value = TypeVar("Value")
NO_BITS = 0  # the mask of a column that reads nothing: its value is the seat that looks


class Column(NamedTuple):
    """One small number of a position: where it stands, and which of its bits."""

    field: str
    place: int  # in the field, or in the seat's row of it
    relative: int  # whose row: 0 = the seat's own, 1 = that of the next seat; NO_SEAT = it has no rows
    first_seat: int  # the value that means seat 1, or NO_SEAT
    shift: int = 0
    mask: int = WHOLE
    low: int = 0
    high: int = 0
    codes: int = 0  # where the features of its values begin in the net's codes


class Number(NamedTuple):
    """An input that counts by its size: evaluation or score, less its mean, in multiples of its spread."""

    what: int  # net.EVALUATION or net.SCORE
    relative: int
    middle: int  # its mean
    multiplier: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Net:
    """A net for one game and player count."""

    players: int
    columns: tuple[Column, ...]
    codes: Array
    numbers: tuple[Number, ...]
    weights: Array  # a row for each feature, then one for each action
    number_weights: Array
    outputs: Array
    first_action: int
    trained_on: str  # the variant
    log: tuple[Mapping[str, Any], ...] = field(default=())  # how strong it was after each round

    @functools.cached_property
    def digest(self) -> str:
        """What it plays by; who made it, and how strong it was, does not count."""
        lists = json.dumps([self.players, self.first_action, self.columns, self.numbers])
        arrays = (self.codes, self.weights, self.number_weights, self.outputs)
        content = lists.encode() + b"".join(map(bytes, arrays))
        return hashlib.blake2b(content, digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class LearnedPlayer:
    """What a file holds: a game's nets by player count."""

    game: str
    nets: Mapping[int, Net]

    @functools.cached_property
    def digest(self) -> str:
        """What it plays by, with any number of players."""
        digests = [net.digest for _, net in sorted(self.nets.items())]
        return hashlib.blake2b(" ".join(digests).encode(), digest_size=16).hexdigest()

    def find_net(self, players: int) -> Net:
        if players not in self.nets:
            counts = ", ".join(map(str, sorted(self.nets)))
            raise InvalidInput(
                f"the trained net of {self.game} is for {counts} players, not {players}. "
                f"To train one: boardgames train {self.game} --players {players}"
            )
        return self.nets[players]


def save_player(player: LearnedPlayer, path: Path) -> None:
    """Write a file, whole or not at all."""
    write_file(path, pack_player(player))


def pack_player(player: LearnedPlayer) -> bytes:
    """The content of a file."""
    heads, arrays = {}, {}
    for players, net in sorted(player.nets.items()):
        heads[players] = {
            "columns": net.columns,
            "numbers": net.numbers,
            "first_action": net.first_action,
            "trained_on": net.trained_on,
            "log": net.log,
        }
        for name in TABLES:
            arrays[f"{players}/{name}"] = getattr(net, name)
    content = io.BytesIO()
    head = json.dumps({"game": player.game, "nets": heads})
    np.savez_compressed(content, head=np.frombuffer(head.encode(), np.uint8), **arrays)
    return content.getvalue()


# the kind of the numbers of each array, and its dimensions
TABLES = {
    "codes": ("int32", 1),
    "weights": ("int16", 2),
    "number_weights": ("int16", 2),
    "outputs": ("int16", 1),
}


def load_player(path: Path, game: Game) -> LearnedPlayer:
    """The learned player in a file, if it fits the game."""
    if not path.is_file():
        raise InvalidInput(f"there is no file {path}; `boardgames train {game.name}` makes a learned player")
    return unpack_player(read_bytes(path), game, str(path))


def unpack_player(content: bytes, game: Game, path: str) -> LearnedPlayer:
    """The learned player in the content of a file, if it fits the game."""
    player = _parse_player(path, content)
    if player.game not in (game.name, *game.derived_from):
        raise InvalidInput(f"{path} is a learned player of {player.game}, not of {game.name}")
    for net in player.nets.values():
        for problem in _find_problems(net, game):
            raise InvalidInput(f"{path} was trained for another version of {game.name}: {problem}")
    return player


@functools.lru_cache(maxsize=8)  # every variant of a comparison asks for the same few
def _parse_player(path: str, content: bytes) -> LearnedPlayer:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            head = json.loads(bytes(arrays["head"]))
            nets = {
                int(players): _parse_net(int(players), net, arrays) for players, net in head["nets"].items()
            }
            return LearnedPlayer(_parse(str, head["game"]), nets)
    except Exception as error:  # a damaged file makes NumPy and its archives raise anything
        raise InvalidInput(f"{path} is not a file of a learned player") from error


def _parse_net(players: int, head: Mapping[str, Any], arrays: Mapping[str, Array]) -> Net:
    return Net(
        players=players,
        columns=tuple(Column(_parse(str, name), *map(_parse_int, ints)) for name, *ints in head["columns"]),
        numbers=tuple(Number(*map(_parse_int, ints)) for ints in head["numbers"]),
        first_action=_parse_int(head["first_action"]),
        trained_on=_parse(str, head["trained_on"]),
        log=tuple(_parse(dict, entry) for entry in head["log"]),
        **{name: arrays[f"{players}/{name}"] for name in TABLES},
    )


def _parse_int(value: Any) -> int:
    """A whole number that a field of a record can hold."""
    number = _parse(int, value)
    if not -LARGEST - 1 <= number <= LARGEST:
        raise ValueError(f"{number} is too large")
    return number


def _parse(kind: type[Value], value: Any) -> Value:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _find_problems(net: Net, game: Game) -> list[str]:
    """Why a net cannot play a game, in sentences. A file may come from anybody: what passes here cannot make
    compiled code read outside its memory.
    """
    if not _has_right_tables(net):
        return ["its tables do not fit together"]
    problems = []
    if net.players not in game.player_counts:
        problems.append(f"it is for {net.players} players")
    if len(net.weights) != net.first_action + game.actions:
        problems.append(f"it knows {len(net.weights) - net.first_action} actions, not {game.actions}")
    missing = {column.field for column in net.columns if not _is_read(column.field, game)}
    problems += [f"there is no field {name}" for name in sorted(missing)]
    present = [column for column in net.columns if column.field not in missing]
    wrong = {column.field for column in present if not _fits(column, net, find_layout(game, column.field))}
    return problems + [f"the field {name} is another one" for name in sorted(wrong)]


def _has_right_tables(net: Net) -> bool:
    """Whether all tables have the kinds and sizes that the engine expects. The rows of weights are those of
    NO_FEATURE, ALWAYS, the features, then the actions.
    """
    tables = {name: getattr(net, name) for name in TABLES}
    return (
        all((array.dtype, array.ndim) == TABLES[name] for name, array in tables.items())
        and all(tables[name].shape[-1] == UNITS for name in ("weights", "number_weights", "outputs"))
        and len(net.number_weights) == len(net.numbers)
        and len(net.codes) > 0
        and max(ALWAYS, int(net.codes.max())) < net.first_action < len(net.weights)
        and int(net.codes.min()) >= NO_FEATURE
        and all(number.what in (EVALUATION, SCORE) for number in net.numbers)
        and all(0 <= number.relative < net.players for number in net.numbers)
    )


def _is_read(name: str, game: Game) -> bool:
    """Whether a field of the record exists and holds whole numbers."""
    fields: Mapping[str, Any] = game.state.fields or {}
    return name in fields and fields[name][0].base.kind == "i"


def _fits(column: Column, net: Net, layout: "Layout") -> bool:
    """Whether a column is inside its field, its shifts inside a word, and its values inside the codes."""
    has_rows = column.relative != NO_SEAT
    return (
        0 <= column.place < (layout.row if has_rows else layout.numbers)
        and NO_SEAT <= column.relative < net.players
        and (not has_rows or layout.numbers >= layout.row * net.players)
        and 0 <= column.shift < 8 * layout.size
        and 0 <= column.codes <= column.codes + column.high - column.low < len(net.codes)
        and NO_SEAT <= column.first_seat <= LARGEST_PLACE
    )


class Layout(NamedTuple):
    """Where a field stands in a record."""

    offset: int  # in bytes
    size: int  # of a number, in bytes
    numbers: int  # in all
    row: int  # of numbers in the row of a seat, if it has rows


@functools.cache
def find_layout(game: Game, name: str) -> Layout:
    assert game.state.fields is not None
    kind, offset = game.state.fields[name][:2]
    count = int(np.prod(kind.shape, dtype=int))
    return Layout(offset, kind.base.itemsize, count, count // kind.shape[0] if kind.shape else 1)


# ---- in memory


def list_nets(nets: Sequence[Net | None]) -> list[Net]:
    """The different nets among some, in their order."""
    return list({net.digest: net for net in nets if net is not None}.values())


def make_net_memory(game: Game, nets: Sequence[Net], worlds: Array, notes: int = 0) -> NetMemory:
    """Memory for some nets: all arrays are as long as the longest needs."""
    words = game.state.itemsize // 8
    most_columns = max((len(net.columns) for net in nets), default=1)
    shape = (max(1, len(nets)), game.most_players)
    memory = NetMemory(
        sizes=np.zeros(shape[0], SIZE),
        columns=np.zeros((*shape, most_columns), COLUMN),
        words=np.zeros((shape[0], words), np.int32),
        starts=np.zeros((*shape, words + 1), np.int32),
        codes=_stack([net.codes for net in nets], np.int32, 1),
        weights=_stack([net.weights for net in nets], np.int16, 2),
        numbers=np.zeros((shape[0], max((len(net.numbers) for net in nets), default=1)), NUMBER),
        number_weights=_stack([net.number_weights for net in nets], np.int16, 2),
        outputs=_stack([net.outputs for net in nets], np.int16, 1),
        longs=worlds.view(np.int64).reshape(len(worlds), -1),
        last_words=np.zeros((*shape, words), np.int64),
        last_sums=np.zeros((*shape, UNITS), np.int32),
        active=np.full((*shape, max(1, most_columns)), UNREAD, np.int32),
        sums=np.zeros(UNITS, np.int32),
        changes=np.zeros((1 + most_columns, 2), np.int32),
        inputs=np.zeros(max([1, *(len(net.numbers) for net in nets)]), np.int32),
        notes=np.zeros(1 + notes, np.int32),
    )
    memory.notes[0] = 1
    for index, net in enumerate(nets):
        _fill_net(game, net, index, memory)
    return memory


def _fill_net(game: Game, net: Net, index: int, memory: NetMemory) -> None:
    """Write what a net reads into the memory's rows of this index."""
    seats = [_place_columns(game, net, seat) for seat in range(net.players)]
    words = sorted({placed.word for columns in seats for placed in columns})
    memory.words[index, : len(words)] = words
    fill_record(
        memory.sizes[index],
        players=net.players,
        columns=len(net.columns),
        numbers=len(net.numbers),
        words=len(words),
        first_action=net.first_action,
    )
    for place, number in enumerate(net.numbers):
        fill_record(memory.numbers[index, place], **number._asdict())
    for seat, columns in enumerate(seats):
        for place, placed in enumerate(columns):
            fill_record(memory.columns[index, seat, place], word=placed.word, **placed.values)
        starts = np.searchsorted(
            [placed.word for placed in columns], [*words, words[-1] + 1] if words else [0]
        )
        memory.starts[index, seat, : len(starts)] = starts


def fill_record(record: Any, **values: int) -> None:
    """Write values into the fields of a record."""
    for name, value in values.items():
        record[name] = value


def _stack(arrays: Sequence[Array], kind: Any, dimensions: int) -> Array:
    """Arrays of different lengths as one array, filled up with zeros."""
    longest = tuple(max(sizes) for sizes in zip(*(array.shape for array in arrays), strict=True))
    stacked = np.zeros((max(1, len(arrays)), *(longest or (1,) * dimensions)), kind)
    for index, array in enumerate(arrays):
        stacked[index][tuple(slice(length) for length in array.shape)] = array
    return stacked


class PlacedColumn(NamedTuple):
    """Where a seat finds a column in the record, and the other fields of net.COLUMN."""

    word: int
    values: Mapping[str, int]


def _place_columns(game: Game, net: Net, seat: int) -> list[PlacedColumn]:
    """The columns that a seat reads, in the order of the words of the record."""
    placed = [place_column(game, column, seat, net.players) for column in net.columns]
    return sorted(placed, key=lambda column: column.word)


def place_column(game: Game, column: Column, seat: int, players: int) -> PlacedColumn:
    """Where a seat finds a column."""
    layout = find_layout(game, column.field)
    whose = (seat + column.relative) % players if column.relative != NO_SEAT else 0
    place = layout.offset + (whose * layout.row + column.place) * layout.size
    unused = 64 - 8 * layout.size
    shifts = {"left": unused - 8 * (place % 8), "right": unused + column.shift}
    if column.mask == NO_BITS:  # it has one value, so its bounds say it
        value = min(max(seat, column.low), column.high)
        column = column._replace(low=value, high=value, codes=column.codes + value - column.low)
    values = {name: getattr(column, name) for name in ("mask", "low", "high", "codes", "first_seat")}
    return PlacedColumn(place // 8, {**shifts, **values, "bits": _find_bits(column, place, layout)})


def _find_bits(column: Column, place: int, layout: Layout) -> int:
    """Which bits a column has of its word of eight bytes, as the signed number that a record holds."""
    own = column.mask & ((1 << 8 * layout.size - column.shift) - 1)
    bits = own << (8 * (place % 8) + column.shift)
    return bits - (1 << 64) if bits >> 63 else bits
