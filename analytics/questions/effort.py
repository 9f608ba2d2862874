"""`plan`: how many blocks, matches and minutes a question will take, before it is played.

How far blocks scatter is read from what the file has about these very cells (a pilot); where it has nothing, shares have a formula.
How long a match takes is read from the file too, or tried for a moment without storing anything.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from statsmodels.stats.power import tt_solve_power

from analytics.metric.evidence import Evidence, gather, shared_units
from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.questions.compare.compare import AGENTS, blocks_of
from analytics.questions.compare.lines import ordinary
from analytics.questions.precision import Condition, read_condition
from analytics.stats.intervals import FEWEST_UNITS, Estimate, multiplier
from analytics.verdict.design import duel, usual_players
from analytics.verdict.terms import PLANNED, PRIMARIES, START, Terms, make_terms
from boardgames.errors import BadInput
from boardgames.experiment.plan import PlannedCell, make_plan, read_players
from boardgames.game.plugins import find_variant
from boardgames.play.batch import SLICE
from boardgames.play.quantiles import normal_quantile, student_quantile
from boardgames.run.simulate import pace
from boardgames.store.connection import connection, reading

FEWEST_BLOCKS = 64  # of a pilot: fewer say little about how far blocks scatter
PILOT = FEWEST_UNITS * SLICE  # blocks to ask for: with fewer, what is computed from means has no interval
POWER, ALPHA = 0.8, 0.05
STORED, FORMULA, NOTHING = "pilot", "formula", "needs a pilot"


@dataclass(frozen=True)
class Need:
    """What one question about a metric takes."""

    question: str
    blocks: int | None  # of each variant; nothing where nobody can say before a pilot
    matches: int | None  # of all variants together
    minutes: float | None


@dataclass(frozen=True)
class Row:
    metric: str
    unit: str
    spread: float | None  # standard deviation of a block's value, in its widest part
    spread_of_difference: float | None
    source: str  # where these are from
    within: float | None
    margin: float | None
    needs: tuple[Need, ...]


@dataclass(frozen=True)
class Stage:
    """One rung at one player count."""

    agent: str
    players: int
    matches_a_block: int
    matches_per_second: float
    measured: str  # how that is known
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Planned:
    variants: tuple[str, ...]
    workers: int
    pilot: str  # the command that makes one
    stages: tuple[Stage, ...]


def plan(
    specs: Sequence[str], into: str | Path = "boardgames.duckdb", *, players: str = "", agents: Sequence[str] = (),
    until: Sequence[str] = (), margins: Mapping[str, float] | None = None, seed: int = 1, workers: int = 1,
) -> Planned:  # fmt: skip
    """What it takes to know some metrics well enough, or to compare variants in them, at every rung.

    `until` are conditions as `simulate_until` takes them, `margins` those of `compare`; without either, the usual primaries with
    their own margins, each to be known within half of it.
    """
    variants = [find_variant(spec) for spec in specs]
    if not variants:
        raise BadInput("name a variant: boardgames plan celtica")
    counts = read_players(players) or [usual_players(variants)]
    conditions = {one.metric.name: one for one in map(read_condition, until)}
    names = list(dict.fromkeys([*conditions, *(margins or {})])) or list(PRIMARIES)
    terms = make_terms(agents or AGENTS, "", names[:1], margins)  # refuses what has no margin
    asked = [_Asked(find_metric(name), conditions.get(name), terms) for name in names]
    contrasts = len(counts) * (len(specs) - 1)
    stages = []
    for agent in agents or AGENTS:
        for n in counts:
            cells = [c for spec in specs for c in make_plan([spec], str(n), [_line_up(agent, asked, n)], 1, seed).cells]
            stages.append(_Stage(cells, agent, n, Path(into), workers).planned(asked, contrasts))
    who = " ".join(f"--agents {agent}" for agent in agents or AGENTS)
    where = f"--players {','.join(map(str, counts))} {who} --seed {seed} --into {into}"
    pilot = f"boardgames simulate {' '.join(specs)} --blocks {PILOT} {where}"
    return Planned(tuple(variant.name for variant in variants), workers, pilot, tuple(stages))


def _line_up(agent: str, asked: Sequence["_Asked"], players: int) -> str:
    """Metrics of skill are about one agent among weaker ones; all others about equals."""
    mixed = {one.metric.line_ups == "mixed" for one in asked}
    if mixed == {True, False}:
        raise BadInput("metrics of skill need another line-up than the others: plan them apart")
    return duel(agent, "random" if agent != "random" else "greedy", players) if mixed == {True} else agent


@dataclass(frozen=True)
class _Asked:
    metric: Metric
    condition: Condition | None
    terms: Terms

    def margin(self, mean: float | None) -> float | None:
        if mean is None and self.metric.relative and self.metric.name not in self.terms.margins:
            return None
        return self.terms.margin(self.metric, mean or 0.0)

    def within(self, mean: float | None) -> float | None:
        if self.condition is None:
            margin = self.margin(mean)
            return None if margin is None else margin / 2
        return None if self.condition.relative and mean is None else self.condition.wanted(mean or 0.0)


Scatter = tuple[float | None, float | None, float | None, str]  # of a block, the mean, of a difference, and where that is from


class _Stage:
    """The cells of one rung at one player count, and what the file knows about them."""

    def __init__(self, cells: Sequence[PlannedCell], agent: str, players: int, path: Path, workers: int) -> None:
        self.cells, self.agent, self.players, self.path, self.workers = cells, agent, players, path, workers
        self.seatings = len(cells[0].table.seatings)
        self.stored = list(blocks_of(path, cells).values())
        self.seconds, self.measured = self._pace()

    def _pace(self) -> tuple[float, str]:
        """Seconds of one core per match, the mean over the variants."""
        if not all(self.stored):
            return sum(pace(cell.table) for cell in self.cells) / len(self.cells), "tried for a moment"
        query = "SELECT sum(seconds) / sum(matches) FROM batch WHERE list_contains(?, cell_id) GROUP BY cell_id"
        with reading(self.path) as session:
            found = connection(session).execute(query, [[cell.id for cell in self.cells]]).fetchall()
        return sum(one for (one,) in found) / len(found), f"from {self.seatings * min(self.stored):,} stored matches"

    def planned(self, asked: Sequence[_Asked], contrasts: int) -> Stage:
        """`contrasts` are those of the whole comparison: their verdicts share the chance to be wrong."""
        known = min(self.stored) >= FEWEST_BLOCKS
        pairs = [(self.cells[0].id, cell.id) for cell in self.cells[1:]]
        evidence = gather(self.path, [c.id for c in self.cells], [one.metric for one in asked], pairs) if known else None
        lines = (len(asked) + self.players) * contrasts
        rows = tuple(self._row(one, evidence, lines) for one in asked)
        rate = self.workers / self.seconds
        return Stage(self.agent, self.players, self.seatings, rate, self.measured, rows)

    def _row(self, one: _Asked, evidence: Evidence | None, lines: int) -> Row:
        found = self._from_pilot(one.metric, evidence) if evidence else None
        spread, mean, gap, source = found or self._from_formula(one.metric)
        within, margin = one.within(mean), one.margin(mean)
        needs = [self._need("to know it", _precise(spread, within), len(self.cells))]
        if len(self.cells) > 1:
            needs.append(self._need("to see the margin", _seen(gap, margin), len(self.cells)))
            needs.append(self._need("to call it the same", _settled(gap, margin, ALPHA / lines), len(self.cells)))
        return Row(one.metric.name, one.metric.unit, spread, gap, source, within, margin, tuple(needs))

    def _need(self, question: str, blocks: int | None, variants: int) -> Need:
        if blocks is None:
            return Need(question, None, None, None)
        matches = blocks * self.seatings * variants
        return Need(question, blocks, matches, matches * self.seconds / self.workers / 60)

    def _from_pilot(self, metric: Metric, evidence: Evidence) -> Scatter | None:
        """The widest part's standard deviation of a block, its mean, and the widest standard deviation of a difference."""
        first, parts = self.cells[0].id, evidence.parts(metric, self.cells[0].id)
        found = {part: evidence.estimate(metric, first, part) for part in parts}
        known = [
            (sd, one.mean) for part, one in found.items() if (sd := _deviation(one, evidence, metric, part, first)) is not None
        ]
        if not known:
            return None
        gaps = [
            _deviation(ordinary(evidence, metric, part, first, cell.id), evidence, metric, part, first, cell.id)
            for cell in self.cells[1:]
            for part in parts
        ]
        gap = max((one for one in gaps if one is not None), default=None)
        spread, mean = max(known)
        return spread, mean, gap if gap is not None else math.sqrt(2) * spread, STORED

    def _from_formula(self, metric: Metric) -> Scatter:
        """Of a share alone one knows how far it can scatter at most; and that shared luck will make differences smaller."""
        if metric.unit != SHARE or metric.kind == "distance":
            return None, None, None, NOTHING
        p = 1 / self.players if metric.name == "seat_win_share" else 0.5
        spread = math.sqrt(p * (1 - p))
        return spread, p, math.sqrt(2) * spread, FORMULA


