"""Always-valid intervals by betting: what they must be in cases that can be checked by hand."""

import math

import numpy as np
import pytest

from analytics.stats.capital import compute_interval, is_refuted, predict_half_width, shift_interval
from benchmarks.sequences import (
    NEVER,
    Hypothesis,
    excludes_mean,
    find_alarms,
    find_suspicious_looks,
    is_refuted_at,
    list_looks,
)
from boardgames.plan.counts import MOST_VALUES, Counts
from boardgames.play.quantiles import normal_quantile

ALPHA = 0.05 / 7
UNBOUNDED = (-math.inf, math.inf)


def make_normal_counts(deals: int, mean: float = 0.0, deviation: float = 1.0) -> Counts:
    """Values as even as normal ones can be."""
    points = np.array([normal_quantile((2 * index + 1) / (2 * deals)) for index in range(deals)])
    return Counts.of(mean + deviation * (points - points.mean()) / points.std(ddof=1))


def count_all(values: np.ndarray) -> Counts:
    return Counts(values, np.ones(len(values)))


def test_a_thousand_deals_without_a_difference_bound_it_by_one_turn_of_136():
    interval = compute_interval(Counts.of(np.zeros(1000)), (-136.0, 136.0), ALPHA)
    assert interval.high == pytest.approx(0.95, abs=0.02)
    assert interval.low == -interval.high


def test_three_hundred_deals_at_nine_standard_errors_are_told_from_zero():
    interval = compute_interval(make_normal_counts(300, 2.4, 4.4), (-136.0, 136.0), ALPHA)
    assert interval.low == pytest.approx(1.4, abs=0.1)
    assert interval.high == pytest.approx(3.4, abs=0.1)
    assert interval.is_informative


def test_deals_that_play_out_alike_say_nothing_about_rare_losses():
    """Without bounds, three small differences in 2,000 deals do not rule out a rare large one."""
    counts = Counts(np.array([-0.2, 0.0]), np.array([3.0, 1997.0]))
    assert not is_refuted(counts, -0.003, UNBOUNDED, ALPHA)


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 8, 63])
def test_a_few_deals_give_an_interval_that_says_nothing(deals):
    for bounds in ((-1.0, 1.0), (-136.0, 136.0), UNBOUNDED):
        interval = compute_interval(Counts.of(np.zeros(deals)), bounds, ALPHA)
        assert bounds[0] <= interval.low <= 0 <= interval.high <= bounds[1]
        assert not interval.is_informative
    assert not compute_interval(Counts.of(np.zeros(0)), (-1.0, 1.0), ALPHA).is_informative


@pytest.fixture
def lopsided() -> np.ndarray:
    return np.random.default_rng(1).exponential(2.0, 400).round(1) - 1.5


def test_mirrored_values_have_the_mirrored_interval(lopsided):
    there, back = (compute_interval(Counts.of(sign * lopsided), (-40.0, 40.0), ALPHA) for sign in (1, -1))
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-9)


def test_the_unit_of_a_value_does_not_matter(lopsided):
    turns, halves = (
        compute_interval(Counts.of(lopsided).scale(unit), (-40.0 * unit, 40.0 * unit), ALPHA)
        for unit in (1.0, 2.0)
    )
    assert (halves.low, halves.high) == pytest.approx((2 * turns.low, 2 * turns.high))


def test_the_order_of_values_does_not_matter(lopsided):
    counts = Counts.of(lopsided)
    order = np.random.default_rng(2).permutation(len(counts.values))
    other = Counts(counts.values[order], counts.counts[order])
    assert compute_interval(other, (-40.0, 40.0), ALPHA)[:2] == pytest.approx(
        compute_interval(counts, (-40.0, 40.0), ALPHA)[:2]
    )


def test_a_larger_alpha_gives_a_narrower_interval(lopsided):
    counts = Counts.of(lopsided)
    widths = [compute_interval(counts, (-40.0, 40.0), alpha).half_width for alpha in (0.001, 0.01, 0.1)]
    assert widths == sorted(widths, reverse=True)


