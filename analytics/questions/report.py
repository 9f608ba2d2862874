"""`report`: play what is missing, then collect what a publisher should read about some variants, as plain
data.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from analytics.metric import chance_race as race
from analytics.metric.evidence import load_evidence
from analytics.metric.metric import SKILL_EDGE, find_metric, metrics
from analytics.metric.sums import fill_sums
from analytics.playing import Budget, Driver, Group, RunOptions, count_complete_deals
from analytics.questions.compare.compare import ENOUGH_DEALS, count_stored_matches
from analytics.questions.compare.judge import judge
from analytics.questions.fix.results import Fix, load_fixes
from analytics.questions.luck.luck import load_stored_luck
from analytics.questions.luck.results import LuckAnswer
from analytics.stats.intervals import Estimate
from analytics.verdict.design import (
    Design,
    describe_changes,
    find_usual_player_count,
    list_usual_agents,
    make_design,
    make_head_to_head_line_up,
    shares_luck,
)
from analytics.verdict.results import Contrast
from analytics.verdict.terms import MINUTES, Terms, list_usual_metrics, make_terms, preregister_terms
from analytics.words import describe_training
from boardgames.agents.agent import check_nets, find_agent, find_agent_at
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Variants, list_agents, list_specs
from boardgames.plan.cell import PlannedCell, fingerprint_agent
from boardgames.plan.plan import make_plan, plan_deals
from boardgames.plan.played import environment_versions
from boardgames.play.match import Match
from boardgames.store.write import check_writable

SELF_PLAY = 0.5  # of the time
HEAD_TO_HEADS = 0.5


@dataclass(frozen=True)
class HeadToHead:
    """How much more than an equal share one agent among weaker ones wins: 0 is luck, 1 is always."""

    strong: str
    weak: str
    edge: Estimate
    matches: int


@dataclass(frozen=True, kw_only=True)
class PlayerCountResult:
    """A variant at one player count, all seats played by the first agent."""

    players: int
    matches: int
    answers: dict[str, dict[str, Estimate]]  # by metric, then by part
    head_to_heads: tuple[HeadToHead, ...]
    calibrated: bool  # whether leads by evaluation can be compared with the race of pure luck


@dataclass(frozen=True, kw_only=True)
class VariantReport:
    name: str
    about: str
    changes: tuple[str, ...]  # against the first one of the same game
    fingerprint: str
    reconstructed: dict[str, str]
    results: tuple[PlayerCountResult, ...]


@dataclass(frozen=True)
class SampleMatch:
    """One match to look at."""

    variant: str
    players: int
    transcript: str
    pictures: tuple[tuple[str, str], ...]  # when, and the drawing


@dataclass(frozen=True, kw_only=True)
class Report:
    variants: tuple[VariantReport, ...]
    contrasts: tuple[Contrast, ...]  # the others against the first, where they share luck
    agents: tuple[str, ...]
    playing_agents: dict[int, str]  # against themselves, by player count
    agent_prints: dict[str, str]
    seed: int
    file: str
    sample: SampleMatch
    command: str
    versions: dict[str, str]
    luck: LuckAnswer  # as far as the file holds it
    trained_on: tuple[str, ...] = ()  # which variants its learned players were trained on, in sentences
    fixes: tuple[Fix, ...] = ()  # stored answers of `boardgames fix` about these variants
    created: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __repr__(self) -> str:
        return f"<Report about {', '.join(variant.name for variant in self.variants)}>"


@dataclass(frozen=True)
class ReportScope:
    """What a report covers, checked."""

    variants: tuple[Variant, ...]
    specs: tuple[str, ...]
    players: dict[str, tuple[int, ...]]  # by spec
    agents: tuple[str, ...]
    seed: int

    def find_agent_at(self, agent: str, players: int) -> str:
        """Who plays with this many players: with `learned`, the usual agent where there is no net."""
        return find_agent_at(agent, [variant.game for variant in self.variants], players)

    def list_agents_at(self, players: int) -> list[str]:
        """Who plays with this many players; the first one plays against itself."""
        return list(dict.fromkeys(self.find_agent_at(agent, players) for agent in self.agents))

    @property
    def playing_agents(self) -> dict[int, str]:
        """Who plays against itself, by player count."""
        counts = sorted(set().union(*self.players.values()))
        return {players: self.find_agent_at(self.agents[0], players) for players in counts}

    @property
    def all_agents(self) -> tuple[str, ...]:
        """Who plays with any of the player counts."""
        counts = self.playing_agents
        return tuple(dict.fromkeys(name for players in counts for name in self.list_agents_at(players)))

    def make_cell(self, spec: str, players: int, line_up: str) -> PlannedCell:
        placed = ",".join(self.find_agent_at(agent, players) for agent in line_up.split(","))
        (cell,) = make_plan([spec], str(players), [placed], 1, self.seed).cells
        return cell

    def list_cells(self) -> list[PlannedCell]:
        """Each variant at each player count, by the first agent."""
        return [
            self.make_cell(spec, players, self.agents[0])
            for spec in self.specs
            for players in self.players[spec]
        ]

    def list_neighbouring_agents(self) -> list[tuple[str, str]]:
        """Neighbours in strength, as (strong, weak)."""
        weaker = ["random", *self.agents]
        return [(strong, weak) for strong, weak in zip(self.agents, weaker, strict=False) if strong != weak]

    def make_groups(self, db: Path, budget: Budget) -> list[Group]:
        """What to play: all seats by the first agent, and each head-to-head."""
        neighbours = self.list_neighbouring_agents()
        line_ups = {self.agents[0]: dict.fromkeys(range(2, 9), self.agents[0])}
        for strong, weak in neighbours:
            line_ups[f"{strong} against {weak}"] = {
                n: make_head_to_head_line_up(strong, weak, n) for n in range(2, 9)
            }
        shares = [SELF_PLAY, *[HEAD_TO_HEADS / max(1, len(neighbours))] * len(neighbours)]
        groups = []
        for share, (name, line_up_by_players) in zip(shares, line_ups.items(), strict=True):
            cells = tuple(
                self.make_cell(spec, n, line_up_by_players[n])
                for spec in self.specs
                for n in self.players[spec]
            )
            plan = plan_deals(cells, 1, f"report {', '.join(self.specs)}: {name}")
            stored = count_complete_deals(plan, db)
            groups.append(Group(name=name, plan=plan, deals=stored, share=share, max_matches=budget.matches))
        return groups


def make_report(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = (),
    minutes: float | None = None,
    matches: int | None = None,
    seed: int = 1,
    more: bool = False,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> Report:
    """All about some variants: `make_report("celtica", "celtica:en", players="2-4")`.

    What is stored already is only read, unless `more`, `minutes` or `matches` ask for more.
    """
    db = read_path("db", db)
    budget = Budget(minutes=minutes, matches=matches, extend=more)
    options = RunOptions(db=db, seed=seed, workers=workers, command=command)
    scope = make_scope(list_specs(variants), players, list_agents(agents), seed)
    check_writable(db)
    designs = [(design, load_or_register_terms(design, db)) for design in _make_designs(scope, db)]
    with follow_lines("report", on_progress) as on_line:
        _play_missing(scope, budget, replace(options, on_progress=on_line))
        on_line("reading what was played")
        return _read_report(scope, designs, options)


def _read_report(scope: ReportScope, designs: Sequence[tuple[Design, Terms]], options: RunOptions) -> Report:
    """The report, from stored matches."""
    db = options.db
    reports = tuple(_make_variant_report(scope, index, db) for index in range(len(scope.variants)))
    contrasts = tuple(
        contrast for design, terms in designs for contrast in judge(design, db, terms).contrasts
    )
    return Report(
        variants=reports,
        contrasts=contrasts,
        agents=scope.all_agents,
        playing_agents=scope.playing_agents,
        agent_prints=_fingerprint_agents(scope),
        seed=options.seed,
        file=str(db),
        sample=make_sample(scope),
        command=options.command,
        versions=environment_versions(),
        luck=load_stored_luck(scope.list_cells(), db),
        fixes=_find_fixes(scope.variants, db),
        trained_on=_describe_training(scope),
    )


def _fingerprint_agents(scope: ReportScope) -> dict[str, str]:
    """The fingerprint of each agent by name; where games have different agents of a name, one for each."""
    games = {variant.game.name: variant.game for variant in scope.variants}
    prints: dict[str, str] = {}
    for name in scope.all_agents:
        by_game = {game: fingerprint_agent(find_agent(name, games[game])) for game in games}
        is_one = len(set(by_game.values())) == 1
        prints |= {name if is_one else f"{name} of {game}": digest for game, digest in by_game.items()}
    return prints


def _describe_training(scope: ReportScope) -> tuple[str, ...]:
    """Which variants the learned players were trained on, where they play others."""
    return describe_training(
        (find_agent(agent, variant.game), variant, players)
        for variant, spec in zip(scope.variants, scope.specs, strict=True)
        for players in scope.players[spec]
        for agent in scope.list_agents_at(players)
    )


def _play_missing(scope: ReportScope, budget: Budget, options: RunOptions) -> None:
    """Play what a report needs, unless it is stored and nothing more is asked for."""
    groups = scope.make_groups(options.db, budget)
    driver = Driver(options=options)
    if budget.matches:
        driver.play_matches(groups)
    elif budget.extend or budget.minutes or not all(group.deals for group in groups):
        driver.play_for(groups, 60 * (budget.minutes or MINUTES), ENOUGH_DEALS)


def make_scope(specs: Sequence[str], players: Players, agents: Sequence[str], seed: int) -> ReportScope:
    if repeated := [spec for spec in specs if list(specs).count(spec) > 1]:
        raise InvalidInput(f"{repeated[0]} is named twice")
    variants = tuple(find_variant(spec) for spec in specs)
    if line_ups := [agent for agent in agents if "," in agent]:
        raise InvalidInput(
            f"'{line_ups[0]}' is a line-up; a report wants one agent for all seats. "
            "Repeat --agents for stronger ones"
        )
    counts = {
        spec: tuple(parse_player_counts(players) or variant.game.player_counts)
        for spec, variant in zip(specs, variants, strict=True)
    }
    all_counts = ",".join(str(count) for count in sorted(set().union(*counts.values())))
    wanted = agents or list_usual_agents(variants, all_counts)
    names = tuple(dict.fromkeys(find_agent(agent, variants[0].game).name for agent in wanted))
    if agents:
        for spec, variant in zip(specs, variants, strict=True):
            check_nets(names, [variant.game], counts[spec])
    for spec, variant in zip(specs, variants, strict=True):
        for players_at_table in counts[spec]:
            variant.make_blank_state(players_at_table)
    return ReportScope(variants, tuple(specs), counts, names, seed)


def _make_designs(scope: ReportScope, db: Path) -> list[Design]:
    """The comparison with the first variant, for those that share its luck and player counts."""
    (first_spec, first), *others = zip(scope.specs, scope.variants, strict=True)
    counts = scope.players[first_spec]
    comparable = [
        spec for spec, variant in others if shares_luck(first, variant) and scope.players[spec] == counts
    ]
    if not comparable:
        return []
    players = ",".join(map(str, counts))
    specs = [first_spec, *comparable]
    design = make_design(specs, players, scope.agents, scope.seed, head_to_heads=False)
    return [_add_stored_agents(design, db)]


def _add_stored_agents(design: Design, db: Path) -> Design:
    """The design with the first agent, which decides, and of the others those that an earlier comparison
    played: a report plays no self-play by them.
    """
    first, *others = design.agents
    stored = [
        agent
        for agent in others
        if agent in design.plans and count_complete_deals(design.plans[agent], db) > 1
    ]
    return replace(design, agents=(first, *stored))


def load_or_register_terms(design: Design, db: Path) -> Terms:
    """The terms of an earlier comparison of the same variants; else the usual ones, which are registered
    before the first match.
    """
    preregistration = preregister_terms(db, design.id, design.name, design.question)
    if last := preregistration.latest():
        return replace(last, agents=design.agents)
    terms = make_terms(design.agents, list_usual_metrics(design.variants), minutes=MINUTES)
    preregistration.record(terms, count_stored_matches(design, db))
    return terms


# ---- what the file says


def _make_variant_report(scope: ReportScope, index: int, db: Path) -> VariantReport:
    spec = scope.specs[index]
    variant = scope.variants[index]
    first = scope.variants[0]
    changes = tuple(describe_changes(first, variant)) if index and variant.game is first.game else ()
    results = tuple(_make_player_count_result(scope, spec, players, db) for players in scope.players[spec])
    about = variant.why or variant.game.about
    return VariantReport(
        name=variant.name,
        about=about,
        changes=changes,
        fingerprint=variant.fingerprint(),
        reconstructed=dict(variant.game.reconstructed),
        results=results,
    )


def _make_player_count_result(scope: ReportScope, spec: str, players: int, db: Path) -> PlayerCountResult:
    cell = scope.make_cell(spec, players, scope.agents[0])
    own_metrics = [
        metric for metric in metrics().values() if metric.line_ups != "mixed" and players in metric.players
    ]
    edge = find_metric(SKILL_EDGE)
    head_to_head_cells = {
        agents: scope.make_cell(spec, players, make_head_to_head_line_up(*agents, players))
        for agents in scope.list_neighbouring_agents()
    }
    cell_ids = [cell.id, *(head_to_head.id for head_to_head in head_to_head_cells.values())]
    fill_sums(db)
    evidence = load_evidence(db, cell_ids, [*own_metrics, edge])
    answers = {
        metric.name: {
            part: evidence.estimate(metric, cell.id, part) for part in evidence.list_parts(metric, cell.id)
        }
        for metric in own_metrics
    }
    head_to_heads = []
    for (strong, weak), head_to_head in head_to_head_cells.items():
        if edge.main_part in evidence.list_parts(edge, head_to_head.id):
            estimate = evidence.estimate(edge, head_to_head.id, edge.main_part)
            above, below = (scope.find_agent_at(agent, players) for agent in (strong, weak))
            matches = estimate.deals * head_to_head.seating_count
            head_to_heads.append(HeadToHead(above, below, estimate, matches))
    deals = max((estimate.deals for parts in answers.values() for estimate in parts.values()), default=0)
    return PlayerCountResult(
        players=players,
        matches=deals * cell.seating_count,
        answers={name: parts for name, parts in answers.items() if parts},
        head_to_heads=tuple(head_to_heads),
        calibrated=race.measure_calibration(db, cell.id).holds,
    )


def _find_fixes(variants: Sequence[Variant], db: Path) -> tuple[Fix, ...]:
    """The stored answers about these variants, under their present rules."""
    prints = {(variant.name, variant.fingerprint()) for variant in variants}
    return tuple(fix for fix in load_fixes(db) if (fix.variant, fix.fingerprint) in prints)


# ---- a match to look at


def make_sample(scope: ReportScope) -> SampleMatch:
    """The first deal of the first variant at its usual player count, in words and, if the game can be drawn,
    in pictures.
    """
    variant = scope.variants[0]
    usual = find_usual_player_count([variant])
    counts = scope.players[scope.specs[0]]
    players = usual if usual in counts else counts[0]
    match = Match(variant, players, seed=scope.seed, compiled=True)
    match.finish(find_line_up(scope.playing_agents[players], players, variant.game))
    draw = variant.game.draw
    pictures = []
    if draw is not None:
        replay = Match(variant, players, seed=scope.seed, compiled=True)
        stops = {0: "set up", len(match.actions) // 2: "half-way", len(match.actions): "the end"}
        for step in range(len(match.actions) + 1):
            if step in stops:
                pictures.append((stops[step], draw(replay.state, None)))
            if step < len(match.actions):
                replay.push(match.actions[step])
    return SampleMatch(variant.name, players, str(match.transcript()), tuple(pictures))
