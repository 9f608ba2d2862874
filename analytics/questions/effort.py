"""`plan`: how many deals, matches and minutes a question will take, before it is played.

How far deals scatter is read from the stored matches of the same cells (a pilot); without one, shares have a
formula. How long a match takes is read from the result file too, or tried for a moment without storing
anything.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from statsmodels.stats.power import tt_solve_power

from analytics.answer import Answer
from analytics.metric.evidence import Evidence, load_evidence, select_shared_units
from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.metric.sums import fill_sums
from analytics.playing import count_deals
from analytics.questions.compare.lines import estimate_paired_difference
from analytics.questions.compare.pair import AFFECTED
from analytics.stats.capital import FEWEST_DEALS, predict_half_width
from analytics.stats.intervals import FEWEST_UNITS, Estimate
from analytics.target import Target, read_precision
from analytics.verdict.design import find_usual_player_count, list_usual_agents, make_head_to_head_line_up
from analytics.verdict.terms import Terms, check_thresholds, list_usual_metrics, make_terms
from boardgames.agents.agent import find_agent_at
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.given_values import read_path
from boardgames.plan.arguments import Agents, Texts, Variants, list_agents, list_specs, list_texts
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import make_plan
from boardgames.plan.request import read_workers
from boardgames.play.batch import SLICE
from boardgames.play.estimates import ALPHA, ErrorBudget
from boardgames.play.quantiles import normal_quantile, student_quantile
from boardgames.run.forecast import measure_pace
from boardgames.store.connection import get_connection, open_for_reading

PILOT = FEWEST_UNITS * SLICE  # deals to ask for: with fewer, what is computed from means has no interval
POWER = 0.8
STORED, FORMULA, NEEDS_PILOT = "pilot", "formula", "needs a pilot"


@dataclass(frozen=True)
class Need:
    """What one question about a metric takes."""

    question: str
    deals: int | None  # of each variant; None if that takes a pilot
    matches: int | None  # of all variants together
    minutes: float | None


@dataclass(frozen=True, kw_only=True)
class Row:
    metric: str
    unit: str
    spread: float | None  # standard deviation of a deal's value, in its widest part
    spread_of_difference: float | None
    source: str  # where these are from
    within: float | None
    threshold: float | None
    needs: tuple[Need, ...]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One agent at one player count."""

    agent: str
    players: int
    matches_a_deal: int
    matches_per_second: float
    measured: str  # how that is known
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Effort(Answer):
    variants: tuple[str, ...]
    workers: int
    pilot: str  # the command that makes one
    stages: tuple[Stage, ...]

    def __repr__(self) -> str:
        return f"<Effort for {', '.join(self.variants)}>"


def plan(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = (),
    until: Texts = (),
    thresholds: Mapping[str, float] | None = None,
    seed: int = 1,
    workers: int = 1,
) -> Effort:
    """What it takes to know some metrics well enough, or to compare variants in them, with every agent.

    `until` are conditions as `simulate_until` takes them, `thresholds` those of `compare`; by default the
    usual main metrics with their default thresholds, each to be known within half of it.
    """
    specs = list_specs(variants)
    chosen = [find_variant(spec) for spec in specs]
    if not chosen:
        raise InvalidInput("name a variant: boardgames plan celtica")
    workers = read_workers(workers)
    counts = parse_player_counts(players) or [find_usual_player_count(chosen)]
    named = list_agents(agents)
    chosen_agents = named or list_usual_agents(chosen, players)
    games = [variant.game for variant in chosen]
    targets = map(read_precision, list_texts("until", until))
    conditions = {target.metric.name: target for target in targets}
    thresholds = check_thresholds(thresholds)
    names = list(dict.fromkeys([*conditions, *thresholds])) or list(list_usual_metrics(chosen))
    terms = make_terms(chosen_agents, names[:1], thresholds)  # raises for what has no threshold
    requests = [_MetricRequest(find_metric(name), conditions.get(name), terms) for name in names]
    contrasts = len(counts) * (len(specs) - 1)
    stages = []
    file = read_path("db", db)
    for agent in chosen_agents:
        for count in counts:
            playing = agent if named else find_agent_at(agent, games, count)
            line_up = _make_line_up(playing, requests, count)
            plans = [make_plan([spec], count, [line_up], 1, seed) for spec in specs]
            cells = [cell for plan in plans for cell in plan.cells]
            stages.append(_Stage(cells, playing, count, file, workers).plan(requests, contrasts))
    pilot = _write_pilot(specs, stages, f"--seed {seed} --db {db}")
    return Effort(tuple(variant.name for variant in chosen), workers, pilot, tuple(stages))