def _deviation(estimate: Estimate, evidence: Evidence, metric: Metric, part: str, *cells: int) -> float | None:
    """The standard deviation of a block, from the interval of many: Student's over blocks, or, of a ratio, over their groups."""
    half = (estimate.high - estimate.low) / 2
    if not math.isfinite(half) or estimate.blocks < 2:
        return None
    many = estimate.blocks
    if metric.kind == "ratio":
        many = len(shared_units([evidence.units[metric.name][cell, part] for cell in cells])[0].blocks)
    return half / student_quantile(0.975, many - 1) * math.sqrt(estimate.blocks)


# ---- how many blocks


def _precise(spread: float | None, half: float | None) -> int | None:
    """For an ordinary 95 % interval of that half width."""
    if spread is None or not half:
        return None
    return max(2, math.ceil((normal_quantile(0.975) * spread / half) ** 2))


def _seen(gap: float | None, margin: float | None) -> int | None:
    """To find a difference as large as the margin in four of five times, by one test at the end."""
    if gap is None or not margin:
        return None
    effect = min(margin / gap, 1.0) if gap > 0 else 1.0
    if effect < 0.02:  # so many blocks that Student's distribution is the normal one
        z = normal_quantile(1 - ALPHA / 2) + normal_quantile(POWER)
        return math.ceil((z / effect) ** 2)
    return math.ceil(float(tt_solve_power(effect_size=effect, alpha=ALPHA, power=POWER)))


def _settled(gap: float | None, margin: float | None, alpha: float) -> int | None:
    """For `compare` to say "the same" where there is no difference, in four of five times: its intervals hold at all times."""
    if gap is None or not margin:
        return None
    spare, n = normal_quantile((1 + POWER) / 2), START  # what is seen may be off 0 to either side
    while gap / math.sqrt(n) * (float(multiplier(n, alpha, PLANNED)) + spare) > margin:
        n = math.ceil(1.02 * n)
    return n
