"""The cards of Celtae: deck, discards, hands, the two markets, and what everybody knows of them. A § names a
section of RULES.md.

`known` is the part of a hand that all have seen arriving from a market.
"""

from boardgames import random_below, rule
from variants.celtae import codes
from variants.celtae.topics.counts import count, one, total


@rule
def lay_out_cards(state):
    """§1.10. Six cards in each market, then the hands, one card after another so that a larger hand begins
    alike.
    """
    for kind in range(codes.CARDS):
        state.deck += count(state.rules.icon_copies, kind % codes.ICONS) << (codes.BITS * kind)
    state.market[:] = codes.NONE
    for region in range(codes.REGIONS):
        refill(state, region)
    for _ in range(state.rules.starting_hand):
        for seat in range(state.players):
            state.hand[seat] += one(draw_card(state))


@rule
def draw_card(state):
    """§4.3. From the deck; an empty deck is made anew from the discards. NONE where both are empty."""
    if state.deck == 0:
        state.deck = state.discard
        state.discard = 0
    if state.deck == 0:
        return codes.NONE
    deck = int(state.deck)
    left, kind = random_below(state, codes.DECK_STREAM, total(deck)), 0
    while left >= deck & codes.DIGIT:
        left -= deck & codes.DIGIT
        deck >>= codes.BITS
        kind += 1
    state.deck -= one(kind)
    return kind


@rule
def refill(state, region):
    """§4.3. Cards slide towards the free space, then the gaps are filled from the deck; what is missing is
    missing at the end.
    """
    market, full = state.market[region], 0
    for slot in range(codes.SLOTS):
        kind = market[slot]
        if kind != codes.NONE:
            market[slot] = codes.NONE
            market[full] = kind
            full += 1
    for slot in range(full, codes.SLOTS):
        market[slot] = draw_card(state)


@rule
def take_from_market(state, seat, region, slot):
    """§4.2 and §9.2. Before the eyes of all."""
    kind = state.market[region, slot]
    state.market[region, slot] = codes.NONE
    state.hand[seat] += one(kind)
    state.known[seat] += one(kind)


@rule
def discard(state, seat, kind):
    """§9.2. Whatever leaves a hand may have been a known card, so it counts as one."""
    state.hand[seat] -= one(kind)
    state.discard += one(kind)
    if count(int(state.known[seat]), kind) > 0:
        state.known[seat] -= one(kind)
