"""The charts of the pages: data in, Plotly figures out. Colours of text and background are left to the theme,
light or dark.

Texts are escaped, because Plotly reads a little HTML.
"""

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
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
LAST = 2000  # in a legend: Plotly's own rank is 1000
COLUMNS = 2  # panels in a row
CHART_HEIGHT = 165
PHONE_CHART_WIDTH = 300  # pixels that a legend may take on a phone
LEGEND_LINE = 20  # pixels
FAR_FROM_ZERO = 0.5  # of the highest value
LONG_NAME = 22  # letters of a row's name in one line
# Plotly's own templates describe every kind of chart, which takes longer than drawing one of ours
AXIS: dict[str, Any] = {"gridcolor": "#e6e8ee", "zerolinecolor": "#e6e8ee", "ticks": ""}
TEMPLATE: dict[str, Any] = {
    "layout": {"paper_bgcolor": "white", "plot_bgcolor": "white", "xaxis": AXIS, "yaxis": AXIS}
}
NO_FADING: dict[str, Any] = {  # when one point is selected, the others do not fade
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
    "cliponaxis": False,  # a mark at the edge is whole
}


AxisRanges = tuple[tuple[float, float], tuple[float, float]]  # of x and y


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


def make_figure(height: int = CHART_HEIGHT, **layout_options: Any) -> go.Figure:
    return apply_style(go.Figure(), height, **layout_options)


def apply_style(figure: go.Figure, height: int, **layout_options: Any) -> go.Figure:
    figure.update_layout(
        template=TEMPLATE,
        height=height,
        margin={"l": 8, "r": 8, "t": 10, "b": 8},
        hovermode="closest",
        # below the chart, where it takes no width from it on a phone
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "title": ""},
        scattermode="group",
        scattergap=0.55,
        font={"size": 13},
        hoverlabel={"align": "left"},
        **layout_options,
    )
    figure.update_xaxes(automargin=True, title_standoff=10)
    figure.update_yaxes(automargin=True, title_standoff=10, rangemode="normal")
    return figure


def show_legend(figure: go.Figure, names: Collection[str]) -> None:
    """Show a legend if there is more than one name, and make the chart higher by its lines on a phone."""
    figure.update_layout(showlegend=len(names) > 1)
    if len(names) > 1:
        figure.update_layout(height=figure.layout.height + LEGEND_LINE * _count_legend_lines(names))


def _count_legend_lines(names: Iterable[str]) -> int:
    lines, used = 1, 0
    for name in names:
        width = 44 + 7 * len(name)
        if used and used + width > PHONE_CHART_WIDTH:
            lines, used = lines + 1, 0
        used += width
    return lines


def draw_by_category(
    series: Mapping[str, Sequence[Dot]],
    styles: VariantStyles,
    unit: str,
    x_title: str = "",
    has_lines: bool = False,
) -> go.Figure:
    """Estimates with their intervals, side by side for each category."""
    figure = make_figure(
        xaxis={"title": _make_title(x_title), "type": "category"}, yaxis={"title": escape(format_unit(unit))}
    )
    for variant, dots in series.items():
        mode = "lines+markers" if has_lines else "markers"
        figure.add_trace(_make_dots(variant, dots, styles, unit, mode=mode))
    figure.update_layout(scattermode="overlay" if has_lines else "group")
    show_legend(figure, series)
    _fit_values(figure, _list_ends(series, unit))
    _order_categories(figure, [dot.category for dots in series.values() for dot in dots])
    return figure


def _make_title(text: str) -> str | None:
    """The title of an axis; an empty one would take room."""
    return escape(text) or None


