"""`sweep`: play a grid of variants, find the best point, and try it again on fresh deals before
calling it a winner.

The best of many measurements is partly the luckiest. So the point that looks best, the next one and the
baseline play again on another master seed, and only that result counts.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.answer import AnswerList, DrawnAnswer
from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.sums import fill_sums
from analytics.playing import Budget, Driver, Group, RunOptions, count_complete_deals
from analytics.questions.compare.compare import ENOUGH_DEALS
from analytics.questions.compare.lines import PairedCells
from analytics.questions.sweep.grid import Grid, Point, SweepCells, find_grid, read_grid
from analytics.stats.capital import FEWEST_DEALS, AlwaysValidInterval
from analytics.stats.intervals import Estimate
from analytics.target import Relation, Target, read_aim
from analytics.verdict.design import find_usual_player_count
from analytics.verdict.levels import compute_level_interval, needs_counts
from analytics.verdict.preregistration import Preregistration
from analytics.verdict.terms import MAIN_METRICS, MINUTES
from analytics.words import add_unit, format_estimate, format_interval
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.parameters import Int, Parameter
from boardgames.game.player_counts import Players, format_players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Texts, VariantLike, format_agent, format_variant, list_texts
from boardgames.plan.cell import PlannedCell, hash63
from boardgames.plan.plan import Plan, make_plan, plan_deals
from boardgames.play.estimates import ErrorBudget
from boardgames.store.pairs import NO_CELL
from boardgames.store.write import check_writable

AIM = "lowest seat_imbalance"
COMPARATIVES = {Relation.LOWEST: "lower", Relation.HIGHEST: "higher", Relation.NEAR: "nearer"}
OPPOSITES = {Relation.LOWEST: "higher", Relation.HIGHEST: "lower", Relation.NEAR: "farther"}
RIVALS = 2  # of the best point: the next one and the baseline
LEAD, OFFSET = "lead", "offset"  # what has an interval of each rival


@dataclass(frozen=True)
class Rival:
    """Another variant that the best one met on fresh deals."""

    variant: str
    value: Estimate
    difference: Estimate  # of the best less this one, with its ordinary interval
    lead: Estimate  # how much nearer to the aim the best one is, with the always-valid interval
    beaten: bool  # the whole interval of the lead is above zero

    @property
    def is_ahead(self) -> bool:
        """Whether it is nearer to the aim than the one that looks best: all of the lead is below zero."""
        return self.lead.high < 0


@dataclass(frozen=True)
class Trial:
    """The point that looks best, played again on fresh deals."""

    variant: str
    seed: int
    value: Estimate
    rivals: tuple[Rival, ...]

    @property
    def confirmed(self) -> bool:
        return bool(self.rivals) and all(rival.beaten for rival in self.rivals)


@dataclass(frozen=True, kw_only=True)
class Sweep(DrawnAnswer):
    """A grid at one player count, its best point so far, and whether that held."""

    grid: Grid
    aim: str
    best: str
    deals: int  # of each cell
    trial: Trial | None
    sentence: str
    edges: tuple[str, ...]  # sentences about values at the end of the range that was tried
    reconstructed: tuple[str, ...]  # components that no source documents
    played: int = 0  # matches, by this call, over all player counts
    written: tuple[tuple[str, int], ...] = ()  # the registered aims, and the matches stored by then

    def __repr__(self) -> str:
        return f"<Sweep of {self.grid.sweep.title}: best {self.best}>"


def sweep(
    variant: VariantLike,
    *values: Texts,
    db: str | Path = "boardgames.duckdb",
    best: str = AIM,
    players: Players = "",
    agents: Agents = "",
    minutes: float | None = None,
    matches: int | None = None,
    more: bool = False,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> AnswerList[Sweep]:
    """The result at each player count: `sweep("celtica", "hand_size=4..7", best="length near 40")`.

    Values of several parameters make the grid of all mixes. The best one plays again on fresh deals.
    """
    aim = read_aim(best)
    budget = Budget(minutes=minutes, matches=matches, extend=more)
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    check_writable(options.db)
    spec = format_variant(variant)
    baseline = find_variant(spec)
    counts = format_players(players) or str(find_usual_player_count([baseline]))
    texts = [text for given in values for text in list_texts("values", given)]
    named = format_agent(agents, "sweep")
    plan = make_plan([spec], counts, [named] if named else [], 1, seed, sweep=texts)
    with follow_lines("sweep", on_progress) as on_line:
        return _sweep(_Run(plan, baseline, aim, replace(options, on_progress=on_line)), budget)


def _sweep(run: "_Run", budget: Budget) -> AnswerList[Sweep]:
    """Play the grid if need be, and judge it at each player count."""
    plan, db = run.plan, run.db
    stored_deals = count_complete_deals(plan, db)
    aims = _register_aim(db, plan, run.aim, stored_deals)
    plays = budget.asks_for_more or not stored_deals
    if plays:
        run.play_grid(budget)
    results = [run.judge_grid(count, plays) for count in run.counts]
    return AnswerList(replace(result, played=run.driver.played, written=aims) for result in results)


def _register_aim(db: Path, plan: Plan, aim: Target, stored_deals: int) -> tuple[tuple[str, int], ...]:
    """Store the aim before the first match, so that later changes show; all aims, and the matches stored by
    then.
    """
    registration_id = hash63("sweep", sorted(cell.id for cell in plan.cells))
    matches = stored_deals * sum(cell.seating_count for cell in plan.cells)
    preregistration = Preregistration(db, registration_id, f"sweep {plan.name}", dict, dict)
    versions = preregistration.record({"aim": aim.describe()}, matches)
    return tuple((version.terms["aim"], version.matches_before) for version in versions)


class _Run:
    def __init__(
        self,
        plan: Plan,
        baseline: Variant,
        aim: Target,
        options: RunOptions,
    ) -> None:
        self.plan = plan
        self.db = options.db
        self.baseline = baseline
        self.aim = aim
        self.driver = Driver(options=options)
        self.counts = sorted({cell.players for cell in plan.cells})
        # the same every time, and not typed by chance
        self.fresh_seed = 100_000 + hash63("fresh luck", plan.seed) % 900_000

    def play_grid(self, budget: Budget) -> None:
        """Play the grid, within its share of the time: three cells at each player count play again later."""
        stored = count_complete_deals(self.plan, self.db)
        group = Group(name="the grid", plan=self.plan, deals=stored, max_matches=budget.matches)
        if budget.matches:
            self.driver.play_matches([group])
            return
        cells = len(self.plan.cells)
        minutes = (budget.minutes or MINUTES) * cells / (cells + 3 * len(self.counts))
        self.driver.play_for([group], 60 * minutes, ENOUGH_DEALS)

    def _play_again(self, plan: Plan, deals: int) -> None:
        """Play the best points on fresh deals."""
        stored = count_complete_deals(plan, self.db)
        group = Group(name="the best again, on fresh deals", plan=plan, deals=stored, max_deals=deals)
        self.driver.play_matches([group])

    def judge_grid(self, players: int, plays: bool) -> Sweep:
        """The result at a player count. If `plays`, its best points first play as many fresh deals as the
        grid has.
        """
        grid, ranked = self._rank_points(players)
        fresh_plan = self._make_fresh_plan(players, ranked)
        deals = count_complete_deals(self.plan, self.db)
        if plays:
            self._play_again(fresh_plan, deals)
        trial = None
        if min(deals, count_complete_deals(fresh_plan, self.db)) >= FEWEST_DEALS:
            trial = self._judge_trial(fresh_plan)
        game = self.plan.cells[0].variant.game
        parameters = {parameter.name: parameter for parameter in game.parameters}
        return Sweep(
            grid=grid,
            aim=self.aim.describe(),
            best=ranked[0].variant,
            deals=deals,
            trial=trial,
            sentence=_describe_result(self.aim, ranked, trial),
            edges=tuple(_list_edges(grid, ranked[0], parameters)),
            reconstructed=tuple(sorted(game.reconstructed)),
        )

    def _find_cells(self, players: int) -> SweepCells:
        cells = [cell for cell in self.plan.cells if cell.players == players]
        game = cells[0].variant.game
        rows = []
        for cell in cells:
            values = {
                parameter.name: parameter.write(cell.variant.values[parameter.name])
                for parameter in cell.variant.game.parameters
            }
            rows.append((cell.id, cell.variant.name, values))
        sweep_cells = find_grid(game.name, players, cells[0].format_line_up(), self.plan.seed, rows)
        if sweep_cells is None:
            raise InvalidInput("a sweep has two different values at least: hand_size=4..7")
        return sweep_cells

    def _rank_points(self, players: int) -> tuple[Grid, list[Point]]:
        """The grid, and its points from the best to the worst."""
        names = dict.fromkeys([self.aim.metric.name, *MAIN_METRICS])
        grid = read_grid(self.db, self._find_cells(players), list(names))
        measured = [point for point in grid.points if self._find_estimate(point)]
        if not measured:
            parts = {part for point in grid.points for part in point.answers[self.aim.metric.name]}
            part_list = ", ".join(sorted(parts)) or "none"
            raise InvalidInput(
                f"{self.aim.describe()}: nothing of that was measured; its parts are {part_list}"
            )
        return grid, sorted(
            measured, key=lambda point: self.aim.compute_cost(self._require_estimate(point).mean)
        )

    def _find_estimate(self, point: Point) -> Estimate | None:
        return point.find_estimate(self.aim.metric.name, self.aim.part)

    def _require_estimate(self, point: Point) -> Estimate:
        estimate = self._find_estimate(point)
        assert estimate is not None
        return estimate

    def _make_fresh_plan(self, players: int, ranked: Sequence[Point]) -> Plan:
        """The best point, the next one, and the baseline, on another master seed."""
        by_name = {cell.variant.name: cell.variant for cell in self.plan.cells}
        variants = [*(by_name[point.variant] for point in ranked[:2]), self.baseline]
        line_up = find_line_up(self.plan.cells[0].format_line_up(), players, self.baseline.game)
        cells = [PlannedCell(variant, line_up, self.fresh_seed) for variant in variants]
        return plan_deals(list({cell.id: cell for cell in cells}.values()), 1, f"{self.plan.name}: again")

    def _judge_trial(self, fresh_plan: Plan) -> Trial:
        """The result on fresh deals alone. All that is said of both rivals holds together."""
        metric = self.aim.metric
        part = self.aim.part
        best, *others = {cell.variant.fingerprint(): cell for cell in fresh_plan.cells}.values()
        pairs = [(other.id, best.id) for other in others]
        if self.aim.relation == Relation.NEAR and needs_counts(metric):
            pairs += [(NO_CELL, cell.id) for cell in (best, *others)]
        fill_sums(self.db, pairs, [metric])
        evidence = load_evidence(self.db, [cell.id for cell in fresh_plan.cells], [metric], pairs)
        value = evidence.estimate(metric, best.id, part)
        paired = [
            PairedCells(
                evidence=evidence,
                variants=(other.variant, best.variant),
                players=best.players,
                a=other.id,
                b=best.id,
            )
            for other in others
        ]
        leads = _compute_leads(self.aim, evidence, paired, (best, *others))
        rivals = [
            self._make_rival(other, pair, value, lead)
            for other, pair, lead in zip(others, paired, leads, strict=True)
        ]
        return Trial(best.variant.name, self.fresh_seed, value, tuple(rivals))

    def _make_rival(
        self, other: PlannedCell, pair: PairedCells, best: Estimate, interval: AlwaysValidInterval
    ) -> Rival:
        metric, part = self.aim.metric, self.aim.part
        value = pair.evidence.estimate(metric, other.id, part)
        difference = pair.estimate_difference(metric, part)
        mean = self.aim.compute_cost(value.mean) - self.aim.compute_cost(best.mean)
        lead = Estimate(mean, interval.low, interval.high, difference.deals)
        return Rival(other.variant.name, value, difference, lead, lead.low > 0)


def _compute_leads(
    aim: Target, evidence: Evidence, pairs: Sequence[PairedCells], cells: Sequence[PlannedCell]
) -> list[AlwaysValidInterval]:
    """How much nearer to the aim the best cell, the first one, is than each rival, by always-valid intervals
    that hold together.
    """
    is_near = aim.relation == Relation.NEAR
    offsets_too = [(OFFSET, number) for number in range(RIVALS + 1)] if is_near else []
    leads = [(LEAD, number) for number in range(RIVALS)]
    budgets = ErrorBudget(purpose="leads of the best").split(*leads, *offsets_too)
    differences = [
        pair.compute_interval(aim.metric, aim.part, budgets[LEAD, number])
        for number, pair in enumerate(pairs)
    ]
    if is_near:
        best, *others = (
            _compute_offset_interval(aim, evidence, cell, budgets[OFFSET, number])
            for number, cell in enumerate(cells)
        )
        return [compute_lead(lead, best, other) for lead, other in zip(differences, others, strict=True)]
    if aim.relation == Relation.LOWEST:
        return [AlwaysValidInterval(-lead.high, -lead.low, lead.is_informative) for lead in differences]
    return differences


def _compute_offset_interval(
    aim: Target, evidence: Evidence, cell: PlannedCell, alpha: float
) -> AlwaysValidInterval:
    """How far a cell is above its target."""
    limits = aim.metric.find_range(cell.variant, cell.players)
    interval = compute_level_interval(evidence, aim.metric, cell.id, aim.part, limits, alpha)
    return AlwaysValidInterval(interval.low - aim.value, interval.high - aim.value)


def compute_lead(
    difference: AlwaysValidInterval, best: AlwaysValidInterval, other: AlwaysValidInterval
) -> AlwaysValidInterval:
    """How much nearer to the target the best cell is, from the paired difference of both and from how far
    each lies above the target.

    If both are on one side of the target, the lead is their difference, which pairing makes narrow; if not,
    it is the sum of their offsets. In general it is the smaller of the two, and at its extremes where both
    are at theirs.
    """
    sums = (best.low + other.low, best.high + other.high)
    leads = [
        -math.copysign(1, d) * math.copysign(1, s) * min(abs(d), abs(s)) for d in difference[:2] for s in sums
    ]
    return AlwaysValidInterval(min(leads), max(leads))


def _list_edges(grid: Grid, best: Point, parameters: Mapping[str, Parameter]) -> Iterator[str]:
    """A sentence for each parameter whose best value may lie beyond the range that was tried."""
    for (name, values), value in zip(grid.sweep.axes, best.values, strict=True):
        parameter = parameters[name]
        if not isinstance(parameter, Int) or not all(text.lstrip("-").isdecimal() for text in values):
            continue
        tried = [int(text) for text in values]
        best_value = int(value)
        direction = ""
        if best_value == min(tried) and best_value > parameter.low:
            direction = "smaller"
        if best_value == max(tried) and best_value < parameter.high:
            direction = "larger"
        if direction:
            yield f"{name}={value} is at the edge of the range: try {direction} values too"


def _format_lead(lead: Estimate, unit: str) -> str:
    """31.6 pp (13.1 to 49.1): a difference that is an advantage if it is above 0"""
    size, _, interval = format_interval(lead, unit).partition(" ")
    return f"{add_unit(size, unit, True)} {interval}"


def _describe_result(aim: Target, ranked: Sequence[Point], trial: Trial | None) -> str:
    """What can be said about the point that looks best."""
    best = ranked[0].variant
    unit = aim.metric.unit
    if trial is None:
        return (
            f"{best} looks best so far. It was not tried on fresh deals yet: "
            f"that takes {FEWEST_DEALS:,} deals of each. To go on, add --continue."
        )
    value = f"{format_estimate(trial.value, unit)} on fresh deals (seed {trial.seed}; 95% interval)"
    leads = " and ".join(_describe_lead(aim, rival) for rival in trial.rivals)
    held = "These leads hold" if len(trial.rivals) > 1 else "This lead holds"
    evidence = f"{value}; {leads}. {held} however often you look."
    if trial.confirmed:
        return f"The winner is {best}: {evidence}"
    if ahead := " and ".join(rival.variant for rival in trial.rivals if rival.is_ahead):
        return f"No winner: {best} looks best of what was tried, but {ahead} is better. Its value: {evidence}"
    unbeaten = " or ".join(rival.variant for rival in trial.rivals if not rival.beaten)
    return f"No winner: {best} looks best, but may be no better than {unbeaten}. Its value: {evidence}"


def _describe_lead(aim: Target, rival: Rival) -> str:
    """lower than pig by 31.6 pp (13.1 to 49.1)"""
    lead, comparative = rival.lead, COMPARATIVES[aim.relation]
    if rival.is_ahead:
        lead = lead._replace(mean=-lead.mean, low=-lead.high, high=-lead.low)
        comparative = OPPOSITES[aim.relation]
    return f"{comparative} than {rival.variant} by {_format_lead(lead, aim.metric.unit)}"
