"""One line of a comparison: a metric, or a part of it, in two cells."""

import math
from dataclasses import dataclass

import numpy as np

from analytics.metric.evidence import Evidence, select_shared_units
from analytics.metric.metric import POINTS, SHARE, Metric
from analytics.stats.capital import AlwaysValidInterval, compute_interval, shift_interval
from analytics.stats.imbalance import correct_distance, limit_distance_change, measure_distance
from analytics.stats.intervals import (
    FEWEST_UNITS,
    Array,
    Estimate,
    Sums,
    Units,
    clip_interval,
    compute_pseudo_values,
    compute_weighted_error,
    estimate_bounded_mean,
    widen_if_exact,
)
from analytics.verdict.levels import NO_INTERVAL
from analytics.verdict.results import AgentDifference, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import (
    FOREVER,
    NONE,
    OPEN,
    UNKNOWN,
    Verdict,
    compute_distance_interval,
    decide,
    forecast_deals,
    tells_little,
)
from analytics.words import describe_agreement, describe_disagreement, format_number
from boardgames.game.variant import Variant
from boardgames.plan.counts import Counts
from boardgames.play.estimates import ErrorBudget
from boardgames.play.quantiles import normal_quantile, student_quantile

CUT_OFF = 0.001  # a greater share of matches that were cut off forbids verdicts on length


@dataclass(frozen=True, kw_only=True)
class PairedCells:
    """Two cells that are compared, with the evidence about them."""

    evidence: Evidence
    variants: tuple[Variant, Variant]
    players: int
    a: int
    b: int

    @property
    def deals(self) -> int:
        return self.evidence.count_shared_deals(self.a, self.b)

    @property
    def cut_off_share(self) -> float:
        """The share of matches that were cut off; the larger one of both cells."""
        sums = [self.evidence.values[cell, "cut_off"] for cell in (self.a, self.b)]
        return max(cell_sums.total / cell_sums.deals for cell_sums in sums)

    def find_bounds(self, metric: Metric) -> tuple[float, float]:
        """The least and the most that b - a can be in a deal."""
        (least_a, most_a), (least_b, most_b) = (
            metric.find_range(variant, self.players) for variant in self.variants
        )
        return least_b - most_a, most_b - least_a

    def find_base(self, metric: Metric, part: str) -> float:
        """What a deal's number is divided by: the smaller mean of both bases; 1 where nothing is."""
        if metric.kind != "ratio" or metric.reach is None:
            return 1.0
        units = [self.evidence.units[metric.name][cell, part] for cell in (self.a, self.b)]
        return min(float(unit.base.sum() / unit.deals.sum()) for unit in units)

    def estimate_difference(self, metric: Metric, part: str) -> Estimate:
        """b - a with its ordinary 95% interval."""
        return estimate_paired_difference(self.evidence, metric, part, self.a, self.b)

    def list_differences(self, metric: Metric, part: str) -> list[float]:
        """The differences of single deals, each value once; none where they are not counted."""
        counts = self.evidence.counts[metric.name].get((self.a, self.b, part))
        return [] if counts is None else counts.values.tolist()

    def compute_interval(self, metric: Metric, part: str, alpha: float) -> AlwaysValidInterval:
        """The always-valid interval of b - a."""
        if metric.kind == "distance":
            return self._compute_distance_interval(metric, alpha)
        counts = self.evidence.counts[metric.name].get((self.a, self.b, part))
        if counts is None:
            return NO_INTERVAL
        if metric.kind != "ratio":
            return compute_interval(counts, self.find_bounds(metric), alpha)
        # the counted numbers lie on tangents: see analytics.metric.linearize
        interval = compute_ratio_change(counts, self.find_base(metric, part), self.find_bounds(metric), alpha)
        return shift_interval(interval, self.estimate_difference(metric, part).mean - counts.mean)

    def _compute_distance_interval(self, metric: Metric, alpha: float) -> AlwaysValidInterval:
        shares_a, shares_b = (list_seat_shares(self.evidence, metric, cell) for cell in (self.a, self.b))
        changes = list_seat_changes(self.evidence, metric, self.a, self.b)
        counts_by_seat = sorted(self.evidence.counts[metric.name].items())
        counts = [counts for (a, b, _), counts in counts_by_seat if (a, b) == (self.a, self.b)]
        return compute_distance_interval(shares_a, shares_b, changes, counts, alpha)


def compute_ratio_change(
    counts: Counts, base: float, bounds: tuple[float, float], alpha: float
) -> AlwaysValidInterval:
    """The interval of the mean of b - a of a ratio's numbers. In units of the base, the bounds are those of
    the top, or what was seen if that is more: the tangents may be a little steep.
    """
    scaled = counts.scale(base)
    reach = max(*np.abs(bounds), float(np.abs(scaled.values).max()))
    interval = compute_interval(scaled, (-reach, reach), alpha)
    return interval._replace(low=interval.low / base, high=interval.high / base)


@dataclass(frozen=True, kw_only=True)
class LineRequest:
    """What a line is about."""

    metric: Metric
    part: str
    alpha: ErrorBudget  # this line's part of the chance of ever being wrong
    seatings: int  # matches of a deal
    is_calibrated: bool  # the evaluation is good enough for a comparison with pure luck


