"""The count of all pieces of Celtae: what is in the box at the beginning is somewhere at any time. §1.2 of
RULES.md.
"""

from typing import Any

from variants.celtae import codes
from variants.celtae.topics.counts import count, total


def census(state: Any) -> dict[str, int]:
    """§1.2. Cards, workers, disks, cubes, tiles and markers, wherever they are."""
    return {
        "cards": count_cards(state),
        **count_workers(state),
        **count_on_citadels(state),
        **count_tiles_and_markers(state),
    }


def count_cards(state: Any) -> int:
    market = sum(int(card) >= 0 for card in state.market.flat)
    return total(state.deck) + total(state.discard) + market + sum(total(hand) for hand in state.hand)


def count_workers(state: Any) -> dict[str, int]:
    groups = [*state.ring, *state.active, *state.tribe]
    numbers = {}
    for kind in range(codes.PLAIN_WORKERS):
        numbers[f"{codes.WORKER_NAMES[kind]}s"] = int(state.bag[kind]) + sum(
            count(group, kind) for group in groups
        )
    druids = int(state.druids.sum() + state.gone_druids) + sum(
        count(tribe, codes.DRUID) for tribe in state.tribe
    )
    return {**numbers, "druids": druids}


def count_on_citadels(state: Any) -> dict[str, int]:
    """Disks take up room; each complete citadel has given away its tile."""
    placed = sum(total(disks) for disks in state.disks)
    given = int(state.bonus_tiles.sum()) + int((state.room > 0).sum())
    return {"spaces on citadels": placed + int(state.room.sum()), "bonus tiles": given}


def count_tiles_and_markers(state: Any) -> dict[str, int]:
    unseen = [int(bits).bit_count() for bits in state.unseen]
    turned = [int((state.top[2 * kind : 2 * kind + 2] >= 0).sum()) for kind in range(2)]
    taken = [int(state.tiles[:, kind].sum()) for kind in range(2)]
    cubes = int(state.cubes.sum()) + int(((state.garrison > 0) & (state.garrison < codes.BLOCKED)).sum())
    return {
        "army tiles": unseen[0] + turned[0] + taken[0],
        "druid tiles": unseen[1] + turned[1] + taken[1],
        "garrison cubes": cubes,
        "progress markers": int(state.track + state.site_marker.sum() + state.markers.sum()),
    }
