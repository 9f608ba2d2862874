"""Celtae (Orlando Sá, Pythagoras 2023): a marker circles the board, and each stop is for farming, building, battle or recruiting.

See RULES.md: the procedure is documented, many printed numbers are reconstructed.
"""

from typing import Any

from boardgames import Board, Choice, Game, House, List, Number, PerPlayers, PerSeat, Switch, hidden, own, public
from variants.celtae import board, cards, choices, drawing, outlook, pieces, rules, scoring, setup, words
from variants.celtae.codes import (
    ACTIONS,
    BOX,
    CITADELS,
    GARRISON_SPACES,
    LONG_MOVE,
    PLAIN_WORKERS,
    PROGRESS_SLOTS,
    REGIONS,
    RINGS,
    SEATS,
    SITES,
    SLOTS,
    STATIONS,
    STREAMS,
    TALLIES,
)
from variants.celtae.styles import STYLES


def turns(rules: Any, seats: int) -> tuple[int, int]:
    """§2.1. Every marker on the track is a lap of the action marker, in steps of one to three; whole rounds are played."""
    steps, final = STATIONS * int(rules.progress_markers), int(rules.final_turns)
    fewest, most = -(-steps // (LONG_MOVE * seats)), -(-steps // seats)
    return seats * (fewest + final), seats * (most + final)


GAME = Game(
    name="celtae",
    about="One marker circles the board for all: farm, build citadels, fight Roman armies, recruit a tribe and train druids.",
    players=range(2, SEATS + 1),
    actions=ACTIONS,
    fields={
        "deck": hidden("i8"),  # counts of cards in one number, like all below that are i8
        "discard": public("i8"),
        "hand": own("i8"),
        "known": public("i8", SEATS),  # cards in hand that were taken openly
        "payable": public("i8"),  # kinds of cards or workers that may be chosen next
        "market": public("i2", REGIONS, SLOTS),
        "bag": public("i2", PLAIN_WORKERS),  # everybody can count what is in it; only the order is hidden
        "ring": public("i4", RINGS),  # counts of workers in one number; likewise active and tribe
        "active": public("i4", SEATS),
        "tribe": public("i4", SEATS),
        "druids": public("i2", REGIONS),  # in supply
        "gone_druids": public("i2"),
        "strength": public("i2", SEATS),
        "tokens": public("i2", SEATS),
        "disks": public("i4", SEATS),  # counts by citadel in one number
        "room": public("i2", CITADELS),  # free spaces
        "bonus": public("i2", CITADELS),  # kind of tile
        "bonus_tiles": public("i2", SEATS),
        "stack": public("i2", SITES),  # tiles that are left
        "top": public("i2", SITES),  # the one that is turned up
        "unseen": public("i2", 2),  # army and druid tiles that were never turned up, a bit for each
        "tiles": public("i2", SEATS, 2, 2),  # army and druid tiles of 1 and of 2 points
        "garrison": public("i2", REGIONS, GARRISON_SPACES),  # whose cube: 1 + seat, or BLOCKED
        "garrisons": public("i2", SEATS, REGIONS),
        "cubes": public("i2", SEATS),
        "card": public("i2", PROGRESS_SLOTS),
        "markers": public("i2", PROGRESS_SLOTS),
        "track": public("i2"),  # progress markers on it
        "site_marker": public("i2", SITES),
        "site": public("i2"),  # whose marker is to be placed
        "teutates": public("i2"),
        "draft": public("i2"),  # leaders on the table, a bit for each
        "leader": public("i2", SEATS),
        "side": public("i2", SEATS),
        "station": public("i2"),
        "area": public("i2"),
        "region": public("i2"),  # of the action
        "power": public("i2"),  # leaves, price, rate or recruits of the action
        "owed": public("i2"),  # cards or workers still to be chosen
        "slot": public("i2"),  # last market space bought from, or kind of garrison
        "citadel": public("i2"),
        "final": public("i2"),  # how many of the final turns the player has begun
    },
    parameters=(
        Board(
            "board",
            board.DEFAULT,
            "what is printed on tiles, progress cards and boards, and how many workers there are",
            board.BOARDS,
            board.FIELDS,
            board.read_board,
        ),
        Choice(
            "token_region",
            "station",
            "whose resources a northern or southern area bought by a token uses: the station's half, or its own",
            ("station", "area"),
        ),
        List("market_costs", tuple(BOX["market_costs"]["leaves"]), "leaves for the second to the sixth card of a market", 0, 9),
        List("disk_costs", tuple(BOX["disk_costs"]["cards"]), "cards for each disk, from left to right", 1, 12),
        Number("strength_cap", BOX["strength"]["cap"], "end of the strength track", 3, 30),
        Number("card_strength", BOX["strength"]["per_card"], "most strength for a card in battle", 1, 9),
        Number("tribe_limit", BOX["tribe_limit"]["workers"], "workers that a tribe is cut down to", 1, 12),
        PerPlayers(
            "progress_markers",
            tuple(BOX["progress_markers"]["track"]),
            "progress markers on the track, for each number of players",
            4,
            18,
        ),
        Number("starting_hand", BOX["start"]["hand"], "cards dealt to each player, who then discards two", 2, 10),
        PerSeat("starting_tokens", BOX["start"]["tokens"], "bonus tokens that each seat begins with", 0, 5),
        Number("final_turns", 2, "turns in a row that each player has after the last round; 0 = it ends there", 0, 4),
        Switch("leader_sides", True, "whether leaders can be flipped to side B"),
    ),
    variants={
        "area-region": House(
            {"token_region": "area"}, "the other reading of a disputed rule: a far northern area leads to northern resources"
        ),
        "no-final-turns": House({"final_turns": 0}, "the match ends with the round that empties the track: nobody plays twice"),
        "one-final-turn": House({"final_turns": 1}, "everybody has one more turn, not two in a row"),
        "leaders-fixed": House({"leader_sides": False}, "leaders stay on side A: how much hangs on the wager for three points?"),
        "dear-market": House({"market_costs": (1, 1, 2, 2, 2)}, "the other plausible reading of the printed market costs"),
        "flat-disks": House({"disk_costs": (3, 3, 3, 3, 3, 3, 3, 3, 3)}, "every disk costs the same: building does not slow down"),
        "low-track": House({"strength_cap": 9}, "a shorter strength track: the strongest armies cannot be defeated"),
        "small-tribe": House({"tribe_limit": 6}, "no points for eight workers, and nobody hoards them"),
        "quick": House({"progress_markers": (4, 6, 8)}, "a third fewer progress markers: a shorter match"),
        "second-guess": House(
            board.SECOND_GUESS, "the first alternative for every value that we reconstructed, as far as it can be played"
        ),
        "six-cards": House({"starting_hand": 8}, "everybody begins with six cards instead of three"),
    },
    streams=STREAMS,
    ends=("final turns",),
    tallies=TALLIES,
    groups=words.groups(),
    styles=STYLES,
    setup=setup.setup,
    legal=choices.legal,
    apply=rules.apply,
    standing=scoring.standing,
    score=scoring.score,
    outlook=outlook.outlook,
    imagine=cards.imagine,
    is_turn_uncertain=outlook.is_turn_uncertain,
    say=words.say,
    census=pieces.census,
    scores=scoring.bounds,
    turns=turns,
    refuse=board.refuse,
    cap=2500,
    draw=drawing.draw,
    reconstructed=board.reconstructed(),
    fill_in=board.fill_in,
)
