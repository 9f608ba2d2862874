"""The charts of the pages: data in, Plotly figures out. Colours of text and background are left to the theme,
light or dark.

Texts are escaped, because Plotly reads a little HTML.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analytics.metric.metric import SHARE, find_scale
from analytics.show.figures import COLOURS, make_error_bars
from analytics.stats.intervals import Estimate
from analytics.words import format_interval, format_number, format_unit

SYMBOLS = ("diamond", "square", "triangle-up", "cross", "star", "hexagon")
BASELINE = ("#666e76", "circle")
NOT_CHOSEN = ("#b4b6bd", "circle-open")
LUCK = "rgba(128,128,128,0.9)"
COLUMNS = 3
# Plotly's own templates describe every kind of chart, which takes longer than drawing one of ours
AXIS: dict[str, Any] = {"gridcolor": "#e6e8ee", "zerolinecolor": "#e6e8ee", "ticks": ""}
TEMPLATE: dict[str, Any] = {
    "layout": {"paper_bgcolor": "white", "plot_bgcolor": "white", "xaxis": AXIS, "yaxis": AXIS}
}
NO_FADING: dict[str, Any] = {  # when one point is selected, the others do not fade
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
}


@dataclass(frozen=True)
class Dot:
    """An estimate in a chart, and the matches it leads to."""

    category: str  # on the axis
    estimate: Estimate
    hover: str  # text when pointing at it
    link: tuple[str, ...] = ()


@dataclass(frozen=True)
class VariantStyles:
    """One colour and one symbol for each chosen variant: the baseline neutral, then hues that can be told
    apart. No two share both.
    """

    variants: tuple[str, ...]  # the baseline first

    def get(self, variant: str) -> tuple[str, str]:
        if variant not in self.variants:
            return NOT_CHOSEN
        index = self.variants.index(variant) - 1
        if index < 0:
            return BASELINE
        return COLOURS[index % len(COLOURS)], SYMBOLS[(index + index // len(COLOURS)) % len(SYMBOLS)]


def make_figure(height: int = 340, **layout_options: Any) -> go.Figure:
    return apply_style(go.Figure(), height, **layout_options)


def apply_style(figure: go.Figure, height: int, **layout_options: Any) -> go.Figure:
    figure.update_layout(
        template=TEMPLATE,
        height=height,
        margin={"l": 8, "r": 8, "t": 36, "b": 8},
        hovermode="closest",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "title": ""},
        scattermode="group",
        scattergap=0.55,
        font={"size": 13},
        hoverlabel={"align": "left"},
        **layout_options,
    )
    figure.update_xaxes(automargin=True, title_standoff=10)
    figure.update_yaxes(automargin=True, title_standoff=10, rangemode="normal")
    return figure


def draw_by_category(
    series: Mapping[str, Sequence[Dot]],
    styles: VariantStyles,
    unit: str,
    x_title: str,
    has_lines: bool = False,
) -> go.Figure:
    """Estimates with their intervals, side by side for each category."""
    figure = make_figure(
        xaxis={"title": escape(x_title), "type": "category"}, yaxis={"title": escape(format_unit(unit))}
    )
    for variant, dots in series.items():
        mode = "lines+markers" if has_lines else "markers"
        figure.add_trace(_make_dots(variant, dots, styles, unit, mode=mode))
    figure.update_layout(showlegend=len(series) > 1, scattermode="overlay" if has_lines else "group")
    _order_categories(figure, [dot.category for dots in series.values() for dot in dots])
    return figure


def draw_panels(
    panels: Mapping[str, Mapping[str, Sequence[Dot]]],
    styles: VariantStyles,
    unit: str,
    x_title: str,
    fair: Mapping[str, float] | None = None,
) -> go.Figure:
    """Estimates by category in several panels, one per player count; `fair` draws a line in each."""
    columns = min(COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = make_subplots(
        rows,
        columns,
        subplot_titles=[escape(name) for name in panels],
        shared_yaxes=fair is None,
        horizontal_spacing=0.06 if fair is None else 0.09,
        vertical_spacing=0.25 / rows,
    )
    height = 60 + 270 * rows
    apply_style(figure, height)
    in_legend: set[str] = set()
    for index, (name, series) in enumerate(panels.items()):
        for variant, dots in series.items():
            trace = _make_dots(
                variant, dots, styles, unit, showlegend=variant not in in_legend, legendgroup=variant
            )
            figure.add_trace(trace, **_find_panel(index))
            in_legend.add(variant)
        if fair:
            _add_fair_line(figure, index, fair[name], series, unit)
    figure.update_xaxes(type="category", title=escape(x_title))
    figure.update_yaxes(title=escape(format_unit(unit)), col=1)
    figure.update_annotations(font_size=13, yshift=2)
    figure.update_layout(showlegend=len(in_legend) > 1, margin={"t": 70 if len(in_legend) > 1 else 40})
    figure.update_layout(legend={"y": 1 + 34 / height})
    return figure


def _find_panel(index: int) -> dict[str, int]:
    """Row and column of the n-th panel, as Plotly counts them."""
    return {"row": index // COLUMNS + 1, "col": index % COLUMNS + 1}


def _add_fair_line(
    figure: go.Figure, index: int, fair: float, series: Mapping[str, Sequence[Dot]], unit: str
) -> None:
    """Draw a line at the fair value, in the middle of a panel's axis."""
    level = find_scale(unit) * fair
    figure.add_hline(y=level, line_dash="dot", line_color=LUCK, **_find_panel(index))
    estimates = [dot.estimate for dots in series.values() for dot in dots]
    figure.update_yaxes(range=_make_range(level, estimates, unit), **_find_panel(index))


