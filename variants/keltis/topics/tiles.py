"""The tiles of Keltis on their stones. A § names the section of RULES.md."""

import numpy as np

from boardgames import rule, stable_shuffle
from variants.keltis import codes


@rule
def lay_out(state):
    """§1.2. Shuffled, one on each dark stone."""
    drawn, n = np.empty(codes.PATHS * codes.ROWS, np.int64), 0
    for kind in range(codes.KINDS):
        for _ in range(state.rules.tile_copies[kind]):
            drawn[n] = kind
            n += 1
    stable_shuffle(state, codes.TILES, drawn[:n])
    for path in range(codes.PATHS):
        for row in range(1, codes.ROWS + 1):
            if (state.rules.dark[path] >> row) & 1:
                n -= 1
                put_tile(state, path, row, drawn[n])


@rule
def put_tile(state, path, row, kind):
    """Whatever lay on the stone before is gone."""
    shift = codes.TILE_BITS * int(row)
    state.tiles[path] = (int(state.tiles[path]) & ~(codes.TILE_MASK << shift)) | (int(kind) << shift)


@rule
def tile_on(tiles, row):
    """The kind of tile in a row of a path, whose tiles are one number."""
    return (int(tiles) >> (codes.TILE_BITS * int(row))) & codes.TILE_MASK
