"""Celtae (Orlando Sá, Pythagoras 2023): a marker circles the board, and each stop is for farming, building,
battle or recruiting.

See RULES.md: the procedure is documented, many printed numbers are reconstructed.
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
    IntPerSeat,
    NamedVariant,
    OneOf,
    hidden,
    private,
    public,
)
from variants.celtae import (
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
from variants.celtae.styles import STYLES


def find_turn_bounds(rules: Any, players: int) -> tuple[int, int]:
    """§2.1. Each marker on the track is once round the board for the action marker, in steps of one to three;
    only whole rounds are played.
    """
    steps = codes.STATIONS * int(rules.progress_markers)
    final = int(rules.final_turns)
    fewest = -(-steps // (codes.LONG_MOVE * players))
    most = -(-steps // players)
    return players * (fewest + final), players * (most + final)


GAME = Game(
    name="celtae",
    about="One marker circles the board for all: farm, build citadels, fight Roman armies, recruit a tribe "
    "and train druids.",
    player_counts=range(2, codes.SEATS + 1),
    actions=codes.ACTIONS,
    fields={
        "deck": hidden("i8"),  # counts of cards in one number, like all below that are i8
        "discard": public("i8", bits=codes.BITS),
        "hand": private("i8", bits=codes.BITS),
        "known": public(
            "i8", codes.SEATS, by_seat=True, bits=codes.BITS
        ),  # cards in hand that were taken openly
        "payable": public("i8", bits=codes.BITS),  # kinds of cards or workers that may be chosen next
        "market": public("i2", codes.REGIONS, codes.SLOTS),
        "bag": public(
            "i2", codes.PLAIN_WORKERS, by_seat=False
        ),  # everybody can count what is in it; only the order is hidden
        "ring": public(
            "i4", codes.RINGS, bits=codes.BITS
        ),  # counts of workers in one number; likewise active and tribe
        "active": public("i4", codes.SEATS, by_seat=True, bits=codes.BITS),
        "tribe": public("i4", codes.SEATS, by_seat=True, bits=codes.BITS),
        "druids": public("i2", codes.REGIONS),  # in supply
        "gone_druids": public("i2"),
        "strength": public("i2", codes.SEATS, by_seat=True),
        "tokens": public("i2", codes.SEATS, by_seat=True),
        "disks": public("i4", codes.SEATS, by_seat=True, bits=codes.BITS),  # counts by citadel in one number
        "room": public("i2", codes.CITADELS),  # free spaces
        "bonus": public("i2", codes.CITADELS),  # kind of tile
        "bonus_tiles": public("i2", codes.SEATS, by_seat=True),
        "stack": public("i2", codes.SITES, by_seat=False),  # tiles that are left
        "top": public("i2", codes.SITES, by_seat=False),  # the one that is turned up
        "unseen": public("i2", 2, bits=1),  # army and druid tiles that were never turned up, a bit for each
        "tiles": public("i2", codes.SEATS, 2, 2, by_seat=True),  # army and druid tiles of 1 and of 2 points
        "garrison": public(
            "i2", codes.REGIONS, codes.GARRISON_SPACES, first_seat=1
        ),  # whose cube: 1 + seat, or BLOCKED
        "garrisons": public("i2", codes.SEATS, codes.REGIONS, by_seat=True),
        "cubes": public("i2", codes.SEATS, by_seat=True),
        "card": public("i2", codes.PROGRESS_SLOTS),
        "markers": public("i2", codes.PROGRESS_SLOTS),
        "track": public("i2"),  # progress markers on it
        "site_marker": public("i2", codes.SITES, by_seat=False),
        "site": public("i2"),  # whose marker is to be placed
        "teutates": public("i2"),
        "draft": public("i2", bits=1),  # leaders on the table, a bit for each
        "leader": public("i2", codes.SEATS, by_seat=True),
        "side": public("i2", codes.SEATS, by_seat=True),
        "station": public("i2"),
        "area": public("i2"),
        "region": public("i2"),  # of the action
        "power": public("i2"),  # leaves, price, rate or recruits of the action
        "owed": public("i2"),  # cards or workers still to be chosen
        "slot": public("i2"),  # last market space bought from, or region and kind of garrison
        "battle": public("i2"),  # what was done in it: see codes.STRENGTH_GAINED
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
        OneOf(
            "token_region",
            "station",
            "whose resources a northern or southern area bought by a token uses: the station's half, "
            "or its own",
            ("station", "area"),
        ),
        OneOf(
            "battle_order",
            "strength-first",
            "whether strength is gained before an army is defeated, or before or after it, as you like",
            ("strength-first", "either"),
        ),
        OneOf(
            "garrison_region",
            "action",
            "where a garrison may be placed: in the region of the action, or in any",
            ("action", "any"),
        ),
        OneOf(
            "sides_from",
            "mover",
            "who is the first to decide on a leader's side: the player whose turn it is, or the start player",
            ("mover", "start"),
        ),
        IntList(
            "market_costs",
            tuple(codes.BOX["market_costs"]["leaves"]),
            "leaves for the second to the sixth card of a market",
            0,
            9,
        ),
        IntList(
            "disk_costs",
            tuple(codes.BOX["disk_costs"]["cards"]),
            "cards for each disk, from left to right",
            1,
            12,
        ),
        Int("strength_cap", codes.BOX["strength"]["cap"], "end of the strength track", 3, 30),
        Int("card_strength", codes.BOX["strength"]["per_card"], "most strength for a card in battle", 1, 9),
        Int("tribe_limit", codes.BOX["tribe_limit"]["workers"], "workers that a tribe is cut down to", 1, 12),
        IntPerPlayerCount(
            "progress_markers",
            tuple(codes.BOX["progress_markers"]["track"]),
            "progress markers on the track, for each number of players",
            4,
            18,
        ),
        Int(
            "starting_hand",
            codes.BOX["start"]["hand"],
            "cards dealt to each player, who then discards two",
            2,
            10,
        ),
        IntPerSeat(
            "starting_tokens", codes.BOX["start"]["tokens"], "bonus tokens that each seat begins with", 0, 5
        ),
        Int(
            "final_turns",
            2,
            "turns in a row that each player has after the last round; 0 = it ends there",
            0,
            4,
        ),
        Flag("leader_sides", True, "whether leaders can be flipped to side B"),
    ),
    variants={
        "area-region": NamedVariant(
            {"token_region": "area"},
            "the other reading of a disputed rule: a far northern area leads to northern resources",
        ),
        "fight-first": NamedVariant(
            {"battle_order": "either"},
            "the other reading of a battle: strength may be gained after the army, for the next one",
        ),
        "any-garrison": NamedVariant(
            {"garrison_region": "any"},
            "the text does not say where a garrison goes: here it may go to either region",
        ),
        "sides-in-seat-order": NamedVariant(
            {"sides_from": "start"},
            "the start player decides first on a leader's side, and the last seat has seen all others",
        ),
        "no-final-turns": NamedVariant(
            {"final_turns": 0}, "the match ends with the round that empties the track: nobody plays twice"
        ),
        "one-final-turn": NamedVariant({"final_turns": 1}, "everybody has one more turn, not two in a row"),
        "leaders-fixed": NamedVariant(
            {"leader_sides": False}, "leaders stay on side A: how much hangs on the wager for three points?"
        ),
        "dear-market": NamedVariant(
            {"market_costs": (1, 1, 2, 2, 2)}, "the other plausible reading of the printed market costs"
        ),
        "flat-disks": NamedVariant(
            {"disk_costs": (3, 3, 3, 3, 3, 3, 3, 3, 3)},
            "every disk costs the same: building does not slow down",
        ),
        "low-track": NamedVariant(
            {"strength_cap": 9}, "a shorter strength track: the strongest armies cannot be defeated"
        ),
        "small-tribe": NamedVariant(
            {"tribe_limit": 6}, "no points for eight workers, and nobody hoards them"
        ),
        "quick": NamedVariant(
            {"progress_markers": (4, 6, 8)}, "a third fewer progress markers: a shorter match"
        ),
        "second-guess": NamedVariant(
            board.SECOND_GUESS,
            "the first alternative for every value that we reconstructed, as far as it can be played",
        ),
        "three-a-card": NamedVariant(
            {"card_strength": 3},
            "a card brings three strength at most: a fourth soldier is no help in battle",
        ),
        "late-tokens": NamedVariant(
            {"starting_tokens": (1, 1, 2, 2)},
            "seats 3 and 4 begin with a second token: does that make up for beginning late?",
        ),
        "six-cards": NamedVariant({"starting_hand": 8}, "everybody begins with six cards instead of three"),
    },
    streams=codes.STREAMS,
    ends=("final turns",),
    tallies=codes.TALLIES,
    groups=words.list_groups(),
    styles=STYLES,
    setup=setup.setup,
    legal=legal.legal,
    apply=apply.apply,
    standing=scoring.standing,
    score=scoring.score,
    evaluate=evaluation.evaluate,
    learned=Path(__file__).with_name("learned") / "celtae.learned",
    resample=resample.resample,
    is_turn_uncertain=evaluation.is_turn_uncertain,
    say=words.say,
    census=census.census,
    scores=scoring.find_score_bounds,
    turns=find_turn_bounds,
    refuse=board.refuse,
    cap=2500,
    draw=drawing.draw,
    describe_setup=transcript.describe_setup,
    describe_effects=transcript.describe_effects,
    describe_result=transcript.describe_result,
    reconstructed=board.list_reconstructed(),
    fill_in=board.fill_in,
)
