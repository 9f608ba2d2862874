"""Agents are seated fairly, look only at what they may see, and greedy is better than random."""

import collections
import itertools

import numpy as np
import pytest

from boardgames import InvalidInput, Match, find_agent, find_line_up, make_variant, play_batch
from boardgames.agents.seating import list_seatings
from boardgames.examples import connect_four, magpies, pig, tic_tac_toe
from boardgames.play.batch import make_scratch


@pytest.mark.parametrize(
    "module", [tic_tac_toe, pytest.param(connect_four, marks=pytest.mark.long), magpies, pig]
)
def test_greedy_beats_random(module):
    batch = play_batch(make_variant(module.GAME), "greedy,random", 2, 1000, seed=3)
    greedy = np.where(
        batch.matches["seating"] == 0, batch.seats["win_share"][:, 0], batch.seats["win_share"][:, 1]
    )
    assert greedy.reshape(-1, 2).mean(axis=1).mean() > 0.6


def test_greedy_takes_a_win_when_there_is_one():
    match = Match(make_variant(connect_four.GAME), 2)
    for column in (3, 0, 3, 0, 3, 0):
        match.push(column)
    match.step("greedy")
    assert match.end == "four in a row"


def test_greedy_prefers_winning_alone_to_sharing():
    from boardgames.agents.greedy import rate_state
    from boardgames.rules.protocol import standing
    from boardgames.rules.rulecode import rebind

    state = make_variant(connect_four.GAME).make_blank_state(2)[0]
    look = rebind([rate_state], {standing: connect_four.GAME.standing})[rate_state]
    scratch = make_scratch(connect_four.GAME, ())
    state.end, state.winner = 1, 1
    alone = look(state, 0, scratch.unrestricted, scratch)
    state.winner = 0
    assert alone > look(state, 0, scratch.unrestricted, scratch) > 0


def test_equal_choices_are_taken_equally_often():
    """On an empty board all cells look alike to greedy."""
    batch = play_batch(make_variant(tic_tac_toe.GAME), "greedy", 2, 3000)
    openings = np.bincount(batch.seats["opening"][:, 0], minlength=9)
    assert openings.min() > 3000 / 9 - 5 * (3000 / 9) ** 0.5
    assert openings.max() < 3000 / 9 + 5 * (3000 / 9) ** 0.5


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_seatings_are_balanced_for_seat_and_for_the_neighbour_on_the_left(n):
    line_up = [find_agent(f"greedy+worlds={worlds}") for worlds in range(3, 3 + n)]
    seatings = list_seatings(line_up)
    assert seatings[0] == tuple(range(n))
    seats = collections.Counter((slot, seat) for order in seatings for seat, slot in enumerate(order))
    left = collections.Counter((order[i], order[(i + 1) % n]) for order in seatings for i in range(n))
    assert len(set(seats.values())) == 1
    assert len(set(left.values())) == 1
    assert len(left) == n * (n - 1)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_equal_agents_are_played_once_and_stay_balanced_over_the_seats(n):
    for kinds in itertools.product("abc", repeat=n):
        line_up = [find_agent(f"greedy+worlds={'abc'.index(kind) + 3}") for kind in kinds]
        seatings = [tuple(kinds[slot] for slot in order) for order in list_seatings(line_up)]
        assert len(set(seatings)) == len(seatings)
        assert seatings[0] == kinds
        for kind in set(kinds):
            assert len({sum(order[seat] == kind for order in seatings) for seat in range(n)}) == 1


def test_self_play_needs_one_seating():
    assert list_seatings(find_line_up("greedy", 4)) == [(0, 1, 2, 3)]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "no agent 'gredy'; did you mean greedy?"),
        ("greedy+world=3", "no parameter 'world'; did you mean worlds?"),
        ("greedy+worlds=0", "worlds=0 is not possible: worlds is a whole number from 1 to 64"),
        ("greedy:7", "greedy takes no number after a colon"),
        ("random+", "'\\+' is not of the form"),
    ],
)
def test_a_misspelt_agent_is_answered_with_what_exists(spec, message):
    with pytest.raises(InvalidInput, match=message):
        find_agent(spec)


def test_a_wrong_number_of_agents_is_refused():
    with pytest.raises(InvalidInput, match="names 2 agents for 3 seats"):
        find_line_up("greedy,random", 3)


def test_an_agents_name_is_its_shortest_spec():
    assert find_agent("greedy+worlds=2").name == "greedy"
    assert find_agent("greedy+worlds=8").name == "greedy+worlds=8"
