"""`simulate --until`: play on until the 95 % intervals of some metrics are narrow enough, or a limit is reached.

The rule looks only at how wide an interval is, never at where it lies, so that ordinary intervals stay valid (Chow and Robbins,
Annals of Mathematical Statistics 36, 1965). Of "within 1 %" the width that is wanted depends on the mean; with as many blocks as
are looked at here that does no harm either (Nadas, same journal 40, 1969). It looks at fixed numbers of blocks, always at the
first ones in the order of the seeds: where it stops does not depend on workers, machines or interruptions.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analytics.metric.evidence import Evidence, gather
from analytics.metric.metric import SHARE, Metric, find_metric, metrics
from analytics.questions.compare.compare import even
from analytics.stats.intervals import Estimate
from analytics.words import number, rounded, unit_of
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, Progress, read_players
from boardgames.play.batch import SLICE
from boardgames.run.simulate import Outcome, simulate

FIRST_LOOK = 1024  # blocks: fewer make an interval that looks narrow by chance
FIRST_STEP = 16  # blocks to see how long they take
MINUTES = 10.0  # unless a limit is said
MOST_BLOCKS = 1 << 20
EXAMPLE = '"seat share within 0.5 pp", "length within 1 %" or "tied after within 1 pp at 3-4 players"'


class Condition(NamedTuple):
    """How narrow the interval of a metric is to be, in each of its parts and in each cell that has it."""

    metric: Metric
    within: float  # half the width; of a share, as a share
    relative: bool = False  # a part of the metric's value
    players: tuple[int, ...] = ()  # all, if not said

    def wanted(self, mean: float) -> float:
        return self.within * abs(mean) if self.relative else self.within

    def concerns(self, cell: PlannedCell) -> bool:
        equal = len({agent.name for agent in cell.line_up}) == 1
        kind = self.metric.line_ups == "any" or equal == (self.metric.line_ups == "equal")
        return kind and cell.players in self.metric.players and cell.players in (self.players or (cell.players,))

    def in_words(self) -> str:
        width = f"{100 * self.within:g} %" if self.relative else f"{self._scaled():g} {unit_of(self.metric.unit, True)}"
        where = f" at {', '.join(map(str, self.players))} players" if self.players else ""
        return f"{self.metric.name} within {width}{where}"

    def _scaled(self) -> float:
        return 100 * self.within if self.metric.unit == SHARE else self.within


def read_condition(text: str) -> Condition:
    """`seat share within 0.5 pp`: the words of a metric's name, how near, and perhaps at which player counts."""
    name, within, rest = text.partition(" within ")
    width, _, where = rest.partition(" at ")
    amount, _, unit = width.strip().partition(" ")
    if amount.endswith(("pp", "%")):
        amount, unit = amount.rstrip("p%"), "%" if amount.endswith("%") else "pp"
    try:
        value = float(amount)
    except ValueError:
        value = math.nan
    if not within or not value > 0 or not math.isfinite(value):
        raise BadInput(f"condition '{text}': write {EXAMPLE}")
    metric = metric_named(name.strip())
    share, unit = metric.unit == SHARE, unit.strip()
    if unit not in ("", *(["pp"] if share else ["%", metric.unit])):
        units = "pp" if share else f"% or {metric.unit}"
        raise BadInput(f"condition '{text}': {metric.name} is measured in {units}, not in '{unit}'")
    players = tuple(read_players(where.removesuffix("players").removesuffix("player").replace(" ", "")))
    return Condition(metric, value / 100 if share or unit == "%" else value, unit == "%", players)


def metric_named(words: str) -> Metric:
    """The metric whose name has these words in this order: `seat share` is seat_win_share."""
    asked = words.lower().replace("_", " ").split()
    exactly = [name for name in metrics() if name.split("_") == asked]
    fitting = exactly or [name for name in metrics() if asked and _follows(asked, name)]
    if len(fitting) > 1:
        raise BadInput(f"'{words}' may be {' or '.join(fitting)}: write one of these names")
    metric = find_metric(fitting[0] if fitting else "_".join(asked))
    if metric.kind == "rows":
        raise BadInput(f"{metric.name} is a screening of many components: it has no single interval to wait for")
    return metric


def _follows(asked: Sequence[str], name: str) -> bool:
    words = iter(name.split("_"))
    return all(word in words for word in asked)


# ---- looking


@dataclass(frozen=True)
class Width:
    """The widest interval that a condition is about."""

    condition: str
    reached: bool
    half: float  # half the width of that interval
    wanted: float
    unit: str
    blocks: int  # looked at
    where: str  # variant, players, line-up and part

    @property
    def factor(self) -> float:
        """So many times as many blocks would probably do."""
        return (self.half / self.wanted) ** 2 if self.wanted > 0 and math.isfinite(self.half) else math.inf

    def in_words(self) -> str:
        unit = unit_of(self.unit, True)
        if not math.isfinite(self.half):
            return f"{self.condition}: there is no interval yet after {self.blocks:,} blocks ({self.where})"
        told = f"{self.condition}: ±{number(self.half, self.unit)} {unit} after {self.blocks:,} blocks ({self.where})"
        return told if self.reached else f"{told}; about {rounded(math.ceil(self.blocks * self.factor))} blocks would do"


