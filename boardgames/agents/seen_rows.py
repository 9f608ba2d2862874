"""What a seat sees of a position, row by row, its own first: the one description of the fields from which
training takes its columns and observations take their entries.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.weights import NO_BITS, NO_SEAT, WHOLE, Column
from boardgames.game.field import Field, public
from boardgames.game.game import Game


class SeenRow(NamedTuple):
    """A field that a seat sees, or one seat's row of it."""

    name: str
    field: Field
    relative: int  # whose row: 0 = that of the seat that looks, 1 = that of the next seat; NO_SEAT = no row
    shape: tuple[int, ...]

    def make_column(
        self, place: int, shift: int = 0, mask: int = WHOLE, low: int = 0, high: int = 0
    ) -> Column:
        """Some bits of one of its numbers."""
        first_seat = NO_SEAT if self.field.first_seat is None else self.field.first_seat
        return Column(self.name, place, self.relative, first_seat, shift, mask, low, high)


def make_seat_column(players: int) -> Column:
    """The seat that looks: 0 for seat 1. It stands nowhere in the record, so it has no bits of the field."""
    return Column("actor", 0, NO_SEAT, NO_SEAT, 0, NO_BITS, 0, players - 1)


def list_seen_rows(game: Game, players: int, seat_fields: Collection[str] = ()) -> Iterator[SeenRow]:
    """All that a seat sees, the header first. `seat_fields` are those found to have a row per seat."""
    for name, field in {**_list_header(game), **game.fields}.items():
        if field.visibility == "private":
            yield SeenRow(name, field, 0, field.shape)
        elif field.visibility == "public" and (field.by_seat or name in seat_fields):
            for relative in range(players):
                yield SeenRow(name, field, relative, field.shape[1:])
        elif field.visibility == "public":
            yield SeenRow(name, field, NO_SEAT, field.shape)


def _list_header(game: Game) -> dict[str, Field]:
    """The part of the header that all seats see."""
    return {
        "turn": public("i4"),
        "begun": public("i4", game.most_players, by_seat=True),
        "actor": public("i2", first_seat=0),
        "turn_owner": public("i2", first_seat=0),
        "phase": public("i2"),
        "end": public("i2"),
    }


def count_from(values: Any, first: Any, seats: Any, players: int) -> np.ndarray[Any, Any]:
    """Values that name a seat, `first` meaning seat 1, counted from the seat that looks; others stay, and all
    if `first` is NO_SEAT.
    """
    is_seat = (first != NO_SEAT) & (values >= first) & (values < first + players)
    return np.where(is_seat, first + (values - first - seats) % players, values)
