"""Magpies, the cards: how they move between deck, meadow, beaks and nests, and who knows of them.

`known` is the part of a hand that everybody has seen arriving. A card that leaves a hand is taken for a known one if it can be:
that is all the others can be sure of.
"""

from boardgames import draw, draw_or_reshuffle, rule

COPIES = (10, 8, 6, 4, 2)
KINDS = len(COPIES)
CARDS = sum(COPIES)
DECK = 0  # stream


@rule
def deal(state):
    """§1. The deck is shuffled; each magpie gets a hand, and some seats a few cards more."""
    for kind in range(KINDS):
        state.deck[kind] = COPIES[kind]
    for seat in range(state.seats):
        for _ in range(state.rules.hand_size + state.rules.extra_cards[seat]):
            state.hand[seat, draw(state, DECK, state.deck)] += 1


@rule
def fly_out(state, seat):
    """§2a. Take a card of the deck unseen; when there is none, the meadow is shuffled to make a new deck."""
    if state.deck.sum() == 0:
        state.dropped_last = -1
    state.hand[seat, draw_or_reshuffle(state, DECK, state.deck, state.meadow)] += 1


@rule
def may_pick(state, kind):
    """§2b. Any card of the meadow, or only the one dropped last."""
    return state.meadow[kind] > 0 and (state.rules.pick == 0 or state.dropped_last == kind)


@rule
def pick_up(state, seat, kind):
    """§2b. A card of the meadow is taken before the eyes of all."""
    state.meadow[kind] -= 1
    state.dropped_last = -1
    gain_openly(state, seat, kind)


@rule
def gain_openly(state, seat, kind):
    state.hand[seat, kind] += 1
    state.known[seat, kind] += 1


@rule
def lose(state, seat, kind):
    """A card leaves a hand."""
    state.hand[seat, kind] -= 1
    state.known[seat, kind] = max(0, state.known[seat, kind] - 1)


@rule
def drop(state, seat, kind):
    """A card goes to the meadow, face up."""
    lose(state, seat, kind)
    state.meadow[kind] += 1
    state.dropped_last = kind


@rule
def weave(state, seat, kind):
    """§3a. A pair goes into the nest."""
    lose(state, seat, kind)
    lose(state, seat, kind)
    state.nest[seat, kind] += 1


@rule
def deal_anew(state, me):
    """What a magpie cannot see: the deck, and of the other hands all that nobody saw arriving. Their sizes stay."""
    unseen = state.hand.sum(axis=1) - state.known.sum(axis=1)
    for seat in range(state.seats):
        for kind in range(KINDS if seat != me else 0):
            state.deck[kind] += state.hand[seat, kind] - state.known[seat, kind]
            state.hand[seat, kind] = state.known[seat, kind]
    for seat in range(state.seats):
        for _ in range(unseen[seat] if seat != me else 0):
            state.hand[seat, draw(state, DECK, state.deck)] += 1


def count_cards(state):
    """Every card is in the deck, the meadow, a hand or, in pairs, a nest."""
    return {"cards": int(state.deck.sum() + state.meadow.sum() + state.hand.sum() + 2 * state.nest.sum())}
