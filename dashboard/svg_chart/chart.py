"""A Plotly chart as SVG text. In a shared page it needs no library of 4.8 MB, it prints, and follows a light
or dark screen.

It draws what our charts consist of: dots, lines and steps with their intervals, and maps of colours, in one
panel or several. A kind of trace that it does not know is an error.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from analytics.show.chart.canvas import GREY, LETTER, RADIUS, Canvas, fit_size
from analytics.show.figures import GRID
from dashboard.svg_chart.axes import Area, Axis, Layout, Trace, find_axis, find_options, make_axes
from dashboard.svg_chart.text import read_text
from dashboard.svg_chart.traces import draw_map, draw_series, find_look

WIDTH = 860
LEGEND_ROW = 22
SMALL, NORMAL = 11.0, 12.0  # font sizes
WIDEST_LABELS = 0.36  # of the picture, for names left of the rows
DRAW: Mapping[str, Callable[[Canvas, Trace, Sequence[Trace], Layout, Axis, Axis], None]] = {
    "scatter": draw_series,
    "heatmap": draw_map,
}


def draw_svg(figure: Any, title: str) -> str:
    """A Plotly figure as a picture; `title` is for those who cannot see it."""
    content = figure.to_plotly_json()
    traces, layout = content["data"], content["layout"]
    if unknown := {trace["type"] for trace in traces} - set(DRAW):
        raise NotImplementedError(f"a shared page cannot show a chart of kind {', '.join(unknown)}")
    legend = _arrange_legend(traces, layout)
    area, height = _find_area(traces, layout, legend)
    canvas = Canvas(WIDTH, height)
    axes = make_axes(traces, layout, area)
    panels = dict.fromkeys((find_axis(trace, "x"), find_axis(trace, "y")) for trace in traces)
    _draw_shapes(canvas, layout, axes, is_below=True)
    for x, y in panels:
        _draw_frame(canvas, axes[x], axes[y])
    _draw_shapes(canvas, layout, axes, is_below=False)
    for trace in traces:
        draw = DRAW[trace["type"]]
        draw(canvas, trace, traces, layout, axes[find_axis(trace, "x")], axes[find_axis(trace, "y")])
    _draw_annotations(canvas, layout, axes, area)
    for entry in legend:
        _draw_entry(canvas, entry)
    return canvas.render(title)


# ---- what stands around the panels


class LegendEntry(NamedTuple):
    x: float
    y: float
    name: str
    trace: Trace


def _arrange_legend(traces: Sequence[Trace], layout: Layout) -> list[LegendEntry]:
    """The names of the series along the top, in as many rows as they need, and in the order of the page."""
    is_shown = layout.get("showlegend")
    named = {
        trace["name"]: trace
        for trace in reversed(traces)
        if trace.get("name") and trace.get("showlegend") is not False
    }
    if not (len(named) > 1 if is_shown is None else is_shown):
        return []
    entries: list[LegendEntry] = []
    is_reversed = (layout.get("legend") or {}).get("traceorder") == "reversed"
    x, y = 12.0, 14.0
    ordered = list(named.items() if is_reversed else reversed(named.items()))
    for escaped, trace in sorted(ordered, key=lambda entry: entry[1].get("legendrank") or 1000):
        name = read_text(escaped)
        width = 46 + 1.1 * LETTER * NORMAL * len(name)
        if x + width > WIDTH and x > 12:
            x, y = 12.0, y + LEGEND_ROW
        entries.append(LegendEntry(x, y, name, trace))
        x += width
    return entries


def _draw_entry(canvas: Canvas, entry: LegendEntry) -> None:
    look = find_look(entry.trace)
    if look.has_line:
        line = [(entry.x - 8, entry.y), (entry.x + 14, entry.y)]
        canvas.add_path(line, look.line_colour, width=look.line_width, dash=look.dash)
    if look.symbols:
        look._replace(radius=RADIUS).draw_mark(canvas, (entry.x + 3, entry.y))
    canvas.add_text(entry.x + 18, entry.y + 4, entry.name, size=NORMAL)


def _find_area(traces: Sequence[Trace], layout: Layout, legend: Sequence[LegendEntry]) -> tuple[Area, float]:
    """Where the panels are, and the height of the picture: as high as the page has it, and the legend."""
    legend_height = legend[-1].y + LEGEND_ROW / 2 if legend else 0.0
    has_titles = any(note.get("yref") == "paper" for note in layout.get("annotations") or ())
    top = legend_height + (30.0 if has_titles else 14.0)
    names = [
        str(value)
        for trace in traces
        for value in trace.get("y") or ()
        if isinstance(value, str) and not find_axis(trace, "y")[1:]
    ]
    longest = max((len(read_text(name)) for name in names), default=0)
    left = 56 + min(WIDEST_LABELS * WIDTH, longest * 1.1 * LETTER * NORMAL)
    height = float(layout.get("height") or 340)
    return Area(left, top, WIDTH - 14, height + legend_height - 46), height + legend_height


def _draw_frame(canvas: Canvas, x: Axis, y: Axis) -> None:
    """The grid, the ticks and the titles of one panel."""
    top, bottom = sorted((y.start, y.end))
    left, right = sorted((x.start, x.end))
    canvas.add_line((left, bottom), (right, bottom), GRID)
    for place, text in x.ticks.items():
        if left - 1 <= x.find(place) <= right + 1:
            if x.has_grid:
                canvas.add_line((x.find(place), top), (x.find(place), bottom), GRID)
            if x.has_labels:
                size = fit_size(text, x.column - 4, SMALL) if x.categories else SMALL
                canvas.add_text(x.find(place), bottom + 15, text, size=size, anchor="middle", colour=GREY)
    for place, text in y.ticks.items():
        if top - 1 <= y.find(place) <= bottom + 1:
            if y.has_grid:
                canvas.add_line((left, y.find(place)), (right, y.find(place)), GRID)
            if y.has_labels:
                size = fit_size(text, left - 26, NORMAL) if y.categories else SMALL
                is_bold = bool(y.categories) and y.categories[round(place)].startswith("<b>")
                point = (left - 7, y.find(place) + 4)
                canvas.add_text(*point, text, size=size, anchor="end", colour=GREY, is_bold=is_bold)
    if x.title:
        size = fit_size(x.title, 1.15 * (right - left), NORMAL)
        canvas.add_text((left + right) / 2, bottom + 34, x.title, size=size, anchor="middle", colour=GREY)
    if y.title:
        size = fit_size(y.title, bottom - top, NORMAL)
        canvas.add_text(
            13, (top + bottom) / 2, y.title, size=size, anchor="middle", colour=GREY, is_upright=True
        )


# ---- lines, bands and notes across a panel


def _draw_shapes(canvas: Canvas, layout: Layout, axes: Mapping[str, Axis], *, is_below: bool) -> None:
    for shape in layout.get("shapes") or ():
        if (shape.get("layer") == "below") is not is_below:
            continue
        left, right = sorted(_find_on(axes, shape["xref"], shape[end]) for end in ("x0", "x1"))
        top, bottom = sorted(_find_on(axes, shape["yref"], shape[end]) for end in ("y0", "y1"))
        if shape["type"] == "rect":
            canvas.add_rectangle((left, top), right - left, bottom - top, shape["fillcolor"])
        else:
            line = shape.get("line") or {}
            width, dash = line.get("width") or 2, line.get("dash") or "solid"
            canvas.add_path([(left, top), (right, bottom)], line["color"], width=width, dash=dash)


def _find_on(axes: Mapping[str, Axis], reference: str, value: Any) -> float:
    """A value on an axis, or, as `x domain`, a part of its length."""
    name, _, domain = reference.partition(" ")
    axis = axes[name]
    place = None if domain else axis.find_value(value)
    return axis.start + value * (axis.end - axis.start) if place is None else place


def _draw_annotations(canvas: Canvas, layout: Layout, axes: Mapping[str, Axis], area: Area) -> None:
    """The titles of panels, and notes at lines."""
    for note in layout.get("annotations") or ():
        text = read_text(note["text"])
        if note["xref"] == "paper":
            x = area.left + note["x"] * (area.right - area.left)
            y = area.bottom - note["y"] * (area.bottom - area.top) - 7
            size = fit_size(text, (area.right - area.left) / _count_columns(layout), 13)
        else:
            x, y = _find_on(axes, note["xref"], note["x"]), _find_on(axes, note["yref"], note["y"]) + 12
            size = SMALL
        anchor = {"left": "start", "right": "end"}.get(note.get("xanchor") or "", "middle")
        canvas.add_text(x, y, text, size=size, anchor=anchor)


def _count_columns(layout: Layout) -> int:
    """How many panels stand side by side."""
    names = [key.replace("axis", "") for key in layout if key.startswith("xaxis")]
    return len({tuple(find_options(layout, name).get("domain") or ()) for name in names}) or 1