def _make_range(level: float, estimates: Sequence[Estimate], unit: str) -> list[float]:
    """An axis range with `level` in its middle that holds all intervals."""
    ends = [abs(find_scale(unit) * end - level) for e in estimates for end in e[:3] if math.isfinite(end)]
    reach = 1.15 * max([*ends, 2.0])
    return [level - reach, level + reach]


def _make_dots(
    variant: str, dots: Sequence[Dot], styles: VariantStyles, unit: str, **trace_options: Any
) -> go.Scatter:
    """A mark for each estimate; hollow where there is no interval yet."""
    colour, symbol = styles.get(variant)
    scaled = [dot.estimate.scale(find_scale(unit)) for dot in dots]
    hollow = [not math.isfinite(estimate.low) for estimate in scaled]
    marker = {
        "color": colour,
        "size": 9,
        "symbol": [f"{symbol}-open" if is_hollow else symbol for is_hollow in hollow],
        "line": {"width": 2, "color": colour},
    }
    options = {"mode": "markers", **NO_FADING, **trace_options}
    return go.Scatter(
        x=[escape(dot.category) for dot in dots],
        y=[estimate.mean for estimate in scaled],
        error_y=_make_error_bars(scaled, colour),
        name=escape(variant),
        offsetgroup=escape(variant),
        marker=marker,
        line={"color": colour, "width": 1.2},
        customdata=[list(dot.link) for dot in dots],
        hovertext=[format_hover(dot, unit) for dot in dots],
        hoverinfo="text",
        **options,
    )


def _make_error_bars(estimates: Sequence[Estimate], colour: str) -> dict[str, Any]:
    drawable = [
        estimate if math.isfinite(estimate.low) else Estimate(estimate.mean, estimate.mean, estimate.mean, 0)
        for estimate in estimates
    ]
    return {**make_error_bars(drawable), "color": colour, "thickness": 2, "width": 4}


def format_hover(dot: Dot, unit: str) -> str:
    """The text shown when pointing at a dot."""
    interval_text = format_interval(dot.estimate, unit)
    deals = f"{dot.estimate.deals:,} deals"
    return f"{escape(dot.hover)}<br><b>{interval_text}</b> {escape(format_unit(unit))}<br>{deals}"


def _order_categories(figure: go.Figure, categories: Sequence[str]) -> None:
    figure.update_xaxes(
        categoryorder="array", categoryarray=[escape(category) for category in dict.fromkeys(categories)]
    )


