"""How far agents are from people: scores, margins and lengths of real matches beside those of the same variant by agents.

People's results come from `boardgames import` and `boardgames play`. Results of one evening, and of one person, belong together:
intervals are clustered by both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.metric import SHARE
from analytics.stats.clustered import Clusters
from analytics.stats.intervals import Array, Estimate, block_mean, cut_to
from analytics.words import interval, number, unit_of
from boardgames.errors import BadInput
from boardgames.experiment.plan import PlannedCell, Progress, make_plan, read_players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.play.quantiles import student_quantile
from boardgames.run.simulate import simulate
from boardgames.store.connection import connection, reading
from boardgames.store.recorded_matches import HUMAN
from boardgames.store.rows import totals

BLOCKS = 1000  # of the agents' matches, unless asked for more
AGENTS = ("greedy",)


class Group(NamedTuple):
    """People's matches of one variant and player count: among themselves, or against these agents."""

    variant: Variant
    players: int
    against: str  # "" = among themselves
    rows: list[dict[str, Any]]  # one per person and match, as the view `people` has them

    @property
    def matches(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self.rows:
            found.setdefault(row["match"], []).append(row)
        return found


@dataclass(frozen=True)
class PeopleLine:
    """One quantity: people's mean, the agents', the difference, and how far the two distributions are apart."""

    quantity: str
    unit: str
    results: int
    people: Estimate
    agents: Estimate
    difference: Estimate  # agents less people
    distance: Estimate | None  # how far a result has to be moved, on average, to make one distribution of the other
    chance: float  # the distance to expect if people's results were the agents'
    sentence: str


@dataclass(frozen=True)
class PeopleComparison:
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


def compare_people(
    specs: Sequence[str], into: str | Path = "boardgames.duckdb", *, players: str = "", agents: Sequence[str] = AGENTS,
    blocks: int | None = None, seed: int = 1, workers: int = 1, command: str = "",
    report: Callable[[str], None] = lambda line: None,
) -> list[PeopleComparison]:  # fmt: skip
    """Each variant at each player count that people have played, beside the same by each agent; what is missing is played."""
    path, found = Path(into), []
    for spec in specs:
        for group in people_groups(path, find_variant(spec), read_players(players)):
            for agent in agents or AGENTS:
                plan = make_plan([spec], str(group.players), [agent], blocks or BLOCKS, seed, f"{spec} beside people")

                def tell(at: Progress, name: str = f"{spec} by {agent}") -> None:
                    report(f"{name}: {at.matches:,} of {at.wanted:,} matches")

                simulate(plan, path, workers=workers, command=command, report=tell)
                found.append(compare_group(path, group, plan.cells[0]))
    return found


def people_groups(path: Path, variant: Variant, players: Sequence[int] = ()) -> list[Group]:
    """What people have played of a variant, by player count and opponents."""
    with reading(path) as session:
        table = connection(session).execute("SELECT * FROM people ORDER BY evening, match, seat").to_arrow_table()
    rows = [row for row in table.to_pylist() if row["variant"] == variant.name]
    groups: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for row in rows:
        if not players or row["players"] in players:
            groups.setdefault((row["players"], _opponents(row["line_up"])), []).append(row)
    if not groups:
        there = sorted({f"{row['variant']} by {row['players']}" for row in table.to_pylist()})
        counts = f" by {' or '.join(map(str, players))} players" if players else ""
        raise BadInput(
            f"{path} has no matches of people in {variant.name}{counts}; there {'are' if there else 'is'}: "
            f"{', '.join(there) or 'none'}. `boardgames import results.csv` brings them, `boardgames play` makes them"
        )
    return [Group(variant, count, against, of) for (count, against), of in sorted(groups.items())]


def _opponents(line_up: str) -> str:
    """The agents that people sat with, in the order of their names."""
    return ",".join(sorted({name for name in line_up.split(",") if name and name.partition(":")[0] != HUMAN}))


def compare_group(path: Path, group: Group, cell: PlannedCell) -> PeopleComparison:
    agent, sums = cell.line_up_name(), totals(path, {cell.id: cell})[cell.id]
    with reading(path) as session:
        lines = [_line(connection(session), cell, agent, sums, *measured) for measured in _measured(group)]
    if group.against:
        lines.append(_win_share(group))
    return PeopleComparison(
        variant=group.variant.name,
        players=group.players,
        against=group.against,
        agent=agent,
        matches=len(group.matches),
        people=len({row["person"] for row in group.rows}),
        evenings=len({row["evening"] for row in group.rows}),
        agent_matches=sums["score"][0] * len(cell.table.seatings),
        reconstructed=bool(group.variant.game.reconstructed),
        lines=tuple(lines),
    )


# ---- what people did


def _measured(group: Group) -> list[tuple[str, str, Array, Clusters]]:
    """Name, unit, values and clusters of what is known about a group's matches."""
    seats, matches = group.rows, list(group.matches.values())
    found = [("score", "points", _numbers([row["score"] for row in seats]), _clusters([[row] for row in seats]))]
    if not group.against:
        sign = -1 if group.variant.game.low_wins else 1
        found.append(("margin", "points", _numbers([_margin(match, sign) for match in matches]), _clusters(matches)))
    timed = [match for match in matches if match[0]["rounds"] is not None]
    if timed:
        found.append(("rounds", "laps", _numbers([match[0]["rounds"] for match in timed]), _clusters(timed)))
    return found


def _margin(match: Sequence[dict[str, Any]], sign: int) -> int:
    first, second, *_ = sorted((sign * row["score"] for row in match), reverse=True)
    return int(first - second)


def _numbers(values: Sequence[int]) -> Array:
    return np.array(values, np.float64)


def _clusters(results: Sequence[Sequence[dict[str, Any]]]) -> Clusters:
    return Clusters([rows[0]["evening"] for rows in results], [[row["person"] for row in rows] for rows in results])


def _win_share(group: Group) -> PeopleLine:
    """How often people win against agents, beside an equal share."""
    values, clusters = _numbers([row["win_share"] for row in group.rows]), _clusters([[row] for row in group.rows])
    mine, fair = cut_to((0.0, 1.0), clusters.mean(values)), 1 / group.players
    difference = Estimate(fair - mine.mean, fair - mine.high, fair - mine.low, len(values))
    said = _sentence("an equal share", difference, SHARE)
    return PeopleLine("win share", SHARE, len(values), mine, Estimate(fair, fair, fair, 0), difference, None, 0.0, said)


# ---- what agents did, and how far that is from it

SOURCES = {"score": ("score", "seat", "score"), "margin": ("margin", "match", "margin"), "rounds": ("laps", "match", "laps")}


def _line(
    con: Any, cell: PlannedCell, agent: str, sums: Mapping[str, tuple[int, float, float]], quantity: str, unit: str, values: Array,
    clusters: Clusters,
) -> PeopleLine:  # fmt: skip
    value, table, column = SOURCES[quantity]
    theirs, mine = block_mean(*sums[value]), clusters.mean(values)
    counted = con.execute(f"SELECT {column}, count(*) FROM {table} WHERE cell_id = ? GROUP BY 1 ORDER BY 1", [cell.id]).fetchnumpy()
    points, counts = (np.asarray(column, np.float64) for column in counted.values())
    difference = _difference(mine, theirs, clusters)
    apart, chance = distance(values, clusters, points, counts)
    said = _sentence(agent, difference, unit)
    return PeopleLine(quantity, unit, len(values), mine, theirs, difference, apart, chance, said)


def _difference(people: Estimate, agents: Estimate, clusters: Clusters) -> Estimate:
    """Agents less people; the two are independent, so their errors add up as squares."""
    error = (agents.high - agents.mean) / student_quantile(0.975, agents.blocks - 1)
    half = float(np.hypot(people.high - people.mean, clusters.times() * error))
    mean = agents.mean - people.mean
    return Estimate(mean, mean - half, mean + half, people.blocks)


def distance(values: Array, clusters: Clusters, points: Array, counts: Array) -> tuple[Estimate, float]:
    """Wasserstein's distance between people's results and the agents' distribution, and what chance alone would show.

    It is the area between the two cumulative shares. Its error follows from that area's derivative; chance is the mean area if
    people's shares scattered around the agents' as much as they scatter now.
    """
    steps = np.unique(np.concatenate([values, points]))
    widths = np.diff(steps)
    below = values[:, None] <= steps[None, :-1]
    mine = below.mean(axis=0)
    theirs = np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])[np.searchsorted(points, steps[:-1], side="right")]
    area = float(np.abs(mine - theirs) @ widths)
    half = clusters.times() * float(clusters.error(below @ (np.sign(mine - theirs) * widths)))
    chance = float(np.sqrt(2 / np.pi) * (clusters.error(below.astype(np.float64)) @ widths)) if len(widths) else 0.0
    return Estimate(area, max(0.0, area - half), area + half, len(values)), chance


def _sentence(who: str, difference: Estimate, unit: str) -> str:
    """greedy has 3.1 (1.2 to 5.0) points more than people"""
    if not np.isfinite(difference.low):
        return "no interval: it takes two evenings, two people, and results that are not all equal"
    if difference.low <= 0 <= difference.high:
        most = number(max(-difference.low, difference.high), unit)
        return f"no difference is seen; it may be up to {most} {unit_of(unit, True)}"
    way = "more" if difference.mean > 0 else "less"
    size = sorted((abs(difference.low), abs(difference.high)))
    shown = interval(Estimate(abs(difference.mean), size[0], size[1], difference.blocks), unit)
    return f"{who} has {shown} {unit_of(unit, True)} {way} than people"
