"""Keltis, what a position promises, by a simple guess that greedy players can live by.

benchmarks/tune_evaluations.py found the constants; benchmarks/evaluations.md tells how they did.
"""

import numpy as np

from boardgames import next_seat, rule
from variants.keltis import codes
from variants.keltis.scoring import score

PARTS = 16  # steps and points are counted in sixteenths
MIDDLE = 1 << (codes.VALUES // 2)
VALUE_COUNTS = np.array(
    [values.bit_count() for values in range(codes.ANY_VALUE + 1)], np.int16
)  # the size of each set of values

HAND_STEP = 9  # what a card in hand that fits will bring of a step: little more than every second one is laid
FUTURE_STEP = 3  # what a value that fits brings of a step in a turn to come: it has two cards among 110
GIFT = 4  # lost for each card on a discard pile that the next player can use

# what a tile on the way of a figure is worth until it is reached: a part of what it brings, for luck changes
NUMBER_AHEAD = 8  # for each of its points
CLOVER_AHEAD = 16  # it brings a step, from one to three points
STONE_AHEAD = 8  # it brings about three points, but whoever comes first takes it
TILES_AHEAD = np.array(
    [0, NUMBER_AHEAD, 2 * NUMBER_AHEAD, 3 * NUMBER_AHEAD, CLOVER_AHEAD, STONE_AHEAD]
)  # by kind of tile

STONES_COUNT_AT = 16  # turns before the end: from then on the table of wishing stones counts more and more


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
    turns, fits, best = turns_ahead(state, seat), int(state.fits[seat]), 0
    points = PARTS * int(state.points[seat]) + rate_wishing_stones(state, seat, turns)
    once, twice = hand_bits(state, seat)
    for path in range(codes.PATHS):
        first, row = codes.VALUES * path, PARTS * int(rows[path])
        steps = steps_ahead(fits >> first, int(columns[path]), once >> first, twice >> first, turns)
        goal = min(row + steps, PARTS * codes.END_STONE)
        promise = points_at(row_points, goal)
        if promise > points_at(row_points, row):
            points += rate_tiles(int(state.tiles[path]), row // PARTS, goal // PARTS)
        else:
            promise = points_at(row_points, row)
        points += promise
        if row == 0 and large == codes.WAITING:
            best = max(best, promise)  # it will go where most is to be had
        elif path == large:
            best = promise
    points += best * (int(state.rules.large_figure) - 1)
    return points - GIFT * count_gifts(state, seat) - int(state.left)


@rule
def rate_wishing_stones(state, seat, turns):
    """What they will bring: early on an equal part of the table's whole range each, as more will follow;
    towards the end what the table says.
    """
    table, early = state.rules.wishing, min(turns, STONES_COUNT_AT)
    most = len(table) - 1  # it ends with "or more"
    stones = min(int(state.wishes[seat]), most)
    even = int(table[0]) * most + (int(table[most]) - int(table[0])) * stones
    late = int(table[stones]) * most
    return PARTS * (even * early + late * (STONES_COUNT_AT - early)) // (most * STONES_COUNT_AT)


@rule
def rate_tiles(tiles, row, goal):
    """What lies on the stones behind a row, up to the one that a figure is to reach."""
    worth = 0
    tiles >>= codes.TILE_BITS * (row + 1)
    for _ in range(goal - row):
        worth += int(TILES_AHEAD[tiles & codes.TILE_MASK])
        tiles >>= codes.TILE_BITS
    return worth


@rule
def count_gifts(state, seat):
    """Uppermost cards of discard piles that fit the columns of the next player."""
    fits, gifts = int(state.fits[next_seat(state, seat)]), 0
    for path in range(codes.PATHS):
        height = int(state.height[path])
        if height > 0:
            gifts += (fits >> (codes.VALUES * path + int(state.pile[path, height - 1]))) & 1
    return gifts


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
    """Some of the cards in hand that fit will be laid, and some of those to come."""
    values = likely_values(fits & codes.ANY_VALUE, column & codes.ANY_VALUE)
    cards = int(VALUE_COUNTS[once & values]) + int(VALUE_COUNTS[twice & values])
    return HAND_STEP * cards + ((FUTURE_STEP * turns * int(VALUE_COUNTS[values])) >> 4)


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
