"""The verdict, on luck that the search never used.

The best of many is partly the luckiest, so what the search liked plays again on another seed, and only that
counts. The chance of ever calling a fix what is none is split over the changes in the order in which they
came to be tried: the first has half of it, the second a sixth, the n-th 1 / n(n + 1). However many follow,
it stays below 5%. The order is stored before their matches.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analytics.metric.evidence import load_evidence
from analytics.metric.sums import fill_sums
from analytics.playing import (
    MOST_DEALS,
    Driver,
    Group,
    count_complete_deals,
    count_deals,
    find_next_look,
)
from analytics.questions.compare.judge import load_main_contrasts
from analytics.questions.compare.lines import PairedCells
from analytics.questions.fix.question import Question, VariantCells
from analytics.questions.fix.results import combine
from analytics.questions.goals.judge import UNKNOWN, Check, decide, judge_goals
from analytics.stats.capital import AlwaysValidInterval, shift_interval
from analytics.target import Target
from analytics.verdict.design import Design
from analytics.verdict.levels import NO_INTERVAL, compute_level_interval
from analytics.verdict.preregistration import Preregistration
from analytics.verdict.results import Contrast
from analytics.verdict.terms import make_terms, preregister_terms
from analytics.verdict.verdicts import predict_deals
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell, hash63
from boardgames.plan.plan import Plan, plan_deals
from boardgames.play.batch import SLICE
from boardgames.play.estimates import ErrorBudget
from boardgames.store.pairs import NO_CELL

FIRST_LOOK = 16 * SLICE  # deals: fewer hardly ever settle a goal
# From one look to the next. Looks are at fixed numbers of deals: after a stop they go on where they were,
# and an unbroken search looks at the same.
LOOK_STEP = 1.25
# of the baseline, unless something is to stay near it: enough to say what else a change moves
BASELINE_DEALS = 64 * SLICE


def register_finalists(db: Path, question: Question, names: Sequence[str]) -> dict[str, int]:
    """Store who plays again, before they do; the position of each change that ever did, from 1."""
    registration_id = hash63("finalists", question.id)
    registration = Preregistration(db, registration_id, f"{question.title}: finalists", dict, dict)
    before = (registration.latest() or {"changes": []})["changes"]
    every = list(dict.fromkeys([*before, *names]))
    registration.record({"changes": every}, 0)
    return {name: position for position, name in enumerate(every, 1)}


@dataclass(frozen=True)
class Confirmation:
    """One change on fresh deals, played by one agent."""

    question: Question
    driver: Driver
    variant: Variant
    agent: str
    budget: ErrorBudget

    @property
    def db(self) -> Path:
        return self.driver.options.db

    def run(self, seconds: float, max_matches: int | None) -> None:
        """Play until every check is settled or the time is over."""
        preregister_terms(self.db, self.design.id, self.design.name).record(make_terms([self.agent]), 0)
        group = Group(
            name=f"{self.variant.name} by {self.agent} on fresh deals",
            plan=self._make_plan(self.list_cells()),
            stored=self.count_deals(),
            max_matches=max_matches,
            stops={cell.id: self._find_baseline_deals() for cell in self._list_baseline_cells()},
        )
        self.driver.play_until(group, self._plan_look, seconds, self._find_first_look())

    @property
    def design(self) -> Design:
        return self.question.make_design(self.variant, self.question.fresh_seed, self.agent)

    @functools.cached_property
    def cells(self) -> VariantCells:
        return self.question.plan_cells(self.variant, self.question.fresh_seed, self.agent)

    @functools.cached_property
    def baseline(self) -> VariantCells:
        return self.question.plan_cells(self.question.baseline, self.question.fresh_seed, self.agent)

    def _find_baseline_deals(self) -> int:
        """How far the baseline plays along. What else a change moves is told of the deciding agent alone."""
        if self.question.wishes.keeps:
            return MOST_DEALS
        return BASELINE_DEALS if self.agent == self.question.agent else 0

    def _list_baseline_cells(self) -> list[PlannedCell]:
        return [*self.baseline.self_play.values()] if self._find_baseline_deals() else []

    def list_cells(self) -> list[PlannedCell]:
        """What plays: the baseline, if it does, and the change."""
        return [*self._list_baseline_cells(), *self.cells.list_all()]

    def _make_plan(self, cells: Sequence[PlannedCell]) -> Plan:
        return plan_deals(list(cells), 1, f"{self.question.title}: {self.variant.name} again")

    def count_deals(self) -> int:
        """The deals that it has played, and the baseline as far as that plays along."""
        deals = count_complete_deals(self._make_plan(self.cells.list_all()), self.db)
        if cells := self._list_baseline_cells():
            shared = count_complete_deals(self._make_plan(cells), self.db)
            deals = deals if shared >= self._find_baseline_deals() else min(deals, shared)
        return deals

    def _find_first_look(self) -> int:
        """The first look at no fewer deals than the change has: no look before it settled anything."""
        stored = max(count_deals(self.db, self.cells.list_all()).values())
        look = FIRST_LOOK
        while look < stored:
            look = find_next_look(look, look * LOOK_STEP)
        return look

    def _plan_look(self, deals: int) -> float:
        """The deals of the next look; 0 if the verdict is known."""
        return 0 if combine(self.judge()) != UNKNOWN else deals * LOOK_STEP

    def judge(self) -> tuple[Check, ...]:
        """Every goal, and everything to keep, by the stored matches."""
        cells = self.cells
        keeps = [*self._list_keeps()]
        goals = len(cells.goal_cells)
        budgets = list(self.budget.split(*range(goals + len(keeps))).values())
        checks = judge_goals(cells.goal_cells, cells.by_key, self.db, budgets=budgets[:goals])
        kept = enumerate(zip(keeps, budgets[goals:], strict=True), len(self.question.wishes.goals) + 1)
        for number, ((keep, players), budget) in kept:
            base = self.baseline.self_play[players]
            checks += self._judge_keep(number, keep, base, cells.self_play[players], budget)
        return tuple(checks)

    def _list_keeps(self) -> Iterator[tuple[Target, int]]:
        for keep in self.question.wishes.keeps:
            for players, cell in self.cells.self_play.items():
                if keep.applies_to(cell):
                    yield keep, players

    def _judge_keep(
        self, number: int, keep: Target, base: PlannedCell, cell: PlannedCell, budget: ErrorBudget
    ) -> Iterator[Check]:
        """Whether a metric is as near to the baseline's as wanted, by paired differences."""
        metric = keep.metric
        pairs = [(base.id, cell.id), (NO_CELL, base.id)]
        fill_sums(self.db, pairs, [metric])
        evidence = load_evidence(self.db, pairs[0], [metric], pairs)
        paired = PairedCells(
            evidence=evidence,
            variants=(self.question.baseline, self.variant),
            players=cell.players,
            a=base.id,
            b=cell.id,
        )
        parts_of_cell = evidence.list_parts(metric, cell.id)
        parts = [part for part in evidence.list_parts(metric, base.id) if keep.part in ("", part)]
        parts = [part for part in parts if part in parts_of_cell]
        if not parts:
            yield _make_keep_check(number, keep, keep.part, cell, (math.nan, math.nan), NO_INTERVAL, 0)
        for part, alpha in budget.split(*parts).items():
            old = evidence.estimate(metric, base.id, part).mean
            new = evidence.estimate(metric, cell.id, part).mean
            interval = compute_keep_interval(paired, keep, part, old, alpha)
            yield _make_keep_check(number, keep, part, cell, (old, new), interval, paired.deals)

    def compare(self) -> tuple[Contrast, ...]:
        """What else the change moves: all main metrics against the baseline."""
        return tuple(load_main_contrasts(self.design, self.db, make_terms([self.agent])))


