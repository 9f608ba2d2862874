"""How far a change is from the goals, on the luck of the search.

The shortfall is that of the goal missed by most, in smallest differences that matter: below 0, all goals are
met. It is computed again without each group of deals (the jackknife): two changes are compared on the same
groups, so that the luck they share drops out.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.metric import Metric, find_metric
from analytics.questions.fix.question import Question, VariantCells
from analytics.questions.goals.file import Goal
from analytics.questions.goals.judge import TINY, measure_shortfall
from analytics.stats.capital import AlwaysValidInterval, predict_half_width
from analytics.stats.intervals import Array, Estimate, compute_weighted_error, leave_each_out
from analytics.verdict.verdicts import predict_deals
from boardgames.play.batch import SLICE
from boardgames.play.quantiles import student_quantile
from boardgames.store.connection import get_connection, open_for_reading

CLEAR = 1.5  # a claim takes an interval half as wide again as the ordinary one: many are read together


class Score(NamedTuple):
    """The shortfall at a number of deals, and what it is without each group of them."""

    deals: int
    shortfall: float
    without: Array

    def estimate(self, other: "Score | None" = None) -> Estimate:
        """The shortfall, or how much it is above another one, with its ordinary interval."""
        values = self._list_pseudo_values()
        mean = self.shortfall
        if other is not None:
            values = values - other._list_pseudo_values()
            mean = self.shortfall - other.shortfall
        error = _measure_error(values)
        half_width = student_quantile(0.975, len(values) - 1) * error
        return Estimate(mean, mean - half_width, mean + half_width, self.deals)

    def _list_pseudo_values(self) -> Array:
        groups = len(self.without)
        if not math.isfinite(self.shortfall):  # no match has what a goal is about
            return np.full(groups, math.nan)
        return groups * self.shortfall - (groups - 1) * self.without

    def predict_deals(self, alpha: float) -> int:
        """The deals after which an always-valid interval would probably lie within the goals."""
        spread = _measure_error(self._list_pseudo_values()) * math.sqrt(self.deals)
        half_width = predict_half_width(self.deals, alpha) * spread
        interval = AlwaysValidInterval(self.shortfall - half_width, self.shortfall + half_width)
        return predict_deals(interval, self.shortfall, -self.shortfall, self.deals)

    @property
    def is_clearly_met(self) -> bool:
        estimate = self.estimate()
        return estimate.mean + CLEAR * estimate.half_width < 0

    @property
    def is_clearly_missed(self) -> bool:
        estimate = self.estimate()
        return estimate.mean - CLEAR * estimate.half_width > 0

    def is_clearly_worse_than(self, other: "Score") -> bool:
        """Whether it is further from the goals, on the deals that both played."""
        difference = self.estimate(other)
        return difference.mean - CLEAR * difference.half_width > 0


def _measure_error(values: Array) -> float:
    return compute_weighted_error(values, np.ones(len(values)))


def measure_scores(
    question: Question, db: Path, baseline: VariantCells, variants: Sequence[VariantCells], deals: int
) -> list[Score]:
    """The score of each variant over its first deals, which the file has."""
    cells = [cell.id for variant in (baseline, *variants) for cell in variant.list_all()]
    evidence = load_evidence(db, cells, question.metrics, slices=deals // SLICE)
    levels = _Levels(db, evidence, deals // SLICE)
    scores = []
    for variant in variants:
        rows = [*_list_goal_rows(question, levels, baseline, variant)]
        rows += _list_keep_rows(question, levels, baseline, variant)
        worst = np.max(rows, axis=0) if rows else np.full(levels.groups + 1, math.inf)
        scores.append(Score(deals, float(worst[0]), worst[1:]))
    return scores


class _Levels:
    """The values of metrics: over all groups of deals, then without each of them."""

    def __init__(self, db: Path, evidence: Evidence, slices: int) -> None:
        self.db = db
        self.slices = slices
        self.evidence = evidence
        groups = {
            int(group) for units in evidence.units.values() for u in units.values() for group in u.group
        }
        self.order = {group: index for index, group in enumerate(sorted(groups))}
        self.groups = max(2, len(self.order) or slices)

    def read(self, metric: Metric, cell: int, part: str) -> Array:
        if metric.kind == "distance":
            shares = [
                self._read_part(metric, cell, seat)
                for id_, seat in self.evidence.units[metric.name]
                if id_ == cell
            ]
            return np.sqrt(sum((share - 1 / len(shares)) ** 2 for share in shares))
        return self._read_part(metric, cell, part)

    def _read_part(self, metric: Metric, cell: int, part: str) -> Array:
        units = self.evidence.units[metric.name][cell, part]
        whole, without = leave_each_out(units, metric.formula)
        values = np.full(self.groups + 1, whole)
        places = [self.order[int(group)] + 1 for group in units.group]
        values[places] = np.where(np.isfinite(without), without, whole)
        return values

    def read_median(self, cell: int, column: str) -> Array:
        """Medians of whole numbers, each spread evenly over the unit around it: such a median changes with
        every match. It is at most 40.5 just where the plain one is at most 40.
        """
        query = f"""SELECT deal // {SLICE} AS slice, {column} AS value, count(*) AS matches FROM match
            WHERE cell_id = ? AND deal < ? GROUP BY ALL ORDER BY ALL"""
        with open_for_reading(self.db) as session:
            rows = get_connection(session).execute(query, [cell, self.slices * SLICE]).fetchnumpy()
        values, places = np.unique(rows["value"], return_inverse=True)
        counts = np.zeros((self.groups, len(values)))
        counts[rows["slice"], places] = rows["matches"]
        every = counts.sum(axis=0)
        return interpolate_medians(values, np.vstack([every, every - counts]))


def interpolate_medians(values: Array, counts: Array) -> Array:
    """The median of each row of counts of these whole numbers."""
    upto = counts.cumsum(axis=1)
    half = upto[:, -1] / 2
    places = (upto < half[:, None]).sum(axis=1)
    rows = np.arange(len(counts))
    inside = counts[rows, places]
    return np.asarray(values[places] - 0.5 + (half - upto[rows, places] + inside) / inside)


def _list_goal_rows(
    question: Question, levels: _Levels, baseline: VariantCells, variant: VariantCells
) -> Iterator[Array]:
    """How far each number that a goal is about lies outside its range."""
    for _, goal, key in variant.goal_cells:
        metric = find_metric(goal.metric)
        cell = variant.by_key[key]
        least, most = _find_bounds(goal, cell.players)
        for values in _list_goal_values(levels, goal, metric, cell.id):
            yield measure_shortfall(metric, values, least, most)


def _find_bounds(goal: Goal, players: int) -> tuple[float, float]:
    """The range of what `_list_goal_values` yields."""
    least, most = goal.find_range(players)
    return (np.ceil(least) - 0.5, np.floor(most) + 0.5) if goal.median else (least, most)


def _list_goal_values(levels: _Levels, goal: Goal, metric: Metric, cell: int) -> Iterator[Array]:
    if goal.median:
        yield levels.read_median(cell, metric.median_column)
        return
    parts = levels.evidence.list_parts(metric, cell)
    for part in parts:
        if not goal.part or part == goal.part:
            yield levels.read(metric, cell, part)


def _list_keep_rows(
    question: Question, levels: _Levels, baseline: VariantCells, variant: VariantCells
) -> Iterator[Array]:
    """How much further than allowed each metric to keep is from the baseline, on shared luck."""
    for keep in question.wishes.keeps:
        for players, cell in variant.self_play.items():
            base = baseline.self_play[players].id
            if not keep.applies_to(cell):
                continue
            parts = levels.evidence.list_parts(keep.metric, base)
            for part in parts:
                if keep.part in ("", part) and part in levels.evidence.list_parts(keep.metric, cell.id):
                    old = levels.read(keep.metric, base, part)
                    moved = np.abs(levels.read(keep.metric, cell.id, part) - old)
                    yield (moved - keep.find_value(old[0])) / max(TINY, keep.metric.find_threshold(old[0]))
