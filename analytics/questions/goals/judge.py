"""Each number that a goal is about, with an always-valid interval and a verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.luck import check_chance, list_luck_parts
from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.metric.sums import fill_sums
from analytics.questions.compare.lines import CUT_OFF
from analytics.questions.goals.file import Goal
from analytics.stats.capital import FEWEST_DEALS, AlwaysValidInterval
from analytics.stats.intervals import Sums
from analytics.verdict.design import make_head_to_head_line_up
from analytics.verdict.levels import (
    NO_INTERVAL,
    compute_level_interval,
    compute_median_interval,
    needs_counts,
)
from analytics.verdict.verdicts import FOREVER, predict_deals
from analytics.words import add_unit, format_metric, format_number
from boardgames.errors import make_unknown_error
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell
from boardgames.play.estimates import ErrorBudget
from boardgames.store.pairs import NO_CELL

PASS, FAIL, UNKNOWN = "pass", "fail", "not yet known"
NOTHING_STORED = "nothing is stored about it"
TINY = 1e-9  # the least threshold to divide by


@dataclass(frozen=True, kw_only=True)
class Check:
    """One number that a goal is about."""

    goal: int  # its number in the file, from 1
    metric: str
    part: str
    median: bool
    unit: str
    variant: str
    players: int
    line_up: str
    value: float
    # of the interval, always valid together with those of all other checks; infinite while it says nothing
    low: float
    high: float
    least: float  # what is wanted
    most: float
    verdict: str
    matches: int
    more: int | None = None  # further matches that would probably settle it
    note: str = ""

    @property
    def subject(self) -> tuple[int, str, int]:
        """What it is about: its goal, part and player count."""
        return self.goal, self.part, self.players

    @property
    def side(self) -> int:
        """Where it lies as measured: 1 above what is wanted, -1 below, else 0."""
        return int(self.value > self.most) - int(self.value < self.least)

    def contradicts(self, other: "Check") -> bool:
        """Whether one of two checks of the same by other agents fails, and the other one clearly differs and
        does not lie on the same side.
        """
        is_apart = self.low > other.high or other.low > self.high
        return FAIL in (self.verdict, other.verdict) and is_apart and self.side != other.side

    @property
    def title(self) -> str:
        """Match length (median), Wins by seat: 1"""
        return format_metric(self.metric, self.part) + (" (median)" if self.median else "")

    @property
    def wanted(self) -> str:
        """22.0 to 28.0%, at most 60.0 turns"""
        least, most = (format_number(number, self.unit) for number in (self.least, self.most))
        if math.isfinite(self.least) and math.isfinite(self.most):
            return self._add_unit(f"{least} to {most}")
        if math.isfinite(self.least):
            return self._add_unit(f"at least {least}")
        return self._add_unit(f"at most {most}")

    @property
    def shortfall(self) -> float:
        """How far it is from what is wanted, in smallest differences that matter; below 0 within."""
        return float(measure_shortfall(find_metric(self.metric), self.value, self.least, self.most))

    @property
    def is_informative(self) -> bool:
        """Whether the interval says anything yet."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def seen(self) -> str:
        """48.2% (47.1 to 49.3)"""
        value = self._add_unit(format_number(self.value, self.unit))
        if not self.is_informative:
            return f"{value} (too few matches yet)"
        return f"{value} ({format_number(self.low, self.unit)} to {format_number(self.high, self.unit)})"

    def _add_unit(self, text: str) -> str:
        return add_unit(text, self.unit if self.unit == SHARE else find_metric(self.metric).sentence_unit)


def make_line_up(goal: Goal, agents: str, players: int) -> str:
    """Equal agents in all seats, or for metrics of skill one agent among others."""
    return make_head_to_head_line_up(agents, goal.against, players) if goal.against else agents


def check_part(metric: Metric, part: str, variant: Variant, players: int) -> None:
    """Raise InvalidInput for a part that no match will ever have, and for luck in a game without chance."""
    game = variant.game
    if metric.kind == "swaps":
        check_chance(variant)
    seats = [str(seat) for seat in range(1, players + 1)]
    parts = {
        "seat": seats,
        "place in the line-up": seats,
        "percent of the rounds": ["25", "50", "75"],
        "reason": [*game.ends, "cut off"],
        "tally": [*game.tallies],
        "source": list_luck_parts(game),
    }.get(metric.parts)
    if part and parts is not None and part not in parts:
        raise make_unknown_error(
            f"{metric.parts} of {metric.name} in {variant.name} with {players} players", part, parts
        )


CellKey = tuple[str, int, str, bool]  # the variant's spec, the players, the line-up; with swapped chance
Cells = Mapping[CellKey, PlannedCell]
GoalCell = tuple[int, Goal, CellKey]  # a goal's number, the goal, and the key of a cell


def judge_goals(
    goal_cells: Sequence[GoalCell], cells: Cells, db: Path, *, budgets: Sequence[ErrorBudget] = ()
) -> list[Check]:
    """The checks of every goal by the stored matches. Each of the goals' cells has its budget, by default an
    equal one, which the parts of a metric share.
    """
    line_ups = dict.fromkeys(line_up for _, _, (_, _, line_up, _) in goal_cells)
    budget = ErrorBudget(purpose=f"goals by {', '.join(line_ups)}")
    budgets = budgets or list(budget.split(*range(len(goal_cells))).values())
    cell_ids = list(dict.fromkeys(cells[key].id for _, _, key in goal_cells))
    metrics = list({goal.metric: find_metric(goal.metric) for _, goal, _ in goal_cells}.values())
    counted = [metric for metric in metrics if needs_counts(metric)]
    pairs = [(NO_CELL, cell) for cell in cell_ids] if counted else []
    fill_sums(db, pairs, counted)
    evidence = load_evidence(db, cell_ids, metrics, pairs)
    all_checks = []
    for (number, goal, key), share in zip(goal_cells, budgets, strict=True):
        metric = find_metric(goal.metric)
        cell = cells[key]
        parts = [""] if goal.median else _select_parts(evidence, metric, cell.id, goal.part)
        checks = [
            _make_check(number, goal, metric, part, cell, db, evidence, alpha)
            for part, alpha in share.split(*parts).items()
        ]
        all_checks += checks or [_make_empty_check(number, goal, metric, cell, evidence)]
    return all_checks


