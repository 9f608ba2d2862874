"""How much of the variance of a result each source of chance decides, by swapping sources.

The matches of a deal are those of `boardgames.play.swaps`: a walk from the deal to its partner, one source
after the other in random order, and the opposite walk. At its step a source is swapped twice, in two contexts
that have nothing in common:

    first = before - after          second = opposite of after - opposite of before

Three numbers follow for each source, all unbiased from every deal:

- alone = E[first x second] / 2, Sobol's first order: the source does the same whatever else happens;
- involved = E[first^2 + second^2] / 4, Sobol's total (Jansen 1999; Owen 2013);
- share = E[(start - (before + after) / 2) x (before - after)], Shapley's value of the source, in which what
  several sources decide together is divided evenly among them (Owen 2014; from one walk: Goda 2021). Both
  walks make a circle, and the start may be any match from which a walk comes to this step: all of them count.

The product of opposite matches has a known mean, the square of the seats' means, and serves as a control
variate: so a source without effect gets exactly nothing, and one that decides all gets exactly the whole.

Results are by seat and less their mean over the seats; the seats' own part is the variance of their means.
The whole is the sum of the shares and the seats' part. On average that is the variance, with the noise of the
control variate taken out of it as out of the shares: so they add up to 100% exactly. A part of the whole is a
ratio of means over deals, and its interval comes from each deal's influence on it.
"""

import functools
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analytics.stats.intervals import Estimate
from boardgames.play.quantiles import beta_quantile, student_quantile
from boardgames.play.swaps import ALL_STREAMS, STREAM, has_several_streams

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """A number worked out from deals, and each deal's influence on it, whose mean is 0."""

    value: float
    influence: Array
    event: float = 0.0  # what a deal adds in which another result comes out

    def __add__(self, other: object) -> "Part":
        assert isinstance(other, Part)
        event = max(self.event, other.event)
        return Part(self.value + other.value, self.influence + other.influence, event)

    def __sub__(self, other: "Part") -> "Part":
        return self + Part(-other.value, -other.influence, other.event)

    def floor(self) -> "Part":
        """What is below 0 is noise and counts as 0."""
        return self._replace(value=max(self.value, 0.0))

    def divide(self, base: "Part") -> "Part":
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.float64(self.value) / base.value
            influence = (self.influence - value * base.influence) / base.value
            return Part(float(value), influence, float(np.float64(base.event) / base.value))

    def estimate(self, limits: tuple[float, float] = (0.0, 1.0)) -> Estimate:
        """With Student's interval over deals. What no deal has shown may still happen in others, so the
        interval is wider by an event times the chance it may have (Clopper and Pearson).
        """
        deals = len(self.influence)
        if deals < 2 or not math.isfinite(self.value):
            return Estimate.unknown(deals)
        error = float(np.std(self.influence, ddof=1)) / math.sqrt(deals)
        half_width = student_quantile(0.975, deals - 1) * error + self.event * beta_quantile(0.975, 1, deals)
        ends = (self.value, self.value - half_width, self.value + half_width)
        value, low, high = (min(max(end, limits[0]), limits[1]) for end in ends)
        return Estimate(value, low, high, deals)


class SourceParts(NamedTuple):
    """What a source decides, as parts of the whole variance; `alone` <= `share` <= `involved`."""

    alone: Part
    share: Part
    involved: Part


@dataclass(frozen=True)
class VarianceSplit:
    """The seats' part and the shares of all single sources add up to 1."""

    seat: Part
    sources: Mapping[str, SourceParts]

    def leave_out_seat(self) -> dict[str, Part]:
        """The sources' shares of what the seats leave. NaN if they leave nothing."""
        shares = {name: parts.share for name, parts in self.sources.items()}
        rest = _sum(share for name, share in shares.items() if name != ALL_STREAMS)
        return {name: share.divide(rest) for name, share in shares.items()}


class ShareValues(NamedTuple):
    """By deal: the variance, and what each source decides of it. A share is a ratio of two means."""

    variances: Array
    shares: Mapping[str, Array]

    def sum_sources(self) -> Array:
        """What all single sources decide together: all but the seats' part."""
        return np.sum([values for name, values in self.shares.items() if name != ALL_STREAMS], axis=0)


def split_variance(sources: Sequence[str], masks: Array, results: Array) -> VarianceSplit:
    """The split of results by deal, match and seat, with the masks of their matches, as
    `boardgames.play.swaps.list_masks` orders them. Without any variance all parts are NaN.
    """
    walks = _Walks(tuple(sources), masks, results - results.mean(axis=2, keepdims=True))
    seat = _measure_seats(walks.results.mean(axis=1)).floor()
    opposites = _Control(walks.multiply_opposites(), seat)
    measured = {name: walks.measure_source(index, opposites) for index, name in enumerate(sources)}
    shares = [seat, *(parts.share.floor() for parts in measured.values())]
    whole = _sum(shares)._replace(event=walks.measure_event())
    seat, *shares = (share.divide(whole) for share in shares)
    split = {
        name: SourceParts(parts.alone.divide(whole), share, parts.involved.divide(whole))
        for (name, parts), share in zip(measured.items(), shares, strict=True)
    }
    if has_several_streams(walks.sources):
        alone, involved = (part.divide(whole) for part in walks.measure_streams(opposites))
        share = _sum(parts.share for name, parts in split.items() if name.startswith(STREAM))
        split[ALL_STREAMS] = SourceParts(alone, share, involved)
    return VarianceSplit(seat, split)


