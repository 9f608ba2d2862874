"""Variants against a baseline: the answer in sentences, what is open, then the numbers behind it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analytics.metric.group import find_group
from analytics.metric.metric import find_metric
from analytics.questions.compare.conclusions import (
    conclude,
    describe_rest,
    describe_verdict,
    label_verdict,
    suggest_minutes,
)
from analytics.questions.compare.stored import StoredComparison
from analytics.show.forest import AXIS_HEIGHT, ROW_HEIGHT, ForestRow, draw_forest, find_reach, list_labels
from analytics.show.terminal.comparison import describe_affected, describe_luck_race
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, FOREVER, NONE, UNCLEAR
from analytics.words import find_change_digits, format_interval, format_metric, format_rounded, format_unit
from boardgames.errors import TooMuchUnstored
from dashboard.charts import NO_FADING, make_figure
from dashboard.controls import StartButton
from dashboard.data.examples import make_link, name_examples
from dashboard.data.file import CellInfo
from dashboard.data.requests import CompareRequest
from dashboard.page import (
    BulletList,
    Chart,
    ChartCard,
    ChartCards,
    DataTable,
    Element,
    PageParts,
    Text,
    TextStyle,
)

DEFAULT_THRESHOLDS = (
    "The thresholds are the metrics' usual ones: they were not fixed before the first match."
    " `boardgames compare` does that."
)
MOST_METRICS = 8  # at once; the others are folded
VERDICT_HEADS = ("question", "metric", "A", "B", "B - A (95%)", "verdict")


def answer_elements(contrast: Contrast, problem: str | None = None) -> Iterator[Element]:
    """The sentences of `compare`, which tell the notes too; without verdicts, why there are none."""
    if problem is not None:
        yield Text(f"No verdicts: {problem}.", TextStyle.WARNING)
    if contrast.same_rules or any(line.is_main and line.verdict != NONE for line in contrast.lines):
        yield BulletList(list(conclude(contrast)))
        return
    if contrast.lines:
        yield Text("Differences as they are stored, without verdicts.")
    for note in contrast.notes if problem is None else ():
        yield Text(f"{note[0].upper()}{note[1:]}.", TextStyle.WARNING)


def open_parts(db: Path, comparison: Comparison, asked: StoredComparison | None) -> PageParts:
    """What is open, with a button that plays what is missing; a comparison that is registered knows its
    agents.
    """
    if rest := describe_rest(comparison):
        yield Text(rest)
    if minutes := suggest_minutes(comparison):
        players = ",".join(map(str, asked.question.players if asked else comparison.players))
        request = CompareRequest(
            specs=asked.question.specs if asked else comparison.variants,
            players=players,
            agents=() if asked else comparison.agents,
            seed=comparison.seed,
            minutes=minutes,
        )
        limit = f"{minutes} minute{'s' if minutes > 1 else ''}"
        yield StartButton(db=db, label=f"Play them: {limit} at most", request=request)


def explain_unstored_sums(db: Path, error: TooMuchUnstored, requests: Sequence[CompareRequest]) -> PageParts:
    """What to run if too many sums are missing: pages only read."""
    yield Text(f"{str(error)[0].upper()}{str(error)[1:]}. A command does that:", TextStyle.NOTE)
    for request in requests:
        yield StartButton(db=db, label="Work them out", request=request)


def request_sums(asked: StoredComparison) -> CompareRequest:
    """The command that works out what is missing of a comparison, which stays as it was asked."""
    question = asked.question
    players = ",".join(map(str, question.players))
    return CompareRequest(specs=question.specs, players=players, agents=(), seed=question.seed)


# ---- the numbers


@dataclass(frozen=True, kw_only=True)
class DrawnContrast:
    """A contrast as a card: what differs in the rules and the most telling metrics; all numbers on demand."""

    title: str
    contrast: Contrast
    terms: Terms
    colour: str
    cell: CellInfo | None  # of B, whose matches the marks lead to
    more: Sequence[Element] = ()  # below the chart

    def make_card(self, reach: float, is_wide: bool) -> ChartCard:
        return ChartCard(
            title=self.title,
            parts=list(self._list_parts(reach)),
            details=list(self._list_details()) if self.contrast.lines else [],
            is_wide=is_wide,
        )

    def _list_parts(self, reach: float) -> Iterator[Element]:
        if self.contrast.changes:
            yield BulletList(self.contrast.changes)
        if drawn := [line for line in select_lines(self.contrast) if line.is_informative]:
            yield _make_forest(self.contrast, drawn, self.colour, self.cell, reach)
        if self.contrast.affected:
            yield Text(f"{describe_affected(self.contrast)}.")
        yield from self.more

    def _list_details(self) -> Iterator[Element]:
        yield DataTable("", VERDICT_HEADS, make_rows(drop_mirrors(self.contrast)))
        with_other_agents = [line for line in self.contrast.main_lines if line.other_agents]
        if with_other_agents:
            yield _make_agents_table(with_other_agents)
        yield from _background_elements(self.contrast)
        yield from _threshold_elements(self.contrast, self.terms)


def make_number_cards(drawn: Sequence[DrawnContrast]) -> ChartCards:
    """Several contrasts beside each other, on one scale."""
    lines = [line for one in drawn for line in select_lines(one.contrast) if line.is_informative]
    reach = find_reach(lines)
    return ChartCards([one.make_card(reach, is_wide=len(drawn) == 1) for one in drawn])


def drop_mirrors(contrast: Contrast) -> list[Line]:
    """All lines but those that say the same of the other seat."""
    return [
        line for line in contrast.lines if not find_metric(line.metric).is_mirror(line.part, contrast.players)
    ]


def select_lines(contrast: Contrast) -> list[Line]:
    """The main metrics, and of the others those that differ most, by question: eight metrics at most."""
    lines = drop_mirrors(contrast)
    notable = [line for line in lines if not line.is_main and line.verdict in (DIFFERENT, UNCLEAR)]
    notable.sort(key=lambda line: -abs(line.difference.mean) / line.threshold if line.threshold else 0.0)
    names = dict.fromkeys(line.metric for line in [*(line for line in lines if line.is_main), *notable])
    shown = set(list(names)[:MOST_METRICS])
    return [line for line in lines if line.metric in shown and (line.is_main or line in notable)]


def make_rows(lines: Sequence[Line]) -> list[list[str]]:
    """The rows of a table by question; each question stands in its first row."""
    by_group: dict[str, list[Line]] = {}
    for line in lines:
        by_group.setdefault(find_metric(line.metric).group, []).append(line)
    return [
        ["" if index else find_group(group).question, *_make_row(line)]
        for group, group_lines in by_group.items()
        for index, line in enumerate(group_lines)
    ]


def _make_row(line: Line) -> list[str]:
    if not line.is_informative:
        return [format_metric(line.metric, line.part), "", "", _describe_missing(line), label_verdict(line)]
    unit = format_unit(line.unit, True)
    digits = find_change_digits(line.a.mean, line.b.mean, line.difference.mean, line.unit)
    return [
        format_metric(line.metric, line.part),
        format_interval(line.a, line.unit, digits=digits.old),
        format_interval(line.b, line.unit, digits=digits.new),
        f"{format_interval(line.difference, line.unit, True)} {unit}",
        describe_verdict(line),
    ]


def _describe_missing(line: Line) -> str:
    """An interval that says nothing is not shown."""
    if line.verdict == NONE:
        return line.problem
    if line.more is None or line.more >= FOREVER:
        return "too few matches yet"
    return f"too few matches yet; {format_rounded(line.more)} more"


def _make_forest(
    contrast: Contrast, lines: Sequence[Line], colour: str, cell: CellInfo | None, reach: float
) -> Chart:
    names = [name_examples(find_metric(line.metric), line.part) for line in lines]
    links = [make_link(cell, name) if cell else () for name in names]
    titles = [format_metric(line.metric, line.part) for line in lines]
    caveat = (
        "B less A. Thick: ordinary 95% intervals; thin: the wider ones that verdicts go by,"
        " which hold however often you look."
        f" {'Paired deal by deal on the same luck.' if contrast.paired else 'Not paired.'}"
        f" {contrast.matches:,} matches of each."
    )
    rows = [
        ForestRow(line, title, colour, link, find_group(find_metric(line.metric).group).title)
        for line, title, link in zip(lines, titles, links, strict=True)
    ]
    figure = draw_forest(make_figure(AXIS_HEIGHT + ROW_HEIGHT * len(list_labels(rows))), rows, reach)
    figure.update_traces(NO_FADING, selector={"mode": "markers"})
    return Chart(f"forest {contrast.b} {contrast.players}", figure, caveat, has_links=cell is not None)


def _background_elements(contrast: Contrast) -> Iterator[Element]:
    """Pure chance, and what sharing deals was worth."""
    if any(line.luck_race is not None for line in contrast.lines):
        yield Text(f"{describe_luck_race(contrast)}.")
    if contrast.saved:
        yield Text(f"Sharing deals saved about {format_rounded(contrast.saved)} matches.")


def _make_agents_table(lines: Sequence[Line]) -> DataTable:
    """The differences that other agents see."""
    heads = [
        "metric",
        *(f"B - A with {other.agent}" for other in lines[0].other_agents),
        "do the agents agree?",
    ]
    rows = [
        [
            format_metric(line.metric, line.part),
            *(format_interval(other.difference, line.unit, True) for other in line.other_agents),
            line.agreement,
        ]
        for line in lines
    ]
    return DataTable("With other agents", heads, rows)


def _threshold_elements(contrast: Contrast, terms: Terms) -> Iterator[Element]:
    thresholds = ", ".join(
        f"{format_metric(name)} {terms.describe_threshold(find_metric(name))}" for name in terms.main_metrics
    )
    yield Text(f"Thresholds: {thresholds}.", TextStyle.CAPTION)
    if not terms.stop and contrast.lines[0].verdict != NONE:
        yield Text(DEFAULT_THRESHOLDS, TextStyle.CAPTION)
