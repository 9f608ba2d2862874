"""Keltis (Reiner Knizia, Kosmos 2008): five stone paths, cards that rise or fall, clovers and wishing stones. See RULES.md."""

from typing import Any

from boardgames import Board, Choice, Game, House, List, Number, PerPlayers, Switch, hidden, own, public
from variants.keltis import board, cards, drawing, rules, scoring, tiles, words
from variants.keltis.codes import ACTIONS, BOX, CARDS, MOST_HELD, PATHS, PILE, SEATS, TALLIES
from variants.keltis.styles import STYLES

CAP = 4000  # §4.3: nothing in the rules forbids to discard and to take from the piles for ever


def turns(rules: Any, seats: int) -> tuple[int, int]:
    """§4.3. Whoever has finished a turn has played a card and drawn one."""
    return 1, CAP // 2 + 1


def refuse(rules: Any, seats: int) -> str:
    """§4.1. Nobody waits for more figures than there are."""
    if rules.figures_to_end > seats * PATHS:
        return f"{seats} players have {seats * PATHS} figures: figures_to_end={rules.figures_to_end} can never be in the goal area"
    return ""


GAME = Game(
    name="keltis",
    about="Five stone paths, columns of cards that rise or fall, and the courage to set out on a path that costs points at first.",
    players=range(2, SEATS + 1),
    actions=ACTIONS,
    fields={
        "deck": hidden("i2", CARDS),  # the draw pile, and below it the cards in the box
        "left": public("i2"),  # cards in the draw pile
        "hand": own("i2", MOST_HELD),  # sorted
        "held": public("i2", SEATS),
        "known": public("i4", SEATS, PATHS),  # cards in hand that were taken openly
        "column": public("i4", SEATS, PATHS),
        "fits": public("i8", SEATS),  # the cards that may follow in their columns
        "pile": public("i2", PATHS, PILE),  # values, from the bottom
        "height": public("i2", PATHS),
        "discarded": public("i2"),  # 1 + path of the card discarded in this turn; 0 = none
        "tiles": public("i4", PATHS),
        "row": public("i2", SEATS, PATHS),  # where a seat's figure stands; 0 = it has none on this path
        "small": public("i2", SEATS),  # small figures on the start stone
        "large": public("i2", SEATS),  # the path of the large figure
        "in_goal": public("i2"),  # figures in the goal area
        "points": public("i2", SEATS),  # the score marker
        "wishes": public("i2", SEATS),
    },
    parameters=(
        Board(
            "board", board.DEFAULT, "row values, goal area and the stones with tiles", board.BOARDS, board.FIELDS, board.read_board
        ),
        PerPlayers("hand_size", BOX["hand"]["cards"], "cards in a hand, for each number of players", 1, MOST_HELD),
        PerPlayers(
            "removed", tuple(BOX["removed"]["cards"]), "cards that go back into the box unseen, for each number of players", 0, 60
        ),
        PerPlayers(
            "figures_to_end",
            BOX["ending"]["figures"],
            "figures in the goal area that end the match, for each number of players",
            1,
            20,
        ),
        List("wishing", tuple(BOX["wishing_stones"]["points"]), "points for 0, 1, 2, 3, 4 and 5 or more wishing stones", -50, 50),
        Number("large_figure", BOX["large"]["worth"], "how many times the large figure counts; 1 = all figures are small", 1, 5),
        Choice("order", "either", "whether a column may rise or fall, or must rise", ("either", "ascending")),
        Switch("clover_enters", False, "whether a clover may bring a figure from the start stone onto a path"),
        Switch("clover_optional", False, "whether a player may leave a clover unused"),
        Switch("substitute_enters", False, "whether the step instead of one beyond the end stone may bring a figure onto a path"),
        Switch("redraw", False, "whether the card discarded in a turn may be taken back in it"),
    ),
    variants={
        "clover-enters": House(
            {"clover_enters": True}, "a clover may also bring a figure onto a path: the other reading of 'any one of your figures'"
        ),
        "substitute-enters": House({"substitute_enters": True}, "so may the step instead of one beyond the end stone"),
        "clover-optional": House({"clover_optional": True}, "a clover may be left unused, as most descriptions of the game say"),
        "redraw": House({"redraw": True}, "the card just discarded may be taken back, which nothing in the text forbids"),
        "as-printed": House(
            {"clover_enters": True, "substitute_enters": True, "redraw": True},
            "the text taken at its word: clovers must be used, any figure may be moved, any discard may be taken",
        ),
        "ascending-only": House({"order": "ascending"}, "columns only rise, as in the sister game Lost Cities: The Board Game"),
        "four-figures": House({"figures_to_end": 4}, "the fourth figure in the goal area ends the match: a race"),
        "no-large-figure": House({"large_figure": 1}, "five small figures: how much hangs on the one that counts double?"),
        "six-cards": House({"hand_size": 6}, "a smaller hand: less to plan, more to hope for"),
        "full-deck": House({"removed": 0}, "two players use all the cards, too"),
        "kind-stones": House({"wishing": (0, 0, 2, 3, 6, 10)}, "no loss of points for few wishing stones"),
        "even-paths": House({"board": "even"}, "tiles in the same rows of all paths: is it the board that makes paths differ?"),
    },
    streams=("cards", "tiles"),
    ends=("figures in the goal", "last card"),
    tallies=TALLIES,
    groups=words.groups(),
    styles=STYLES,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    standing=scoring.standing,
    score=scoring.score,
    outlook=scoring.outlook,
    imagine=cards.imagine,
    say=words.say,
    census=tiles.census,
    scores=scoring.bounds,
    turns=turns,
    cap=CAP,
    refuse=refuse,
    draw=drawing.draw,
    reconstructed=board.reconstructed(),
)
