"""The player-count profile: each metric over all player counts of a variant, on a scale on which they can be compared.

Raw win shares, leads and lengths differ with the number of players for reasons of arithmetic: a fair share is smaller, a leader
among many is rarer. So shares of seats are multiplied by the players, leaders are set beside the race of pure luck, lengths are
per player.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from statsmodels.stats.meta_analysis import combine_effects

from analytics.metric.chance_race import LAST_AT_HALF, LEADER
from analytics.metric.evidence import gather
from analytics.metric.metric import metrics
from analytics.stats.intervals import Estimate

Scale = Callable[[str, int], tuple[float, float]]  # of a part and the players: what to subtract, then what to multiply by
SCALES: dict[str, tuple[str, Scale]] = {
    "seat_win_share": ("1 is fair", lambda part, n: (0.0, float(n))),
    "leader_conversion": ("above the luck race", lambda part, n: (LEADER[n][part], 1.0) if n in LEADER else (math.nan, 1.0)),
    "comeback": ("above the luck race", lambda part, n: (LAST_AT_HALF.get(n, math.nan), 1.0)),
    "length": ("turns of each player", lambda part, n: (0.0, 1 / n)),
}


class Profile(NamedTuple):
    """One metric, or part, over the player counts."""

    metric: str
    part: str
    scale: str  # in words; empty where the metric is comparable as it is
    players: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    heterogeneity: float  # share of the differences between player counts that is not noise (I squared)
    p: float  # chance of such differences if there were none (Cochran's Q)


def profile(path: Path, cells: dict[int, int]) -> list[Profile]:
    """All profiles of a variant from its cells by player count."""
    wanted = [metric for metric in metrics().values() if metric.kind in ("mean", "ratio") and metric.line_ups != "mixed"]
    evidence = gather(path, list(cells.values()), wanted)
    found = []
    for metric in wanted:
        parts = sorted({part for cell in cells.values() for part in evidence.parts(metric, cell)})
        for part in parts:
            have = {n: cell for n, cell in sorted(cells.items()) if part in evidence.parts(metric, cell)}
            scaled = [_scaled(metric.name, part, n, evidence.estimate(metric, cell, part)) for n, cell in have.items()]
            words = SCALES[metric.name][0] if metric.name in SCALES else ""
            found.append(Profile(metric.name, part, words, tuple(have), tuple(scaled), *_heterogeneity(scaled)))
    return found


def _scaled(name: str, part: str, players: int, estimate: Estimate) -> Estimate:
    less, times = SCALES[name][1](part, players) if name in SCALES else (0.0, 1.0)
    mean, low, high = ((value - less) * times for value in estimate[:3])
    return Estimate(mean, low, high, estimate.blocks)


def _heterogeneity(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Over the player counts: I squared, and the chance of Cochran's Q; nothing where there is nothing to compare."""
    known = [one for one in estimates if math.isfinite(one.low) and one.high > one.low]
    if len(known) < 2:
        return math.nan, math.nan
    if len({one.mean for one in known}) == 1:
        return 0.0, 1.0
    variances = np.array([((one.high - one.low) / (2 * 1.96)) ** 2 for one in known])
    result = combine_effects(np.array([one.mean for one in known]), variances)
    return max(0.0, float(result.i2)), float(result.test_homogeneity().pvalue)
