"""Intervals cover as often as they say, and those for verdicts also when somebody looks all the time."""

import json
import math
from functools import partial

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from analytics.metric.evidence import Evidence
from analytics.metric.metric import find_metric
from analytics.questions.summary import summarize_differences
from analytics.stats.capital import AlwaysValidInterval, compute_interval, predict_half_width
from analytics.stats.intervals import (
    Sums,
    Units,
    compute_share_bounds,
    estimate_mean_from_sums,
    estimate_share_from_sums,
    estimate_shares,
    jackknife,
)
from analytics.verdict.levels import compute_level_interval
from analytics.verdict.verdicts import DIFFERENT, SAME, UNCLEAR, UNKNOWN, decide, forecast_deals, tells_little
from benchmarks.sequences import NEVER, Hypothesis, find_alarms
from boardgames import find_variant, play_batch
from boardgames.cli import app
from boardgames.plan.counts import Counts
from boardgames.plan.plan import make_plan
from boardgames.play.quantiles import beta_quantile, normal_quantile, student_quantile
from boardgames.store.pairs import NO_CELL
from tests.support.sizes import choose_size

X_WINS = 737 / 1260 + 4 / 63
# pairs of games by points won, Elo, half-width of its 95 % interval: Stockfish's and OpenBench's pages
PUBLISHED = [
    ((18, 1850, 25507, 2580, 45), 4.54, 0.78),
    ((5, 803, 18029, 1154, 9), 3.12, 0.76),
    ((398, 4112, 7672, 4336, 430), 2.95, 2.18),
    ((56, 1144, 2546, 1310, 77), 7.04, 3.62),
    ((5, 295, 1145, 466, 2), 14.99, 4.97),
]


def sum_up(values: np.ndarray) -> Sums:
    return Sums(len(values), float(values.sum()), float((values**2).sum()))


# ---- ordinary intervals


@pytest.mark.parametrize(("pairs", "elo", "half"), PUBLISHED)
def test_pairs_of_games_give_the_published_elo_intervals(pairs, elo, half):
    """A pair is a deal: both seatings of one opening. As single games the intervals would be wrong."""
    points = np.repeat([0, 0.25, 0.5, 0.75, 1], pairs)
    interval = [
        400 * math.log10(share / (1 - share)) for share in estimate_mean_from_sums(*sum_up(points))[:3]
    ]
    assert interval[0] == pytest.approx(elo, abs=0.006)
    assert (interval[2] - interval[1]) / 2 == pytest.approx(half, abs=0.006)


@pytest.fixture(scope="module")
def first_wins() -> np.ndarray:
    """The first seat's win share in 40,000 random matches of tic-tac-toe: the truth is known."""
    return play_batch(find_variant("tic-tac-toe"), "random", 2, 40_000, seed=5).seats["win_share"][:, 0]


def test_intervals_of_small_runs_cover_the_truth_as_often_as_they_say(first_wins):
    estimates = [estimate_mean_from_sums(*sum_up(part)) for part in first_wins.reshape(-1, 40)]
    covered = np.mean([estimate.low <= X_WINS <= estimate.high for estimate in estimates])
    assert 0.93 <= covered <= 0.97


