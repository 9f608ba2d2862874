"""Keltis, what a seat cannot see. A § names the section of RULES.md."""

import numpy as np

from boardgames import draw, rule
from variants.keltis import codes
from variants.keltis.topics.cards import copies, hold


@rule
def resample(state, me):
    """§6.1. Unseen are the pile, the cards in the box and what came unseen to the others; the sizes of their
    hands stay.
    """
    missing = np.zeros(codes.SEATS, np.int64)
    for seat in range(state.players):
        if seat != me:
            missing[seat] = give_back_unknown(state, seat)
    for seat in range(state.players):
        for _ in range(missing[seat]):
            hold(state, seat, draw(state, codes.DECK, state.deck))


@rule
def give_back_unknown(state, seat):
    """Put the cards of a hand that were drawn unseen back into the deck. Returns their number."""
    hand, held, before, copy = state.hand[seat], int(state.held[seat]), -1, 0
    state.held[seat] = 0
    for index in range(held):
        card = hand[index]
        copy = copy + 1 if card == before else 0
        before = card
        hand[index] = 0
        if copy < copies(state.known[seat, card // codes.VALUES], card % codes.VALUES):
            hold(state, seat, card)
        else:
            state.deck[card] += 1
    return held - state.held[seat]
