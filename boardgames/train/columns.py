"""Which columns a net reads: all that a seat can see, cut into features by the values seen in play."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.net import EVALUATION, NO_FEATURE, ONE, SCALE_BITS
from boardgames.agents.observation import count_from
from boardgames.agents.weights import NO_SEAT, Column, Number
from boardgames.game.field import Field, public
from boardgames.game.game import Game

Array = np.ndarray[Any, Any]
FIRST_FEATURE = 2  # behind NO_FEATURE and ALWAYS
MOST_VALUES = 64  # a column with more different values is cut into QUANTILES
QUANTILES = 24
WIDEST = 4096  # a number with a larger range is read bit by bit
HEADER = {
    "turn": public("i4"),
    "phase": public("i2"),
    "actor": public("i2", first_seat=0),
    "turn_owner": public("i2", first_seat=0),
}


class Survey(NamedTuple):
    """Positions at the end of turns: the record, who looks at it, and everybody's evaluation and score."""

    states: Array
    seats: Array
    evaluations: Array  # by position and seat
    scores: Array


class SeenColumn(NamedTuple):
    """A column with its values in a survey."""

    column: Column
    values: Array


def find_columns(
    game: Game, players: int, survey: Survey, seat_fields: Collection[str]
) -> tuple[tuple[Column, ...], Array]:
    """The columns that a net reads, and the feature of each of their values."""
    columns: list[Column] = []
    codes: list[Array] = []
    next_feature, next_code = FIRST_FEATURE, 0
    for group in list_groups(game, players, survey, seat_fields):
        for part in split_wide(group):
            values = np.concatenate([seen.values for seen in part])
            if values.min() == values.max():
                continue
            low, features = number_values(values, next_feature)
            next_feature = max(next_feature, int(features.max()) + 1)
            columns += [
                seen.column._replace(low=low, high=low + len(features) - 1, codes=next_code) for seen in part
            ]
            codes.append(features)
            next_code += len(features)
    return tuple(columns), np.concatenate([*codes, np.zeros(1, np.int32)]).astype(np.int32)


def number_values(values: Array, first: int) -> tuple[int, Array]:
    """The lowest value, and the feature of each value from there on. The commonest has none."""
    distinct = np.unique(values)
    if len(distinct) > MOST_VALUES:
        levels = np.linspace(0, 1, QUANTILES, endpoint=False)
        distinct = np.unique(np.quantile(values, levels, method="lower"))
    low = int(values.min())
    bucket_of = np.searchsorted(distinct, np.arange(low, int(values.max()) + 1), side="right") - 1
    commonest = int(np.bincount(bucket_of[values - low]).argmax())
    features = np.full(len(distinct), NO_FEATURE, np.int32)
    others = [bucket for bucket in range(len(distinct)) if bucket != commonest]
    features[others] = first + np.arange(len(others))
    return low, features[bucket_of]


def split_wide(group: Sequence[SeenColumn]) -> Iterator[Sequence[SeenColumn]]:
    """The group itself, or each bit of its numbers where their range is too wide."""
    low, high = min(int(seen.values.min()) for seen in group), max(int(seen.values.max()) for seen in group)
    if high - low <= WIDEST:
        yield group
        return
    for bit in range(64):
        yield [
            SeenColumn(seen.column._replace(shift=bit, mask=1, first_seat=NO_SEAT), (seen.values >> bit) & 1)
            for seen in group
        ]


# ---- what a seat sees


def list_groups(
    game: Game, players: int, survey: Survey, seat_fields: Collection[str]
) -> Iterator[list[SeenColumn]]:
    """All columns. Those of a list without order are one group: they share their features."""
    for name, field in {**HEADER, **game.fields}.items():
        if field.visibility == "hidden":
            continue
        rows = survey.states[name]
        if field.visibility == "private":
            relatives = [0]
        else:
            relatives = list(range(players)) if name in seat_fields else [NO_SEAT]
        for relative in relatives:
            yield from _list_field_groups(name, field, relative, rows, players, survey.seats)


def _list_field_groups(
    name: str, field: Field, relative: int, rows: Array, players: int, seats: Array
) -> Iterator[list[SeenColumn]]:
    if relative != NO_SEAT:
        rows = rows[np.arange(len(rows)), (seats + relative) % players]
    shape = rows.shape[1:]
    numbers = rows.reshape(len(rows), -1).astype(np.int64)
    length = shape[-1] if field.unordered and shape else 1
    for first in range(0, numbers.shape[1], length):
        for shift, mask in field.digits:
            yield [
                SeenColumn(
                    Column(
                        name,
                        index,
                        relative,
                        NO_SEAT if field.first_seat is None else field.first_seat,
                        shift,
                        mask,
                    ),
                    _read_values((numbers[:, index] >> shift) & mask, field.first_seat, players, seats),
                )
                for index in range(first, first + length)
            ]


def _read_values(values: Array, first: int | None, players: int, seats: Array) -> Array:
    return values if first is None else count_from(values, first, seats, players)


def find_numbers(survey: Survey) -> tuple[Number, ...]:
    """The seat's own evaluation as an input, if it ever changes."""
    values = survey.evaluations[np.arange(len(survey.seats)), survey.seats]
    if values.std() == 0:
        return ()
    multiplier = max(1, round((ONE << SCALE_BITS) / float(values.std())))
    return (Number(EVALUATION, 0, round(float(values.mean())), multiplier),)
