"""The traces of a Plotly chart: series of dots and lines with their intervals, and maps of colours."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from plotly.colors import get_colorscale, sample_colorscale

from analytics.show.chart.canvas import Canvas, Point
from analytics.show.figures import COLOURS
from dashboard.svg_chart.axes import Axis, Layout, Trace, find_axis, list_ends, list_values
from dashboard.svg_chart.text import read_text

MARK_SIZE = 6.0
CAP = 3.0  # half of the line at the end of an interval
MAP_TEXT = 13.0


class Look(NamedTuple):
    """How a series is drawn; one colour and symbol for each of its marks, or one for all."""

    colours: Sequence[str]
    symbols: Sequence[str]  # none without marks
    radius: float
    line_colour: str
    line_width: float
    dash: str
    has_line: bool

    def draw_mark(self, canvas: Canvas, point: Point, index: int = 0, hover: str = "") -> None:
        """Draw the n-th mark of the series."""
        colour, symbol = self.colours[index % len(self.colours)], self.symbols[index % len(self.symbols)]
        name = symbol.removesuffix("-open")
        canvas.add_mark(*point, colour, name, is_hollow=name != symbol, radius=self.radius, hover=hover)


def find_look(trace: Trace) -> Look:
    mode = trace.get("mode") or "lines+markers"
    marker, line = trace.get("marker") or {}, trace.get("line") or {}
    colour = line.get("color") or marker.get("color") or COLOURS[0]
    has_marks = "markers" in mode and marker.get("opacity") != 0  # else they are there to be clicked
    return Look(
        colours=_list_each(marker.get("color") or colour),
        symbols=_list_each(marker.get("symbol") or "circle") if has_marks else (),
        radius=float(marker.get("size") or MARK_SIZE) / 2,
        line_colour=colour if isinstance(colour, str) else colour[0],
        line_width=float(line.get("width") or 2),
        dash=line.get("dash") or "solid",
        has_line="lines" in mode,
    )


def _list_each(value: Any) -> Sequence[str]:
    return [value] if isinstance(value, str) else list(value)


def draw_series(
    canvas: Canvas, trace: Trace, traces: Sequence[Trace], layout: Layout, x: Axis, y: Axis
) -> None:
    look = find_look(trace)
    shift = _find_shift(trace, traces, layout)
    is_lying = trace.get("orientation") == "h"
    shifts = {"x": 0.0 if is_lying or not x.categories else shift, "y": shift if is_lying else 0.0}
    points = [
        (x.find_value(across, shifts["x"]), y.find_value(up, shifts["y"]))
        for across, up in zip(list_values(trace, "x"), list_values(trace, "y"), strict=True)
    ]
    if look.has_line:
        shape = (trace.get("line") or {}).get("shape") or "linear"
        known = [(a, b) for a, b in points if a is not None and b is not None]
        if known:
            canvas.add_path(_add_steps(known, shape), look.line_colour, width=look.line_width, dash=look.dash)
    for letter, axis in (("x", x), ("y", y)):
        _draw_intervals(canvas, trace, letter, axis, points)
    for index, (a, b) in enumerate(points if look.symbols else ()):
        if a is not None and b is not None:
            look.draw_mark(canvas, (a, b), index, _find_hover(trace, index))


def _find_shift(trace: Trace, traces: Sequence[Trace], layout: Layout) -> float:
    """How far a series stands beside the middle of a category, where several share it."""
    group = trace.get("offsetgroup")
    if layout.get("scattermode") != "group" or group is None:
        return 0.0
    panel = [find_axis(trace, letter) for letter in ("x", "y")]
    beside = [
        other
        for other in traces
        if [find_axis(other, letter) for letter in ("x", "y")] == panel
        and other.get("alignmentgroup") == trace.get("alignmentgroup")
    ]
    groups = list(dict.fromkeys(other["offsetgroup"] for other in beside if other.get("offsetgroup")))
    room = (1 - float(layout.get("scattergap") or 0.0)) / len(groups)
    return room * (groups.index(group) - (len(groups) - 1) / 2)


def _add_steps(points: Sequence[Point], shape: str) -> list[Point]:
    """A line with its corners: straight, or in steps that change at the next value or half-way."""
    corners = [points[0]]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if shape == "hv":
            corners.append((x1, y0))
        elif shape == "hvh":
            corners += [((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1)]
        corners.append((x1, y1))
    return corners


def _draw_intervals(
    canvas: Canvas, trace: Trace, letter: str, axis: Axis, points: Sequence[tuple[float | None, float | None]]
) -> None:
    bars = trace.get(f"error_{letter}") or {}
    colour, width = bars.get("color") or find_look(trace).line_colour, float(bars.get("thickness") or 1.5)
    for (x, y), ends in zip(points, list_ends(trace, letter), strict=False):
        low, high = (axis.find_value(end) for end in ends)
        if x is None or y is None or low is None or high is None or low == high:
            continue
        cap = 0.0 if bars.get("width") == 0 else CAP
        for line in _list_bar_lines((x, y), low, high, cap, is_lying=letter == "x"):
            canvas.add_line(*line, colour, width)


def _list_bar_lines(
    point: Point, low: float, high: float, cap: float, is_lying: bool
) -> Iterator[tuple[Point, Point]]:
    """An interval and the caps at its ends, if it has any."""
    x, y = point
    ends = (low, high) if cap else ()
    if is_lying:
        yield (low, y), (high, y)
        yield from (((end, y - cap), (end, y + cap)) for end in ends)
    else:
        yield (x, low), (x, high)
        yield from (((x - cap, end), (x + cap, end)) for end in ends)


def _find_hover(trace: Trace, index: int) -> str:
    texts = trace.get("hovertext")
    if isinstance(texts, str):
        return read_text(texts)
    return read_text(texts[index]) if texts else ""


# ---- maps


def draw_map(canvas: Canvas, trace: Trace, traces: Sequence[Trace], layout: Layout, x: Axis, y: Axis) -> None:
    """A field in its colour for each value, with the value on it."""
    known = [value for row in trace["z"] for value in row if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    scale = (
        get_colorscale(trace["colorscale"]) if isinstance(trace["colorscale"], str) else trace["colorscale"]
    )
    for down, (name, row) in enumerate(zip(trace["y"], trace["z"], strict=True)):
        for across, (column, value) in enumerate(zip(trace["x"], row, strict=True)):
            middle = (x.find_value(column), y.find_value(name))
            if value is None or middle[0] is None or middle[1] is None:
                continue
            part = (value - low) / (high - low) if high > low else 0.5
            (colour,) = sample_colorscale(scale, [part])
            corner = (middle[0] - x.column / 2, middle[1] - y.column / 2)
            hover = read_text(trace["hovertext"][down][across])
            canvas.add_rectangle(corner, x.column, y.column, colour, hover)
            ink = "#000000" if _measure_light(colour) > 0.5 else "#ffffff"
            text = read_text(str(trace["text"][down][across]))
            canvas.add_text(
                middle[0], middle[1] + MAP_TEXT / 3, text, size=MAP_TEXT, anchor="middle", colour=ink
            )


def _measure_light(colour: str) -> float:
    """How light `rgb(r, g, b)` looks, from 0 to 1."""
    red, green, blue = (float(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(","))
    return math.sqrt(0.299 * red**2 + 0.587 * green**2 + 0.114 * blue**2)
