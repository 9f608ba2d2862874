"""A sweep as a terminal shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.table import Table

from analytics.metric.metric import find_metric
from analytics.questions.sweep.grid import Grid, Point, heading
from analytics.questions.sweep.sweep import Sweep
from analytics.show.terminal.comparison import around


def show_sweep(sweep: Sweep, everything: bool = False) -> Iterator[Any]:
    """The grid of what was aimed at, then what may be said; with everything, a grid of every metric."""
    grid = sweep.grid
    yield f"\n{grid.sweep.title}: {sweep.blocks:,} blocks of each, seed {grid.sweep.seed}; wanted: {sweep.aim}"
    shown = grid.metrics if everything else grid.metrics[:1]
    columns = [(m, part) for m in shown for part in dict.fromkeys(p for point in grid.points for p in point.answers[m])]
    if len(grid.sweep.axes) == 2:
        yield from (_flat(grid, metric, part, sweep.best) for metric, part in columns)
    else:
        yield _rows(grid, columns, sweep.best)
    yield sweep.sentence
    yield from sweep.edges
    first, *later = sweep.written
    yield f"aim written down when {first[1]:,} of these matches were stored"
    yield from (f"changed after {matches:,} matches: {aim}" for aim, matches in later)
    if sweep.reconstructed:
        yield f"part of the components is reconstructed ({', '.join(sweep.reconstructed)}): `boardgames show {grid.sweep.game}`"


def _flat(grid: Grid, metric: str, part: str, best: str) -> Table:
    """Two axes: the first down, the second across."""
    (down, rows), (across, columns) = grid.sweep.axes
    table = _table(f"{heading(metric, part)} ± 95 %, by {down} (down) and {across} (across); * looks best")
    for head in ("", *columns):
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row, *(_starred(grid.at(row, column), metric, part, best) for column in columns))
    return table


def _rows(grid: Grid, columns: Sequence[tuple[str, str]], best: str) -> Table:
    """Any number of axes: a row for each point."""
    table = _table("± 95 %; * looks best")
    for name in ["", *(name for name, _ in grid.sweep.axes)]:
        table.add_column(name, justify="right", no_wrap=True)
    for metric, part in columns:
        table.add_column(heading(metric, part), justify="right")
    for point in grid.points:
        star = "*" if point.variant == best else ""
        table.add_row(star, *point.values, *(_cell(point, metric, part) for metric, part in columns))
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def _cell(point: Point, metric: str, part: str) -> str:
    answer = point.answer(metric, part)
    return around(answer, find_metric(metric).unit) if answer else ""


def _starred(point: Point, metric: str, part: str, best: str) -> str:
    return _cell(point, metric, part) + ("*" if point.variant == best else " ")
