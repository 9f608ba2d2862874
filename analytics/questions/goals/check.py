"""`goals`: play until every goal is settled or the time is over. The command line and notebooks call the same
function.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from analytics.answer import TableAnswer
from analytics.metric.metric import find_metric
from analytics.playing import Budget, Driver, Group, RunOptions, count_deals, count_matches, has_swaps
from analytics.questions.goals.file import Goals, read_goals
from analytics.questions.goals.judge import (
    FAIL,
    NOTHING_STORED,
    PASS,
    UNKNOWN,
    CellKey,
    Cells,
    Check,
    GoalCell,
    check_part,
    combine_verdicts,
    judge_goals,
    make_line_up,
)
from analytics.verdict.preregistration import Preregistration
from analytics.words import describe_agents
from boardgames.agents.agent import check_nets, find_agent_at
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, format_players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Variants, format_agent, list_specs
from boardgames.plan.cell import PlannedCell, hash63
from boardgames.plan.plan import make_plan, plan_deals
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.batch import read_seed
from boardgames.store.write import check_writable

EXIT = {PASS: 0, FAIL: 1, UNKNOWN: 3}  # 2 is a user's mistake


@dataclass(frozen=True, kw_only=True)
class Balance(TableAnswer):
    """The result of checking a file of goals."""

    goals: str  # the file
    variants: tuple[str, ...]
    agents: str
    seed: int
    file: str
    verdict: str  # of all goals together
    verdicts: Mapping[int, str]  # of each
    checks: tuple[Check, ...]
    played: int  # matches, by this call
    written: tuple[tuple[datetime, int], ...]  # when goals were registered, and the matches stored by then
    reconstructed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Balance of {', '.join(self.variants)} by {self.goals}: {self.verdict}>"

    @property
    def exit_code(self) -> int:
        return EXIT[self.verdict]


def check_goals(
    goals: str | Path,
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = "",
    minutes: float | None = None,
    matches: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> Balance:
    """Whether variants keep to a file of goals: `check_goals("balance.toml", "celtica+hand_size=6")`.

    Plays where something is not settled, for `minutes` or to `matches` of each cell at most. What is said
    here goes before what the file says.
    """
    path = read_path("goals", goals, "balance.toml")
    given = {
        "variants": tuple(list_specs(variants)),
        "players": format_players(players),
        "agents": format_agent(agents, "goals"),
        "seed": None if seed is None else read_seed(seed),
    }
    wanted = _read_goals(path, given, Budget(minutes=minutes, matches=matches))
    options = RunOptions(db=read_path("db", db), seed=wanted.seed, workers=workers, command=command)
    with follow_lines("goals", on_progress) as on_line:
        return _check(path, wanted, replace(options, on_progress=on_line))


def _check(path: Path, wanted: Goals, options: RunOptions) -> Balance:
    """Register the goals, play until they are settled, and collect the result."""
    check_writable(options.db)
    cells, goal_cells = plan_goals(wanted)
    stored = count_matches(options.db, list(cells.values()))
    written = _register_goals(options.db, wanted, cells, stored)
    driver = Driver(options=options)
    checks = _play_until_settled(driver, cells, goal_cells, wanted)
    verdicts = combine_verdicts(checks)
    variants = {cell.variant.name: cell.variant for cell in cells.values()}
    return Balance(
        goals=str(path),
        variants=tuple(variants),
        agents=describe_agents(_list_agents(wanted)),
        seed=wanted.seed,
        file=str(options.db),
        verdict=FAIL if FAIL in verdicts.values() else UNKNOWN if UNKNOWN in verdicts.values() else PASS,
        verdicts=verdicts,
        checks=tuple(checks),
        played=driver.played,
        written=written,
        reconstructed=tuple(name for name, variant in variants.items() if variant.game.reconstructed),
    )


def _read_goals(path: Path, given: Mapping[str, Any], budget: Budget) -> Goals:
    """The goals of a file, with what is given instead of what the file says."""
    wanted = read_goals(path)._replace(
        **{name: value for name, value in given.items() if value not in (None, "", ())}
    )
    if budget.minutes or budget.matches:  # a limit on the command line replaces all limits of the file
        wanted = wanted._replace(minutes=budget.minutes, matches=budget.matches)
    if not wanted.variants:
        raise InvalidInput(
            f'{path}: it names no variants; write a line variants = ["celtica"], '
            "or name them on the command line"
        )
    if wanted.agents and "," not in wanted.agents:
        games = [find_variant(spec).game for spec in wanted.variants]
        check_nets([wanted.agents], games, list_player_counts(wanted))
    return wanted


def plan_goals(goals: Goals) -> tuple[Cells, list[GoalCell]]:
    """The cells that the goals need, and each goal with the key of each of its cells."""
    agents = _list_agents(goals)
    cells: dict[CellKey, PlannedCell] = {}
    goal_cells: list[GoalCell] = []
    for spec in goals.variants:
        variant = find_variant(spec)
        player_counts = parse_player_counts(goals.players) or list(variant.game.player_counts)
        for number, goal in enumerate(goals.goals, 1):
            for players in goal.players or player_counts:
                check_part(find_metric(goal.metric), goal.part, variant, players)
                key = (spec, players, make_line_up(goal, agents[players], players), goal.needs_swaps)
                if key not in cells:
                    cells[key] = _make_cell(key, goals.seed)
                goal_cells.append((number, goal, key))
    return cells, goal_cells


def list_player_counts(goals: Goals) -> list[int]:
    """The player counts that the goals are about."""
    named = parse_player_counts(goals.players)
    open_counts = {
        players for spec in goals.variants for players in named or find_variant(spec).game.player_counts
    }
    counts = {players for goal in goals.goals for players in goal.players or open_counts}
    return sorted(counts)


def _list_agents(goals: Goals) -> dict[int, str]:
    """Who plays, by player count."""
    games = [find_variant(spec).game for spec in goals.variants]
    usual = goals.agents or "learned"
    return {players: find_agent_at(usual, games, players) for players in list_player_counts(goals)}


def _make_cell(key: CellKey, seed: int) -> PlannedCell:
    spec, players, line_up, needs_swaps = key
    (cell,) = make_plan([spec], str(players), [line_up], 1, seed).cells
    return SwappedCell(cell.variant, cell.line_up, cell.seed) if needs_swaps else cell


def _register_goals(db: Path, goals: Goals, cells: Cells, stored: int) -> tuple[tuple[datetime, int], ...]:
    """Store the goals before the first match, so that later changes show; when each version was stored, and
    the matches by then.
    """
    fingerprints = sorted({(cell.variant.name, cell.variant.fingerprint()) for cell in cells.values()})
    registration_id = hash63("goals", fingerprints, goals.seed)
    terms: dict[str, Any] = {
        "goals": [_convert_to_json(goal._asdict()) for goal in goals.goals],
        "agents": describe_agents(_list_agents(goals)),
    }
    title = f"goals for {', '.join(name for name, _ in fingerprints)}"
    versions = Preregistration(db, registration_id, title, dict, dict).record(terms, stored)
    return tuple((version.created, version.matches_before) for version in versions)


def _convert_to_json(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table without tuples and infinite numbers, which JSON does not have."""
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in table.items()}
    return {name: None if value in (float("inf"), float("-inf")) else value for name, value in plain.items()}


