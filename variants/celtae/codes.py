"""The numbers that stand for things in Celtae: regions, cards, workers, sites, phases, tallies, and the table
of actions.

Cards, workers and disks are counts in one number, four bits for each kind: a hand is one number, and so is a
tribe.
"""

import tomllib
from pathlib import Path

import numpy as np

BOX = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))

SEATS = BOX["players"]["most"]
NONE = -1  # no card in a market space, no tile on a site, no leader, no site

# Regions, and places around the board. The stations are numbered clockwise from the southeast, where the
# marker begins.
REGION_NAMES = ("north", "south")
NORTH, SOUTH = range(2)
REGIONS = 2
STATION_NAMES = ("southeast", "southwest", "northwest", "northeast")
STATIONS = len(STATION_NAMES)
AREA_NAMES = ("north", "east", "south", "west")
NORTH_AREA, EAST_AREA, SOUTH_AREA, WEST_AREA, CENTRE = range(5)
AREAS, RINGS = 4, 5  # the centre has workers, too
BESIDE = np.array(
    [[SOUTH_AREA, EAST_AREA], [SOUTH_AREA, WEST_AREA], [NORTH_AREA, WEST_AREA], [NORTH_AREA, EAST_AREA]]
)

# Counts of several kinds in one number.
BITS, DIGIT = 4, 15
ALL_KINDS = (1 << 48) - 1

# Cards: colour * ICONS + icon.
COLOUR_NAMES, ICON_NAMES = tuple(BOX["cards"]["colours"]), tuple(BOX["cards"]["icons"])
COLOURS, ICONS = len(COLOUR_NAMES), len(ICON_NAMES)
CARDS = COLOURS * ICONS
OF_COLOUR = 0xFFF  # the cards of the first colour
OF_ICON = 0x00F00F00F00F  # the cards with the first icon
SLOTS = BOX["market"]["spaces"]
BONUS_CARDS = BOX["bonuses"]["cards"]

WORKER_NAMES = ("farmer", "builder", "soldier", "noble", "druid")
FARMER, BUILDER, SOLDIER, NOBLE, DRUID = np.arange(
    5
)  # NumPy numbers: the compiler makes one function for all of them
PLAIN_WORKERS, WORKERS = 4, 5
ACTIVE = BOX["start"]["active"]
PLACES_IN_AREA = 3

CITADELS = REGIONS * COLOURS  # region * COLOURS + colour
DISKS, CUBES = BOX["players"]["disks"], BOX["players"]["cubes"]
BONUS_NAMES = tuple(BOX["bonuses"]["kinds"])
TOKEN_TILE, RECRUIT_TILE, CARDS_TILE, STRENGTH_TILE = range(4)
BONUS_STRENGTH = BOX["bonuses"]["strength"]
GARRISON_SPACES = 5  # one for each icon, then those for any icon
ANY_ICON = ICONS
GARRISON_NAMES = (*ICON_NAMES, "any icon")
GARRISONS = len(GARRISON_NAMES)
BLOCKED = SEATS + 1  # whose cube is on a garrison space: 0 = nobody's, 1 + seat, or that of an absent player

# Sites: armies in the north and south, druids in the north and south. Tiles 0 to 3 are worth 1 point, 4 to 9
# 2 points.
SITES, TILES = 4, 10
ARMIES, DRUIDS = 0, 2  # + region
LOW_KINDS = 4
ONE_POINT, TWO_POINTS = 0b1111, 0b1111110000  # sets of them
LOW_TILES = np.array(BOX["stacks"]["one_point"])  # for 2, 3 and 4 players
HIGH_TILES = np.array(BOX["stacks"]["two_points"])
DRUID_SUPPLY = np.array(BOX["druids"]["by_region"])

# Progress cards lie in slots: first those with two spots, then those with three.
TWO_SPOT_SLOTS, THREE_SPOT_SLOTS = 5, 4
PROGRESS_SLOTS = TWO_SPOT_SLOTS + THREE_SPOT_SLOTS
PROGRESS_CARDS = len(BOX["boards"]["reconstructed"]["board"]["progress"])
IN_PLAY = np.array([BOX["progress_in_play"]["two_spots"], BOX["progress_in_play"]["three_spots"]])
SPOTS = np.array([2] * TWO_SPOT_SLOTS + [3] * THREE_SPOT_SLOTS)
SIDES_AT = BOX["progress_markers"]["sides_at"]
ON_TRACK = NONE  # where a marker that is to be placed comes from, if not from a site
LONG_MOVE = 3  # steps, and the strength that they cost

# What progress cards and leaders count.
MEASURES = (
    *(f"disks in {colour}" for colour in COLOUR_NAMES),
    *(f"{worker}s in the tribe" for worker in WORKER_NAMES[:PLAIN_WORKERS]),
    "disks in the north",
    "disks in the south",
    "garrisons in the north",
    "garrisons in the south",
    "army tiles",
    "druid tiles",
    "strength",
    "cards in hand",
    "bonus tiles",
    "non-druid workers",
    "disks",
    "colours with a disk",
    "kinds in the tribe",
    "two-point armies",
    "two-point druids",
    "garrisons",
    "disks in either region",
    "army tiles of either value",
    "druid tiles of either value",
)
(
    COLOUR_DISKS,
    _,
    _,
    _,
    TRIBE_KIND,
    _,
    _,
    _,
    REGION_DISKS,
    _,
    REGION_GARRISONS,
    _,
    ARMY_TILES,
    DRUID_TILES,
    STRENGTH,
    HAND,
    BONUS_TILES,
    PLAIN_TRIBE,
    ALL_DISKS,
    DISK_COLOURS,
    TRIBE_KINDS,
    HIGH_ARMIES,
    HIGH_DRUIDS,
    ALL_GARRISONS,
    EITHER_DISKS,
    EITHER_ARMIES,
    EITHER_DRUIDS,
) = range(len(MEASURES))
NEED_BITS = 16  # a progress card is measure * NEED_BITS + the number needed

