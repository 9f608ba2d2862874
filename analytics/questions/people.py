"""How far agents are from people: scores, winning margins and lengths of real matches beside those of the
same variant by agents.

People's results come from `boardgames import` and `boardgames play`. Results of one evening, and of one
person, belong together: intervals are clustered by both.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.answer import Answer
from analytics.metric.metric import SHARE
from analytics.metric.sums import NOTHING_UNSTORED, UnstoredSums
from analytics.playing import RunOptions
from analytics.stats.clustered import Clusters
from analytics.stats.intervals import (
    Array,
    Estimate,
    clip_interval,
    estimate_mean_from_sums,
    estimate_share_from_sums,
)
from analytics.words import format_interval, format_number, format_unit
from boardgames.agents.agent import find_usual_agent
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Variants, list_agents, list_specs
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import make_plan
from boardgames.plan.played import Progress
from boardgames.play.quantiles import student_quantile
from boardgames.run.simulate import run_plan
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.read import load_totals
from boardgames.store.recorded_matches import names_person
from boardgames.store.write import rebuild_slices

MATCHES = 1000  # of the agents' matches, unless asked for more
COUNT_WINS_BY_BEST_SCORE = """SELECT winner, count(*) FROM (
    SELECT arg_{best}(seat, score) AS winner, {best}(score, 2) AS scores
    FROM seat WHERE cell_id = ? GROUP BY deal, seating)
WHERE scores[1] != scores[2] GROUP BY winner"""


class PeopleGroup(NamedTuple):
    """People's matches of one variant and player count: among themselves, or against these agents."""

    variant: Variant
    players: int
    against: str  # "" = among themselves
    rows: list[dict[str, Any]]  # one per person and match, as the view `people` has them

    @property
    def matches(self) -> dict[str, list[dict[str, Any]]]:
        rows_by_match: dict[str, list[dict[str, Any]]] = {}
        for row in self.rows:
            rows_by_match.setdefault(row["match"], []).append(row)
        return rows_by_match


@dataclass(frozen=True, kw_only=True)
class PeopleLine:
    """One quantity: people's mean, the agents', the difference, and the distance of the two distributions."""

    quantity: str
    unit: str
    results: int
    people: Estimate
    agents: Estimate
    difference: Estimate  # agents less people
    # how far a result must be moved, on average, to turn one distribution into the other
    distance: Estimate | None
    chance: float  # the distance to expect if people's results were the agents'
    spread: float  # the standard deviation of a single result by agents
    sentence: str

    @property
    def is_informative(self) -> bool:
        """Whether people's mean is known better than an agent's single result, or a difference is seen."""
        is_seen = self.difference.has_interval and not self.difference.low <= 0 <= self.difference.high
        return self.people.has_interval and (is_seen or self.people.half_width < self.spread)


@dataclass(frozen=True, kw_only=True)
class PeopleComparison(Answer):
    """People against one agent's matches against itself."""

    variant: str
    players: int
    against: str
    agent: str
    matches: int
    people: int
    evenings: int
    agent_matches: int
    reconstructed: bool
    lines: tuple[PeopleLine, ...]

    def __repr__(self) -> str:
        return f"<PeopleComparison of {self.agent} in {self.variant}, {self.players} players>"