def _play_until_settled(
    driver: Driver, cells: Cells, goal_cells: Sequence[GoalCell], goals: Goals
) -> list[Check]:
    """Play cells with an open check in growing waves, judging after each, until all are settled or a limit is
    reached; the last checks. Start-up is not counted, and something open has at least one wave.
    """
    db = driver.options.db
    spent = 0.0
    pace = 0.0
    wave_seconds = 0.0
    while True:
        started = time.monotonic()
        checks = judge_goals(goal_cells, cells, db)
        spent += time.monotonic() - started
        group = _find_open_group(cells, checks, db, goals)
        if group is None or group.deals >= group.max_deals or spent >= goals.seconds:
            return checks
        group.pace = pace
        group.wave_seconds = wave_seconds
        driver.seconds_left = goals.seconds - spent
        driver.play_wave(group, group.find_next_wave(driver.seconds_left))
        pace = group.pace
        wave_seconds = group.wave_seconds
        spent += group.seconds


def _find_open_group(cells: Cells, checks: Sequence[Check], db: Path, goals: Goals) -> Group | None:
    """Of the cells with an open check those with the fewest deals; None if all is settled. A goal that failed
    somewhere has failed and needs no more.
    """
    verdicts = combine_verdicts(checks)
    open_settings = {
        (check.variant, check.players, check.line_up, find_metric(check.metric).kind == "swaps")
        for check in checks
        if check.verdict == UNKNOWN and verdicts[check.goal] == UNKNOWN and check.note in ("", NOTHING_STORED)
    }
    open_cells = [
        cell
        for cell in cells.values()
        if (cell.variant.name, cell.players, cell.format_line_up(), has_swaps([cell])) in open_settings
    ]
    if not all(has_swaps([cell]) for cell in open_cells):  # what ordinary matches can settle comes first
        open_cells = [cell for cell in open_cells if not has_swaps([cell])]
    deals = count_deals(db, open_cells)
    if goals.matches:
        most = goals.matches
        open_cells = [cell for cell in open_cells if deals[cell.id] < cell.count_deals(most)]
    if not open_cells:
        return None
    least = min(deals[cell.id] for cell in open_cells)
    plan = plan_deals([cell for cell in open_cells if deals[cell.id] == least], least, "goals")
    return Group(name="goals", plan=plan, deals=least, max_matches=goals.matches)
