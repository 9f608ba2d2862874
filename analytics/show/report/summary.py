"""The first page of a report: the question, the board, the answer."""

from collections.abc import Iterator
from html import escape

from analytics.metric.metric import find_metric
from analytics.questions.compare.conclusions import HOW_TO_READ, label_verdict
from analytics.questions.report import Report
from analytics.show.report.markup import render_list, render_note, render_picture, render_table
from analytics.show.report.takeaways import describe_reconstruction, summarize
from analytics.verdict.results import Contrast, Line
from analytics.words import describe_agents, join_words


def ask(report: Report) -> str:
    """The question that the report answers, as its title."""
    first, *others = [variant.name for variant in report.variants]
    if not others:
        return f"How does {first} play?"
    if len(others) == 1 and report.contrasts:
        return f"What does {others[0]} change in {first}?"
    return f"How do {join_words([first, *others])} differ?"


def render_summary(report: Report, title: str = "", note: str = "") -> Iterator[str]:
    question = ask(report)
    yield f'<div id="summary"><h1>{escape(title or question)}</h1>'
    if title:
        yield f"<p>{escape(question)}</p>"
    yield render_note(note)
    if report.sample.pictures:
        when, picture = report.sample.pictures[0]
        caption = f"{report.sample.variant} for {report.sample.players}, {when}"
        yield f'<div class="board">{render_picture(picture, caption, "picture")}</div>'
    for variant in report.variants:
        star = "*" if variant.reconstructed else ""
        yield f"<p><b>{escape(variant.name)}{star}</b>: {escape(variant.about)}</p>"
        if variant.changes:
            yield render_list(variant.changes)
    yield '<div class="answer"><h2>In short</h2>'
    for title, sentences in summarize(report):
        yield f"<h3>{escape(title)}</h3>{render_list(sentences)}"
    yield "</div>"
    yield from _render_verdicts(report)
    yield f'<p class="small">{escape(_describe_basis(report))}</p></div>'


def _describe_basis(report: Report) -> str:
    matches = sum(result.matches for variant in report.variants for result in variant.results)
    agents = describe_agents(report.playing_agents)
    basis = f"From {matches:,} matches that {agents} played against itself, and head-to-heads."
    reconstructed = [variant for variant in report.variants if variant.reconstructed]
    star = f" * {describe_reconstruction(reconstructed[0])}" if reconstructed else ""
    return f"{basis} {HOW_TO_READ} People may play differently.{star}"


def _render_verdicts(report: Report) -> Iterator[str]:
    """The verdicts at every player count, where there are several: a row for each main metric."""
    by_variant: dict[str, list[Contrast]] = {}
    for contrast in report.contrasts:
        by_variant.setdefault(contrast.b, []).append(contrast)
    for name, contrasts in by_variant.items():
        if len(contrasts) < 2:
            continue
        labels = [_label_main_metrics(contrast) for contrast in contrasts]
        metrics = dict.fromkeys(metric for labels_by_metric in labels for metric in labels_by_metric)
        rows = [
            [escape(metric), *(escape(labels_by_metric.get(metric, "")) for labels_by_metric in labels)]
            for metric in metrics
        ]
        heads = ["", *(f"{contrast.players} players" for contrast in contrasts)]
        yield render_table(f"Verdicts on {name} by player count", heads, rows, "words")


def _label_main_metrics(contrast: Contrast) -> dict[str, str]:
    """The verdict on each main metric; of several parts, the labels that occur."""
    lines: dict[str, list[Line]] = {}
    for line in contrast.main_lines:
        lines.setdefault(find_metric(line.metric).label, []).append(line)
    return {
        title: ", ".join(dict.fromkeys(_label(line, len(parts) > 1) for line in parts))
        for title, parts in lines.items()
    }


def _label(line: Line, has_parts: bool) -> str:
    label = label_verdict(line)
    return f"{label} ({line.part})" if has_parts and label not in ("open", "same") else label
