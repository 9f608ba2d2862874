"""One page for each group of metrics, all by the same function: sentences, then a card for each metric."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from analytics.metric.group import MetricGroup, find_group
from analytics.metric.metric import SKILL_EDGE, Metric
from analytics.questions.report import HeadToHead, PlayerCountResult
from analytics.show.report.takeaways import describe_group, select_shared_results
from dashboard.controls import Hint
from dashboard.data.answers import (
    Estimates,
    find_calibrated,
    find_head_to_heads,
    list_metrics,
    load_estimates,
)
from dashboard.data.file import CellInfo
from dashboard.page import (
    BulletList,
    ChartCard,
    ChartCards,
    Command,
    Element,
    PageParts,
    Scope,
    Text,
    TextStyle,
)
from dashboard.pages.extras import list_extra_cards, list_extra_cells
from dashboard.pages.metric_charts import BARS, make_metric_card
from dashboard.pages.missing import describe_missing
from dashboard.selection import Selection


def elements(selection: Selection, name: str) -> PageParts:
    """Everything a group's page says about a selection."""
    yield from describe_missing(selection)
    group = find_group(name)
    wanted = list_metrics(name)
    cells = _find_cells(selection, wanted)
    estimates = load_estimates(selection.db, cells, wanted)
    if not any(parts for by_metric in estimates.values() for parts in by_metric.values()):
        yield from _hint_elements(selection, group)
        return
    yield Scope(selection, cells=_list_shown_cells(selection, wanted, estimates))
    yield from _sentence_elements(selection, group, estimates)
    yield Text(BARS, TextStyle.CAPTION)
    yield Hint("Click a mark to see its matches.")
    yield ChartCards(list(_list_cards(selection, wanted, estimates)))


def _list_cards(selection: Selection, wanted: Sequence[Metric], estimates: Estimates) -> Iterator[ChartCard]:
    repeated = _find_repeated(wanted, estimates)
    for metric in wanted:
        if metric.name not in repeated and (card := make_metric_card(selection, metric, estimates)):
            same = [other.question for other in wanted if repeated.get(other.name) == metric.name]
            notes = [
                Text(f"{question} The same numbers, in all these matches.", TextStyle.CAPTION)
                for question in same
            ]
            yield replace(card, parts=[*card.parts, *notes])
        yield from list_extra_cards(selection, metric)


def _find_repeated(wanted: Sequence[Metric], estimates: Estimates) -> dict[str, str]:
    """The metrics that are the same as an earlier one in every cell, by their names: in a game without a
    tie-break, shared wins are shared best scores. What is always 0 or always 1 may be equal by accident.
    """
    first_by_values: dict[tuple[object, ...], str] = {}
    repeated: dict[str, str] = {}
    for metric in wanted:
        values = [
            (cell, part, estimate.mean, estimate.deals)
            for cell, by_metric in estimates.items()
            for part, estimate in by_metric.get(metric.name, {}).items()
        ]
        if any(0 < mean < 1 for _, _, mean, _ in values):
            first = first_by_values.setdefault((metric.unit, *values), metric.name)
            repeated |= {metric.name: first} if first != metric.name else {}
    return repeated


def _list_shown_cells(selection: Selection, wanted: Sequence[Metric], estimates: Estimates) -> list[CellInfo]:
    """The cells behind the cards, each once: those of other agents come last."""
    cells = [cell for cell in _find_cells(selection, wanted) if any(estimates[cell.id].values())]
    extra = [cell for metric in wanted for cell in list_extra_cells(selection, metric)]
    return list({cell.id: cell for cell in [*cells, *extra]}.values())


def _hint_elements(selection: Selection, group: MetricGroup) -> Iterator[Element]:
    """Why there is nothing to show, and what to do about it."""
    if not group.needs_head_to_heads:
        yield Text(
            "Nothing is stored about this for the selection; choose other agents or player counts.",
            TextStyle.NOTE,
        )
        return
    yield Text(
        "Skill shows where different agents meet in every seating, and no such line-up of these variants is"
        " stored.",
        TextStyle.NOTE,
    )
    spec = selection.find_info(selection.variants[0]).spec
    yield Command(["ladder", spec, "--agents", "random,greedy", "--db", str(selection.db)])


def _find_cells(selection: Selection, wanted: Sequence[Metric]) -> list[CellInfo]:
    """The cells of the selection; for metrics of mixed line-ups, all mixed cells as well."""
    mixed = selection.mixed_cells if any(metric.line_ups == "mixed" for metric in wanted) else []
    return list({cell.id: cell for cell in [*selection.cells, *mixed]}.values())


# ---- in words


def _sentence_elements(selection: Selection, group: MetricGroup, estimates: Estimates) -> Iterator[Element]:
    """The report's sentences about each variant."""
    make_counts = _make_head_to_head_counts if group.needs_head_to_heads else _make_counts
    made = {
        variant: list(make_counts(selection, variant, group, estimates)) for variant in selection.variants
    }
    results = {variant: counts for variant, counts in made.items() if counts}
    sentences = []
    for variant, counts in select_shared_results(group.name, results).items():
        with suppress(KeyError):  # a metric that the sentence needs has no estimate yet
            sentences += [f"{variant}: {text}" for text in describe_group(group.name, counts)]
    if sentences:
        yield BulletList(sentences)


def _make_counts(
    selection: Selection, variant: str, group: MetricGroup, estimates: Estimates
) -> Iterator[PlayerCountResult]:
    for players in selection.players:
        cell = selection.find_cell(variant, players)
        if cell and estimates.get(cell.id):
            needs_luck_race = group.needs_luck_race and cell.has_equal_agents
            calibrated = find_calibrated(selection.db, tuple(selection.cells)) if needs_luck_race else ()
            yield PlayerCountResult(
                players=players,
                matches=cell.matches,
                answers={name: parts for name, parts in estimates[cell.id].items() if parts},
                head_to_heads=(),
                calibrated=cell.id in calibrated,
            )


def _make_head_to_head_counts(
    selection: Selection, variant: str, group: MetricGroup, estimates: Estimates
) -> Iterator[PlayerCountResult]:
    cells = [cell for cell in find_head_to_heads(selection.mixed_cells) if cell.variant == variant]
    for players in sorted({cell.players for cell in cells}):
        head_to_heads = []
        for cell in cells:
            edge = estimates[cell.id][SKILL_EDGE].get("1")
            if cell.players == players and edge:
                head_to_heads.append(HeadToHead(cell.agents[0], cell.agents[1], edge, cell.matches))
        yield PlayerCountResult(
            players=players,
            matches=0,
            answers={},
            head_to_heads=tuple(head_to_heads),
            calibrated=False,
        )
