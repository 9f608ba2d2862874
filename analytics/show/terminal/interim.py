"""Where a comparison stands while it plays, as a terminal shows it in place."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from analytics.metric.metric import SHARE, find_metric
from analytics.questions.compare.conclusions import describe_verdict
from analytics.show.table import make_table
from analytics.show.terminal.comparison import format_give_or_take
from analytics.verdict.results import Contrast, Line
from analytics.words import format_metric, format_unit


def make_interim_tables(contrasts: Sequence[Contrast]) -> Group:
    """A table of the main metrics for each contrast. Beside the difference with its 95% interval, a verdict
    shows no interval of its own.
    """
    return Group(*(Group(_make_heading(contrast), _make_interim_table(contrast)) for contrast in contrasts))


def _make_heading(contrast: Contrast) -> Text:
    """As wide as the screen, where a table's own title would be as narrow as the table."""
    matches = f"{contrast.matches:,} matches of each by {contrast.agent}"
    return Text(f"B = {contrast.b} against A = {contrast.a}, {contrast.players} players: {matches}")


def _make_interim_table(contrast: Contrast) -> Table:
    table = make_table()
    table.add_column("main metric", overflow="fold")
    table.add_column("B - A so far", justify="right", overflow="fold")
    table.add_column("verdict", overflow="fold")
    for line in contrast.main_lines:
        table.add_row(
            format_metric(line.metric, line.part),
            _format_difference(line),
            describe_verdict(line, with_interval=False),
        )
    return table


def _format_difference(line: Line) -> str:
    """+2.31 ±0.50 turns"""
    unit = format_unit(line.unit, True) if line.unit == SHARE else find_metric(line.metric).sentence_unit
    return f"{format_give_or_take(line.difference, line.unit, True)} {unit}"