def compute_keep_interval(
    paired: PairedCells, keep: Target, part: str, old: float, alpha: float
) -> AlwaysValidInterval:
    """The interval of a metric that is to stay, around its value in the baseline. What is allowed may be a
    part of that value, which is not known exactly either: then the interval is as much wider.
    """
    metric = keep.metric
    if not keep.relative:
        return shift_interval(paired.compute_interval(metric, part, alpha), old)
    limits = metric.find_range(paired.variants[0], paired.players)
    budgets = ErrorBudget(alpha).split("level", "difference")
    level = compute_level_interval(paired.evidence, metric, paired.a, part, limits, budgets["level"])
    unknown = keep.find_value(max(old - level.low, level.high - old))
    difference = paired.compute_interval(metric, part, budgets["difference"])
    low, high, is_informative = shift_interval(difference, old)
    return AlwaysValidInterval(low - unknown, high + unknown, is_informative and level.is_informative)


def _make_keep_check(
    number: int,
    keep: Target,
    part: str,
    cell: PlannedCell,
    means: tuple[float, float],
    interval: AlwaysValidInterval,
    deals: int,
) -> Check:
    """The check of a metric that is to stay, with its value on the luck that both share."""
    old, new = means
    allowed = keep.find_value(old)
    verdict = decide(interval, old - allowed, old + allowed)
    gap = min(abs(new - old - allowed), abs(new - old + allowed))
    needed = predict_deals(interval, new, gap, deals) - deals if verdict == UNKNOWN else None
    known = interval.is_informative
    return Check(
        goal=number,
        metric=keep.metric.name,
        part=part,
        median=False,
        unit=keep.metric.unit,
        variant=cell.variant.name,
        players=cell.players,
        line_up=cell.format_line_up(),
        value=new,
        low=interval.low if known else -math.inf,
        high=interval.high if known else math.inf,
        least=old - allowed,
        most=old + allowed,
        verdict=verdict,
        matches=deals * cell.seating_count,
        more=needed and max(1, needed) * cell.seating_count,
    )