def make_line(
    pair: PairedCells, request: LineRequest, terms: Terms, other_agents: dict[str, PairedCells]
) -> Line:
    """A, B, the difference and the verdict. `other_agents` are further agents with their cells."""
    evidence, metric, part = pair.evidence, request.metric, request.part
    difference = pair.estimate_difference(metric, part)
    a, b = estimate_levels(evidence, metric, part, (pair.a, pair.b), difference)
    threshold = terms.find_threshold(metric, a.mean)
    if problem := _find_points_problem(pair, metric):
        return _make_incomparable_line(request, terms, (a, b), threshold, problem)
    interval = pair.compute_interval(metric, part, request.alpha)
    verdict, problem = _reach_verdict(pair, metric, interval, threshold)
    if verdict == UNKNOWN and tells_little(interval, [a.mean, b.mean, *pair.list_differences(metric, part)]):
        interval = interval._replace(is_informative=False)
    agents = tuple(_compare_agent(pair, metric, part, *other) for other in other_agents.items())
    affected = evidence.affected.get((pair.a, pair.b, "affected"), Sums(1, 1.0, 1.0))
    needed = forecast_deals(interval, difference.mean, threshold, pair.deals) if verdict in OPEN else None
    return Line(
        metric=metric.name,
        part=part,
        unit=metric.unit,
        is_main=metric.name in terms.main_metrics,
        a=a,
        b=b,
        difference=difference,
        low=interval.low if interval.is_informative else math.nan,  # else it says nothing, and is not shown
        high=interval.high if interval.is_informative else math.nan,
        is_informative=interval.is_informative,
        threshold=threshold,
        within=difference.mean * affected.deals / affected.total if affected.total else 0.0,
        effect=_compute_effect(pair, metric, part, difference),
        pairing=_compute_pairing_gain(pair, metric, part),
        verdict=verdict,
        problem=problem,
        more=None if needed is None else _count_more_matches(needed, pair.deals, request.seatings),
        luck_race=_find_chance_value(metric, part, pair.players) if request.is_calibrated else None,
        other_agents=agents,
        agreement=describe_agreement(terms.agents[0], difference, agents),
        disagreement=describe_disagreement(terms.agents[0], difference, agents),
    )


def _find_points_problem(pair: PairedCells, metric: Metric) -> str | None:
    """Why values in points are not compared; None if they are, or the metric is in other units."""
    games = [variant.game for variant in pair.variants]
    if metric.unit != POINTS or games[0].has_points_of(games[1]):
        return None
    return f"{games[0].name} and {games[1].name} count different points"


def _make_incomparable_line(
    request: LineRequest, terms: Terms, levels: tuple[Estimate, Estimate], threshold: float, problem: str
) -> Line:
    """The values of A and B, and that nothing is said about their difference."""
    metric = request.metric
    a, b = levels
    return Line(
        metric=metric.name,
        part=request.part,
        unit=metric.unit,
        is_main=metric.name in terms.main_metrics,
        a=a,
        b=b,
        difference=Estimate.unknown(a.deals),
        low=math.nan,
        high=math.nan,
        is_informative=False,
        threshold=threshold,
        within=math.nan,
        effect=math.nan,
        pairing=math.nan,
        verdict=NONE,
        problem=problem,
        more=None,
    )


def _reach_verdict(
    pair: PairedCells, metric: Metric, interval: AlwaysValidInterval, threshold: float
) -> tuple[Verdict, str]:
    """The verdict, and why there can be none."""
    if metric.needs_ends and pair.cut_off_share > CUT_OFF:
        percent = format_number(pair.cut_off_share, SHARE)
        return NONE, f"{percent}% of the matches were cut off before their end"
    return decide(interval, threshold), ""


def _count_more_matches(needed: int, deals: int, seatings: int) -> int:
    return FOREVER if needed >= FOREVER else max(0, needed - deals) * seatings


def _find_chance_value(metric: Metric, part: str, players: int) -> float | None:
    """The value in a race of pure luck; None if it is not known."""
    return metric.find_chance_value(part, players) if metric.find_chance_value else None


# ---- the ordinary interval


def estimate_levels(
    evidence: Evidence, metric: Metric, part: str, cells: tuple[int, int], difference: Estimate
) -> tuple[Estimate, Estimate]:
    """The values of a and b over the deals that both have played, so that they differ by the difference.

    The cell with fewer deals has played no others: the other one's value follows from it.
    """
    a, b = (evidence.estimate(metric, cell, part) for cell in cells)
    deals_a, deals_b = (evidence.values[cell, "cut_off"].deals for cell in cells)
    if deals_a == deals_b or not math.isfinite(difference.mean):
        return a, b
    if deals_a > deals_b:
        a = _move_estimate(a, b.mean - difference.mean, deals_b)
    else:
        b = _move_estimate(b, a.mean + difference.mean, deals_a)
    return clip_interval(metric.bounds, a), clip_interval(metric.bounds, b)


