"""Intervals for results that depend on each other because they share an evening or a person.

Two results that have an evening or a person in common count as dependent, all others as independent; the
variance of a mean is the sum over all dependent pairs. For one kind of cluster this is the usual
cluster-robust variance, for two kinds that of Cameron, Gelbach and Miller (Journal of Business and Economic
Statistics 29, 2011), for results that several people share that of Fafchamps and Gubert (Journal of
Development Economics 83, 2007).
"""

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from analytics.stats.intervals import Array, Estimate
from boardgames.play.quantiles import student_quantile

CHUNK = 512  # results whose pairs are summed at a time
FEWEST = 2  # evenings, and people, that an interval needs


class Clusters:
    """Which results belong together: for each the evening, and the people in it."""

    def __init__(self, evenings: Sequence[Hashable], people: Sequence[Sequence[Hashable]]) -> None:
        self.kinds = [_make_incidence([[evening] for evening in evenings]), _make_incidence(people)]
        self.evenings, self.people = (kind.shape[1] for kind in self.kinds)

    @property
    def fewest(self) -> int:
        return min(self.evenings, self.people)

    def compute_error(self, values: Array) -> Any:
        """The standard error of a mean, or of the mean of each column.

        Pairs that share either kind can cancel by chance where clusters are few, so one kind alone is the
        least that it can be.
        """
        values = np.asarray(values, np.float64)
        if self.fewest < FEWEST:
            return np.full(values.shape[1:], math.nan)[()]
        centred = (values - values.mean(axis=0)).reshape(len(values), -1)
        both = np.concatenate(self.kinds, axis=1)
        sums = np.max([_sum_over_pairs(centred, kind) for kind in (*self.kinds, both)], axis=0)
        correction = self.fewest / (self.fewest - 1)  # for estimating the mean
        return (np.sqrt(correction * sums) / len(values)).reshape(values.shape[1:])[()]

    def find_multiplier(self, level: float = 0.95) -> float:
        """The number of standard errors either way: Student's, by the kind with fewer clusters."""
        return student_quantile((1 + level) / 2, self.fewest - 1) if self.fewest >= FEWEST else math.nan

    def estimate_mean(self, values: Array) -> Estimate:
        """The mean with its interval; none if all results are equal, because that says nothing about how
        others would scatter.
        """
        mean = float(np.mean(values))
        half_width = math.nan
        if np.ptp(values) > 0:
            half_width = self.find_multiplier() * float(self.compute_error(values))
        return Estimate(mean, mean - half_width, mean + half_width, len(values))


def _make_incidence(members: Sequence[Sequence[Hashable]]) -> Array:
    """A row for each result, with a 1 for each cluster that it is in."""
    clusters = dict.fromkeys(cluster for result in members for cluster in result)
    columns = {cluster: column for column, cluster in enumerate(clusters)}
    incidence = np.zeros((len(members), len(columns)), np.float32)
    for row, result in enumerate(members):
        incidence[row, [columns[cluster] for cluster in result]] = 1
    return incidence


def _sum_over_pairs(centred: Array, kind: Array) -> Array:
    """The sum of products over all pairs that share a cluster."""
    total = np.zeros(centred.shape[1])
    for first in range(0, len(centred), CHUNK):
        rows = slice(first, first + CHUNK)
        together = (kind[rows] @ kind.T > 0).astype(np.float64)
        total += (centred[rows] * (together @ centred)).sum(axis=0)
    return np.maximum(total, 0.0)
