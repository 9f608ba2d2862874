"""The chart of one metric: by its parts, by player count, or by line-up."""

from collections.abc import Iterator, Sequence
from typing import Any

from analytics.metric.metric import Metric
from analytics.stats.intervals import Estimate
from analytics.words import format_metric, format_unit
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import Estimates, is_calibrated
from dashboard.data.examples import make_link, name_examples
from dashboard.data.file import CellInfo
from dashboard.page import Chart, Element, Title
from dashboard.selection import Selection

BARS = "Bars are 95 % intervals over deals."
MAX_PARTS_IN_PANELS = 8  # more are drawn in rows


def make_dot(category: str, cell: CellInfo, metric: Metric, part: str, estimate: Estimate) -> Dot:
    """An estimate of a cell, with its hover text and the matches it leads to."""
    part_text = f", {metric.parts} {part}" if part else ""
    hover = f"{cell.name}{part_text}; {cell.matches:,} matches"
    return Dot(category, estimate, hover, make_link(cell, name_examples(metric, part)))


def metric_elements(selection: Selection, metric: Metric, estimates: Estimates) -> Iterator[Element]:
    """The chart of a metric under its question; nothing if no cell of the selection has it. Luck has only its
    extra chart, which says more.
    """
    if metric.kind == "swaps":
        return
    candidates = selection.mixed_cells if metric.line_ups == "mixed" else selection.cells
    cells = [cell for cell in candidates if estimates[cell.id].get(metric.name)]
    if not cells:
        return
    yield Title(metric.question)
    if metric.line_ups == "mixed":
        figure = _draw_by_line_up(selection, metric, cells, estimates)
    elif metric.parts or any("" not in estimates[cell.id][metric.name] for cell in cells):
        figure = _draw_by_part(selection, metric, cells, estimates)
    else:
        figure = _draw_by_players(selection, metric, cells, estimates)
    good = f"Good: {metric.better}." if metric.better else ""
    caveat = " ".join(filter(None, [good, metric.caveat, BARS]))
    yield Chart(metric.name, figure, caveat, has_links=True)


# ---- by part


def _draw_by_part(
    selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates
) -> Any:
    panels: dict[int, dict[str, list[Dot]]] = {}  # by player count and variant
    for cell in cells:
        panels.setdefault(cell.players, {})[cell.variant] = [
            make_dot(_name_part(metric, part), cell, metric, part, estimate)
            for part, estimate in estimates[cell.id][metric.name].items()
        ]
    most_parts = max(len(dots) for panel in panels.values() for dots in panel.values())
    if most_parts > MAX_PARTS_IN_PANELS:
        count = selection.main_player_count
        players = count if count in panels else next(iter(panels))
        x_title = f"{format_unit(metric.unit)}, {players} players"
        return charts.draw_rows(panels[players], selection.styles, metric.unit, x_title)
    figure = charts.draw_panels(
        {f"{players} players": panel for players, panel in panels.items()},
        selection.styles,
        metric.unit,
        metric.parts,
        {f"{players} players": 1 / players for players in panels} if metric.has_fair_share else None,
    )
    for index, players in enumerate(panels):
        of_panel = [cell for cell in cells if cell.players == players]
        levels = _find_luck_levels(metric, of_panel, estimates)
        if levels and any(is_calibrated(selection.db, cell.id) for cell in of_panel):
            charts.add_luck_to_panel(figure, index, levels)
    return figure


def _name_part(metric: Metric, part: str) -> str:
    return f"{part} %" if part and metric.find_chance_value else part


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
) -> Any:
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        dot = make_dot(str(cell.players), cell, metric, "", estimates[cell.id][metric.name][""])
        series.setdefault(cell.variant, []).append(dot)
    figure = charts.draw_by_category(series, selection.styles, metric.unit, "players")
    levels = {
        str(players): level
        for players in sorted({cell.players for cell in cells})
        if (level := _find_luck_level(metric, "", players)) is not None
    }
    if levels and any(is_calibrated(selection.db, cell.id) for cell in cells if cell.has_equal_agents):
        charts.add_luck(figure, levels)
    return figure


# ---- by line-up


def _draw_by_line_up(
    selection: Selection, metric: Metric, cells: Sequence[CellInfo], estimates: Estimates
) -> Any:
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
    return charts.draw_rows(series, selection.styles, metric.unit, x_title, reference=0.0)
