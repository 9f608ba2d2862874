"""Celtica (Wolfgang Kramer and Michael Kiesling, Ravensburger 2006): set-up, turns, and what is hidden. A § is in RULES.md."""

from boardgames import begin_turn, draw, rule
from variants.celtica.codes import (
    COLOURS,
    CULT,
    DRAW_CARD,
    DRUID_PLAYS,
    DRUIDS,
    EXACT,
    EXPERIENCE,
    EXPERIENCE_PLAYS,
    GIVE,
    GIVING,
    LANDINGS,
    LEAPS,
    MOVE,
    MOVED_BY,
    NOWHERE,
    PLAY,
    SWAP,
    SWAPPING,
    TAKE,
    TAKING,
    TURN_OVER,
    WASTED,
)
from variants.celtica.ending import end_turn, exchange, exchanges, parts_to_return
from variants.celtica.pieces import deal, lay_out, open_parts
from variants.celtica.places import answer_cult, cult_choices, give, land_on, parts_to_give, parts_to_take, take


@rule
def setup(state):
    """§2.1, §2.2. All druids are on the start, which is place 0."""
    lay_out(state)
    open_parts(state)
    deal(state)
    begin_turn(state, 0)


@rule
def legal(state, actions):
    if state.phase == MOVE:
        return plays(state, actions)
    if state.phase == TAKING:
        return parts_to_take(state, actions)
    if state.phase == GIVING:
        return parts_to_give(state, actions)
    if state.phase == CULT:
        return cult_choices(state, actions)
    if state.phase == SWAPPING:
        return parts_to_return(state, actions)
    return exchanges(state, actions)


@rule
def apply(state, action):
    if action < TAKE:
        cards = (action - PLAY) // LANDINGS
        colour, druids = cards // EXPERIENCE_PLAYS // DRUID_PLAYS, cards // EXPERIENCE_PLAYS % DRUID_PLAYS
        play(state, colour, druids, cards % EXPERIENCE_PLAYS)
    elif action < GIVE:
        take(state, action - TAKE)
    elif action < DRAW_CARD:
        give(state, action - GIVE)
    elif action < SWAP:
        answer_cult(state, action)
    else:
        exchange(state, action)
    if state.phase == TURN_OVER:
        end_turn(state)


# ---- a turn


@rule
def plays(state, actions):
    """§3.1. Cards of one colour; under a duty (§4.6) of that colour."""
    hand, experience, duty, n = state.hand[state.player], state.experience[state.player], state.due[state.player], 0
    for colour in range(COLOURS):
        if hand[colour] + experience[colour] > 0 and (duty == 0 or duty == 1 + colour):
            n = plays_of(state, colour, int(hand[colour]), int(experience[colour]), actions, n)
    return n


@rule
def plays_of(state, colour, held, experience, actions, n):
    """§3.1. Druid and experience cards, together or alone; no experience cards alone under a duty or where it is forbidden."""
    most, place, goal = int(most_cards(state, colour)), int(state.position[colour]), int(state.rules.goal)
    alone = experience > 0 and state.rules.experience_alone and state.due[state.player] == 0
    for druids in range(0 if alone else 1, min(most, held) + 1):
        for cards in range(max(1, druids), min(most, druids + experience) + 1):
            # Where it leads is part of the action's number, so that castles, say, are a group of actions.
            landing = NOWHERE if place == goal else state.rules.place_kind[min(place + cards, goal)]
            of_colour = (colour * DRUID_PLAYS + druids) * EXPERIENCE_PLAYS + cards - druids
            actions[n] = PLAY + of_colour * LANDINGS + landing
            n += 1
    return n


@rule
def most_cards(state, colour):
    """§3.1, §3.2, §3.3. How many cards may be played at once for this druid; never less than one."""
    most = state.rules.most_cards
    steps = state.rules.goal - state.position[colour]
    if steps == 0:
        return min(most, state.rules.most_cards_home)
    return min(most, steps) if state.rules.overshoot == EXACT else most


@rule
def play(state, colour, druids, experience):
    """§3.1. The cards are discarded before anything happens, so that they are there for a reshuffle."""
    seat = state.player
    state.hand[seat, colour] -= druids
    state.druid_discard[colour] += druids
    state.experience[seat, colour] -= experience
    state.experience_discard[colour] += experience
    state.tally[seat, MOVED_BY] += experience
    state.due[seat] = 0  # §4.6
    state.drew[seat] = 0
    move_druid(state, colour, druids + experience)


@rule
def move_druid(state, colour, steps):
    """§3.2, §3.3. The cards of a druid at the goal have no effect."""
    if state.position[colour] == state.rules.goal:
        state.tally[state.player, WASTED] += steps
        state.phase = TURN_OVER
    else:
        state.tally[state.player, LEAPS] += steps > 1
        state.position[colour] = min(state.position[colour] + steps, state.rules.goal)
        land_on(state, state.position[colour])


# ---- what is hidden


@rule
def imagine(state, me):
    """§7. Hands are hidden but for their sizes. A player counts cards; what was drawn under a duty is hidden as well."""
    for seat in range(state.seats):
        if seat != me:
            put_back(state.druid_deck, state.hand[seat])
            put_back(state.experience_deck, state.experience[seat])
    for seat in range(state.seats):
        if seat != me:
            deal_anew(state, DRUIDS, state.druid_deck, state.hand[seat])
            deal_anew(state, EXPERIENCE, state.experience_deck, state.experience[seat])
            if state.drew[seat] > 0:
                state.due[seat] = 1 + some_card(state, DRUIDS, state.hand[seat])


@rule
def put_back(deck, hand):
    """A hand goes back to the deck; its size is noted where its first colour was."""
    size = 0
    for colour in range(COLOURS):
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
