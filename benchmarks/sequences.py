"""When does a sequence of deals, looked at again and again, first refute a mean?

Whether it does, the product's own `is_refuted` says. Asking it 290 times for each of thousands of sequences
would take hours, so a quick bound on the capital comes first: log(1 + y) is at most y - y^2/2 + y^3/3, and
sums of powers grow with every deal. Only looks at which the bound is high enough are judged.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from analytics.stats.capital import BETTORS, MONEY, NEAR_BOUNDS, STEP, compute_interval, is_refuted
from boardgames.plan.counts import Counts

Array = np.ndarray[Any, Any]
Bounds = tuple[float, float]
EVERY = 64  # deals between two looks, at first
SPARE = 0.25  # in logarithms: binning moves the stakes a little, which the bound does not know
NEVER = -1
LOG_2 = math.log(2.0)
STAKES = STEP ** np.arange(BETTORS)  # of the boldest
SHARES = STAKES**MONEY / (STAKES**MONEY).sum()  # of the money at the start


def list_looks(deals: int = 20_000, looks: int = 145) -> Array:
    """After how many deals people look: every 64 up to 1,024, then in growing steps."""
    first = np.arange(EVERY, min(deals, 16 * EVERY) + 1, EVERY)
    rest = np.geomspace(first[-1], deals, looks - len(first) + 1)[1:]
    return np.unique(np.concatenate([first, np.rint(rest).astype(np.int64)]))


class Hypothesis(NamedTuple):
    """The mean that deals are tested against, from both sides, and the bounds of their values."""

    mean: float
    bounds: Bounds
    alpha: float

    def mirror(self) -> "Hypothesis":
        return Hypothesis(-self.mean, (-self.bounds[1], -self.bounds[0]), self.alpha)


def find_alarm(values: Array, looks: Array, hypothesis: Hypothesis) -> int:
    """The index of the first look at which the mean is refuted from either side; NEVER if there is none."""
    alarms = [
        _find_one_sided_alarm(side_values, looks, side)
        for side_values, side in ((values, hypothesis), (-values, hypothesis.mirror()))
    ]
    return min((alarm for alarm in alarms if alarm != NEVER), default=NEVER)


def _find_one_sided_alarm(values: Array, looks: Array, hypothesis: Hypothesis) -> int:
    for index in np.flatnonzero(find_suspicious_looks(values, looks, hypothesis)):
        if is_refuted_at(values[: looks[index]], hypothesis):
            return int(index)
    return NEVER


def is_refuted_at(values: Array, hypothesis: Hypothesis) -> bool:
    return is_refuted(Counts.of(values), hypothesis.mean, hypothesis.bounds, hypothesis.alpha)


def excludes_mean(values: Array, hypothesis: Hypothesis) -> bool:
    """Whether the interval lies on one side of the mean."""
    interval = compute_interval(Counts.of(values), hypothesis.bounds, hypothesis.alpha)
    return not interval.low <= hypothesis.mean <= interval.high


def find_suspicious_looks(values: Array, looks: Array, hypothesis: Hypothesis) -> Array:
    """At which looks "the mean is at most this" may be refuted; at all others it is not."""
    gains = values - hypothesis.mean
    least, most = hypothesis.bounds
    cuts = _choose_cuts(gains)
    bounded, trusted = _bound_capital(gains, looks, hypothesis.mean - least, cuts)
    suspicious = bounded >= math.log(2 / hypothesis.alpha) - SPARE
    if most - least > NEAR_BOUNDS:
        suspicious |= trusted >= math.log(4 / hypothesis.alpha) - SPARE
    return suspicious


def _choose_cuts(gains: Array) -> Array:
    """Where large gains may be cut off: a bettor can at most double its money."""
    typical = math.sqrt(np.square(gains).mean())
    cuts = 2 * typical * 2.0 ** np.arange(12)
    return np.append(cuts[cuts < gains.max()], math.inf)


@njit(cache=True)
def _bound_capital(gains, looks, most_lost, cuts):
    """Upper bounds of the logarithm of the capital at each look, for bounded and for trusted stakes."""
    sums = np.zeros((len(cuts), 3))
    bounded = np.zeros(len(looks))
    trusted = np.zeros(len(looks))
    squares = 0.0
    lowest = 0.0
    deals = 0
    for look in range(len(looks)):
        while deals < looks[look]:
            gain = gains[deals]
            squares += gain * gain
            lowest = min(lowest, gain)
            for index in range(len(cuts)):
                cut = min(gain, cuts[index])
                sums[index, 0] += cut
                sums[index, 1] += cut * cut
                sums[index, 2] += cut * cut * cut
            deals += 1
        largest = min(most_lost, max(2 * math.sqrt(squares / deals), -lowest))
        bounded[look] = _bound_log_capital(most_lost, cuts, sums, deals)
        trusted[look] = _bound_log_capital(largest, cuts, sums, deals)
    return bounded, trusted


@njit(cache=True)
def _bound_log_capital(largest, cuts, sums, deals):
    """The same for one look; the boldest stake is 1 / largest."""
    if not largest > 0 or largest == math.inf:
        return -math.inf
    capital = 0.0
    index = 0
    for bettor in range(BETTORS):
        stake = STAKES[bettor] / largest
        while cuts[index] * stake < 1:
            index += 1
        first, second, third = sums[index]
        log = stake * (first - stake * (second / 2 - stake * third / 3))
        capital += SHARES[bettor] * math.exp(min(log, deals * LOG_2, 700.0))
    return math.log(capital)


def find_alarms(sequences: Iterator[Array], looks: Array, hypothesis: Hypothesis) -> Array:
    """For each sequence, the number of deals at its first alarm; NEVER if there is none."""
    alarms = [find_alarm(values, looks, hypothesis) for values in sequences]
    return np.array([looks[alarm] if alarm != NEVER else NEVER for alarm in alarms])
