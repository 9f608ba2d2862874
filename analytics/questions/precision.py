"""`simulate --until`: play on until the 95% intervals of some metrics are narrow enough, or a limit is
reached.

The rule looks only at how wide an interval is, never at where it lies, so that ordinary intervals stay valid
(Chow and Robbins, Annals of Mathematical Statistics 36, 1965). Of "within 1%" the width that is wanted
depends on the mean; with as many deals as are looked at here that does no harm either (Nadas, same journal
40, 1969). It looks at fixed numbers of deals, always at the first ones in the order of the seeds: where it
stops does not depend on workers, machines or interruptions.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.sums import fill_sums
from analytics.playing import MOST_DEALS, Driver, Group, RunOptions, count_complete_deals
from analytics.stats.intervals import Estimate
from analytics.target import EXAMPLES, PRECISIONS, Target, read_precision
from analytics.words import format_number, format_rounded, format_unit
from boardgames.errors import InvalidInput
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan, check_is_plan
from boardgames.play.batch import SLICE
from boardgames.run.simulate import Outcome

MINUTES = 10.0  # without another limit
FIRST_LOOK = 1024  # deals: fewer make an ordinary interval that looks narrow by chance
SPARE = 1.05  # play a little more than estimated

# ---- looking


@dataclass(frozen=True, kw_only=True)
class Width:
    """The widest interval that a condition is about."""

    condition: str
    reached: bool
    half: float  # half the width of that interval
    wanted: float
    unit: str
    deals: int  # that it is computed from
    where: str  # variant, players, line-up and part

    @property
    def factor(self) -> float:
        """How many times as many deals would probably do."""
        return (self.half / self.wanted) ** 2 if self.wanted > 0 and math.isfinite(self.half) else math.inf

    def describe(self) -> str:
        unit = format_unit(self.unit, True)
        if not math.isfinite(self.half):
            return f"{self.condition}: there is no interval yet after {self.deals:,} deals ({self.where})"
        half = format_number(self.half, self.unit)
        text = f"{self.condition}: ±{half} {unit} after {self.deals:,} deals ({self.where})"
        if self.reached:
            return text
        return f"{text}; about {format_rounded(math.ceil(self.deals * self.factor))} deals would do"


def measure_widths(plan: Plan, conditions: Sequence[Target], db: Path, deals: int) -> list[Width]:
    """The widest interval of each condition, after the first deals of each cell."""
    cell_ids = [cell.id for cell in plan.cells]
    wanted_metrics = [condition.metric for condition in conditions]
    fill_sums(db)
    evidence = load_evidence(db, cell_ids, wanted_metrics, slices=deals // SLICE)
    return [_find_widest(condition, plan.cells, evidence, deals - deals % SLICE) for condition in conditions]


def _find_widest(condition: Target, cells: Sequence[PlannedCell], evidence: Evidence, deals: int) -> Width:
    widths = []
    for cell in filter(condition.applies_to, cells):
        where = f"{cell.variant.name}, {cell.players} players, {cell.format_line_up()}"
        parts = evidence.list_parts(condition.metric, cell.id)
        parts = [part for part in parts if condition.part in ("", part)]
        for part in parts:
            estimate = evidence.estimate(condition.metric, cell.id, part)
            label = f"{where}, {condition.metric.parts} {part}" if part else where
            widths.append((_round_half_width(estimate), condition.find_value(estimate.mean), label))
        if not parts:
            widths.append((math.inf, condition.value, where))
    half_width, wanted, where = max(widths, key=lambda width: width[0] / max(width[1], 1e-300))
    return Width(
        condition=condition.describe(),
        reached=half_width <= wanted,
        half=half_width,
        wanted=wanted,
        unit=condition.metric.unit,
        deals=deals,
        where=where,
    )


def _round_half_width(estimate: Estimate) -> float:
    """The half-width, rounded because sums in another order differ in their last digits; infinite without an
    interval.
    """
    half_width = estimate.half_width
    return round(half_width, 12) if math.isfinite(half_width) else math.inf


# ---- playing


@dataclass(frozen=True)
class Precision:
    """Whether the conditions hold, and how much was played for it."""

    reached: bool
    widths: tuple[Width, ...]
    deals: int  # of each cell
    limit: str  # what ended it, if it was not the conditions
    outcome: Outcome


def simulate_until(
    plan: Plan,
    db: str | Path = "boardgames.duckdb",
    *,
    workers: int = 1,
    cluster: str = "",
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
    on_warning: Callable[[str], None] = lambda line: None,
) -> Precision:
    """Play a plan until its conditions hold: `simulate_until(make_plan("celtica", until=["seat_win_share
    within 0.5 pp"]))`.

    All cells grow alike, so that their deals stay paired, until the last one is precise enough. `matches` and
    `minutes` of the plan are limits; without either, ten minutes of play.
    """
    check_is_plan(plan, "simulate_until")
    conditions = [read_precision(text) for text in plan.until]
    _check_conditions(plan, conditions)
    options = RunOptions(
        db=read_path("db", db),
        workers=workers,
        cluster=cluster,
        command=command,
        on_warning=on_warning,
    )
    with follow_lines(plan.name, on_progress) as on_line:
        return _play_until_precise(plan, conditions, replace(options, on_progress=on_line))


def _check_conditions(plan: Plan, conditions: Sequence[Target]) -> None:
    """Raise InvalidInput if there are none, or one that no cell has."""
    if not conditions:
        raise InvalidInput(
            "this plan does not say how precise its answers are to be: "
            f"make_plan(..., until=[...]) with {EXAMPLES[PRECISIONS]}"
        )
    for condition in conditions:
        if not any(map(condition.applies_to, plan.cells)):
            raise InvalidInput(
                f"{condition.describe()}: no cell of this plan has it; "
                f"`boardgames metrics {condition.metric.name}` explains it"
            )


def _play_until_precise(plan: Plan, conditions: Sequence[Target], options: RunOptions) -> Precision:
    """Play to a number of deals, measure the intervals, and play on to where they should be narrow enough."""
    matches = plan.request.matches if plan.request else None
    minutes = (plan.request and plan.request.minutes) or (None if matches else MINUTES)
    driver = Driver(options=options)
    group = Group(
        name="until it is known",
        plan=plan._replace(request=None),
        stored=count_complete_deals(plan, options.db),
        max_matches=matches,
    )
    widths: list[Width] = []

    def forecast_deals(deals: int) -> float:
        widths[:] = measure_widths(plan, conditions, options.db, deals)
        driver.note = "; ".join(width.describe() for width in widths if not width.reached)
        return max((SPARE * width.factor * deals for width in widths if not width.reached), default=0.0)

    seconds = 60 * minutes if minutes else math.inf
    driver.play_until(group, forecast_deals, seconds, FIRST_LOOK)
    if not driver.outcomes:
        driver.play_wave(group, group.deals)  # everything is stored already: this says so
    reached = all(width.reached for width in widths)
    limit = f"{minutes:g} minutes" if minutes and group.deals < group.max_deals else ""
    limit = limit or (f"{matches:,} matches" if matches else f"{MOST_DEALS:,} deals")
    return Precision(reached, tuple(widths), group.deals, "" if reached else limit, _sum_outcomes(driver))


def _sum_outcomes(driver: Driver) -> Outcome:
    """All waves together."""
    outcomes = driver.outcomes
    last = outcomes[-1]
    return Outcome(
        run=last.run,
        stored=driver.played,
        there_before=last.stored + last.there_before - driver.played,
        seconds=sum(outcome.seconds for outcome in outcomes),
        start_seconds=sum(outcome.start_seconds for outcome in outcomes),
    )