def test_intervals_of_ratios_cover_the_truth_as_often_as_they_say():
    rng, covered = np.random.default_rng(2), []
    for _ in range(1500):
        base = rng.poisson(20, 640) + 1.0
        top = rng.binomial(base.astype(int), 0.3)
        groups = [column.reshape(10, 64).sum(axis=1) for column in (top, base)]
        estimate = jackknife(Units(np.arange(10), np.full(10, 64.0), *groups), np.divide)
        covered.append(estimate.low <= 0.3 <= estimate.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_the_interval_of_a_share_never_leaves_0_to_100(tmp_path):
    """Seat 1 wins nearly all of these matches, and both variants differ in nearly all: Student's interval
    would pass 100 %.
    """
    spec, db = "tests.truth.p_deterministic:GAME+p=99", tmp_path / "shares.duckdb"
    done = CliRunner().invoke(
        app, [*f"simulate {spec} --players 2 --agents random --matches 300 --json --db".split(), str(db)]
    )
    first, second = json.loads(done.stdout)["cells"][0]["win_share_percent"]
    assert 95 < first["low"] < first["mean"] < first["high"] < 100
    assert 0 < second["low"] < second["mean"] < second["high"] < 5
    (row,) = summarize_differences(
        make_two_cells(),
        lambda a, b: dict.fromkeys(("affected", "win_share:1", "turns"), (300, 298.0, 298.0)),
    )
    assert 99 < row["affected_percent"]["mean"] < row["affected_percent"]["high"] < 100


def make_two_cells():
    cells = [
        *make_plan([f"tests.truth.p_deterministic:GAME+p={p}" for p in (0, 100)], "2", ["random"], 1).cells
    ]
    return {cell.id: cell for cell in cells}


@pytest.mark.parametrize(("name", "lowest"), [("leader_conversion", 0.0), ("skill_edge", -1.0)])
def test_the_interval_of_a_ratio_or_an_edge_ends_where_its_values_end(name, lowest):
    """Nine of ten groups never fail: with their scatter alone the interval would go on beyond all that is
    possible.
    """
    ones = np.ones(10)
    metric, tops = find_metric(name), np.array([*ones[:9], 0.9]) * 64
    for sign in (1, -1):
        evidence = Evidence(
            units={
                name: {
                    (1, "1"): Units(np.arange(10), 64 * ones, (tops if sign > 0 else 64 - tops), 64 * ones)
                }
            },
            sums={name: {(1, "1"): Sums(640, sign * tops.sum(), 639.5)}},
            counts={name: {(NO_CELL, 1, "1"): Counts(sign * np.array([0.0, 1.0]), np.array([6.0, 634.0]))}},
        )
        estimate = evidence.estimate(metric, 1, "1")
        assert lowest <= estimate.low < estimate.mean < estimate.high <= 1.0
        always_valid = compute_level_interval(evidence, metric, 1, "1", (lowest, 1.0), 0.05)
        assert lowest <= always_valid.low < always_valid.high <= 1.0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wins", [0.0, 1.0])
def test_the_edge_of_an_agent_that_never_or_always_wins_allows_for_what_no_deal_has_shown(wins, players):
    """At least as wide as the exact interval of its share of the wins."""
    edge = (wins - 1 / players) / (1 - 1 / players)
    evidence = Evidence(sums={"skill_edge": {(1, "1"): Sums(64, 64 * edge, 64 * edge**2)}})
    estimate = evidence.estimate(find_metric("skill_edge"), 1, "1")
    share = estimate_share_from_sums(64, 64 * wins, 64 * wins)
    low, high = ((end - 1 / players) / (1 - 1 / players) for end in (share.low, share.high))
    assert estimate.low <= low + 1e-9
    assert estimate.high >= high - 1e-9
    assert -1 <= estimate.low < estimate.high <= 1


def test_an_edge_of_nothing_in_every_deal_may_lie_on_either_side():
    evidence = Evidence(sums={"skill_edge": {(1, "1"): Sums(64, 0.0, 0.0)}})
    estimate = evidence.estimate(find_metric("skill_edge"), 1, "1")
    assert estimate.low == pytest.approx(-estimate.high)
    assert estimate.high == pytest.approx(estimate_share_from_sums(64, 0.0, 0.0).high)


def measure_coverage(name, draw, truth, deals, repeats=400):
    """How often the interval that people read holds the truth."""
    rng, metric, covered = np.random.default_rng(11), find_metric(name), 0
    for _ in range(repeats):
        values = draw(rng, deals)
        estimate = Evidence(sums={name: {(1, "1"): sum_up(values)}}).estimate(metric, 1, "1")
        covered += estimate.low <= truth <= estimate.high
    return covered / repeats


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edge", [0.921, 0.97])
def test_an_edge_near_all_covers_the_truth_at_64_deals(edge, seats):
    """Student's interval knows nothing of the rare defeat that did not happen."""
    share = edge * (1 - 1 / seats) + 1 / seats

    def draw(rng, deals):
        wins = rng.binomial(seats, rng.beta(12 * share, 12 * (1 - share), deals)) / seats
        return (wins - 1 / seats) / (1 - 1 / seats)

    assert measure_coverage("skill_edge", draw, edge, 64) >= 0.93


def draw_five(often, rng, deals):
    """A tally of two seats that is five, but for one seat now and then."""
    return 5 - (rng.random((deals, 2)) < often).mean(axis=1)


TALLIES = {
    "nearly always five": (partial(draw_five, 0.001), 4.999),
    "once more or less": (
        lambda rng, deals: 3 + ((rng.random((deals, 3)) < 0.01) * rng.choice([-1, 1], (deals, 3))).mean(1),
        3.0,
    ),
    "rare": (lambda rng, deals: (rng.random((deals, 3)) < 0.0035).mean(axis=1), 0.0035),
    "ordinary": (lambda rng, deals: rng.poisson(3, (deals, 2)).mean(axis=1), 3.0),
}


@pytest.mark.parametrize("deals", [64, 1024])
@pytest.mark.parametrize("tally", TALLIES)
def test_a_tally_that_hardly_varies_covers_the_truth(tally, deals):
    draw, truth = TALLIES[tally]
    assert measure_coverage("usage", draw, truth, deals) >= 0.93


@pytest.mark.long
@pytest.mark.soak
def test_intervals_near_a_limit_cover_the_truth_at_every_size():
    repeats = choose_size(400, 4000)
    for deals in (64, 192, 512, 2048):
        for draw, truth in TALLIES.values():
            assert measure_coverage("usage", draw, truth, deals, repeats) >= 0.93
        for often in (0.001, 0.005, 0.02):
            covered = measure_coverage("usage", partial(draw_five, often), 5 - often, deals, repeats)
            assert covered >= 0.93, (deals, often)


def test_a_tally_of_one_value_in_all_deals_has_an_interval_of_some_width():
    estimate = Evidence(sums={"usage": {(1, "1"): Sums(64, 320.0, 1600.0)}}).estimate(
        find_metric("usage"), 1, "1"
    )
    assert 4.5 < estimate.low < 4.99
    assert 5.01 < estimate.high < 5.5


def test_a_ratio_of_one_value_in_all_deals_has_an_interval_of_some_width():
    units = Units(np.arange(10), *(np.full(10, 64.0 * number) for number in (1, 10, 5)))
    estimate = jackknife(units, np.divide)
    assert 1.9 < estimate.low < 1.999
    assert 2.001 < estimate.high < 2.1


def test_a_metric_that_varies_has_students_interval_as_ever():
    values = np.random.default_rng(2).poisson(3, (200, 2)).mean(axis=1)
    estimate = Evidence(sums={"usage": {(1, "1"): sum_up(values)}}).estimate(find_metric("usage"), 1, "1")
    assert estimate == estimate_mean_from_sums(*sum_up(values))


def test_shares_that_add_up_to_the_same_have_intervals_that_mirror_each_other():
    """Two teams in turn: seats 1 and 3 win together, and seats 2 and 4."""
    rng = np.random.default_rng(4)
    first = rng.binomial(2, rng.beta(2, 3, 84)) / 4  # a seat's share, over two seatings
    seats = [sum_up(values) for values in (first, 0.5 - first, first, 0.5 - first)]
    assert estimate_share_from_sums(*seats[0]).high != pytest.approx(
        0.5 - estimate_share_from_sums(*seats[1]).low, abs=0.01
    )
    one, two, three, four = estimate_shares(seats)
    assert (one, two) == (three, four)
    assert (one.mean + two.mean, one.low + two.high, one.high + two.low) == pytest.approx((0.5, 0.5, 0.5))
    evidence = Evidence(sums={"seat_win_share": {(1, str(seat)): sums for seat, sums in enumerate(seats, 1)}})
    assert evidence.estimate(find_metric("seat_win_share"), 1, "2") == two


def test_shares_of_two_agents_mirror_each_other_though_they_have_other_numbers_of_seats():
    batch = play_batch(find_variant("pig"), ["random", "random+force=hold", "random+force=hold"], 3, 25)
    one, two = batch.shares().values()
    assert one.low + 2 * two.high == pytest.approx(1)
    assert one.high + 2 * two.low == pytest.approx(1)
    assert one.low < one.mean < one.high


def test_a_rare_share_has_an_exact_interval_within_its_bounds():
    estimate = estimate_share_from_sums(1000, 3.0, 3.0)
    assert 0 < estimate.low < 0.003 < estimate.high < 0.01
    assert estimate_share_from_sums(1000, 0.0, 0.0).high > 0.003


def test_too_few_deals_give_no_interval():
    assert math.isnan(estimate_mean_from_sums(1, 1.0, 1.0).low)
    assert math.isnan(jackknife(Units(*np.ones((4, 7))), np.divide).low)


# ---- nothing where there is nothing, something where there is


def test_a_variant_against_itself_on_another_master_seed_is_rejected_at_the_stated_rate(first_wins):
    other = play_batch(find_variant("tic-tac-toe"), "random", 2, 40_000, seed=6).seats["win_share"][:, 0]
    parts = zip(first_wins.reshape(-1, 50), other.reshape(-1, 50), strict=True)
    estimates = [estimate_mean_from_sums(*sum_up(b - a)) for a, b in parts]  # paired as they come
    assert 0.03 <= np.mean([estimate.low > 0 or estimate.high < 0 for estimate in estimates]) <= 0.07


def test_swapping_labels_within_deals_is_rejected_at_the_stated_rate():
    pig = "pig+hold_at=20"
    turns = [
        play_batch(find_variant(f"{pig}+target={target}"), "random", 2, 300, seed=5).matches["turns"]
        for target in (100, 90)
    ]
    differences = turns[1].astype(float) - turns[0]
    signs = np.random.default_rng(3).choice([-1, 1], (1500, 300))
    estimates = [estimate_mean_from_sums(*sum_up(differences * sign)) for sign in signs]
    assert 0.03 <= np.mean([sign.low > 0 or sign.high < 0 for sign in estimates]) <= 0.07


# ---- at all times


@pytest.mark.parametrize("runs", [150, pytest.param(2000, marks=pytest.mark.long)])
def test_constant_peeking_gives_false_verdicts_in_at_most_five_percent_of_runs(runs):
    """Eight main_metrics that never differ, of all kinds; looked at every 64 deals up to 16,384, each look a
    verdict.

    Deals differ rarely or often, by a little or by skewed amounts. The threshold is so small that any clear
    difference is a verdict.
    """
    rng, looks = np.random.default_rng(4), 64 * np.arange(1, 257)
    misses = np.zeros(runs, bool)
    for chance, size in [(0.01, 1), (0.05, 1), (0.3, 1), (0.6, 1), (0.02, 9), (0.1, 9), (0.4, 9), (1.0, 9)]:
        values = np.array([0.0, size, -1.0])  # by +size, and by -1 the more often: the mean is 0
        edges = np.cumsum([1 - chance, chance / (1 + size)])
        sequences = (values[np.searchsorted(edges, rng.random(looks[-1]))] for _ in range(runs))
        misses |= find_alarms(sequences, looks, Hypothesis(0.0, (-size, size), 0.05 / 9)) != NEVER
    assert misses.mean() <= 0.05


def test_the_share_of_affected_deals_is_bounded_at_all_times():
    rng = np.random.default_rng(5)
    for chance in (0.002, 0.2):
        hits = (rng.random((200, 2000)) < chance).cumsum(axis=1)
        misses = [any(not _within(int(row[n - 1]), n, chance) for n in range(20, 2001, 90)) for row in hits]
        assert np.mean(misses) <= 0.05


def _within(hits: int, n: int, chance: float) -> bool:
    low, high = compute_share_bounds(hits, n, 0.05)
    return low <= chance <= high


def test_identical_matches_never_give_an_interval_of_no_width():
    for deals in (10, 1000, 100_000):
        always_valid = compute_interval(Counts.of(np.zeros(deals)), (-1.0, 1.0), 0.01)
        assert always_valid.low < 0 < always_valid.high
    assert always_valid.high < 0.001
    unbounded = compute_interval(Counts.of(np.zeros(1000)), (-math.inf, math.inf), 0.01)
    assert unbounded.high == math.inf


def test_an_interval_for_all_times_is_wider_and_narrows():
    assert predict_half_width(10_000, 0.05) * math.sqrt(10_000) > 1.96
    widths = [predict_half_width(n, 0.05) for n in (100, 1000, 10_000, 10**6)]
    assert widths == sorted(widths, reverse=True)


# ---- verdicts


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.005, 0.008, SAME),
        (0.012, 0.03, DIFFERENT),
        (-0.03, -0.012, DIFFERENT),
        (0.004, 0.03, UNCLEAR),
        (-0.004, 0.03, UNKNOWN),
        (-0.01, 0.01, SAME),  # at the very threshold
        (0.01, 0.03, UNCLEAR),
        (-0.03, -0.01, UNCLEAR),
        (0.0, 0.03, UNKNOWN),
    ],
)
def test_the_verdict_is_where_the_interval_lies(low, high, verdict):
    assert decide(AlwaysValidInterval(low, high), 0.01) == verdict