def _write_pilot(specs: Sequence[str], stages: Sequence[Stage], options: str) -> str:
    """The command that plays a pilot of all stages; one for each group of player counts with other agents."""
    agents_by_players: dict[int, list[str]] = {}
    for stage in stages:
        agents_by_players.setdefault(stage.players, []).append(f"--agents {stage.agent}")
    players_by_agents: dict[str, list[str]] = {}
    for players, agents in agents_by_players.items():
        players_by_agents.setdefault(" ".join(agents), []).append(str(players))
    matches = PILOT * max(stage.matches_a_deal for stage in stages)
    start = f"boardgames simulate {' '.join(specs)} --matches {matches}"
    return " && ".join(
        f"{start} --players {','.join(counts)} {agents} {options}"
        for agents, counts in players_by_agents.items()
    )


def _make_line_up(agent: str, requests: Sequence["_MetricRequest"], players: int) -> str:
    """For metrics of skill one agent among weaker ones, else equal agents."""
    mixed = {request.metric.line_ups == "mixed" for request in requests}
    if mixed == {True, False}:
        raise InvalidInput("metrics of skill need another line-up than the others: plan them apart")
    if mixed == {False}:
        return agent
    return make_head_to_head_line_up(agent, "random" if agent != "random" else "greedy", players)


@dataclass(frozen=True)
class _MetricRequest:
    metric: Metric
    condition: Target | None
    terms: Terms

    def find_threshold(self, mean: float | None) -> float | None:
        if mean is None and self.metric.relative and self.metric.name not in self.terms.thresholds:
            return None
        return self.terms.find_threshold(self.metric, mean or 0.0)

    def find_half_width(self, mean: float | None) -> float | None:
        if self.condition is None:
            threshold = self.find_threshold(mean)
            return None if threshold is None else threshold / 2
        if self.condition.relative and mean is None:
            return None
        return self.condition.find_value(mean or 0.0)


# the standard deviation of a deal, the mean, the standard deviation of a difference, and their source
Scatter = tuple[float | None, float | None, float | None, str]


class _Stage:
    """The cells of one agent at one player count, and what is stored of them."""

    def __init__(
        self, cells: Sequence[PlannedCell], agent: str, players: int, db: Path, workers: int
    ) -> None:
        self.cells = cells
        self.agent = agent
        self.players = players
        self.db = db
        self.workers = workers
        self.seatings = cells[0].seating_count
        self.stored = list(count_deals(db, cells).values())
        self.seconds, self.measured = self._measure_pace()

    def _measure_pace(self) -> tuple[float, str]:
        """Seconds of one core per match, the mean over the variants, and how that was measured."""
        if not all(self.stored):
            paces = [measure_pace(cell.runner) for cell in self.cells]
            return sum(paces) / len(paces), "tried for a moment"
        query = (
            "SELECT sum(seconds) / sum(matches) FROM batch WHERE list_contains(?, cell_id) GROUP BY cell_id"
        )
        with open_for_reading(self.db) as session:
            rows = get_connection(session).execute(query, [[cell.id for cell in self.cells]]).fetchall()
        seconds = sum(pace for (pace,) in rows) / len(rows)
        return seconds, f"from {self.seatings * min(self.stored):,} stored matches"

    def plan(self, requests: Sequence[_MetricRequest], contrasts: int) -> Stage:
        """What each metric takes; `contrasts` is the number in the whole comparison, whose verdicts share one
        alpha.
        """
        evidence = None
        if min(self.stored) >= FEWEST_DEALS:
            first, *others = (cell.id for cell in self.cells)
            pairs = [(first, other) for other in others]
            metrics = [request.metric for request in requests]
            fill_sums(self.db, pairs, metrics)
            evidence = load_evidence(self.db, [first, *others], metrics, pairs)
        budget = ErrorBudget().split(*range(max(1, contrasts)))[0]
        budgets = budget.split(*(request.metric.name for request in requests), AFFECTED)
        rows = tuple(self._make_row(request, evidence, budgets[request.metric.name]) for request in requests)
        rate = self.workers / self.seconds
        return Stage(
            agent=self.agent,
            players=self.players,
            matches_a_deal=self.seatings,
            matches_per_second=rate,
            measured=self.measured,
            rows=rows,
        )

    def _make_row(self, request: _MetricRequest, evidence: Evidence | None, budget: ErrorBudget) -> Row:
        scatter = self._read_pilot(request.metric, evidence) if evidence else None
        spread, mean, difference_spread, source = scatter or self._apply_formula(request.metric)
        within = request.find_half_width(mean)
        threshold = request.find_threshold(mean)
        needs = [self._make_need("to know it", _count_deals_to_know(spread, within))]
        if len(self.cells) > 1:
            to_detect = _count_deals_to_detect(difference_spread, threshold)
            seats = self.players if request.metric.has_fair_share and self.players > 2 else 1
            alpha = budget.split(*range(seats))[0]
            to_settle = _count_deals_to_settle(difference_spread, threshold, alpha)
            needs.append(self._make_need("to see the threshold", to_detect))
            needs.append(self._make_need("to call it the same", to_settle))
        return Row(
            metric=request.metric.name,
            unit=request.metric.unit,
            spread=spread,
            spread_of_difference=difference_spread,
            source=source,
            within=within,
            threshold=threshold,
            needs=tuple(needs),
        )

    def _make_need(self, question: str, deals: int | None) -> Need:
        if deals is None:
            return Need(question, None, None, None)
        matches = deals * self.seatings * len(self.cells)
        return Need(question, deals, matches, matches * self.seconds / self.workers / 60)

    def _read_pilot(self, metric: Metric, evidence: Evidence) -> Scatter | None:
        """The scatter in the widest part; None if the pilot has no interval."""
        first, *others = (cell.id for cell in self.cells)
        parts = evidence.list_parts(metric, first)
        spreads = []
        for part in parts:
            estimate = evidence.estimate(metric, first, part)
            deviation = _compute_deviation(estimate, evidence, metric, part, first)
            if deviation is not None:
                spreads.append((deviation, estimate.mean))
        if not spreads:
            return None
        difference_spreads = []
        for other in others:
            for part in parts:
                difference = estimate_paired_difference(evidence, metric, part, first, other)
                deviation = _compute_deviation(difference, evidence, metric, part, first, other)
                if deviation is not None:
                    difference_spreads.append(deviation)
        spread, mean = max(spreads)
        return spread, mean, max(difference_spreads, default=math.sqrt(2) * spread), STORED

    def _apply_formula(self, metric: Metric) -> Scatter:
        """The most that a share can scatter; shared luck will make differences smaller. Other metrics need a
        pilot.
        """
        if metric.unit != SHARE or metric.kind == "distance":
            return None, None, None, NEEDS_PILOT
        p = 1 / self.players if metric.has_fair_share else 0.5
        spread = math.sqrt(p * (1 - p))
        return spread, p, math.sqrt(2) * spread, FORMULA


