"""One line of a comparison: a metric, or a part of it, in two cells."""

import math
from dataclasses import dataclass

import numpy as np

from analytics.metric import chance_race as race
from analytics.metric.evidence import Evidence, shared_units
from analytics.metric.metric import SHARE, Metric
from analytics.stats.imbalance import corrected, distance, distance_change
from analytics.stats.intervals import FEWEST_UNITS, Array, Estimate, Sums, Units, block_mean, pseudo_values, weighted_error
from analytics.verdict import verdicts
from analytics.verdict.results import Line, RungDifference
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, FOREVER, NONE, SAME, Luck, Sure, blocks_to_settle, decide
from analytics.words import agreement, disagreement, number, sentence
from boardgames.game.variant import Variant
from boardgames.play.quantiles import normal_quantile, student_quantile

CUT_OFF = 0.001  # a greater share of matches that were cut off forbids verdicts on length


@dataclass(frozen=True)
class Pair:
    """Two cells that are compared, and all that is known about them."""

    evidence: Evidence
    terms: Terms
    variants: tuple[Variant, Variant]
    players: int
    a: int
    b: int
    seatings: int
    luck: Luck
    rungs: tuple[tuple[str, int, int], ...]  # further agents with their cells

    def reach(self, metric: Metric) -> float:
        """The most that a match's value can differ: the greater range of both variants."""
        if metric.reach is None:
            return math.inf
        return max(metric.reach(variant, self.players) for variant in self.variants)


def make_line(pair: Pair, metric: Metric, part: str, alpha: float, calibrated: bool) -> Line:
    """A, B, the difference and the verdict; alpha is this line's part of the chance to be ever wrong."""
    evidence, terms = pair.evidence, pair.terms
    a, b = (evidence.estimate(metric, cell, part) for cell in (pair.a, pair.b))
    difference = ordinary(evidence, metric, part, pair.a, pair.b)
    margin, reach = terms.margin(metric, a.mean), pair.reach(metric)
    sure = sure_difference(pair, metric, part, alpha)
    verdict, more = decide(sure, margin), None
    if verdict not in (SAME, DIFFERENT):
        needed = blocks_to_settle(sure, difference.mean, margin, pair.luck, reach, alpha, terms)
        more = FOREVER if needed >= FOREVER else max(0, needed - pair.luck.blocks) * pair.seatings
    told = sentence(verdict, sure.low, sure.high, margin, metric.unit, more)
    if metric.needs_ends and (cut := cut_off(pair)) > CUT_OFF:
        verdict, more, told = NONE, None, f"no verdict: {number(cut, SHARE)} % of the matches were cut off before their end"
    rungs = tuple(_rung(pair, metric, part, *rung) for rung in pair.rungs)
    apart = disagreement(terms.agents[0], difference, rungs)
    told = f"The players disagree: {apart}. With {terms.agents[0]}: {told}" if apart else told
    touched = pair.evidence.touched.get((pair.a, pair.b, "touched"), Sums(1, 1.0, 1.0))
    return Line(
        metric.name, part, metric.unit, metric.name in terms.primaries, a, b, difference, sure.low, sure.high, margin,
        within=difference.mean * touched.blocks / touched.total if touched.total else 0.0,
        effect=_effect(pair, metric, part, difference), pairing=_pairing(pair, metric, part), verdict=verdict, sentence=told,
        more=more, luck_race=race.benchmark(metric.name, part, pair.players) if calibrated else None, rungs=rungs,
        agreement=agreement(terms.agents[0], difference, rungs), disagreement=apart,
    )  # fmt: skip


def cut_off(pair: Pair) -> float:
    """The greater share of matches that were cut off, of both cells."""
    sums = [pair.evidence.values[cell, "cut_off"] for cell in (pair.a, pair.b)]
    return max(one.total / one.blocks for one in sums)


# ---- the two intervals


def ordinary(evidence: Evidence, metric: Metric, part: str, a: int, b: int) -> Estimate:
    """b - a with an ordinary 95 % interval, paired block by block, or group by group for what is computed from means."""
    if metric.kind == "mean":
        found = evidence.differences[metric.name].get((a, b, part))
        return block_mean(*found) if found else Estimate(math.nan, math.nan, math.nan, 0)
    if metric.kind == "distance":
        return _distance_difference(evidence, metric, a, b)
    here, there = shared_units([evidence.units[metric.name][cell, part] for cell in (a, b)])
    return groups_mean(pseudo_values(there, metric.formula) - pseudo_values(here, metric.formula), here)


