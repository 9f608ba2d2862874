"""An explanation as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.explain import Effect, Explanation, MetricExplanation
from analytics.show.table import make_table
from analytics.stats.intervals import Estimate
from analytics.words import (
    add_unit,
    find_clear_sign,
    format_interval,
    format_metric,
    format_number,
    format_unit,
    join_words,
)


def show_explanation(explanation: Explanation) -> Iterator[Any]:
    """What causes what in words, then a table with a row per parameter for each metric."""
    variants = f"B = {explanation.b} against A = {explanation.a}"
    yield f"\n{variants}, {explanation.players} players, by {explanation.agent}:"
    yield (
        f"  every parameter switched alone; {explanation.matches:,} matches of each mix on the same deals; "
        "95% intervals in brackets"
    )
    sentences = [sentence for line in explanation.lines for sentence in describe_causes(line)]
    yield from (f"  {sentence}" for sentence in sentences or [NOTHING_CLEAR])
    table = make_table()
    for head in ("metric", "what is switched", "first, from A", "last, to B"):
        table.add_column(
            head, overflow="fold", justify="right" if head.startswith(("first", "last")) else "left"
        )
    for line in explanation.lines:
        _add_rows(table, line)
    yield table


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


NOTABLE = 0.1  # of the whole change: a smaller part may be too small to matter by itself
NOTHING_CLEAR = "No parameter clearly changes any of these metrics yet. More matches may show one: --matches."


def describe_causes(line: MetricExplanation) -> Iterator[str]:
    """What each parameter does to a metric, on average of switching it first and last; nothing if none of
    them clearly does anything that may matter.
    """
    estimates = [line.whole, *(effect.average for effect in line.effects)]
    if not (any(_matters(estimate, line) for estimate in estimates) or any(map(_is_reversed, line.effects))):
        return
    parts = [_list_causes(line), *_list_reversals(line), _list_small(line), _list_open(line)]
    title = format_metric(line.metric, line.part)
    together = _describe_interaction(line)
    yield f"{title}, {_format(line.whole, line)}: {'; '.join(filter(None, [*parts, together]))}."


def _format(estimate: Estimate, line: MetricExplanation) -> str:
    """+2.40 turns (2.31 to 2.49)"""
    mean, _, interval = format_interval(estimate, line.unit, True).partition(" ")
    return f"{add_unit(mean, line.unit, True)} {interval}"


def _list_causes(line: MetricExplanation) -> str:
    """caused by goal_pays (+2.40 turns ...) and cult_deadline (+0.98 turns ...): the largest first"""
    causes = [effect for effect in line.effects if _is_cause(effect, line)]
    causes.sort(key=lambda effect: -abs(effect.average.mean))
    names = [f"{effect.parameter} ({_format(effect.average, line)})" for effect in causes]
    return f"caused by {join_words(names)}" if names else ""


def _list_reversals(line: MetricExplanation) -> Iterator[str]:
    for effect in filter(_is_reversed, line.effects):
        alone, beside = (_format(estimate, line) for estimate in (effect.from_a, effect.from_b))
        yield f"{effect.parameter} turns round: {alone} alone, {beside} beside the others"


def _list_small(line: MetricExplanation) -> str:
    """too small to matter: cult_deadline (threshold: 1.00 pp)"""
    names = [effect.parameter for effect in line.effects if _is_small(effect, line)]
    threshold = add_unit(format_number(line.threshold, line.unit), line.unit, True)
    return f"too small to matter: {join_words(names)} (threshold: {threshold})" if names else ""


def _list_open(line: MetricExplanation) -> str:
    """open: cult_deadline (-0.40 pp ...). One that looks like a cause that is named may be one as well."""
    effects = [
        effect
        for effect in line.effects
        if not (_is_cause(effect, line) or _is_reversed(effect) or _is_small(effect, line))
    ]
    names = [f"{effect.parameter} ({_format(effect.average, line)})" for effect in effects]
    return f"open: {join_words(names)}" if names else ""


def _describe_interaction(line: MetricExplanation) -> str:
    """Whether the whole is more or less than the single switches add up to."""
    if not _is_clear(line.interaction) or _is_within(line.interaction, line.threshold):
        return ""
    alone = line.whole.mean - line.interaction.mean
    if alone * line.whole.mean < 0:
        return "together they do the opposite of what each alone adds up to"
    size = "more" if abs(line.whole.mean) > abs(alone) else "less"
    return f"together they do {size} than each alone adds up to"


def _is_cause(effect: Effect, line: MetricExplanation) -> bool:
    """Whether it clearly does something that may matter, in whatever order it is switched."""
    return _is_clear(effect.average) and not (_is_small(effect, line) or _is_reversed(effect))


def _is_reversed(effect: Effect) -> bool:
    """Whether it clearly does one thing alone and the opposite beside the other changes."""
    return find_clear_sign(effect.from_a) * find_clear_sign(effect.from_b) < 0


def _is_small(effect: Effect, line: MetricExplanation) -> bool:
    """Whether it is too small to matter, and no notable part of a whole that does."""
    is_part = _matters(line.whole, line) and abs(effect.average.mean) >= NOTABLE * abs(line.whole.mean)
    return _is_within(effect.average, line.threshold) and not (is_part or _is_reversed(effect))


def _matters(estimate: Estimate, line: MetricExplanation) -> bool:
    """Whether a difference is clear and may be as large as what matters."""
    return _is_clear(estimate) and not _is_within(estimate, line.threshold)


def _is_within(estimate: Estimate, threshold: float) -> bool:
    """Whether all of an interval is nearer to zero than what matters."""
    return estimate.has_interval and max(abs(estimate.low), abs(estimate.high)) < threshold


def _is_clear(estimate: Estimate) -> bool:
    return find_clear_sign(estimate) != 0
