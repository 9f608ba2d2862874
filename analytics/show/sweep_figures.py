"""Figures of sweeps: data in, Plotly out. Texts are escaped, because Plotly reads a little HTML."""

from html import escape

import plotly.graph_objects as go

from analytics.metric.metric import find_metric, find_scale
from analytics.questions.sweep.grid import Grid, format_heading
from analytics.show.figures import make_error_bars
from analytics.words import format_interval, format_number, format_unit

SCALE = "Viridis"  # readable by colour-blind people, and in grey


def draw_sweep(grid: Grid, metric: str, part: str = "") -> go.Figure:
    """A metric over a sweep: dots with intervals along one axis, a map of colours over two.

    Of more axes, the first two are shown, and the others are taken at their first value.
    """
    return _draw_line(grid, metric, part) if len(grid.sweep.axes) == 1 else _draw_map(grid, metric, part)


def _draw_line(grid: Grid, metric: str, part: str) -> go.Figure:
    ((name, values),), scale = grid.sweep.axes, find_scale(find_metric(metric).unit)
    estimates = {
        value: estimate.scale(scale)
        for value in values
        if (estimate := grid.find_point(value).find_estimate(metric, part))
    }
    figure = go.Figure()
    figure.add_scatter(
        x=[escape(value) for value in estimates],
        y=[estimate.mean for estimate in estimates.values()],
        mode="lines+markers",
        error_y=make_error_bars(list(estimates.values())),
        hovertext=[_format_hover(grid, (value,), metric, part) for value in estimates],
        hoverinfo="text",
    )
    titles = escape(name), escape(format_heading(metric, part))
    figure.update_layout(xaxis={"title": titles[0], "type": "category"}, yaxis={"title": titles[1]})
    return figure


def _draw_map(grid: Grid, metric: str, part: str) -> go.Figure:
    (down, rows), (across, columns), *others = grid.sweep.axes
    rest = tuple(values[0] for _, values in others)
    unit = find_metric(metric).unit
    estimates = [
        [grid.find_point(row, column, *rest).find_estimate(metric, part) for column in columns]
        for row in rows
    ]
    figure = go.Figure(
        go.Heatmap(
            x=[escape(column) for column in columns],
            y=[escape(row) for row in rows],
            z=[
                [find_scale(unit) * estimate.mean if estimate else None for estimate in row]
                for row in estimates
            ],
            text=[
                [format_number(estimate.mean, unit) if estimate else "" for estimate in row]
                for row in estimates
            ],
            texttemplate="%{text}",
            colorscale=SCALE,
            colorbar={"title": escape(format_heading(metric, part))},
            hovertext=[
                [_format_hover(grid, (row, column, *rest), metric, part) for column in columns]
                for row in rows
            ],
            hoverinfo="text",
        )
    )
    fixed = "".join(f", {name}={value}" for (name, _), value in zip(others, rest, strict=True))
    titles = escape(across + fixed), escape(down)
    figure.update_layout(
        xaxis={"title": titles[0], "type": "category"},
        yaxis={"title": titles[1], "type": "category", "autorange": "reversed"},
    )
    return figure


def _format_hover(grid: Grid, values: tuple[str, ...], metric: str, part: str) -> str:
    """The variant, the value with its interval, and n: no number without them."""
    point, unit = grid.find_point(*values), find_metric(metric).unit
    estimate = point.find_estimate(metric, part)
    if estimate is None:
        return f"{escape(point.variant)}: not measured"
    value = f"{format_interval(estimate, unit)} {escape(format_unit(unit))}"
    return f"{escape(point.variant)}<br>{value}<br>{estimate.deals:,} deals"
