"""`compare --sweep`: play a grid of variants, find the best point, and try it once more on fresh luck before calling it a winner.

The best of many measurements is partly the luckiest. So the point that looks best, the next one and the rules as they are play
again on another master seed, and only what shows there counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from analytics.comparing import MINUTES, Group, Waves, even
from analytics.design import usual_players
from analytics.evidence import gather
from analytics.intervals import Estimate
from analytics.lines import ordinary
from analytics.metrics import SHARE, Metric
from analytics.sentences import interval, number, unit_of
from analytics.sweeps import Grid, Point, Swept, grid, swept
from analytics.terms import PRIMARIES, write_down, written_down
from analytics.until import metric_named
from boardgames.errors import BadInput
from boardgames.experiment import Plan, hash63, make_plan
from boardgames.plugins import find_variant
from boardgames.rows import can_be_written

AIM = "lowest seat imbalance"
EXAMPLE = '"lowest seat imbalance", "highest lead changes", "lowest leader conversion 50" or "length near 40"'
FEWEST_BLOCKS = 1024  # before which nothing is called best


class Aim(NamedTuple):
    """What makes one variant better than another."""

    metric: Metric
    part: str
    towards: str  # lowest, highest or near
    target: float = 0.0

    def cost(self, mean: float) -> float:
        return {"lowest": mean, "highest": -mean, "near": abs(mean - self.target)}[self.towards]

    def in_words(self) -> str:
        named = f"{self.metric.name} {self.part}".strip()
        target = f"{number(self.target, self.metric.unit)} {unit_of(self.metric.unit)}"
        return f"{named} near {target}" if self.towards == "near" else f"{self.towards} {named}"


def read_aim(text: str) -> Aim:
    """`lowest seat imbalance`, `length near 40`: the metric in words, perhaps one of its parts, and which way is better."""
    words, target = text.split(), 0.0
    if len(words) > 2 and words[-2] == "near":
        *words, _, last = words
        towards = "near"
        try:
            target = float(last.rstrip("%"))
        except ValueError:
            raise BadInput(f"aim '{text}': {last} is no number; write {EXAMPLE}") from None
    elif len(words) > 1 and words[0] in ("lowest", "highest"):
        towards, *words = words
    else:
        raise BadInput(f"aim '{text}': write {EXAMPLE}")
    try:
        metric, part = metric_named(" ".join(words)), ""
    except BadInput:
        if len(words) < 2:
            raise
        metric, part = metric_named(" ".join(words[:-1])), words[-1]
    if bool(metric.parts) != bool(part):
        raise BadInput(f"aim '{text}': " + (f"name the {metric.parts} last" if metric.parts else f"{metric.name} has no parts"))
    return Aim(metric, part, towards, target / 100 if metric.unit == SHARE else target)


# ---- what came of it


@dataclass(frozen=True)
class Rival:
    """Another variant that the best one met on fresh luck."""

    variant: str
    value: Estimate
    difference: Estimate  # of the best less this one
    beaten: bool


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
    base = find_variant(spec)
    counts = players or str(usual_players([base]))
    plan = make_plan([spec], counts, [agent], 1, seed, sweep=sweeps)
    run = _Run(plan, path, spec, aim, workers, command, report)
    there = even(plan, path)
    written = _promise(path, plan, aim, there)
    if blocks or more or not there:
        run.play(minutes or MINUTES, blocks)
    found = [run.judged(n) for n in sorted({cell.players for cell in plan.cells})]
    return [Sweep(*one, played=run.played, written=written) for one in found]


def _promise(path: Path, plan: Plan, aim: Aim, there: int) -> tuple[tuple[str, int], ...]:
    """The aim is written into the file before the first match; another aim later shows."""
    number_ = hash63("sweep", sorted(cell.id for cell in plan.cells))
    known = written_down(path, number_)
    if not known or known[-1][0]["aim"] != aim.in_words():
        matches = there * sum(len(cell.table.seatings) for cell in plan.cells)
        write_down(path, number_, f"sweep {plan.name}", {"aim": aim.in_words()}, matches)
    return tuple((terms["aim"], before) for terms, _, before in written_down(path, number_))


class _Run:
    def __init__(
        self, plan: Plan, path: Path, spec: str, aim: Aim, workers: int, command: str, report: Callable[[str], None]
    ) -> None:
        self.plan, self.path, self.spec, self.aim = plan, path, spec, aim
        self.playing: dict[str, Any] = {"workers": workers, "command": command, "report": report}
        self.played = 0
        self.fresh = 100_000 + hash63("fresh luck", plan.seed) % 900_000  # the same every time, and nobody types it by chance

    def play(self, minutes: float, blocks: int | None) -> None:
        """The grid first; then, as far, those who are tried again."""
        cells = len(self.plan.cells)
        self._wave("the grid", self.plan, minutes * cells / (cells + 3), blocks)
        for n in sorted({cell.players for cell in self.plan.cells}):
            again = self._again(n, self._points(n)[1])
            self._wave("the best again, on fresh luck", again, minutes, even(self.plan, self.path))

    def _wave(self, name: str, plan: Plan, minutes: float, blocks: int | None) -> None:
        waves = Waves([Group(name, plan, 1.0, even(plan, self.path))], self.path, **self.playing)
        self.played += waves.play(minutes, blocks)

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

    def judged(self, players: int) -> tuple[Grid, str, str, int, Trial | None, str]:
        found, order = self._points(players)
        again = self._again(players, order)
        blocks = min(even(self.plan, self.path), even(again, self.path))
        trial = self._trial(again) if blocks >= FEWEST_BLOCKS else None
        told = _sentence(self.aim, order, trial)
        return found, self.aim.in_words(), order[0].variant, even(self.plan, self.path), trial, told

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
            rivals.append(Rival(other.variant.name, theirs, gap, _beaten(self.aim, value, theirs, gap)))
        return Trial(best.variant.name, self.fresh, value, tuple(rivals))


def _beaten(aim: Aim, best: Estimate, other: Estimate, difference: Estimate) -> bool:
    """Whether the best one is clearly nearer to the aim: by the interval of the difference, or, of distances, by their ends."""
    if aim.towards == "near":
        farthest = max(abs(best.low - aim.target), abs(best.high - aim.target))
        inside = other.low <= aim.target <= other.high
        nearest = 0.0 if inside else min(abs(other.low - aim.target), abs(other.high - aim.target))
        return farthest < nearest
    return difference.high < 0 if aim.towards == "lowest" else difference.low > 0


def _sentence(aim: Aim, order: Sequence[Point], trial: Trial | None) -> str:
    """What may be said about the point that looks best."""
    best, unit = order[0].variant, aim.metric.unit
    if trial is None:
        return (
            f"{best} looks best so far. Not yet tried on fresh luck, for which {FEWEST_BLOCKS:,} blocks of each are needed: --more"
        )
    here = f"{interval(trial.value, unit)} {unit_of(unit)} on fresh luck (seed {trial.seed})"
    gaps = [f"{interval(r.difference, unit, True)} {unit_of(unit, True)} against {r.variant}" for r in trial.rivals]
    told = f"{here}; {' and '.join(gaps)}"
    if trial.confirmed:
        return f"the winner is {best}: {told}"
    open_ = " or ".join(rival.variant for rival in trial.rivals if not rival.beaten)
    return f"no winner: {best} looks best, but is not clearly better than {open_}: {told}"
