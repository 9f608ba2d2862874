"""Keltis: one match of each variant as a text that people can read. A change of the rules shows up here, line
by line.

After an intended change: BOARDGAMES_GOLDEN=1 python -m pytest tests/variants/keltis/test_golden.py, and read
what changed.
"""

import os
import re
from pathlib import Path

import pytest

from boardgames import Match, make_variant
from tests.variants.keltis.table import TILES, stones, words_of
from variants.keltis import GAME, codes

FOLDER = Path(__file__).parent / "golden"
MATCHES = {  # variant: (players, deal); where it can be, a match that shows what the variant is about
    "": (2, 4),
    "clover-enters": (2, 0),
    "substitute-enters": (3, 0),
    "clover-optional": (4, 48),
    "free-clovers": (4, 7),
    "redraw": (2, 0),
    "as-printed": (4, 0),
    "ascending-only": (2, 0),
    "four-figures": (3, 0),
    "no-large-figure": (3, 0),
    "six-cards": (4, 0),
    "full-deck": (2, 0),
    "kind-stones": (2, 0),
    "even-paths": (3, 0),
}
SHOWN = {
    "": r"instead: advance on",
    "clover-enters": r"clover: .* figure enters",
    "clover-optional": r"clover: nobody moves",
    "free-clovers": r"(?s)clover: (nobody moves.*clover: .* figure enters|.* figure enters.*nobody moves)",
    "redraw": r"discard (\w+ \d+)\n.*: take \1\n",
    "as-printed": r"clover: .* figure enters",
    "four-figures": r"figure 4 in the goal\]\n\nend: figures",
    "no-large-figure": (
        r"no large figure on a path; .*\n.*no large figure on a path; .*\n.*no large figure on a"
        r" path; "
    ),
}


def playthrough(variant_name):
    """A match of greedy players, with what each action did."""
    seats, deal = MATCHES[variant_name]
    match = Match(make_variant(GAME, variant_name), seats, deal=deal, compiled=True)
    lines = [f"{match.variant.name}, {seats} players, deal {deal}", ""]
    for path, name in enumerate(codes.PATH_NAMES):
        lines.append(f"{name} path: {tiles(match.state, path)}")
    lines += [f"seat {seat + 1} holds {hand(match.state, seat)}" for seat in range(seats)] + [""]
    while not match.is_over:
        before = match.state.copy()
        match.step("greedy")
        did = changes(before, match.state, match.actions[-1])
        lines.append(str(match.moves[-1]._replace(effects=())) + (f" [{did}]" if did else ""))
    lines += ["", f"end: {match.end}"]
    lines += [f"seat {seat + 1}: {final(match, seat)}" for seat in range(seats)]
    return "\n".join(lines) + "\n"


def tiles(state, path):
    names = list(TILES)
    return ", ".join(f"{names[kind]} in row {row}" for (p, row), kind in stones(state).items() if p == path)


def hand(state, seat):
    return ", ".join(words_of(int(card)) for card in state.hand[seat, : state.held[seat]])


def changes(before, after, action):
    """What an action did that its words do not say."""
    seat = int(before.actor)
    if action in (codes.FROM_DECK, codes.LAST_FROM_DECK):
        return words_of(int((before.deck - after.deck).argmax()))
    did = [
        f"{codes.PATH_NAMES[path]} row {after.row[seat, path]}"
        for path in range(5)
        if after.row[seat, path] != before.row[seat, path]
    ]
    if gained := after.points[seat] - before.points[seat]:
        did.append(f"{gained} points" if gained > 1 else "1 point")
    if after.wishes[seat] > before.wishes[seat]:
        did.append(f"wishing stone {after.wishes[seat]}")
    if after.in_goal > before.in_goal:
        did.append(f"figure {after.in_goal} in the goal")
    return ", ".join(did)


def final(match, seat):
    state = match.state
    rows = ", ".join(f"{name} {state.row[seat, path]}" for path, name in enumerate(codes.PATH_NAMES))
    large = (
        f"large figure on {codes.PATH_NAMES[state.large[seat]]}"
        if state.large[seat] >= 0
        else "no large figure on a path"
    )
    marks = f"number tiles {state.points[seat]}; wishing stones {state.wishes[seat]}"
    return f"rows {rows}; {large}; {marks}; score {match.scores()[seat]}"


def file_of(variant_name):
    return FOLDER / f"{variant_name or 'keltis'}.txt"


@pytest.mark.parametrize("variant_name", ["", *GAME.variants])
def test_the_match_of_each_variant_goes_as_it_always_went(variant_name):
    text = playthrough(variant_name)
    if os.environ.get("BOARDGAMES_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        file_of(variant_name).write_text(text)
    assert text == file_of(variant_name).read_text()


@pytest.mark.parametrize("variant_name", SHOWN)
def test_the_match_of_a_variant_shows_what_it_is_about(variant_name):
    assert re.search(SHOWN[variant_name], file_of(variant_name).read_text())


def test_every_variant_has_a_match_and_every_match_a_variant():
    assert set(MATCHES) == {"", *GAME.variants}
    assert {path.name for path in FOLDER.iterdir()} == {
        file_of(variant_name).name for variant_name in MATCHES
    }
