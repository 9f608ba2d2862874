"""Intervals over deals: the ordinary ones for reading, and those that stay valid however often you look.

Ordinary: `estimate_mean_from_sums` for means, `jackknife` for whatever is computed from means. Always valid:
`compute_share_bounds` for counts of deals, and `analytics.stats.capital` for all else; verdicts rest on these
alone.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy import special

from boardgames.play.estimates import (
    FEW_EVENTS,
    Estimate,
    Sums,
    bound_frequency,
    estimate_mean_from_sums,
    estimate_share_from_sums,
    estimate_shares,
)
from boardgames.play.quantiles import student_quantile

__all__ = [
    "Estimate",
    "Formula",
    "Sums",
    "Units",
    "clip_interval",
    "compute_pseudo_values",
    "compute_share_bounds",
    "compute_weighted_error",
    "estimate_bounded_mean",
    "estimate_mean_from_sums",
    "estimate_share_from_sums",
    "estimate_shares",
    "jackknife",
    "leave_each_out",
    "rescale",
    "widen_exact",
    "widen_if_exact",
]

Array = np.ndarray[Any, Any]
Formula = Callable[[Any, Any], Any]
FEWEST_UNITS = 8  # slices that a jackknife needs
MOST_PARTS = 64  # of a whole one, in means over seats and seatings
Interval = TypeVar("Interval", bound=Any)  # an Estimate, or an always-valid interval


class Units(NamedTuple):
    """Sums over groups of deals (slices), where a value is computed from two means rather than being one."""

    group: Array
    deals: Array
    top: Array
    base: Array

    def select(self, rows: Array) -> "Units":
        return Units(*(column[rows] for column in self))


def clip_interval(limits: tuple[float, float], interval: Interval) -> Interval:
    """An interval without the part in which no value can lie; it is right as often as before."""
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return interval
    least, most = limits
    return interval._replace(low=max(least, interval.low), high=min(most, interval.high))


def estimate_bounded_mean(limits: tuple[float, float], sums: Sums) -> Estimate:
    """The mean of values between limits, of which one may be infinite. Student's interval holds where many
    deals differ; where few do, they are counted, and where none does, what was not seen is allowed for.
    """
    estimate = estimate_mean_from_sums(*sums)
    if sums.deals < 2:
        return estimate
    if sums.variance < 1e-12:
        return widen_exact(estimate, *_find_reach(limits, estimate.mean))
    least, most = limits
    rare = (
        _estimate_rare_distance(least, 1, sums)
        or _estimate_rare_distance(most, -1, sums)
        or _estimate_usual_value(sums)
    )
    return clip_interval(limits, rare or estimate)


def widen_if_exact(estimate: Estimate, limits: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """The estimate, with an interval also where all deals had one value."""
    if estimate.has_interval and estimate.half_width < 1e-12:
        return widen_exact(estimate, *_find_reach(limits, estimate.mean))
    return estimate


def _find_reach(limits: tuple[float, float], value: float) -> tuple[float, float]:
    """How far below and above this value others may lie: up to the limits; where there is none, as far as
    the other one, or as 0, and at least 1.
    """
    below, above = value - limits[0], limits[1] - value
    known = [reach for reach in (below, above) if math.isfinite(reach)]
    unknown = max(1.0, *(known or [abs(value)]))
    return below if math.isfinite(below) else unknown, above if math.isfinite(above) else unknown


def widen_exact(estimate: Estimate, most_below: float, most_above: float) -> Estimate:
    """The estimate of deals that all had one value, with an interval: the share of deals that may have
    another, by Clopper and Pearson, times how far below or above it that may lie.
    """
    unseen = estimate_share_from_sums(estimate.deals, 0.0, 0.0).high
    mean = estimate.mean
    return estimate._replace(low=mean - unseen * most_below, high=mean + unseen * most_above)


def _estimate_rare_distance(limit: float, sign: int, sums: Sums) -> Estimate | None:
    """The mean where few deals are away from a limit: Clopper and Pearson's interval for how many are, times
    their typical distance. None if many are.
    """
    if not math.isfinite(limit):
        return None
    deals, distance = sums.deals, sign * (sums.total - sums.deals * limit)
    squares = sums.squares - 2 * limit * sums.total + deals * limit**2
    events = distance**2 / squares  # as many, if all were equally far
    if events >= FEW_EVENTS:
        return None
    low, high = (squares / distance * end for end in bound_frequency(events, deals))
    nearest, farthest = limit + sign * low, limit + sign * high
    return Estimate(sums.total / deals, min(nearest, farthest), max(nearest, farthest), deals)


def _estimate_usual_value(sums: Sums) -> Estimate | None:
    """The mean where few deals differ from a usual value, by steps of a whole one or of a part of it: the
    steps up and the steps down are counted. None if there are many, or if there is no such value.

    A mean over seats has steps of a part. Steps squared add up to at least as many as deals that differ.
    """
    deals, mean = sums.deals, sums.total / sums.deals
    for parts in range(1, MOST_PARTS + 1):
        usual = round(mean * parts) / parts
        steps = parts * (sums.total - deals * usual)
        squared = parts**2 * (sums.squares - 2 * usual * sums.total + deals * usual**2)
        if squared < FEW_EVENTS and abs(squared - round(squared)) < 1e-3 and abs(steps) <= squared + 1e-3:
            up, down = (max(0.0, (squared + sign * steps) / 2) for sign in (1, -1))
            return _estimate_steps(usual, parts, deals, up, down)
    return None


def _estimate_steps(usual: float, parts: int, deals: int, up: float, down: float) -> Estimate:
    """The mean of a few steps up and down: the interval of a difference of two frequencies, from both (Zou
    and Donner, Statistics in Medicine 27, 2008).
    """
    (low_up, high_up), (low_down, high_down) = (bound_frequency(events, deals) for events in (up, down))
    often_up, often_down = up / deals, down / deals
    below = math.hypot(often_up - low_up, high_down - often_down)
    above = math.hypot(high_up - often_up, often_down - low_down)
    mean = usual + (often_up - often_down) / parts
    return Estimate(mean, mean - below / parts, mean + above / parts, deals)


def rescale(estimate: Estimate, factor: float, shift: float = 0.0) -> Estimate:
    """`factor` times the estimate, plus `shift`."""
    scaled = estimate.scale(factor)
    return scaled._replace(mean=scaled.mean + shift, low=scaled.low + shift, high=scaled.high + shift)


# ---- what is computed from means


def compute_pseudo_values(units: Units, formula: Formula) -> Array:
    """Tukey's jackknife: a number for each group; their mean is the estimate, their scatter its
    uncertainty.
    """
    whole, without = leave_each_out(units, formula)
    deals = units.deals.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(whole + (deals - units.deals) / units.deals * (whole - without))


def leave_each_out(units: Units, formula: Formula) -> tuple[float, Array]:
    """The value over all groups, and the value without each of them."""
    deals = units.deals.sum()
    top = units.top.sum()
    base = units.base.sum()
    rest = deals - units.deals
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = formula(top / deals, base / deals)
        return whole, np.asarray(formula((top - units.top) / rest, (base - units.base) / rest))


def jackknife(units: Units, formula: Formula, level: float = 0.95) -> Estimate:
    """A ratio or another smooth function of two means over deals, with Student's interval over groups."""
    groups = len(units.deals)
    if not groups:
        return Estimate.unknown()
    deals = int(units.deals.sum())
    with np.errstate(divide="ignore", invalid="ignore"):  # nan if the base is 0
        whole = float(formula(units.top.sum() / deals, units.base.sum() / deals))
    error = math.nan
    if groups >= FEWEST_UNITS:
        error = compute_weighted_error(compute_pseudo_values(units, formula), units.deals)
    half_width = student_quantile((1 + level) / 2, max(1, groups - 1)) * error
    return widen_if_exact(Estimate(whole, whole - half_width, whole + half_width, deals))