def test_an_interval_that_is_wider_than_everything_seen_tells_little():
    """A tally of which hardly any deal has one more or less: its far bounds rule."""
    interval = compute_interval(
        Counts(np.array([-2.0, 0.0, 3.0]), np.array([1.0, 998, 1])), (-900, 900), 1e-3
    )
    assert interval.is_informative  # narrow beside what is possible at all
    assert interval.high > 8
    assert tells_little(interval, [0.2, 0.2, -2.0, 3.0])
    assert not tells_little(AlwaysValidInterval(-2.5, 2.0), [30.0, 31.0, -6.0, 8.0])
    assert not tells_little(AlwaysValidInterval(5.0, 90.0), [30.0, 31.0, 44.0])  # at least it is more
    assert not tells_little(AlwaysValidInterval(-0.02, 0.02), [0.0, 0.0])  # a share that never differed


def test_the_forecast_of_how_many_deals_settle_it_comes_true():
    spread, alpha, deals = 0.5, 0.005, 2000
    half = spread * predict_half_width(deals, alpha)
    needed = forecast_deals(AlwaysValidInterval(-half, half), 0.0, 0.01, deals)
    settled = spread * predict_half_width(needed, alpha)
    assert settled == pytest.approx(0.01, rel=0.05)
    assert decide(AlwaysValidInterval(-settled, settled), 0.0105) == SAME


