"""Celtae, points: what a position is worth if it ended now, by source. A § names a section of RULES.md."""

from typing import Any

from boardgames import rule
from variants.celtae import codes
from variants.celtae.topics.counts import count, kinds, total

IN_NORTH = (1 << (codes.BITS * codes.COLOURS)) - 1  # the northern citadels in a number of disks
TIE = 64  # more than the numbers that break ties


@rule
def score(state, seat):
    """§8.1 to §8.7. From all sources."""
    points = 0
    for source in range(codes.SOURCES):
        points += points_from(state, seat, source)
    return points


@rule
def points_from(state, seat, source):
    """§8.1 to §8.7. One function for all sources, so that a source is told apart where it is asked for."""
    if source == codes.FROM_DISKS:
        return disk_points(state, seat)
    if source == codes.FROM_TILES:
        return tile_points(state, seat)
    if source == codes.FROM_GARRISONS:
        return garrison_points(state, seat)
    if source == codes.FROM_BOARD:
        return board_points(state, seat)
    if source == codes.FROM_LEFTOVERS:
        return leftover_points(state, seat)
    return progress_points(state, seat) if source == codes.FROM_PROGRESS else leader_points(state, seat)


@rule
def standing(state, seat):
    """§8.8. Ties: disks on citadels and workers in the tribe, then army and druid tiles; equal after that is
    shared.
    """
    spread = total(int(state.disks[seat])) + total(int(state.tribe[seat]))
    return (score(state, seat) * TIE + spread) * TIE + tiles_of(state, seat, 0) + tiles_of(state, seat, 1)


@rule
def note_points(state):
    """§8.1 to §8.7. For the record: where the points came from."""
    for seat in range(state.players):
        for source in range(codes.SOURCES):
            state.tally[seat, codes.POINTS + source] = points_from(state, seat, source)


@rule
def disk_points(state, seat):
    """§8.1. A point for each disk in a citadel without a free space."""
    disks, points = int(state.disks[seat]), 0
    for citadel in range(codes.CITADELS):
        points += ((disks >> (codes.BITS * citadel)) & codes.DIGIT) * int(state.room[citadel] == 0)
    return points


@rule
def tile_points(state, seat):
    """§8.2. Bonus tiles count 1, army and druid tiles what they show."""
    tiles = state.tiles[seat]
    low, high = int(tiles[0, 0]) + int(tiles[1, 0]), int(tiles[0, 1]) + int(tiles[1, 1])
    return int(state.bonus_tiles[seat]) + low + 2 * high


@rule
def garrison_points(state, seat):
    """§8.3. A point for each in a region where nobody has more."""
    points = 0
    for region in range(codes.REGIONS):
        mine, most = int(state.garrisons[seat, region]), 0
        for other in range(state.players):
            most = max(most, int(state.garrisons[other, region]))
        points += mine * int(mine == most)
    return points


@rule
def board_points(state, seat):
    """§8.4. For the size of the tribe, for certain empty disk holes, and for all garrison cubes."""
    tribe, placed = total(int(state.tribe[seat])), total(int(state.disks[seat]))
    points = int(state.cubes[seat] == 0)
    for step in range(len(codes.TRIBE_STEPS)):
        points += int(tribe >= codes.TRIBE_STEPS[step])
    for hole in range(1, placed + 1):
        points += (int(state.rules.point_holes) >> hole) & 1
    return points


@rule
def leftover_points(state, seat):
    """§8.5. A fifth of strength and cards together, rounded down."""
    return (int(state.strength[seat]) + total(int(state.hand[seat]))) // codes.LEFTOVERS


