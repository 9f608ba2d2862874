"""Celtica, what a seat cannot see. A § is a section of RULES.md."""

from boardgames import draw, rule
from variants.celtica import codes


@rule
def resample(state, me):
    """§7. Hands are hidden but for their sizes. A player counts cards; what was drawn under a duty is hidden
    as well.
    """
    for seat in range(state.players):
        if seat != me:
            put_back(state.druid_deck, state.hand[seat])
            put_back(state.experience_deck, state.experience[seat])
    for seat in range(state.players):
        if seat != me:
            deal_anew(state, codes.DRUIDS, state.druid_deck, state.hand[seat])
            deal_anew(state, codes.EXPERIENCE, state.experience_deck, state.experience[seat])
            if state.drew[seat] > 0:
                state.due[seat] = 1 + some_card(state, codes.DRUIDS, state.hand[seat])


@rule
def put_back(deck, hand):
    """A hand goes back to the deck; its size is noted where its first colour was."""
    size = 0
    for colour in range(codes.COLOURS):
        deck[colour] += hand[colour]
        size += hand[colour]
        hand[colour] = 0
    hand[0] = size


@rule
def deal_anew(state, stream, deck, hand):
    """As many cards as were noted."""
    size = hand[0]
    hand[0] = 0
    for _ in range(size):
        hand[draw(state, stream, deck)] += 1


@rule
def some_card(state, stream, hand):
    """Any card of a hand may be the one that was drawn last."""
    colour = draw(state, stream, hand)
    hand[colour] += 1
    return colour
