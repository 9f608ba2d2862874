"""A ratio as one number for each deal: right on average, and its interval covers as often as it says."""

import math
from pathlib import Path

import numpy as np
import pytest

from analytics.metric.evidence import load_evidence
from analytics.metric.linearize import COMMON, OWN, FirstSums, fit_tangents, name_values
from analytics.metric.metric import find_metric
from analytics.metric.sums import fill_sums
from analytics.questions.compare.lines import PairedCells
from analytics.stats.capital import is_refuted
from analytics.verdict.levels import compute_level_interval
from benchmarks.ratios import A, B, RatioCase, Sequence, make_events, make_rare_change
from boardgames import run_plan
from boardgames.plan.counts import Counts
from boardgames.plan.plan import make_plan
from boardgames.store.connection import get_connection, open_for_reading
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
    interval = compute_level_interval(evidence, metric, cell, "", (-math.inf, math.inf), 0.01)
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


def test_a_deal_that_plays_out_alike_has_no_difference_on_common_tangents(tmp_path):
    db = tmp_path / "pig.duckdb"
    plan = make_plan(["pig+target=40", "pig+target=41"], "2", ["random"], 256)
    run_plan(plan, db)
    a, b = (cell.id for cell in plan.cells)
    ratios = [find_metric(name) for name in ("forced_share", "branching_pooled", "score_spread")]
    fill_sums(db, [(a, b)], ratios)
    affected = load_evidence(db, [a, b], ratios, [(a, b)]).affected[a, b, "affected_deals"].total
    assert 0 < affected < 128
    with open_for_reading(db) as session:
        for metric in ratios:
            rows = get_connection(session).execute(
                "SELECT unnest(differences), unnest(counts) FROM pair WHERE cell_a = ? AND value = ?",
                [a, f"{name_values(metric, '')}:{COMMON}"],
            )
            assert 0 < sum(n for value, n in rows.fetchall() if value != 0) <= affected, metric.name


@pytest.mark.parametrize(("share", "is_rare"), [(0.02, True), (0.1, False)])
def test_common_tangents_count_where_hardly_any_deal_differs(share, is_rare):
    """Else thousands of tiny differences look like evidence where hardly any deal tells anything."""
    case = RatioCase("a rare change", "forced_share", make_rare_change(share))
    evidence = Sequence(case, case.draw(np.random.default_rng(5), 4096)).make_cells(4096).evidence
    counts = evidence.counts["forced_share"][A, B, ""]
    assert (counts.counts[counts.values == 0].sum() > 0.9 * 4096) == is_rare


@pytest.mark.parametrize("chances", [(0.002, 0.028), (0.028, 0.002), (0.001, 0.01)])
def test_rare_events_that_are_far_rarer_in_one_variant_get_an_interval_wide_enough(chances):
    """Few deals differ, but the bases do: common tangents gave the rarer ones too little weight, and one
    comparison in seven said that the ratio differs.
    """
    case = RatioCase("rare events", "comeback", make_events(*chances))
    pairs = [
        Sequence(case, case.draw(np.random.default_rng(seed), 60_032)).make_cells(60_032)
        for seed in range(1, 6)
    ]
    metric = find_metric("comeback")
    intervals = [pair.compute_interval(metric, "", 0.025) for pair in pairs]
    assert not [interval for interval in intervals if interval.low > 0 or interval.high < 0]
    ordinary = [pair.estimate_difference(metric, "").half_width for pair in pairs]
    always_valid = [interval.half_width for interval in intervals]
    assert 1.3 < np.median(always_valid) / np.median(ordinary) < 2.5


def compare_lengths(db: Path, seed: int) -> PairedCells:
    """Forced choices in matches of 4 and of 200 turns: the true share is 30% in both."""
    game = "tests.truth.forced_choices:GAME"
    plan = make_plan([game, f"{game}+length=200"], "2", ["random"], 1024, seed=seed)
    run_plan(plan, db)
    a, b = plan.cells
    metrics = [find_metric(name) for name in ("forced_share", "branching_pooled", "length", "score_level")]
    fill_sums(db, [(a.id, b.id)], metrics)
    evidence = load_evidence(db, [a.id, b.id], metrics, [(a.id, b.id)])
    return PairedCells(evidence=evidence, variants=(a.variant, b.variant), players=2, a=a.id, b=b.id)


def test_a_share_that_is_the_same_in_matches_fifty_times_as_long_gets_no_difference(tmp_path):
    """The tangent that both had in common gave the short matches too little weight: then one interval
    in four excluded the truth.
    """
    pairs = [compare_lengths(tmp_path / "lengths.duckdb", seed) for seed in range(1, 8)]
    for name in ("forced_share", "branching_pooled"):
        metric = find_metric(name)
        intervals = [pair.compute_interval(metric, "", 0.025) for pair in pairs]
        assert not [interval for interval in intervals if interval.low > 0 or interval.high < 0], name
        ordinary = [pair.estimate_difference(metric, "").half_width for pair in pairs]
        always_valid = [interval.half_width for interval in intervals]
        assert 1.3 < np.median(always_valid) / np.median(ordinary) < 2.5, name


def test_variants_with_exact_lengths_that_differ_are_compared(tmp_path):
    """Ranges are subtracted crosswise: their widths are 0, the difference is not."""
    pair = compare_lengths(tmp_path / "lengths.duckdb", 1)
    interval = pair.compute_interval(find_metric("length"), "", 0.025)
    assert (interval.low, interval.high) == (196, 196)
    assert interval.is_informative
    assert pair.find_bounds(find_metric("score_level")) == (-4, 200)


def test_a_part_that_never_happens_does_not_hold_up_the_others(tmp_path):
    """To 10 points in pig there is hardly a leader after a quarter of the match, but often at half-time."""
    db = tmp_path / "pig.duckdb"
    plan = make_plan(["pig", "pig+target=10"], "2", ["greedy"], 512)
    run_plan(plan, db)
    a, b = (cell.id for cell in plan.cells)
    metric = find_metric("leader_conversion")
    fill_sums(db, [(a, b)], [metric])
    evidence = load_evidence(db, [a, b], [metric], [(a, b)])
    assert {part for _, _, part in evidence.counts["leader_conversion"]} == {"50", "75"}
    fill_sums(db, [(a, b)], [metric])
    again = load_evidence(db, [a, b], [metric], [(a, b)])
    assert again.counts["leader_conversion"][a, b, "50"].deals == 512  # and none is counted twice


def draw_planted(rng: np.random.Generator, chance: float, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Deals in which something happens, and those in which it then succeeds."""
    base = rng.random(LOOKS[-1]) < chance
    return (base & (rng.random(len(base)) < ratio)).astype(float), base.astype(float)


def is_missed(top: np.ndarray, base: np.ndarray, ratio: float, alpha: float) -> bool:
    """Whether the true ratio is refuted at one of the looks."""
    for look in LOOKS:
        ends = [deals for deals in LOOKS if deals <= look]
        sums = FirstSums(
            *(np.array([column[:end].sum() for end in ends]) for column in (np.ones(look), top, base))
        )
        tangents = fit_tangents(find_metric("comeback"), {1: sums})
        if tangents:
            slices = np.arange(look) // LOOKS[0]
            numbers = tangents[1, OWN].compute_numbers(slices, top[:look], base[:look])
            counts = Counts.of(numbers.round(12))
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
