"""The charts of a comparison: differences in thresholds, and distributions side by side."""

import math
from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from analytics.questions.compare.conclusions import describe_verdict
from analytics.verdict.results import Line
from analytics.words import format_interval, format_unit
from dashboard.charts import LUCK, NO_FADING, VariantStyles, make_figure

BAND = "rgba(128,128,128,0.16)"
TICKS = (0, 1, 2, 5, 10, 30, 100, 300)  # of a forest plot, in thresholds


def draw_forest(
    lines: Sequence[Line], titles: Sequence[str], colour: str, links: Sequence[tuple[str, ...]]
) -> go.Figure:
    """Differences in thresholds, on a scale that is linear near 0 and compressed far from it. The grey band
    is where a difference does not matter.

    Thick: the ordinary 95 % interval. Thin: the always-valid one that verdicts use.
    """
    figure = make_figure(80 + 32 * len(lines))
    figure.add_vrect(-math.asinh(1), math.asinh(1), fillcolor=BAND, line_width=0, layer="below")
    figure.add_vline(0, line_color=LUCK, line_width=1)
    rows = [escape(title) for title in titles]
    for line, row, link in zip(lines, rows, links, strict=True):
        _add_span(figure, line.low, line.high, line.threshold, row, colour, 1.5)
        _add_span(figure, line.difference.low, line.difference.high, line.threshold, row, colour, 6)
        _add_centre(figure, line, row, colour, link)
    _set_scale(figure, lines)
    figure.update_xaxes(title="difference, in thresholds; within the band it does not matter")
    figure.update_yaxes(categoryorder="array", categoryarray=rows[::-1], type="category", showgrid=False)
    figure.update_layout(showlegend=False, margin={"t": 10})
    return figure


def _set_scale(figure: go.Figure, lines: Sequence[Line]) -> None:
    """Let the axis reach as far as the ordinary intervals, with ticks in thresholds."""
    ends = [
        abs(_compress(end, line.threshold))
        for line in lines
        for end in line.difference[:3]
        if line.threshold > 0 and math.isfinite(end)
    ]
    reach = 1.06 * max([math.asinh(2), *ends])
    marks = [sign * tick for tick in TICKS for sign in (1, -1) if math.asinh(tick) <= reach]
    labels = [f"{mark:+g}" if mark else "0" for mark in marks]
    figure.update_xaxes(
        range=[-reach, reach], tickvals=[math.asinh(mark) for mark in marks], ticktext=labels, zeroline=False
    )


def _compress(value: float, threshold: float) -> float:
    """A difference on the scale of a forest plot."""
    return math.asinh(value / threshold)


def _add_span(
    figure: go.Figure, low: float, high: float, threshold: float, row: str, colour: str, width: float
) -> None:
    if threshold > 0 and math.isfinite(low) and math.isfinite(high):
        ends = [_compress(end, threshold) for end in (low, high)]
        figure.add_scatter(
            x=ends,
            y=[row, row],
            mode="lines",
            line={"color": colour, "width": width},
            hoverinfo="skip",
            opacity=0.75,
        )


def _add_centre(figure: go.Figure, line: Line, row: str, colour: str, link: tuple[str, ...]) -> None:
    if line.threshold <= 0 or not math.isfinite(line.difference.mean):
        return
    size = (
        f"<b>{format_interval(line.difference, line.unit, True)}</b> {escape(format_unit(line.unit, True))}"
    )
    figure.add_scatter(
        x=[_compress(line.difference.mean, line.threshold)],
        y=[row],
        mode="markers",
        hoverinfo="text",
        hovertext=f"{row}<br>{size}<br>{escape(describe_verdict(line))}",
        customdata=[list(link)],
        **NO_FADING,
        marker={"color": colour, "size": 11, "line": {"color": "white", "width": 1}},
    )


def draw_distributions(
    series: Mapping[str, Sequence[tuple[float, float]]],
    styles: VariantStyles,
    x_title: str,
    links: Mapping[str, Sequence[tuple[str, ...]]],
) -> go.Figure:
    """The share of matches at each value, as steps; each value leads to its matches."""
    figure = make_figure(
        280, xaxis={"title": x_title}, yaxis={"title": "% of matches", "rangemode": "tozero"}
    )
    for variant, points in series.items():
        colour, _ = styles.get(variant)
        figure.add_scatter(
            x=[value for value, _ in points],
            y=[100 * share for _, share in points],
            mode="lines+markers",
            name=escape(variant),
            line={"color": colour, "width": 2, "shape": "hvh"},
            customdata=[list(link) for link in links[variant]],
            marker={"color": colour, "size": 9, "opacity": 0},
            selected={"marker": {"opacity": 1}},  # a line cannot be clicked
            hovertemplate=f"{escape(variant)}<br>%{{x}}: %{{y:.1f}} %<extra></extra>",
        )
    # Side by side, the steps would stand at other values.
    figure.update_layout(showlegend=len(series) > 1, scattermode="overlay")
    return figure
