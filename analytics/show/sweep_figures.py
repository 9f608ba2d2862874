"""Figures of sweeps: data in, Plotly out. Texts are escaped, because Plotly reads a little HTML."""

from html import escape

import plotly.graph_objects as go

from analytics.metric.metric import find_metric, scale_of
from analytics.questions.sweep.grid import Grid, heading
from analytics.show.figures import errors, times
from analytics.words import interval, number, unit_of

SCALE = "Viridis"  # readable by colour-blind people, and in grey


def sweep_figure(grid: Grid, metric: str, part: str = "") -> go.Figure:
    """A metric over a sweep: dots with intervals along one axis, a map of colours over two.

    Of more axes, the first two are shown, and the others are taken at their first value.
    """
    return _line(grid, metric, part) if len(grid.sweep.axes) == 1 else _map(grid, metric, part)


def _line(grid: Grid, metric: str, part: str) -> go.Figure:
    ((name, values),), scale = grid.sweep.axes, scale_of(find_metric(metric).unit)
    known = {value: times(answer, scale) for value in values if (answer := grid.at(value).answer(metric, part))}
    figure = go.Figure()
    figure.add_scatter(
        x=[escape(value) for value in known], y=[answer.mean for answer in known.values()], mode="lines+markers",
        error_y=errors(list(known.values())), hovertext=[_hover(grid, (value,), metric, part) for value in known], hoverinfo="text",
    )  # fmt: skip
    titles = escape(name), escape(heading(metric, part))
    figure.update_layout(xaxis={"title": titles[0], "type": "category"}, yaxis={"title": titles[1]})
    return figure


def _map(grid: Grid, metric: str, part: str) -> go.Figure:
    (down, rows), (across, columns), *others = grid.sweep.axes
    rest = tuple(values[0] for _, values in others)
    unit = find_metric(metric).unit
    answers = [[grid.at(row, column, *rest).answer(metric, part) for column in columns] for row in rows]
    figure = go.Figure(
        go.Heatmap(
            x=[escape(column) for column in columns], y=[escape(row) for row in rows],
            z=[[scale_of(unit) * a.mean if a else None for a in row] for row in answers],
            text=[[number(a.mean, unit) if a else "" for a in row] for row in answers],
            texttemplate="%{text}", colorscale=SCALE, colorbar={"title": escape(heading(metric, part))},
            hovertext=[[_hover(grid, (row, column, *rest), metric, part) for column in columns] for row in rows], hoverinfo="text",
        )
    )  # fmt: skip
    fixed = "".join(f", {name}={value}" for (name, _), value in zip(others, rest, strict=True))
    titles = escape(across + fixed), escape(down)
    figure.update_layout(
        xaxis={"title": titles[0], "type": "category"}, yaxis={"title": titles[1], "type": "category", "autorange": "reversed"}
    )
    return figure


def _hover(grid: Grid, values: tuple[str, ...], metric: str, part: str) -> str:
    """The variant, the value with its interval, and n: no number without them."""
    point, unit = grid.at(*values), find_metric(metric).unit
    answer = point.answer(metric, part)
    if answer is None:
        return f"{escape(point.variant)}: not measured"
    return f"{escape(point.variant)}<br>{interval(answer, unit)} {escape(unit_of(unit))}<br>{answer.blocks:,} blocks"
