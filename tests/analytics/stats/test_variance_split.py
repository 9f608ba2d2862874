"""The variance split: exact where it must be, unbiased and covered where chance is at work, by known answers
from whole grids.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from analytics.stats.variance_split import split_variance
from boardgames.play.swaps import AGENTS, ALL_STREAMS, STREAM, list_masks
from tests.support.sizes import choose_size

A, B = f"{STREAM}a", f"{STREAM}b"
SOURCES = (A, B, AGENTS)
Rule = Callable[..., np.ndarray]
MASKS = np.array([list_masks(SOURCES, list(order)) for order in itertools.permutations(range(3))])


def split(rule: Rule, deals: int, chance: np.random.Generator):
    """The split of a game of two seats, in which seat 1's lead is a function of three numbers."""
    numbers = chance.random((2, len(SOURCES), deals))
    masks = MASKS[chance.integers(len(MASKS), size=deals)]
    leads = np.stack(
        [
            rule(*(np.where(masks[:, mix] >> i & 1, numbers[1, i], numbers[0, i]) for i in range(3)))
            for mix in range(masks.shape[1])
        ],
        axis=1,
    )
    return split_variance(SOURCES, masks, np.stack([leads, -leads], axis=2).astype(float))


def find_truth(rule: Rule, steps: int = 40) -> dict[str, tuple[float, ...]]:
    """(alone, share, involved) of each source by a grid of all three numbers; and the seat's part."""
    grid = (np.arange(steps) + 0.5) / steps
    leads = rule(*np.meshgrid(grid, grid, grid, indexing="ij")).astype(float)
    whole, mean = (leads**2).mean(), leads.mean()

    def close(kept: set[int]) -> float:
        """The part that these numbers decide without the others."""
        others = tuple({0, 1, 2} - kept)
        return float(((leads.mean(axis=others, keepdims=True) - mean) ** 2).mean() / whole)

    shares = []
    for i in range(3):
        orders = list(itertools.permutations(range(3)))
        befores = [set(order[: order.index(i)]) for order in orders]
        shares.append(sum(close({*before, i}) - close(before) for before in befores) / len(orders))
    truth = {
        name: (close({i}), shares[i], close({0, 1, 2}) - close({0, 1, 2} - {i}))
        for i, name in enumerate(SOURCES)
    }
    truth[ALL_STREAMS] = (close({0, 1}), shares[0] + shares[1], close({0, 1, 2}) - close({2}))
    return truth | {"seat": (float(mean**2 / whole),)}


def add_dice(a, b, c):
    return np.floor(a * 6) + np.floor(b * 20) - 12


def compare_coins(a, b, c):
    return np.where((a < 0.5) ^ (b < 0.5), 0.5, -0.5)


def favour_seat(a, b, c):
    return np.where(a < 0.7, 0.5, -0.5)


def change_rarely(a, b, c):
    return np.where(b < 0.025, np.where(c < 0.5, 0.5, -0.5), np.where(a < 0.5, 0.5, -0.5))


def mix_all(a, b, c):
    return np.where(np.floor(a * 4) + np.floor(b * 8) * (c > 0.3) + c > 4.5, 0.5, -0.5)


RULES = (add_dice, compare_coins, favour_seat, change_rarely, mix_all)


def check_coverage(rule: Rule, deals: int, repeats: int) -> None:
    """At least 95% of the intervals hold the truth, up to the noise of the repeats; the mean is unbiased."""
    chance = np.random.default_rng(8)
    truth = find_truth(rule)
    hits: dict[tuple[str, int], list[bool]] = {}
    values: dict[tuple[str, int], list[float]] = {}
    for _ in range(repeats):
        found = split(rule, deals, chance)
        for name, expected in truth.items():
            parts = [found.seat] if name == "seat" else [*found.sources[name]]
            for index, (part, value) in enumerate(zip(parts, expected, strict=True)):
                estimate = part.estimate()
                hits.setdefault((name, index), []).append(
                    estimate.low - 1e-9 <= value <= estimate.high + 1e-9
                )
                values.setdefault((name, index), []).append(part.value - value)
    noise = 3 * math.sqrt(0.05 * 0.95 / repeats)
    assert {key: np.mean(hit) for key, hit in hits.items() if np.mean(hit) < 0.95 - noise} == {}
    for key, errors in values.items():
        # ratios of means are off by about one part in the number of deals
        assert abs(np.mean(errors)) < 4 * np.std(errors) / math.sqrt(repeats) + 2 / deals, key


