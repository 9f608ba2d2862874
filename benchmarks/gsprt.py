"""The sequential test that developers of chess engines use, for comparison: a generalised sequential
probability ratio test (GSPRT) over how many deals have each value.

The likelihood of the counts is made as large as it can be under "the mean is 0" and under "the mean is t";
the test says "not 0" when the second is 2 / alpha times the first, for t or for -t. Empty counts are taken as
a thousandth, as in Fishtest, so that no value is thought impossible.
"""

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
EMPTY = 1e-3
HALVINGS = 60


def find_gsprt_alarm(values: Array, looks: Array, effect: float, alpha: float) -> int | None:
    """The deals after which a mean of 0 is given up for one of +-effect; None if that never happens."""
    distinct, places = np.unique(values, return_inverse=True)
    is_value = places[:, None] == np.arange(len(distinct))
    counts = np.maximum(is_value.cumsum(axis=0)[looks - 1], EMPTY)
    null = compute_log_likelihood(distinct, counts, 0.0)
    best = [compute_log_likelihood(distinct, counts, mean) for mean in (effect, -effect)]
    refuted = np.flatnonzero(np.max(best, axis=0) - null >= math.log(2 / alpha))
    return int(looks[refuted[0]]) if len(refuted) else None


def compute_log_likelihood(values: Array, counts: Array, mean: float) -> Array:
    """The largest log likelihood of each row of counts, with this mean and but for a constant.

    It has chances p / (1 + tilt (value - mean)), p being the observed ones; the tilt is found by halving.
    """
    gains = values - mean
    shares = counts / counts.sum(axis=1, keepdims=True)
    low = np.full(len(counts), -1 / gains.max())
    high = np.full(len(counts), -1 / gains.min())
    for _ in range(HALVINGS):
        tilt = (low + high) / 2
        slope = (shares * gains / (1 + tilt[:, None] * gains)).sum(axis=1)
        low, high = np.where(slope > 0, tilt, low), np.where(slope > 0, high, tilt)
    return np.asarray(-(counts * np.log1p(tilt[:, None] * gains)).sum(axis=1))
