"""A plan as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from analytics.questions.effort import FORMULA, NOTHING, Need, Planned, Row, Stage
from analytics.words import number, rounded, unit_of


def show_plan(planned: Planned) -> Iterator[Any]:
    for stage in planned.stages:
        yield _heading(planned, stage)
        yield _table(stage, len(planned.variants))
    rows = [row for stage in planned.stages for row in stage.rows]
    if any(row.source == FORMULA for row in rows):
        yield "formula: from the most that a share can scatter; shared luck will make differences cheaper than that"
    if any(row.source == NOTHING for row in rows):
        yield f"needs a pilot: {planned.pilot}, then plan again"
    if len(planned.variants) > 1:
        yield "to see: a difference of the margin is found in 4 of 5 times by one test. To call it the same: by compare's verdicts,"
        yield "which hold however often one looks. Both are blocks of each variant, and the time for all of them."


def _heading(planned: Planned, stage: Stage) -> str:
    many = f"{stage.matches_a_block} match{'es' if stage.matches_a_block > 1 else ''} a block"
    rate = f"{stage.matches_per_second:,.0f} matches/s on {planned.workers} cores ({stage.measured})"
    return f"\n{', '.join(planned.variants)}, {stage.players} players, {stage.agent}: {many}, {rate}"


def _table(stage: Stage, variants: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("metric", "a block scatters", "from", "to know it within"):
        table.add_column(head, justify="left" if head in ("metric", "from") else "right", no_wrap=True)
    for head in ("to see", "to call the same within") if variants > 1 else ():
        table.add_column(head, justify="right", no_wrap=True)
    for row in stage.rows:
        limits = [row.within, *([row.margin] * 2 if variants > 1 else [])]
        cells = [_cell(need, row, limit) for need, limit in zip(row.needs, limits, strict=True)]
        table.add_row(row.metric, _amount(row.spread, row), row.source, *cells)
    return table


def _amount(value: float | None, row: Row) -> str:
    return "?" if value is None else f"{number(value, row.unit)} {unit_of(row.unit, True)}"


def _cell(need: Need, row: Row, limit: float | None) -> str:
    """0.50 pp: 38,000 blocks, 3 min"""
    if need.blocks is None or need.minutes is None:
        return f"{_amount(limit, row)}: ?"
    return f"{_amount(limit, row)}: {rounded(need.blocks)} blocks, {lasting(60 * need.minutes)}"


def lasting(seconds: float) -> str:
    """In the largest unit that makes a number of at least one."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else "a moment"
