"""Celtica, what may be done. A § is a section of RULES.md."""

from boardgames import rule
from variants.celtica import codes
from variants.celtica.topics.ending import exchanges, parts_to_return
from variants.celtica.topics.pieces import total
from variants.celtica.topics.places import cult_choices, parts_to_give, parts_to_take


@rule
def legal(state, actions):
    if state.phase == codes.MOVE:
        return plays(state, actions)
    if state.phase == codes.TAKING:
        return parts_to_take(state, actions)
    if state.phase == codes.GIVING:
        return parts_to_give(state, actions)
    if state.phase == codes.CULT:
        return cult_choices(state, actions)
    if state.phase == codes.SWAPPING:
        return parts_to_return(state, actions)
    return exchanges(state, actions)


@rule
def plays(state, actions):
    """§3.1. Cards of one colour; under a duty (§4.6) of that colour."""
    hand, experience, duty, n = (
        state.hand[state.turn_owner],
        state.experience[state.turn_owner],
        state.due[state.turn_owner],
        0,
    )
    for colour in range(codes.COLOURS):
        if hand[colour] + experience[colour] > 0 and (duty == 0 or duty == 1 + colour):
            n = plays_of(state, colour, int(hand[colour]), int(experience[colour]), actions, n)
    return n


@rule
def plays_of(state, colour, held, experience, actions, n):
    """§3.1. Druid and experience cards, together or alone; no experience cards alone under a duty or where it
    is forbidden.
    """
    most, place, goal = int(most_cards(state, colour)), int(state.position[colour]), int(state.rules.goal)
    alone = experience > 0 and state.rules.experience_alone and state.due[state.turn_owner] == 0
    for druids in range(0 if alone else 1, min(most, held) + 1):
        added = experience if can_add_experience(state, druids) else 0
        for cards in range(max(1, druids), min(most, druids + added) + 1):
            # Where it leads is part of the action's number, so that castles, say, are a group of actions.
            landing = codes.NOWHERE if place == goal else state.rules.place_kind[min(place + cards, goal)]
            of_colour = (colour * codes.DRUID_PLAYS + druids) * codes.EXPERIENCE_PLAYS + cards - druids
            actions[n] = codes.PLAY + of_colour * codes.LANDINGS + landing
            n += 1
    return n


@rule
def can_add_experience(state, druids):
    """§3.1. Always; in the narrower reading only while a druid card is left in the hand."""
    return state.rules.experience_with_last_card > 0 or druids < total(state.hand[state.turn_owner])


@rule
def most_cards(state, colour):
    """§3.1, §3.2, §3.3. How many cards may be played at once for this druid; never less than one."""
    most = state.rules.most_cards
    steps = state.rules.goal - state.position[colour]
    if steps == 0:
        return min(most, state.rules.most_cards_home)
    return min(most, steps) if state.rules.overshoot == codes.EXACT else most
