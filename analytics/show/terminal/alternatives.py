"""Verdicts with other plausible values for what is not documented, as a terminal shows them."""

from collections.abc import Iterator
from typing import Any

from analytics.metric.metric import SHARE
from analytics.questions.alternatives import Robustness, RobustVerdict
from analytics.show.table import make_table
from analytics.words import format_metric, format_number, format_unit


def show_robustness(robustness: Robustness) -> Iterator[Any]:
    """A row for each main metric."""
    yield (
        f"\nB = {robustness.b} against A = {robustness.a}, by {robustness.agent}, "
        f"with {len(robustness.fill_ins)} sets of plausible values for what no source documents"
    )
    table = make_table()
    for head in (
        "metric",
        "players",
        "our values say",
        "holds",
        "of all plausible sets",
        "other sets say",
        "B - A ranges from",
    ):
        table.add_column(head, overflow="fold", no_wrap=head in ("metric", "holds"))
    for verdict in robustness.held:
        holds = f"in {verdict.holds} of {verdict.tried}" if verdict.claims else "nothing to hold"
        table.add_row(
            format_metric(verdict.metric, verdict.part),
            str(verdict.players),
            verdict.says,
            holds,
            format_share(verdict),
            format_other_verdicts(verdict),
            format_range(verdict),
        )
    yield table
    yield (
        "Of all plausible sets: the share in which the verdict holds (95% interval). "
        "Every set is a comparison of its own, with its own verdicts."
    )


def format_share(verdict: RobustVerdict) -> str:
    return (
        f"{format_number(verdict.share.low, SHARE)} to {format_number(verdict.share.high, SHARE)}%"
        if verdict.claims
        else ""
    )


def format_other_verdicts(verdict: RobustVerdict) -> str:
    return ", ".join(
        f"{count} {says}"
        for says, count in verdict.counts.items()
        if says != verdict.says or not verdict.claims
    )


def format_range(verdict: RobustVerdict) -> str:
    ends = [format_number(value, verdict.unit, True) for value in (verdict.lowest, verdict.highest)]
    return f"{ends[0]} to {ends[1]} {format_unit(verdict.unit, True)}"
