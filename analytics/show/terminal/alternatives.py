"""What becomes of verdicts over the unknowns, as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from analytics.metric.metric import SHARE
from analytics.questions.alternatives import Held, Unknowns
from analytics.words import number, unit_of


def show_unknowns(unknowns: Unknowns) -> Iterator[Any]:
    """A row per primary."""
    many = len(unknowns.fill_ins)
    yield f"\nB = {unknowns.b} against A = {unknowns.a}, by {unknowns.agent}, over {many} random fill-ins of what is not documented"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("metric", "players", "as they are", "holds", "of such fill-ins", "else they say", "B - A ranges from"):
        table.add_column(head, overflow="fold", no_wrap=head in ("metric", "holds"))
    for one in unknowns.held:
        title = f"{one.metric} {one.part}".strip()
        holds = f"in {one.holds} of {one.tried}" if one.claims else "nothing to hold"
        table.add_row(title, str(one.players), one.says, holds, share(one), others(one), ranging(one))
    yield table
    yield "of such fill-ins: in which share of all plausible ones it may hold, with 95 %; the verdicts are those of each comparison"


def share(one: Held) -> str:
    return f"{number(one.share.low, SHARE)} to {number(one.share.high, SHARE)} %" if one.claims else ""


def others(one: Held) -> str:
    return ", ".join(f"{many} {says}" for says, many in one.counts.items() if says != one.says or not one.claims)


def ranging(one: Held) -> str:
    ends = [number(value, one.unit, True) for value in (one.lowest, one.highest)]
    return f"{ends[0]} to {ends[1]} {unit_of(one.unit, True)}"
