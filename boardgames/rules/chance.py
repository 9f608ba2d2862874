"""Chance: numbers that depend on a key and a step, never on what was drawn before from another source.

A state carries one key and one step per named stream. All arithmetic is int64 masked to 32 bits, so that
compiled and uncompiled runs agree and nothing overflows. One draw is one step, whatever its range: a rule
that asks for more never shifts the next number.
"""

import numpy as np

from boardgames.rules.rulecode import rule

LOW = 0xFFFFFFFF
HIGH = 0x7FFFFFFF


@rule
def scramble(x):
    """A bijection of 32-bit numbers: each bit of the input flips about half of the output. Both factors are
    below 2**31.
    """
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & LOW
    x = ((x ^ (x >> 15)) * 0x735A2D97) & LOW
    return x ^ (x >> 15)


@rule
def fold(key, number):
    """A new 63-bit key from a key and a number below 2**63. Different numbers give different keys (except for
    one bit in 63).
    """
    key = int(key)
    number = int(number)
    low = scramble((key >> 32) ^ (number & LOW))
    high = scramble((key & LOW) ^ low ^ (number >> 32))
    return ((high & HIGH) << 32) | low


@rule
def random_number(key, step, n):
    """The step-th number of a key's sequence, in 0 .. n - 1. Multiplication needs no rejection, so it takes
    exactly one step.
    """
    key = int(key)
    low = scramble((key & LOW) ^ ((int(step) * 0x61C88647) & LOW))
    return (scramble(low ^ (key >> 32)) * int(n)) >> 32


@rule
def random_below(state, stream, n):
    """Draw a number in 0 .. n - 1 from a stream of the state."""
    number = random_number(state.stream_key[stream], state.stream_step[stream], n)
    state.stream_step[stream] += 1
    return number


@rule
def rekey(state, key):
    """Give every stream a new future."""
    for stream in range(len(state.stream_key)):
        state.stream_key[stream] = fold(key, stream + 1)
        state.stream_step[stream] = 0


@rule
def draw(state, stream, counts):
    """Take a random card out of a deck of counts by kind. Returns its kind, or -1 if the deck is empty."""
    total = counts.sum()
    if total == 0:
        return -1
    left = random_below(state, stream, total)
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


@rule
def draw_or_reshuffle(state, stream, counts, discards):
    """Take a random card; an empty deck is first refilled from the discards. Returns -1 if both are empty."""
    if counts.sum() == 0:
        for kind in range(len(counts)):
            counts[kind] = discards[kind]
            discards[kind] = 0
    return draw(state, stream, counts)


@rule
def shuffle(state, stream, cards):
    """Put an array into random order."""
    for last in range(len(cards) - 1, 0, -1):
        other = random_below(state, stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@rule
def stable_shuffle(state, stream, cards):
    """Shuffle a deck whose composition is a parameter: each card has its own number, so the others keep their
    order.

    `cards` comes sorted by kind. The copies of a kind are counted, so that removing a card or adding a kind
    leaves the others in the same order.
    """
    key = fold(state.stream_key[stream], state.stream_step[stream])
    state.stream_step[stream] += 1
    weights = np.empty(len(cards), np.int64)
    copy = 0
    for index in range(len(cards)):
        card = cards[index]
        copy = copy + 1 if index > 0 and card == cards[index - 1] else 0
        weights[index] = random_number(fold(key, card), copy, HIGH)
    for last in range(1, len(cards)):
        card, weight, index = cards[last], weights[last], last
        while index > 0 and weights[index - 1] > weight:
            cards[index], weights[index] = cards[index - 1], weights[index - 1]
            index -= 1
        cards[index], weights[index] = card, weight
