"""Keltis: what holds in every match. Cards and tiles are conserved, turns add up, colours are alike, a
referee agrees.
"""

import itertools
import random

import numpy as np
import pytest

from boardgames import Match, find_line_up, make_variant, play_batch
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.keltis.referee import COLOURS, Referee
from tests.variants.keltis.table import stones
from variants.keltis import GAME, codes
from variants.keltis.topics import cards

NAMED_VARIANTS = ["", *GAME.variants]
TALLY = {name: place for place, name in enumerate(codes.TALLIES)}


def test_the_record_is_smaller_than_a_kibibyte():
    assert GAME.state.itemsize < 1024


# ---- pieces


def count_cards(state):
    """How many of each card there are in the deck, in hands, in columns and on piles."""
    counts = state.deck.astype(int)
    for seat in range(state.players):
        for card in state.hand[seat, : state.held[seat]]:
            counts[card] += 1
        for card in range(codes.CARDS):
            counts[card] += cards.copies(state.column[seat, card // codes.VALUES], card % codes.VALUES)
    for path in range(codes.PATHS):
        for value in state.pile[path, : state.height[path]]:
            counts[path * codes.VALUES + value] += 1
    return counts


@pytest.mark.parametrize(
    ("variant_name", "seats"), list(zip(NAMED_VARIANTS, itertools.cycle([2, 3, 4]), strict=False))
)
def test_cards_tiles_and_figures_are_conserved(variant_name, seats):
    match = Match(make_variant(GAME, variant_name), seats, seed=5, compiled=True)
    while not match.is_over:
        state = match.state
        assert GAME.census(state) == {"cards": 110, "tiles": 25}
        if state.phase == 0:
            assert (count_cards(state) == 2).all()
            assert state.held[:seats].tolist() == [state.rules.hand_size] * seats
        entered = (state.row[:seats] > 0).sum(axis=1)
        assert (entered + state.small[:seats] + (state.large[:seats] == codes.WAITING) == 5).all()
        assert state.in_goal == (state.row >= 7).sum() < state.rules.figures_to_end
        assert state.row.max() <= 9
        match.step("random")


@pytest.mark.parametrize("variant_name", ["", "as-printed"])
def test_hands_are_sorted_and_hold_their_known_cards(variant_name):
    match = Match(make_variant(GAME, variant_name), 3, seed=6, compiled=True)
    while not match.is_over:
        for seat in range(3):
            hand = match.state.hand[seat, : match.state.held[seat]].tolist()
            assert hand == sorted(hand)
            assert all(
                hand.count(card)
                >= cards.copies(match.state.known[seat, card // codes.VALUES], card % codes.VALUES)
                for card in range(codes.CARDS)
            )
        match.step("random")


# ---- turns


@pytest.mark.long
@pytest.mark.parametrize(("seats", "left"), [(2, 64), (3, 86), (4, 78)])
def test_turns_draws_and_cards_played_add_up(seats, left):
    matches, rows, *_ = play_batch(make_variant(GAME), "random", seats, 400)
    tally = {name: rows["tally"][:, :, index].sum(axis=1) for name, index in TALLY.items()}
    ended_by_figures = matches["end"] == 1
    drawn = matches["turns"] - tally["pile draws"] - ended_by_figures
    assert (drawn[~ended_by_figures] == left).all()
    assert (drawn[ended_by_figures] < left).all()
    assert (tally["lays"] + tally["discards"] == matches["turns"]).all()
    steps = tally["clovers used"] + tally["substitute steps"]
    assert (matches["decisions"] >= 2 * matches["turns"] - ended_by_figures + steps).all()
    assert (tally["wishing stones"] <= 9).all()
    assert (tally["clovers chained"] <= tally["clovers used"]).all()
    assert (tally["clovers used"] <= tally["clovers"]).all()
    assert (np.ptp(rows["turns"], axis=1) <= 1).all()


@pytest.mark.parametrize(("seats", "turns"), [(2, [32, 32]), (3, [29, 29, 28]), (4, [20, 20, 19, 19])])
def test_if_all_draw_from_the_pile_only_early_seats_have_more_turns(seats, turns):
    match = Match(make_variant(GAME), seats, compiled=True)
    while not match.is_over:
        match.push(match.legal()[0])  # discards come first, and the draw pile before the others
    assert match.state.begun[:seats].tolist() == turns


@pytest.mark.parametrize("variant_name", ["", "as-printed", "clover-optional"])
def test_a_players_rows_are_cards_laid_clovers_used_and_substitute_steps(variant_name):
    match = Match(make_variant(GAME, variant_name), 2, deal=4, compiled=True)
    idle = [0, 0]  # cards laid for a figure on its end stone
    while not match.is_over:
        seat, rows = int(match.state.actor), match.state.row.copy()
        match.step("random")
        if codes.LAY <= match.actions[-1] < codes.BY_CLOVER:
            idle[seat] += rows[seat, (match.actions[-1] - codes.LAY) % codes.CARDS // codes.VALUES] == 9
    steps = match.state.tally[:, [TALLY["lays"], TALLY["clovers used"], TALLY["substitute steps"]]].sum(
        axis=1
    )
    assert (match.state.row.sum(axis=1)[:2] == steps[:2] - idle).all()


# ---- scores


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ({}, (-28, 80)),
        ({"large_figure": 1}, (-24, 70)),
        ({"figures_to_end": 1}, (-28, 12 + 4 * 3 + 10 + 14)),
        ({"figures_to_end": 6}, (-28, 20 + 4 * 10 + 10 + 14)),
        ({"wishing": (0, 0, 0, 0, 0, 0)}, (-24, 70)),
    ],
)
def test_the_bounds_of_scores_are_as_worked_out_by_hand(given, bounds):
    assert make_variant(GAME, "", given).bounds("scores", 2) == bounds


def test_the_lowest_score_can_be_reached():
    state = Match(make_variant(GAME), 2).state
    state.row[0], state.large[0] = 1, 2
    assert bind_engine(GAME, (), False)[protocol.score](state, 0) == -28


@pytest.mark.parametrize("variant_name", NAMED_VARIANTS)
def test_no_score_is_out_of_bounds_in_any_variant(variant_name):
    variant = make_variant(GAME, variant_name)
    for seats in GAME.player_counts:
        scores = play_batch(variant, "random", seats, 200).seats["score"]
        low, high = variant.bounds("scores", seats)
        assert low <= scores.min()
        assert scores.max() <= high


@pytest.mark.parametrize("agents", ["random", "greedy"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_referee_who_only_listens_comes_to_the_same_scores(seats, agents):
    for deal in range(6):
        match = Match(make_variant(GAME), seats, deal=deal, compiled=True)
        names = {1: "1", 2: "2", 3: "3", 4: "clover", 5: "wishing stone"}
        referee = Referee(
            seats, {(COLOURS[path], row): names[kind] for (path, row), kind in stones(match.state).items()}
        )
        while not match.is_over:
            seat = int(match.state.actor)
            match.step(agents)
            referee.hear(seat, match.moves[-1].words)
        assert referee.over
        assert [player.score() for player in referee.players] == match.scores()


# ---- colours are alike


def recoloured(states, order):
    """The same position with other colours: what was colour p is now colour order[p]."""
    new = states.copy()
    old, state = states[0], new[0]
    for path, other in enumerate(order):
        for field in ("known", "column", "row"):
            state[field][:, other] = old[field][:, path]
        for field in ("pile", "height", "tiles"):
            state[field][other] = old[field][path]
        state.rules.dark[other] = old.rules.dark[path]
        state.deck[other * codes.VALUES : (other + 1) * codes.VALUES] = old.deck[
            path * codes.VALUES : (path + 1) * codes.VALUES
        ]
    for seat in range(old.players):
        held = old.held[seat]
        state.hand[seat, :held] = sorted(recoloured_card(card, order) for card in old.hand[seat, :held])
        state.fits[seat] = sum(
            1 << recoloured_card(card, order)
            for card in range(codes.CARDS)
            if (int(old.fits[seat]) >> card) & 1
        )
        state.large[seat] = order[old.large[seat]] if old.large[seat] >= 0 else old.large[seat]
        state.tally[seat, codes.LARGE_PATH] = (
            1 + order[old.tally[seat, codes.LARGE_PATH] - 1] if old.tally[seat, codes.LARGE_PATH] else 0
        )
    state.discarded = 1 + order[old.discarded - 1] if old.discarded else 0
    return new


def recoloured_card(card, order):
    return order[int(card) // codes.VALUES] * codes.VALUES + int(card) % codes.VALUES


def recoloured_action(action, order):
    if action < codes.BY_CLOVER:
        return action // codes.CARDS * codes.CARDS + recoloured_card(action % codes.CARDS, order)
    for first, end in (
        (codes.BY_CLOVER, codes.INSTEAD),
        (codes.INSTEAD, codes.FROM_DECK),
        (codes.FROM_PILE, GAME.actions),
    ):
        if first <= action < end and (action - first) // codes.PATHS < codes.NOBODY:
            return (
                first + (action - first) // codes.PATHS * codes.PATHS + order[(action - first) % codes.PATHS]
            )
    return action


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant_name", "seats", "order"),
    [("", 2, (4, 2, 0, 1, 3)), ("as-printed", 3, (1, 0, 3, 4, 2)), ("clover-optional", 4, (2, 3, 4, 0, 1))],
)
def test_exchanging_colours_with_their_stones_and_tiles_changes_nothing_else(variant_name, seats, order):
    match, chance = Match(make_variant(GAME, variant_name), seats, seed=8, compiled=True), random.Random(8)
    run = bind_engine(GAME, (), True)
    side_by_side = recoloured(match._states, order)
    while not match.is_over:
        row = np.zeros(GAME.actions, np.int64)
        n = run[protocol.legal](side_by_side[0], row)
        assert sorted(row[:n].tolist()) == sorted(
            recoloured_action(action, order) for action in match.legal()
        )
        action, deck = chance.choice(match.legal()), match.state.deck.copy()
        match.push(action)
        if action in (codes.FROM_DECK, codes.LAST_FROM_DECK):  # the same card, in its other colour
            drawn = recoloured_card(np.argmax(deck - match.state.deck), order)
            side_by_side[0].deck[:] = np.arange(codes.CARDS) == drawn
        run[protocol.apply](side_by_side[0], np.int64(recoloured_action(action, order)))
        expected = recoloured(match._states, order)
        side_by_side[0].deck[:] = expected[0].deck
        assert side_by_side.tobytes() == expected.tobytes()
        for seat in range(seats):
            assert run[protocol.score](side_by_side[0], seat) == run[protocol.score](match.state, seat)
            assert run[protocol.evaluate](side_by_side[0], seat) == run[protocol.evaluate](match.state, seat)


# ---- players


@pytest.mark.long
def test_greedy_players_beat_random_ones():
    wins = 0
    for deal, seat in itertools.product(range(10), range(2)):
        line_up = find_line_up("greedy,random" if seat == 0 else "random,greedy", 2)
        wins += Match(make_variant(GAME), 2, deal=deal, compiled=True).finish(line_up).ranks()[seat] == 1
    assert wins >= 18


@pytest.mark.long
def test_greedy_players_come_to_an_end():
    matches = play_batch(make_variant(GAME), "greedy", 2, 40).matches
    assert matches["end"].all()
    assert matches["turns"].max() < 150
