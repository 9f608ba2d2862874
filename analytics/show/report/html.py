"""A report as one HTML file that needs no network and prints on A4: text, tables, charts, pictures."""

from collections.abc import Collection, Iterator
from html import escape

from analytics.metric.group import MetricGroup, find_group
from analytics.metric.metric import SHARE, list_groups, metrics
from analytics.questions.compare.conclusions import conclude, describe_verdict
from analytics.questions.fix.conclusions import (
    HOW_TO_READ,
    HOW_TO_READ_MOVES,
    WORDS,
    conclude_fix,
    describe_costs,
    describe_moves,
    describe_search,
    title_costs,
)
from analytics.questions.fix.results import Fix
from analytics.questions.luck.conclusions import HOW_CHANGES_ARE_JUDGED, describe_luck, describe_luck_change
from analytics.questions.luck.conclusions import HOW_TO_READ as HOW_TO_READ_LUCK
from analytics.questions.luck.results import LuckAnswer
from analytics.questions.report import PlayerCountResult, Report
from analytics.show.chart.answer import draw_contrasts
from analytics.show.fix_figures import describe_shortfall
from analytics.show.report.charts import draw_charts, draw_luck_shares
from analytics.show.report.markup import make_document, render_list, render_picture, render_table
from analytics.show.report.method import render_method, render_sample
from analytics.show.report.summary import ask, render_summary
from analytics.show.report.takeaways import (
    describe_group,
    name_contrast,
    select_contrasts,
    select_shared_results,
)
from analytics.verdict.results import Contrast
from analytics.verdict.verdicts import DIFFERENT, UNCLEAR
from analytics.words import format_estimate, format_interval, format_metric, format_unit


def render(report: Report, title: str = "", note: str = "") -> str:
    """The whole page, with a title and a note of the author's own."""
    sections = [
        *render_summary(report, title.strip(), note),
        *_render_changes(report),
        *_render_questions(report),
        *_render_luck(report.luck),
        *_render_fixes(report),
        *render_sample(report),
        *render_method(report),
        *_render_all_numbers(report),
    ]
    return make_document(title.strip() or ask(report), sections)


# ---- what the variants change


def _render_changes(report: Report) -> Iterator[str]:
    """The comparison with the first variant at every player count, in sentences and pictures."""
    if not report.contrasts:
        return
    yield "<h2>What do the variants change?</h2>"
    has_stars = any(variant.reconstructed for variant in report.variants)
    on_first_page = select_contrasts(report)
    for contrast in report.contrasts:
        if contrast not in on_first_page:
            yield f"<h3>{escape(name_contrast(contrast))}</h3>{render_list([*conclude(contrast)])}"
        if not contrast.same_rules:
            chart = draw_contrasts([contrast], has_stars=has_stars, scale_of=report.contrasts)
            yield render_picture(chart, "Grey: too small to matter.", "chart")


# ---- all numbers


def _render_all_numbers(report: Report) -> Iterator[str]:
    """The appendix: every verdict and every number, for those who look something up."""
    yield '<h2 id="numbers">All numbers</h2>'
    for contrast in report.contrasts:
        if not contrast.same_rules:
            yield _render_verdicts(contrast)
    for group in map(find_group, list_groups()):
        yield f"<h3>{escape(group.question)}</h3>"
        for caption, columns in _group_columns(report):
            yield _render_numbers(caption, columns, group)


def _render_verdicts(contrast: Contrast) -> str:
    rows = [
        [
            escape(format_metric(line.metric, line.part)),
            escape(format_estimate(line.difference, line.unit, True)) if line.is_comparable else "",
            escape(describe_verdict(line)),
        ]
        for line in sorted(contrast.lines, key=lambda line: not line.is_main)
        if line.is_main or line.verdict in (DIFFERENT, UNCLEAR)
    ]
    caption = f"{name_contrast(contrast)}: {contrast.matches:,} matches of each by {contrast.agent}"
    return render_table(caption, ["", "difference", "verdict"], rows, "words")


# ---- a section for each question


