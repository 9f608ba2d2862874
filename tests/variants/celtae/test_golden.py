"""Celtae: one match of each variant as a text that people can read. A change of the rules shows up here, line
by line.

The matches were played by greedy players, and are played again from their own words: that needs no compiler,
and other weights of the players change nothing here. After an intended change: BOARDGAMES_GOLDEN=1 python -m
pytest tests/variants/celtae/test_golden.py lets the players play anew; then read what changed.
"""

import os
import re
from pathlib import Path

import pytest

from boardgames import Match, make_variant
from tests.variants.celtae.referee import COLOURS, REGIONS, Referee
from tests.variants.celtae.table import SITE_NAMES, letters_of, words_of
from variants.celtae import GAME, codes
from variants.celtae.topics.counts import count, total
from variants.celtae.words import describe_condition, name_citadel, number_card

FOLDER = Path(__file__).parent / "golden"
MATCHES = {  # variant: (players, deal)
    "": (4, 1),
    "area-region": (2, 0),
    "fight-first": (2, 0),
    "any-garrison": (2, 4),
    "sides-in-seat-order": (3, 1),
    "no-final-turns": (3, 0),
    "one-final-turn": (2, 0),
    "leaders-fixed": (2, 1),
    "dear-market": (3, 0),
    "flat-disks": (2, 0),
    "low-track": (2, 0),
    "small-tribe": (3, 1),
    "quick": (4, 0),
    "second-guess": (2, 0),
    "three-a-card": (2, 0),
    "late-tokens": (4, 0),
    "six-cards": (2, 0),
}
BONUS = ("token", "recruit", "cards", "strength")
BONUS_NAMES = ("a bonus token", "a recruit", "two cards", "three strength")
SHOWN = {
    "": (r"defeat the", r"garrison in the", r"train a", r"\(in seat \d's turn\): place a marker", r"side B"),
    "no-final-turns": (r"\nturn (\d+), seat 3: .*\n\nend",),
    "small-tribe": (r"dismiss a",),
    "area-region": (r"spend a token on the",),
    "fight-first": (r"(turn \d+), seat (\d): defeat the .*\n(?:\1, .*\n){0,3}\1, seat \2: gain strength",),
    "any-garrison": (r"defeat the southern .*\n.*garrison in the north",),
    "sides-in-seat-order": (r"seat 1 \(in seat 2's turn\): leader on .*\n.*seat 2: leader on ",),
}


def begun(variant_name):
    seats, deal = MATCHES[variant_name]
    return Match(
        make_variant(GAME, variant_name), seats, deal=deal, compiled=bool(os.environ.get("BOARDGAMES_GOLDEN"))
    )


def opening(match):
    """The table before the first action."""
    state, seats = match.state, match.players
    lines = [f"{match.variant.name}, {seats} players, deal {match.deal}", ""]
    lines += [
        f"{name_citadel(which)}: {BONUS_NAMES[state.bonus[which]]}, room for {state.room[which]}"
        for which in range(8)
    ]
    lines += [
        f"progress card {number_card(state, slot)}: {describe_condition(state, slot)}"
        for slot in range(9)
        if state.card[slot] != codes.NONE
    ]
    lines += [f"seat {seat + 1} holds {cards(state.hand[seat])}" for seat in range(seats)]
    return [*lines, ""]


def cards(hand):
    return ", ".join(words_of(card) for card in range(12) for _ in range(count(hand, card)))


def changes(before, after):
    """What an action did that its words do not say."""
    seat = int(before.actor)
    counted = [
        name for name in ("strength", "tokens", "bonus_tiles") if after[name][seat] != before[name][seat]
    ]
    did = [f"{name.replace('_', ' ')} {after[name][seat]}" for name in counted]
    if after.hand[seat] != before.hand[seat]:
        did.append(f"{total(after.hand[seat])} cards")
    if after.tribe[seat] != before.tribe[seat]:
        did.append(f"tribe {letters_of(after.tribe[seat]) or 'empty'}")
    turned = [SITE_NAMES[site] for site in range(4) if after.stack[site] != before.stack[site]]
    did += [f"{name}: {after.stack[SITE_NAMES.index(name)]} left" for name in turned]
    if after.track != before.track:
        did.append(f"{after.track} markers on the track")
    return ", ".join(did)


