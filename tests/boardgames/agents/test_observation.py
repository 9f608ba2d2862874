"""Observations: everything that a seat sees, nothing else, in numbers that float32 holds exactly."""

import numpy as np
import pytest

from boardgames import Match, find_variant
from boardgames.agents.observation import make_layout
from boardgames.agents.seen_rows import count_from
from boardgames.game.field import Field, private, public
from boardgames.rules import protocol

GAMES = ["celtica", "keltis", "celtae", "magpies", "pig", "connect-four"]


def play_some(game, players, seed=3, actions=40):
    match = Match(find_variant(game), players, seed=seed)
    while match.is_on and len(match.actions) < actions:
        match.step("random")
    return match


def observe(match, seat):
    layout = make_layout(match.game, match.players)
    return dict(zip(layout.names, layout.observe(match.state, seat).tolist(), strict=True))


@pytest.mark.parametrize("game", GAMES[:4])
def test_an_observation_does_not_change_when_everything_hidden_is_dealt_anew(game):
    match = play_some(game, 2)
    for seat in range(2):
        world = match.copy()
        world._run(protocol.rekey_and_resample, world.state, seat, 99)
        assert world.to_bytes() != match.to_bytes()
        assert observe(match, seat) == observe(world, seat)
        assert observe(match, 1 - seat) != observe(match, seat)


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_has_a_name_of_its_own_and_stays_within_its_bounds(game):
    for players in find_variant(game).game.player_counts:
        layout = make_layout(find_variant(game).game, players)
        assert len(set(layout.names)) == len(layout.names) == len(layout.low)
        assert layout.high.max() < 2**24
        match = play_some(game, players, actions=60)
        for seat in range(players):
            row = layout.observe(match.state, seat)
            assert row.dtype == np.float32
            assert ((layout.low <= row) & (row <= layout.high)).all()


def test_hands_that_differ_in_celtae_differ_in_the_observation():
    """Packed into one number of 64 bits, a third of them became equal in float32."""
    hands, rows = set(), set()
    for seed in range(60):
        match = Match(find_variant("celtae"), 2, seed=seed)
        seen = observe(match, 0)
        hands.add(int(match.state.hand[0]))
        rows.add(tuple(value for name, value in seen.items() if name.startswith("own.hand")))
    assert len(hands) == len(rows) > 50


def test_the_own_seat_comes_first_and_seats_are_counted_from_it():
    match = Match(find_variant("pig"), 3, seed=1)
    match.state.banked[:3] = [10, 20, 30]
    match.state.actor = 2
    first, third = observe(match, 0), observe(match, 2)
    assert [first[f"{who}.banked"] for who in ("own", "next", "next2")] == [10, 20, 30]
    assert [third[f"{who}.banked"] for who in ("own", "next", "next2")] == [30, 10, 20]
    assert (first["seat"], first["actor"], third["seat"], third["actor"]) == (0, 2, 2, 0)


def test_numbers_that_name_no_seat_stay_as_they_are():
    values = np.array([-1, 0, 1, 2, 3])
    assert count_from(values, 0, 2, 3).tolist() == [-1, 1, 2, 0, 3]
    assert count_from(values, 1, 1, 2).tolist() == [-1, 0, 2, 1, 3]


@pytest.mark.parametrize(
    ("field", "number", "digits"),
    [
        (public("i2", bits=4), 0x4321, [1, 2, 3, 4]),
        (private("i2", bits=5), (3 << 10) | (2 << 5) | 1, [1, 2, 3]),
        (public("i2", bits=1), -1, [1] * 16),
        (public("i8"), -5, [-5]),
    ],
)
def test_a_field_lists_the_digits_of_its_numbers(field: Field, number, digits):
    assert [(number >> shift) & mask for shift, mask in field.digits] == digits
