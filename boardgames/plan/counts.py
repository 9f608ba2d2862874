"""How many deals have each value: what always-valid intervals are computed from."""

import math
from typing import Any, NamedTuple, Self

import numpy as np

Array = np.ndarray[Any, Any]
MOST_VALUES = 512  # distinct values that are kept; more are put into bins


class Counts(NamedTuple):
    """How many deals have each value. All that an always-valid interval needs."""

    values: Array
    counts: Array

    @classmethod
    def of(cls, values: Array) -> Self:
        """Count these values; exactly, unless too many are different."""
        distinct, counts = np.unique(np.asarray(values, np.float64), return_counts=True)
        return cls(distinct, counts.astype(np.float64)).shrink()

    @property
    def deals(self) -> int:
        return round(float(self.counts.sum()))

    @property
    def mean(self) -> float:
        return float(self.values @ self.counts / self.counts.sum()) if len(self.values) else math.nan

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.deals) if self.deals > 1 else 0.0

    @property
    def variance(self) -> float:
        """With n - 1, as Student has it."""
        deals = self.counts.sum()
        if deals < 2:
            return math.nan
        return float((self.values - self.mean) ** 2 @ self.counts / (deals - 1))

    def shrink(self) -> Self:
        """The same with at most `MOST_VALUES` values: each one is split between two neighbouring edges, so
        that the mean stays. No bettor gains by that (Jensen's inequality).
        """
        if len(self.values) <= MOST_VALUES:
            return self
        edges = np.linspace(self.values.min(), self.values.max(), MOST_VALUES)
        place = (self.values - edges[0]) / (edges[1] - edges[0])
        left = np.minimum(place.astype(np.int64), MOST_VALUES - 2)
        right_part = (place - left) * self.counts
        counts = np.bincount(left, self.counts - right_part, MOST_VALUES)
        counts += np.bincount(left + 1, right_part, MOST_VALUES)
        used = counts > 0
        return type(self)(edges[used], counts[used])

    def mirror(self) -> Self:
        return type(self)(-self.values, self.counts)

    def scale(self, factor: float) -> Self:
        return type(self)(self.values * factor, self.counts)
