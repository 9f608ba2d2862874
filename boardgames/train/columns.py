"""Which columns a net reads: all that a seat can see, cut into features by the values seen in play."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.net import EVALUATION, NO_FEATURE, ONE, SCALE_BITS
from boardgames.agents.seen_rows import SeenRow, count_from, list_seen_rows, make_seat_column
from boardgames.agents.weights import NO_SEAT, Column, Number
from boardgames.game.game import Game

Array = np.ndarray[Any, Any]
FIRST_FEATURE = 2  # behind NO_FEATURE and ALWAYS
MOST_VALUES = 64  # a column with more different values is cut into QUANTILES
QUANTILES = 24
WIDEST = 4096  # a number with a larger range is read bit by bit
# of the header: `turn` says how far a match is, and a net rates none that is over
LEFT_OUT = ("begun", "end")


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
    yield [SeenColumn(make_seat_column(players), survey.seats)]
    for row in list_seen_rows(game, players, seat_fields):
        if row.name not in LEFT_OUT:
            yield from _list_row_groups(row, survey, players)


def _list_row_groups(row: SeenRow, survey: Survey, players: int) -> Iterator[list[SeenColumn]]:
    numbers = _read_row(row, survey, players)
    length = row.shape[-1] if row.field.unordered and row.shape else 1
    for first in range(0, numbers.shape[1], length):
        for shift, mask in row.field.digits:
            group = []
            for index in range(first, first + length):
                column, values = row.make_column(index, shift, mask), (numbers[:, index] >> shift) & mask
                values = count_from(values, column.first_seat, survey.seats, players)
                group.append(SeenColumn(column, values))
            yield group


def _read_row(row: SeenRow, survey: Survey, players: int) -> Array:
    """The numbers of a row in each position, as the seat sees them that looks there."""
    numbers = survey.states[row.name]
    if row.relative != NO_SEAT:
        numbers = numbers[np.arange(len(numbers)), (survey.seats + row.relative) % players]
    return numbers.reshape(len(numbers), -1).astype(np.int64)


def find_numbers(survey: Survey) -> tuple[Number, ...]:
    """The seat's own evaluation as an input, if it ever changes."""
    values = survey.evaluations[np.arange(len(survey.seats)), survey.seats]
    if values.std() == 0:
        return ()
    multiplier = max(1, round((ONE << SCALE_BITS) / float(values.std())))
    return (Number(EVALUATION, 0, round(float(values.mean())), multiplier),)