def groups_mean(values: Array, units: Units) -> Estimate:
    """The mean of one number per group of blocks, with Student's interval over groups."""
    blocks = int(units.blocks.sum())
    if len(values) < FEWEST_UNITS:
        return Estimate(float(np.average(values, weights=units.blocks)) if blocks else math.nan, math.nan, math.nan, blocks)
    mean = float(np.average(values, weights=units.blocks))
    half = student_quantile(0.975, len(values) - 1) * weighted_error(values, units.blocks)
    return Estimate(mean, mean - half, mean + half, blocks)


def shares_of(evidence: Evidence, metric: Metric, cell: int) -> list[Sums]:
    """The shares of all seats."""
    return [sums for (number, _), sums in sorted(evidence.sums[metric.name].items()) if number == cell]


def changes_of(evidence: Evidence, metric: Metric, a: int, b: int) -> list[Sums]:
    """The differences of the shares of all seats."""
    return [sums for key, sums in sorted(evidence.differences[metric.name].items()) if key[:2] == (a, b)]


def _distance_difference(evidence: Evidence, metric: Metric, a: int, b: int) -> Estimate:
    here, there = (shares_of(evidence, metric, cell) for cell in (a, b))
    changes = changes_of(evidence, metric, a, b)
    if not changes or changes[0].blocks < 2:
        return Estimate(math.nan, math.nan, math.nan, changes[0].blocks if changes else 0)
    z = normal_quantile(1 - 0.025 / (3 * len(changes)))
    halves = [[z * math.sqrt(one.variance / one.blocks) for one in several] for several in (here, there, changes)]
    half, raw = distance_change(changes, *halves), distance(there) - distance(here)
    return Estimate(corrected(there) - corrected(here), raw - half, raw + half, changes[0].blocks)


def sure_difference(pair: Pair, metric: Metric, part: str, alpha: float) -> Sure:
    """The interval that holds at all times."""
    evidence, reach, terms = pair.evidence, pair.reach(metric), pair.terms
    if metric.kind == "mean":
        sums = evidence.differences[metric.name][pair.a, pair.b, part]
        return verdicts.sure_mean(sums, pair.luck, reach, alpha, terms)
    if metric.kind == "distance":
        here, there = (shares_of(evidence, metric, cell) for cell in (pair.a, pair.b))
        return verdicts.sure_distance(here, there, changes_of(evidence, metric, pair.a, pair.b), pair.luck, alpha, terms)
    first, second = shared_units([evidence.units[metric.name][cell, part] for cell in (pair.a, pair.b)])
    return verdicts.sure_ratio(first, second, metric.formula, pair.luck, reach, alpha, terms)


# ---- how large, how cheap, and by other players


def _effect(pair: Pair, metric: Metric, part: str, difference: Estimate) -> float:
    """Glass's delta, over blocks."""
    variance = pair.evidence.sums[metric.name][pair.a, part].variance if metric.kind == "mean" else math.nan
    return difference.mean / math.sqrt(variance) if variance > 0 else math.nan


def _pairing(pair: Pair, metric: Metric, part: str) -> float:
    """The variance of a difference of separate matches, over that of paired ones."""
    if metric.kind != "mean":
        return math.nan
    a, b = (pair.evidence.sums[metric.name][cell, part].variance for cell in (pair.a, pair.b))
    both = pair.evidence.differences[metric.name][pair.a, pair.b, part].variance
    return (a + b) / both if both > 0 else math.nan


def _rung(pair: Pair, metric: Metric, part: str, agent: str, a: int, b: int) -> RungDifference:
    """The difference by other players, and how that differs from the first ones': by groups of blocks that all have."""
    nothing = Estimate(math.nan, math.nan, math.nan, 0)
    known = pair.evidence.units[metric.name]
    keys = [(cell, part) for cell in (pair.a, pair.b, a, b)]
    if metric.kind == "distance" or any(key not in known for key in keys):
        return RungDifference(agent, nothing, nothing)
    units = shared_units([known[key] for key in keys])
    values = [pseudo_values(one, metric.formula) for one in units]
    gap = groups_mean((values[3] - values[2]) - (values[1] - values[0]), units[0])
    return RungDifference(agent, ordinary(pair.evidence, metric, part, a, b), gap)