def _render_questions(report: Report) -> Iterator[str]:
    for group in map(find_group, list_groups()):
        yield f'<h2 id="{escape(group.name)}">{escape(group.question)}</h2>'
        results = {
            variant.name: [result for result in variant.results if result.matches]
            for variant in report.variants
            if any(result.matches for result in variant.results)
        }
        for name, selected in select_shared_results(group.name, results).items():
            if sentences := list(describe_group(group.name, selected)):
                title = f"<p><b>{escape(name)}</b></p>" if len(report.variants) > 1 else ""
                yield title + render_list(sentences)
        for caption, chart in draw_charts(report, group):
            yield render_picture(chart, caption, "chart")


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


def _render_numbers(caption: str, columns: dict[str, PlayerCountResult], group: MetricGroup) -> str:
    rows = list(_make_metric_rows(columns.values(), group.name))
    if group.needs_head_to_heads:
        rows = [*_make_head_to_head_rows(columns.values()), *rows]
    return render_table(caption, ["", *columns], rows)


def _make_metric_rows(results: Collection[PlayerCountResult], group: str) -> Iterator[list[str]]:
    """A row for each metric of a group, or part of it, with a column for each result."""
    for metric in metrics().values():
        parts = dict.fromkeys(part for result in results for part in result.answers.get(metric.name, {}))
        for part in parts if metric.group == group else ():
            estimates = [result.answers.get(metric.name, {}).get(part) for result in results]
            cells = [format_interval(estimate, metric.unit) if estimate else "" for estimate in estimates]
            unit = f"<small>{escape(format_unit(metric.unit))}</small>"
            yield [f"{escape(format_metric(metric.name, part))} {unit}", *map(escape, cells)]


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
        title = f"Skill edge: {strong} among {weak} <small>%</small>"
        yield [title, *(column.get(agents, "") for column in columns)]


# ---- where the luck comes from


def _render_luck(luck: LuckAnswer) -> Iterator[str]:
    """What each source of chance decides, and what a change does to it, where the file holds that."""
    if not luck.splits:
        return
    yield '<h2 id="luck">Where does the luck come from?</h2>'
    for split in luck.splits:
        yield f"<h3>{escape(split.variant)}, {split.players} players: {split.matches:,} matches</h3>"
        yield render_list([text for quantity in split.quantities for text in describe_luck(quantity)])
    changes: dict[str, list[str]] = {}
    for change in luck.changes:
        title = f"{change.b} instead of {change.a}, {change.players} players"
        changes.setdefault(title, []).append(describe_luck_change(change))
    for title, sentences in changes.items():
        yield f"<h3>{escape(title)}</h3>{render_list(sentences)}"
    if changes:
        yield f'<p class="small">{escape(HOW_CHANGES_ARE_JUDGED)}</p>'
    yield render_picture(draw_luck_shares(luck), "What each source of chance decides of who wins.", "chart")
    yield f'<p class="small">{escape(HOW_TO_READ_LUCK)}</p>'


# ---- which change reaches the goals


def _render_fixes(report: Report) -> Iterator[str]:
    """What searches for a fix found: the answers, the changes, and what each of them costs elsewhere."""
    if not report.fixes:
        return
    yield '<h2 id="fixes">Which change reaches the goals?</h2>'
    for fix in report.fixes:
        yield f"<h3>{escape(describe_search(fix))}</h3>"
        yield render_list([*conclude_fix(fix)])
        if fix.candidates:
            yield _render_candidates(fix)
        for candidate in fix.fixes:
            yield f"<p>{escape(title_costs(candidate))}</p>"
            yield render_list([*describe_costs(candidate)])
            yield f"<pre>{escape(candidate.table)}</pre>"
    yield f'<p class="small">{escape(HOW_TO_READ)}</p>'


def _render_candidates(fix: Fix) -> str:
    """Every change that was tried to the end, the smallest first."""
    rows = [
        [
            escape(", ".join(candidate.changes)),
            escape(format_interval(candidate.shortfall, "", True)),
            escape(WORDS[candidate.trial.verdict] if candidate.trial else "not tried"),
            escape(describe_moves(fix, candidate)),
        ]
        for candidate in fix.candidates
    ]
    heads = ["change", "distance from the goals", "on fresh deals", "what else it moves"]
    return render_table(f"{describe_shortfall()} {HOW_TO_READ_MOVES}", heads, rows, "words")
