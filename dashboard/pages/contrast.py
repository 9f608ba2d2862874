"""One variant against the baseline, as Compare says it: changes, a forest plot, verdicts, background."""

from collections.abc import Iterator, Sequence

from analytics.metric.metric import find_metric
from analytics.questions.compare.conclusions import HOW_TO_READ, conclude, describe_verdict
from analytics.show.terminal.comparison import describe_affected, describe_luck_race
from analytics.verdict.results import Contrast, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, NONE, UNCLEAR
from analytics.words import format_interval, format_metric, format_rounded, format_unit
from dashboard.comparison_charts import draw_forest
from dashboard.data.contrasts import (
    CellPair,
    JudgedContrast,
    VerdictUnavailable,
    load_contrast,
    load_differences,
)
from dashboard.data.examples import make_link, name_examples
from dashboard.data.file import CellInfo
from dashboard.page import BulletList, Chart, DataTable, Element, Text, TextStyle, Title
from dashboard.pages.luck import luck_change_elements
from dashboard.selection import Selection

DEFAULT_THRESHOLDS = (
    "The thresholds are the metrics' usual ones: nobody wrote them down before the first match."
    " `boardgames compare` does that."
)
VERDICT_HEADS = ("metric", "A", "B", "B - A (95 %)", "verdict")


def contrast_elements(selection: Selection, cell_a: CellInfo, cell_b: CellInfo) -> Iterator[Element]:
    """Everything the page says about B against A."""
    yield Title(f"B = {cell_b.variant} against A = {cell_a.variant}")
    pair = _make_pair(selection, cell_a, cell_b)
    if not cell_a.has_equal_agents:  # nobody promised verdicts about mixed line-ups
        yield from _verdict_elements(selection, load_differences(selection.db, pair), cell_b)
        return
    try:
        judged = load_contrast(selection.db, pair)
    except VerdictUnavailable as error:
        yield Text(f"No verdicts: {error}.", TextStyle.WARNING)
        judged = load_differences(selection.db, pair)
    yield from _verdict_elements(selection, judged, cell_b)
    if judged.contrast.paired and not judged.contrast.same_rules:
        yield from luck_change_elements(selection, cell_a, cell_b)


def _make_pair(selection: Selection, cell_a: CellInfo, cell_b: CellInfo) -> CellPair:
    other_agents = [agent for agent in selection.equal_line_ups if agent != selection.line_up]
    return CellPair(
        variants=(selection.find_info(cell_a.variant), selection.find_info(cell_b.variant)),
        cells=(cell_a, cell_b),
        other_agents=tuple(
            agent
            for agent in other_agents
            if all(selection.find_cell(cell.variant, cell.players, agent) for cell in (cell_a, cell_b))
        ),
    )


def _verdict_elements(selection: Selection, judged: JudgedContrast, cell_b: CellInfo) -> Iterator[Element]:
    contrast = judged.contrast
    if contrast.same_rules:
        yield Text(
            f"With {contrast.players} players both have the same rules: there is nothing to compare.",
            TextStyle.NOTE,
        )
        return
    yield from _answer_elements(contrast)
    if contrast.changes:
        yield BulletList(contrast.changes)
    if not contrast.lines:
        return
    shown_lines = [
        *(line for line in contrast.lines if line.is_main),
        *(line for line in contrast.lines if _is_notable(line)),
    ]
    yield _make_forest(selection, contrast, shown_lines, cell_b)
    yield DataTable("Verdicts", VERDICT_HEADS, [_make_row(line) for line in shown_lines])
    yield from _background_elements(contrast)
    yield from _threshold_elements(contrast, judged.terms)


def _is_notable(line: Line) -> bool:
    """Whether a line that is not of a main metric is shown beside those."""
    return not line.is_main and line.verdict in (DIFFERENT, UNCLEAR)


def _make_forest(selection: Selection, contrast: Contrast, lines: Sequence[Line], cell_b: CellInfo) -> Chart:
    colour, _ = selection.styles.get(cell_b.variant)
    links = [make_link(cell_b, name_examples(find_metric(line.metric), line.part)) for line in lines]
    figure = draw_forest(lines, [_name_line(line) for line in lines], colour, links)
    caveat = (
        "B less A. Thick: ordinary 95 % intervals; thin: the wider ones that verdicts go by,"
        " which hold however often you look."
        f" {'Paired deal by deal on the same luck.' if contrast.paired else 'Not paired.'}"
        f" {contrast.matches:,} matches of each."
    )
    return Chart(f"forest {contrast.b}", figure, caveat, has_links=True)


def _answer_elements(contrast: Contrast) -> Iterator[Element]:
    """The sentences of `compare`, which tell the notes too; without verdicts, the notes alone."""
    if any(line.is_main and line.verdict != NONE for line in contrast.lines):
        yield BulletList(list(conclude(contrast)))
        yield Text(HOW_TO_READ, TextStyle.CAPTION)
        return
    if contrast.lines:
        yield Text("Differences as they are stored, without verdicts.")
    for note in contrast.notes:
        yield Text(f"{note[0].upper()}{note[1:]}.", TextStyle.WARNING)


def _name_line(line: Line) -> str:
    return format_metric(line.metric, line.part)


def _make_row(line: Line) -> list[str]:
    unit = format_unit(line.unit, True)
    return [
        _name_line(line),
        format_interval(line.a, line.unit),
        format_interval(line.b, line.unit),
        f"{format_interval(line.difference, line.unit, True)} {unit}",
        describe_verdict(line),
    ]


def _background_elements(contrast: Contrast) -> Iterator[Element]:
    """How much was affected, other players, the race of pure luck, and the metrics that do not differ."""
    if contrast.affected:
        yield Text(f"Affected: {describe_affected(contrast)}.")
    if any(line.luck_race is not None for line in contrast.lines):
        sentence = describe_luck_race(contrast)
        yield Text(f"{sentence[0].upper()}{sentence[1:]}.")
    if contrast.saved:
        yield Text(f"Shared luck saved about {format_rounded(contrast.saved)} matches.")
    with_other_agents = [line for line in contrast.lines if line.is_main and line.other_agents]
    if with_other_agents:
        yield _make_agents_table(with_other_agents)
    quiet = [line for line in contrast.lines if not line.is_main and not _is_notable(line)]
    if quiet:
        yield DataTable(
            f"{len(quiet)} other metrics", VERDICT_HEADS, [_make_row(line) for line in quiet], is_folded=True
        )


def _make_agents_table(lines: Sequence[Line]) -> DataTable:
    """The differences that other agents see."""
    heads = ["metric", *(f"B - A by {other.agent}" for other in lines[0].other_agents), "over the agents"]
    rows = [
        [
            _name_line(line),
            *(format_interval(other.difference, line.unit, True) for other in line.other_agents),
            line.agreement,
        ]
        for line in lines
    ]
    return DataTable("By other players", heads, rows)


def _threshold_elements(contrast: Contrast, terms: Terms) -> Iterator[Element]:
    thresholds = ", ".join(
        f"{name.replace('_', ' ')} {terms.describe_threshold(find_metric(name))}"
        for name in terms.main_metrics
    )
    yield Text(f"Thresholds: {thresholds}.", TextStyle.CAPTION)
    if not terms.stop and contrast.lines[0].verdict != NONE:
        yield Text(DEFAULT_THRESHOLDS, TextStyle.CAPTION)
