"""How Celtica ends: a turn, a round, the match with its exchange of experience cards. A § is in RULES.md."""

from boardgames import begin_turn, next_seat, rule
from variants.celtica import codes
from variants.celtica.topics.pieces import deal, refill, spend, take_part, total


@rule
def end_turn(state):
    """§4.2, §6.1. The action is finished and the display refilled; only then does anything end."""
    if state.rules.refill != codes.AFTER_TAKING:
        refill(state, codes.AFTER_TURN)
    state.phase = codes.MOVE
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
        return codes.NO_PARTS
    if home == codes.COLOURS:
        return codes.ALL_HOME
    return codes.BY_ROUND if home >= state.rules.last_round and next_with_cards(state) < 0 else 0


@rule
def druids_home(state):
    """§6.1. How many druids have reached the goal."""
    position, goal, home = state.position, state.rules.goal, 0
    for colour in range(codes.COLOURS):
        home += position[colour] == goal
    return home


@rule
def next_with_cards(state):
    """§5.1. Clockwise, past all who have dropped out of the round; the last one left goes on alone. -1: the
    round is over.
    """
    seat = state.turn_owner
    for _ in range(state.players):
        seat = next_seat(state, seat)
        if total(state.hand[seat]) > 0:
            return seat
    return -1


@rule
def next_round(state):
    """§5.2. New cards for all; the left neighbour of the player of the last turn begins, or who else the
    rules say.
    """
    deal(state)
    if state.rules.next_start == codes.AFTER_LAST:
        state.starter = next_seat(state, state.turn_owner)
    elif state.rules.next_start == codes.LAST:
        state.starter = state.turn_owner
    else:
        state.starter = next_seat(state, state.starter)
    begin_turn(state, state.starter)


# ---- the exchange


@rule
def finish(state, reason):
    """§6.1. Druid cards are laid aside; then all may exchange, beginning left of the player of the last
    turn.
    """
    for seat in range(state.players):
        state.due[seat] = 0
        state.drew[seat] = 0
        for colour in range(codes.COLOURS):
            state.druid_discard[colour] += state.hand[seat, colour]
            state.hand[seat, colour] = 0
    state.reason = reason
    state.unasked = state.players
    next_exchange(state)


@rule
def next_exchange(state):
    """§6.2. Once round; whoever can do nothing is not asked. Then the match is over."""
    seat = state.turn_owner
    while state.unasked > 0:
        seat = next_seat(state, seat)
        state.unasked -= 1
        if can_exchange(state, seat):
            state.phase = codes.EXCHANGE
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
    for kind in range(codes.KINDS):
        if can_swap_for(state, seat, kind):
            return True
    return False


@rule
def can_swap_for(state, seat, kind):
    """§6.3. A displayed part; for one of another kind, unless the part given is out of sight afterwards."""
    to_give = total(state.parts[seat])
    if state.rules.swapped_part == codes.TO_DISPLAY:
        to_give -= state.parts[seat, kind]
    return state.display[kind] > 0 and to_give > 0 and can_pay(state, seat, state.rules.swap_price)


@rule
def exchanges(state, actions):
    """§6.3. Swap, buy or be done, in any order."""
    seat, n = state.turn_owner, 0
    for kind in range(codes.KINDS):
        if can_swap_for(state, seat, kind):
            actions[n] = codes.SWAP + kind
            n += 1
        if state.display[kind] > 0 and can_pay(state, seat, state.rules.part_price):
            actions[n] = codes.BUY + kind
            n += 1
    actions[n] = codes.DONE
    return n + 1


@rule
def exchange(state, action):
    """§6.2, §6.3. The display is refilled only when the player is done, or can do no more."""
    if action < codes.RETURN:
        swap_for(state, action - codes.SWAP)
        return
    if action < codes.BUY:
        give_in_return(state, action - codes.RETURN)
    elif action < codes.DONE:
        buy(state, action - codes.BUY)
    if action == codes.DONE or not can_exchange(state, state.turn_owner):
        refill(state, codes.AFTER_TURN)
        next_exchange(state)


@rule
def swap_for(state, kind):
    """§6.3. First the part he wants; then he says what he gives for it."""
    spend(state, state.turn_owner, state.rules.swap_price)
    state.display[kind] -= 1
    state.parts[state.turn_owner, kind] += 1
    state.tally[state.turn_owner, codes.PARTS_SWAPPED] += 1
    state.wanted = kind
    state.phase = codes.SWAPPING


@rule
def parts_to_return(state, actions):
    """§6.3. Any, out of complete amulets too; but not the very part just taken."""
    n = 0
    for kind in range(codes.KINDS):
        if parts_to_swap(state, kind) > 0:
            actions[n] = codes.RETURN + kind
            n += 1
    return n


@rule
def parts_to_swap(state, kind):
    """§6.3. How many of this kind were there before the swap. In the display the same kind again would only
    burn a card.
    """
    held = state.parts[state.turn_owner, kind]
    if kind != state.wanted:
        return held
    return held - 1 if state.rules.swapped_part == codes.TO_GIVEN_UP else 0


@rule
def give_in_return(state, kind):
    """§6.3. It goes to where the other one lay; in one variant, out of sight."""
    state.phase = codes.EXCHANGE
    state.parts[state.turn_owner, kind] -= 1
    if state.rules.swapped_part == codes.TO_DISPLAY:
        state.display[kind] += 1
    else:
        state.given_up[kind] += 1
    refill(state, codes.AFTER_PART)


@rule
def buy(state, kind):
    """§6.3."""
    spend(state, state.turn_owner, state.rules.part_price)
    take_part(state, state.turn_owner, kind)
    refill(state, codes.AFTER_PART)
