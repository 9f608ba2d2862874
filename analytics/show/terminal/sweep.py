"""A sweep as a terminal shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from analytics.metric.metric import find_metric
from analytics.questions.sweep.grid import Grid, Point, format_heading
from analytics.questions.sweep.sweep import Sweep
from analytics.show.table import make_table
from analytics.show.terminal.comparison import format_give_or_take
from analytics.words import describe_moment, describe_reconstructed


def show_sweep(sweep: Sweep, everything: bool = False) -> Iterator[Any]:
    """The grid of the aim's metric, then the result; with `everything`, a grid of every metric."""
    grid = sweep.grid
    yield f"\n{grid.sweep.title}: {sweep.deals:,} deals of each, seed {grid.sweep.seed}; wanted: {sweep.aim}"
    shown = grid.metrics if everything else grid.metrics[:1]
    columns = [
        (m, part)
        for m in shown
        for part in dict.fromkeys(p for point in grid.points for p in point.answers[m])
    ]
    if len(grid.sweep.axes) == 2:
        yield from (_make_flat_table(grid, metric, part, sweep.best) for metric, part in columns)
    else:
        yield _make_rows_table(grid, columns, sweep.best)
    yield sweep.sentence
    yield from sweep.edges
    yield _describe_aims(sweep)
    if sweep.reconstructed:
        yield describe_reconstructed(grid.sweep.game, sweep.reconstructed)


def _describe_aims(sweep: Sweep) -> str:
    """When the aim was fixed, and what else the same grid was searched for."""
    fixed = next(matches for aim, matches in sweep.written if aim == sweep.aim)
    others = dict.fromkeys(aim for aim, _ in sweep.written if aim != sweep.aim)
    also = f" This grid was also searched for: {', '.join(others)}." if others else ""
    return f"This aim was fixed {describe_moment(fixed)}.{also}"


def _make_flat_table(grid: Grid, metric: str, part: str, best: str) -> Table:
    """Two axes: the first down, the second across."""
    (down, rows), (across, columns) = grid.sweep.axes
    table = make_table(
        f"{format_heading(metric, part)} (±: 95% interval), {down} down, {across} across; * looks best"
    )
    for head in ("", *columns):
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row, *(_format_starred(grid.find_point(row, column), metric, part, best) for column in columns)
        )
    return table


def _make_rows_table(grid: Grid, columns: Sequence[tuple[str, str]], best: str) -> Table:
    """Any number of axes: a row for each point."""
    table = make_table("±: 95% interval; * looks best")
    for name in ["", *(name for name, _ in grid.sweep.axes)]:
        table.add_column(name, justify="right", no_wrap=True)
    for metric, part in columns:
        table.add_column(format_heading(metric, part), justify="right")
    for point in grid.points:
        star = "*" if point.variant == best else ""
        table.add_row(star, *point.values, *(_format_cell(point, metric, part) for metric, part in columns))
    return table


def _format_cell(point: Point, metric: str, part: str) -> str:
    estimate = point.find_estimate(metric, part)
    return format_give_or_take(estimate, find_metric(metric).unit) if estimate else ""


def _format_starred(point: Point, metric: str, part: str, best: str) -> str:
    return _format_cell(point, metric, part) + ("*" if point.variant == best else " ")