@rule
def progress_points(state, seat):
    """§8.6. Whoever fulfils a card scores a point for each marker on it."""
    points = 0
    for slot in range(codes.PROGRESS_SLOTS):
        if state.markers[slot] > 0:
            card = int(state.rules.progress_cards[state.card[slot]])
            points += int(state.markers[slot]) * int(
                measure(state, seat, card // codes.NEED_BITS) >= card % codes.NEED_BITS
            )
    return points


@rule
def leader_points(state, seat):
    """§8.7. A point for side A, three for side B, if its condition is fulfilled."""
    leader, side = int(state.leader[seat]), int(state.side[seat])
    if leader == codes.NONE:
        return 0
    return int(codes.SIDE_POINTS[side]) * int(
        measure(state, seat, codes.LEADER_MEASURE[leader]) >= codes.LEADER_NEED[leader, side]
    )


@rule
def measure(state, seat, which):
    """§8.6 and §8.7. What progress cards and leaders count. Disks count in citadels that are not complete,
    too.
    """
    if which < codes.REGION_GARRISONS:
        return measure_disks_or_tribe(state, seat, which)
    if which < codes.ARMY_TILES:
        return int(state.garrisons[seat, which - codes.REGION_GARRISONS])
    if which <= codes.DRUID_TILES:
        return tiles_of(state, seat, which - codes.ARMY_TILES)
    if which == codes.STRENGTH:
        return int(state.strength[seat])
    if which == codes.HAND:
        return total(int(state.hand[seat]))
    if which == codes.BONUS_TILES:
        return int(state.bonus_tiles[seat])
    if codes.HIGH_ARMIES <= which <= codes.HIGH_DRUIDS:
        return int(state.tiles[seat, which - codes.HIGH_ARMIES, 1])
    if which == codes.ALL_GARRISONS:
        return codes.CUBES - int(state.cubes[seat])
    if codes.EITHER_ARMIES <= which <= codes.EITHER_DRUIDS:
        tiles = state.tiles[seat, which - codes.EITHER_ARMIES]
        return min(int(tiles[0]), int(tiles[1]))
    return measure_spread(state, seat, which)


@rule
def measure_disks_or_tribe(state, seat, which):
    """§8.6. Disks of a colour or a region; workers of a kind in the tribe."""
    disks = int(state.disks[seat])
    if which < codes.TRIBE_KIND:
        return count(disks, which - codes.COLOUR_DISKS) + count(
            disks, which - codes.COLOUR_DISKS + codes.COLOURS
        )
    if which < codes.REGION_DISKS:
        return count(int(state.tribe[seat]), which - codes.TRIBE_KIND)
    return disks_in(disks, which - codes.REGION_DISKS)


@rule
def disks_in(disks, region):
    """Disks in the citadels of a region."""
    return total(disks & IN_NORTH) if region == codes.NORTH else total(disks >> (codes.BITS * codes.COLOURS))


@rule
def measure_spread(state, seat, which):
    """§8.6 and §8.7. Disks and workers over regions, colours and kinds."""
    disks, tribe = int(state.disks[seat]), int(state.tribe[seat])
    if which == codes.ALL_DISKS:
        return total(disks)
    if which == codes.EITHER_DISKS:
        return min(disks_in(disks, codes.NORTH), disks_in(disks, codes.SOUTH))
    if which == codes.PLAIN_TRIBE:
        return total(tribe) - count(tribe, codes.DRUID)
    if which == codes.DISK_COLOURS:
        return total(kinds((disks | (disks >> (codes.BITS * codes.COLOURS))) & IN_NORTH))
    return total(kinds(tribe & ((1 << (codes.BITS * codes.PLAIN_WORKERS)) - 1)))


@rule
def tiles_of(state, seat, kind):
    """Army tiles (kind 0) or druid tiles (kind 1) of both values."""
    return int(state.tiles[seat, kind, 0]) + int(state.tiles[seat, kind, 1])


def find_score_bounds(rules: Any, players: int) -> tuple[int, int]:
    """§8.1 to §8.7. No score is lower or higher; not all of the highest could be reached in one match."""
    tiles = codes.CITADELS + 2 * (codes.LOW_KINDS + 2 * (codes.TILES - codes.LOW_KINDS))
    board = len(codes.TRIBE_STEPS) + int(rules.point_holes).bit_count() + 1
    cards = codes.COLOURS * total(rules.icon_copies)
    leftovers = (int(rules.strength_cap) + cards) // codes.LEFTOVERS
    return 0, codes.DISKS + tiles + codes.CUBES + board + leftovers + int(codes.SPOTS.sum()) + int(
        codes.SIDE_POINTS.max()
    )
