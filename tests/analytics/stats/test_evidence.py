"""How often verdicts are wrong: planted differences, and real ones with flipped signs and drawn anew. The
tables of docs/why/evidence.md, at a smaller size.
"""

import numpy as np
import pytest

from analytics.stats import capital
from benchmarks.evidence import (
    ALPHA,
    Rate,
    count_fixed_deals,
    measure_case,
    measure_flips,
    measure_gsprt_median,
    measure_median,
    measure_ratio_case,
    measure_resamples,
)
from benchmarks.planted_cases import list_cases
from benchmarks.ratios import list_ratio_cases
from benchmarks.real_differences import Differences, RatioDeals, collect_differences
from benchmarks.sequences import list_looks
from tests.support.sizes import choose_size

CASES = {case.name: case for case in list_cases()}
RATIO_CASES = {case.name: case for case in list_ratio_cases()}
SEQUENCES = 3000  # a right method passes: of a thousand it would often fail by chance
NEAREST = {"1 in 1,000 is +30, the rest normal": 12_000}  # its rate is alpha itself: more are needed to tell
PAIRS = [  # both come up rarely, and then may change much
    ("keltis", "keltis:clover-optional"),
    ("keltis", "keltis:substitute-enters"),
]


def test_people_look_145_times():
    looks = list_looks()
    assert len(looks) == 145
    assert [*looks[:3], looks[15], looks[-1]] == [64, 128, 192, 1024, 20_000]


def test_a_rate_is_low_when_its_upper_bound_is():
    assert Rate(3, 1000).is_low
    assert not Rate(3, 300).is_low
    assert not Rate(20, 1000).is_low


def test_a_fixed_number_of_deals_finds_a_difference_every_other_time():
    assert [count_fixed_deals(effect) for effect in (0.55, 0.3, 0.1)] == [24, 80, 724]


def test_planted_cases_have_no_difference():
    for case in CASES.values():
        values = case.draw(np.random.default_rng(1), 10**6)
        assert abs(values.mean()) < 4 * values.std() / 1000, case.name
        assert np.abs(values).max() <= case.reach, case.name


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_planted_cases_rarely_raise_a_false_alarm(name):
    sequences = NEAREST.get(name, SEQUENCES)
    assert measure_case(CASES[name], np.random.default_rng(11), sequences).is_low


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("name", RATIO_CASES)
def test_no_ratio_is_shown_to_raise_more_false_alarms_than_alpha(name):
    """Also if the bases of the two variants are far from each other."""
    assert not lies_above_alpha(measure_both_ways(name, choose_size(200, 2000)))


def measure_both_ways(name: str, sequences: int) -> Rate:
    case, rng = RATIO_CASES[name], np.random.default_rng(34)
    one_way = measure_ratio_case(case, rng, sequences // 2)
    return one_way.add(measure_ratio_case(case.mirror(), rng, sequences // 2))


def lies_above_alpha(rate: Rate) -> bool:
    return rate.bounds[0] > ALPHA


@pytest.mark.long
def test_three_times_the_alpha_would_be_noticed():
    rates = [
        measure_case(CASES[name], np.random.default_rng(11), 1000, alpha=3 * ALPHA)
        for name in ("±1 in 30%", "win shares, skewed", "lognormal, mirrored")
    ]
    assert not all(rate.is_low for rate in rates)


@pytest.mark.long
def test_trusting_what_was_seen_from_the_first_deal_would_be_noticed(monkeypatch):
    """The declared bounds are then never used."""
    monkeypatch.setattr(capital, "FEWEST_ADVERSE", 0)
    monkeypatch.setattr(capital, "SPARSE", 0.0)
    case = CASES["1 in 1,000 is +30, the rest constant"]
    assert not measure_case(case, np.random.default_rng(11), 200).is_low


@pytest.mark.long
def test_trusting_a_few_affected_deals_would_be_noticed(real_differences, monkeypatch):
    monkeypatch.setattr(capital, "SPARSE", 0.0)
    margins = [part for part in real_differences if part.metric == "winning_margin"]
    assert margins
    assert not pool(measure_resamples(part, np.random.default_rng(16), 300) for part in margins).is_low


@pytest.mark.long
@pytest.mark.parametrize(("name", "most"), [("normal", 211), ("win shares", 211)])
def test_a_third_of_a_deviation_is_found_within_two_hundred_deals(name, most):
    """At most 1.1 times the goal; and no test that is looked at once can do it in a third of that."""
    median = measure_median(name, 0.3, np.random.default_rng(12), 300)
    assert count_fixed_deals(0.3) < median <= most


@pytest.mark.long
def test_the_chess_engines_test_needs_about_as_many_deals():
    ours = measure_median("win shares", 0.2, np.random.default_rng(13), 200)
    theirs = measure_gsprt_median(0.2, 0.2, np.random.default_rng(13), 200)
    assert 0.5 < theirs / ours < 1.2


@pytest.fixture(scope="module")
def real_differences(tmp_path_factory) -> list[Differences | RatioDeals]:
    db = tmp_path_factory.mktemp("evidence") / "real.duckdb"
    return [*collect_differences(db, PAIRS, [2], 3000, seed=1)]


@pytest.mark.long
def test_real_differences_with_flipped_signs_rarely_raise_a_false_alarm(real_differences):
    assert len({part.metric for part in real_differences}) > 12
    assert pool(measure_flips(part, np.random.default_rng(14), 40) for part in real_differences).is_low


@pytest.mark.long
def test_real_differences_drawn_anew_rarely_raise_a_false_alarm(real_differences):
    assert pool(measure_resamples(part, np.random.default_rng(15), 40) for part in real_differences).is_low


def pool(rates) -> Rate:
    total = Rate(0, 0)
    for rate in rates:
        total = total.add(rate)
    return total
