"""An explanation as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.explain import Explanation, MetricExplanation
from analytics.show.table import make_table
from analytics.stats.intervals import Estimate
from analytics.words import find_clear_sign, format_interval, format_metric, format_unit


def show_explanation(explanation: Explanation) -> Iterator[Any]:
    """A table with a row per parameter for each metric, then what stands out in words."""
    variants = f"B = {explanation.b} against A = {explanation.a}"
    yield f"\n{variants}, {explanation.players} players, by {explanation.agent}:"
    yield (
        f"  every parameter switched alone; {explanation.matches:,} matches of each mix on the same deals; "
        "95% intervals in brackets"
    )
    table = make_table()
    for head in ("metric", "what is switched", "first, from A", "last, to B"):
        table.add_column(
            head, overflow="fold", justify="right" if head.startswith(("first", "last")) else "left"
        )
    for line in explanation.lines:
        _add_rows(table, line)
    yield table
    yield from (f"  {sentence}" for line in explanation.lines for sentence in describe_causes(line))


def _add_rows(table: Table, line: MetricExplanation) -> None:
    title = f"{format_metric(line.metric, line.part)}, {format_unit(line.unit, True)}"
    for index, effect in enumerate(line.effects):
        estimates = [
            format_interval(estimate, line.unit, True) for estimate in (effect.from_a, effect.from_b)
        ]
        table.add_row(title if index == 0 else "", f"{effect.parameter}: {effect.change}", *estimates)
    table.add_row("", "interaction", format_interval(line.interaction, line.unit, True), "")
    table.add_row("", "all together", format_interval(line.whole, line.unit, True), "")
    table.add_section()


def describe_causes(line: MetricExplanation) -> Iterator[str]:
    """A sentence about which parameters clearly have an effect, and whether their combination has."""
    title = format_metric(line.metric, line.part)
    if not any(map(_is_clear, [line.whole, line.interaction, *(effect.from_a for effect in line.effects)])):
        return
    causes = [effect for effect in line.effects if _is_clear(effect.from_a) or _is_clear(effect.from_b)]
    names = ", ".join(
        f"{effect.parameter} ({format_interval(effect.from_a, line.unit, True)})" for effect in causes
    )
    interaction = "; together they do more, or less, than each alone" if _is_clear(line.interaction) else ""
    cause = f"caused by {names}" if causes else "no single parameter clearly does it"
    yield f"{title}: {cause}{interaction}."


def _is_clear(estimate: Estimate) -> bool:
    return find_clear_sign(estimate) != 0
