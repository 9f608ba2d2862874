"""The count of all pieces of Keltis."""

from typing import Any

from variants.keltis import codes
from variants.keltis.topics.tiles import tile_on


def census(state: Any) -> dict[str, int]:
    """Each card is in the deck, in a hand, in a column or on a discard pile; each tile on a stone or with a
    player.
    """
    laid = sum(int(column).bit_count() for column in state.column.flat)
    stones = [
        tile_on(tiles, row) != codes.NO_TILE
        for tiles in state.tiles.tolist()
        for row in range(1, codes.ROWS + 1)
    ]
    return {
        "cards": int(state.deck.sum() + state.held.sum() + state.height.sum()) + laid,
        "tiles": sum(stones) + int(state.wishes.sum()),
    }
