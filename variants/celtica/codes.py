"""The numbers that stand for things in Celtica: colours, kinds, phases, ends, tallies, and the table of
actions.
"""

import tomllib
from pathlib import Path

BOX = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))

SEATS = 5
PLACES = 32  # most that a board can have
MAX_STARTING_PARTS = 9
COLOUR_NAMES = tuple(BOX["druids"]["colours"])
PART_NAMES = (*(f"part {kind}" for kind in range(1, 9)), "the middle")
PLACE_NAMES = ("start", "village", "cloister", "castle", "cult", "ruin", "goal")

COLOURS, KINDS = len(COLOUR_NAMES), len(PART_NAMES)
DRUID_COPIES, EXPERIENCE_COPIES, PART_COPIES = (
    BOX[name]["copies"] for name in ("druid_cards", "experience_cards", "parts")
)
DRUID_CARDS, EXPERIENCE_CARDS, PARTS = (
    COLOURS * DRUID_COPIES,
    COLOURS * EXPERIENCE_COPIES,
    KINDS * PART_COPIES,
)

START, VILLAGE, CLOISTER, CASTLE, CULT_SITE, RUIN, GOAL = range(len(PLACE_NAMES))
NOWHERE = START  # where the cards of a druid at home lead; nobody else ever gets to the start

MOVE, TAKING, GIVING, CULT, EXCHANGE, SWAPPING, TURN_OVER = range(
    7
)  # phases; the last one only while an action is carried out
DRUIDS, EXPERIENCE, STOCK = range(3)  # streams
ENDS = ("the last round", "all druids at the goal", "no parts left")
BY_ROUND, ALL_HOME, NO_PARTS = 1, 2, 3  # 1 + the index in ENDS
STOP, EXACT = range(2)  # overshoot
ROUND, NEXT_TURN = range(2)  # cult_deadline
MAY, MUST, NEVER = range(3)  # cult_draw
AFTER_TURN, AFTER_PART, WHEN_EMPTY, AFTER_TAKING = range(4)  # refill
AFTER_LAST, LAST, ROTATE = range(3)  # next_start
TO_DISPLAY, TO_GIVEN_UP = range(2)  # swapped_part
ONE_BY_ONE, HAND_BY_HAND = range(2)  # dealing
TAKES_PARTS, AT_ONCE = range(2)  # fifth_druid

TALLIES = (
    "village visits",
    "cloister visits",
    "castle visits",
    "cult visits",
    "ruin visits",
    "druids brought home",
    "parts gained",
    "parts lost",
    "parts swapped",
    "experience gained",
    "experience to move",
    "experience at the end",
    "cult cards taken",
    "cult cards refused",
    "cards wasted",
    "leaps",
)
(
    _,
    _,
    _,
    _,
    _,
    _,
    PARTS_GAINED,
    PARTS_LOST,
    PARTS_SWAPPED,
    LEARNT,
    MOVED_BY,
    SPENT,
    CULT_TAKEN,
    CULT_REFUSED,
    WASTED,
    LEAPS,
) = range(len(TALLIES))
VISITS = -VILLAGE  # + kind of place

# + ((colour * DRUID_PLAYS + druid cards) * EXPERIENCE_PLAYS + experience cards) * LANDINGS + kind of place
# reached
PLAY = 0
DRUID_PLAYS, EXPERIENCE_PLAYS, LANDINGS = DRUID_COPIES + 1, EXPERIENCE_COPIES + 1, len(PLACE_NAMES)
TAKE = PLAY + COLOURS * DRUID_PLAYS * EXPERIENCE_PLAYS * LANDINGS  # + kind of part
GIVE = TAKE + KINDS  # + kind of part
DRAW_CARD = GIVE + KINDS
NO_CARD = DRAW_CARD + 1
SWAP = NO_CARD + 1  # + kind of part taken
RETURN = SWAP + KINDS  # + kind of part given for it
BUY = RETURN + KINDS  # + kind of part
DONE = BUY + KINDS
ACTIONS = DONE + 1
