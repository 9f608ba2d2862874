"""A report as one HTML file that needs no network: text, tables, figures, pictures."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Any

from analytics.metric.group import FAIRNESS, PACE, SKILL, STRATEGY, TENSION, MetricGroup, find_group
from analytics.metric.metric import LEADER_CONVERSION, SHARE, list_groups, metrics
from analytics.questions.compare.conclusions import describe_verdict
from analytics.questions.fix.conclusions import HOW_TO_READ, conclude_fix, describe_costs
from analytics.questions.report import PlayerCountResult, Report
from analytics.show import figures
from analytics.show.fix_figures import describe_shortfall, draw_front
from analytics.show.report.takeaways import write_takeaways
from analytics.verdict.verdicts import DIFFERENT, UNCLEAR
from analytics.words import format_estimate, format_interval, format_metric, format_unit

FIRST_FIX_FIGURE = 1000  # the number of its figure: beyond those of the sections
STYLE = """
body { font: 17px/1.55 Georgia, serif; color: #2b2b2b; background: #fff; }
body { max-width: 960px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 32px; margin: 8px 0; }
h2 { margin-top: 52px; border-bottom: 2px solid #1f6f78; padding-bottom: 4px; }
h3 { margin: 28px 0 6px; }
.small, caption, details { font-size: 14px; color: #5a5a5a; }
.scroll { overflow-x: auto; }
#takeaways { background: #f4f1e8; padding: 8px 26px 14px; border-radius: 8px; } li { margin: 6px 0; }
table { border-collapse: collapse; margin: 10px 0 18px; font-size: 15px; width: 100%; }
caption { text-align: left; padding: 4px 0; }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid #e3e1da; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } td small { color: #777; } .words td { text-align: left; }
pre { white-space: pre-wrap; font-size: 13px; }
.picture svg { width: 100%; height: auto; }
figure { margin: 14px 0; }
figcaption { font-size: 14px; color: #5a5a5a; }
@media print { details { display: none; } h2 { page-break-after: avoid; } }
"""


def render(report: Report) -> str:
    """The whole page."""
    names = ", ".join(variant.name for variant in report.variants)
    return make_document(
        names,
        [
            *_render_head(report, names),
            *_render_sections(report),
            *_render_changes(report),
            *_render_fixes(report),
            *_render_method(report),
            *_render_sample(report),
        ],
    )


def make_document(title: str, body: Sequence[str]) -> str:
    """Pieces of HTML as one file that needs nothing else; the dashboard shares its views by it."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{viewport}<title>{escape(title)}</title><style>{STYLE}</style>'
    return "\n".join(
        ["<!doctype html>", f'<html lang="en"><head>{head}</head>', "<body>", *body, "</body></html>", ""]
    )


def _render_head(report: Report, names: str) -> Iterator[str]:
    yield f"<h1>{escape(names)}</h1>"
    for variant in report.variants:
        changes = "".join(f"<li>{escape(change)}</li>" for change in variant.changes)
        star = "*" if variant.reconstructed else ""
        yield f"<p><b>{escape(variant.name)}{star}</b>: {escape(variant.about)}</p>" + (
            f"<ul>{changes}</ul>" if changes else ""
        )
    yield '<div id="takeaways"><h2>In short</h2>'
    for title, sentences in write_takeaways(report):
        yield f"<h3>{escape(title)}</h3>{render_list(sentences)}"
    matches = sum(result.matches for variant in report.variants for result in variant.results)
    agent = escape(report.agents[0])
    yield f'<p class="small">From {matches:,} matches that {agent} played against itself,'
    yield "and head-to-heads with others."
    yield "In brackets: 95 % intervals over deals. They say how much chance is left in a number,"
    yield "not whether people would play as the agents do.</p></div>"


# ---- the sections


def _render_sections(report: Report) -> Iterator[str]:
    number = 0
    for group in map(find_group, list_groups()):
        yield f'<h2 id="{escape(group.name)}">{escape(group.question)}</h2>'
        for caption, figure in _draw_figures(report, group):
            figure_html = render_figure(figure, number)
            yield f"<figure>{figure_html}<figcaption>{escape(caption)}</figcaption></figure>"
            number += 1
        for caption, columns in _group_columns(report):
            rows = list(_make_metric_rows(columns.values(), group.name))
            if group.needs_head_to_heads:
                rows = [*_make_head_to_head_rows(columns.values()), *rows]
            yield render_table(caption, ["", *columns], rows)


def _group_columns(report: Report) -> Iterator[tuple[str, dict[str, PlayerCountResult]]]:
    """The columns of each table, with its caption: several variants at one player count, or all player counts
    of a single variant.
    """
    if len(report.variants) == 1:
        (only,) = report.variants
        yield only.name, {f"{result.players} players": result for result in only.results}
        return
    for players in sorted({result.players for variant in report.variants for result in variant.results}):
        columns = {
            variant.name: result
            for variant in report.variants
            for result in variant.results
            if result.players == players
        }
        yield f"{players} players", columns


def _draw_figures(report: Report, group: MetricGroup) -> Iterator[tuple[str, Any]]:
    variants = report.variants
    if group == FAIRNESS:
        yield from (
            (
                f"{variant.name}: how often each seat wins; bars are 95 % intervals",
                figures.draw_seats(variant),
            )
            for variant in variants
        )
    elif group == PACE:
        yield "Turns of each player; bars are 95 % intervals", figures.draw_lengths(report)
    elif group == TENSION:
        for variant in variants:
            if any(LEADER_CONVERSION in result.answers for result in variant.results):
                yield f"{variant.name}: how often the leader wins in the end", figures.draw_leaders(variant)
    elif group == SKILL and any(result.head_to_heads for variant in variants for result in variant.results):
        yield (
            "One strong agent among weaker ones: 0 is luck, 100 is winning always",
            figures.draw_skills(report),
        )
    elif group == STRATEGY:
        for variant in variants:
            if any(result.lifts for result in variant.results):
                caption = f"{variant.name}: who uses it wins this many times as often; no proof of a cause"
                yield caption, figures.draw_lifts(variant)


def render_figure(figure: Any, number: int) -> str:
    """A figure as HTML; the first one brings the Plotly library."""
    library = "inline" if number == 0 else False
    text: str = figure.to_html(
        full_html=False, include_plotlyjs=library, div_id=f"figure-{number}", config={"displayModeBar": False}
    )
    return text


def _make_metric_rows(results: Collection[PlayerCountResult], group: str) -> Iterator[list[str]]:
    """A row for each metric of a group, or part of it, with a column for each result."""
    for metric in metrics().values():
        parts = dict.fromkeys(part for result in results for part in result.answers.get(metric.name, {}))
        for index, part in enumerate(parts if metric.group == group else ()):
            estimates = [result.answers.get(metric.name, {}).get(part) for result in results]
            label = f"{escape(metric.question)}<br>" if index == 0 else ""
            cells = [format_interval(estimate, metric.unit) if estimate else "" for estimate in estimates]
            name = escape(f"{format_metric(metric.name, part)}, {format_unit(metric.unit)}")
            yield [f"{label}<small>{name}</small>", *map(escape, cells)]


def _make_head_to_head_rows(results: Collection[PlayerCountResult]) -> Iterator[list[str]]:
    """A row for each pair of agents, with a column for each result."""
    columns = []
    for result in results:
        column = {}
        for head_to_head in result.head_to_heads:
            edge = format_interval(head_to_head.edge, SHARE)
            cell = f"{edge}<br><small>{head_to_head.matches:,} matches</small>"
            column[head_to_head.strong, head_to_head.weak] = cell
        columns.append(column)
    for agents in dict.fromkeys(agents for column in columns for agents in column):
        strong, weak = map(escape, agents)
        title = f"One {strong}, the others {weak}<br><small>skill edge, %</small>"
        yield [title, *(column.get(agents, "") for column in columns)]


def render_table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "numbers"
) -> str:
    """A table as HTML. Cells are HTML already, the caption and the heads are text; `words` align to the
    left.
    """
    if not rows:
        return f'<p class="small">{escape(caption)}: nothing is stored about this.</p>'
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    content = f"<caption>{escape(caption)}</caption><tr>{head}</tr>{body}"
    return f'<div class="scroll"><table class="{kind}">{content}</table></div>'


def _render_changes(report: Report) -> Iterator[str]:
    """The verdicts of the comparison with the first variant: all main metrics, and the others that differ."""
    if not report.contrasts:
        return
    yield "<h2>What do the variants change?</h2>"
    for contrast in report.contrasts:
        variants = f"{contrast.b} against {contrast.a}"
        title = f"{variants}, {contrast.players} players, {contrast.matches:,} matches of each"
        rows = [
            [
                escape(format_metric(line.metric, line.part)),
                escape(format_estimate(line.difference, line.unit, True)),
                escape(describe_verdict(line)),
            ]
            for line in sorted(contrast.lines, key=lambda line: not line.is_main)
            if line.is_main or line.verdict in (DIFFERENT, UNCLEAR)
        ]
        yield (
            f"<p>{escape(title)}: the same rules.</p>"
            if contrast.same_rules
            else render_table(title, ["", "difference", ""], rows, "words")
        )
    yield '<p class="small">Verdicts come from wider intervals that hold however often you look,'
    yield "all together with 95 %.</p>"


def _render_fixes(report: Report) -> Iterator[str]:
    """What searches for a fix found: the answers, the changes, and what each of them costs elsewhere."""
    if not report.fixes:
        return
    yield '<h2 id="fixes">Which change reaches the goals?</h2>'
    for number, fix in enumerate(report.fixes):
        counts = ", ".join(map(str, fix.players))
        yield f"<h3>{escape(fix.variant)}, {counts} players: {escape('; '.join(fix.goals))}</h3>"
        yield render_list([*conclude_fix(fix)])
        if fix.candidates:
            figure_html = render_figure(draw_front(fix), FIRST_FIX_FIGURE + number)
            yield f"<figure>{figure_html}<figcaption>{escape(describe_shortfall())}</figcaption></figure>"
        for candidate in fix.fixes:
            yield f"<p>What else {escape(candidate.variant)} moves:</p>"
            yield render_list([*describe_costs(candidate)])
            yield f"<pre>{escape(candidate.table)}</pre>"
    yield f'<p class="small">{escape(HOW_TO_READ)}</p>'


def render_list(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


# ---- how it was measured


def _render_method(report: Report) -> Iterator[str]:
    yield '<h2 id="method">How it was measured</h2>'
    yield "<p>Simulated matches; no people took part. Every match can be played again from its seed."
    yield "Agents rotate through the seats. The unit of all statistics is the deal:"
    yield "one course of shuffles and dice, played in every seating.</p>"
    rows = [
        [
            escape(variant.name),
            str(result.players),
            f"{result.matches:,}",
            "; ".join(escape(_format_head_to_head(head_to_head)) for head_to_head in result.head_to_heads),
        ]
        for variant in report.variants
        for result in variant.results
    ]
    yield render_table(
        f"Matches by {report.agents[0]} against itself, and head-to-heads",
        ["", "players", "matches", "head-to-heads"],
        rows,
    )
    yield _render_facts(report)
    for variant in report.variants:
        if variant.reconstructed:
            items = "".join(
                f"<li><b>{escape(part)}</b>: {escape(reason)}</li>"
                for part, reason in variant.reconstructed.items()
            )
            yield f"<h3>* What of {escape(variant.name)} is reconstructed</h3><ul>{items}</ul>"


def _render_facts(report: Report) -> str:
    """What it takes to make the same report again."""
    facts = {
        "master seed": str(report.seed),
        "made": f"{report.created:%Y-%m-%d %H:%M} UTC",
        "by": report.command,
        "from": report.file,
        **{f"rules of {variant.name}": variant.fingerprint for variant in report.variants},
        **{f"agent {name}": fingerprint for name, fingerprint in report.agent_prints.items()},
        **report.versions,
    }
    return render_table(
        "Fingerprints and versions",
        ["", ""],
        [[escape(name), escape(str(fact))] for name, fact in facts.items()],
        "words",
    )


def _format_head_to_head(head_to_head: Any) -> str:
    return f"{head_to_head.strong} among {head_to_head.weak}: {head_to_head.matches:,}"


def _render_sample(report: Report) -> Iterator[str]:
    sample = report.sample
    yield f'<h2 id="sample">One match: {escape(sample.variant)}, {sample.players} players</h2>'
    for when, picture in sample.pictures:
        yield f'<figure class="picture">{picture}<figcaption>{escape(when)}</figcaption></figure>'
    yield f"<details><summary>The match in words</summary><pre>{escape(sample.transcript)}</pre></details>"
