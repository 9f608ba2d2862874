"""A plan as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.effort import FORMULA, NEEDS_PILOT, Effort, Need, Row, Stage
from analytics.show.table import make_table
from analytics.words import format_duration, format_metric, format_number, format_rounded, format_unit


def show_plan(effort: Effort) -> Iterator[Any]:
    for stage in effort.stages:
        yield _format_heading(effort, stage)
        yield _make_table(stage, len(effort.variants))
    rows = [row for stage in effort.stages for row in stage.rows]
    if any(row.source == FORMULA for row in rows):
        yield ("formula: the worst case for a share. Variants that share deals will need fewer.")
    if any(row.source == NEEDS_PILOT for row in rows):
        yield f"needs a pilot; play one, then plan again: {effort.pilot}"
    if len(effort.variants) > 1:
        yield (
            "To detect: one test finds a difference of this size 4 times out of 5. To call the same: "
            "the verdict of compare, which holds however often you look."
        )
        yield "Deals are those of each variant; the time is for all of them."


def _format_heading(effort: Effort, stage: Stage) -> str:
    matches = f"{stage.matches_a_deal} match{'es' if stage.matches_a_deal > 1 else ''} per deal"
    cores = "1 core" if effort.workers == 1 else f"{effort.workers} cores"
    rate = f"{stage.matches_per_second:,.0f} matches/s on {cores} ({stage.measured})"
    return f"\n{', '.join(effort.variants)}, {stage.players} players, {stage.agent}: {matches}, {rate}"


def _make_table(stage: Stage, variants: int) -> Table:
    table = make_table()
    for head in ("metric", "spread of a deal", "from", "to know it within"):
        table.add_column(head, justify="left" if head in ("metric", "from") else "right", no_wrap=True)
    for head in ("to detect", "to call the same within") if variants > 1 else ():
        table.add_column(head, justify="right", no_wrap=True)
    for row in stage.rows:
        limits = [row.within, *([row.threshold] * 2 if variants > 1 else [])]
        cells = [_format_cell(need, row, limit) for need, limit in zip(row.needs, limits, strict=True)]
        table.add_row(format_metric(row.metric), _format_amount(row.spread, row), row.source, *cells)
    return table


def _format_amount(value: float | None, row: Row) -> str:
    return "?" if value is None else f"{format_number(value, row.unit)} {format_unit(row.unit, True)}"


def _format_cell(need: Need, row: Row, limit: float | None) -> str:
    """0.50 pp: 38,000 deals, 3 min"""
    if need.deals is None or need.minutes is None:
        return f"{_format_amount(limit, row)}: ?"
    duration = format_duration(60 * need.minutes)
    return f"{_format_amount(limit, row)}: {format_rounded(need.deals)} deals, {duration}"
