"""Setting up a position of Celtica in a line or two. Cards and parts only change places: every position has
all its pieces.
"""

import numpy as np

from boardgames import Match, make_variant
from variants.celtica import GAME, codes

MIDDLE = codes.KINDS - 1


def variant(spec=""):
    """en+hand_size=6 -> celtica:en+hand_size=6"""
    variant_name, *given = spec.split("+")
    return make_variant(GAME, variant_name, dict(part.split("=") for part in given))


def table(
    spec="",
    seats=3,
    *,
    hands=(),
    experience=(),
    parts=(),
    display="1 2 3 4 5 6 7 8 M",
    at=None,
    deck=None,
    player=1,
):
    """A match in which it is the player's turn to play cards.

    Hands and experience are colours per seat ("red red white"), parts are kinds per seat ("1 2 M"), `at` is
    the place of each druid, counted from 1 as on the board. With `deck`, the druid deck holds these cards
    only; the others are discarded.
    """
    match = Match(variant(spec), seats)
    state = match.state
    gather(state)
    for seat, cards in enumerate(hands):
        move(state.druid_deck, state.hand[seat], colours(cards))
    for seat, cards in enumerate(experience):
        move(state.experience_deck, state.experience[seat], colours(cards))
    for seat, held in enumerate(parts):
        move(state.stock, state.parts[seat], kinds(held))
    move(state.stock, state.display, kinds(display))
    if deck is not None:
        left = state.druid_deck - colours(deck)
        move(state.druid_deck, state.druid_discard, left)
    for colour, place in (at or {}).items():
        state.position[codes.COLOUR_NAMES.index(colour)] = place - 1
    state.turn_owner = state.actor = player - 1
    return match


def gather(state):
    """All cards and parts back to where they came from."""
    for deck, others in [
        (state.druid_deck, (*state.hand, state.druid_discard)),
        (state.experience_deck, (*state.experience, state.experience_discard)),
        (state.stock, (*state.parts, state.display, state.given_up)),
    ]:
        for other in others:
            move(other, deck, other.copy())


def move(start, end, counts):
    assert (start >= counts).all(), "there are not so many"
    start -= counts
    end += counts


def colours(cards):
    """red red white -> 2 0 1 0 0"""
    return np.array([cards.split().count(name) for name in codes.COLOUR_NAMES], np.int16)


def kinds(parts):
    """1 1 M -> 2 0 0 0 0 0 0 0 1"""
    return np.array(
        [parts.split().count(str(kind + 1) if kind < MIDDLE else "M") for kind in range(codes.KINDS)],
        np.int16,
    )


def told(counts):
    """The other way round: 2 0 1 0 0 -> red red white, and likewise for parts."""
    names = (
        codes.COLOUR_NAMES
        if len(counts) == codes.COLOURS
        else [str(kind + 1) for kind in range(MIDDLE)] + ["M"]
    )
    return " ".join(name for name, n in zip(names, counts, strict=True) for _ in range(int(n)))


def hand(match, seat):
    return told(match.state.hand[seat - 1])


def experience(match, seat):
    return told(match.state.experience[seat - 1])


def parts(match, seat):
    return told(match.state.parts[seat - 1])


def display(match):
    return told(match.state.display)


def place(match, colour):
    """Where a druid is, counted from 1."""
    return int(match.state.position[codes.COLOUR_NAMES.index(colour)]) + 1


def acting(match):
    return int(match.state.actor) + 1


def plays(match, beginning="play"):
    """What may be said that begins so."""
    return [words for words in match.choices() if words.startswith(beginning)]


def played(match, beginning):
    """Play the only thing that begins so."""
    (words,) = plays(match, beginning)
    return match.push(words)
