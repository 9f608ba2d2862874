"""Celtae, a turn up to its action: the marker moves, progress is marked, an area is chosen; and how turns
end.

A § names a section of RULES.md.
"""

from boardgames import begin_turn, next_seat, rule
from variants.celtae import codes
from variants.celtae.topics.counts import count, kinds, one
from variants.celtae.topics.workers import refresh_area


@rule
def gain_strength(state, seat, strength):
    """§6.2. Never beyond the end of the track; the rest is lost."""
    gained = min(int(strength), int(state.rules.strength_cap) - int(state.strength[seat]))
    state.strength[seat] += gained
    state.tally[seat, codes.GAINED] += gained


@rule
def spend_strength(state, seat, strength):
    """§3.1, §3.5 and §6.3."""
    state.strength[seat] -= strength
    state.tally[seat, codes.LOST] += strength


@rule
def spend_token(state, seat):
    """§3.8."""
    state.tokens[seat] -= 1
    state.tally[seat, codes.TOKENS] += 1


# ---- the marker


@rule
def moves(state, actions):
    """§3.1. One or two stations, or three for three strength."""
    for steps in range(1, codes.LONG_MOVE + 1):
        actions[steps - 1] = codes.MOVE + steps
    return codes.LONG_MOVE if state.strength[state.turn_owner] >= codes.LONG_MOVE else codes.LONG_MOVE - 1


@rule
def move(state, steps):
    """§3.1 and §3.2."""
    if steps == 1:
        gain_strength(state, state.turn_owner, 1)
    elif steps == codes.LONG_MOVE:
        spend_strength(state, state.turn_owner, codes.LONG_MOVE)
        state.tally[state.turn_owner, codes.LONG_MOVES] += 1
    reached = int(state.station) + int(steps)
    state.station = reached % codes.STATIONS
    if reached >= codes.STATIONS and state.track > 0:
        state.actor = state.teutates
        state.phase = codes.PLACING_MARKER
    else:
        state.phase = codes.CHOOSING_AREA


@rule
def slots_for_marker(state, actions):
    """§3.2. Any progress card with an empty spot."""
    n = 0
    for slot in range(codes.PROGRESS_SLOTS):
        actions[n] = codes.PROGRESS + slot
        n += int((state.card[slot] != codes.NONE) & (state.markers[slot] < codes.SPOTS[slot]))
    return n


@rule
def mark_progress(state, slot):
    """§3.2. A marker from the track, before the area is chosen; the Teutates tile goes to the left."""
    state.markers[slot] += 1
    state.tally[state.actor, codes.MARKED] += 1
    if state.site != codes.ON_TRACK:
        state.site_marker[state.site] = 0
        state.site = codes.ON_TRACK
        return
    state.track -= 1
    state.teutates = next_seat(state, state.teutates)
    state.actor = state.turn_owner
    state.phase = codes.CHOOSING_AREA
    if state.track == codes.SIDES_AT and state.rules.leader_sides:
        state.actor = first_to_choose_side(state)
        state.phase = codes.CHOOSING_SIDE


@rule
def first_to_choose_side(state):
    """§3.3. The player whose turn it is; in one variant the start player."""
    return 0 if state.rules.sides_from == codes.FROM_START else state.turn_owner


@rule
def sides(state, actions):
    """§3.3."""
    actions[0] = codes.SIDE
    actions[1] = codes.SIDE + 1
    return 2


@rule
def choose_side(state, side):
    """§3.3. One after the other in turn order; for good, and open."""
    state.side[state.actor] = side
    state.tally[state.actor, codes.FLIPPED] += side
    state.actor = next_seat(state, state.actor)
    if state.actor == first_to_choose_side(state):
        state.actor = state.turn_owner
        state.phase = codes.CHOOSING_AREA


# ---- the area


@rule
def areas(state, actions):
    """§3.4. The two next to the marker; for a token any other."""
    first, second = codes.BESIDE[state.station, 0], codes.BESIDE[state.station, 1]
    actions[0] = codes.AREA + first
    actions[1] = codes.AREA + second
    n = 2
    if state.tokens[state.turn_owner] > 0:
        for area in range(codes.AREAS):
            actions[n] = codes.FAR_AREA + area
            n += int((area != first) & (area != second))
    return n


@rule
def region_of_action(state, area):
    """§3.4. The half of the board that the marker's station is in; in one variant, that of a northern or
    southern area.
    """
    if state.rules.token_region == codes.BY_AREA and area % 2 == codes.NORTH_AREA:
        return int(area == codes.SOUTH_AREA)
    return 1 - int(state.station) // 2


@rule
def choose_area(state, action):
    """§3.4."""
    if action >= codes.FAR_AREA:
        spend_token(state, state.turn_owner)
        state.tally[state.turn_owner, codes.FAR] += 1
    state.area = (action - codes.AREA) % codes.AREAS
    state.region = region_of_action(state, state.area)


@rule
def ways_to_refresh(state, actions):
    """§3.5. Once, or not at all."""
    actions[0] = codes.REFRESH
    actions[1] = codes.DONE
    return 2


@rule
def refresh(state):
    """§3.5."""
    spend_strength(state, state.turn_owner, 1)
    state.tally[state.turn_owner, codes.REFRESHES] += 1
    refresh_area(state, state.area)


@rule
def can_swap(state):
    """§3.6. Unless all six workers are of one kind."""
    present = kinds(int(state.active[state.turn_owner]) | int(state.ring[state.area]))
    return (present & (present - 1)) != 0


@rule
def swaps(state, actions):
    """§3.6. An active worker for one of another kind in the area, or none."""
    mine, there, n = int(state.active[state.turn_owner]), int(state.ring[state.area]), 0
    for given in range(codes.PLAIN_WORKERS):
        if (mine >> (codes.BITS * given)) & codes.DIGIT:
            for taken in range(codes.PLAIN_WORKERS):
                actions[n] = codes.SWAP + given * codes.PLAIN_WORKERS + taken
                n += int((taken != given) & (count(there, taken) > 0))
    actions[n] = codes.DONE
    return n + 1


@rule
def swap(state, swapped):
    """§3.6."""
    given, taken = one(swapped // codes.PLAIN_WORKERS), one(swapped % codes.PLAIN_WORKERS)
    state.active[state.turn_owner] += taken - given
    state.ring[state.area] += given - taken
    state.tally[state.turn_owner, codes.SWAPS] += 1


# ---- whose turn it is


@rule
def next_turn(state):
    """§2.1. After the round in which the track became empty, everybody plays some turns in a row, and the
    match is over.
    """
    seat, last = state.turn_owner, state.players - 1
    state.phase = codes.MOVING
    if state.final > 0 and state.final < state.rules.final_turns:
        state.final += 1
        begin_turn(state, seat)
    elif seat < last or state.track > 0:
        state.final = min(int(state.final), 1)
        begin_turn(state, next_seat(state, seat))
    elif state.final == 0 and state.rules.final_turns > 0:
        state.final = 1
        begin_turn(state, 0)
    else:
        state.end = codes.OVER