def _compute_deviation(
    estimate: Estimate, evidence: Evidence, metric: Metric, part: str, *cells: int
) -> float | None:
    """The standard deviation of a deal, from the interval over many, Student's over deals or, for a ratio,
    over groups of them; None without an interval.
    """
    half_width = (estimate.high - estimate.low) / 2
    if not math.isfinite(half_width) or estimate.deals < 2:
        return None
    groups = estimate.deals
    if metric.kind == "ratio":
        groups = len(
            select_shared_units([evidence.units[metric.name][cell, part] for cell in cells])[0].deals
        )
    return half_width / student_quantile(0.975, groups - 1) * math.sqrt(estimate.deals)


# ---- how many deals


def _count_deals_to_know(spread: float | None, half_width: float | None) -> int | None:
    """The deals for an ordinary 95% interval of this half-width."""
    if spread is None or not half_width:
        return None
    return max(2, math.ceil((normal_quantile(0.975) * spread / half_width) ** 2))


def _count_deals_to_detect(spread: float | None, threshold: float | None) -> int | None:
    """The deals to find a difference as large as the threshold in four of five times, by one test at the
    end.
    """
    if spread is None or not threshold:
        return None
    effect = min(threshold / spread, 1.0) if spread > 0 else 1.0
    if effect < 0.02:  # with that many deals Student's distribution is the normal one
        z = normal_quantile(1 - ALPHA / 2) + normal_quantile(POWER)
        return math.ceil((z / effect) ** 2)
    return math.ceil(float(tt_solve_power(effect_size=effect, alpha=ALPHA, power=POWER)))


def _count_deals_to_settle(spread: float | None, threshold: float | None, alpha: float) -> int | None:
    """The deals for `compare` to say "the same" in four of five times if there is no difference, by its
    always-valid intervals.
    """
    if spread is None or not threshold:
        return None
    spare = normal_quantile((1 + POWER) / 2)  # the mean may be off 0 to either side
    deals = FEWEST_DEALS
    while spread * (predict_half_width(deals, alpha) + spare / math.sqrt(deals)) > threshold:
        deals = math.ceil(1.05 * deals)
    return deals
