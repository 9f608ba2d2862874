"""What a seat sees, as one row of numbers for a net: named, bounded, its own seat first.

Every entry comes from the description of the fields that `boardgames train` uses as well: packed numbers are
unpacked digit by digit, rows by seat begin with the seat that looks, and numbers that name seats count from
there. All entries are whole numbers below 2**24, so float32 holds them exactly.
"""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.net import COLUMN
from boardgames.agents.seen_rows import SeenRow, count_from, list_seen_rows, make_seat_column
from boardgames.agents.weights import NO_BITS, NO_SEAT, WHOLE, Column, fill_record, place_column
from boardgames.game.field import Field
from boardgames.game.game import Game

Array = np.ndarray[Any, Any]
PIECE_BITS = 16  # a wide number that is not made of digits is read in pieces of this many bits
SMALL_LOW, SMALL_HIGH = -(1 << 15), (1 << 15) - 1
OWN_SEAT = "seat"  # the first entry: 0 for seat 1
COUNTERS = ("turn", "begun")  # of the header: bounded by the decisions that a match may have


class Piece(NamedTuple):
    """Some bits of a number, and the bounds of what they can be."""

    shift: int
    mask: int
    low: int
    high: int
    label: str  # behind the name of the number


class Entry(NamedTuple):
    """One number of an observation."""

    name: str
    column: Column


class ObservationLayout:
    """The entries of an observation of a game with a number of players, and where each seat reads them."""

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self.players = players
        self.entries = tuple(_list_entries(game, players))
        self.names = tuple(entry.name for entry in self.entries)
        self.low = np.array([entry.column.low for entry in self.entries], np.float32)
        self.high = np.array([entry.column.high for entry in self.entries], np.float32)
        self.columns = np.zeros((players, len(self.names)), COLUMN)
        for seat in range(players):
            self._place_entries(seat)
        # word, shifts and mask of all entries, by seat: what most of them need
        self.readers = np.stack(
            [self.columns[name].astype(np.int64) for name in ("word", "left", "right", "mask")], axis=1
        )
        self.special = np.flatnonzero(_is_special(self.columns[0]))

    def __repr__(self) -> str:
        return f"<ObservationLayout of {self.game.name}, {self.players} players: {len(self.names)} entries>"

    def _place_entries(self, seat: int) -> None:
        for index, entry in enumerate(self.entries):
            placed = place_column(self.game, entry.column, seat, self.players)
            fill_record(self.columns[seat, index], word=placed.word, **placed.values)

    def observe(self, state: Any, seat: int) -> Array:
        """What a seat sees of a position, as float32. A resampled position gives the same."""
        word, left, right, mask = self.readers[seat]
        values = np.frombuffer(state, np.int64)[word]
        values <<= left
        values >>= right
        values &= mask
        special = self.columns[seat, self.special]
        counted = count_from(values[self.special], special["first_seat"], seat, self.players)
        values[self.special] = np.clip(counted, special["low"], special["high"])
        return values.astype(np.float32)


@functools.cache
def make_layout(game: Game, players: int) -> ObservationLayout:
    """The layout of a game's observations, made once."""
    return ObservationLayout(game, players)


def _is_special(columns: Array) -> Array:
    """Which entries need more than their bits: the seat itself, those that name one, and counters, which may
    exceed their bounds.
    """
    is_counter = (columns["mask"] == WHOLE) & (columns["low"] != SMALL_LOW)
    return np.asarray((columns["mask"] == NO_BITS) | (columns["first_seat"] != NO_SEAT) | is_counter)


# ---- the entries


def _list_entries(game: Game, players: int) -> Iterator[Entry]:
    yield Entry(OWN_SEAT, make_seat_column(players))
    for row in list_seen_rows(game, players):
        yield from _list_row_entries(row, _list_pieces(row.name, row.field, game))


def _list_row_entries(row: SeenRow, pieces: list[Piece]) -> Iterator[Entry]:
    for place in range(int(np.prod(row.shape, dtype=int))):
        indices = "".join(f"[{index}]" for index in np.unravel_index(place, row.shape)) if row.shape else ""
        for shift, mask, low, high, label in pieces:
            column = row.make_column(place, shift, mask, low, high)
            yield Entry(f"{_format_owner(row.relative)}{row.name}{indices}{label}", column)


def _format_owner(relative: int) -> str:
    """`own.` for the seat that looks, `next.` for the one after it, then `next2.` and so on."""
    if relative == NO_SEAT:
        return ""
    return "own." if relative == 0 else f"next{relative if relative > 1 else ''}."


def _list_pieces(name: str, field: Field, game: Game) -> list[Piece]:
    """The parts in which one number of a field is read."""
    if name in COUNTERS and name not in game.fields:
        return [Piece(0, WHOLE, 0, game.cap, "")]
    if 0 < field.bits <= PIECE_BITS:
        return [
            Piece(shift, mask, 0, mask, f"[{index}]" if len(field.digits) > 1 else "")
            for index, (shift, mask) in enumerate(field.digits)
        ]
    if field.number_bits <= PIECE_BITS or field.first_seat is not None:
        return [Piece(0, WHOLE, SMALL_LOW, SMALL_HIGH, "")]
    mask, last = (1 << PIECE_BITS) - 1, field.number_bits - PIECE_BITS
    pieces = [
        Piece(shift, mask, 0, mask, f".bits{shift}to{shift + PIECE_BITS - 1}")
        for shift in range(0, last, PIECE_BITS)
    ]
    return [*pieces, Piece(last, WHOLE, SMALL_LOW, SMALL_HIGH, f".bits{last}to{field.number_bits - 1}")]
