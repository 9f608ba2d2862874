"""Keltis (Reiner Knizia, Kosmos 2008): five stone paths, cards that rise or fall, clovers and wishing stones.
See RULES.md.
"""

from pathlib import Path
from typing import Any

from boardgames import (
    Board,
    Flag,
    Game,
    Int,
    IntList,
    IntPerPlayerCount,
    NamedVariant,
    OneOf,
    hidden,
    private,
    public,
)
from variants.keltis import (
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
from variants.keltis.styles import STYLES

CAP = 4000  # §4.3: the rules allow discarding and taking from the piles for ever


def find_turn_bounds(rules: Any, players: int) -> tuple[int, int]:
    """§4.3. Each complete turn plays a card and draws one."""
    return 1, CAP // 2 + 1


def refuse(rules: Any, players: int) -> str | None:
    """§4.1. There must be as many figures as the end takes."""
    figures, needed = players * codes.PATHS, rules.figures_to_end
    if needed > figures:
        return (
            f"{players} players have {figures} figures: figures_to_end={needed} can never be in the goal area"
        )
    return None


GAME = Game(
    name="keltis",
    about="Five stone paths, columns of cards that rise or fall, and the courage to set out on a path that "
    "costs points at first.",
    player_counts=range(2, codes.SEATS + 1),
    actions=codes.ACTIONS,
    fields={
        "deck": hidden("i2", codes.CARDS),  # the draw pile, and below it the cards in the box
        "left": public("i2"),  # cards in the draw pile
        "hand": private("i2", codes.MAX_HAND, unordered=True),  # sorted
        "held": public("i2", codes.SEATS, by_seat=True),
        "known": public("i4", codes.SEATS, codes.PATHS, by_seat=True, bits=1),  # cards in hand, taken openly
        "column": public("i4", codes.SEATS, codes.PATHS, by_seat=True, bits=1),
        "fits": public("i8", codes.SEATS, by_seat=True, bits=1),  # the cards that may follow in their columns
        "pile": public("i2", codes.PATHS, codes.PILE, unordered=True),  # values, from the bottom
        "height": public("i2", codes.PATHS, by_seat=False),
        "discarded": public("i2"),  # 1 + path of the card discarded in this turn; 0 = none
        "tiles": public("i4", codes.PATHS, bits=codes.TILE_BITS),
        # where a seat's figure stands; 0 = it has none on this path
        "row": public("i2", codes.SEATS, codes.PATHS, by_seat=True),
        "small": public("i2", codes.SEATS, by_seat=True),  # small figures on the start stone
        "large": public("i2", codes.SEATS, by_seat=True),  # the path of the large figure
        "in_goal": public("i2"),  # figures in the goal area
        "points": public("i2", codes.SEATS, by_seat=True),  # the score marker
        "wishes": public("i2", codes.SEATS, by_seat=True),
    },
    parameters=(
        Board(
            "board",
            board.DEFAULT,
            "row values, goal area and the stones with tiles",
            board.BOARDS,
            board.FIELDS,
            board.read_board,
        ),
        IntPerPlayerCount(
            "hand_size",
            codes.BOX["hand"]["cards"],
            "cards in a hand, for each number of players",
            1,
            codes.MAX_HAND,
        ),
        IntPerPlayerCount(
            "removed",
            tuple(codes.BOX["removed"]["cards"]),
            "cards that go back into the box unseen, for each number of players",
            0,
            60,
        ),
        IntPerPlayerCount(
            "figures_to_end",
            codes.BOX["ending"]["figures"],
            "figures in the goal area that end the match, for each number of players",
            1,
            20,
        ),
        IntList(
            "wishing",
            tuple(codes.BOX["wishing_stones"]["points"]),
            "points for 0, 1, 2, 3, 4 and 5 or more wishing stones",
            -50,
            50,
        ),
        Int(
            "large_figure",
            codes.BOX["large"]["worth"],
            "how many times the large figure counts; 1 = all figures are small",
            1,
            5,
        ),
        OneOf("order", "either", "whether a column may rise or fall, or must rise", ("either", "ascending")),
        Flag("clover_enters", False, "whether a clover may bring a figure from the start stone onto a path"),
        Flag("clover_optional", False, "whether a player may leave a clover unused"),
        Flag(
            "substitute_enters",
            False,
            "whether the step instead of one beyond the end stone may bring a figure onto a path",
        ),
        Flag("redraw", False, "whether the card discarded in a turn may be taken back in it"),
    ),
    variants={
        "clover-enters": NamedVariant(
            {"clover_enters": True},
            "a clover may also bring a figure onto a path: the other reading of 'any one of your figures'",
        ),
        "substitute-enters": NamedVariant(
            {"substitute_enters": True}, "so may the step instead of one beyond the end stone"
        ),
        "clover-optional": NamedVariant(
            {"clover_optional": True}, "a clover may be left unused, as most descriptions of the game say"
        ),
        "free-clovers": NamedVariant(
            {"clover_enters": True, "clover_optional": True},
            "a clover may be left unused and may bring a figure onto a path: its most generous reading",
        ),
        "redraw": NamedVariant(
            {"redraw": True}, "the card just discarded may be taken back, which nothing in the text forbids"
        ),
        "as-printed": NamedVariant(
            {"clover_enters": True, "substitute_enters": True, "redraw": True},
            "the text taken at its word: clovers must be used, any figure may be moved, any discard may be "
            "taken",
        ),
        "ascending-only": NamedVariant(
            {"order": "ascending"}, "columns only rise, as in the sister game Lost Cities: The Board Game"
        ),
        "four-figures": NamedVariant(
            {"figures_to_end": 4}, "the fourth figure in the goal area ends the match: a race"
        ),
        "no-large-figure": NamedVariant(
            {"large_figure": 1}, "five small figures: how much hangs on the one that counts double?"
        ),
        "six-cards": NamedVariant({"hand_size": 6}, "a smaller hand: less to plan, more to hope for"),
        "full-deck": NamedVariant({"removed": 0}, "two players use all the cards, too"),
        "kind-stones": NamedVariant(
            {"wishing": (0, 0, 2, 3, 6, 10)}, "no loss of points for few wishing stones"
        ),
        "even-paths": NamedVariant(
            {"board": "even"}, "tiles in the same rows of all paths: is it the board that makes paths differ?"
        ),
    },
    streams=("cards", "tiles"),
    ends=("figures in the goal", "last card"),
    tallies=codes.TALLIES,
    groups=words.list_groups(),
    styles=STYLES,
    setup=setup.setup,
    legal=legal.legal,
    apply=apply.apply,
    standing=scoring.standing,
    score=scoring.score,
    evaluate=evaluation.evaluate,
    learned=Path(__file__).with_name("learned") / "keltis.learned",
    resample=resample.resample,
    say=words.say,
    census=census.census,
    scores=scoring.find_score_bounds,
    turns=find_turn_bounds,
    cap=CAP,
    refuse=refuse,
    draw=drawing.draw,
    describe_setup=transcript.describe_setup,
    describe_effects=transcript.describe_effects,
    describe_result=transcript.describe_result,
    reconstructed=board.list_reconstructed(),
)
