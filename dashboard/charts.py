"""The figures of the pages: data in, Plotly out. Colours of text and ground are left to the theme, light or dark.

Texts are escaped, because Plotly reads a little HTML.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analytics.metric.metric import SHARE, scale_of
from analytics.show.figures import COLOURS, errors, times
from analytics.stats.intervals import Estimate
from analytics.verdict.results import Line
from analytics.words import interval, number, unit_of

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
LUCK = "rgba(128,128,128,0.9)"
BAND = "rgba(128,128,128,0.16)"
TICKS = (0, 1, 2, 5, 10, 30, 100, 300)  # of a forest plot, in margins
COLUMNS = 3
CHOSEN: dict[str, Any] = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}  # others do not fade


@dataclass(frozen=True)
class Dot:
    """One estimate in a figure, and what it leads to."""

    place: str  # across
    estimate: Estimate
    who: str  # what one reads when pointing at it
    link: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Looks:
    """One colour and one symbol for each variant of a file, the same everywhere."""

    variants: tuple[str, ...]

    def of(self, variant: str) -> tuple[str, str]:
        place = self.variants.index(variant) if variant in self.variants else 0
        return COLOURS[place % len(COLOURS)], SYMBOLS[(place + place // len(COLOURS)) % len(SYMBOLS)]


def frame(height: int = 340, **more: Any) -> go.Figure:
    return styled(go.Figure(), height, **more)


def styled(figure: go.Figure, height: int, **more: Any) -> go.Figure:
    figure.update_layout(
        template="plotly_white", height=height, margin={"l": 8, "r": 8, "t": 36, "b": 8}, hovermode="closest",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "title": ""}, scattermode="group",
        scattergap=0.55, font={"size": 13}, hoverlabel={"align": "left"}, **more,
    )  # fmt: skip
    figure.update_xaxes(automargin=True, title_standoff=10)
    figure.update_yaxes(automargin=True, title_standoff=10, rangemode="normal")
    return figure


def by_place(series: Mapping[str, Sequence[Dot]], looks: Looks, unit: str, across: str, lines: bool = False) -> go.Figure:
    """Estimates with their intervals, side by side at each place."""
    figure = frame(xaxis={"title": escape(across), "type": "category"}, yaxis={"title": escape(unit_of(unit))})
    for variant, dots in series.items():
        _dots(figure, variant, dots, looks, unit, "lines+markers" if lines else "markers")
    figure.update_layout(showlegend=len(series) > 1, scattermode="overlay" if lines else "group")
    _in_order(figure, [dot.place for dots in series.values() for dot in dots])
    return figure


def in_panels(
    panels: Mapping[str, Mapping[str, Sequence[Dot]]], looks: Looks, unit: str, across: str, fair: Mapping[str, float] | None = None
) -> go.Figure:
    """The same in several panels, one for each player count; `fair` draws a line in each."""
    columns = min(COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = make_subplots(
        rows, columns, subplot_titles=[escape(name) for name in panels], shared_yaxes=fair is None,
        horizontal_spacing=0.06 if fair is None else 0.09, vertical_spacing=0.25 / rows,
    )  # fmt: skip
    styled(figure, 60 + 270 * rows)
    seen: set[str] = set()
    for place, (name, series) in enumerate(panels.items()):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        for variant, dots in series.items():
            _dots(figure, variant, dots, looks, unit, "markers", showlegend=variant not in seen, legendgroup=variant, **at)
            seen.add(variant)
        if fair:
            level = scale_of(unit) * fair[name]
            figure.add_hline(y=level, line_dash="dot", line_color=LUCK, **at)
            figure.update_yaxes(range=_around(level, [dot.estimate for dots in series.values() for dot in dots], unit), **at)
    figure.update_xaxes(type="category", title=escape(across))
    figure.update_yaxes(title=escape(unit_of(unit)), col=1)
    figure.update_annotations(font_size=13, yshift=2)
    figure.update_layout(showlegend=len(seen) > 1, margin={"t": 70 if len(seen) > 1 else 40})
    figure.update_layout(legend={"y": 1 + 34 / (60 + 270 * rows)})
    return figure


def _around(level: float, estimates: Sequence[Estimate], unit: str) -> list[float]:
    """A range that has a level in its middle and all intervals in it."""
    ends = [abs(scale_of(unit) * end - level) for e in estimates for end in e[:3] if math.isfinite(end)]
    reach = 1.15 * max([*ends, 2.0])
    return [level - reach, level + reach]


def _dots(
    figure: go.Figure, variant: str, dots: Sequence[Dot], looks: Looks, unit: str, mode: str, *, row: int | None = None,
    col: int | None = None, **more: Any,
) -> None:  # fmt: skip
    """A mark for each estimate; hollow where there is no interval yet."""
    colour, symbol = looks.of(variant)
    scaled = [times(dot.estimate, scale_of(unit)) for dot in dots]
    hollow = [not math.isfinite(one.low) for one in scaled]
    marker = {
        "color": colour, "size": 9, "symbol": [f"{symbol}-open" if no else symbol for no in hollow],
        "line": {"width": 2, "color": colour},
    }  # fmt: skip
    trace = go.Scatter(
        x=[escape(dot.place) for dot in dots], y=[one.mean for one in scaled], error_y=_bars(scaled, colour), mode=mode,
        name=escape(variant), offsetgroup=escape(variant), marker=marker, line={"color": colour, "width": 1.2},
        customdata=[list(dot.link) for dot in dots], hovertext=[told(dot, unit) for dot in dots], hoverinfo="text",
        **CHOSEN, **more,
    )  # fmt: skip
    figure.add_trace(trace, row=row, col=col)


def _bars(estimates: Sequence[Estimate], colour: str) -> dict[str, Any]:
    known = [one if math.isfinite(one.low) else Estimate(one.mean, one.mean, one.mean, 0) for one in estimates]
    return {**errors(known), "color": colour, "thickness": 2, "width": 4}


def told(dot: Dot, unit: str) -> str:
    """What one reads when pointing at a dot."""
    shown = interval(dot.estimate, unit)
    return f"{escape(dot.who)}<br><b>{shown}</b> {escape(unit_of(unit))}<br>{dot.estimate.blocks:,} blocks"


def _in_order(figure: go.Figure, places: Sequence[str]) -> None:
    figure.update_xaxes(categoryorder="array", categoryarray=[escape(place) for place in dict.fromkeys(places)])


# ---- comparisons


def forest(lines: Sequence[Line], titles: Sequence[str], colour: str, links: Sequence[tuple[Any, ...]]) -> go.Figure:
    """Differences in margins, on a scale that is even around 0 and narrows far from it: the grey band is where nothing matters.

    Thick: the ordinary 95 % interval. Thin: the one that verdicts go by, which holds however often one looks.
    """
    figure = frame(80 + 32 * len(lines))
    figure.add_vrect(-math.asinh(1), math.asinh(1), fillcolor=BAND, line_width=0, layer="below")
    figure.add_vline(0, line_color=LUCK, line_width=1)
    rows = [escape(title) for title in titles]
    for line, row, link in zip(lines, rows, links, strict=True):
        _span(figure, line.low, line.high, line.margin, row, colour, 1.5)
        _span(figure, line.difference.low, line.difference.high, line.margin, row, colour, 6)
        _centre(figure, line, row, colour, link)
    ends = [abs(_scaled(e, line.margin)) for line in lines for e in line.difference[:3] if line.margin > 0 and math.isfinite(e)]
    reach = 1.06 * max([math.asinh(2), *ends])
    marks = [sign * tick for tick in TICKS for sign in (1, -1) if math.asinh(tick) <= reach]
    words = [f"{mark:+g}" if mark else "0" for mark in marks]
    figure.update_xaxes(range=[-reach, reach], tickvals=[math.asinh(mark) for mark in marks], ticktext=words, zeroline=False)
    figure.update_xaxes(title="difference, in margins; within the band it does not matter")
    figure.update_yaxes(categoryorder="array", categoryarray=rows[::-1], type="category", showgrid=False)
    figure.update_layout(showlegend=False, margin={"t": 10})
    return figure


def _scaled(value: float, margin: float) -> float:
    return math.asinh(value / margin)


def _span(figure: go.Figure, low: float, high: float, margin: float, row: str, colour: str, width: float) -> None:
    if margin > 0 and math.isfinite(low) and math.isfinite(high):
        ends = [_scaled(end, margin) for end in (low, high)]
        figure.add_scatter(
            x=ends, y=[row, row], mode="lines", line={"color": colour, "width": width}, hoverinfo="skip", opacity=0.75
        )


def _centre(figure: go.Figure, line: Line, row: str, colour: str, link: tuple[Any, ...]) -> None:
    if line.margin <= 0 or not math.isfinite(line.difference.mean):
        return
    size = f"<b>{interval(line.difference, line.unit, True)}</b> {escape(unit_of(line.unit, True))}"
    figure.add_scatter(
        x=[_scaled(line.difference.mean, line.margin)], y=[row], mode="markers", hoverinfo="text",
        hovertext=f"{row}<br>{size}<br>{escape(line.sentence)}", customdata=[list(link)], **CHOSEN,
        marker={"color": colour, "size": 11, "line": {"color": "white", "width": 1}},
    )  # fmt: skip


def shares(
    series: Mapping[str, Sequence[tuple[float, float]]], looks: Looks, across: str, links: Mapping[str, Sequence[tuple[Any, ...]]]
) -> go.Figure:
    """Distributions: the share of matches at each value, as steps; each value leads to its matches."""
    figure = frame(280, xaxis={"title": across}, yaxis={"title": "% of matches", "rangemode": "tozero"})
    for variant, points in series.items():
        colour, _ = looks.of(variant)
        figure.add_scatter(
            x=[value for value, _ in points], y=[100 * share for _, share in points], mode="lines+markers", name=escape(variant),
            line={"color": colour, "width": 2, "shape": "hvh"}, customdata=[list(link) for link in links[variant]],
            marker={"color": colour, "size": 9, "opacity": 0}, selected={"marker": {"opacity": 1}},  # a line cannot be clicked
            hovertemplate=f"{escape(variant)}<br>%{{x}}: %{{y:.1f}} %<extra></extra>",
        )  # fmt: skip
    figure.update_layout(showlegend=len(series) > 1, scattermode="overlay")  # side by side, they would stand at other values
    return figure


# ---- others


def sideways(
    series: Mapping[str, Sequence[Dot]], looks: Looks, unit: str, across: str, even: float | None = None, log: bool = False
) -> go.Figure:
    """Estimates in rows, for what has long names; `even` is where nothing is to be seen."""
    places = list(dict.fromkeys(dot.place for dots in series.values() for dot in dots))
    height = 90 + max(2, len(places)) * (22 + 10 * len(series))
    figure = frame(height, xaxis={"title": escape(across), "type": "log" if log else "linear"})
    for variant, dots in series.items():
        colour, symbol = looks.of(variant)
        known = [dot for dot in dots if math.isfinite(dot.estimate.mean)]
        scaled = [times(dot.estimate, scale_of(unit)) for dot in known]
        figure.add_scatter(
            x=[one.mean for one in scaled], y=[escape(dot.place) for dot in known], mode="markers", name=escape(variant),
            error_x=_bars(scaled, colour), marker={"color": colour, "size": 9, "symbol": symbol}, **CHOSEN,
            offsetgroup=escape(variant), orientation="h", hoverinfo="text",
            customdata=[list(dot.link) for dot in known], hovertext=[told(dot, unit) for dot in known],
        )  # fmt: skip
    if even is not None:
        figure.add_vline(even, line_dash="dot", line_color=LUCK)
    figure.update_yaxes(categoryorder="array", categoryarray=[escape(place) for place in places[::-1]], type="category")
    figure.update_layout(showlegend=len(series) > 1)
    return figure


def over_time(series: Mapping[str, Sequence[float]], at: int | None, across: str, up: str, words: Sequence[str] = ()) -> go.Figure:
    """A line for each seat over the steps of a match; `at` marks where one stands."""
    figure = frame(240, xaxis={"title": across}, yaxis={"title": up})
    for place, (name, values) in enumerate(series.items()):
        figure.add_scatter(
            y=list(values), name=escape(name), mode="lines", hovertext=[escape(word) for word in words] or None,
            line={"color": COLOURS[place % len(COLOURS)], "width": 2, "shape": "hv", "dash": ("solid", "dash", "dot")[place % 3]},
        )  # fmt: skip
    if at is not None:
        figure.add_vline(at, line_color=LUCK, line_width=1.5)
    return figure


def with_luck(figure: go.Figure, places: Sequence[str], levels: Sequence[float], name: str) -> go.Figure:
    """Beside what was seen, a race of pure luck."""
    figure.add_scatter(
        x=list(places), y=list(levels), mode="markers", name=escape(name), offsetgroup="luck",
        marker={"symbol": "line-ew-open", "size": 26, "color": LUCK, "line": {"width": 2}},
        hovertemplate="%{y:.1f} %<extra>pure luck</extra>",
    )  # fmt: skip
    return figure


def percent(value: float) -> str:
    return number(value, SHARE) + " %"