def list_share_values(sources: Sequence[str], masks: Array, results: Array) -> ShareValues:
    """The shares of `split_variance` deal by deal, without its control variate: the square of the seats'
    means, which that one needs, has no value of a single deal.
    """
    walks = _Walks(tuple(sources), masks, results - results.mean(axis=2, keepdims=True))
    shares = {name: walks.measure_shares(index) for index, name in enumerate(sources)}
    streams = [values for name, values in shares.items() if name.startswith(STREAM)]
    shares[ALL_STREAMS] = np.sum(streams, axis=0)
    return ShareValues((walks.results**2).mean(axis=(1, 2)), shares)


class _Control(NamedTuple):
    """Values of deals whose mean is known."""

    values: Array
    known: Part


@dataclass(frozen=True)
class _Walks:
    """The matches of all deals, as the two walks from the deal and from its partner."""

    sources: tuple[str, ...]
    masks: Array
    results: Array

    @property
    def length(self) -> int:
        return len(self.sources)

    def measure_source(self, source: int, opposites: _Control) -> SourceParts:
        """The variance that a source decides, by what swapping it does in both walks."""
        after = self._find_swaps(source)
        swap, share = self._measure_step(after)
        opposite_swap, opposite_share = self._measure_step(after + self.length)
        alone, involved = _compare_contexts(swap, -opposite_swap)
        values = alone, (share + opposite_share) / 2, involved
        return SourceParts(*(_reduce_noise(value, opposites) for value in values))

    def measure_shares(self, source: int) -> Array:
        """What each deal says of a source's share, as variance."""
        after = self._find_swaps(source)
        (_, share), (_, opposite_share) = (self._measure_step(after + walk) for walk in (0, self.length))
        return (share + opposite_share) / 2

    def _find_swaps(self, source: int) -> Array:
        """The first match of each deal in which the source is swapped."""
        return np.asarray((self.masks[:, : self.length] >> source & 1 == 0).sum(axis=1))

    def _measure_step(self, after: Array) -> tuple[Array, Array]:
        """What swapping a source changes, before less after; and its share by this swap, the mean over all
        matches from which a walk comes to it.
        """
        result_before, result_after = self._select(after - 1), self._select(after)
        swap = result_before - result_after
        starts = [self._select(after - back) for back in range(1, self.length + 1)]
        distance = np.mean(starts, axis=0) - (result_before + result_after) / 2
        return swap, (distance * swap).mean(axis=1)

    def measure_streams(self, opposites: _Control) -> tuple[Part, Part]:
        """What all streams together decide alone, and what they are involved in."""
        deal, partner = self.results[:, 0], self.results[:, self.length]
        swapped, opposite = self.results[:, -2], self.results[:, -1]
        alone, involved = _compare_contexts(deal - swapped, opposite - partner)
        return _reduce_noise(alone, opposites), _reduce_noise(involved, opposites)

    def measure_event(self) -> float:
        """What a deal adds to the variance if it and its partner end differently; all of it, if no two do."""
        effects = ((self.results[:, 0] - self.results[:, self.length]) ** 2).mean(axis=1) / 2
        return float(effects[effects > 0].mean()) if effects.any() else float((self.results**2).mean())

    def multiply_opposites(self) -> Array:
        """The mean product of matches of the walks that have nothing in common."""
        walk, opposite = self.results[:, : self.length], self.results[:, self.length : 2 * self.length]
        return np.asarray((walk * opposite).mean(axis=(1, 2)))

    def _select(self, steps: Array) -> Array:
        """The match at a step of each deal; both walks together make a circle."""
        return np.asarray(self.results[np.arange(len(steps)), steps % (2 * self.length)])


def _compare_contexts(first: Array, second: Array) -> tuple[Array, Array]:
    """What a source decides alone and what it is involved in, by what swapping it does in two contexts."""
    return (first * second).mean(axis=1) / 2, (first**2 + second**2).mean(axis=1) / 4


def _sum(parts: Iterable[Part]) -> Part:
    return functools.reduce(operator.add, parts)


def _average(values: Array) -> Part:
    mean = float(values.mean()) if len(values) else math.nan
    return Part(mean, values - mean)


def _measure_seats(by_deal: Array) -> Part:
    """The variance of the seats' means, less what noise adds to it. `by_deal` has a column for each seat."""
    deals = len(by_deal)
    if deals < 2:
        return Part(math.nan, np.zeros(deals))
    means = by_deal.mean(axis=0)
    noise = by_deal.var(axis=0, ddof=1).mean() / deals
    return Part(float((means**2).mean() - noise), 2 * ((by_deal - means) * means).mean(axis=1))


def _reduce_noise(values: Array, control: _Control) -> Part:
    """The mean of values with less noise: what the mean of the control is off by is taken from it, in the
    proportion in which the two go together.
    """
    raw, mean = _average(values), _average(control.values)
    spread = float(mean.influence @ mean.influence)
    slope = float(raw.influence @ mean.influence) / spread if spread > 0 else 0.0
    off = mean - control.known
    return raw - Part(slope * off.value, slope * off.influence)
