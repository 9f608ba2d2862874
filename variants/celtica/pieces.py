"""Celtica's pieces: how cards and amulet parts change places. A § is a section of RULES.md.

Decks, hands, the display and the stock are kept as counts: by druid colour for cards, by kind for parts.
"""

from boardgames import draw, draw_or_reshuffle, rule
from variants.celtica.codes import (
    AFTER_PART,
    AFTER_TURN,
    COLOURS,
    DRUID_COPIES,
    DRUIDS,
    EXPERIENCE,
    EXPERIENCE_COPIES,
    KINDS,
    LEARNT,
    MOST_STARTING_PARTS,
    PART_COPIES,
    PARTS_GAINED,
    PARTS_LOST,
    SPENT,
    STOCK,
    WHEN_EMPTY,
)


@rule
def total(counts):
    """How many pieces there are, of whatever kind."""
    pieces = 0
    for kind in range(len(counts)):
        pieces += counts[kind]
    return pieces


@rule
def lay_out(state):
    """§1.2, §1.3. All cards and parts lie ready, face down."""
    for colour in range(COLOURS):
        state.druid_deck[colour] = DRUID_COPIES
        state.experience_deck[colour] = EXPERIENCE_COPIES
    for kind in range(KINDS):
        state.stock[kind] = PART_COPIES


@rule
def open_parts(state):
    """§2.1. First the display, then the parts that the players begin with, one by one in turn."""
    fill_display(state)
    for already in range(MOST_STARTING_PARTS):
        for seat in range(state.seats):
            if already < state.rules.starting_parts[seat]:
                state.parts[seat, draw(state, STOCK, state.stock)] += 1


# ---- druid cards


@rule
def deal(state):
    """§2.2, §5.2. One by one in turn: who is dealt six has the five he would have had, and one more."""
    for _ in range(state.rules.hand_size):
        for seat in range(state.seats):
            state.hand[seat, draw_druid_card(state)] += 1


@rule
def draw_druid_card(state):
    """§5.3. The colour drawn; whoever asks knows that not all druid cards are in hands."""
    return draw_or_reshuffle(state, DRUIDS, state.druid_deck, state.druid_discard)


# ---- experience cards


@rule
def learn(state, seat):
    """§4.4, §5.3. What a ruin teaches; nothing if all experience cards are in hands."""
    for _ in range(state.rules.experience_per_ruin):
        colour = draw_or_reshuffle(state, EXPERIENCE, state.experience_deck, state.experience_discard)
        if colour >= 0:
            state.experience[seat, colour] += 1
            state.tally[seat, LEARNT] += 1


@rule
def spend(state, seat, cards):
    """§6.3. Any colours will do, and nobody draws experience any more: the first ones found are paid."""
    state.tally[seat, SPENT] += cards
    for colour in range(COLOURS):
        paid = min(cards, state.experience[seat, colour])
        state.experience[seat, colour] -= paid
        state.experience_discard[colour] += paid
        cards -= paid


# ---- amulet parts


@rule
def refill(state, moment):
    """§4.2. At the end of every turn, or after every part, or only when nothing is displayed any more."""
    if state.rules.refill == WHEN_EMPTY and total(state.display) > 0:
        return
    if moment == AFTER_TURN or state.rules.refill == AFTER_PART:
        fill_display(state)


@rule
def fill_display(state):
    """§4.2, §5.3. Up to its size, or until stock and given-up parts are used up."""
    for _ in range(state.rules.display_size - total(state.display)):
        kind = draw_or_reshuffle(state, STOCK, state.stock, state.given_up)
        if kind < 0:
            return
        state.display[kind] += 1


@rule
def take_part(state, seat, kind):
    """§4.1, §6.3. From the display."""
    state.display[kind] -= 1
    state.parts[seat, kind] += 1
    state.tally[seat, PARTS_GAINED] += 1


@rule
def give_up_part(state, seat, kind):
    """§4.3. Face down beside the stock; but everybody saw it."""
    state.parts[seat, kind] -= 1
    state.given_up[kind] += 1
    state.tally[seat, PARTS_LOST] += 1


def census(state):
    """How many there are of each card and each kind of part, wherever they are."""
    druids = state.druid_deck + state.druid_discard + state.hand.sum(axis=0)
    experience = state.experience_deck + state.experience_discard + state.experience.sum(axis=0)
    parts = state.stock + state.given_up + state.display + state.parts.sum(axis=0)
    named = {"druid cards": druids, "experience cards": experience, "amulet parts": parts}
    return {f"{name} of kind {kind + 1}": int(n) for name, counts in named.items() for kind, n in enumerate(counts)}
