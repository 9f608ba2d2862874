"""Celtae, what a seat cannot see. A § names a section of RULES.md."""

import numpy as np

from boardgames import rule
from variants.celtae import codes
from variants.celtae.topics.cards import draw_card
from variants.celtae.topics.counts import one, total


@rule
def resample(state, me):
    """§9.1. Unseen are the deck and the cards that came unseen to the others; the sizes of their hands
    stay.
    """
    missing = np.zeros(codes.SEATS, np.int64)
    for seat in range(state.players):
        if seat != me:
            unknown = int(state.hand[seat]) - int(state.known[seat])
            missing[seat] = total(unknown)
            state.deck += unknown
            state.hand[seat] = state.known[seat]
    for seat in range(state.players):
        for _ in range(missing[seat]):
            state.hand[seat] += one(draw_card(state))
