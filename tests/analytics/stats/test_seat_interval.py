"""The always-valid interval of what the seat decides: it holds the truth, and soon tells."""

import numpy as np
import pytest

from analytics.stats.seat_interval import compute_seat_change_interval, compute_seat_interval
from tests.support.sizes import choose_size

PLAYERS, MATCHES = 3, 4


def draw_wins(deals, favour, chance):
    """By deal, match and seat: seat 1 wins this share of the matches outright, chance the others; and the
    deal's own luck shows in all its matches.
    """
    favoured = chance.random((deals, MATCHES)) < favour
    by_deal, by_match = (
        chance.integers(PLAYERS, size=(deals, 1)),
        chance.integers(PLAYERS, size=(deals, MATCHES)),
    )
    drawn = np.where(chance.random((deals, MATCHES)) < 0.5, by_deal, by_match)
    return np.eye(PLAYERS)[np.where(favoured, 0, drawn)]


def find_truth(favour):
    """Of the variance 2/9 of a win shared by none of three seats, what the seats' means make up."""
    ahead = favour * (1 - 1 / PLAYERS)
    behind = favour / PLAYERS
    return (ahead**2 + (PLAYERS - 1) * behind**2) / PLAYERS / (2 / 9)


@pytest.mark.long
@pytest.mark.parametrize("favour", [0.0, 0.1, 0.6, 1.0])
def test_the_interval_holds_what_the_seat_decides_however_often_you_look(favour):
    chance = np.random.default_rng(5)
    repeats = choose_size(20, 400)
    misses = 0
    for _ in range(repeats):
        wins = draw_wins(1024, favour, chance)
        looks = [compute_seat_interval(wins[:deals], 1.0, 0.05) for deals in (64, 256, 1024)]
        misses += not all(look.low <= find_truth(favour) <= look.high + 1e-9 for look in looks)
    assert misses <= 0.05 * repeats


def test_a_seat_that_grows_stronger_is_told_and_two_fair_games_are_known_to_differ_little():
    chance = np.random.default_rng(6)
    fair, other, strong = (draw_wins(500, favour, chance) for favour in (0.0, 0.0, 0.5))
    change = compute_seat_change_interval(fair, strong, 1.0, 0.01)
    assert 0 < change.low < find_truth(0.5) < change.high
    still = compute_seat_change_interval(fair, other, 1.0, 0.01)
    assert -0.05 < still.low <= 0 <= still.high < 0.05


def test_a_few_deals_and_results_that_never_differ_say_nothing():
    chance = np.random.default_rng(7)
    assert not compute_seat_interval(draw_wins(20, 0.5, chance), 1.0, 0.05).is_informative
    assert not compute_seat_interval(np.ones((500, MATCHES, PLAYERS)), 1.0, 0.05).is_informative
