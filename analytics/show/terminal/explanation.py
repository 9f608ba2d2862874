"""An explanation as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from analytics.questions.explain import Explained, Explanation
from analytics.stats.intervals import Estimate
from analytics.words import interval, sign, unit_of


def show_explanation(explanation: Explanation) -> Iterator[Any]:
    """A table with a row per parameter for each metric, then what stands out in words."""
    yield f"\nB = {explanation.b} against A = {explanation.a}, {explanation.players} players, by {explanation.agent}:"
    yield f"  every parameter switched alone, {explanation.matches:,} matches of each mix on the same luck; ordinary 95 % intervals"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("metric", "what is switched", "alone, from A", "at last, into B"):
        table.add_column(head, overflow="fold", justify="right" if head.startswith(("alone", "at")) else "left")
    for line in explanation.lines:
        _rows(table, line)
    yield table
    yield from (f"  {sentence}" for line in explanation.lines for sentence in told(line))


def _rows(table: Table, line: Explained) -> None:
    title = f"{line.metric} {line.part}".strip() + f", {unit_of(line.unit, True)}"
    for place, effect in enumerate(line.effects):
        shown = [interval(one, line.unit, True) for one in (effect.from_a, effect.from_b)]
        table.add_row(title if place == 0 else "", f"{effect.parameter}: {effect.change}", *shown)
    table.add_row("", "interaction", interval(line.interaction, line.unit, True), "")
    table.add_row("", "all together", interval(line.whole, line.unit, True), "")
    table.add_section()


def told(line: Explained) -> Iterator[str]:
    """Which parameters clearly do something, and whether their meeting does."""
    title = f"{line.metric} {line.part}".strip()
    if not any(map(_clear, [line.whole, line.interaction, *(effect.from_a for effect in line.effects)])):
        return
    causes = [effect for effect in line.effects if _clear(effect.from_a) or _clear(effect.from_b)]
    names = ", ".join(f"{effect.parameter} ({interval(effect.from_a, line.unit, True)})" for effect in causes)
    meeting = "; their meeting does something of its own" if _clear(line.interaction) else ""
    yield f"{title}: {'it is ' + names if causes else 'none of them alone clearly does it'}{meeting}"


def _clear(estimate: Estimate) -> bool:
    return sign(estimate) != 0
