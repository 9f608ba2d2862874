"""Keltis, what a position promises, by a simple guess that greedy players can live by."""

import numpy as np

from boardgames import rule
from variants.keltis import codes
from variants.keltis.scoring import marker, score

PARTS = 16  # steps and points are counted in sixteenths
MIDDLE = 1 << (codes.VALUES // 2)
VALUE_COUNTS = np.array(
    [values.bit_count() for values in range(codes.ANY_VALUE + 1)], np.int16
)  # the size of each set of values


@rule
def evaluate(state, seat):
    """The score to expect, in sixteenths: a figure gets as far as cards and time will carry it, or stays
    where it is.

    Where nothing else speaks for one card or another, a new one is better: the fewer are left, the better for
    all.
    """
    if state.end != 0:
        return PARTS * score(state, seat)
    rows, columns, row_points, large = (
        state.row[seat],
        state.column[seat],
        state.rules.row_points,
        int(state.large[seat]),
    )
    turns, fits, points, best = (
        turns_ahead(state, seat),
        int(state.fits[seat]),
        PARTS * marker(state, seat),
        0,
    )
    once, twice = hand_bits(state, seat)
    for path in range(codes.PATHS):
        first, row = codes.VALUES * path, PARTS * int(rows[path])
        steps = steps_ahead(fits >> first, int(columns[path]), once >> first, twice >> first, turns)
        promise = max(
            points_at(row_points, row), points_at(row_points, min(row + steps, PARTS * codes.END_STONE))
        )
        points += promise
        if row == 0 and large == codes.WAITING:
            best = max(best, promise)  # it will go where most is to be had
        elif path == large:
            best = promise
    return points + best * (int(state.rules.large_figure) - 1) - int(state.left)


@rule
def hand_bits(state, seat):
    """A hand as two sets of cards: those in it, and those in it twice."""
    hand, once, twice = state.hand[seat], 0, 0
    for index in range(state.held[seat]):
        bit = 1 << int(hand[index])
        twice |= once & bit
        once |= bit
    return once, twice


@rule
def turns_ahead(state, seat):
    """How many turns are to come if all draw from the draw pile only. When that is over, there may be a few
    more.
    """
    turns = (codes.DECK_SIZE - int(state.rules.removed)) // int(state.players) - int(state.rules.hand_size)
    return max(2, turns + 1 - int(state.begun[seat]))


@rule
def steps_ahead(fits, column, once, twice, turns):
    """Every second card in hand that fits will be laid, and some of those to come: a value has two cards
    among 110.
    """
    values = likely_values(fits & codes.ANY_VALUE, column & codes.ANY_VALUE)
    cards = int(VALUE_COUNTS[once & values]) + int(VALUE_COUNTS[twice & values])
    return PARTS // 2 * cards + ((7 * turns * int(VALUE_COUNTS[values])) >> 5)


@rule
def likely_values(fits, laid):
    """What will follow in a column. One that can still rise and fall goes the longer way."""
    if laid == 0 or fits != codes.ANY_VALUE:
        return fits
    return codes.ANY_VALUE & -laid if laid <= MIDDLE else 2 * laid - 1


@rule
def points_at(row_points, steps):
    """The value of a row, or of a point between two rows."""
    low, high = int(row_points[steps // PARTS]), int(row_points[(steps + PARTS - 1) // PARTS])
    return PARTS * low + (high - low) * (steps % PARTS)
