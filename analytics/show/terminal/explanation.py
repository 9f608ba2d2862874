"""An explanation as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.explain import Explanation, MetricExplanation
from analytics.show.table import make_table
from analytics.stats.intervals import Estimate
from analytics.words import find_clear_sign, format_interval, format_unit


def show_explanation(explanation: Explanation) -> Iterator[Any]:
    """A table with a row per parameter for each metric, then what stands out in words."""
    variants = f"B = {explanation.b} against A = {explanation.a}"
    yield f"\n{variants}, {explanation.players} players, by {explanation.agent}:"
    yield (
        f"  every parameter switched alone, {explanation.matches:,} matches of each mix on the same luck; "
        "ordinary 95 % intervals"
    )
    table = make_table()
    for head in ("metric", "what is switched", "alone, from A", "at last, into B"):
        table.add_column(
            head, overflow="fold", justify="right" if head.startswith(("alone", "at")) else "left"
        )
    for line in explanation.lines:
        _add_rows(table, line)
    yield table
    yield from (f"  {sentence}" for line in explanation.lines for sentence in describe_causes(line))


def _add_rows(table: Table, line: MetricExplanation) -> None:
    title = f"{line.metric} {line.part}".strip() + f", {format_unit(line.unit, True)}"
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
    title = f"{line.metric} {line.part}".strip()
    if not any(map(_is_clear, [line.whole, line.interaction, *(effect.from_a for effect in line.effects)])):
        return
    causes = [effect for effect in line.effects if _is_clear(effect.from_a) or _is_clear(effect.from_b)]
    names = ", ".join(
        f"{effect.parameter} ({format_interval(effect.from_a, line.unit, True)})" for effect in causes
    )
    interaction = "; their meeting does something of its own" if _is_clear(line.interaction) else ""
    yield f"{title}: {'it is ' + names if causes else 'none of them alone clearly does it'}{interaction}"


def _is_clear(estimate: Estimate) -> bool:
    return find_clear_sign(estimate) != 0