def compute_weighted_error(values: Array, weights: Array) -> float:
    """The standard error of the weighted mean of independent groups; a smaller last group counts less."""
    mean = np.average(values, weights=weights)
    n = len(values)
    share = weights / weights.sum()
    return float(np.sqrt(n / (n - 1) * np.sum((share * (values - mean)) ** 2)))


# ---- always-valid intervals


def compute_share_bounds(hits: float, n: int, alpha: float) -> tuple[float, float]:
    """Bounds of a share from counted deals, exact and valid at all times.

    The likelihood averaged over Jeffreys' prior, divided by the likelihood of p, is a martingale under p; by
    Ville's inequality it ever reaches 1 / alpha with a chance of at most alpha. The bounds are the p at which
    it has not.
    """
    if n == 0:
        return 0.0, 1.0
    from scipy.optimize import brentq  # slow to import, and only verdicts need it

    average = special.betaln(hits + 0.5, n - hits + 0.5) - special.betaln(0.5, 0.5)

    def excess(p: float) -> float:
        return float(average - special.xlogy(hits, p) - special.xlogy(n - hits, 1 - p) + math.log(alpha))

    middle = hits / n
    low = brentq(excess, 1e-300, middle) if hits and excess(1e-300) > 0 else 0.0
    high = brentq(excess, middle, 1.0 - 1e-15) if hits < n and excess(1.0 - 1e-15) > 0 else 1.0
    return float(low), float(high)
