"""Celtica, what comes of an action. A § is a section of RULES.md."""

from boardgames import rule
from variants.celtica import codes
from variants.celtica.topics.ending import end_turn, exchange
from variants.celtica.topics.places import answer_cult, give, land_on, take


@rule
def apply(state, action):
    if action < codes.TAKE:
        cards = (action - codes.PLAY) // codes.LANDINGS
        colour, druids = (
            cards // codes.EXPERIENCE_PLAYS // codes.DRUID_PLAYS,
            cards // codes.EXPERIENCE_PLAYS % codes.DRUID_PLAYS,
        )
        play(state, colour, druids, cards % codes.EXPERIENCE_PLAYS)
    elif action < codes.GIVE:
        take(state, action - codes.TAKE)
    elif action < codes.DRAW_CARD:
        give(state, action - codes.GIVE)
    elif action < codes.SWAP:
        answer_cult(state, action)
    else:
        exchange(state, action)
    if state.phase == codes.TURN_OVER:
        end_turn(state)


@rule
def play(state, colour, druids, experience):
    """§3.1. The cards are discarded before anything happens, so that they are there for a reshuffle."""
    seat = state.turn_owner
    state.hand[seat, colour] -= druids
    state.druid_discard[colour] += druids
    state.experience[seat, colour] -= experience
    state.experience_discard[colour] += experience
    state.tally[seat, codes.MOVED_BY] += experience
    state.due[seat] = 0  # §4.6
    state.drew[seat] = 0
    move_druid(state, colour, druids + experience)


@rule
def move_druid(state, colour, steps):
    """§3.2, §3.3. The cards of a druid at the goal have no effect."""
    if state.position[colour] == state.rules.goal:
        state.tally[state.turn_owner, codes.WASTED] += steps
        state.phase = codes.TURN_OVER
    else:
        state.tally[state.turn_owner, codes.LEAPS] += steps > 1
        state.position[colour] = min(state.position[colour] + steps, state.rules.goal)
        land_on(state, state.position[colour])