def compare_people(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = (),
    matches: int | None = None,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> list[PeopleComparison]:
    """Each variant at each player count that people have played, beside the same by each agent; missing
    matches of agents are played. Without agents, the usual one of each player count plays.
    """
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    named = list_agents(agents)
    with follow_lines("people", on_progress) as on_line:
        options = replace(options, on_progress=on_line)
        return [
            _compare_with_agent(spec, group, agent, matches or MATCHES, options)
            for spec in list_specs(variants)
            for group in load_people_groups(options.db, find_variant(spec), parse_player_counts(players))
            for agent in named or [find_usual_agent([group.variant.game], group.players)]
        ]


def _compare_with_agent(
    spec: str, group: PeopleGroup, agent: str, matches: int, options: RunOptions
) -> PeopleComparison:
    plan = make_plan([spec], group.players, [agent], matches, options.seed, name=f"{spec} beside people")

    def show_progress(at: Progress) -> None:
        options.on_progress(f"{spec} by {agent}: {at.matches:,} of {at.wanted:,} matches")

    run_plan(plan, options.db, workers=options.workers, command=options.command, on_progress=show_progress)
    rebuild_slices(options.db)
    return compare_group(options.db, group, plan.cells[0])


def load_people_groups(db: Path, variant: Variant, players: Sequence[int] = ()) -> list[PeopleGroup]:
    """What people have played of a variant, by player count and opponents."""
    with open_for_reading(db) as session:
        table = (
            get_connection(session)
            .execute("SELECT * FROM people ORDER BY evening, match, seat")
            .to_arrow_table()
        )
    rows = [row for row in table.to_pylist() if row["variant"] == variant.name]
    groups: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for row in rows:
        if not players or row["players"] in players:
            groups.setdefault((row["players"], _join_opponents(row["line_up"])), []).append(row)
    if not groups:
        existing = sorted({f"{row['variant']} by {row['players']}" for row in table.to_pylist()})
        counts = f" by {' or '.join(map(str, players))} players" if players else ""
        raise InvalidInput(
            f"{db} has no matches of people in {variant.name}{counts}; there {'are' if existing else 'is'}: "
            f"{', '.join(existing) or 'none'}. "
            "`boardgames import results.csv` brings them, `boardgames play` makes them"
        )
    return [
        PeopleGroup(variant, count, against, group_rows)
        for (count, against), group_rows in sorted(groups.items())
    ]


def _join_opponents(line_up: str) -> str:
    """The agents at the table, in the order of their names; empty if people played among themselves."""
    return ",".join(sorted({name for name in line_up.split(",") if name and not names_person(name)}))


def compare_group(
    db: Path, group: PeopleGroup, cell: PlannedCell, unstored: UnstoredSums = NOTHING_UNSTORED
) -> PeopleComparison:
    """People's matches beside those of a cell; its sums are in the file, or among those not stored."""
    sums = load_totals(db, {cell.id: cell}, unstored.slice)[cell.id]
    with open_for_reading(db) as session:
        lines = [
            _make_line(get_connection(session), cell, sums, quantity)
            for quantity in _collect_quantities(group)
        ]
        lines += [] if group.against else _compare_seats(get_connection(session), cell, group)
    if group.against:
        lines.append(_compare_win_share(group))
    return PeopleComparison(
        variant=group.variant.name,
        players=group.players,
        against=group.against,
        agent=cell.format_line_up(),
        matches=len(group.matches),
        people=len({row["person"] for row in group.rows}),
        evenings=len({row["evening"] for row in group.rows}),
        agent_matches=sums["score"][0] * cell.seating_count,
        reconstructed=bool(group.variant.game.reconstructed),
        lines=tuple(lines),
    )


# ---- what people did


class Quantity(NamedTuple):
    """What is compared: a column of the agents' matches or seats, and people's values of it."""

    name: str
    table: str
    unit: str
    values: Array
    clusters: Clusters
    column: str = ""  # unless it is called as the quantity
    divisor: int = 1  # of the column


def _collect_quantities(group: PeopleGroup) -> Iterator[Quantity]:
    """Each quantity that a group's matches have."""
    scores = _make_array([row["score"] for row in group.rows])
    yield Quantity("score", "seat", "points", scores, _make_clusters([[row] for row in group.rows]))
    matches = list(group.matches.values())
    if not group.against:
        sign = -1 if group.variant.game.low_wins else 1
        winning_margins = _make_array([_compute_winning_margin(match, sign) for match in matches])
        yield Quantity("winning_margin", "match", "points", winning_margins, _make_clusters(matches))
    timed = [match for match in matches if match[0]["rounds"] is not None]
    if timed:
        rounds = _make_array([match[0]["rounds"] for match in timed])
        # as everywhere, a round is one turn of everybody: turns divided by players
        yield Quantity("rounds", "match", "rounds", rounds, _make_clusters(timed), "turns", group.players)


def _compute_winning_margin(match: Sequence[dict[str, Any]], sign: int) -> int:
    first, second, *_ = sorted((sign * row["score"] for row in match), reverse=True)
    return int(first - second)


def _make_array(values: Sequence[int]) -> Array:
    return np.array(values, np.float64)


def _make_clusters(results: Sequence[Sequence[dict[str, Any]]]) -> Clusters:
    return Clusters(
        [rows[0]["evening"] for rows in results], [[row["person"] for row in rows] for rows in results]
    )


def _compare_win_share(group: PeopleGroup) -> PeopleLine:
    """How often people win against agents, beside an equal share."""
    values = _make_array([row["win_share"] for row in group.rows])
    clusters = _make_clusters([[row] for row in group.rows])
    people = clip_interval((0.0, 1.0), clusters.estimate_mean(values))
    fair = 1 / group.players
    difference = Estimate(fair - people.mean, fair - people.high, fair - people.low, len(values))
    return PeopleLine(
        quantity="win share",
        unit=SHARE,
        results=len(values),
        people=people,
        agents=Estimate(fair, fair, fair, 0),
        difference=difference,
        distance=None,
        chance=0.0,
        spread=math.sqrt(fair * (1 - fair)),
        sentence=_describe_difference("an equal share", difference, SHARE),
    )


def _compare_seats(con: Any, cell: PlannedCell, group: PeopleGroup) -> Iterator[PeopleLine]:
    """Yield how often each seat wins, among the matches that have one best score: in others a tie-break may
    decide, which no list of scores tells.
    """
    matches = [rows for rows in group.matches.values() if all(row["win_share"] is not None for row in rows)]
    if not matches:
        return
    clusters = _make_clusters(matches)
    best = "min" if group.variant.game.low_wins else "max"
    wins = dict(con.execute(COUNT_WINS_BY_BEST_SCORE.format(best=best), [cell.id]).fetchall())
    for seat in range(group.players):
        values = _make_array([rows[seat]["win_share"] for rows in matches])
        people = clusters.estimate_mean(values)
        won = wins.get(seat + 1, 0)
        agents = estimate_share_from_sums(sum(wins.values()), won, won)
        difference = _estimate_difference(people, agents, clusters)
        yield PeopleLine(
            quantity=f"wins of seat {seat + 1}",
            unit=SHARE,
            results=len(values),
            people=clip_interval((0.0, 1.0), people),
            agents=agents,
            difference=clip_interval((-1.0, 1.0), difference),
            distance=None,
            chance=0.0,
            spread=math.sqrt(agents.mean * (1 - agents.mean)),
            sentence=_describe_difference(cell.format_line_up(), difference, SHARE),
        )


# ---- what agents did, and how far people are from it


def _make_line(
    con: Any, cell: PlannedCell, sums: Mapping[str, tuple[int, float, float]], quantity: Quantity
) -> PeopleLine:
    name, table, unit, values, clusters, column, divisor = quantity
    column = column or name
    deals, total, squares = sums[column]
    agents = estimate_mean_from_sums(deals, total / divisor, squares / divisor**2)
    people = clusters.estimate_mean(values)
    histogram = con.execute(
        f"SELECT {column} / {divisor}, count(*) FROM {table} WHERE cell_id = ? GROUP BY 1 ORDER BY 1",
        [cell.id],
    ).fetchnumpy()
    points, counts = (np.asarray(column, np.float64) for column in histogram.values())
    difference = _estimate_difference(people, agents, clusters)
    distance, chance = measure_distance(values, clusters, points, counts)
    sentence = _describe_difference(cell.format_line_up(), difference, unit)
    return PeopleLine(
        quantity=name,
        unit=unit,
        results=len(values),
        people=clip_interval((-math.inf if name == "score" else 0.0, math.inf), people),
        agents=agents,
        difference=difference,
        distance=distance,
        chance=chance,
        spread=math.sqrt(np.cov(points, fweights=counts.astype(np.int64), ddof=0)),
        sentence=sentence,
    )


def _estimate_difference(people: Estimate, agents: Estimate, clusters: Clusters) -> Estimate:
    """Agents less people; the two are independent, so their errors add up as squares."""
    error = (agents.high - agents.mean) / student_quantile(0.975, agents.deals - 1)
    half_width = float(np.hypot(people.high - people.mean, clusters.find_multiplier() * error))
    mean = agents.mean - people.mean
    return Estimate(mean, mean - half_width, mean + half_width, people.deals)


def measure_distance(
    values: Array, clusters: Clusters, points: Array, counts: Array
) -> tuple[Estimate, float]:
    """Wasserstein's distance between people's results and the agents' distribution, and the distance by
    chance alone.

    It is the area between the two cumulative shares. Its error follows from that area's derivative; chance is
    the mean area if people's shares scattered around the agents' as much as they scatter now.
    """
    steps = np.unique(np.concatenate([values, points]))
    widths = np.diff(steps)
    below = values[:, None] <= steps[None, :-1]
    people_shares = below.mean(axis=0)
    agent_shares = np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])[
        np.searchsorted(points, steps[:-1], side="right")
    ]
    area = float(np.abs(people_shares - agent_shares) @ widths)
    slopes = np.sign(people_shares - agent_shares) * widths
    half_width = clusters.find_multiplier() * float(clusters.compute_error(below @ slopes))
    chance = 0.0
    if len(widths):
        errors = clusters.compute_error(below.astype(np.float64))
        chance = float(np.sqrt(2 / np.pi) * (errors @ widths))
    return Estimate(area, max(0.0, area - half_width), area + half_width, len(values)), chance


def _describe_difference(subject: str, difference: Estimate, unit: str) -> str:
    """greedy has 3.1 (1.2 to 5.0) points more than people"""
    if not difference.has_interval:
        return "no interval: it takes two evenings, two people, and results that are not all equal"
    if difference.low <= 0 <= difference.high:
        most = format_number(max(-difference.low, difference.high), unit)
        return f"no difference is seen; it may be up to {most} {format_unit(unit, True)}"
    direction = "more" if difference.mean > 0 else "less"
    low, high = sorted((abs(difference.low), abs(difference.high)))
    size = format_interval(Estimate(abs(difference.mean), low, high, difference.deals), unit)
    return f"{subject} has {size} {format_unit(unit, True)} {direction} than people"
