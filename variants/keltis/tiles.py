"""The tiles of Keltis on their stones, and the count of all pieces. A § names the section of RULES.md."""

from typing import Any

import numpy as np

from boardgames import rank, rule
from variants.keltis.codes import KINDS, NO_TILE, PATHS, ROWS, TILE_BITS, TILE_MASK, TILES


@rule
def lay_out(state):
    """§1.2. Shuffled, one on each dark stone."""
    drawn, n = np.empty(PATHS * ROWS, np.int64), 0
    for kind in range(KINDS):
        for _ in range(state.rules.tile_copies[kind]):
            drawn[n] = kind
            n += 1
    rank(state, TILES, drawn[:n])
    for path in range(PATHS):
        for row in range(1, ROWS + 1):
            if (state.rules.dark[path] >> row) & 1:
                n -= 1
                put_tile(state, path, row, drawn[n])


@rule
def put_tile(state, path, row, kind):
    """Whatever lay on the stone before is gone."""
    shift = TILE_BITS * int(row)
    state.tiles[path] = (int(state.tiles[path]) & ~(TILE_MASK << shift)) | (int(kind) << shift)


@rule
def tile_on(tiles, row):
    """The kind of tile in a row of a path, whose tiles are one number."""
    return (int(tiles) >> (TILE_BITS * int(row))) & TILE_MASK


def census(state: Any) -> dict[str, int]:
    """Each card is in the deck, in a hand, in a column or on a discard pile; each tile on a stone or with a player."""
    laid = sum(int(column).bit_count() for column in state.column.flat)
    stones = [tile_on(tiles, row) != NO_TILE for tiles in state.tiles.tolist() for row in range(1, ROWS + 1)]
    return {
        "cards": int(state.deck.sum() + state.held.sum() + state.height.sum()) + laid,
        "tiles": sum(stones) + int(state.wishes.sum()),
    }
