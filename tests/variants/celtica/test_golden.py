"""A match of every variant as a text that a reviewer can read: what lies on the table before each turn, and
what is done.

The files are played again, action by action, and every line is compared: they guard the rules, whoever chose
the actions. BOARDGAMES_GOLDEN=1 writes them anew, played by greedy agents: read them before you commit them.
"""

import os
from pathlib import Path

import pytest

from boardgames import Match
from tests.variants.celtica.setting import display, experience, hand, parts, place, variant
from variants.celtica import GAME, codes

FOLDER = Path(__file__).parent / "golden"
NAMES = ["", *GAME.variants]
SEATS, SEED = 3, 2006
OTHER_SEEDS = {  # on the luck of 2006 these are played like the default
    "two-home": 2007,
    "card-left": 2007,
    "one-home-card": 2008,
    "dear-parts": 2009,
    "at-once": 2010,
    "refill-when-taken": 3993,
}


def file_of(name):
    return FOLDER / f"{'celtica-' + name if name else 'celtica'}.txt"


def begin(name):
    return Match(
        variant(name), SEATS, seed=OTHER_SEEDS.get(name, SEED), compiled="BOARDGAMES_GOLDEN" in os.environ
    )


def before_turn(match):
    """The table as the player sees it."""
    seat = int(match.state.turn_owner) + 1
    druids = ", ".join(f"{colour} {place(match, colour)}" for colour in codes.COLOUR_NAMES)
    own = (
        f"hand: {hand(match, seat) or '-'}; experience: {experience(match, seat) or '-'}; parts:"
        f" {parts(match, seat) or '-'}"
    )
    return [
        f"turn {match.state.turn}, seat {seat}. Druids: {druids}",
        f"  display: {display(match)}",
        f"  {own}",
    ]


def text_of(name, actions):
    """The match as text; `actions` chooses, given the match, until it is over."""
    match, turn = begin(name), 0
    lines = [f"{match.variant.name}, {SEATS} players, seed {match.seed}"]
    while not match.is_over:
        if match.state.turn > turn:
            turn = int(match.state.turn)
            lines += before_turn(match)
        actions(match)
        lines.append(f"  > {match.moves[-1].words}")
    lines.append(match.describe_end())
    return [*lines, *(f"seat {seat} has parts {parts(match, seat)}" for seat in range(1, SEATS + 1))]


def test_every_variant_has_a_golden_match_and_every_golden_match_a_variant():
    assert {path.name for path in FOLDER.glob("*.txt")} == {file_of(name).name for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_match_is_played_line_by_line(name):
    if "BOARDGAMES_GOLDEN" in os.environ:
        FOLDER.mkdir(exist_ok=True)
        file_of(name).write_text(
            "\n".join([*text_of(name, lambda match: match.step("greedy")), ""]), encoding="utf-8"
        )
    golden = file_of(name).read_text(encoding="utf-8").splitlines()
    spoken = iter([line.removeprefix("  > ") for line in golden if line.startswith("  > ")])
    for number, (now, then) in enumerate(
        zip(text_of(name, lambda match: match.push(next(spoken))), golden, strict=True), 1
    ):
        assert now == then, f"line {number} of {file_of(name).name}"


def test_the_french_golden_match_is_the_german_one():
    german, french = (file_of(name).read_text(encoding="utf-8").splitlines() for name in ("de", "fr"))
    assert german[1:] == french[1:]
