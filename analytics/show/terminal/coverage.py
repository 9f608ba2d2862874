"""Coverage as a terminal shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.table import Table

from analytics.metric.metric import SHARE
from analytics.questions.coverage import ALLOWS, DOES, Coverage, Fired
from analytics.words import interval

ALWAYS = 0.999
KINDS = {DOES: "carried out", ALLOWS: "asked what is allowed"}


def show_coverage(coverage: Coverage, everything: bool = False) -> Iterator[Any]:
    """Sections in order, then the functions from the rarest on; those of every match only if asked for."""
    players = ", ".join(map(str, coverage.players))
    yield f"{coverage.variant}: {coverage.matches:,} matches by {coverage.agents}, {players} players, seed {coverage.seed}"
    yield "how often a rule fires, in % of the matches, with 95 % intervals"
    if coverage.sections:
        heads = ("section", "what it is about", "any of it, %", "its rarest function", "that one, %")
        yield _table("Sections of the rules", heads, [_section(one, coverage) for one in coverage.sections])
    shown = [one for one in coverage.functions if everything or one.share.mean < ALWAYS]
    if shown:
        rows = [(one.name, told(one), KINDS.get(one.kind, "scored"), one.about) for one in shown]
        yield _table("Rule functions, the rarest first", ("function", "%", "when", "what it says"), rows)
    if left := len(coverage.functions) - len(shown):
        yield f"{left} functions fire in practically every match; --all shows them"
    if coverage.uncited:
        yield f"sections that no counted function cites: {'; '.join(coverage.uncited)}"
    if unseen := [one.name for one in coverage.functions if one.unseen]:
        yield f"never seen: {', '.join(unseen)}. They are rare, need other players, or nothing leads to them"


def _section(one: Fired, coverage: Coverage) -> tuple[str, ...]:
    rarest = next(function for function in coverage.functions if function.name == one.rarest)
    return f"§{one.name}", one.about, told(one), rarest.name, told(rarest)


def told(one: Fired) -> str:
    """0.20 (0.02 to 0.72); what was not seen is bounded."""
    if one.unseen:
        return f"not seen: under {100 * one.at_most:.2g}"
    return interval(one.share, SHARE)


def _table(title: str, heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in ("function", "section"))
    for row in rows:
        table.add_row(*row)
    return table
