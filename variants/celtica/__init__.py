"""Celtica (Wolfgang Kramer and Michael Kiesling, Ravensburger 2006) in its German, French and English rules.
See RULES.md.
"""

from pathlib import Path
from typing import Any

from boardgames import (
    Board,
    Flag,
    Game,
    Int,
    IntPerPlayerCount,
    IntPerSeat,
    NamedVariant,
    OneOf,
    hidden,
    private,
    public,
)
from variants.celtica import (
    apply,
    board,
    census,
    codes,
    drawing,
    evaluation,
    legal,
    resample,
    scoring,
    setup,
    transcript,
    words,
)
from variants.celtica.styles import STYLES

MOST = codes.DRUID_COPIES + codes.EXPERIENCE_COPIES  # cards of one colour


def find_turn_bounds(rules: Any, players: int) -> tuple[int, int]:
    """From the shortest to the longest match. A card that is played moves its druid, unless that is at the
    goal already.
    """
    goal = int(rules.goal)
    kinds = rules.place_kind[:goal]
    last_round = players * int(rules.hand_size) + (rules.cult_draw != codes.NEVER) * codes.COLOURS * int(
        (kinds == codes.CULT_SITE).sum()
    )
    if rules.last_round == 1:  # no druid is at the goal before the last round
        by_druid_cards = codes.COLOURS * (goal - 1) + last_round
    else:  # in two passes of the deck every card is dealt, and what is dealt is played
        by_druid_cards = 2 * codes.DRUID_CARDS * -(-goal // codes.DRUID_COPIES) + codes.DRUID_CARDS
    waiting = codes.COLOURS * int((kinds == codes.RUIN).sum()) * int(rules.experience_per_ruin)
    return 1, by_druid_cards + waiting + players  # the exchange is a turn of each


GAME = Game(
    name="celtica",
    about="Five druids that all players move, cards that must all be played, and amulets whose parts get "
    "lost in the ruins.",
    player_counts=range(2, codes.SEATS + 1),
    actions=codes.ACTIONS,
    fields={
        "druid_deck": hidden("i2", codes.COLOURS),
        "druid_discard": public("i2", codes.COLOURS, by_seat=False),
        "hand": private("i2", codes.COLOURS),
        "experience_deck": hidden("i2", codes.COLOURS),
        "experience_discard": public("i2", codes.COLOURS, by_seat=False),
        "experience": private("i2", codes.COLOURS),
        "stock": public(
            "i2", codes.KINDS
        ),  # face down, but everybody can count what is left; only its order is hidden
        "given_up": public("i2", codes.KINDS),
        "display": public("i2", codes.KINDS),
        "parts": public("i2", codes.SEATS, codes.KINDS, by_seat=True),
        "position": public("i2", codes.COLOURS, by_seat=False),  # the place of each druid; 0 is the start
        "owed": public("i2"),  # parts still to take or to give up in this turn
        "wanted": public("i2"),  # the kind of part that a swap is for
        "due": private("i2"),  # 1 + the colour that must be played next; 0 = none
        "drew": public("i2", codes.SEATS, by_seat=True),  # who has such a duty
        "starter": public("i2", first_seat=0),  # of this round
        "reason": public("i2"),  # why it will be over after the exchange
        "unasked": public("i2"),  # seats that have not had their exchange
    },
    parameters=(
        Board(
            "board",
            board.DEFAULT,
            "what is printed along the path",
            board.BOARDS,
            {
                "place_kind": ("i2", (codes.PLACES,)),
                "place_parts": ("i2", (codes.PLACES,)),
                "goal": ("i2", ()),
            },
            board.read_board,
        ),
        IntPerPlayerCount(
            "hand_size", 5, "druid cards dealt to each player for a round, for each number of players", 1, 12
        ),
        IntPerSeat(
            "starting_parts", 2, "amulet parts that each seat begins with", 0, codes.MAX_STARTING_PARTS
        ),
        Int("display_size", 9, "amulet parts displayed to choose from", 1, 18),
        OneOf(
            "refill",
            "turn",
            "the display is refilled after every turn, after each part, only when empty, or only after parts "
            "were taken",
            ("turn", "part", "empty", "taken"),
        ),
        Flag("goal_pays", True, "whether parts are found at the goal"),
        OneOf(
            "cult_draw",
            "may",
            "whether a druid card may, must or never can be drawn at a cult site",
            ("may", "must", "never"),
        ),
        OneOf(
            "cult_deadline",
            "round",
            "when a card drawn at a cult site must be played at the latest",
            ("round", "next-turn"),
        ),
        OneOf(
            "overshoot",
            "stop",
            "more cards than steps to the goal: stop there, or only exact plays",
            ("stop", "exact"),
        ),
        Int(
            "most_cards",
            MOST,
            "cards of a colour that may be played at once, druid and experience cards together",
            1,
            MOST,
        ),
        Int("most_cards_home", MOST, "cards that may be discarded at once for a druid at the goal", 1, MOST),
        Int("experience_per_ruin", 1, "experience cards for moving a druid to a ruin", 0, 4),
        Flag("experience_alone", True, "whether experience cards may be played without a druid card"),
        Int("last_round", 1, "druids at the goal that make a round the last one", 1, codes.COLOURS),
        OneOf(
            "next_start",
            "after-last",
            "who begins a round: the left neighbour of the last player, himself, or the next after the last "
            "beginner",
            ("after-last", "last", "rotate"),
        ),
        Int("swap_price", 1, "experience cards for swapping a part after the end; 0 = not offered", 0, 4),
        Int("part_price", 2, "experience cards for a part after the end; 0 = not offered", 0, 6),
        OneOf(
            "swapped_part",
            "display",
            "where a part goes that was swapped after the end",
            ("display", "given-up"),
        ),
        OneOf(
            "fifth_druid",
            "takes-parts",
            "the fifth druid at the goal: its player still takes the parts there, or the match ends at once",
            ("takes-parts", "at-once"),
        ),
        OneOf(
            "dealing",
            "one-by-one",
            "how druid cards are dealt from seat 1 on: a card to each in turn, or a whole hand at a time",
            ("one-by-one", "hand-by-hand"),
        ),
        Flag(
            "experience_with_last_card",
            True,
            "whether experience cards may be played together with one's last druid cards",
        ),
    ),
    variants={
        "de": NamedVariant({}, "the German rules: the original, and the default"),
        "fr": NamedVariant({}, "the French rules: other words, the same game"),
        "en": NamedVariant(
            {"goal_pays": False, "cult_deadline": "next-turn"},
            "the English rules: nothing is found at the goal, and a card drawn at a cult site is played next",
        ),
        "six-cards": NamedVariant(
            {"hand_size": 6},
            "a longer round with more to plan, for those who feel pushed around by five cards",
        ),
        "no-experience": NamedVariant(
            {"experience_per_ruin": 0}, "ruins teach nothing: how much do the experience cards carry?"
        ),
        "exact-goal": NamedVariant(
            {"overshoot": "exact"}, "the goal takes an exact count, so the last steps are not for everybody"
        ),
        "one-card": NamedVariant({"most_cards": 1}, "one card at a time: nobody leaps over a ruin"),
        "two-home": NamedVariant(
            {"last_round": 2}, "the last round begins with the second druid at the goal: a longer match"
        ),
        "at-once": NamedVariant(
            {"fifth_druid": "at-once"},
            "the fifth druid at the goal ends the match before parts are taken there",
        ),
        "hand-by-hand": NamedVariant(
            {"dealing": "hand-by-hand"},
            "each player gets a whole hand of druid cards before the next one does",
        ),
        "card-left": NamedVariant(
            {"experience_with_last_card": False},
            "experience cards are played only while a druid card is left in the hand afterwards",
        ),
        "refill-when-taken": NamedVariant(
            {"refill": "taken"}, "the German and French words: the display is refilled after parts were taken"
        ),
        "must-draw": NamedVariant(
            {"cult_draw": "must"}, "as the overviews put it: at a cult site you get a card, like it or not"
        ),
        "one-home-card": NamedVariant(
            {"most_cards_home": 1}, "of a druid at the goal only one card at a time can be discarded"
        ),
        "swapped-away": NamedVariant(
            {"swapped_part": "given-up"},
            "a part given in a swap is out of sight, not there for the next player",
        ),
        "start-beside": NamedVariant(
            {"board": "start-beside"}, "the start stands beside the 19 places: a step more to the goal"
        ),
        "empty-handed": NamedVariant(
            {"starting_parts": 0}, "nobody has a part at the beginning: the first ruins cost nothing"
        ),
        "six-displayed": NamedVariant(
            {"display_size": 6}, "only six parts to choose from: how much does the choice matter?"
        ),
        "experience-together": NamedVariant(
            {"experience_alone": False}, "experience cards only together with a druid card: nobody can wait"
        ),
        "rotating-start": NamedVariant(
            {"next_start": "rotate"}, "the beginner of a round moves on by one seat, whoever played last"
        ),
        "no-swaps": NamedVariant(
            {"swap_price": 0}, "after the end parts are bought, never swapped: is the swap needed?"
        ),
        "dear-parts": NamedVariant(
            {"part_price": 3}, "after the end a part costs three experience cards: swapping comes first"
        ),
    },
    streams=("druid cards", "experience cards", "amulet parts"),
    ends=codes.ENDS,
    tallies=codes.TALLIES,
    groups=words.list_groups(),
    styles=STYLES,
    setup=setup.setup,
    legal=legal.legal,
    apply=apply.apply,
    standing=scoring.standing,
    score=scoring.score,
    evaluate=evaluation.evaluate,
    learned=Path(__file__).with_name("learned") / "celtica.learned",
    resample=resample.resample,
    is_turn_uncertain=evaluation.is_turn_uncertain,
    say=words.say,
    census=census.census,
    scores=(0, codes.PART_COPIES),
    turns=find_turn_bounds,
    draw=drawing.draw,
    describe_setup=transcript.describe_setup,
    describe_effects=transcript.describe_effects,
    describe_result=transcript.describe_result,
    reconstructed=board.list_reconstructed(),
    fill_in=board.fill_in,
)