def _select_parts(evidence: Evidence, metric: Metric, cell: int, part: str) -> list[str]:
    parts = evidence.list_parts(metric, cell)
    return [part] * (part in parts) if part else parts


def _make_check(
    number: int,
    goal: Goal,
    metric: Metric,
    part: str,
    cell: PlannedCell,
    db: Path,
    evidence: Evidence,
    alpha: ErrorBudget,
) -> Check:
    if goal.median:
        value, interval = compute_median_interval(db, cell.id, metric.median_column, alpha)
    else:
        value, interval = _measure_level(evidence, metric, cell, part, alpha)
    deals, note = _check_ends(evidence, metric, cell)
    if note:
        interval = NO_INTERVAL
    least, most = goal.find_range(cell.players)
    verdict = decide(interval, least, most)
    seatings = cell.seating_count
    more = None if verdict != UNKNOWN or note else _forecast_deals(value, interval, least, most, deals)
    if not interval.is_informative:  # then it says nothing, and is not shown
        interval = NO_INTERVAL
    return Check(
        goal=number,
        metric=metric.name,
        part=part,
        median=goal.median,
        unit=metric.unit,
        variant=cell.variant.name,
        players=cell.players,
        line_up=cell.format_line_up(),
        value=value,
        low=interval.low if interval.is_informative else -math.inf,
        high=interval.high if interval.is_informative else math.inf,
        least=least,
        most=most,
        verdict=verdict,
        matches=deals * seatings,
        more=more and more * seatings,
        note=note,
    )


def _check_ends(evidence: Evidence, metric: Metric, cell: PlannedCell) -> tuple[int, str]:
    """The deals of a cell, and a note if too many of its matches were cut off for this metric."""
    deals = _count_deals(evidence, metric, cell)
    cut_off = evidence.values.get((cell.id, "cut_off"), Sums(0, 0.0, 0.0))
    cut_off_share = cut_off.total / max(1, cut_off.deals)
    if not metric.needs_ends or cut_off_share <= CUT_OFF:
        return deals, ""
    return deals, f"{format_number(cut_off_share, SHARE)}% of the matches were cut off before their end"


def _count_deals(evidence: Evidence, metric: Metric, cell: PlannedCell) -> int:
    """The stored deals that can tell something about a metric."""
    if metric.kind == "swaps":
        luck = evidence.luck[metric.name].get(cell.id)
        return luck.deals if luck else 0
    return evidence.values.get((cell.id, "cut_off"), Sums(0, 0.0, 0.0)).deals


def _measure_level(
    evidence: Evidence, metric: Metric, cell: PlannedCell, part: str, alpha: float
) -> tuple[float, AlwaysValidInterval]:
    """The value of a metric and its always-valid interval."""
    limits = metric.find_range(cell.variant, cell.players)
    interval = compute_level_interval(evidence, metric, cell.id, part, limits, alpha)
    return evidence.estimate(metric, cell.id, part).mean, interval


def _make_empty_check(
    number: int, goal: Goal, metric: Metric, cell: PlannedCell, evidence: Evidence
) -> Check:
    """The check of a metric that no stored match has."""
    deals = _count_deals(evidence, metric, cell)
    note = "no match has such a value" if deals >= FEWEST_DEALS else NOTHING_STORED
    least, most = goal.find_range(cell.players)
    return Check(
        goal=number,
        metric=metric.name,
        part=goal.part,
        median=goal.median,
        unit=metric.unit,
        variant=cell.variant.name,
        players=cell.players,
        line_up=cell.format_line_up(),
        value=math.nan,
        low=-math.inf,
        high=math.inf,
        least=least,
        most=most,
        verdict=UNKNOWN,
        matches=deals * cell.seating_count,
        note=note,
    )


def measure_shortfall(metric: Metric, value: Any, least: float, most: float) -> Any:
    """How far a value, or each of several, lies outside this range, in smallest differences that matter."""
    end = most if math.isfinite(most) else least
    return np.maximum(least - value, value - most) / max(TINY, metric.find_threshold(end))


def decide(interval: AlwaysValidInterval, least: float, most: float) -> str:
    if not interval.is_informative:
        return UNKNOWN
    if least <= interval.low and interval.high <= most:
        return PASS
    return FAIL if interval.high < least or interval.low > most else UNKNOWN


def _forecast_deals(
    value: float, interval: AlwaysValidInterval, least: float, most: float, deals: int
) -> int | None:
    """The number of further deals that would probably settle it; None if that is unknown."""
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)) or deals == 0:
        return None
    gap = min(abs(value - least), abs(value - most))
    needed = predict_deals(interval, value, gap, deals)
    return max(1, needed - deals) if needed < FOREVER else FOREVER


def combine_verdicts(checks: Sequence[Check]) -> dict[int, str]:
    """The verdict of each goal: it fails if one of its checks fails, and passes if all pass."""
    verdicts_by_goal: dict[int, set[str]] = {}
    for check in checks:
        verdicts_by_goal.setdefault(check.goal, set()).add(check.verdict)
    return {
        goal: FAIL if FAIL in verdicts else UNKNOWN if UNKNOWN in verdicts else PASS
        for goal, verdicts in sorted(verdicts_by_goal.items())
    }
