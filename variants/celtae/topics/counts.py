"""Counts of several kinds in one number, four bits for each kind: cards of a hand, workers of a tribe, disks
on citadels.

A choice of several equal-ranking things is made in the order of their kinds, so that no choice comes in two
orders.
"""

from boardgames import random_below, rule
from variants.celtae import codes

PAIRS = 0x0F0F0F0F0F0F


@rule
def count(counts, kind):
    """The number of this kind."""
    return (int(counts) >> (codes.BITS * int(kind))) & codes.DIGIT


@rule
def one(kind):
    """One of this kind: to be added or taken away."""
    return 1 << (codes.BITS * int(kind))


@rule
def total(counts):
    """How many of all kinds together, of up to twelve: neighbours are added up, then the sums."""
    pairs = (int(counts) & PAIRS) + ((int(counts) >> codes.BITS) & PAIRS)
    pairs += pairs >> 24
    return (pairs & 255) + ((pairs >> 8) & 255) + ((pairs >> 16) & 255)


@rule
def kinds(counts):
    """A bit, four bits apart, for each kind of which there is any."""
    counts = int(counts)
    return (counts | (counts >> 1) | (counts >> 2) | (counts >> 3)) & 0x111111111111


@rule
def covers(counts, needed):
    """Whether there are as many as needed of each of the first four kinds."""
    for kind in range(codes.PLAIN_WORKERS):
        if count(counts, kind) < count(needed, kind):
            return False
    return True


@rule
def ways_to_choose(counts, owed, first, actions):
    """Write the kinds that may be chosen next if `owed` are to be chosen in rising order; returns their
    number.
    """
    left, kind, n = int(counts), 0, 0
    rest = total(left)
    while left > 0 and rest >= owed:
        copies = left & codes.DIGIT
        actions[n] = first + kind
        n += copies > 0
        rest -= copies
        left >>= codes.BITS
        kind += 1
    return n


@rule
def kinds_from(payable, kind):
    """What may be chosen after this kind: the same again, or later kinds."""
    return int(payable) & -one(kind)


@rule
def pick(state, stream, bits):
    """The index of a random bit out of a set of bits."""
    bits, n = int(bits), 0
    rest = bits
    while rest > 0:
        rest &= rest - 1
        n += 1
    for _ in range(random_below(state, stream, n)):
        bits &= bits - 1
    index = 0
    while (bits >> index) & 1 == 0:
        index += 1
    return index