def look(plan: Plan, conditions: Sequence[Condition], path: Path, blocks: int) -> list[Width]:
    """How wide the intervals are after the first so many blocks of each cell."""
    evidence = gather(path, [c.id for c in plan.cells], [c.metric for c in conditions], slices=blocks // SLICE)
    return [_widest(condition, plan.cells, evidence, blocks - blocks % SLICE) for condition in conditions]


def _widest(condition: Condition, cells: Sequence[PlannedCell], evidence: Evidence, blocks: int) -> Width:
    found = []
    for cell in filter(condition.concerns, cells):
        where = f"{cell.variant.name}, {cell.players} players, {cell.line_up_name()}"
        parts = evidence.parts(condition.metric, cell.id)
        for part in parts:
            estimate = evidence.estimate(condition.metric, cell.id, part)
            label = f"{where}, {condition.metric.parts} {part}" if part else where
            found.append((_half(estimate), condition.wanted(estimate.mean), label))
        if not parts:
            found.append((math.inf, condition.within, where))
    half, wanted, where = max(found, key=lambda one: one[0] / max(one[1], 1e-300))
    return Width(condition.in_words(), half <= wanted, half, wanted, condition.metric.unit, blocks, where)


def _half(estimate: Estimate) -> float:
    """Half the width; rounded, because sums in another order differ in their last digits."""
    half = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    return round(half, 12) if math.isfinite(half) else math.inf


# ---- playing


@dataclass(frozen=True)
class Precision:
    """What was reached, and by how much playing."""

    reached: bool
    widths: tuple[Width, ...]
    blocks: int  # of each cell
    limit: str  # what ended it, if it was not the conditions
    outcome: Outcome


def simulate_until(
    plan: Plan, into: str | Path = "boardgames.duckdb", *, workers: int = 1, cluster: str = "", command: str = "",
    report: Callable[[str], None] = lambda line: None, say: Callable[[str], None] = lambda line: None,
) -> Precision:  # fmt: skip
    """Play a plan until its conditions hold: `simulate_until(make_plan(["celtica"], until=["seat share within 0.5 pp"]))`.

    All cells grow alike, so that their blocks stay paired, until the last one is precise enough. `blocks` and `minutes` of the
    plan are limits; without either, ten minutes of play.
    """
    conditions = [read_condition(text) for text in plan.asked.get("until", [])]
    if not conditions:
        raise BadInput(f"this plan does not say how precise its answers are to be: make_plan(..., until=[...]) with {EXAMPLE}")
    for condition in conditions:
        if not any(map(condition.concerns, plan.cells)):
            raise BadInput(
                f"{condition.in_words()}: no cell of this plan has it; `boardgames metrics {condition.metric.name}` explains it"
            )
    run = _Run(plan, conditions, Path(into), workers, cluster, command, report, say)
    return run.play()


class _Run:
    """Plays to a number of blocks, looks, and plays on to where the intervals should be narrow enough."""

    def __init__(
        self, plan: Plan, conditions: Sequence[Condition], path: Path, workers: int, cluster: str, command: str,
        report: Callable[[str], None], say: Callable[[str], None],
    ) -> None:  # fmt: skip
        asked = plan.asked
        limit = asked.get("minutes") or (None if asked.get("blocks") else MINUTES)
        self.minutes, self.left = limit, 60 * limit if limit else math.inf
        self.most = asked.get("blocks") or MOST_BLOCKS
        self.plan, self.conditions, self.path = plan._replace(asked={**asked, "until": []}), conditions, path
        self.workers, self.cluster, self.command, self.report, self.say = workers, cluster, command, report, say
        self.done: list[Outcome] = []
        self.last, self.took = 1, 1.0  # blocks of the last step, and its seconds

    def play(self) -> Precision:
        target, told = min(FIRST_LOOK, self.most), ""
        while True:
            at = self._play_to(target, told)
            widths = look(self.plan, self.conditions, self.path, at)
            if all(width.reached for width in widths) or at < target or at >= self.most:
                break
            target = min(self.most, next_look(at, max(width.factor for width in widths)))
            told = "; ".join(width.in_words() for width in widths if not width.reached)
        reached = all(width.reached for width in widths)
        limit = "" if reached else f"{self.most:,} blocks" if at >= self.most else f"{self.minutes:g} minutes"
        return Precision(reached, tuple(widths), at, limit, self._outcome())

    def _play_to(self, target: int, told: str) -> int:
        """Up to so many blocks of each cell, in steps that the time allows; how far it came."""
        at = min(even(self.plan, self.path), target)
        while True:
            upto = min(target, at + self._affordable())
            self._step(upto, upto - at, told)
            at = upto
            if at >= target or self.left <= 0.02 * 60 * (self.minutes or 0):
                return at

    def _affordable(self) -> int:
        """Blocks that the time allows: by the pace of the last step, or eight times as many while a step takes no time."""
        if math.isinf(self.left):
            return self.most
        if not self.done:
            return FIRST_STEP
        quick = 8 * self.last if self.took < min(1.0, self.left / 16) else 1
        return max(quick, int(self.left * self.last / self.took))

    def _step(self, blocks: int, fresh: int, told: str) -> None:
        def tell(at: Progress) -> None:
            self.report(f"to {blocks:,} blocks, {at.matches:,} of {at.wanted:,} matches{'; ' if told else ''}{told}")

        done = simulate(
            self.plan._replace(blocks=blocks), self.path, workers=self.workers, cluster=self.cluster, command=self.command,
            report=tell, say=self.say,
        )  # fmt: skip
        if fresh and done.stored:
            self.last, self.took = fresh, done.seconds
        self.left -= done.seconds
        self.done.append(done)

    def _outcome(self) -> Outcome:
        """All steps together."""
        last, stored = self.done[-1], sum(one.stored for one in self.done)
        times = [sum(getattr(one, name) for one in self.done) for name in ("seconds", "start_seconds")]
        return Outcome(last.experiment, stored, last.stored + last.there_before - stored, *times)


def next_look(blocks: int, factor: float) -> int:
    """Where it should be enough, a little more than estimated, but at most four times as far; in whole slices."""
    much = blocks * (min(4.0, max(1.1, 1.05 * factor)) if math.isfinite(factor) else 2.0)
    return math.ceil(much / SLICE) * SLICE
