"""Coverage as a terminal shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from analytics.metric.metric import SHARE
from analytics.questions.coverage import ALLOWS, DOES, Coverage, RuleUsage
from analytics.show.table import make_table
from analytics.words import format_interval

ALWAYS = 0.999
KINDS = {DOES: "carried out", ALLOWS: "checked"}


def show_coverage(coverage: Coverage, everything: bool = False) -> Iterator[Any]:
    """Sections in order, then the functions from the rarest on; those of every match only if asked for."""
    players = ", ".join(map(str, coverage.players))
    matches = f"{coverage.matches:,} matches by {coverage.agents}"
    yield f"{coverage.variant}: {matches}, {players} players, seed {coverage.seed}"
    yield "How often each rule comes up, in % of the matches (95% intervals in brackets)."
    if coverage.sections:
        heads = ("section", "what it is about", "comes up, %", "its rarest function", "that one, %")
        yield _make_table(
            "Sections of the rules",
            heads,
            [_make_section_row(usage, coverage) for usage in coverage.sections],
        )
    shown = [usage for usage in coverage.functions if everything or usage.share.mean < ALWAYS]
    if shown:
        rows = [
            (usage.name, format_usage(usage), KINDS.get(usage.kind, "scored"), usage.about) for usage in shown
        ]
        columns = ("function", "%", "counted when", "what it says")
        yield _make_table("Rule functions, the rarest first", columns, rows)
    if hidden := len(coverage.functions) - len(shown):
        yield f"{hidden} functions come up in nearly every match; --all shows them."
    if coverage.uncited:
        yield f"Sections that no counted function cites: {'; '.join(coverage.uncited)}."
    if unseen := [usage.name for usage in coverage.functions if usage.is_unseen]:
        yield f"Never seen: {', '.join(unseen)}. They are rare, need other agents, or nothing leads to them."


def _make_section_row(section: RuleUsage, coverage: Coverage) -> tuple[str, ...]:
    rarest = next(function for function in coverage.functions if function.name == section.rarest)
    return f"§{section.name}", section.about, format_usage(section), rarest.name, format_usage(rarest)


def format_usage(usage: RuleUsage) -> str:
    """0.20 (0.02 to 0.72); for what was not seen, its upper bound."""
    if usage.is_unseen:
        return f"not seen: under {100 * usage.at_most:.2g}"
    return format_interval(usage.share, SHARE)


def _make_table(title: str, heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Table:
    table = make_table(title)
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in ("function", "section"))
    for row in rows:
        table.add_row(*row)
    return table
