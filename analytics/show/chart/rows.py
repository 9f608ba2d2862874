"""Factors with their intervals, one row for each name, on one logarithmic scale."""

import math
from collections.abc import Sequence

from analytics.show.chart.canvas import GREY, Canvas, fit_size
from analytics.show.chart.panels import Series, draw_legend
from analytics.show.figures import GRID

WIDTH, LEFT, ROW, TOP, FOOT = 700, 210, 24, 34, 44
MARKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
LEAST, MOST = 0.05, 100.0  # a factor beyond is drawn at the edge


def draw_factors(series: Sequence[Series], x_title: str) -> str:
    """How many times as often: 1 is no difference."""
    names = list(dict.fromkeys(name for each in series for name in each.estimates))
    canvas = Canvas(WIDTH, TOP + ROW * len(names) + FOOT)
    edges = _find_edges(series)
    draw_legend(canvas, {each.name: each.style for each in series}, LEFT)
    _draw_scale(canvas, edges, TOP + ROW * len(names), x_title)
    for row, name in enumerate(names):
        y = TOP + ROW * (row + 0.5)
        canvas.add_text(LEFT - 14, y + 4, name, size=fit_size(name, LEFT - 20, 12), anchor="end")
        for index, each in enumerate(series):
            if name in each.estimates:
                height = y + 7 * (index - (len(series) - 1) / 2)
                mean, low, high = (_find_x(value, edges) for value in each.estimates[name][:3])
                canvas.add_line((low, height), (high, height), each.style[0], 2)
                canvas.add_mark(mean, height, *each.style)
    return canvas.render(x_title)


def _find_edges(series: Sequence[Series]) -> tuple[float, float]:
    """The logarithms at the edges: those of all intervals, and at least of a half and of two."""
    ends = [end for each in series for estimate in each.estimates.values() for end in estimate[:3]]
    logs = [_take_log(end) for end in ends if math.isfinite(end)]
    return min([*logs, math.log(0.5)]), max([*logs, math.log(2)])


def _take_log(factor: float) -> float:
    """The logarithm, within what can be drawn."""
    return math.log(max(LEAST, min(MOST, factor)))


def _find_x(factor: float, edges: tuple[float, float]) -> float:
    low, high = edges
    return LEFT + (WIDTH - LEFT - 24) * (_take_log(factor) - low) / (high - low)


def _draw_scale(canvas: Canvas, edges: tuple[float, float], bottom: float, x_title: str) -> None:
    for mark in MARKS:
        if edges[0] <= math.log(mark) <= edges[1]:
            x = _find_x(mark, edges)
            is_equal = mark == 1
            canvas.add_line((x, TOP), (x, bottom), GREY if is_equal else GRID, 1.3 if is_equal else 1)
            canvas.add_text(x, bottom + 15, f"{mark:g}", size=11, anchor="middle", colour=GREY)
    middle = (LEFT + WIDTH - 24) / 2
    canvas.add_text(middle, bottom + 33, x_title, size=11, anchor="middle", colour=GREY)
