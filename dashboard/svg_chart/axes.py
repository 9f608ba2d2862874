"""The axes of a Plotly chart: where on the picture a value stands, and which ticks there are."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from analytics.show.chart.panels import round_step
from dashboard.svg_chart.text import read_text

TICKS = 5  # of an axis with numbers, about
ROOM = 0.06  # beyond the outermost values, as a part of their distance

Trace = Mapping[str, Any]
Layout = Mapping[str, Any]


class Area(NamedTuple):
    """The part of the picture that the panels share, without what stands around them."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, kw_only=True)
class Axis:
    name: str  # x, y, x2 ...
    title: str
    start: float  # where it begins on the picture
    end: float
    low: float  # what stands there
    high: float
    categories: tuple[str, ...]  # none on an axis of numbers
    ticks: Mapping[float, str]  # texts by place
    has_grid: bool
    has_labels: bool

    @property
    def column(self) -> float:
        """The room of one category, or of one step of the numbers."""
        return abs(self.end - self.start) / (self.high - self.low)

    def find(self, place: float) -> float:
        return self.start + (self.end - self.start) * (place - self.low) / (self.high - self.low)

    def find_value(self, value: Any, shift: float = 0.0) -> float | None:
        """Where a value stands, `shift` columns aside: at the end if that is beyond it. None for a value that
        is not known.
        """
        place = _place(value, self.categories)
        return None if place is None else self.find(max(self.low, min(self.high, place + shift)))


def _place(value: Any, categories: Sequence[str]) -> float | None:
    if categories:
        return float(categories.index(str(value))) if str(value) in categories else None
    return None if value is None or not math.isfinite(value) else float(value)


def find_axis(trace: Trace, letter: str) -> str:
    """The name of the axis that a trace is drawn along."""
    return str(trace.get(f"{letter}axis") or letter)


def find_options(layout: Layout, name: str) -> Mapping[str, Any]:
    options: Mapping[str, Any] = layout.get(f"{name[0]}axis{name[1:]}") or {}
    return options


def list_values(trace: Trace, letter: str) -> list[Any]:
    """The positions of a trace's points; those of a series without them are counted."""
    values = trace.get(letter)
    if values is None:
        return list(range(len(trace["y" if letter == "x" else "x"])))
    return list(values)


def list_ends(trace: Trace, letter: str) -> list[tuple[Any, Any]]:
    """The ends of the intervals of a trace; nothing without intervals."""
    bars = trace.get(f"error_{letter}") or {}
    if "array" not in bars:
        return []
    values = list_values(trace, letter)
    below = bars.get("arrayminus") or bars["array"]
    return [
        (value - minus, value + plus) for value, minus, plus in zip(values, below, bars["array"], strict=True)
    ]


def make_axes(traces: Sequence[Trace], layout: Layout, area: Area) -> dict[str, Axis]:
    """All axes by name. Those that match have one scale, and lines across a panel have room on it."""
    names = dict.fromkeys(find_axis(trace, letter) for trace in traces for letter in ("x", "y"))
    values: dict[str, list[Any]] = {name: [] for name in names}
    for trace in traces:
        for letter in ("x", "y"):
            ends = [end for pair in list_ends(trace, letter) for end in pair]
            values[find_axis(trace, letter)] += [*list_values(trace, letter), *ends]
    axes = {}
    for name in names:
        group = [other for other in names if _find_group(layout, other) == _find_group(layout, name)]
        shared = [value for other in group for value in values[other]]
        axes[name] = _make_axis(name, shared, _list_line_ends(layout, group), layout, area)
    return axes


def _list_line_ends(layout: Layout, names: Sequence[str]) -> list[float]:
    """Where the lines and bands across the panels of some axes begin and end on them."""
    return [
        shape[f"{letter}{end}"]
        for shape in layout.get("shapes") or ()
        for letter in ("x", "y")
        for end in (0, 1)
        if shape[f"{letter}ref"] in names
    ]


def _find_group(layout: Layout, name: str) -> str:
    return str(find_options(layout, name).get("matches") or name)


def _make_axis(
    name: str, values: Sequence[Any], line_ends: Sequence[float], layout: Layout, area: Area
) -> Axis:
    options = find_options(layout, name)
    kind = options.get("type") or (
        "category" if any(isinstance(value, str) for value in values) else "linear"
    )
    categories = _list_categories(options, values) if kind == "category" else ()
    shown = values if categories else [*values, *line_ends]
    places = [place for value in shown if (place := _place(value, categories)) is not None]
    low, high = _find_range(options, places, bool(categories))
    start, end = _find_ends(name, options, area)
    if options.get("autorange") == "reversed":
        start, end = end, start
    return Axis(
        name=name,
        title=read_text((options.get("title") or {}).get("text") or ""),
        start=start,
        end=end,
        low=low,
        high=high,
        categories=categories,
        ticks=_make_ticks(options, categories, low, high),
        has_grid=options.get("showgrid") is not False and not categories,
        has_labels=options.get("showticklabels") is not False,
    )


def _find_ends(name: str, options: Mapping[str, Any], area: Area) -> tuple[float, float]:
    first, last = options.get("domain") or (0.0, 1.0)
    if name.startswith("x"):
        width = area.right - area.left
        return area.left + first * width, area.left + last * width
    height = area.bottom - area.top
    return area.bottom - first * height, area.bottom - last * height


def _list_categories(options: Mapping[str, Any], values: Sequence[Any]) -> tuple[str, ...]:
    """In the order that the chart sets, as far as they occur."""
    present = dict.fromkeys(str(value) for value in values)
    ordered = [str(name) for name in options.get("categoryarray") or () if str(name) in present]
    return tuple(dict.fromkeys([*ordered, *present]))


def _find_range(
    options: Mapping[str, Any], places: Sequence[float], has_categories: bool
) -> tuple[float, float]:
    if options.get("range"):
        low, high = options["range"]
        return float(low), float(high)
    low, high = min(places, default=0.0), max(places, default=1.0)
    if has_categories:
        return -0.5, high + 0.5
    room = ROOM * (high - low) or 0.5
    if options.get("rangemode") == "tozero" and low >= 0:
        return 0.0, high + room
    return low - room, high + room


def _make_ticks(
    options: Mapping[str, Any], categories: Sequence[str], low: float, high: float
) -> dict[float, str]:
    if options.get("tickvals"):
        texts = options.get("ticktext") or map(str, options["tickvals"])
        return {place: read_text(text) for place, text in zip(options["tickvals"], texts, strict=True)}
    if categories:
        return {float(index): read_text(name) for index, name in enumerate(categories)}
    return dict(_list_round_numbers(low, high))


def _list_round_numbers(low: float, high: float) -> Iterator[tuple[float, str]]:
    step = round_step((high - low) / TICKS)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for index in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
        yield index * step, f"{index * step:,.{digits}f}"