def final(match, seat):
    state = match.state
    sources = {
        name.removeprefix("points: "): state.tally[seat, index]
        for index, name in enumerate(GAME.tallies)
        if "points" in name
    }
    counted = ", ".join(f"{name} {points}" for name, points in sources.items())
    leader = f"{codes.LEADER_NAMES[state.leader[seat]]} {'AB'[state.side[seat]]}"
    return (
        f"tribe {letters_of(state.tribe[seat]) or 'empty'}, {leader}; {counted}; score {match.scores()[seat]}"
    )


def playthrough(variant_name, spoken):
    """A match with what each action did: by greedy players, or as it was spoken."""
    match = begun(variant_name)
    lines, words = opening(match), iter(spoken)
    while not match.is_over:
        before = match.state.copy()
        if not match.compiled:
            match.push(next(words))
        else:
            match.step("greedy")
        did = changes(before, match.state)
        lines.append(str(match.moves[-1]._replace(effects=())) + (f" [{did}]" if did else ""))
    lines += [
        "",
        f"end: {match.end}",
        *(f"seat {seat + 1}: {final(match, seat)}" for seat in range(match.players)),
    ]
    return "\n".join(lines) + "\n"


def file_of(variant_name):
    return FOLDER / f"{variant_name or 'celtae'}.txt"


def spoken_in(variant_name):
    """(seat, words) of each action in a golden file."""
    moves = re.findall(
        r"^(?:set-up|turn \d+), seat (\d)(?: \(.*?\))?: (.*?)(?: \[.*\])?$",
        file_of(variant_name).read_text(),
        re.MULTILINE,
    )
    return [(int(seat) - 1, words) for seat, words in moves]


@pytest.mark.parametrize("variant_name", ["", *GAME.variants])
def test_the_match_of_each_variant_goes_as_it_always_went(variant_name):
    if os.environ.get("BOARDGAMES_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        file_of(variant_name).write_text(playthrough(variant_name, ()))
    else:
        assert (
            playthrough(variant_name, [words for _, words in spoken_in(variant_name)])
            == file_of(variant_name).read_text()
        )


@pytest.mark.parametrize("variant_name", SHOWN)
def test_the_match_of_a_variant_shows_what_it_is_about(variant_name):
    for pattern in SHOWN[variant_name]:
        assert re.search(pattern, file_of(variant_name).read_text())


@pytest.mark.parametrize(
    "variant_name",
    [
        "",
        "area-region",
        "fight-first",
        "any-garrison",
        "sides-in-seat-order",
        "no-final-turns",
        "one-final-turn",
        "leaders-fixed",
        "dear-market",
        "quick",
    ],
)
def test_a_referee_who_only_listens_comes_to_the_same_scores_in_matches_of_greedy_players(variant_name):
    state = begun(variant_name).state
    names = [(region, colour) for region in REGIONS for colour in COLOURS]
    bonus = {name: BONUS[kind] for name, kind in zip(names, state.bonus, strict=True)}
    referee = Referee(
        MATCHES[variant_name][0],
        bonus,
        {name: int(room) for name, room in zip(names, state.room, strict=True)},
    )
    for seat, words in spoken_in(variant_name):
        if words.startswith("move"):
            referee.turn_begins()
        referee.hear(seat, words)
    scores = [
        int(points)
        for points in re.findall(r"; score (\d+)$", file_of(variant_name).read_text(), re.MULTILINE)
    ]
    assert [referee.score(seat) for seat in range(len(scores))] == scores


def test_every_variant_has_a_match_and_every_match_a_variant():
    assert set(MATCHES) == {"", *GAME.variants}
    assert {path.name for path in FOLDER.iterdir()} == {
        file_of(variant_name).name for variant_name in MATCHES
    }
