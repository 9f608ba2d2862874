"""The card of one metric: a chart by its parts, by player count or by line-up, and its numbers on demand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from analytics.metric.metric import Metric
from analytics.stats.intervals import Estimate
from analytics.words import format_interval, format_metric, format_unit
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import Estimates, find_calibrated
from dashboard.data.examples import make_link, name_examples
from dashboard.data.file import CellInfo
from dashboard.page import Chart, ChartCard, DataTable, Text, TextStyle
from dashboard.selection import Selection

BARS = "Bars are 95% intervals over deals."
HOLLOW = "A hollow mark has no interval yet: too few deals."
SEAT = "seat"  # what the parts of some metrics are
MIRROR = "With 2 players, seat 2 wins the rest."
MAX_PARTS_IN_PANELS = 8  # more are drawn in rows
LONG_PART = 6  # letters; longer names are drawn in rows
MAX_ROWS = 12  # more than that: only of the main player count
MANY_ROWS = 8  # take the whole width
MANY_MARKS = 16  # side by side, in half the width of a page
LONG_TABLE = 14  # rows


class Drawing(NamedTuple):
    figure: Any
    is_wide: bool = False


def make_dot(category: str, cell: CellInfo, metric: Metric, part: str, estimate: Estimate) -> Dot:
    """An estimate of a cell, with its hover text and the matches it leads to."""
    part_text = f", {metric.parts} {part}" if part else ""
    hover = f"{cell.name}{part_text}; {cell.matches:,} matches"
    return Dot(category, estimate, hover, make_link(cell, name_examples(metric, part)))


def make_metric_card(selection: Selection, metric: Metric, estimates: Estimates) -> ChartCard | None:
    """The chart of a metric under its question; None if no cell of the selection has it. Luck has only its
    extra card, which says more.
    """
    if metric.kind == "swaps":
        return None
    candidates = selection.mixed_cells if metric.line_ups == "mixed" else selection.cells
    cells = [cell for cell in candidates if estimates[cell.id].get(metric.name)]
    if not cells:
        return None
    figure, is_wide = _draw(selection, metric, cells, estimates)
    return ChartCard(
        title=metric.question,
        parts=[Chart(metric.name, figure, _describe_chart(metric, cells, estimates), has_links=True)],
        details=[
            *([Text(metric.caveat, TextStyle.CAPTION)] if metric.caveat else []),
            _make_numbers(metric, cells, estimates),
        ],
        is_wide=is_wide,
    )


def _draw(selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates) -> Drawing:
    if metric.line_ups == "mixed":
        return _draw_by_line_up(selection, metric, cells, estimates)
    if metric.parts or any("" not in estimates[cell.id][metric.name] for cell in cells):
        return _draw_by_part(selection, metric, cells, estimates)
    return _draw_by_players(selection, metric, cells, estimates)


def describe_hollow(estimates: Iterable[Estimate]) -> str:
    """What hollow marks mean; empty if none is drawn."""
    return "" if all(estimate.has_interval for estimate in estimates) else HOLLOW


def _describe_chart(metric: Metric, cells: Sequence[CellInfo], estimates: Estimates) -> str:
    """What to know before reading a chart."""
    good = f"Good: {metric.better}." if metric.better != Metric.better else ""  # not a matter of taste
    mirror = MIRROR if any(metric.is_mirror("2", cell.players) for cell in cells) else ""
    drawn = [estimate for cell in cells for estimate in estimates[cell.id][metric.name].values()]
    return " ".join(filter(None, [good, mirror, describe_hollow(drawn)]))


def _make_numbers(metric: Metric, cells: Sequence[CellInfo], estimates: Estimates) -> DataTable:
    """Everything that was drawn, with interval and n."""
    has_parts = any(part for cell in cells for part in estimates[cell.id][metric.name])
    rows = [
        [
            cell.variant,
            cell.players,
            cell.line_up,
            *([part] if has_parts else []),
            format_interval(estimate, metric.unit),
            estimate.deals,
            cell.matches,
        ]
        for cell in cells
        for part, estimate in estimates[cell.id][metric.name].items()
        if not metric.is_mirror(part, cell.players)
    ]
    parts = [metric.parts or "part"] if has_parts else []
    value = f"{format_unit(metric.unit)} (95% interval)"
    heads = ["variant", "players", "agents", *parts, value, "deals", "matches"]
    return DataTable("", heads, rows, is_grid=len(rows) > LONG_TABLE)


# ---- by part


def _draw_by_part(
    selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates
) -> Drawing:
    panels: dict[int, dict[str, list[Dot]]] = {}  # by player count and variant
    for cell in cells:
        panels.setdefault(cell.players, {})[cell.variant] = [
            make_dot(_name_part(metric, part), cell, metric, part, estimate)
            for part, estimate in estimates[cell.id][metric.name].items()
            if not metric.is_mirror(part, cell.players)
        ]
    names = {dot.category for panel in panels.values() for dots in panel.values() for dot in dots}
    if len(names) > MAX_PARTS_IN_PANELS or max(map(len, names)) > LONG_PART:
        return Drawing(_draw_part_rows(selection, metric, panels), is_wide=len(names) > MANY_ROWS)
    figure = charts.draw_panels(
        {f"{players} players": panel for players, panel in panels.items()},
        selection.styles,
        metric.unit,
        "" if metric.parts == SEAT else metric.parts,
        {f"{players} players": 1 / players for players in panels} if metric.has_fair_share else None,
    )
    for index, players in enumerate(panels):
        of_panel = [cell for cell in cells if cell.players == players]
        levels = _find_luck_levels(metric, of_panel, estimates)
        if levels and _is_calibrated(selection, of_panel):
            charts.add_luck_to_panel(figure, index, levels)
    return Drawing(figure, charts.count_marks_side_by_side(panels.values()) > MANY_MARKS)


def _draw_part_rows(
    selection: Selection, metric: Metric, panels: Mapping[int, Mapping[str, Sequence[Dot]]]
) -> Any:
    """A row for each part and player count; if that is too much, of the main player count alone."""
    unit = format_unit(metric.unit)
    rows = sum(max(len(dots) for dots in panel.values()) for panel in panels.values())
    if len(panels) == 1 or rows > MAX_ROWS:
        count = selection.main_player_count
        players = count if count in panels else next(iter(panels))
        x_title = f"{unit}, {players} players"
        return charts.draw_rows(panels[players], selection.styles, metric.unit, x_title)
    series: dict[str, list[Dot]] = {}
    for players, panel in panels.items():
        for variant, dots in panel.items():
            named = [replace(dot, category=f"{dot.category}, {players} players") for dot in dots]
            series.setdefault(variant, []).extend(named)
    return charts.draw_rows(series, selection.styles, metric.unit, unit)


def _is_calibrated(selection: Selection, cells: Sequence[CellInfo]) -> bool:
    """Whether some of these cells can be compared with the race of pure luck."""
    calibrated = find_calibrated(selection.db, tuple(selection.cells))
    return any(cell.id in calibrated for cell in cells)


def _name_part(metric: Metric, part: str) -> str:
    if metric.parts == SEAT:
        return f"seat {part}"
    return f"{part}%" if part and metric.find_chance_value else part


def _find_luck_levels(metric: Metric, cells: Sequence[CellInfo], estimates: Estimates) -> dict[str, float]:
    """What a race of pure luck gives for each part, by its name on the axis; empty if that is not known."""
    parts = dict.fromkeys(part for cell in cells for part in estimates[cell.id][metric.name])
    levels = {part: _find_luck_level(metric, part, cells[0].players) for part in parts}
    return {_name_part(metric, part): level for part, level in levels.items() if level is not None}


def _find_luck_level(metric: Metric, part: str, players: int) -> float | None:
    return metric.find_chance_value(part, players) if metric.find_chance_value else None


# ---- by player count


def _draw_by_players(
    selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates
) -> Drawing:
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        dot = make_dot(f"{cell.players} players", cell, metric, "", estimates[cell.id][metric.name][""])
        series.setdefault(cell.variant, []).append(dot)
    figure = charts.draw_by_category(series, selection.styles, metric.unit)
    levels = {
        f"{players} players": level
        for players in sorted({cell.players for cell in cells})
        if (level := _find_luck_level(metric, "", players)) is not None
    }
    if levels and _is_calibrated(selection, [cell for cell in cells if cell.has_equal_agents]):
        charts.add_luck(figure, levels)
    return Drawing(figure, charts.count_marks_side_by_side([series]) > MANY_MARKS)


# ---- by line-up


def _draw_by_line_up(
    selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates
) -> Drawing:
    """Edges and the like: one row for each line-up."""
    series: dict[str, list[Dot]] = {}
    for cell in sorted(cells, key=lambda cell: cell.players):
        others = ", ".join(dict.fromkeys(agent for agent in cell.agents[1:] if agent != cell.agents[0]))
        for part, estimate in estimates[cell.id][metric.name].items():
            if metric.main_part not in ("", part):
                continue  # what the strongest wins, the others lose
            suffix = f", {metric.parts} {part}" if part and not metric.main_part else ""
            category = f"{cell.agents[0]} among {others}, {cell.players} players{suffix}"
            series.setdefault(cell.variant, []).append(make_dot(category, cell, metric, "", estimate))
    x_title = f"{format_metric(metric.name)}, {format_unit(metric.unit)}"
    return Drawing(charts.draw_rows(series, selection.styles, metric.unit, x_title, reference=0.0))
