"""Sweeps as grids: which values were tried, and every metric at every point, from a result file. Plays
nothing.

`list_stored_sweeps` finds the grids of a file, `read_grid` reads one; the terminal and the dashboard show the
same objects.
"""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analytics.metric.evidence import load_evidence
from analytics.metric.metric import Metric, find_metric
from analytics.metric.sums import compute_unstored_sums
from analytics.stats.intervals import Estimate
from analytics.verdict.terms import MAIN_METRICS
from analytics.words import format_metric, format_unit
from boardgames.store.connection import get_connection, open_for_reading

FEWEST = 3  # variants: two are a comparison
CELLS = """
SELECT e.run, c.id, v.game, v.name, v.parameters, c.players, c.line_up, c.seed
FROM run_cell e JOIN cell c ON c.id = e.cell_id JOIN variant v ON v.id = c.variant_id ORDER BY e.run, e.rowid
"""


class SweepCell(NamedTuple):
    values: tuple[str, ...]  # along the axes
    id: int
    variant: str


class SweepCells(NamedTuple):
    """The cells of a grid: one for every combination of the values along its axes."""

    game: str
    players: int
    line_up: str
    seed: int
    axes: tuple[tuple[str, tuple[str, ...]], ...]  # parameters with their values
    cells: tuple[SweepCell, ...]

    @property
    def title(self) -> str:
        names = " and ".join(name for name, _ in self.axes)
        return f"{self.game} over {names}, {self.players} players, by {self.line_up}"


@dataclass(frozen=True)
class Point:
    """One variant of a grid."""

    variant: str
    values: tuple[str, ...]  # along the axes
    cell: int
    answers: Mapping[str, Mapping[str, Estimate]]  # by metric and part

    def find_estimate(self, metric: str, part: str = "") -> Estimate | None:
        return self.answers.get(metric, {}).get(part)


@dataclass(frozen=True)
class Grid:
    """A sweep with what was measured at every point."""

    sweep: SweepCells
    metrics: tuple[str, ...]
    points: tuple[Point, ...]

    def find_point(self, *values: str) -> Point:
        return next(point for point in self.points if point.values == values)


def format_heading(metric: str, part: str) -> str:
    """Leaders who win: 50, %"""
    return f"{format_metric(metric, part)}, {format_unit(find_metric(metric).unit)}"


def list_stored_sweeps(db: Path) -> list[SweepCells]:
    """Every grid of a run in this file: three variants of a game or more that fill all combinations."""
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(CELLS).fetchall()
    groups: dict[tuple[int, str, int, str, int], list[tuple[int, str, dict[str, str]]]] = {}
    for run, cell, game, name, parameters, players, line_up, seed in rows:
        groups.setdefault((run, game, players, line_up, seed), []).append(
            (cell, name, json.loads(parameters))
        )
    sweeps = [
        find_grid(game, players, line_up, seed, cells)
        for (_, game, players, line_up, seed), cells in groups.items()
        if len(cells) >= FEWEST
    ]
    return list({frozenset(cell.id for cell in sweep.cells): sweep for sweep in sweeps if sweep}.values())


def find_grid(
    game: str, players: int, line_up: str, seed: int, cells: Sequence[tuple[int, str, Mapping[str, str]]]
) -> SweepCells | None:
    """The grid of cells with their variants' names and parameters; None if they do not fill one."""
    values_by_name: dict[str, dict[str, None]] = {}
    for _, _, parameters in cells:
        for name, value in parameters.items():
            values_by_name.setdefault(name, {})[value] = None
    axes = tuple((name, _sort_values(values)) for name, values in values_by_name.items() if len(values) > 1)
    cell_at = {
        tuple(parameters[name] for name, _ in axes): (cell, title) for cell, title, parameters in cells
    }
    combinations = list(itertools.product(*(values for _, values in axes)))
    if not axes or set(cell_at) != set(combinations):
        return None
    return SweepCells(
        game,
        players,
        line_up,
        seed,
        axes,
        tuple(SweepCell(values, *cell_at[values]) for values in combinations),
    )


def _sort_values(values: Iterable[str]) -> tuple[str, ...]:
    """Numbers by size, words in their order."""
    try:
        return tuple(sorted(values, key=float))
    except ValueError:
        return tuple(values)


def read_grid(db: Path, sweep: SweepCells, names: Sequence[str] = MAIN_METRICS) -> Grid:
    """These metrics at every point of a sweep."""
    metrics: list[Metric] = [find_metric(name) for name in names]
    cells = [cell.id for cell in sweep.cells]
    evidence = load_evidence(db, cells, metrics, unstored=compute_unstored_sums(db))
    points = []
    for values, cell, variant in sweep.cells:
        answers = {
            metric.name: {
                part: evidence.estimate(metric, cell, part) for part in evidence.list_parts(metric, cell)
            }
            for metric in metrics
        }
        points.append(Point(variant, values, cell, answers))
    return Grid(sweep, tuple(names), tuple(points))
