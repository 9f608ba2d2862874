"""A forest plot: differences with their intervals, one row each, in thresholds."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import plotly.graph_objects as go

from analytics.questions.compare.conclusions import describe_verdict
from analytics.verdict.results import Line
from analytics.words import format_interval, format_unit

ZERO = "rgba(128,128,128,0.9)"
BAND = "rgba(128,128,128,0.16)"
TICKS = (0, 1, 2, 5, 10, 30, 100, 300)  # in thresholds
BOLD = "<b>"
ROW_HEIGHT = 32
AXIS_HEIGHT = 112  # pixels of the ticks and the three lines below them


class ForestRow(NamedTuple):
    line: Line
    title: str
    colour: str
    link: tuple[str, ...] = ()  # the matches that it leads to
    group: str = ""  # stands in bold above the first row of each


def draw_forest(figure: go.Figure, rows: Sequence[ForestRow], reach: float | None = None) -> go.Figure:
    """Differences in thresholds, on a scale that is linear near 0 and compressed far from it. The grey band
    is where a difference does not matter. Plots that are compared have one `reach`.

    Thick: the ordinary 95% interval. Thin: the always-valid one that verdicts use.
    """
    figure.add_vrect(-math.asinh(1), math.asinh(1), fillcolor=BAND, line_width=0, layer="below")
    figure.add_vline(0, line_color=ZERO, line_width=1)
    for row in rows:
        _add_span(figure, row, (row.line.low, row.line.high), 1.5)
        _add_span(figure, row, (row.line.difference.low, row.line.difference.high), 6)
        _add_centre(figure, row)
    _set_scale(figure, reach or find_reach([row.line for row in rows]))
    labels = list_labels(rows)
    headings = [label for label in labels if label.startswith(BOLD)]
    if headings:  # a point without a place makes room for its label
        figure.add_scatter(x=[None] * len(headings), y=headings, mode="markers", hoverinfo="skip")
    # in lines that a phone has room for
    figure.update_xaxes(title="difference, in thresholds;<br>within the band<br>it does not matter")
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=labels[::-1],
        range=[-0.5, len(labels) - 0.5],
        type="category",
        showgrid=False,
    )
    figure.update_layout(showlegend=False, margin={"t": 10})
    return figure


def list_labels(rows: Sequence[ForestRow]) -> list[str]:
    """The names of the rows from above, with a heading where a group begins."""
    labels = []
    group = ""
    for row in rows:
        if row.group != group:
            labels.append(f"{BOLD}{escape(row.group)}</b>")
        group = row.group
        labels.append(escape(row.title))
    return labels


def find_reach(lines: Sequence[Line]) -> float:
    """How far the axis goes to both sides: as far as the ordinary intervals."""
    ends = [
        abs(_compress(end, line.threshold))
        for line in lines
        for end in line.difference[:3]
        if line.threshold > 0 and math.isfinite(end)
    ]
    return 1.06 * max([math.asinh(2), *ends])


def _set_scale(figure: go.Figure, reach: float) -> None:
    """Let the axis reach that far, with ticks in thresholds."""
    marks = [sign * tick for tick in TICKS for sign in (1, -1) if math.asinh(tick) <= reach]
    labels = [f"{mark:+g}" if mark else "0" for mark in marks]
    figure.update_xaxes(
        range=[-reach, reach], tickvals=[math.asinh(mark) for mark in marks], ticktext=labels, zeroline=False
    )


def _compress(value: float, threshold: float) -> float:
    """A difference on the scale of a forest plot."""
    return math.asinh(value / threshold)


def _add_span(figure: go.Figure, row: ForestRow, ends: tuple[float, float], width: float) -> None:
    if row.line.threshold > 0 and all(map(math.isfinite, ends)):
        figure.add_scatter(
            x=[_compress(end, row.line.threshold) for end in ends],
            y=[escape(row.title)] * 2,
            mode="lines",
            line={"color": row.colour, "width": width},
            hoverinfo="skip",
            opacity=0.75,
        )


def _add_centre(figure: go.Figure, row: ForestRow) -> None:
    line, title = row.line, escape(row.title)
    if line.threshold <= 0 or not math.isfinite(line.difference.mean):
        return
    size = (
        f"<b>{format_interval(line.difference, line.unit, True)}</b> {escape(format_unit(line.unit, True))}"
    )
    figure.add_scatter(
        x=[_compress(line.difference.mean, line.threshold)],
        y=[title],
        mode="markers",
        hoverinfo="text",
        hovertext=f"{title}<br>{size}<br>{escape(describe_verdict(line))}",
        customdata=[list(row.link)],
        marker={"color": row.colour, "size": 11, "line": {"color": "white", "width": 1}},
    )
