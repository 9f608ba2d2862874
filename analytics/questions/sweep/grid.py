"""Sweeps as grids: which values were tried, and every metric at every point, from what a file holds. Plays nothing.

`stored_sweeps` finds the grids that a file has, `grid` reads one; the terminal and the dashboard show the same objects.
"""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analytics.metric.evidence import gather
from analytics.metric.metric import Metric, find_metric
from analytics.stats.intervals import Estimate
from analytics.verdict.terms import PRIMARIES
from analytics.words import unit_of
from boardgames.store.connection import connection, reading

FEWEST = 3  # variants: two are a comparison
CELLS = """
SELECT e.experiment, c.id, v.game, v.name, v.parameters, c.players, c.line_up, c.seed
FROM experiment_cell e JOIN cell c ON c.id = e.cell_id JOIN variant v ON v.id = c.variant_id ORDER BY e.experiment, e.rowid
"""


class SweptCell(NamedTuple):
    values: tuple[str, ...]  # along the axes
    id: int
    variant: str


class Swept(NamedTuple):
    """Which cells make a grid: one for every combination of the values along its axes."""

    game: str
    players: int
    line_up: str
    seed: int
    axes: tuple[tuple[str, tuple[str, ...]], ...]  # parameters with their values
    cells: tuple[SweptCell, ...]

    @property
    def title(self) -> str:
        return f"{self.game} over {' and '.join(name for name, _ in self.axes)}, {self.players} players, by {self.line_up}"


@dataclass(frozen=True)
class Point:
    """One variant of a grid."""

    variant: str
    values: tuple[str, ...]  # along the axes
    cell: int
    answers: Mapping[str, Mapping[str, Estimate]]  # by metric and part

    def answer(self, metric: str, part: str = "") -> Estimate | None:
        return self.answers.get(metric, {}).get(part)


@dataclass(frozen=True)
class Grid:
    """A sweep with what was measured at every point."""

    sweep: Swept
    metrics: tuple[str, ...]
    points: tuple[Point, ...]

    def at(self, *values: str) -> Point:
        return next(point for point in self.points if point.values == values)


def heading(metric: str, part: str) -> str:
    """leader_conversion 50, %"""
    return f"{metric} {part}".strip() + f", {unit_of(find_metric(metric).unit)}"


def stored_sweeps(path: Path) -> list[Swept]:
    """Every grid that an experiment of this file makes: three variants of a game or more that fill all combinations."""
    with reading(path) as session:
        rows = connection(session).execute(CELLS).fetchall()
    groups: dict[tuple[int, str, int, str, int], list[tuple[int, str, dict[str, str]]]] = {}
    for experiment, cell, game, name, parameters, players, line_up, seed in rows:
        groups.setdefault((experiment, game, players, line_up, seed), []).append((cell, name, json.loads(parameters)))
    found = [swept(game, n, who, seed, cells) for (_, game, n, who, seed), cells in groups.items() if len(cells) >= FEWEST]
    return list({frozenset(cell.id for cell in one.cells): one for one in found if one}.values())


def swept(game: str, players: int, line_up: str, seed: int, cells: Sequence[tuple[int, str, Mapping[str, str]]]) -> Swept | None:
    """A grid from cells with their variants' names and parameters; nothing if they do not fill one."""
    tried: dict[str, dict[str, None]] = {}
    for _, _, parameters in cells:
        for name, value in parameters.items():
            tried.setdefault(name, {})[value] = None
    axes = tuple((name, _in_order(values)) for name, values in tried.items() if len(values) > 1)
    places = {tuple(parameters[name] for name, _ in axes): (cell, title) for cell, title, parameters in cells}
    everywhere = list(itertools.product(*(values for _, values in axes)))
    if not axes or set(places) != set(everywhere):
        return None
    return Swept(game, players, line_up, seed, axes, tuple(SweptCell(values, *places[values]) for values in everywhere))


def _in_order(values: Iterable[str]) -> tuple[str, ...]:
    """Numbers by size, words as they come."""
    try:
        return tuple(sorted(values, key=float))
    except ValueError:
        return tuple(values)


def grid(path: Path, sweep: Swept, names: Sequence[str] = PRIMARIES) -> Grid:
    """What these metrics are at every point of a sweep."""
    wanted: list[Metric] = [find_metric(name) for name in names]
    evidence = gather(path, [cell.id for cell in sweep.cells], wanted)
    points = []
    for values, cell, variant in sweep.cells:
        answers = {m.name: {part: evidence.estimate(m, cell, part) for part in evidence.parts(m, cell)} for m in wanted}
        points.append(Point(variant, values, cell, answers))
    return Grid(sweep, tuple(names), tuple(points))
