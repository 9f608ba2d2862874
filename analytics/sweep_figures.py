"""Figures of sweeps: data in, Plotly out."""

import plotly.graph_objects as go

from analytics.metrics import SHARE, find_metric
from analytics.sentences import number, unit_of
from analytics.sweeps import Grid

SCALE = "Viridis"  # readable by colour-blind people, and in grey


def sweep_figure(grid: Grid, metric: str, part: str = "") -> go.Figure:
    """A metric over a sweep: dots with intervals along one axis, a map of colours over two.

    Of more axes, the first two are shown, and the others are taken at their first value.
    """
    return _line(grid, metric, part) if len(grid.sweep.axes) == 1 else _map(grid, metric, part)


def _line(grid: Grid, metric: str, part: str) -> go.Figure:
    ((name, values),) = grid.sweep.axes
    known = [(value, answer) for value in values if (answer := grid.at(value).answer(metric, part))]
    times = 100 if find_metric(metric).unit == SHARE else 1
    figure = go.Figure()
    figure.add_scatter(
        x=[value for value, _ in known], y=[times * answer.mean for _, answer in known], mode="lines+markers",
        error_y={
            "type": "data", "symmetric": False, "array": [times * (a.high - a.mean) for _, a in known],
            "arrayminus": [times * (a.mean - a.low) for _, a in known],
        },
        hovertext=[_hover(grid, (value,), metric, part) for value, _ in known], hoverinfo="text",
    )  # fmt: skip
    figure.update_layout(xaxis={"title": name, "type": "category"}, yaxis={"title": _title(metric, part)})
    return figure


def _map(grid: Grid, metric: str, part: str) -> go.Figure:
    (down, rows), (across, columns), *others = grid.sweep.axes
    rest = tuple(values[0] for _, values in others)
    times = 100 if find_metric(metric).unit == SHARE else 1
    answers = [[grid.at(row, column, *rest).answer(metric, part) for column in columns] for row in rows]
    figure = go.Figure(
        go.Heatmap(
            x=list(columns), y=list(rows), z=[[times * a.mean if a else None for a in row] for row in answers],
            text=[[number(a.mean, find_metric(metric).unit) if a else "" for a in row] for row in answers],
            texttemplate="%{text}", colorscale=SCALE, colorbar={"title": _title(metric, part)},
            hovertext=[[_hover(grid, (row, column, *rest), metric, part) for column in columns] for row in rows], hoverinfo="text",
        )
    )  # fmt: skip
    fixed = "".join(f", {name}={value}" for (name, _), value in zip(others, rest, strict=True))
    figure.update_layout(
        xaxis={"title": across + fixed, "type": "category"}, yaxis={"title": down, "type": "category", "autorange": "reversed"}
    )
    return figure


def _title(metric: str, part: str) -> str:
    return f"{metric} {part}".strip() + f", {unit_of(find_metric(metric).unit)}"


def _hover(grid: Grid, values: tuple[str, ...], metric: str, part: str) -> str:
    """The variant, the value with its interval, and n: no number without them."""
    point, unit = grid.at(*values), find_metric(metric).unit
    answer = point.answer(metric, part)
    if answer is None:
        return f"{point.variant}: not measured"
    shown = f"{number(answer.mean, unit)} ({number(answer.low, unit)} to {number(answer.high, unit)}) {unit_of(unit)}"
    return f"{point.variant}<br>{shown}<br>{answer.blocks:,} blocks"