@pytest.mark.parametrize("rule", [compare_coins, mix_all])
def test_the_intervals_hold_what_a_grid_of_all_numbers_says(rule):
    check_coverage(rule, deals=100, repeats=100)


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("deals", [50, 400])
def test_the_intervals_hold_the_truth_for_few_and_many_deals(rule, deals):
    check_coverage(rule, deals, repeats=choose_size(300, 3000))


def test_a_source_without_effect_gets_exactly_nothing_and_one_that_decides_all_the_whole():
    fair = split(lambda a, b, c: np.where(a < 0.5, 0.5, -0.5), 200, np.random.default_rng(1))
    for part in (*fair.sources[B], *fair.sources[AGENTS]):
        assert part.value == pytest.approx(0, abs=1e-12)
        estimate = part.estimate()
        assert estimate.low == pytest.approx(0, abs=1e-12)
        assert 0.02 < estimate.high < 0.05  # 200 deals cannot exclude what happens once in a hundred
    for part in fair.sources[A]:
        assert part.value + fair.seat.value == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("deals", [8, 300])
def test_shares_and_the_seats_part_add_up_to_the_whole_exactly_also_as_they_are_shown(rule, deals):
    chance = np.random.default_rng(2)
    for _ in range(10):
        found = split(rule, deals, chance)
        parts = [found.seat, *(found.sources[name].share for name in SOURCES)]
        assert sum(part.value for part in parts) == pytest.approx(1, abs=1e-9)
        assert sum(part.estimate().mean for part in parts) == pytest.approx(1, abs=1e-9)
        rest = found.leave_out_seat()
        if found.seat.value < 1 - 1e-9:
            assert sum(rest[name].estimate().mean for name in SOURCES) == pytest.approx(1, abs=1e-9)
        streams = found.sources[ALL_STREAMS].share.value
        assert streams == pytest.approx(found.sources[A].share.value + found.sources[B].share.value)


@pytest.mark.parametrize("rule", RULES)
def test_shares_lie_between_alone_and_involved(rule):
    found = split(rule, 300, np.random.default_rng(2))
    for name in SOURCES:
        alone, share, involved = (part.estimate() for part in found.sources[name])
        assert alone.low <= share.high
        assert share.low <= involved.high


def test_a_difference_of_shares_on_the_same_deals_is_known_better_than_each_share():
    chance = np.random.default_rng(3)
    numbers = chance.random((2, 3, 400))
    masks = MASKS[chance.integers(len(MASKS), size=400)]

    def play(weight: float):
        columns = np.where(
            masks[:, :, None] >> np.arange(3) & 1, numbers[1].T[:, None], numbers[0].T[:, None]
        )
        leads = columns[..., 0] + weight * columns[..., 1] - (1 + weight) / 2
        return split_variance(SOURCES, masks, np.stack([leads, -leads], axis=2))

    a, b = play(1.0), play(1.3)
    difference = (b.sources[B].share - a.sources[B].share).estimate((-1.0, 1.0))
    truth = 1.69 / 2.69 - 1 / 2
    assert difference.low < truth < difference.high
    assert difference.half_width < a.sources[B].share.estimate().half_width / 2


def test_seats_that_always_end_alike_are_known_as_well_as_the_deals_allow():
    still = split(lambda a, b, c: np.full_like(a, 0.5), 100, np.random.default_rng(5))
    assert still.seat.value == pytest.approx(1)
    assert 0.02 < still.sources[A].involved.estimate().high < 0.05


def test_results_that_never_vary_and_a_single_deal_have_no_estimate():
    masks = np.array([list_masks(SOURCES, [0, 1, 2])] * 5)
    still = split_variance(SOURCES, masks, np.zeros((*masks.shape, 2)))
    assert not still.sources[A].share.estimate().has_interval
    results = np.random.default_rng(4).random((1, masks.shape[1], 2))
    assert not split_variance(SOURCES, masks[:1], results).seat.estimate().has_interval
