"""The workers of Celtae: in the ring, in the bag, active before a player, and in the tribes. A § names a
section of RULES.md.
"""

from boardgames import draw, rule
from variants.celtae import codes
from variants.celtae.topics.counts import count, one, total


@rule
def lay_out_workers(state):
    """§1.8 and §1.9. A farmer, a builder and a soldier for each player, absent ones too: theirs go back into
    the box.
    """
    for kind in range(codes.PLAIN_WORKERS):
        state.bag[kind] = state.rules.workers[kind] - (codes.SEATS if kind <= codes.SOLDIER else 0)
    for seat in range(state.players):
        state.active[seat] = one(codes.FARMER) + one(codes.BUILDER) + one(codes.SOLDIER)
    for ring in range(codes.RINGS):
        state.ring[ring] = state.rules.ring_marks[ring]
        for kind in range(codes.PLAIN_WORKERS):
            state.bag[kind] -= count(int(state.ring[ring]), kind)
    for ring in range(codes.RINGS):
        fill_ring(state, ring)
    for region in range(codes.REGIONS):
        state.druids[region] = codes.DRUID_SUPPLY[state.players - 2]


@rule
def fill_ring(state, ring):
    """§3.5 and §7.5. Three workers from the bag, or what it has."""
    for _ in range(codes.PLACES_IN_AREA - total(int(state.ring[ring]))):
        kind = draw(state, codes.BAG_STREAM, state.bag)
        if kind != codes.NONE:
            state.ring[ring] += one(kind)


@rule
def refresh_area(state, area):
    """§3.5. All three go into the bag, those of the centre come in their place, and the centre is filled from
    the bag.
    """
    return_to_bag(state, state.ring[area])
    state.ring[area] = state.ring[codes.CENTRE]
    state.ring[codes.CENTRE] = 0
    fill_ring(state, codes.CENTRE)


@rule
def return_to_bag(state, workers):
    """§3.5, §7.3 and §7.6. Workers of all kinds but druids."""
    for kind in range(codes.PLAIN_WORKERS):
        state.bag[kind] += count(workers, kind)


@rule
def hands_at_work(state, seat, kind):
    """§3.7. Workers of a kind, active or in the tribe; a druid works as any kind but a noble."""
    all_workers = int(state.active[seat]) + int(state.tribe[seat])
    return count(all_workers, kind) + count(all_workers, codes.DRUID) * int(kind <= codes.SOLDIER)


@rule
def recruit(state, seat, kind):
    """§5.5 and §7.1. From the active workers into the tribe."""
    state.active[seat] -= one(kind)
    state.tribe[seat] += one(kind)


@rule
def take_from_centre(state, seat, kind):
    """§5.5 and §7.5."""
    state.ring[codes.CENTRE] -= one(kind)
    state.active[seat] += one(kind)


@rule
def count_missing_active(state, seat):
    """§7.5. How many active workers a seat lacks: each has three."""
    return codes.ACTIVE - total(int(state.active[seat]))
