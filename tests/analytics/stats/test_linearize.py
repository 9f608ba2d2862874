"""A ratio as one number for each deal: right on average, and its interval covers as often as it says."""

import math

import numpy as np
import pytest

from analytics.metric.evidence import load_evidence
from analytics.metric.linearize import FEWEST_IN_BASE, _make_tangent
from analytics.metric.metric import find_metric
from analytics.metric.sums import fill_sums
from analytics.stats.capital import is_refuted
from analytics.verdict.levels import compute_level_interval
from boardgames import run_plan
from boardgames.plan.counts import Counts
from boardgames.plan.plan import make_plan
from boardgames.store.pairs import NO_CELL

# Random tic-tac-toe ends after 5 to 9 moves with these chances; only the ninth move is forced.
LENGTHS = {5: 1440 / 15120, 6: 5328 / 60480, 7: 47952 / 181440, 8: 72576 / 362880, 9: 127872 / 362880}
FORCED_SHARE = LENGTHS[9] / sum(moves * chance for moves, chance in LENGTHS.items())
LOOKS = (64, 128, 256, 512, 1024, 2048)


@pytest.fixture(scope="module")
def forced(tmp_path_factory):
    """The forced share of 1,280 random matches: its numbers, its estimate and its interval."""
    db = tmp_path_factory.mktemp("ratio") / "tic_tac_toe.duckdb"
    plan = make_plan(["tic-tac-toe"], "2", ["random"], 1280)
    run_plan(plan, db)
    metric, cell = find_metric("forced_share"), plan.cells[0].id
    fill_sums(db, [(NO_CELL, cell)], [metric])
    evidence = load_evidence(db, [cell], [metric], [(NO_CELL, cell)])
    counts = evidence.counts["forced_share"][NO_CELL, cell, ""]
    interval = compute_level_interval(evidence, metric, cell, "", math.inf, 0.01)
    return counts, evidence.estimate(metric, cell, ""), interval


def test_the_numbers_of_deals_have_the_ratio_as_their_mean(forced):
    counts, estimate, _ = forced
    assert counts.deals == 1280
    assert counts.mean == pytest.approx(FORCED_SHARE, abs=4 * counts.error)
    assert counts.mean == pytest.approx(estimate.mean, abs=counts.error / 3)  # of second order


def test_the_scatter_of_the_numbers_is_that_of_the_ratio(forced):
    counts, estimate, _ = forced
    assert 1.96 * counts.error == pytest.approx(estimate.half_width, rel=0.4)  # of 20 groups: rough


def test_the_interval_of_a_ratio_holds_the_known_one(forced):
    _, _, interval = forced
    assert interval.low < FORCED_SHARE < interval.high
    assert interval.half_width < 0.01


def test_a_deal_that_plays_out_alike_has_no_difference_in_any_ratio(tmp_path):
    """Else thousands of tiny differences look like evidence where hardly any deal tells anything."""
    db = tmp_path / "pig.duckdb"
    plan = make_plan(["pig+target=40", "pig+target=41"], "2", ["random"], 256)
    run_plan(plan, db)
    a, b = (cell.id for cell in plan.cells)
    ratios = [find_metric(name) for name in ("forced_share", "branching_pooled", "score_spread")]
    fill_sums(db, [(a, b)], ratios)
    evidence = load_evidence(db, [a, b], ratios, [(a, b)])
    affected = evidence.affected[a, b, "affected_deals"].total
    assert 0 < affected < 128
    for metric in ratios:
        counts = evidence.counts[metric.name][a, b, ""]
        assert 0 < counts.counts[counts.values != 0].sum() <= affected, metric.name


def draw_planted(rng: np.random.Generator, chance: float, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Deals in which something happens, and those in which it then succeeds."""
    base = rng.random(LOOKS[-1]) < chance
    return (base & (rng.random(len(base)) < ratio)).astype(float), base.astype(float)


def is_missed(top: np.ndarray, base: np.ndarray, ratio: float, alpha: float) -> bool:
    """Whether the true ratio is refuted at one of the looks, with the tangent of the first deals."""
    first = LOOKS[0]
    while base[:first].sum() < FEWEST_IN_BASE:
        first *= 2
    tangent = _make_tangent(find_metric("comeback"), top[:first].mean(), base[:first].mean())
    numbers = tangent.offset + tangent.top_slope * top + tangent.base_slope * base
    for look in LOOKS:
        if look >= first:
            counts = Counts.of(numbers[:look].round(12))
            mean = ratio - top[:look].sum() / base[:look].sum() + counts.mean
            unbounded = (-math.inf, math.inf)
            if is_refuted(counts, mean, unbounded, alpha):
                return True
            if is_refuted(counts.mirror(), -mean, unbounded, alpha):
                return True
    return False


@pytest.mark.parametrize(("chance", "ratio"), [(0.8, 0.5), (0.3, 0.1), (0.05, 0.5)])
def test_the_interval_of_a_planted_ratio_misses_it_as_rarely_as_it_says(chance, ratio):
    rng = np.random.default_rng(21)
    misses = [is_missed(*draw_planted(rng, chance, ratio), ratio, 0.05) for _ in range(300)]
    assert np.mean(misses) <= 0.05
    wrong = [is_missed(*draw_planted(rng, chance, ratio), ratio + 0.4, 0.05) for _ in range(20)]
    assert np.mean(wrong) > 0.8
