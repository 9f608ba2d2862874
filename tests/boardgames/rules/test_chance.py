"""Chance is fair, its streams are independent, and a change in one place moves nothing in another."""

import itertools

import numpy as np
import pytest
from scipy import stats

from boardgames import draw, draw_or_reshuffle, random_below, shuffle, stable_shuffle
from boardgames.game.game import make_record_type
from boardgames.play.compiled import compile_rules
from boardgames.rules.chance import fold, random_number, scramble
from boardgames.rules.rulecode import rule

STATE = make_record_type(
    [("stream_key", "i8", (2,)), ("stream_step", "i4", (2,)), ("deck", "i2", (4,)), ("discards", "i2", (4,))]
)
DECK, DIE = 0, 1


def make_fresh(key: int = 1) -> np.ndarray:
    states = np.zeros(1, STATE)
    states[0].stream_key[:] = [fold(key, 1), fold(key, 2)]
    return states


@rule
def fill(numbers, keys, n):
    for i in range(len(numbers)):
        for k in range(len(keys)):
            numbers[i, k] = random_number(keys[k], i, n)


@pytest.fixture(scope="module")
def sample() -> np.ndarray:
    """20,000 steps of 50 neighbouring keys, in 0 .. 999."""
    numbers = np.zeros((20_000, 50), np.int64)
    keys = np.array([fold(7, key) for key in range(50)], np.int64)
    compile_rules("chance", [fill], lambda rule: False)[fill](numbers, keys, 1000)
    return numbers


def test_numbers_are_uniform(sample):
    counts = np.bincount(sample.ravel(), minlength=1000)
    assert sample.min() == 0
    assert sample.max() == 999
    assert stats.chisquare(counts).pvalue > 0.001


def test_neighbouring_steps_and_neighbouring_keys_are_independent(sample):
    for first, second in [
        (sample[:-1], sample[1:]),
        (sample[:, :-1], sample[:, 1:]),
        (sample[:-1, :-1], sample[1:, 1:]),
    ]:
        pairs = np.bincount((first // 100 * 10 + second // 100).ravel(), minlength=100)
        assert stats.chisquare(pairs).pvalue > 0.001


def test_every_bit_of_a_key_turns_over_about_half_of_each_number():
    keys = [fold(1, number) for number in range(300)]
    for bit in range(63):
        turned = [
            (random_number(key, 5, 1 << 30) ^ random_number(key ^ (1 << bit), 5, 1 << 30)).bit_count()
            for key in keys
        ]
        assert 14 < np.mean(turned) < 16


def test_scramble_is_a_bijection_on_a_large_sample():
    assert len({scramble(x) for x in range(100_000)}) == 100_000


def test_keys_never_collide_in_a_million():
    assert len({fold(fold(3, a), b) for a in range(1000) for b in range(1000)}) == 1_000_000


def test_compiled_and_plain_numbers_agree(sample):
    plain = [[random_number(fold(7, key), step, 1000) for key in range(50)] for step in range(40)]
    assert (sample[:40] == plain).all()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52, 1_000_000])
def test_one_draw_is_one_step_whatever_the_range(n):
    states = make_fresh()
    assert 0 <= random_below(states[0], DIE, n) < n
    assert states[0].stream_step.tolist() == [0, 1]


def test_a_deck_of_counts_gives_each_card_its_share_and_loses_none():
    counts_drawn = np.zeros(4)
    for key in range(3000):
        states = make_fresh(key)
        states[0].deck[:] = [1, 2, 3, 4]
        counts_drawn[draw(states[0], DECK, states[0].deck)] += 1
        assert states[0].deck.sum() == 9
    assert stats.chisquare(counts_drawn, [300, 600, 900, 1200]).pvalue > 0.001


def test_an_empty_deck_is_made_anew_from_the_discards_and_only_then():
    state = make_fresh()[0]
    state.deck[:] = [1, 0, 0, 0]
    state.discards[:] = [0, 0, 0, 2]
    assert [draw_or_reshuffle(state, DECK, state.deck, state.discards) for _ in range(4)] == [0, 3, 3, -1]
    assert state.stream_step[DECK] == 3  # drawing from nothing is no draw


def test_shuffling_makes_every_order_equally_often():
    orders = dict.fromkeys(itertools.permutations(range(3)), 0)
    for key in range(3000):
        cards = np.arange(3)
        shuffle(make_fresh(key)[0], DECK, cards)
        orders[tuple(cards.tolist())] += 1
    assert stats.chisquare(list(orders.values())).pvalue > 0.001


def test_ranking_makes_every_order_equally_often_also_of_equal_cards():
    orders: dict[tuple[int, ...], int] = {}
    for key in range(3000):
        cards = np.array([0, 0, 1])
        stable_shuffle(make_fresh(key)[0], DECK, cards)
        orders[tuple(cards.tolist())] = orders.get(tuple(cards.tolist()), 0) + 1
    assert stats.chisquare(list(orders.values())).pvalue > 0.001
    assert len(orders) == 3


def test_taking_a_card_out_of_a_ranked_deck_leaves_the_others_in_their_order():
    for key in range(50):
        whole, without = np.array([0, 0, 1, 2, 3, 3, 4]), np.array([0, 0, 1, 3, 3, 4])
        stable_shuffle(make_fresh(key)[0], DECK, whole)
        stable_shuffle(make_fresh(key)[0], DECK, without)
        assert [card for card in whole.tolist() if card != 2] == without.tolist()
