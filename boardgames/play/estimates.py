"""Means and shares over deals, each with its ordinary 95 % interval: for reading, never for verdicts. What
verdicts may spend is an `ErrorBudget`.
"""

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from boardgames.play.quantiles import beta_quantile, student_quantile

ALPHA = 0.05
Name = TypeVar("Name", bound=Hashable)
FEW_EVENTS = 20  # fewer make the distribution of a share's mean lopsided


class Estimate(NamedTuple):
    """A mean, its 95 % interval, and the number of deals behind it."""

    mean: float
    low: float
    high: float
    deals: int

    @classmethod
    def unknown(cls, deals: int = 0) -> Self:
        return cls(math.nan, math.nan, math.nan, deals)

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low)

    @property
    def half_width(self) -> float:
        """The distance from the mean to the farther end of the interval."""
        return max(self.high - self.mean, self.mean - self.low)

    def scale(self, factor: float) -> Self:
        return self._replace(mean=self.mean * factor, low=self.low * factor, high=self.high * factor)


class Sums(NamedTuple):
    """All that the interval of a mean needs: the number of deals, the sum of their values and of the
    squares.
    """

    deals: int
    total: float
    squares: float

    @property
    def variance(self) -> float:
        if self.deals < 2:
            return math.nan
        return max(0.0, self.squares - self.total**2 / self.deals) / (self.deals - 1)


def estimate_mean_from_sums(deals: int, total: float, squares: float, level: float = 0.95) -> Estimate:
    """The mean of deal values from their sums, with Student's interval over deals.

    A share that was 0 or 1 in every deal has no variance to go by: its interval is the exact binomial one.
    One deal alone gives no interval.
    """
    if deals == 0:
        return Estimate.unknown()
    mean = total / deals
    if deals == 1:
        return Estimate(mean, math.nan, math.nan, 1)
    variance = Sums(deals, total, squares).variance
    if variance < 1e-12 and mean in (0.0, 1.0):
        return estimate_share_from_sums(deals, total, squares, level)
    half = student_quantile((1 + level) / 2, deals - 1) * math.sqrt(variance / deals)
    return Estimate(mean, mean - half, mean + half, deals)


def estimate_share_from_sums(deals: int, total: float, squares: float, level: float = 0.95) -> Estimate:
    """The same for values between 0 and 1; Clopper and Pearson's interval for an event that is rare, or
    rarely absent.
    """
    if deals < 2 or min(total, deals - total) >= FEW_EVENTS:
        return estimate_mean_from_sums(deals, total, squares, level)
    return Estimate(total / deals, *bound_frequency(total, deals, level), deals)


def bound_frequency(events: float, deals: int, level: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval for the frequency of an event; events may also count in part."""
    low = beta_quantile((1 - level) / 2, events, deals - events + 1) if events > 0 else 0.0
    high = beta_quantile((1 + level) / 2, events + 1, deals - events) if events < deals else 1.0
    return low, high


def estimate_shares(all_sums: Sequence[Sums]) -> list[Estimate]:
    """Several shares of the same deals. Of two that always add up to the same, as those of two teams do, one
    says all: the interval of the other one mirrors it.
    """
    estimates = [estimate_share_from_sums(*sums) for sums in all_sums]
    clearest = sorted(all_sums, key=lambda sums: -min(sums.total, sums.deals - sums.total))
    for index, sums in enumerate(all_sums):
        other = next((other for other in clearest if _always_add_up(sums, other)), sums)
        if clearest.index(other) < clearest.index(sums):
            mean, low, high, deals = estimates[all_sums.index(other)]
            both = sums.total / sums.deals + mean
            estimates[index] = Estimate(both - mean, both - high, both - low, deals)
    return estimates


def _always_add_up(a: Sums, b: Sums) -> bool:
    """Whether one goes up by what the other one goes down, as far as their sums tell."""
    vary_alike = a.deals == b.deals > 1 and math.isclose(a.variance, b.variance, rel_tol=1e-9)
    return vary_alike and not math.isclose(a.total, b.total)


def estimate_share(values: np.ndarray[Any, Any]) -> Estimate:
    """The mean of one share for each deal."""
    return estimate_share_from_sums(len(values), float(values.sum()), float((values**2).sum()))


class ErrorBudget(float):
    """A chance of being wrong. What it hands out never adds up to more, so that all answers together are as
    sure as one: each interval of a question has its own part, and knows whose part it is.
    """

    origin: tuple[tuple[Hashable, float], ...]  # what for and how much, from the whole budget to this part

    def __new__(cls, alpha: float = ALPHA, purpose: Hashable = "one interval") -> Self:
        """A whole budget; a budget given as `alpha` stays what it is."""
        budget = super().__new__(cls, alpha)
        budget.origin = getattr(alpha, "origin", ((purpose, float(alpha)),))
        return budget

    def split(self, *names: Name) -> dict[Name, "ErrorBudget"]:
        """Equal parts of all of it, by name."""
        shares = dict.fromkeys(names)
        return {name: self._hand_out(name, self / len(shares)) for name in shares}

    def take(self, position: int) -> "ErrorBudget":
        """The part of the n-th of several tests, from 1 on: a half, a sixth ... However many follow, all
        parts together stay below the whole.
        """
        return self._hand_out(position, self / (position * (position + 1)))

    def _hand_out(self, name: Hashable, alpha: float) -> "ErrorBudget":
        part = ErrorBudget(alpha)
        part.origin = (*self.origin, (name, alpha))
        return part
