"""Estimates with their intervals in small panels side by side, all on one scale."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analytics.show.chart.canvas import GREY, Canvas, fit_size
from analytics.show.figures import GRID
from analytics.stats.intervals import Estimate

WIDTH, LEFT, GAP = 700, 52, 14
TALL, SHORT = 150, 40  # the height of a panel, and what stands above and below it
LEGEND = 24
WIDEST_PANEL, NARROWEST_PANEL = 330, 118


@dataclass(frozen=True)
class Series:
    """What one colour and symbol stand for: a name, and an estimate by label."""

    name: str
    style: tuple[str, str]
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True)
class Panel:
    title: str
    labels: Sequence[str]  # along the bottom
    series: Sequence[Series]
    benchmark: Mapping[str, float] = field(default_factory=dict)  # a dotted line, by label


@dataclass(frozen=True)
class Scale:
    low: float
    high: float
    step: float

    def find_y(self, value: float, top: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return top + TALL * (1 - max(0.0, min(1.0, part)))

    def list_ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + index * self.step for index in range(count + 1)]


def draw_panels(panels: Sequence[Panel], y_title: str, *, zero: float | None = None) -> str:
    """All panels on one scale; `zero` is where a line is drawn through all of them."""
    panels = [panel for panel in panels if panel.labels]
    scale = make_scale(panels, zero)
    width, columns = _divide(panels)
    rows = math.ceil(len(panels) / columns)
    canvas = Canvas(WIDTH, LEGEND + 22 + rows * (TALL + SHORT))
    styles = {series.name: series.style for panel in panels for series in panel.series}
    draw_legend(canvas, styles, LEFT, with_chance=any(panel.benchmark for panel in panels))
    canvas.add_text(4, LEGEND + 12, y_title, size=11, colour=GREY)
    for index, panel in enumerate(panels):
        left = LEFT + (index % columns) * (width + GAP)
        top = LEGEND + 40 + (index // columns) * (TALL + SHORT)
        _draw_axes(canvas, (left, top), width, scale, zero, with_numbers=index % columns == 0)
        _draw_panel(canvas, panel, (left, top), width, scale)
    return canvas.render(y_title)


def make_scale(panels: Sequence[Panel], zero: float | None) -> Scale:
    """Round numbers around every interval of every panel."""
    values = [
        value
        for panel in panels
        for series in panel.series
        for estimate in series.estimates.values()
        for value in (estimate.mean, estimate.low, estimate.high)
    ]
    values += [value for panel in panels for value in panel.benchmark.values()]
    values += [zero] if zero is not None else []
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    step = round_step((high - low or abs(high) or 1.0) / 4)
    bottom = math.floor(low / step + 1e-9)
    top = max(bottom + 1, math.ceil(high / step - 1e-9))
    return Scale(step * bottom, step * top, step)


def round_step(size: float) -> float:
    """1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(size))
    return next(factor * power for factor in (1, 2, 5, 10) if size <= factor * power * 1.0001)


def _divide(panels: Sequence[Panel]) -> tuple[float, int]:
    """How wide a panel is, and how many stand side by side."""
    room = WIDTH - LEFT
    needed = max(
        [NARROWEST_PANEL, *(20 + 26 * len(panel.labels) * len(panel.series) ** 0.5 for panel in panels)]
    )
    columns = max(1, min(len(panels), int((room + GAP) // (needed + GAP))))
    return min(WIDEST_PANEL, (room + GAP) / columns - GAP), columns


def draw_legend(
    canvas: Canvas, styles: Mapping[str, tuple[str, str]], left: float, *, with_chance: bool = False
) -> None:
    """What the colours and symbols stand for, along the top."""
    x = left
    for name, (colour, symbol) in styles.items():
        canvas.add_mark(x, 12, colour, symbol)
        canvas.add_text(x + 10, 16, name, size=12)
        x += 34 + 6.6 * len(name)
    if with_chance:
        canvas.add_dotted_line([(x, 12), (x + 22, 12)])
        canvas.add_text(x + 28, 16, "pure chance", size=12)


def _draw_axes(
    canvas: Canvas,
    corner: tuple[float, float],
    width: float,
    scale: Scale,
    zero: float | None,
    *,
    with_numbers: bool,
) -> None:
    left, top = corner
    digits = max(0, -math.floor(math.log10(scale.step)))
    for tick in scale.list_ticks():
        y = scale.find_y(tick, top)
        canvas.add_line((left, y), (left + width, y), GRID)
        if with_numbers:
            text = f"{tick:.{digits}f}"
            canvas.add_text(left - 6, y + 4, text, size=11, anchor="end", colour=GREY)
    if zero is not None:
        y = scale.find_y(zero, top)
        canvas.add_line((left, y), (left + width, y), GREY, 1.3)


def _draw_panel(
    canvas: Canvas, panel: Panel, corner: tuple[float, float], width: float, scale: Scale
) -> None:
    left, top = corner
    size = fit_size(panel.title, width, 12)
    canvas.add_text(left + width / 2, top - 8, panel.title, size=size, anchor="middle")
    column = width / len(panel.labels)
    centres = {label: left + column * (index + 0.5) for index, label in enumerate(panel.labels)}
    for label, x in centres.items():
        size = fit_size(label, column - 4, 11)
        canvas.add_text(x, top + TALL + 15, label, size=size, anchor="middle", colour=GREY)
    points = [
        (centres[label], scale.find_y(value, top))
        for label, value in panel.benchmark.items()
        if label in centres
    ]
    if points:
        canvas.add_dotted_line(points)
    spread = min(14.0, column / (len(panel.series) + 1))
    for index, series in enumerate(panel.series):
        shift = spread * (index - (len(panel.series) - 1) / 2)
        for label, estimate in series.estimates.items():
            if label in centres:
                _draw_estimate(canvas, centres[label] + shift, estimate, series.style, top, scale)


def _draw_estimate(
    canvas: Canvas, x: float, estimate: Estimate, style: tuple[str, str], top: float, scale: Scale
) -> None:
    """A mark with its interval; hollow if it has none yet."""
    if not math.isfinite(estimate.mean):
        return
    colour, symbol = style
    if estimate.has_interval:
        ends = [scale.find_y(end, top) for end in (estimate.low, estimate.high)]
        canvas.add_line((x, ends[0]), (x, ends[1]), colour, 2)
    canvas.add_mark(x, scale.find_y(estimate.mean, top), colour, symbol, is_hollow=not estimate.has_interval)
