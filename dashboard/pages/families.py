"""One page for each family of metrics, all by the same function: sentences, then a chart for each metric,
then the numbers.
"""

from collections.abc import Iterator, Sequence

from analytics.metric.metric import Metric
from analytics.questions.report import HeadToHead, PlayerCountResult
from analytics.words import format_interval, format_unit
from dashboard.data.answers import (
    Estimates,
    find_head_to_heads,
    is_calibrated,
    list_metrics,
    load_estimates,
    load_lifts,
)
from dashboard.data.file import CellInfo
from dashboard.data.metric_display import (
    FamilyDisplay,
    find_agent_edge,
    find_display,
    find_family_display,
)
from dashboard.page import BulletList, Command, DataTable, Element, PageParts, Text, TextStyle
from dashboard.pages.extras import extra_elements
from dashboard.pages.metric_charts import metric_elements
from dashboard.selection import Selection


def elements(selection: Selection, family: str) -> PageParts:
    """Everything a family's page says about a selection."""
    display = find_family_display(family)
    wanted = list_metrics(family)
    cells = _find_cells(selection, wanted)
    estimates = load_estimates(selection.db, cells, wanted)
    if not any(parts for by_metric in estimates.values() for parts in by_metric.values()):
        yield from _hint_elements(selection, display)
        return
    yield from _sentence_elements(selection, display, estimates)
    for metric in wanted:
        yield from metric_elements(selection, metric, estimates)
        extra = find_display(metric.name).extra
        if extra:
            yield from extra_elements(selection, metric, extra)
    yield _make_table(family, wanted, cells, estimates)


def _hint_elements(selection: Selection, display: FamilyDisplay) -> Iterator[Element]:
    """Why there is nothing to show, and what to do about it."""
    if not display.needs_head_to_heads:
        yield Text(
            "Nothing is stored about this for the selection; choose other agents or player counts.",
            TextStyle.NOTE,
        )
        return
    yield Text(
        "Skill shows where different agents meet, and no such line-up of these variants is stored.",
        TextStyle.NOTE,
    )
    spec = selection.find_info(selection.variants[0]).spec
    yield Command(["ladder", spec, "--agents", "random,greedy", "--db", str(selection.db)])


def _find_cells(selection: Selection, wanted: Sequence[Metric]) -> list[CellInfo]:
    """The cells of the selection; for metrics of mixed line-ups, all mixed cells as well."""
    mixed = selection.mixed_cells if any(metric.line_ups == "mixed" for metric in wanted) else []
    return list({cell.id: cell for cell in [*selection.cells, *mixed]}.values())


# ---- in words


def _sentence_elements(
    selection: Selection, display: FamilyDisplay, estimates: Estimates
) -> Iterator[Element]:
    """The report's sentences about each variant."""
    sentences = []
    for variant in selection.variants:
        make_counts = _make_head_to_head_counts if display.needs_head_to_heads else _make_counts
        counts = list(make_counts(selection, variant, display, estimates))
        try:
            texts = display.describe(counts) if counts else []
        except KeyError:  # a metric that the sentence needs has no estimate yet
            continue
        sentences += [f"{variant}: {text}" for text in texts if text]
    if sentences:
        yield BulletList(sentences)


def _make_counts(
    selection: Selection, variant: str, display: FamilyDisplay, estimates: Estimates
) -> Iterator[PlayerCountResult]:
    for players in selection.players:
        cell = selection.find_cell(variant, players)
        if cell and estimates.get(cell.id):
            needs_luck_race = display.needs_luck_race and cell.has_equal_agents
            yield PlayerCountResult(
                players=players,
                matches=cell.matches,
                answers={name: parts for name, parts in estimates[cell.id].items() if parts},
                head_to_heads=(),
                lifts=tuple(load_lifts(selection.db, cell.id)) if display.needs_lifts else (),
                calibrated=needs_luck_race and is_calibrated(selection.db, cell.id),
            )


def _make_head_to_head_counts(
    selection: Selection, variant: str, display: FamilyDisplay, estimates: Estimates
) -> Iterator[PlayerCountResult]:
    cells = [cell for cell in find_head_to_heads(selection.mixed_cells) if cell.variant == variant]
    edge_name = find_agent_edge().name
    for players in sorted({cell.players for cell in cells}):
        head_to_heads = []
        for cell in cells:
            edge = estimates[cell.id][edge_name].get("1")
            if cell.players == players and edge:
                head_to_heads.append(HeadToHead(cell.agents[0], cell.agents[1], edge, cell.matches))
        yield PlayerCountResult(
            players=players,
            matches=0,
            answers={},
            head_to_heads=tuple(head_to_heads),
            lifts=(),
            calibrated=False,
        )


# ---- in numbers


def _make_table(
    family: str, wanted: Sequence[Metric], cells: Sequence[CellInfo], estimates: Estimates
) -> DataTable:
    """Everything that was drawn, with interval and n."""
    rows = [
        [
            metric.name,
            part,
            cell.variant,
            cell.players,
            cell.line_up,
            format_interval(estimate, metric.unit),
            format_unit(metric.unit),
            estimate.deals,
            cell.matches,
        ]
        for metric in wanted
        for cell in cells
        for part, estimate in estimates[cell.id].get(metric.name, {}).items()
    ]
    heads = ["metric", "part", "variant", "players", "agents", "mean (95 %)", "unit", "deals", "matches"]
    return DataTable(f"The numbers: {family}", heads, rows, is_folded=True, is_grid=True)
