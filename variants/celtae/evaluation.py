"""Celtae, evaluation: the points in reach, by a simple guess that greedy players can live by.

All weights stand here, in hundredths of a point. What is half done counts in part, so that a step towards
points is worth a step.
"""

import numpy as np

from boardgames import rule
from variants.celtae import codes
from variants.celtae.scoring import measure, score, tile_points
from variants.celtae.topics.counts import count, total

POINT = 100

# What is certain, or nearly so.
DISK = np.array([100, 80, 55, 45, 45])  # by the free spaces of its citadel
HOLE = 25  # a disk that has left the player's board
GARRISON_IN_LEAD, GARRISON_BEHIND, GARRISON_AT_ALL = 100, 45, 25
TRIBE_WORKER = 37  # up to the last number that scores
MARKER_UNMET, LEADER_UNMET = (
    60,
    70,
)  # percent of a condition's points while it is not fulfilled, by the part that is

# What helps to get more.
CARD, STRENGTH, TOKEN = 17, 14, 35
BUILD_CARD = 7  # a card of the colour that can be built soonest
FULL_HAND = 8  # cards beyond these are worth less
CARD_BEYOND = 9
WORK = np.array(
    [14, 16, 14, 9]
)  # a farmer, builder, soldier, noble in each turn to come; each further one is worth less
MOST_WORK = 6  # as many as there is use for
STEPS_A_TURN = 17  # tenths


@rule
def evaluate(state, seat):
    """Points that are there, points that are half there, and what brings points in the turns to come."""
    if state.end != 0:
        return POINT * score(state, seat)
    turns = turns_ahead(state)
    value = POINT * tile_points(state, seat) + worth_of_disks(state, seat) + worth_of_garrisons(state, seat)
    value += (
        worth_of_conditions(state, seat) + worth_of_workers(state, seat, turns) + worth_of_stock(state, seat)
    )
    if state.turn_owner == seat and codes.CHOOSING_CITADEL <= state.phase <= codes.PAYING_DRUID:
        value += worth_of_plans(state)
    return value


@rule
def turns_ahead(state):
    """How many turns each player may have before the end, with this one."""
    if state.final > 0:
        return int(state.rules.final_turns) + 1 - int(state.final)
    steps = codes.STATIONS * int(state.track) - int(state.station)
    return max(0, steps) * 10 // (STEPS_A_TURN * int(state.players)) + int(state.rules.final_turns) + 1


@rule
def worth_of_disks(state, seat):
    """Disks on citadels, complete or not, and the holes that they left."""
    disks, value = int(state.disks[seat]), 0
    for citadel in range(codes.CITADELS):
        value += (disks & codes.DIGIT) * DISK[state.room[citadel]]
        disks >>= codes.BITS
    return value + HOLE * total(int(state.disks[seat]))


@rule
def worth_of_garrisons(state, seat):
    """Full worth in regions where no seat has more, else less."""
    value = GARRISON_AT_ALL * (codes.CUBES - int(state.cubes[seat]))
    for region in range(codes.REGIONS):
        mine, most = int(state.garrisons[seat, region]), 0
        for other in range(state.players):
            most = max(most, int(state.garrisons[other, region]))
        value += mine * (GARRISON_IN_LEAD if mine == most else GARRISON_BEHIND)
    return value


@rule
def worth_of_conditions(state, seat):
    """Progress cards with markers, and the leader: on the better side while that is open."""
    value = 0
    for slot in range(codes.PROGRESS_SLOTS):
        if state.markers[slot] > 0:
            card = int(state.rules.progress_cards[state.card[slot]])
            reached = measure(state, seat, card // codes.NEED_BITS)
            value += int(state.markers[slot]) * part_of(reached, card % codes.NEED_BITS, MARKER_UNMET)
    leader = int(state.leader[seat])
    if leader == codes.NONE:
        return value
    reached, side = measure(state, seat, codes.LEADER_MEASURE[leader]), int(state.side[seat])
    best = codes.SIDE_POINTS[side] * part_of(reached, codes.LEADER_NEED[leader, side], LEADER_UNMET)
    if state.track > codes.SIDES_AT:
        best = max(best, codes.SIDE_POINTS[1] * part_of(reached, codes.LEADER_NEED[leader, 1], LEADER_UNMET))
    return value + best


@rule
def part_of(reached, needed, unmet):
    """A point, if as much is reached as is needed; else the less the more is missing."""
    if reached >= needed:
        return POINT
    return unmet * int(reached) * int(reached) // (int(needed) * int(needed))


@rule
def worth_of_workers(state, seat, turns):
    """The tribe counts at the end; all workers count in every turn until then."""
    tribe = int(state.tribe[seat])
    workers = int(state.active[seat]) + tribe
    druids, work = count(workers, codes.DRUID), 0
    for kind in range(codes.FARMER, codes.NOBLE + 1):
        n = min(MOST_WORK, count(workers, kind) + (druids if kind <= codes.SOLDIER else 0))
        work += WORK[kind] * n * (2 * MOST_WORK - n)
    return TRIBE_WORKER * min(total(tribe), codes.TRIBE_STEPS[-1]) + turns * work // (2 * MOST_WORK)


@rule
def worth_of_stock(state, seat):
    """Cards, strength and tokens; cards of one colour are on their way to a citadel."""
    hand = int(state.hand[seat])
    held = total(hand)
    value = CARD * held - (CARD - CARD_BEYOND) * max(0, held - FULL_HAND)
    value += STRENGTH * int(state.strength[seat]) + TOKEN * int(state.tokens[seat])
    placed = total(int(state.disks[seat]))
    if placed == codes.DISKS:
        return value
    price, best = int(state.rules.disk_costs[placed]), 0
    for colour in range(codes.COLOURS):
        open_spaces = state.room[colour] + state.room[codes.COLOURS + colour]
        group = total((hand >> (codes.BITS * codes.ICONS * colour)) & codes.OF_COLOUR)
        best = max(best, min(group, price) * int(open_spaces > 0))
    return value + BUILD_CARD * best


@rule
def worth_of_plans(state):
    """What the player is about to get for cards that he is about to pay."""
    if state.phase == codes.PAYING_DRUID:
        return -CARD * int(state.owed)
    if state.phase > codes.PAYING_DISK:
        return 0
    cards = int(state.owed) if state.phase == codes.PAYING_DISK else int(state.power)
    return int(DISK[2]) + HOLE + TOKEN - CARD * cards


@rule
def is_turn_uncertain(state):
    """§3.5. Workers that come with a refresh may be taken in the same turn; all that is drawn later is of use
    in later turns.
    """
    return state.phase < codes.SWAPPING
