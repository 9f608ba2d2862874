"""The metrics explained: in the terminal, as data, and as docs/reference/metrics.md."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.metric.metric import SHARE, Metric, list_groups, metrics
from analytics.show.table import make_table

UNCERTAINTY = {
    "mean": "the mean over deals, Student's interval; of rare events Clopper and Pearson's",
    "ratio": "computed from two means over deals; jackknife over slices of 64 deals, so 512 deals are needed "
    "for an interval",
    "distance": "distance of the seats' shares from equal ones, less what noise adds; its interval follows "
    "from theirs",
    "swaps": "a ratio of two means over deals that are played again with some sources of chance exchanged; "
    "Student's interval over deals",
}
LINE_UPS = {
    "any": "any line-up",
    "equal": "equal agents in all seats",
    "mixed": "line-ups of different agents",
}


def collect_facts(metric: Metric) -> dict[str, Any]:
    """All about one metric, for programs and pages."""
    threshold = (
        f"{100 * metric.threshold:g}% of the baseline" if metric.relative else _format_threshold(metric)
    )
    return {
        "name": metric.name,
        "title": metric.label,
        "group": metric.group,
        "question": metric.question,
        "unit": "%" if metric.unit == SHARE else metric.unit,
        "parts": f"one answer per {metric.parts}" if metric.parts else "one answer",
        "better": metric.better,
        "range": metric.describe_bounds(),
        "players": f"{metric.players[0]} to {metric.players[-1]}, {LINE_UPS[metric.line_ups]}",
        "uncertainty": UNCERTAINTY[metric.kind],
        "threshold": threshold,
        "caveat": metric.caveat,
        "version": metric.version,
        "sql": metric.sql,
    }


def _format_threshold(metric: Metric) -> str:
    return f"{100 * metric.threshold:g} pp" if metric.unit == SHARE else f"{metric.threshold:g} {metric.unit}"


def make_metrics_table() -> Table:
    table = make_table()
    for head in ("group", "metric", "the question it answers", "unit"):
        table.add_column(head, overflow="fold", no_wrap=head in ("group", "metric"))
    last = ""
    for metric in metrics().values():
        table.add_row(
            "" if metric.group == last else metric.group,
            metric.name,
            metric.question,
            collect_facts(metric)["unit"],
        )
        last = metric.group
    return table


def show_metric(metric: Metric) -> Iterator[str]:
    facts = collect_facts(metric)
    yield f"{metric.name} ({facts['title']}): {metric.question}"
    for name in (
        "unit",
        "parts",
        "range",
        "better",
        "players",
        "uncertainty",
        "threshold",
        "caveat",
        "version",
    ):
        if facts[name]:
            yield f"  {name:12}{facts[name]}"
    yield f"\n{facts['sql'].rstrip()}"


def render_page() -> str:
    """docs/reference/metrics.md"""
    lines = [INTRODUCTION]
    for group in list_groups():
        lines.append(f"\n## {group.capitalize()}\n")
        members = [metric for metric in metrics().values() if metric.group == group]
        lines += [_render_section(collect_facts(metric)) for metric in members]
    return "\n".join(lines)


def _render_section(facts: dict[str, Any]) -> str:
    names = ("unit", "parts", "range", "better", "players", "uncertainty", "threshold", "version")
    rows = "\n".join(f"- {name}: {facts[name]}" for name in names if facts[name])
    caveat = f"\n{facts['caveat']}\n" if facts["caveat"] else ""
    sql = facts["sql"].rstrip()
    head = f"### {facts['name']}\n\n**{facts['title']}.** {facts['question']}"
    return f"{head}\n{caveat}\n{rows}\n\n```text\n{sql}\n```\n"


INTRODUCTION = """<!-- Written by docs/generate.py (make pages). Do not edit. -->
# Metrics

`boardgames metrics` lists the same in the terminal, `boardgames metrics length` explains one.

A metric is a question to stored matches. Its unit of statistics is the deal: one fixed course of shuffles
and dice, played in every seating of a line-up. A deal's value is the mean over its matches. The file holds
sums of these values by slices of 64 deals in the table `slice` ([the result file](../how/sql.md)), and nearly
every definition below is a query over that table. Each answer has an interval over deals. How variants are
compared: [what does my rule change do?](../how/compare.md) `luck` and `score_luck` take matches of
another kind: [where does the luck come from?](../how/luck.md)

A package adds its own metrics by an entry point in the group `boardgames.metrics` that names an
`analytics.Metric`, or a list of them, with its query in `definition`."""
