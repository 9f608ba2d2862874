"""The numbers that stand for things in Keltis: paths, cards, tiles, phases, ends, tallies, and the table of
actions.
"""

import tomllib
from pathlib import Path

BOX = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))

SEATS = BOX["players"]["most"]
PATH_NAMES = tuple(BOX["paths"]["names"])
PATHS = len(PATH_NAMES)
ROWS = 9
END_STONE = ROWS
SMALL_FIGURES = BOX["figures"]["small"]

VALUES, COPIES = BOX["cards"]["values"], BOX["cards"]["copies"]
CARDS = PATHS * VALUES  # kinds of cards: path * VALUES + value
DECK_SIZE = CARDS * COPIES
PILE = VALUES * COPIES  # as many as a pile can ever hold
MAX_HAND = 12

# A tile with a number is its own number.
NO_TILE, ONE, TWO, THREE, CLOVER_LEAF, WISHING_STONE = range(6)
TILE_NAMES = ("none", "one", "two", "three", "clover", "wishing_stone")
KINDS = len(TILE_NAMES)
TILE_BITS, TILE_MASK = 3, 0b111  # a path's tiles are one number, three bits for each row

# Cards of one colour are one number: a bit for each value that is among them, and VALUES bits higher for each
# that is twice.
ANY_VALUE = (1 << VALUES) - 1
ANY_CARD = (1 << CARDS) - 1  # cards of all colours: a bit for each kind

PLAY, CLOVER, SUBSTITUTE, DRAW = range(4)  # phases
FIGURES, LAST_CARD = 1, 2  # ends
DECK, TILES = range(2)  # streams
ASCENDING = 1  # order
WAITING, NO_LARGE = -1, -2  # where a large figure is that is on no path
NOWHERE = -1  # a row

TALLIES = (
    "lays",
    "discards",
    "pile draws",
    "ones",
    "twos",
    "threes",
    "clovers",
    "wishing stones",
    "clovers used",
    "clovers chained",
    "substitute steps",
    "paths opened",
    "large path",
    "paths beyond two",
)
LAYS, DISCARDS, PILE_DRAWS, *_, CLOVERS_USED, CHAINED, SUBSTITUTES, OPENED, LARGE_PATH, BEYOND_TWO = range(
    len(TALLIES)
)
TILES_REACHED = PILE_DRAWS  # + kind of tile

ADVANCE, SMALL, LARGE, LAST, NOBODY = range(
    5
)  # who moves: the figure on the path, one that enters it, the one that ends the match
WAYS = 4  # without NOBODY

DISCARD = 0  # + card
LAY = DISCARD + CARDS  # + way * CARDS + card
BY_CLOVER = LAY + WAYS * CARDS  # + way * PATHS + path, or NOBODY * PATHS
INSTEAD = BY_CLOVER + WAYS * PATHS + 1  # likewise
FROM_DECK = INSTEAD + WAYS * PATHS + 1
LAST_FROM_DECK = FROM_DECK + 1
FROM_PILE = LAST_FROM_DECK + 1  # + path
ACTIONS = FROM_PILE + PATHS