def test_a_quiet_change_is_forecast_by_what_is_possible():
    present = compute_interval(Counts.of(np.zeros(500)), (-1.0, 1.0), 0.005)
    needed = forecast_deals(present, 0.0, 0.01, 500)
    settled = compute_interval(Counts.of(np.zeros(needed)), (-1.0, 1.0), 0.005)
    assert decide(settled, 0.01) == SAME
    assert needed < 2000


@pytest.mark.parametrize(
    ("shift", "threshold", "verdict"), [(0.0, 0.1, SAME), (0.5, 0.1, DIFFERENT), (0.5, 0.45, UNCLEAR)]
)
def test_planted_differences_get_their_verdict(shift, threshold, verdict):
    values = np.random.default_rng(9).normal(shift, 1.0, 4000)
    assert decide(compute_interval(Counts.of(values), (-31.0, 31.0), 0.005), threshold) == verdict


def test_quantiles_are_those_of_scipys_statistics():
    for chance in (1e-9, 0.025, 0.3, 0.5, 0.975, 1 - 1e-9):
        assert normal_quantile(chance) == pytest.approx(stats.norm.ppf(chance), rel=1e-12, abs=1e-15)
        for freedom in (1, 2, 7, 63, 10**6):
            assert student_quantile(chance, freedom) == pytest.approx(
                stats.t.ppf(chance, freedom), rel=1e-12, abs=1e-15
            )
        assert beta_quantile(chance, 3.5, 60) == pytest.approx(stats.beta.ppf(chance, 3.5, 60), rel=1e-12)