LEADER_NAMES = tuple(leader["name"] for leader in BOX["leaders"]["cards"])
LEADERS = len(LEADER_NAMES)
LEADER_MEASURE = np.array([MEASURES.index(leader["counts"]) for leader in BOX["leaders"]["cards"]])
LEADER_NEED = np.array([leader["at_least"] for leader in BOX["leaders"]["cards"]])  # by leader and side
SIDE_POINTS = np.array(BOX["leaders"]["points"])
IN_DRAFT = BOX["leaders"]["beyond_players"]
TRIBE_STEPS = tuple(BOX["tribe_points"]["workers"])
LEFTOVERS = BOX["leftovers"]["for_a_point"]

(
    DRAFTING,
    DISCARDING,
    MOVING,
    PLACING_MARKER,
    CHOOSING_SIDE,
    CHOOSING_AREA,
    REFRESHING,
    SWAPPING,
    CHOOSING_ACTION,
    BUYING,
    CHOOSING_CITADEL,
    LOWERING_PRICE,
    PAYING_DISK,
    DRAWING_BONUS,
    GIVING_BONUS,
    CHOOSING_ICON,
    RAISING_RATE,
    ARMING,
    ATTACKING,
    GARRISONING,
    PAYING_GARRISON,
    GIVING,
    TRAINING,
    PAYING_DRUID,
    TAKING,
    CUTTING,
) = range(26)  # phases
(
    REFRESH_NEXT,
    SWAP_NEXT,
    ACTION_NEXT,
    BUYING_NEXT,
    MARKET_NEXT,
    ATTACK_NEXT,
    TRAINING_NEXT,
    REFILL_NEXT,
    CENTRE_NEXT,
    TURN_OVER,
) = range(26, 36)  # what comes next, only while an action is carried out: see rules.go_on
DECK_STREAM, BAG_STREAM, BONUS_STREAM, ARMY_STREAM, DRUID_STREAM, PROGRESS_STREAM, LEADER_STREAM = np.arange(
    7
)
STREAMS = ("cards", "workers", "bonus tiles", "army tiles", "druid tiles", "progress cards", "leaders")
OVER = 1
BY_AREA = 1  # token_region
EITHER_ORDER = 1  # battle_order
ANY_REGION = 1  # garrison_region
FROM_START = 1  # sides_from
STRENGTH_GAINED, ARMY_DEFEATED = 1, 2  # what was done in a battle, a bit for each

TALLIES = (
    "farms",
    "builds north",
    "builds south",
    "battles",
    "recruitings",
    "cards bought",
    "workers recruited",
    "armies defeated",
    "druids trained",
    "garrisons placed",
    "progress markers placed",
    "tokens spent",
    "far areas",
    "refreshes",
    "swaps",
    "three-step moves",
    "strength gained",
    "strength lost",
    "leader flipped",
    "points: disks",
    "points: tiles",
    "points: garrisons",
    "points: board",
    "points: leftovers",
    "points: progress",
    "points: leader",
)
(
    FARMS,
    BUILDS,
    _,
    BATTLES,
    RECRUITINGS,
    BOUGHT,
    RECRUITED,
    DEFEATED,
    TRAINED,
    GARRISONED,
    MARKED,
    TOKENS,
    FAR,
    REFRESHES,
    SWAPS,
    LONG_MOVES,
    GAINED,
    LOST,
    FLIPPED,
    POINTS,
    *_,
) = range(len(TALLIES))

FROM_DISKS, FROM_TILES, FROM_GARRISONS, FROM_BOARD, FROM_LEFTOVERS, FROM_PROGRESS, FROM_LEADER = range(
    7
)  # POINTS + these
SOURCES = 7

LEADER = 0  # + leader
CARD = LEADER + LEADERS  # + kind of card
MOVE = CARD + CARDS - 1  # + steps, from 1 to 3
PROGRESS = MOVE + 4  # + slot
SIDE = PROGRESS + PROGRESS_SLOTS  # + side
AREA = SIDE + 2  # + area next to the marker
FAR_AREA = AREA + AREAS  # + area, for a token
REFRESH = FAR_AREA + AREAS
SWAP = REFRESH + 1  # + worker given * 4 + worker taken
FARM = SWAP + PLAIN_WORKERS * PLAIN_WORKERS  # + region
BUILD = FARM + REGIONS  # + region
SLOT = BUILD + REGIONS  # + space of the market
CITADEL = SLOT + SLOTS  # + citadel
GIVE = CITADEL + CITADELS  # + worker
TAKE = GIVE + PLAIN_WORKERS  # + worker
CUT = TAKE + PLAIN_WORKERS  # + worker
ICON = CUT + WORKERS  # + icon
DEFEAT = ICON + ICONS  # + region
GARRISON = DEFEAT + REGIONS  # + region * GARRISONS + kind of space
TRAIN = GARRISON + REGIONS * GARRISONS  # + region
TOKEN = TRAIN + REGIONS
DONE = TOKEN + 1
ACTIONS = DONE + 1
