"""A small neural net that rates positions, in whole numbers: the same on every machine.

Its inputs are features: "this column of the position has this value". A column is one small number that a
seat can see, with its own seat first. Each feature has a row of UNITS weights; the rows of a position's
features are added up, negative sums are cut off (but for the first unit, which is linear), and a last row of
weights makes one number of them. Evaluations and scores are inputs of another kind, which count by their
size.

Two positions that a seat rates one after the other differ in few columns. So sums are kept, and what changes
in memory is found word by word.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgames.game.game import make_record_type
from boardgames.rules.protocol import evaluate, score
from boardgames.rules.rulecode import rule, use_vectors

UNITS = 16
UNREAD, NO_FEATURE, ALWAYS = -1, 0, 1  # the last two: a row of zeros, and the row in every sum
ONE_BITS = 8  # behind the point of weights and inputs
ONE = 1 << ONE_BITS
SCALE_BITS = 16  # behind the point of a number's multiplier
LIMIT = 8 * ONE  # inputs are cut off here
EVALUATION, SCORE = 0, 1  # what a number is
UNKNOWN = np.int64(-1 << 62)  # in place of an evaluation: less than any

COLUMN = make_record_type(
    [
        ("bits", "i8"),  # which bits of its word it has
        ("mask", "i8"),
        ("low", "i8"),  # values below and above count as these
        ("high", "i8"),
        ("word", "i4"),  # of eight bytes in the record
        ("left", "i4"),  # how far to shift it to the left, then to the right
        ("right", "i4"),
        ("codes", "i4"),  # where the features of its values begin, from `low` on
        ("first_seat", "i4"),  # the value that means seat 1; -1 = it names no seat
    ]
)
NUMBER = make_record_type(
    [
        ("middle", "i8"),
        ("multiplier", "i8"),
        ("what", "i4"),  # EVALUATION or SCORE
        ("relative", "i4"),  # whose: 0 = the seat's own, 1 = that of the next seat ...
    ]
)
SIZE = make_record_type(
    [("players", "i4"), ("columns", "i4"), ("numbers", "i4"), ("words", "i4"), ("first_action", "i4")]
)


class NetMemory(NamedTuple):
    """The nets of a line-up, and where they are computed. The first index of the upper half is the net."""

    sizes: np.ndarray[Any, Any]  # SIZE
    columns: np.ndarray[Any, Any]  # COLUMN, by seat, in the order of the words of the record
    words: np.ndarray[Any, Any]  # the words of the record, of eight bytes, that have columns
    starts: np.ndarray[Any, Any]  # by seat and word in that list: its first column
    codes: np.ndarray[Any, Any]  # the feature of each value of each column
    weights: np.ndarray[Any, Any]  # by feature and unit
    numbers: np.ndarray[Any, Any]  # NUMBER
    number_weights: np.ndarray[Any, Any]  # by number and unit
    outputs: np.ndarray[Any, Any]  # by unit
    longs: np.ndarray[Any, Any]  # the scratch worlds as words of eight bytes
    last_words: np.ndarray[Any, Any]  # by net and seat: the last position, as words
    last_sums: np.ndarray[Any, Any]  # likewise: its sums
    active: np.ndarray[Any, Any]  # likewise: the feature of each of its columns; UNREAD = none was read yet
    sums: np.ndarray[Any, Any]  # of a candidate
    changes: np.ndarray[Any, Any]  # features that go and features that come, in pairs
    inputs: np.ndarray[Any, Any]  # the numbers of the last candidate
    notes: np.ndarray[Any, Any]  # what a teacher writes down; the first number is the next free place


@rule
def read_bits(word, column):
    """The bits of a column in a word of the record, as a number."""
    return ((word << column.left) >> column.right) & column.mask


@rule
def read_feature(word, column, me, players, codes):
    """The feature of one column, from the word of the record that holds it, as the seat `me` sees it."""
    value, first = read_bits(word, column), column.first_seat
    if first >= 0 and first <= value < first + players:
        value -= me
        if value < first:
            value += players
    value = min(max(value, column.low), column.high)
    return codes[column.codes + value - column.low]


@use_vectors
@rule
def add_rows(row, other, total):
    for unit in range(row.shape[0]):
        total[unit] = np.int32(row[unit]) + np.int32(other[unit])


@use_vectors
@rule
def replace_rows(sums, weights, changes, n):
    """Take the rows of n features away from the sums and add others. One call for all changes: calls cost
    more than the sums.
    """
    for change in range(n):
        row, other = weights[changes[change, 0]], weights[changes[change, 1]]
        for unit in range(sums.shape[0]):
            sums[unit] += np.int32(other[unit]) - np.int32(row[unit])


@rule
def update_sums(world, me, net, scratch):
    """Add up the features of a position, from what has changed since the last one that this seat rated."""
    memory, n = scratch.net, 0
    size, columns, codes = memory.sizes[net], memory.columns[net, me], memory.codes[net]
    sums, weights, starts = memory.last_sums[net, me], memory.weights[net], memory.starts[net, me]
    words, last_words, active = memory.longs[world], memory.last_words[net, me], memory.active[net, me]
    is_first = active[0] == UNREAD
    if is_first:
        add_rows(weights[ALWAYS], weights[NO_FEATURE], sums)
        active[:] = NO_FEATURE
    for place in range(size.words):
        word = memory.words[net, place]
        changed = words[word] ^ last_words[word]
        if is_first or changed != 0:
            last_words[word] = words[word]
            for index in range(starts[place], starts[place + 1]):
                if is_first or changed & columns[index].bits != 0:
                    feature = read_feature(words[word], columns[index], me, size.players, codes)
                    if feature != active[index]:
                        memory.changes[n, 0], memory.changes[n, 1] = active[index], feature
                        active[index] = feature
                        n += 1
    replace_rows(sums, weights, memory.changes, n)


@rule
def rate_position(world, feature, me, evaluation, net, scratch):
    """What the net thinks of a world for a seat. `feature` is that of the action that led there, NO_FEATURE
    if none counts; `evaluation` is the seat's, if it is known, else UNKNOWN.
    """
    memory = scratch.net
    update_sums(world, me, net, scratch)
    read_numbers(world, me, evaluation, net, scratch)
    return compute_output(
        memory.last_sums[net, me],
        memory.weights[net, feature],
        memory.number_weights[net, : memory.sizes[net].numbers],
        memory.inputs,
        memory.outputs[net],
        memory.sums,
    )


@rule
def read_numbers(world, me, evaluation, net, scratch):
    """Write evaluations and scores into `inputs`, as multiples of their spread. `evaluation` is the seat's
    own, or UNKNOWN.
    """
    memory = scratch.net
    state, players = scratch.worlds[world], memory.sizes[net].players
    for index in range(memory.sizes[net].numbers):
        number = memory.numbers[net, index]
        seat = me + number.relative
        if seat >= players:
            seat -= players
        if number.what == SCORE:
            value = int(score(state, seat))
        elif seat == me and evaluation != UNKNOWN:
            value = int(evaluation)
        else:
            value = int(evaluate(state, seat))
        scaled = ((value - number.middle) * number.multiplier) >> SCALE_BITS
        memory.inputs[index] = min(max(scaled, -LIMIT), LIMIT)


@use_vectors
@rule
def compute_output(features, action, numbers, inputs, outputs, sums):
    """Add the row of an action and rows of numbers, times their size, to the sum of a position's features.
    The first unit is linear, the others are cut off below 0. All in one call: calls cost more than the sums.
    """
    for unit in range(sums.shape[0]):
        sums[unit] = features[unit] + np.int32(action[unit])
    for index in range(numbers.shape[0]):
        row, factor = numbers[index], np.int32(inputs[index])
        for unit in range(sums.shape[0]):  # the product of two fractions has twice the bits behind the point
            sums[unit] += (factor * np.int32(row[unit])) >> ONE_BITS
    value = int(sums[0]) * int(outputs[0])
    for unit in range(1, sums.shape[0]):
        value += max(int(sums[unit]), 0) * int(outputs[unit])
    return value
