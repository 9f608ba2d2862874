"""Celtica, how well a seat is doing, and whether luck matters before the end of its turn. A § is a section of
RULES.md.

benchmarks/tune_evaluations.py found the constants; benchmarks/evaluations.md tells how they did.
"""

import numpy as np

from boardgames import rule
from variants.celtica import codes
from variants.celtica.topics.pieces import total

# All worths are in thousandths of the first part of a kind. A further part of that kind is worth three
# quarters of the one before.
PROGRESS = np.array([sum(1000 * 3**k // 4**k for k in range(held)) for held in range(codes.PART_COPIES + 1)])
EXPERIENCE_WORTH = 1200  # it moves a druid, lets one wait for others, and helps to buy parts at the end
CARD_WORTH = 800  # each druid card is one more stop; a leap spends several for one

# what a stop brings
PART_FOUND = 1000  # mostly the first or second of its kind
PART_LOST = 700  # one gives up what is needed least
CULT_STOP = 1000  # a card, and time while others enter the ruins

GIFT = 10  # sixteenths of the stop ahead of a druid that one loses by leaving it to the others


@rule
def evaluate(state, seat):
    """How far along the amulets are, what cards will do for them, and what others find ahead of druids."""
    if not can_still_use_experience(state, seat):
        return rate_parts(state, seat)
    worth = rate_parts(state, seat) + EXPERIENCE_WORTH * int(total(state.experience[seat]))
    if state.phase < codes.EXCHANGE:
        worth += CARD_WORTH * int(total(state.hand[seat]))
        worth -= (GIFT * rate_next_stops(state)) >> 4
    return worth


@rule
def rate_parts(state, seat):
    """Further parts of a kind bring less and less."""
    parts, progress = state.parts[seat], 0
    for kind in range(codes.KINDS):
        progress += PROGRESS[parts[kind]]
    return progress


@rule
def rate_next_stops(state):
    """What lies one step ahead of the druids. They belong to nobody, so whoever moves next may have it: a
    castle is a gift, a ruin is not.
    """
    position, goal, worth = state.position, state.rules.goal, 0
    for colour in range(codes.COLOURS):
        if position[colour] < goal:
            worth += rate_stop(state, position[colour] + 1)
    return worth


@rule
def rate_stop(state, place):
    """What it brings to stop at a place."""
    kind, parts = state.rules.place_kind[place], int(state.rules.place_parts[place])
    if kind == codes.RUIN:
        return EXPERIENCE_WORTH * int(state.rules.experience_per_ruin) - PART_LOST * parts
    if kind == codes.CULT_SITE:
        return CULT_STOP
    if kind == codes.GOAL and state.rules.goal_pays == 0:
        return 0
    return PART_FOUND * parts


@rule
def can_still_use_experience(state, seat):
    """Until the exchange has come to this seat: after that, only what the cards were exchanged for counts."""
    return state.phase < codes.EXCHANGE or 0 < (seat - state.turn_owner) % state.players <= state.unasked


@rule
def is_turn_uncertain(state):
    """§4.2. What is drawn in a turn is of use in a later one, unless the display is refilled between two
    parts. The evaluation counts cards in hand and looks at no colours.
    """
    return state.rules.refill == codes.AFTER_PART
