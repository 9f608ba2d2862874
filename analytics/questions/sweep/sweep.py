"""`compare --sweep`: play a grid of variants, find the best point, and try it once more on fresh luck before calling it a winner.

The best of many measurements is partly the luckiest. So the point that looks best, the next one and the rules as they are play
again on another master seed, and only what shows there counts.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analytics.metric.evidence import Evidence, gather
from analytics.questions.compare.compare import MINUTES, Group, Waves, even
from analytics.questions.compare.lines import Pair, ordinary, sure_difference
from analytics.questions.sweep.aim import Aim, read_aim
from analytics.questions.sweep.grid import Grid, Point, Swept, grid, swept
from analytics.stats.intervals import Estimate
from analytics.verdict.design import usual_players
from analytics.verdict.levels import sure_level
from analytics.verdict.terms import PRIMARIES, make_terms, promise
from analytics.verdict.verdicts import Luck, Sure
from analytics.words import interval, unit_of
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, check_blocks, hash63, make_plan
from boardgames.game.parameters import Number, Parameter
from boardgames.game.plugins import find_variant
from boardgames.store.rows import can_be_written

AIM = "lowest seat imbalance"
FEWEST_BLOCKS = 1024  # before which nothing is called best
ALPHA = 0.05  # the chance that a rival is ever called beaten wrongly


@dataclass(frozen=True)
class Rival:
    """Another variant that the best one met on fresh luck."""

    variant: str
    value: Estimate
    difference: Estimate  # of the best less this one, with its ordinary interval
    lead: Estimate  # how much nearer to the aim the best one is, with the interval that holds at all times
    beaten: bool  # the whole interval of the lead is above zero


@dataclass(frozen=True)
class Trial:
    """The point that looks best, played again on fresh luck."""

    variant: str
    seed: int
    value: Estimate
    rivals: tuple[Rival, ...]

    @property
    def confirmed(self) -> bool:
        return bool(self.rivals) and all(rival.beaten for rival in self.rivals)


@dataclass(frozen=True)
class Sweep:
    """A grid at one player count, its best point so far, and whether that held."""

    grid: Grid
    aim: str
    best: str
    blocks: int  # of each cell
    trial: Trial | None
    sentence: str
    edges: tuple[str, ...]  # where the best point lies at the end of the range that was tried, in words
    reconstructed: tuple[str, ...]  # components that no source documents
    played: int = 0  # matches, by this call, over all player counts
    written: tuple[tuple[str, int], ...] = ()  # aims as they were written down, and how many matches were stored then


def sweep(
    spec: str, sweeps: Sequence[str], into: str | Path = "boardgames.duckdb", *, best: str = AIM, players: str = "",
    agent: str = "greedy", minutes: float | None = None, blocks: int | None = None, more: bool = False, seed: int = 1,
    workers: int = 1, command: str = "", report: Callable[[str], None] = lambda line: None,
) -> list[Sweep]:  # fmt: skip
    """The grid of a sweep, for each player count: `sweep("celtica", ["hand_size=4..7"], best="length near 40")`."""
    path, aim = Path(into), read_aim(best)
    can_be_written(path)
    check_blocks(blocks)
    base = find_variant(spec)
    counts = players or str(usual_players([base]))
    plan = make_plan([spec], counts, [agent], 1, seed, sweep=sweeps)
    run = _Run(plan, path, spec, aim, workers, command, report)
    there = even(plan, path)
    written = _promise(path, plan, aim, there)
    plays = bool(blocks or more or not there)
    if plays:
        run.play_grid(minutes or MINUTES, blocks)
    found = [run.judged(n, plays) for n in run.counts]
    return [replace(one, played=run.played, written=written) for one in found]


def _promise(path: Path, plan: Plan, aim: Aim, there: int) -> tuple[tuple[str, int], ...]:
    """The aim is written into the file before the first match; another aim later shows."""
    number = hash63("sweep", sorted(cell.id for cell in plan.cells))
    matches = there * sum(len(cell.table.seatings) for cell in plan.cells)
    written = promise(path, number, f"sweep {plan.name}", {"aim": aim.in_words()}, matches)
    return tuple((terms["aim"], before) for terms, _, before in written)


class _Run:
    def __init__(
        self, plan: Plan, path: Path, spec: str, aim: Aim, workers: int, command: str, report: Callable[[str], None]
    ) -> None:
        self.plan, self.path, self.spec, self.aim = plan, path, spec, aim
        self.playing: dict[str, Any] = {"workers": workers, "command": command, "report": report}
        self.counts = sorted({cell.players for cell in plan.cells})
        self.played = 0
        self.fresh = 100_000 + hash63("fresh luck", plan.seed) % 900_000  # the same every time, and nobody types it by chance

    def play_grid(self, minutes: float, blocks: int | None) -> None:
        """As far as the time allows that is left to those who are tried again: three at each player count."""
        cells = len(self.plan.cells)
        self._wave("the grid", self.plan, minutes * cells / (cells + 3 * len(self.counts)), blocks)

    def _wave(self, name: str, plan: Plan, minutes: float, blocks: int | None) -> None:
        waves = Waves([Group(name, plan, 1.0, even(plan, self.path))], self.path, **self.playing)
        self.played += waves.play(minutes, blocks)

    def judged(self, players: int, plays: bool) -> Sweep:
        """The grid at a player count; its best points are tried again as far as the grid went, if it is played at all."""
        found, order = self._points(players)
        again, blocks = self._again(players, order), even(self.plan, self.path)
        if plays:
            self._wave("the best again, on fresh luck", again, MINUTES, blocks)
        trial = self._trial(again) if min(blocks, even(again, self.path)) >= FEWEST_BLOCKS else None
        game = self.plan.cells[0].variant.game
        edges = tuple(_edges(found, order[0], {parameter.name: parameter for parameter in game.parameters}))
        told, about = _sentence(self.aim, order, trial), tuple(sorted(game.reconstructed))
        return Sweep(found, self.aim.in_words(), order[0].variant, blocks, trial, told, edges, about)

    def _swept(self, players: int) -> Swept:
        cells = [cell for cell in self.plan.cells if cell.players == players]
        parameters = [{p.name: p.write(c.variant.values[p.name]) for p in c.variant.game.parameters} for c in cells]
        rows = [(cell.id, cell.variant.name, told) for cell, told in zip(cells, parameters, strict=True)]
        found = swept(cells[0].variant.game.name, players, cells[0].line_up_name(), self.plan.seed, rows)
        if found is None:
            raise BadInput("a sweep has two different values at least: hand_size=4..7")
        return found

    def _points(self, players: int) -> tuple[Grid, list[Point]]:
        """The grid, and its points from the best to the worst."""
        names = dict.fromkeys([self.aim.metric.name, *PRIMARIES])
        found = grid(self.path, self._swept(players), list(names))
        known = [point for point in found.points if self._answer(point)]
        if not known:
            parts = {part for point in found.points for part in point.answers[self.aim.metric.name]}
            raise BadInput(
                f"{self.aim.in_words()}: nothing of that was measured; its parts are {', '.join(sorted(parts)) or 'none'}"
            )
        return found, sorted(known, key=lambda point: self.aim.cost(self._value(point).mean))

    def _answer(self, point: Point) -> Estimate | None:
        return point.answer(self.aim.metric.name, self.aim.part)

    def _value(self, point: Point) -> Estimate:
        answer = self._answer(point)
        assert answer is not None
        return answer

    def _again(self, players: int, order: Sequence[Point]) -> Plan:
        """The best point, the next one, and the rules as they are, on another master seed."""
        specs = {cell.variant.name: cell.variant.spec for cell in self.plan.cells}
        wanted = dict.fromkeys([*(specs[point.variant] for point in order[:2]), self.spec])
        return make_plan(list(wanted), str(players), [self.plan.cells[0].line_up_name()], 1, self.fresh, f"{self.plan.name}: again")

    def _trial(self, again: Plan) -> Trial:
        """What shows on fresh luck alone. To win is to beat each of the others, so that each may be looked at with 95 %."""
        metric, part = self.aim.metric, self.aim.part
        best, *others = {cell.variant.fingerprint(): cell for cell in again.cells}.values()
        pairs = [(other.id, best.id) for other in others]
        evidence = gather(self.path, [cell.id for cell in again.cells], [metric], pairs)
        value = evidence.estimate(metric, best.id, part)
        rivals = []
        for other in others:
            theirs, gap = evidence.estimate(metric, other.id, part), ordinary(evidence, metric, part, other.id, best.id)
            sure = _sure_lead(self.aim, evidence, best, other)
            lead = Estimate(self.aim.cost(theirs.mean) - self.aim.cost(value.mean), sure.low, sure.high, gap.blocks)
            rivals.append(Rival(other.variant.name, theirs, gap, lead, lead.low > 0))
        return Trial(best.variant.name, self.fresh, value, tuple(rivals))


def _sure_lead(aim: Aim, evidence: Evidence, best: PlannedCell, other: PlannedCell) -> Sure:
    """How much nearer to the aim the best one is, by intervals that hold whenever one looks: `--more` is a look."""
    alpha = ALPHA / (4 if aim.towards == "near" else 2)  # each interval has its part
    seen = evidence.touched[other.id, best.id, "touched_blocks"]
    luck, terms = Luck(seen.blocks, round(seen.total), alpha), make_terms([best.line_up_name()], "")
    variants, seatings = (other.variant, best.variant), len(best.table.seatings)
    pair = Pair(evidence, terms, variants, best.players, other.id, best.id, seatings, luck, ())
    difference = sure_difference(pair, aim.metric, aim.part, alpha)
    if aim.towards == "near":
        return nearer(difference, *(_away(aim, evidence, cell, alpha) for cell in (best, other)))
    return difference if aim.towards == "highest" else Sure(-difference.high, -difference.low)


def _away(aim: Aim, evidence: Evidence, cell: PlannedCell, alpha: float) -> Sure:
    """How far a cell is above its target."""
    reach = aim.metric.reach(cell.variant, cell.players) if aim.metric.reach else math.inf
    sure = sure_level(evidence, aim.metric, cell.id, aim.part, reach, alpha)
    return Sure(sure.low - aim.target, sure.high - aim.target)


def nearer(difference: Sure, best: Sure, other: Sure) -> Sure:
    """How much nearer to its target the best one is, from the paired difference of both and from where each lies.

    On one side of the target their difference says it, and pairing makes that narrow; on both sides the sum of how far they are
    above it does. In general it is the smaller of the two, and at its extremes where both are at theirs.
    """
    sums = (best.low + other.low, best.high + other.high)
    leads = [-math.copysign(1, d) * math.copysign(1, s) * min(abs(d), abs(s)) for d in difference[:2] for s in sums]
    return Sure(min(leads), max(leads))


def _edges(grid: Grid, best: Point, parameters: Mapping[str, Parameter]) -> Iterator[str]:
    """Of each number that could have gone further: the best value may lie beyond the range."""
    for (name, values), value in zip(grid.sweep.axes, best.values, strict=True):
        parameter = parameters[name]
        if not isinstance(parameter, Number) or not all(one.lstrip("-").isdecimal() for one in values):
            continue
        tried, at = [int(one) for one in values], int(value)
        beyond = {min(tried): ("smaller", at > parameter.low), max(tried): ("larger", at < parameter.high)}
        way, possible = beyond.get(at, ("", False))
        if possible:
            yield f"{name}={value} is at the edge of the range: try {way} values too"


def _sentence(aim: Aim, order: Sequence[Point], trial: Trial | None) -> str:
    """What may be said about the point that looks best."""
    best, unit = order[0].variant, aim.metric.unit
    if trial is None:
        return (
            f"{best} looks best so far. Not yet tried on fresh luck, for which {FEWEST_BLOCKS:,} blocks of each are needed: --more"
        )
    here = f"{interval(trial.value, unit)} {unit_of(unit)} on fresh luck (seed {trial.seed})"
    way = {"lowest": "lower", "highest": "higher", "near": "nearer"}[aim.towards]
    leads = [f"{way} by {interval(r.lead, unit)} {unit_of(unit, True)} than {r.variant}" for r in trial.rivals]
    told = f"{here}; {' and '.join(leads)}, by intervals that hold however often you look"
    if trial.confirmed:
        return f"the winner is {best}: {told}"
    open_ = " or ".join(rival.variant for rival in trial.rivals if not rival.beaten)
    return f"no winner: {best} looks best, but may be no better than {open_}: {told}"