def test_bins_keep_the_mean_and_never_narrow_the_interval():
    values = np.random.default_rng(3).normal(0.3, 1.0, 4000)
    binned, exact = Counts.of(values), count_all(values)
    assert len(binned.values) <= MOST_VALUES < len(exact.values)
    assert binned.mean == pytest.approx(exact.mean, abs=1e-12)
    assert binned.deals == 4000
    wide, narrow = (compute_interval(counts, (-31.0, 31.0), ALPHA) for counts in (binned, exact))
    assert wide.low <= narrow.low + 1e-9
    assert wide.high >= narrow.high - 1e-9
    assert wide.half_width < 1.01 * narrow.half_width


def test_the_interval_goes_on_shrinking_up_to_a_million_deals():
    """From 4 to 6 standard errors wide on each side, at any time."""
    for deals in (256, 1000, 10_000, 100_000, 10**6):
        assert 3.9 < predict_half_width(deals, ALPHA) * math.sqrt(deals) < 6


def test_a_value_that_cannot_be_is_an_error():
    with pytest.raises(ValueError, match="outside their bounds, -1 to 1"):
        compute_interval(Counts.of(np.array([0.0, 1.5])), (-1.0, 1.0), ALPHA)


def test_an_interval_can_be_moved():
    interval = compute_interval(Counts.of(np.zeros(1000)), (-136.0, 136.0), ALPHA)
    assert shift_interval(interval, 2.0).low == interval.low + 2.0


def test_one_sided_rare_deals_are_bounded_by_what_is_possible():
    """No deal went down, so that nothing seen says how far one can."""
    values = np.zeros(500)
    values[::50] = 3.0
    near, far = (compute_interval(Counts.of(values), (-reach, reach), ALPHA) for reach in (5.0, 100.0))
    assert far.low < 0
    assert far.low < near.low
    assert not is_refuted(Counts.of(values), 0.0, UNBOUNDED, ALPHA)


# ---- at all times


def test_the_interval_of_a_share_holds_at_all_looks_as_often_as_it_says():
    """An exact test: +1 and -1 in 30 % of the deals, 5 % allowed, and not much less used."""
    rng, looks = np.random.default_rng(6), list_looks(2000, 40)
    sequences = (rng.choice([-1.0, 0.0, 1.0], 2000, p=[0.15, 0.7, 0.15]) for _ in range(600))
    alarms = find_alarms(sequences, looks, Hypothesis(0.0, (-1.0, 1.0), 0.05))
    assert 0.005 < (alarms != NEVER).mean() <= 0.05


def draw_anything(rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """A sequence of some shape, a little off its mean, and a bound."""
    shift = rng.choice([0.0, 0.02, 0.1])
    shapes = (
        rng.standard_normal(2000),
        rng.choice([-1.0, 0.0, 1.0], 2000, p=[0.1, 0.8, 0.1]),
        rng.lognormal(0.0, 1.0, 2000) - math.exp(0.5),
        np.where(rng.random(2000) < 0.01, 10.0, -0.1) + rng.choice([0.0, 0.5]) * rng.standard_normal(2000),
    )
    values = shapes[rng.integers(len(shapes))] * rng.choice([-1.0, 1.0]) + shift
    return values, float(np.abs(values).max() * rng.choice([1.0, 8.0]) + 1)


def test_the_quick_bound_of_the_simulations_overlooks_no_refutation():
    rng, looks, refuted = np.random.default_rng(7), list_looks(2000, 24), 0
    for _ in range(60):
        values, reach = draw_anything(rng)
        hypothesis = Hypothesis(0.0, (-reach, reach), 0.3)
        suspicious = find_suspicious_looks(values, looks, hypothesis)
        for look, is_suspicious in zip(looks, suspicious, strict=True):
            if is_refuted_at(values[:look], hypothesis):
                refuted += 1
                assert is_suspicious
    assert refuted > 50


def test_the_interval_excludes_a_mean_just_when_the_test_refutes_it():
    rng, answers = np.random.default_rng(8), []
    for _ in range(40):
        values, reach = draw_anything(rng)
        hypothesis = Hypothesis(0.0, (-reach, reach), 0.3)
        sides = [(values, hypothesis), (-values, hypothesis.mirror())]
        refuted = any(is_refuted_at(side_values[:600], side) for side_values, side in sides)
        answers.append((refuted, excludes_mean(values[:600], hypothesis)))
    assert 5 < sum(refuted for refuted, _ in answers) < 35
    assert sum(refuted != excluded for refuted, excluded in answers) <= 1
