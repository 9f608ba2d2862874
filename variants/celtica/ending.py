"""How Celtica ends: a turn, a round, the match with its exchange of experience cards; and who has won. A § is in RULES.md."""

import numpy as np

from boardgames import begin_turn, next_seat, rule
from variants.celtica.codes import (
    AFTER_LAST,
    AFTER_PART,
    AFTER_TURN,
    ALL_HOME,
    BUY,
    BY_ROUND,
    COLOURS,
    DONE,
    EXCHANGE,
    KINDS,
    LAST,
    MOVE,
    NO_PARTS,
    PART_COPIES,
    PARTS_SWAPPED,
    RETURN,
    SWAP,
    SWAPPING,
    TO_DISPLAY,
)
from variants.celtica.pieces import deal, refill, spend, take_part, total

# What an amulet's worth of standing is: one digit for the size of each amulet, the first amulet's in front. (§6.4)
STANDING = np.array([sum(10 ** (PART_COPIES - k) for k in range(1, held + 1)) for held in range(PART_COPIES + 1)])

# What parts of one kind are worth, in thousandths of the first: each further one three quarters of the one before.
PROGRESS = np.array([sum(1000 * 3**k // 4**k for k in range(held)) for held in range(PART_COPIES + 1)])
EXPERIENCE_WORTH = 400  # two of them buy a part after the end


@rule
def end_turn(state):
    """§4.2, §6.1. The action is finished and the display refilled; only then does anything end."""
    refill(state, AFTER_TURN)
    state.phase = MOVE
    reason, seat = end_reached(state), next_with_cards(state)
    if reason > 0:
        finish(state, reason)
    elif seat >= 0:
        begin_turn(state, seat)
    else:
        next_round(state)


@rule
def end_reached(state):
    """§6.1. Why the match is over, or 0."""
    home = druids_home(state)
    if total(state.display) == 0:
        return NO_PARTS
    if home == COLOURS:
        return ALL_HOME
    return BY_ROUND if home >= state.rules.last_round and next_with_cards(state) < 0 else 0


@rule
def druids_home(state):
    """§6.1. How many druids have reached the goal."""
    position, goal, home = state.position, state.rules.goal, 0
    for colour in range(COLOURS):
        home += position[colour] == goal
    return home


@rule
def next_with_cards(state):
    """§5.1. Clockwise, past all who have dropped out of the round; the last one left goes on alone. -1: the round is over."""
    seat = state.player
    for _ in range(state.seats):
        seat = next_seat(state, seat)
        if total(state.hand[seat]) > 0:
            return seat
    return -1


@rule
def next_round(state):
    """§5.2. New cards for all; the left neighbour of the player of the last turn begins, or who else the rules say."""
    deal(state)
    if state.rules.next_start == AFTER_LAST:
        state.starter = next_seat(state, state.player)
    elif state.rules.next_start == LAST:
        state.starter = state.player
    else:
        state.starter = next_seat(state, state.starter)
    begin_turn(state, state.starter)


# ---- the exchange


@rule
def finish(state, reason):
    """§6.1. Druid cards are laid aside; then all may exchange, beginning left of the player of the last turn."""
    for seat in range(state.seats):
        state.due[seat] = 0
        state.drew[seat] = 0
        for colour in range(COLOURS):
            state.druid_discard[colour] += state.hand[seat, colour]
            state.hand[seat, colour] = 0
    state.reason = reason
    state.unasked = state.seats
    next_exchange(state)


@rule
def next_exchange(state):
    """§6.2. Once round; whoever can do nothing is not asked. Then the match is over."""
    seat = state.player
    while state.unasked > 0:
        seat = next_seat(state, seat)
        state.unasked -= 1
        if can_exchange(state, seat):
            state.phase = EXCHANGE
            begin_turn(state, seat)
            return
    state.end = state.reason


@rule
def can_pay(state, seat, price):
    """§6.3. A price of 0 means that it is not offered."""
    return 0 < price <= total(state.experience[seat])


@rule
def can_exchange(state, seat):
    """§6.2, §6.3. Whether there is a part to buy, or one to swap for."""
    if can_pay(state, seat, state.rules.part_price):
        return total(state.display) > 0
    for kind in range(KINDS):
        if can_swap_for(state, seat, kind):
            return True
    return False


@rule
def can_swap_for(state, seat, kind):
    """§6.3. A displayed part, for one of another kind."""
    others = total(state.parts[seat]) - state.parts[seat, kind]
    return state.display[kind] > 0 and others > 0 and can_pay(state, seat, state.rules.swap_price)


@rule
def exchanges(state, actions):
    """§6.3. Swap, buy or be done, in any order."""
    seat, n = state.player, 0
    for kind in range(KINDS):
        if can_swap_for(state, seat, kind):
            actions[n] = SWAP + kind
            n += 1
        if state.display[kind] > 0 and can_pay(state, seat, state.rules.part_price):
            actions[n] = BUY + kind
            n += 1
    actions[n] = DONE
    return n + 1


@rule
def exchange(state, action):
    """§6.2, §6.3. The display is refilled only when the player is done, or can do no more."""
    if action < RETURN:
        swap_for(state, action - SWAP)
        return
    if action < BUY:
        give_in_return(state, action - RETURN)
    elif action < DONE:
        buy(state, action - BUY)
    if action == DONE or not can_exchange(state, state.player):
        refill(state, AFTER_TURN)
        next_exchange(state)


@rule
def swap_for(state, kind):
    """§6.3. First the part he wants; then he says what he gives for it."""
    spend(state, state.player, state.rules.swap_price)
    state.display[kind] -= 1
    state.parts[state.player, kind] += 1
    state.tally[state.player, PARTS_SWAPPED] += 1
    state.wanted = kind
    state.phase = SWAPPING


@rule
def parts_to_return(state, actions):
    """§6.3. Any of another kind, out of complete amulets too."""
    n = 0
    for kind in range(KINDS):
        if state.parts[state.player, kind] > 0 and kind != state.wanted:
            actions[n] = RETURN + kind
            n += 1
    return n


@rule
def give_in_return(state, kind):
    """§6.3. It goes to where the other one lay; in one variant, out of sight."""
    state.phase = EXCHANGE
    state.parts[state.player, kind] -= 1
    if state.rules.swapped_part == TO_DISPLAY:
        state.display[kind] += 1
    else:
        state.given_up[kind] += 1
    refill(state, AFTER_PART)


@rule
def buy(state, kind):
    """§6.3."""
    spend(state, state.player, state.rules.part_price)
    take_part(state, state.player, kind)
    refill(state, AFTER_PART)


# ---- who has won


@rule
def score(state, seat):
    """§6.4. Complete amulets: as many as there are parts of the rarest kind."""
    parts = state.parts[seat]
    complete = parts[0]
    for kind in range(1, KINDS):
        complete = min(complete, parts[kind])
    return int(complete)


@rule
def standing(state, seat):
    """§6.4. The sizes of all amulets, the largest first, as the digits of a number: complete ones are the nines in front."""
    parts, sizes = state.parts[seat], 0
    for kind in range(KINDS):
        sizes += STANDING[parts[kind]]
    return sizes


@rule
def outlook(state, seat):
    """How far along the amulets are: further parts of a kind bring less and less; experience cards help while they can be used."""
    parts = state.parts[seat]
    progress = EXPERIENCE_WORTH * total(state.experience[seat]) if can_still_use_experience(state, seat) else 0
    for kind in range(KINDS):
        progress += PROGRESS[parts[kind]]
    return progress


@rule
def can_still_use_experience(state, seat):
    """Until the exchange has come to this seat: after that, only what the cards were exchanged for counts."""
    return state.phase < EXCHANGE or 0 < (seat - state.player) % state.seats <= state.unasked


@rule
def is_turn_uncertain(state):
    """§4.2. What is drawn in a turn is of use in a later one, unless the display is refilled between two parts."""
    return state.rules.refill == AFTER_PART
