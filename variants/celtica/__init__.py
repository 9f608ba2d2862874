"""Celtica (Wolfgang Kramer and Michael Kiesling, Ravensburger 2006) in its German, French and English rules. See RULES.md."""

from typing import Any

from boardgames import Board, Choice, Game, House, Number, PerPlayers, PerSeat, Switch, hidden, own, public
from variants.celtica import board, drawing, ending, pieces, rules, words
from variants.celtica.codes import (
    ACTIONS,
    COLOURS,
    CULT_SITE,
    DRUID_CARDS,
    DRUID_COPIES,
    EXPERIENCE_COPIES,
    KINDS,
    MOST_STARTING_PARTS,
    NEVER,
    PART_COPIES,
    PLACES,
    RUIN,
    SEATS,
    TALLIES,
)
from variants.celtica.styles import STYLES

MOST = DRUID_COPIES + EXPERIENCE_COPIES  # cards of one colour


def turns(rules: Any, seats: int) -> tuple[int, int]:
    """From the shortest to the longest match. A card that is played moves its druid, unless that is at the goal already."""
    goal, kinds = int(rules.goal), rules.place_kind[: int(rules.goal)]
    last_round = seats * int(rules.hand_size) + (rules.cult_draw != NEVER) * COLOURS * int((kinds == CULT_SITE).sum())
    if rules.last_round == 1:  # no druid is at the goal before the last round
        by_druid_cards = COLOURS * (goal - 1) + last_round
    else:  # in two passes of the deck every card is dealt, and what is dealt is played
        by_druid_cards = 2 * DRUID_CARDS * -(-goal // DRUID_COPIES) + DRUID_CARDS
    waiting = COLOURS * int((kinds == RUIN).sum()) * int(rules.experience_per_ruin)
    return 1, by_druid_cards + waiting + seats  # the exchange is a turn of each


GAME = Game(
    name="celtica",
    about="Five druids that belong to nobody, cards that must all be played, and amulets whose parts get lost in the ruins.",
    players=range(2, SEATS + 1),
    actions=ACTIONS,
    fields={
        "druid_deck": hidden("i2", COLOURS),
        "druid_discard": public("i2", COLOURS),
        "hand": own("i2", COLOURS),
        "experience_deck": hidden("i2", COLOURS),
        "experience_discard": public("i2", COLOURS),
        "experience": own("i2", COLOURS),
        "stock": public("i2", KINDS),  # face down, but everybody can count what is left; only its order is hidden
        "given_up": public("i2", KINDS),
        "display": public("i2", KINDS),
        "parts": public("i2", SEATS, KINDS),
        "position": public("i2", COLOURS),  # the place of each druid; 0 is the start
        "owed": public("i2"),  # parts still to take or to give up in this turn
        "wanted": public("i2"),  # the kind of part that a swap is for
        "due": own("i2"),  # 1 + the colour that must be played next; 0 = none
        "drew": public("i2", SEATS),  # who has such a duty
        "starter": public("i2"),  # of this round
        "reason": public("i2"),  # why it will be over after the exchange
        "unasked": public("i2"),  # seats that have not had their exchange
    },
    parameters=(
        Board(
            "board",
            board.DEFAULT,
            "what is printed along the path",
            board.BOARDS,
            {"place_kind": ("i2", (PLACES,)), "place_parts": ("i2", (PLACES,)), "goal": ("i2", ())},
            board.read_board,
        ),
        PerPlayers("hand_size", 5, "druid cards dealt to each player for a round, for each number of players", 1, 12),
        PerSeat("starting_parts", 2, "amulet parts that each seat begins with", 0, MOST_STARTING_PARTS),
        Number("display_size", 9, "amulet parts displayed to choose from", 1, 18),
        Choice(
            "refill", "turn", "the display is refilled after a turn, after each part, or only when empty", ("turn", "part", "empty")
        ),
        Switch("goal_pays", True, "whether parts are found at the goal"),
        Choice("cult_draw", "may", "whether a druid card may, must or never can be drawn at a cult site", ("may", "must", "never")),
        Choice("cult_deadline", "round", "when a card drawn at a cult site must be played at the latest", ("round", "next-turn")),
        Choice("overshoot", "stop", "more cards than steps to the goal: stop there, or only exact plays", ("stop", "exact")),
        Number("most_cards", MOST, "cards of a colour that may be played at once, druid and experience cards together", 1, MOST),
        Number("most_cards_home", MOST, "cards that may be discarded at once for a druid at the goal", 1, MOST),
        Number("experience_per_ruin", 1, "experience cards for moving a druid to a ruin", 0, 4),
        Switch("experience_alone", True, "whether experience cards may be played without a druid card"),
        Number("last_round", 1, "druids at the goal that make a round the last one", 1, COLOURS),
        Choice(
            "next_start",
            "after-last",
            "who begins a round: the left neighbour of the last player, himself, or the next after the last beginner",
            ("after-last", "last", "rotate"),
        ),
        Number("swap_price", 1, "experience cards for swapping a part after the end; 0 = not offered", 0, 4),
        Number("part_price", 2, "experience cards for a part after the end; 0 = not offered", 0, 6),
        Choice("swapped_part", "display", "where a part goes that was swapped after the end", ("display", "given-up")),
    ),
    variants={
        "de": House({}, "the German rules: the original, and the default"),
        "fr": House({}, "the French rules: other words, the same game"),
        "en": House(
            {"goal_pays": False, "cult_deadline": "next-turn"},
            "the English rules: nothing is found at the goal, and a card drawn at a cult site is played next",
        ),
        "six-cards": House({"hand_size": 6}, "a longer round with more to plan, for those who feel pushed around by five cards"),
        "no-experience": House({"experience_per_ruin": 0}, "ruins teach nothing: how much do the experience cards carry?"),
        "exact-goal": House({"overshoot": "exact"}, "the goal takes an exact count, so the last steps are not for everybody"),
        "one-card": House({"most_cards": 1}, "one card at a time: nobody leaps over a ruin"),
        "two-home": House({"last_round": 2}, "the last round begins with the second druid at the goal: a longer match"),
    },
    streams=("druid cards", "experience cards", "amulet parts"),
    ends=("the last round", "all druids at the goal", "no parts left"),
    tallies=TALLIES,
    groups=words.groups(),
    styles=STYLES,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    standing=ending.standing,
    score=ending.score,
    outlook=ending.outlook,
    imagine=rules.imagine,
    is_turn_uncertain=ending.is_turn_uncertain,
    say=words.say,
    census=pieces.census,
    scores=(0, PART_COPIES),
    turns=turns,
    draw=drawing.draw,
    reconstructed=board.reconstructed(),
    fill_in=board.fill_in,
)