def _move_estimate(estimate: Estimate, mean: float, deals: int) -> Estimate:
    """Another mean, of fewer deals: the interval is as much wider as the root of their number."""
    half = estimate.half_width * math.sqrt(estimate.deals / deals)
    return Estimate(mean, mean - half, mean + half, deals)


def estimate_paired_difference(evidence: Evidence, metric: Metric, part: str, a: int, b: int) -> Estimate:
    """b - a with its ordinary 95% interval, paired by deals, or by groups of deals for what is computed from
    means.
    """
    if metric.kind == "mean":
        sums = evidence.differences[metric.name].get((a, b, part))
        return _estimate_mean_difference(sums) if sums else Estimate.unknown()
    if metric.kind == "distance":
        return _estimate_distance_change(evidence, metric, a, b)
    units_a, units_b = select_shared_units([evidence.units[metric.name][cell, part] for cell in (a, b)])
    values_a, values_b = (compute_pseudo_values(units, metric.formula) for units in (units_a, units_b))
    estimate = widen_if_exact(estimate_group_mean(values_b - values_a, units_a))
    counts = evidence.counts[metric.name].get((a, b, part))
    if estimate.has_interval or counts is None or counts.deals < 2:
        return estimate
    half_width = student_quantile(0.975, counts.deals - 1) * counts.error
    return widen_if_exact(estimate._replace(low=estimate.mean - half_width, high=estimate.mean + half_width))


def _estimate_mean_difference(sums: Sums) -> Estimate:
    """A difference may lie on either side, and has no limits that are near."""
    return estimate_bounded_mean((-math.inf, math.inf), sums)


def estimate_group_mean(values: Array, units: Units) -> Estimate:
    """The mean of one number per group of deals, with Student's interval over groups."""
    deals = int(units.deals.sum())
    if not deals:
        return Estimate.unknown()
    mean = float(np.average(values, weights=units.deals))
    if len(values) < FEWEST_UNITS:
        return Estimate(mean, math.nan, math.nan, deals)
    half_width = student_quantile(0.975, len(values) - 1) * compute_weighted_error(values, units.deals)
    return Estimate(mean, mean - half_width, mean + half_width, deals)


def list_seat_shares(evidence: Evidence, metric: Metric, cell: int) -> list[Sums]:
    return [sums for (id_, _), sums in sorted(evidence.sums[metric.name].items()) if id_ == cell]


def list_seat_changes(evidence: Evidence, metric: Metric, a: int, b: int) -> list[Sums]:
    differences = sorted(evidence.differences[metric.name].items())
    return [sums for (cell_a, cell_b, _), sums in differences if (cell_a, cell_b) == (a, b)]


def _estimate_distance_change(evidence: Evidence, metric: Metric, a: int, b: int) -> Estimate:
    shares_a, shares_b = (list_seat_shares(evidence, metric, cell) for cell in (a, b))
    changes = list_seat_changes(evidence, metric, a, b)
    deals = changes[0].deals if changes else 0
    if deals < 2:
        return Estimate.unknown(deals)
    z = normal_quantile(1 - 0.025 / (3 * len(changes)))
    half_widths = [
        [z * math.sqrt(sums.variance / sums.deals) for sums in seats]
        for seats in (shares_a, shares_b, changes)
    ]
    half_width = limit_distance_change(changes, *half_widths)
    raw = measure_distance(shares_b) - measure_distance(shares_a)
    mean = correct_distance(shares_b) - correct_distance(shares_a)
    return Estimate(mean, raw - half_width, raw + half_width, deals)


# ---- how large, how cheap, and by other players


def _compute_effect(pair: PairedCells, metric: Metric, part: str, difference: Estimate) -> float:
    """Glass's delta, over deals."""
    variance = pair.evidence.sums[metric.name][pair.a, part].variance if metric.kind == "mean" else math.nan
    return difference.mean / math.sqrt(variance) if variance > 0 else math.nan


def _compute_pairing_gain(pair: PairedCells, metric: Metric, part: str) -> float:
    """The variance of a difference of separate matches, over that of paired ones."""
    if metric.kind != "mean":
        return math.nan
    a, b = (pair.evidence.sums[metric.name][cell, part].variance for cell in (pair.a, pair.b))
    paired = pair.evidence.differences[metric.name][pair.a, pair.b, part].variance
    return (a + b) / paired if paired > 0 else math.nan


def _compare_agent(
    pair: PairedCells, metric: Metric, part: str, agent: str, other: PairedCells
) -> AgentDifference:
    """The difference by another agent, and how it differs from the deciding agent's, over the groups of deals
    that all have.
    """
    units_by_cell = pair.evidence.units[metric.name]
    keys = [(cell, part) for cell in (pair.a, pair.b, other.a, other.b)]
    if metric.kind == "distance" or any(key not in units_by_cell for key in keys):
        return AgentDifference(agent, Estimate.unknown(), Estimate.unknown())
    units = select_shared_units([units_by_cell[key] for key in keys])
    values = [compute_pseudo_values(cell_units, metric.formula) for cell_units in units]
    gap = estimate_group_mean((values[3] - values[2]) - (values[1] - values[0]), units[0])
    return AgentDifference(agent, other.estimate_difference(metric, part), gap)
