"""Intervals where results depend on each other because they share an evening or a person.

Two results that have an evening or a person in common count as dependent, all others as independent; the variance of a mean is the
sum over all dependent pairs. For one kind of cluster this is the usual cluster-robust variance, for two kinds that of Cameron,
Gelbach and Miller (Journal of Business and Economic Statistics 29, 2011), for results that several people share that of
Fafchamps and Gubert (Journal of Development Economics 83, 2007).
"""

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from analytics.stats.intervals import Array, Estimate
from boardgames.play.quantiles import student_quantile

CHUNK = 512  # results whose pairs are looked at together
FEWEST = 2  # evenings, and people, without which there is no interval


class Clusters:
    """Which results belong together: for each the evening, and the people in it."""

    def __init__(self, evenings: Sequence[Hashable], people: Sequence[Sequence[Hashable]]) -> None:
        self.kinds = [_incidence([[evening] for evening in evenings]), _incidence(people)]
        self.evenings, self.people = (kind.shape[1] for kind in self.kinds)

    @property
    def fewest(self) -> int:
        return min(self.evenings, self.people)

    def error(self, values: Array) -> Any:
        """The standard error of a mean, or of the mean of each column.

        Pairs that share either kind can cancel by chance where clusters are few, so one kind alone is the least that it can be.
        """
        values = np.asarray(values, np.float64)
        if self.fewest < FEWEST:
            return np.full(values.shape[1:], math.nan)[()]
        centred = (values - values.mean(axis=0)).reshape(len(values), -1)
        both = np.concatenate(self.kinds, axis=1)
        sums = np.max([_pairs(centred, kind) for kind in (*self.kinds, both)], axis=0)
        small = self.fewest / (self.fewest - 1)  # what estimating the mean took away
        return (np.sqrt(small * sums) / len(values)).reshape(values.shape[1:])[()]

    def times(self, level: float = 0.95) -> float:
        """How many standard errors an interval reaches either way: Student's, by the kind with fewer clusters."""
        return student_quantile((1 + level) / 2, self.fewest - 1) if self.fewest >= FEWEST else math.nan

    def mean(self, values: Array) -> Estimate:
        """With its interval; results that are all equal give none, for they do not tell how others would scatter."""
        half = self.times() * float(self.error(values)) if np.ptp(values) > 0 else math.nan
        mean = float(np.mean(values))
        return Estimate(mean, mean - half, mean + half, len(values))


def _incidence(members: Sequence[Sequence[Hashable]]) -> Array:
    """A row for each result, with a 1 for each cluster that it is in."""
    known = {cluster: place for place, cluster in enumerate(dict.fromkeys(c for several in members for c in several))}
    found = np.zeros((len(members), len(known)), np.float32)
    for row, several in enumerate(members):
        found[row, [known[cluster] for cluster in several]] = 1
    return found


def _pairs(centred: Array, kind: Array) -> Array:
    """The sum of products over all pairs that share a cluster."""
    total = np.zeros(centred.shape[1])
    for first in range(0, len(centred), CHUNK):
        rows = slice(first, first + CHUNK)
        together = (kind[rows] @ kind.T > 0).astype(np.float64)
        total += (centred[rows] * (together @ centred)).sum(axis=0)
    return np.maximum(total, 0.0)
