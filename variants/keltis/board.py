"""Boards of Keltis: reading and refusing them, and what of the printed one is reconstructed."""

from collections.abc import Mapping
from typing import Any

from variants.keltis import codes

BOARDS = {name: board["board"] for name, board in codes.BOX["boards"].items()}
DEFAULT = "printed"
MAX_POINTS = 100  # points of a row, for better or worse

# The fields that a board fills in the rules record: the start stone is row 0 and counts 0; dark stones are
# bits, by row.
FIELDS = {
    "row_points": ("i2", (codes.ROWS + 1,)),
    "goal_row": ("i2", ()),
    "dark": ("i2", (codes.PATHS,)),
    "tile_copies": ("i2", (codes.KINDS,)),
}


def read_board(table: Mapping[str, Any]) -> dict[str, Any]:
    """§1.1 and §1.2. A board as the rules record holds it; ValueError says what is wrong where."""
    for name in table:
        if name not in ("rows", "goal", "tiles", "stones"):
            raise ValueError(f"it has {name}, which no board has; a board has rows, goal, tiles and stones")
    rows = _check_numbers("rows", table["rows"], -MAX_POINTS, MAX_POINTS)
    if len(rows) != codes.ROWS:
        raise ValueError(f"rows has {len(rows)} values, and a path has {codes.ROWS} stones")
    (goal,) = _check_numbers("goal", [table["goal"]], 2, codes.ROWS)
    dark, tiles = _read_stones(table["stones"]), _read_tiles(table["tiles"])
    stones = sum(bits.bit_count() for bits in dark)
    if stones != sum(tiles):
        raise ValueError(f"{stones} stones take a tile, and there are {sum(tiles)} tiles")
    return {"row_points": [0, *rows], "goal_row": goal, "dark": dark, "tile_copies": tiles}


def _check_numbers(name: str, values: Any, low: int, high: int) -> list[int]:
    if not isinstance(values, list):
        raise ValueError(f"{name} is a list of whole numbers, not {values}")
    for value in values:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{name}: {value} is not a whole number from {low} to {high}")
    return values


def _read_stones(stones: Mapping[str, Any]) -> list[int]:
    """The stones of each path that take a tile, one bit for each row."""
    if set(stones) != set(codes.PATH_NAMES):
        raise ValueError(
            f"stones has the paths {', '.join(stones)}; a board has {', '.join(codes.PATH_NAMES)}"
        )
    dark = []
    for name in codes.PATH_NAMES:
        rows = _check_numbers(f"stones of the {name} path", stones[name], 1, codes.END_STONE)
        if len(set(rows)) != len(rows):
            raise ValueError(f"stones of the {name} path: a row is named twice")
        dark.append(sum(1 << row for row in rows))
    return dark


def _read_tiles(tiles: Mapping[str, Any]) -> list[int]:
    """How many tiles of each kind there are."""
    for name in tiles:
        if name not in codes.TILE_NAMES[1:]:
            raise ValueError(f"tiles: there is no tile {name}; there are {', '.join(codes.TILE_NAMES[1:])}")
    return [
        0,
        *(
            _check_numbers(f"tiles: {name}", [tiles.get(name, 0)], 0, codes.PATHS * codes.ROWS)[0]
            for name in codes.TILE_NAMES[1:]
        ),
    ]


def list_reconstructed() -> dict[str, str]:
    """What no source documents, and what we chose."""
    names = ", ".join(codes.PATH_NAMES)
    source = codes.BOX["paths"]["source"]
    return {"colours of the paths": f"{names}, from left to right: {source}; without effect on play"}
