"""Keltis, points: what a position is worth at the end, and what it promises before. A § names the section of RULES.md."""

from typing import Any

import numpy as np

from boardgames import rule
from variants.keltis.codes import ANY_VALUE, DECK_SIZE, END_STONE, ONE, PATHS, SMALL_FIGURES, THREE, VALUES, WAITING


@rule
def score(state, seat):
    """§5.1. The score marker, and the rows in which the figures stand; the large one counts double, for better or worse."""
    points, rows, row_points = marker(state, seat), state.row[seat], state.rules.row_points
    for path in range(PATHS):
        points += int(row_points[rows[path]])
    large = int(state.large[seat])
    if large >= 0:
        points += (int(state.rules.large_figure) - 1) * int(row_points[rows[large]])
    return points


@rule
def marker(state, seat):
    """§3.1 and §5.2. Where the score marker stands after the wishing stones were counted; it may be below 0."""
    table = state.rules.wishing
    return int(state.points[seat]) + int(table[min(int(state.wishes[seat]), len(table) - 1)])  # it ends with "or more"


@rule
def standing(state, seat):
    """§5.3. The score alone: equals share the place."""
    return score(state, seat)


# ---- outlook: what the position promises, by a simple guess that greedy players can live by

PARTS = 16  # steps and points are counted in sixteenths
MIDDLE = 1 << (VALUES // 2)
NUMBER = np.array([values.bit_count() for values in range(ANY_VALUE + 1)], np.int16)  # how many values a set of them has


@rule
def outlook(state, seat):
    """The score to expect, in sixteenths: a figure gets as far as cards and time will carry it, or stays where it is.

    Where nothing else speaks for one card or another, a new one is better: the fewer are left, the better for all.
    """
    if state.end != 0:
        return PARTS * score(state, seat)
    rows, columns, row_points, large = state.row[seat], state.column[seat], state.rules.row_points, int(state.large[seat])
    turns, fits, points, best = turns_ahead(state, seat), int(state.fits[seat]), PARTS * marker(state, seat), 0
    once, twice = hand_bits(state, seat)
    for path in range(PATHS):
        first, row = VALUES * path, PARTS * int(rows[path])
        steps = steps_ahead(fits >> first, int(columns[path]), once >> first, twice >> first, turns)
        promise = max(points_at(row_points, row), points_at(row_points, min(row + steps, PARTS * END_STONE)))
        points += promise
        if row == 0 and large == WAITING:
            best = max(best, promise)  # it will go where most is to be had
        elif path == large:
            best = promise
    return points + best * (int(state.rules.large_figure) - 1) - int(state.left)


@rule
def hand_bits(state, seat):
    """A hand as two sets of cards: those in it, and those in it twice."""
    hand, once, twice = state.hand[seat], 0, 0
    for place in range(state.held[seat]):
        bit = 1 << int(hand[place])
        twice |= once & bit
        once |= bit
    return once, twice


@rule
def turns_ahead(state, seat):
    """How many turns are to come if all draw from the draw pile only. When that is over, there may be a few more."""
    turns = (DECK_SIZE - int(state.rules.removed)) // int(state.seats) - int(state.rules.hand_size)
    return max(2, turns + 1 - int(state.begun[seat]))


@rule
def steps_ahead(fits, column, once, twice, turns):
    """Every second card in hand that fits will be laid, and some of those to come: a value has two cards among 110."""
    values = likely_values(fits & ANY_VALUE, column & ANY_VALUE)
    cards = int(NUMBER[once & values]) + int(NUMBER[twice & values])
    return PARTS // 2 * cards + ((7 * turns * int(NUMBER[values])) >> 5)


@rule
def likely_values(fits, laid):
    """What will follow in a column. One that can still rise and fall goes the longer way."""
    if laid == 0 or fits != ANY_VALUE:
        return fits
    return ANY_VALUE & -laid if laid <= MIDDLE else 2 * laid - 1


@rule
def points_at(row_points, steps):
    """The value of a row, or of a place between two rows."""
    low, high = int(row_points[steps // PARTS]), int(row_points[(steps + PARTS - 1) // PARTS])
    return PARTS * low + (high - low) * (steps % PARTS)


# ---- bounds


def bounds(rules: Any, seats: int) -> tuple[int, int]:
    """§4.1 and §5.1. No score is lower or higher. Of the figures in the goal area the last one stands in its first row."""
    rows, goal, needed = rules.row_points.tolist(), int(rules.goal_row), int(rules.figures_to_end)
    short = max(rows[:goal])
    arrived = [max(rows)] * (needed - 1) + [max(rows[goal], short)]
    best = sorted((arrived + [short] * PATHS)[:PATHS], reverse=True)
    worth, wishing = int(rules.large_figure), rules.wishing.tolist()
    numbers = sum(tile * int(rules.tile_copies[tile]) for tile in range(ONE, THREE + 1))
    lowest = (SMALL_FIGURES + worth) * min(rows) + min(wishing)
    return lowest, worth * best[0] + sum(best[1:]) + max(wishing) + numbers