def draw_rows(
    series: Mapping[str, Sequence[Dot]],
    styles: VariantStyles,
    unit: str,
    x_title: str,
    reference: float | None = None,
    has_log_axis: bool = False,
) -> go.Figure:
    """Estimates in rows, for long names; `reference` draws a line at the value of no effect."""
    categories = list(dict.fromkeys(dot.category for dots in series.values() for dot in dots))
    height = 90 + max(2, len(categories)) * (22 + 10 * len(series))
    figure = make_figure(
        height, xaxis={"title": escape(x_title), "type": "log" if has_log_axis else "linear"}
    )
    for variant, dots in series.items():
        figure.add_trace(_make_row_dots(variant, dots, styles, unit))
    if reference is not None:
        figure.add_vline(reference, line_dash="dot", line_color=LUCK)
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=[escape(category) for category in categories[::-1]],
        type="category",
    )
    figure.update_layout(showlegend=len(series) > 1)
    return figure


def _make_row_dots(variant: str, dots: Sequence[Dot], styles: VariantStyles, unit: str) -> go.Scatter:
    """A mark for each estimate that is known, in its row."""
    colour, symbol = styles.get(variant)
    known_dots = [dot for dot in dots if math.isfinite(dot.estimate.mean)]
    scaled = [dot.estimate.scale(find_scale(unit)) for dot in known_dots]
    return go.Scatter(
        x=[estimate.mean for estimate in scaled],
        y=[escape(dot.category) for dot in known_dots],
        mode="markers",
        name=escape(variant),
        error_x=_make_error_bars(scaled, colour),
        marker={"color": colour, "size": 9, "symbol": symbol},
        **NO_FADING,
        offsetgroup=escape(variant),
        orientation="h",
        hoverinfo="text",
        customdata=[list(dot.link) for dot in known_dots],
        hovertext=[format_hover(dot, unit) for dot in known_dots],
    )


def draw_over_time(
    series: Mapping[str, Sequence[float]],
    step: int | None,
    x_title: str,
    y_title: str,
    hover_texts: Sequence[str] = (),
) -> go.Figure:
    """A line for each seat over the steps of a match; `step` marks the current one."""
    figure = make_figure(240, xaxis={"title": x_title}, yaxis={"title": y_title})
    for index, (name, values) in enumerate(series.items()):
        figure.add_scatter(
            y=list(values),
            name=escape(name),
            mode="lines",
            hovertext=[escape(text) for text in hover_texts] or None,
            line={
                "color": COLOURS[index % len(COLOURS)],
                "width": 2,
                "shape": "hv",
                "dash": ("solid", "dash", "dot")[index % 3],
            },
        )
    if step is not None:
        figure.add_vline(step, line_color=LUCK, line_width=1.5)
    return figure


def add_luck(figure: go.Figure, levels: Mapping[str, float]) -> None:
    """Add what a race of pure luck would give for each category."""
    figure.add_scatter(
        x=list(levels),
        y=[100 * level for level in levels.values()],
        mode="markers",
        name="pure luck",
        offsetgroup="luck",
        marker={"symbol": "line-ew-open", "size": 26, "color": LUCK, "line": {"width": 2}},
        hovertemplate="%{y:.1f} %<extra>pure luck</extra>",
    )
    figure.update_layout(showlegend=True)


def add_luck_to_panel(figure: go.Figure, index: int, levels: Mapping[str, float]) -> None:
    """Add a line for what a race of pure luck would give for each category of the n-th panel."""
    is_first = not any(trace.legendgroup == "pure luck" for trace in figure.data)
    figure.add_scatter(
        x=list(levels),
        y=[100 * level for level in levels.values()],
        mode="lines",
        name="pure luck",
        line={"dash": "dot", "color": LUCK},
        showlegend=is_first,
        legendgroup="pure luck",
        hovertemplate="pure luck: %{y:.1f} %<extra></extra>",
        **_find_panel(index),
    )
    figure.update_layout(showlegend=True)


def format_percent(value: float) -> str:
    return format_number(value, SHARE) + " %"
