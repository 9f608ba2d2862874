"""The workers of Celtae: in the ring, in the bag, active before a player, and in the tribes. A § names a section of RULES.md."""

from boardgames import draw, rule
from variants.celtae.codes import (
    ACTIVE,
    BAG_STREAM,
    BUILDER,
    CENTRE,
    DRUID,
    DRUID_SUPPLY,
    FARMER,
    NONE,
    PLACES_IN_AREA,
    PLAIN_WORKERS,
    REGIONS,
    RINGS,
    SEATS,
    SOLDIER,
)
from variants.celtae.counts import count, one, total


@rule
def lay_out_workers(state):
    """§1.8 and §1.9. A farmer, a builder and a soldier for each player, absent ones too: theirs go back into the box."""
    for kind in range(PLAIN_WORKERS):
        state.bag[kind] = state.rules.workers[kind] - (SEATS if kind <= SOLDIER else 0)
    for seat in range(state.seats):
        state.active[seat] = one(FARMER) + one(BUILDER) + one(SOLDIER)
    for ring in range(RINGS):
        state.ring[ring] = state.rules.ring_marks[ring]
        for kind in range(PLAIN_WORKERS):
            state.bag[kind] -= count(int(state.ring[ring]), kind)
    for ring in range(RINGS):
        fill_ring(state, ring)
    for region in range(REGIONS):
        state.druids[region] = DRUID_SUPPLY[state.seats - 2]


@rule
def fill_ring(state, ring):
    """§3.5 and §7.5. Three workers from the bag, or what it has."""
    for _ in range(PLACES_IN_AREA - total(int(state.ring[ring]))):
        kind = draw(state, BAG_STREAM, state.bag)
        if kind != NONE:
            state.ring[ring] += one(kind)


@rule
def refresh_area(state, area):
    """§3.5. All three go into the bag, those of the centre come in their place, and the centre is filled from the bag."""
    return_to_bag(state, state.ring[area])
    state.ring[area] = state.ring[CENTRE]
    state.ring[CENTRE] = 0
    fill_ring(state, CENTRE)


@rule
def return_to_bag(state, workers):
    """§3.5, §7.3 and §7.6. Workers of all kinds but druids."""
    for kind in range(PLAIN_WORKERS):
        state.bag[kind] += count(workers, kind)


@rule
def hands_at_work(state, seat, kind):
    """§3.7. Workers of a kind, active or in the tribe; a druid works as any kind but a noble."""
    all_workers = int(state.active[seat]) + int(state.tribe[seat])
    return count(all_workers, kind) + count(all_workers, DRUID) * int(kind <= SOLDIER)


@rule
def recruit(state, seat, kind):
    """§5.5 and §7.1. From the active workers into the tribe."""
    state.active[seat] -= one(kind)
    state.tribe[seat] += one(kind)


@rule
def take_from_centre(state, seat, kind):
    """§5.5 and §7.5."""
    state.ring[CENTRE] -= one(kind)
    state.active[seat] += one(kind)


@rule
def missing_active(state, seat):
    """§7.5. Everybody has three active workers."""
    return ACTIVE - total(int(state.active[seat]))