def draw_panels(
    panels: Mapping[str, Mapping[str, Sequence[Dot]]],
    styles: VariantStyles,
    unit: str,
    x_title: str,
    fair: Mapping[str, float] | None = None,
) -> go.Figure:
    """Estimates by category in several panels, one per player count, all on one scale; `fair` draws a line in
    the middle of each.
    """
    columns = min(COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = make_subplots(
        rows,
        columns,
        subplot_titles=[escape(name) for name in panels],
        shared_yaxes="all" if fair is None else False,
        horizontal_spacing=0.06 if fair is None else 0.16,
        vertical_spacing=0.42 / rows,
        column_widths=_find_column_widths(panels) if rows == 1 else None,
    )
    apply_style(figure, 30 + CHART_HEIGHT * rows)
    in_legend: dict[str, None] = {}
    reach = _find_reach(panels, fair, unit) if fair else 0.0
    for index, (name, series) in enumerate(panels.items()):
        for variant, dots in series.items():
            trace = _make_dots(
                variant, dots, styles, unit, showlegend=variant not in in_legend, legendgroup=variant
            )
            figure.add_trace(trace, **_find_panel(index))
            in_legend[variant] = None
        if fair:
            _add_fair_line(figure, index, find_scale(unit) * fair[name], reach)
    if not fair:
        _fit_values(figure, [end for series in panels.values() for end in _list_ends(series, unit)])
    figure.update_xaxes(type="category")
    for index in range(len(panels))[-columns:]:  # under another panel it would meet the name of the next
        figure.update_xaxes(title=_make_title(x_title), **_find_panel(index))
    figure.update_yaxes(title=escape(format_unit(unit)), col=1)
    figure.update_annotations(font_size=13, yshift=2)
    figure.update_layout(margin={"t": 30})
    show_legend(figure, in_legend)
    return figure


def count_marks_side_by_side(panels: Iterable[Mapping[str, Sequence[Dot]]]) -> int:
    """The most marks that stand beside each other in a row of panels."""
    marks = [sum(len(dots) for dots in series.values()) for series in panels]
    return max(sum(marks[first : first + COLUMNS]) for first in range(0, len(marks), COLUMNS))


def _find_column_widths(panels: Mapping[str, Mapping[str, Sequence[Dot]]]) -> list[int]:
    """A panel of one category needs less room than one of five."""
    return [2 + max(len(dots) for dots in series.values()) for series in panels.values()]


def _find_panel(index: int) -> dict[str, int]:
    """Row and column of the n-th panel, as Plotly counts them."""
    return {"row": index // COLUMNS + 1, "col": index % COLUMNS + 1}


def _add_fair_line(figure: go.Figure, index: int, level: float, reach: float) -> None:
    """Draw a line at the fair value, in the middle of a panel's axis."""
    figure.add_hline(y=level, line_dash="dot", line_color=LUCK, **_find_panel(index))
    figure.update_yaxes(range=[level - reach, level + reach], **_find_panel(index))


def _find_reach(
    panels: Mapping[str, Mapping[str, Sequence[Dot]]], fair: Mapping[str, float], unit: str
) -> float:
    """How far the axes reach from the fair value, in the axis' unit: the same in all panels, and enough for
    all intervals.
    """
    distances = [
        abs(end - find_scale(unit) * fair[name])
        for name, series in panels.items()
        for end in _list_ends(series, unit)
    ]
    return 1.15 * max([*distances, 2.0])


def _list_ends(series: Mapping[str, Sequence[Dot]], unit: str) -> list[float]:
    """The marks and the ends of their intervals, in the axis' unit."""
    ends = [end for dots in series.values() for dot in dots for end in dot.estimate[:3]]
    return [find_scale(unit) * end for end in ends if math.isfinite(end)]


def _fit_values(figure: go.Figure, values: Sequence[float]) -> None:
    """Let the axis hold all values, from zero if that is not far below them. Plotly itself would always begin
    at zero, where a clear difference of long matches cannot be seen.
    """
    if not values:
        return
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 1.0
    is_near_zero = 0 <= low < FAR_FROM_ZERO * high
    figure.update_yaxes(range=[0.0 if is_near_zero else low - room, high + room])


def _widen_values(figure: go.Figure, values: Iterable[float]) -> None:
    """Let the axis hold these values, too."""
    low, high = figure.layout.yaxis.range
    figure.update_yaxes(range=[min(low, *values), max(high, *(1.03 * value for value in values))])


def _make_dots(
    variant: str, dots: Sequence[Dot], styles: VariantStyles, unit: str, **trace_options: Any
) -> go.Scatter:
    """A mark for each estimate, with its interval."""
    colour, symbol = styles.get(variant)
    scaled = [dot.estimate.scale(find_scale(unit)) for dot in dots]
    options = {"mode": "markers", **NO_FADING, **trace_options}
    return go.Scatter(
        x=[escape(dot.category) for dot in dots],
        y=[estimate.mean for estimate in scaled],
        error_y=_make_error_bars(scaled, colour),
        name=escape(variant),
        offsetgroup=escape(variant),
        marker=_make_marks(scaled, colour, symbol),
        line={"color": colour, "width": 1.2},
        customdata=[list(dot.link) for dot in dots],
        hovertext=[format_hover(dot, unit) for dot in dots],
        hoverinfo="text",
        **options,
    )


def _make_marks(estimates: Sequence[Estimate], colour: str, symbol: str) -> dict[str, Any]:
    """Plotly's description of the marks; hollow where there is no interval yet."""
    symbols = [symbol if estimate.has_interval else f"{symbol}-open" for estimate in estimates]
    return {"color": colour, "size": 9, "symbol": symbols, "line": {"width": 2, "color": colour}}


def _make_error_bars(estimates: Sequence[Estimate], colour: str) -> dict[str, Any]:
    """Plotly's description of the intervals. They have no caps: where there is no interval, Plotly would draw
    caps all the same.
    """
    drawable = [
        estimate if math.isfinite(estimate.low) else Estimate(estimate.mean, estimate.mean, estimate.mean, 0)
        for estimate in estimates
    ]
    return {**make_error_bars(drawable), "color": colour, "thickness": 2, "width": 0}


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
    axis_range: tuple[float, float] | None = None,
) -> go.Figure:
    """Estimates in rows, for long names; `reference` draws a line at the value of no effect, and `axis_range`
    is that of several charts that are compared.
    """
    categories = list(dict.fromkeys(dot.category for dots in series.values() for dot in dots))
    lines = max((_wrap_name(category).count("<br>") + 1 for category in categories), default=1)
    height = 60 + max(2, len(categories)) * max(16 * lines + 4, 12 + 9 * len(series))
    figure = make_figure(height, xaxis={"title": escape(x_title), "range": axis_range})
    for variant, dots in reversed(list(series.items())):  # rows count from below: the baseline is the top one
        figure.add_trace(_make_row_dots(variant, dots, styles, unit))
    figure.update_layout(legend={"traceorder": "reversed"})
    if reference is not None:
        figure.add_vline(reference, line_dash="dot", line_color=LUCK)
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=[_wrap_name(category) for category in categories[::-1]],
        type="category",
    )
    show_legend(figure, series)
    return figure


