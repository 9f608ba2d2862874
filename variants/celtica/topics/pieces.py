"""Celtica's pieces: how cards and amulet parts change places. A § is a section of RULES.md.

Decks, hands, the display and the stock are kept as counts: by druid colour for cards, by kind for parts.
"""

from boardgames import draw_or_reshuffle, rule
from variants.celtica import codes


@rule
def total(counts):
    """How many pieces there are, of whatever kind."""
    pieces = 0
    for kind in range(len(counts)):
        pieces += counts[kind]
    return pieces


# ---- druid cards


@rule
def deal(state):
    """§2.2, §5.2. Beginning with seat 1. One by one, who is dealt six has the five they would have had, and
    one more.
    """
    one_by_one = state.rules.dealing == codes.ONE_BY_ONE
    for n in range(state.rules.hand_size * state.players):
        seat = n % state.players if one_by_one else n // state.rules.hand_size
        state.hand[seat, draw_druid_card(state)] += 1


@rule
def draw_druid_card(state):
    """§5.3. The colour drawn; whoever asks knows that not all druid cards are in hands."""
    return draw_or_reshuffle(state, codes.DRUIDS, state.druid_deck, state.druid_discard)


# ---- experience cards


@rule
def learn(state, seat):
    """§4.4, §5.3. What a ruin teaches; nothing if all experience cards are in hands."""
    for _ in range(state.rules.experience_per_ruin):
        colour = draw_or_reshuffle(state, codes.EXPERIENCE, state.experience_deck, state.experience_discard)
        if colour >= 0:
            state.experience[seat, colour] += 1
            state.tally[seat, codes.LEARNT] += 1


@rule
def spend(state, seat, cards):
    """§6.3. Any colours will do, and nobody draws experience any more: the first ones found are paid."""
    state.tally[seat, codes.SPENT] += cards
    for colour in range(codes.COLOURS):
        paid = min(cards, state.experience[seat, colour])
        state.experience[seat, colour] -= paid
        state.experience_discard[colour] += paid
        cards -= paid


# ---- amulet parts


@rule
def refill(state, moment):
    """§4.2. At the end of every turn, or already after every part or the last one of a turn, or only when
    nothing is displayed any more.
    """
    if state.rules.refill == codes.WHEN_EMPTY and total(state.display) > 0:
        return
    if moment == codes.AFTER_TURN or moment == state.rules.refill:
        fill_display(state)


@rule
def fill_display(state):
    """§4.2, §5.3. Up to its size, or until stock and given-up parts are used up."""
    for _ in range(state.rules.display_size - total(state.display)):
        kind = draw_or_reshuffle(state, codes.STOCK, state.stock, state.given_up)
        if kind < 0:
            return
        state.display[kind] += 1


@rule
def take_part(state, seat, kind):
    """§4.1, §6.3. From the display."""
    state.display[kind] -= 1
    state.parts[seat, kind] += 1
    state.tally[seat, codes.PARTS_GAINED] += 1


@rule
def give_up_part(state, seat, kind):
    """§4.3. Face down beside the stock; but everybody saw it."""
    state.parts[seat, kind] -= 1
    state.given_up[kind] += 1
    state.tally[seat, codes.PARTS_LOST] += 1
