"""Goals judged: each number that a goal is about, with an interval that holds whenever one looks, and a verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analytics.metric.evidence import Evidence, gather
from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.questions.compare.lines import CUT_OFF
from analytics.questions.goals.file import MEDIANS, Goal
from analytics.stats.intervals import Sums
from analytics.verdict.design import duel
from analytics.verdict.levels import NOTHING, sure_level, sure_median
from analytics.verdict.terms import START
from analytics.verdict.verdicts import FOREVER, Sure
from analytics.words import number, unit_of
from boardgames.errors import unknown
from boardgames.experiment.plan import PlannedCell
from boardgames.game.variant import Variant

PASS, FAIL, UNKNOWN = "pass", "fail", "not yet known"
NOTHING_STORED = "nothing is stored about it"
ALPHA = 0.05  # the chance that any verdict of a file of goals is ever wrong


@dataclass(frozen=True)
class Check:
    """One number that a goal is about."""

    goal: int  # its place in the file, from 1
    metric: str
    part: str
    median: bool
    unit: str
    variant: str
    players: int
    line_up: str
    value: float
    low: float  # of the interval that holds at all times, together with those of all other checks
    high: float
    least: float  # what is wanted
    most: float
    verdict: str
    matches: int
    more: int | None = None  # further matches that would probably settle it
    note: str = ""

    @property
    def title(self) -> str:
        """median length, seat_win_share 1"""
        return f"{'median ' if self.median else ''}{self.metric} {self.part}".strip()

    @property
    def wanted(self) -> str:
        unit = unit_of(self.unit)
        if math.isfinite(self.least) and math.isfinite(self.most):
            return f"{number(self.least, self.unit)} to {number(self.most, self.unit)} {unit}"
        return f"at least {number(self.least, self.unit)} {unit}" if math.isfinite(self.least) else (
            f"at most {number(self.most, self.unit)} {unit}"
        )  # fmt: skip

    @property
    def seen(self) -> str:
        """48.2 (47.1 to 49.3) %"""
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            return f"{number(self.value, self.unit)} {unit_of(self.unit)} (no interval yet)"
        around = f"({number(self.low, self.unit)} to {number(self.high, self.unit)})"
        return f"{number(self.value, self.unit)} {around} {unit_of(self.unit)}"


def line_up_of(goal: Goal, agents: str, players: int) -> str:
    """Who plays for a goal: equals, or for metrics of skill one agent among others."""
    return duel(agents, goal.against, players) if goal.against else agents


def check_part(goal: Goal, variant: Variant, players: int) -> None:
    """Refuse, before anything is played, a part that no match will ever have."""
    game, metric = variant.game, find_metric(goal.metric)
    seats = [str(seat) for seat in range(1, players + 1)]
    known = {
        "seat": seats, "place in the line-up": seats, "percent of the laps": ["25", "50", "75"],
        "reason": [*game.ends, "cut off"], "counter": [*game.tallies],
    }.get(metric.parts)  # fmt: skip
    if goal.part and known is not None and goal.part not in known:
        raise unknown(f"{metric.parts} of {goal.metric} in {variant.name} with {players} players", goal.part, known)


Cells = Mapping[tuple[str, int, str], PlannedCell]  # by the variant's spec, the players and the line-up
Asked = tuple[int, Goal, tuple[str, int, str]]  # a goal's place in the file, the goal, and the key of a cell


def judge_goals(asked: Sequence[Asked], cells: Cells, path: Path) -> list[Check]:
    """What the stored matches say about every goal; the chance to be wrong is split evenly, then among a metric's parts."""
    needed = list(dict.fromkeys(cells[key].id for _, _, key in asked))
    wanted = list({goal.metric: find_metric(goal.metric) for _, goal, _ in asked}.values())
    evidence = gather(path, needed, wanted)
    found = []
    for place, goal, key in asked:
        metric, cell = find_metric(goal.metric), cells[key]
        parts = [""] if goal.median else _parts(evidence, metric, cell.id, goal.part)
        checks = [_check(place, goal, metric, part, cell, path, evidence, ALPHA / len(asked) / len(parts)) for part in parts]
        found += checks or [_nothing_yet(place, goal, metric, cell, evidence)]
    return found


def _parts(evidence: Evidence, metric: Metric, cell: int, part: str) -> list[str]:
    known = evidence.parts(metric, cell)
    return [part] * (part in known) if part else known


def _check(
    place: int, goal: Goal, metric: Metric, part: str, cell: PlannedCell, path: Path, evidence: Evidence, alpha: float
) -> Check:
    if goal.median:
        value, sure = sure_median(path, cell.id, MEDIANS[goal.metric], alpha)
    else:
        value = evidence.estimate(metric, cell.id, part).mean
        reach = metric.reach(cell.variant, cell.players) if metric.reach else math.inf
        sure = sure_level(evidence, metric, cell.id, part, reach, alpha)
    played = evidence.values.get((cell.id, "cut_off"))
    blocks, cut = (played.blocks, played.total / max(1, played.blocks)) if played else (0, 0.0)
    note = ""
    if metric.needs_ends and cut > CUT_OFF:
        sure, note = NOTHING, f"{number(cut, SHARE)} % of the matches were cut off before their end"
    least, most = goal.range(cell.players)
    verdict = decide(sure, least, most)
    seatings = len(cell.table.seatings)
    more = None if verdict != UNKNOWN or note else _more(value, sure, least, most, blocks)
    return Check(
        place, metric.name, part, goal.median, metric.unit, cell.variant.name, cell.players, cell.line_up_name(), value, sure.low,
        sure.high, least, most, verdict, blocks * seatings, more and more * seatings, note,
    )  # fmt: skip


def _nothing_yet(place: int, goal: Goal, metric: Metric, cell: PlannedCell, evidence: Evidence) -> Check:
    """No match is stored yet, or none has such a value."""
    played = evidence.values.get((cell.id, "cut_off"), Sums(0, 0.0, 0.0))
    note = "no match has such a value" if played.blocks >= START else NOTHING_STORED
    return Check(
        place, metric.name, goal.part, goal.median, metric.unit, cell.variant.name, cell.players, cell.line_up_name(), math.nan,
        -math.inf, math.inf, *goal.range(cell.players), UNKNOWN, played.blocks * len(cell.table.seatings), note=note,
    )  # fmt: skip


def decide(sure: Sure, least: float, most: float) -> str:
    if least <= sure.low and sure.high <= most:
        return PASS
    return FAIL if sure.high < least or sure.low > most else UNKNOWN


def _more(value: float, sure: Sure, least: float, most: float, blocks: int) -> int | None:
    """Blocks that would probably settle it: the interval narrows with the root of their number."""
    half, gap = max(sure.high - value, value - sure.low), min(abs(value - least), abs(value - most))
    if not math.isfinite(half) or blocks == 0:
        return None
    needed = blocks * (half / gap) ** 2 if gap > 0 else math.inf
    return max(1, round(needed - blocks)) if needed < FOREVER else FOREVER


def settled(checks: Sequence[Check]) -> dict[int, str]:
    """The verdict of each goal: one number that fails is enough to fail it, and all must pass."""
    verdicts: dict[int, set[str]] = {}
    for check in checks:
        verdicts.setdefault(check.goal, set()).add(check.verdict)
    return {goal: FAIL if FAIL in of else UNKNOWN if UNKNOWN in of else PASS for goal, of in sorted(verdicts.items())}