def _wrap_name(name: str) -> str:
    """A name of a row in lines that leave room for the chart on a phone."""
    return "<br>".join(escape(line) for line in textwrap.wrap(name, LONG_NAME)) or " "


def find_axis_range(all_series: Iterable[Mapping[str, Sequence[Dot]]], unit: str) -> tuple[float, float]:
    """An axis range that holds all intervals of several charts, and zero."""
    ends = [end for series in all_series for end in _list_ends(series, unit)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    room = 0.05 * (high - low)
    return low - room, high + room


def _make_row_dots(variant: str, dots: Sequence[Dot], styles: VariantStyles, unit: str) -> go.Scatter:
    """A mark for each estimate that is known, in its row."""
    colour, symbol = styles.get(variant)
    known_dots = [dot for dot in dots if math.isfinite(dot.estimate.mean)]
    scaled = [dot.estimate.scale(find_scale(unit)) for dot in known_dots]
    return go.Scatter(
        x=[estimate.mean for estimate in scaled],
        y=[_wrap_name(dot.category) for dot in known_dots],
        mode="markers",
        name=escape(variant),
        error_x=_make_error_bars(scaled, colour),
        marker=_make_marks(scaled, colour, symbol),
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
    axis_ranges: AxisRanges | None = None,
) -> go.Figure:
    """A line for each seat over the steps of a match; `step` marks the current one, and `axis_ranges` are
    those of several matches that are compared.
    """
    x_range, y_range = axis_ranges or (None, None)
    figure = make_figure(
        xaxis={"title": x_title, "range": x_range}, yaxis={"title": y_title, "range": y_range}
    )
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
    show_legend(figure, series)
    return figure


def add_luck(figure: go.Figure, levels: Mapping[str, float]) -> None:
    """Add what a race of pure luck would give for each category: behind its marks, and as wide."""
    figure.add_scatter(
        x=list(levels),
        y=[100 * level for level in levels.values()],
        mode="markers",
        name="pure chance",
        alignmentgroup="luck",
        offsetgroup="luck",
        legendrank=LAST,
        marker={"symbol": "line-ew-open", "size": 32, "color": LUCK, "line": {"width": 2}},
        hovertemplate="%{y:.1f}%<extra>pure chance</extra>",
    )
    figure.data = (figure.data[-1], *figure.data[:-1])
    _widen_values(figure, [100 * level for level in levels.values()])
    _add_to_legend(figure)


def _add_to_legend(figure: go.Figure) -> None:
    """Show the legend with one more line."""
    figure.update_layout(showlegend=True, height=figure.layout.height + LEGEND_LINE)


def add_luck_to_panel(figure: go.Figure, index: int, levels: Mapping[str, float]) -> None:
    """Add a line for what a race of pure luck would give for each category of the n-th panel."""
    is_first = not any(trace.legendgroup == "pure chance" for trace in figure.data)
    figure.add_scatter(
        x=list(levels),
        y=[100 * level for level in levels.values()],
        mode="lines",
        name="pure chance",
        line={"dash": "dot", "color": LUCK},
        showlegend=is_first,
        legendgroup="pure chance",
        hovertemplate="pure chance: %{y:.1f}%<extra></extra>",
        **_find_panel(index),
    )
    _widen_values(figure, [100 * level for level in levels.values()])
    if is_first:
        _add_to_legend(figure)


def format_percent(value: float) -> str:
    return format_number(value, SHARE) + "%"
