"""Intervals over blocks: the ordinary ones for reading, and those that stay valid however often somebody looks.

Ordinary: `block_mean` for means, `jackknife` for whatever is computed from means. Anytime-valid: `multiplier` for sums of block
values and `share_bounds` for counts of blocks; verdicts rest on these alone.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy import special

from boardgames.play.estimates import Estimate, Sums, block_mean, block_share
from boardgames.play.quantiles import student_quantile

__all__ = [
    "Estimate", "Formula", "Sums", "Units", "block_mean", "block_share", "cut_to", "jackknife", "multiplier", "pseudo_values",
    "rescale", "share_bounds", "weighted_error",
]  # fmt: skip

Array = np.ndarray[Any, Any]
Formula = Callable[[Any, Any], Any]
FEWEST_UNITS = 8  # slices that a jackknife needs
Interval = TypeVar("Interval", bound=Any)  # an Estimate, or an interval that holds at all times


class Units(NamedTuple):
    """Sums over groups of blocks (slices), where a value is computed from two means rather than being one."""

    group: Array
    blocks: Array
    top: Array
    base: Array

    def at(self, where: Array) -> "Units":
        return Units(*(column[where] for column in self))


def cut_to(limits: tuple[float, float], interval: Interval) -> Interval:
    """An interval without the part in which no value can lie: it holds as often as before. Without an interval, nothing is cut."""
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return interval
    least, most = limits
    return interval._replace(low=max(least, interval.low), high=min(most, interval.high))


def rescale(estimate: Estimate, factor: float, shift: float = 0.0) -> Estimate:
    """In another unit, of which one is `factor` of the old ones."""
    mean, low, high = (factor * value + shift for value in estimate[:3])
    return Estimate(mean, low, high, estimate.blocks)


# ---- what is computed from means


def pseudo_values(units: Units, formula: Formula) -> Array:
    """Tukey's jackknife: one number per group, whose mean is the estimate and whose scatter is its uncertainty."""
    blocks, top, base = units.blocks.sum(), units.top.sum(), units.base.sum()
    rest = blocks - units.blocks
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = formula(top / blocks, base / blocks)
        without = formula((top - units.top) / rest, (base - units.base) / rest)
        return np.asarray(whole + (blocks - units.blocks) / units.blocks * (whole - without))


def jackknife(units: Units, formula: Formula, level: float = 0.95) -> Estimate:
    """A ratio or another smooth function of two means over blocks, with Student's interval over groups of blocks."""
    if not len(units.blocks):
        return Estimate(math.nan, math.nan, math.nan, 0)
    blocks = int(units.blocks.sum())
    with np.errstate(divide="ignore", invalid="ignore"):  # of nothing, no ratio
        whole = float(formula(units.top.sum() / blocks, units.base.sum() / blocks))
    error = weighted_error(pseudo_values(units, formula), units.blocks) if len(units.blocks) >= FEWEST_UNITS else math.nan
    half = student_quantile((1 + level) / 2, max(1, len(units.blocks) - 1)) * error
    return Estimate(whole, whole - half, whole + half, blocks)


def weighted_error(values: Array, weights: Array) -> float:
    """The standard error of the weighted mean of independent groups; a last, smaller group counts for less."""
    mean = np.average(values, weights=weights)
    n, share = len(values), weights / weights.sum()
    return float(np.sqrt(n / (n - 1) * np.sum((share * (values - mean)) ** 2)))


# ---- intervals that hold at all times


def multiplier(n: Any, alpha: float, planned: float) -> Any:
    """How many standard errors either way hold for all n at once, with chance 1 - alpha.

    Robbins' normal mixture (1970), for estimated variances as in Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform
    central limit theory and asymptotic confidence sequences", Annals of Statistics 52 (2024). `planned` is the n at which the
    interval is to be narrowest; it is settled before the first look.
    """
    rho = planned / (-special.lambertw(-(alpha**2) / math.e, -1).real - 1)
    return np.sqrt((n + rho) / n * np.log((n + rho) / (rho * alpha**2)))


def share_bounds(hits: float, n: int, alpha: float) -> tuple[float, float]:
    """Bounds of a share from counted blocks, exact and valid at all times.

    The likelihood averaged over Jeffreys' prior, divided by the likelihood of p, is a martingale under p; by Ville's inequality
    it ever reaches 1 / alpha with a chance of at most alpha. The bounds are the p at which it has not.
    """
    if n == 0:
        return 0.0, 1.0
    from scipy.optimize import brentq  # not needed to show what was simulated

    average = special.betaln(hits + 0.5, n - hits + 0.5) - special.betaln(0.5, 0.5)

    def excess(p: float) -> float:
        return float(average - special.xlogy(hits, p) - special.xlogy(n - hits, 1 - p) + math.log(alpha))

    middle = hits / n
    low = brentq(excess, 1e-300, middle) if hits and excess(1e-300) > 0 else 0.0
    high = brentq(excess, middle, 1.0 - 1e-15) if hits < n and excess(1.0 - 1e-15) > 0 else 1.0
    return float(low), float(high)
