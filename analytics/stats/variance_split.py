"""How much of the variance of a result each source of chance decides: Sobol's split, by swapping sources.

Four matches belong to a source: that of the deal, that of its partner, and each of them with this one source
taken from the other. What swapping the source changes is measured twice, in two contexts that have nothing
in common:

    first = deal - deal with the partner's source          second = partner with the deal's source - partner

What the source decides alone is E[first x second] / 2: it does the same whatever else happens. What it is
involved in is E[first^2 + second^2] / 4. Both are unbiased (Sobol 2001; Jansen 1999; Owen 2013). A source
without any effect gets exactly 0 from every deal.

The product of a deal's result and its partner's has a known mean, the square of the seats' means, and is used
as a control variate: a source that decides everything gets exactly the whole, too.

All results are by seat and less their mean over the seats, so the seats' own share is the variance of their
means. A share is a ratio of means over deals; its interval comes from each deal's influence on it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from analytics.stats.intervals import Estimate, clip_interval
from boardgames.play.quantiles import beta_quantile, student_quantile

Array = np.ndarray[Any, Any]
Results = Mapping[frozenset[str], Array]  # by swapped sources: a row for each deal, a column for each seat


class Share(NamedTuple):
    """A part of the variance, and each deal's influence on it, whose mean is 0."""

    value: float
    influence: Array

    def __sub__(self, other: "Share") -> "Share":
        return Share(self.value - other.value, self.influence - other.influence)

    def estimate(self, limits: tuple[float, float] = (0.0, 1.0)) -> Estimate:
        """With Student's interval over deals. What no deal has shown may still happen in others, so the
        interval is wider by the chance that an event may have that was never seen (Clopper and Pearson).
        """
        deals = len(self.influence)
        if deals < 2 or not math.isfinite(self.value):
            return Estimate.unknown(deals)
        error = float(np.std(self.influence, ddof=1)) / math.sqrt(deals)
        half_width = student_quantile(0.975, deals - 1) * error + beta_quantile(0.975, 1, deals)
        value = min(max(self.value, limits[0]), limits[1])
        return clip_interval(
            limits, Estimate(value, self.value - half_width, self.value + half_width, deals)
        )


class SourceShares(NamedTuple):
    alone: Share  # first order: decided by this source, whatever the others do
    involved: Share  # total: decided by this source, alone or together with others


@dataclass(frozen=True)
class VarianceSplit:
    """The variance of the seats' results in parts; `rest` is decided by several sources together."""

    variance: float
    seat: Share
    sources: Mapping[str, SourceShares]
    rest: Share


class _Mean(NamedTuple):
    """A mean over deals with each deal's influence on it."""

    value: float
    influence: Array

    @classmethod
    def of(cls, values: Array) -> Self:
        mean = float(values.mean())
        return cls(mean, values - mean)

    def divide(self, base: "_Mean") -> Share:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.float64(self.value) / base.value
            return Share(float(value), (self.influence - value * base.influence) / base.value)


def split_variance(results: Results, sources: Mapping[str, frozenset[str]]) -> VarianceSplit:
    """The split for these sources, each a set of what is swapped together; the results of all the swaps of
    `boardgames.play.swaps.list_swaps` must be there. Without any variance all shares are NaN.
    """
    everything = frozenset[str]().union(*results)
    centred = {swap: result - result.mean(axis=1, keepdims=True) for swap, result in results.items()}
    rows = np.stack(list(centred.values()))  # by swap, deal and seat
    variance = _Mean.of((rows**2).mean(axis=(0, 2)))
    seat = _measure_seats(rows.mean(axis=0))
    shares = {
        name: SourceShares(
            *(part.divide(variance) for part in _measure_source(centred, swapped, everything, seat))
        )
        for name, swapped in sources.items()
    }
    seat_share = seat.divide(variance)
    single = [shares[name].alone for name, swapped in sources.items() if len(swapped) == 1]
    whole = Share(1.0, np.zeros(rows.shape[1]))
    rest = sum_differences(whole, [seat_share, *single])
    return VarianceSplit(variance.value, seat_share, shares, rest)


def sum_differences(whole: Share, parts: list[Share]) -> Share:
    """What is left of the whole without these parts."""
    for part in parts:
        whole = whole - part
    return whole


def _measure_seats(by_deal: Array) -> _Mean:
    """The variance of the seats' means, less what noise adds to it. `by_deal` has a column for each seat."""
    deals = len(by_deal)
    means = by_deal.mean(axis=0)
    noise = by_deal.var(axis=0, ddof=1).mean() / deals if deals > 1 else math.nan
    influence = 2 * ((by_deal - means) * means).mean(axis=1)
    return _Mean(float((means**2).mean() - noise), influence)


def _measure_source(
    results: Results, swapped: frozenset[str], everything: frozenset[str], seat: _Mean
) -> tuple[_Mean, _Mean]:
    """The variance that a source decides alone, and that it is involved in."""
    deal, partner = results[frozenset()], results[everything]
    deal_swapped, partner_swapped = results[swapped], results[everything - swapped]
    first = deal - deal_swapped
    second = partner_swapped - partner
    independent = (deal * partner + deal_swapped * partner_swapped).mean(axis=1) / 2
    alone = (first * second).mean(axis=1) / 2
    involved = (first**2 + second**2).mean(axis=1) / 4
    return _control(alone, independent, seat), _control(involved, independent, seat)


def _control(values: Array, independent: Array, known: _Mean) -> _Mean:
    """The mean of values with less noise: `independent` has a known mean, and what it is off by is told from
    the values in the proportion in which the two go together.
    """
    raw = _Mean.of(values)
    control = _Mean.of(independent)
    spread = float(control.influence @ control.influence)
    slope = float(raw.influence @ control.influence) / spread if spread > 0 else 0.0
    return _Mean(
        raw.value - slope * (control.value - known.value),
        raw.influence - slope * (control.influence - known.influence),
    )
