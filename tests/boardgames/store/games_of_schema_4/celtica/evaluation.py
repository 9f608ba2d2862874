"""Celtica, how well a seat is doing, and whether luck matters before the end of its turn. A § is a section of
RULES.md.
"""

import numpy as np

from boardgames import rule
from variants.celtica import codes
from variants.celtica.topics.pieces import total

# What parts of one kind are worth, in thousandths of the first: each further one three quarters of the one
# before.
PROGRESS = np.array([sum(1000 * 3**k // 4**k for k in range(held)) for held in range(codes.PART_COPIES + 1)])
EXPERIENCE_WORTH = 400  # two of them buy a part after the end


@rule
def evaluate(state, seat):
    """How far along the amulets are: further parts of a kind bring less and less; experience cards help while
    they can be used.
    """
    parts = state.parts[seat]
    progress = (
        EXPERIENCE_WORTH * total(state.experience[seat]) if can_still_use_experience(state, seat) else 0
    )
    for kind in range(codes.KINDS):
        progress += PROGRESS[parts[kind]]
    return progress


@rule
def can_still_use_experience(state, seat):
    """Until the exchange has come to this seat: after that, only what the cards were exchanged for counts."""
    return state.phase < codes.EXCHANGE or 0 < (seat - state.turn_owner) % state.players <= state.unasked


@rule
def is_turn_uncertain(state):
    """§4.2. What is drawn in a turn is of use in a later one, unless the display is refilled between two
    parts.
    """
    return state.rules.refill == codes.AFTER_PART
