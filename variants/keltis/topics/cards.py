"""The cards of Keltis: how they move between draw pile, hands, columns and discard piles, and what all seats
know of them.

A hand is a sorted list, so that equal hands are equal bytes. `known` is the part of it that all have seen
arriving.
"""

from boardgames import draw, rule
from variants.keltis import codes


@rule
def deal(state):
    """§1.4. One card after another, so that a hand of another size begins with the same cards.

    The cards that go back into the box are the undermost ones of the pile. Nobody ever sees them, so they
    stay in the deck's counts, and only `left` says how many cards can be drawn: a variant with more or fewer
    of them has the same pile to draw from.
    """
    state.deck[:] = codes.COPIES
    state.fits[:] = codes.ANY_CARD
    state.left = codes.DECK_SIZE - state.rules.removed
    for _ in range(state.rules.hand_size):
        for seat in range(state.players):
            draw_unseen(state, seat)


@rule
def draw_unseen(state, seat):
    """§2.7."""
    state.left -= 1
    hold(state, seat, draw(state, codes.DECK, state.deck))


@rule
def hold(state, seat, card):
    """Insert a card into the sorted hand: the higher of two is carried on, up to the end."""
    hand = state.hand[seat]
    for index in range(state.held[seat]):
        other = hand[index]
        hand[index] = min(other, card)
        card = max(other, card)
    hand[state.held[seat]] = card
    state.held[seat] += 1


@rule
def let_go(state, seat, card):
    """§6.2. Whatever leaves a hand may have been a known card, so it counts as one."""
    hand, found = state.hand[seat], 0
    state.held[seat] -= 1
    for index in range(state.held[seat]):
        found |= hand[index] == card
        hand[index] = hand[index + found]
    hand[state.held[seat]] = 0
    path, value = card // codes.VALUES, card % codes.VALUES
    if copies(state.known[seat, path], value) > 0:
        state.known[seat, path] = without(state.known[seat, path], value)


@rule
def copies(cards, value):
    """The number of cards of this value among cards of one colour."""
    return ((int(cards) >> int(value)) & 1) + ((int(cards) >> (codes.VALUES + int(value))) & 1)


@rule
def with_one(cards, value):
    """Cards of one colour and one more of this value, of which there are none or one."""
    return int(cards) | (1 << (int(value) + codes.VALUES * copies(cards, value)))


@rule
def without(cards, value):
    """Cards of one colour and one less of this value, of which there are one or two."""
    return int(cards) ^ (1 << (int(value) + codes.VALUES * (copies(cards, value) - 1)))


@rule
def put_on_pile(state, seat, card):
    """§2.2. Face up on the pile of its colour."""
    let_go(state, seat, card)
    path = card // codes.VALUES
    state.pile[path, state.height[path]] = card % codes.VALUES
    state.height[path] += 1


@rule
def take_from_pile(state, seat, path):
    """§2.7 and §6.2. The uppermost card, before the eyes of all."""
    state.height[path] -= 1
    value = state.pile[path, state.height[path]]
    state.pile[path, state.height[path]] = 0
    state.known[seat, path] = with_one(state.known[seat, path], value)
    hold(state, seat, path * codes.VALUES + value)


@rule
def lay_in_column(state, seat, card):
    """§2.3. The same value may always follow; the second value decides whether the column rises or falls."""
    let_go(state, seat, card)
    path, value = card // codes.VALUES, int(card % codes.VALUES)
    laid = int(state.column[seat, path]) & codes.ANY_VALUE
    state.column[seat, path] = with_one(state.column[seat, path], value)
    if laid % (1 << value) > 0 or state.rules.order == codes.ASCENDING:  # something lower lies there
        allow(state, seat, path, (codes.ANY_VALUE >> value) << value)
    elif laid >= 2 << value:  # something higher
        allow(state, seat, path, (2 << value) - 1)


@rule
def allow(state, seat, path, values):
    """Only these values may follow in a column."""
    first = codes.VALUES * int(path)
    state.fits[seat] = (int(state.fits[seat]) & ~(codes.ANY_VALUE << first)) | (values << first)
