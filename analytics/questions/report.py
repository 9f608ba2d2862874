"""`report`: play what is missing, then collect what a publisher should read about some variants, as plain data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from analytics.metric import chance_race as race
from analytics.metric.evidence import gather
from analytics.metric.lift import Lift, win_lift
from analytics.metric.metric import find_metric, metrics
from analytics.questions.compare.compare import Group, Waves, even, stored
from analytics.questions.compare.judge import judge
from analytics.stats.intervals import Estimate
from analytics.verdict.design import Design, changes, duel, make_design, shares_luck, usual_players
from analytics.verdict.results import Contrast
from analytics.verdict.terms import Terms, make_terms, register, registered
from boardgames.agents.agent import find_agent, find_line_up
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, agent_fingerprint, check_blocks, circumstances, make_plan, read_players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.play.match import Match
from boardgames.store.rows import can_be_written, command_line

AGENTS = ("greedy", "mcts:64")
MINUTES = 5.0
SELF_PLAY, DUELS = 0.5, 0.5  # of the time


@dataclass(frozen=True)
class Duel:
    """How far one agent among weaker ones wins above its share: 0 is luck, 1 is always."""

    strong: str
    weak: str
    edge: Estimate
    matches: int


@dataclass(frozen=True)
class Count:
    """A variant at one player count, all seats played by the first agent."""

    players: int
    matches: int
    answers: dict[str, dict[str, Estimate]]  # by metric, then by part
    duels: tuple[Duel, ...]
    lifts: tuple[Lift, ...]
    calibrated: bool  # whether leads by outlook can be set beside the race of pure luck


@dataclass(frozen=True)
class Subject:
    """One variant."""

    name: str
    about: str
    changes: tuple[str, ...]  # against the first one of the same game
    fingerprint: str
    reconstructed: dict[str, str]
    counts: tuple[Count, ...]


@dataclass(frozen=True)
class Sample:
    """One match to look at."""

    variant: str
    players: int
    transcript: str
    pictures: tuple[tuple[str, str], ...]  # when, and the drawing


@dataclass(frozen=True)
class Report:
    subjects: tuple[Subject, ...]
    contrasts: tuple[Contrast, ...]  # the others against the first, where they share luck
    agents: tuple[str, ...]
    agent_prints: dict[str, str]
    seed: int
    file: str
    sample: Sample
    command: str
    versions: dict[str, str]
    created: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Matter:
    """What a report is about, checked."""

    variants: tuple[Variant, ...]
    specs: tuple[str, ...]
    players: dict[str, tuple[int, ...]]  # by spec
    agents: tuple[str, ...]
    seed: int

    def cell(self, spec: str, players: int, line_up: str) -> PlannedCell:
        (cell,) = make_plan([spec], str(players), [line_up], 1, self.seed).cells
        return cell

    def rungs(self) -> list[tuple[str, str]]:
        """Neighbours on the ladder, as (strong, weak)."""
        below = ["random", *self.agents]
        return [(strong, weak) for strong, weak in zip(self.agents, below, strict=False) if strong != weak]

    def groups(self, path: Path) -> list[Group]:
        """What to play: all seats by the first agent, and each duel."""
        line_ups = {self.agents[0]: dict.fromkeys(range(2, 9), self.agents[0])}
        for strong, weak in self.rungs():
            line_ups[f"{strong} against {weak}"] = {n: duel(strong, weak, n) for n in range(2, 9)}
        shares = [SELF_PLAY, *[DUELS / max(1, len(self.rungs()))] * len(self.rungs())]
        found = []
        for share, (name, by_count) in zip(shares, line_ups.items(), strict=True):
            cells = tuple(self.cell(spec, n, by_count[n]) for spec in self.specs for n in self.players[spec])
            plan = Plan(cells, 1, self.seed, f"report {', '.join(self.specs)}: {name}")
            found.append(Group(name, plan, share, even(plan, path)))
        return found


def make_report(
    specs: Sequence[str], into: str | Path = "boardgames.duckdb", *, players: str = "", agents: Sequence[str] = (),
    minutes: float | None = None, blocks: int | None = None, seed: int = 1, more: bool = False, workers: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> Report:  # fmt: skip
    """All about some variants. What the file has already is only looked at, unless `more`, `minutes` or `blocks` ask for more."""
    path, matter = Path(into), make_matter(specs, players, agents or AGENTS, seed)
    can_be_written(path)
    check_blocks(blocks)
    groups = matter.groups(path)
    designs = [(design, settle_terms(design, path)) for design in _designs(matter, path)]
    if more or minutes or blocks or not all(group.blocks for group in groups):
        Waves(groups, path, workers, command_line(), say).play(minutes or MINUTES, blocks)
    say("reading what was played")
    subjects = tuple(_subject(matter, place, path) for place in range(len(specs)))
    contrasts = tuple(c for design, terms in designs for c in judge(design, path, terms).contrasts)
    prints = {agent: agent_fingerprint(find_agent(agent, matter.variants[0].game)) for agent in matter.agents}
    return Report(
        subjects, contrasts, matter.agents, prints, seed, str(path), make_sample(matter), command_line(), circumstances(),
    )  # fmt: skip


def make_matter(specs: Sequence[str], players: str, agents: Sequence[str], seed: int) -> Matter:
    if twice := [spec for spec in specs if list(specs).count(spec) > 1]:
        raise BadInput(f"{twice[0]} is named twice")
    variants = tuple(find_variant(spec) for spec in specs)
    if wrong := [agent for agent in agents if "," in agent]:
        raise BadInput(f"'{wrong[0]}' is a line-up; a report wants one agent for all seats. Repeat --agents for stronger ones")
    names = tuple(dict.fromkeys(find_agent(agent, variants[0].game).name for agent in agents))
    counts = {spec: tuple(read_players(players) or variant.game.players) for spec, variant in zip(specs, variants, strict=True)}
    for spec, variant in zip(specs, variants, strict=True):
        for n in counts[spec]:
            variant.blank(n)
    return Matter(variants, tuple(specs), counts, names, seed)


def _designs(matter: Matter, path: Path) -> list[Design]:
    """The comparison with the first variant, for those that share its luck and player counts."""
    first, *others = zip(matter.specs, matter.variants, strict=True)
    counts = matter.players[first[0]]
    alike = [spec for spec, variant in others if shares_luck(first[1], variant) and matter.players[spec] == counts]
    told = ",".join(map(str, counts))
    return [_with_rungs(make_design([first[0], *alike], told, matter.agents, matter.seed, duels=False), path)] if alike else []


def _with_rungs(design: Design, path: Path) -> Design:
    """The first agent decides; of the others a report plays no matches of this kind, but hears what an earlier comparison did."""
    first, *others = design.agents
    heard = [agent for agent in others if agent in design.plans and even(design.plans[agent], path) > 1]
    return replace(design, agents=(first, *heard))


def settle_terms(design: Design, path: Path) -> Terms:
    """The terms of an earlier comparison of the same, or the usual ones, written down before anything is played."""
    if known := registered(path, design.number):
        return replace(known[-1].terms, agents=design.agents)
    terms = make_terms(design.agents, "a report")
    register(path, design.number, design.name, terms, stored(design, path))
    return terms


# ---- what the file says


def _subject(matter: Matter, place: int, path: Path) -> Subject:
    spec, variant, first = matter.specs[place], matter.variants[place], matter.variants[0]
    told = tuple(changes(first, variant)) if place and variant.game is first.game else ()
    counts = tuple(_count(matter, spec, n, path) for n in matter.players[spec])
    about = variant.why or variant.game.about
    return Subject(variant.name, about, told, variant.fingerprint(), dict(variant.game.reconstructed), counts)


def _count(matter: Matter, spec: str, players: int, path: Path) -> Count:
    cell = matter.cell(spec, players, matter.agents[0])
    wanted = [m for m in metrics().values() if m.kind != "rows" and m.line_ups != "mixed" and players in m.players]
    edge = find_metric("skill_edge")
    fought = {rung: matter.cell(spec, players, duel(*rung, players)) for rung in matter.rungs()}
    evidence = gather(path, [cell.id, *(one.id for one in fought.values())], [*wanted, edge])
    answers = {m.name: {part: evidence.estimate(m, cell.id, part) for part in evidence.parts(m, cell.id)} for m in wanted}
    duels = []
    for (strong, weak), one in fought.items():
        if "1" in evidence.parts(edge, one.id):
            estimate = evidence.estimate(edge, one.id, "1")
            duels.append(Duel(strong, weak, estimate, estimate.blocks * len(one.table.seatings)))
    blocks = max((e.blocks for parts in answers.values() for e in parts.values()), default=0)
    return Count(
        players, blocks * len(cell.table.seatings), {name: parts for name, parts in answers.items() if parts}, tuple(duels),
        tuple(win_lift(path, cell.id, find_metric("win_lift"))), race.calibration(path, cell.id).holds,
    )  # fmt: skip


# ---- a match to look at


def make_sample(matter: Matter) -> Sample:
    """The first block of the first variant, by its usual number of players, in words and, if it can be drawn, in pictures."""
    variant, usual = matter.variants[0], usual_players(matter.variants[:1])
    counts = matter.players[matter.specs[0]]
    players = usual if usual in counts else counts[0]
    match = Match(variant, players, seed=matter.seed, plain=False)
    match.finish(find_line_up(matter.agents[0], players, variant.game))
    draw, pictures = variant.game.draw, []
    if draw is not None:
        again = Match(variant, players, seed=matter.seed, plain=False)
        stops = {0: "set up", len(match.actions) // 2: "half-way", len(match.actions): "the end"}
        for step in range(len(match.actions) + 1):
            if step in stops:
                pictures.append((stops[step], draw(again.state, None)))
            if step < len(match.actions):
                again.play(match.actions[step])
    return Sample(variant.name, players, match.transcript(), tuple(pictures))
