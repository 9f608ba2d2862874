"""Goals as a terminal shows them."""

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from analytics.questions.goals.check import Balance
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN, Check
from analytics.words import settling


def show_balance(balance: Balance) -> Iterator[Any]:
    """Every number with what was wanted and the verdict; then all in one line."""
    yield f"{balance.goals}: {', '.join(balance.variants)} by {balance.agents}, seed {balance.seed}"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("goal", "metric", "variant", "players", "wanted", "seen, surely between", "verdict"):
        table.add_column(head, overflow="fold")
    for check in balance.checks:
        star = "*" if check.variant in balance.reconstructed else ""
        place = (str(check.goal), check.title, check.variant + star, str(check.players))
        table.add_row(*place, check.wanted, check.seen, verdict(check))
    yield table
    if balance.reconstructed:
        yield "* part of the components is reconstructed: `boardgames show VARIANT` says which"
    yield from _promises(balance)
    counts = {name: list(balance.verdicts.values()).count(name) for name in (PASS, FAIL, UNKNOWN)}
    told = ", ".join(f"{many} {name}" for name, many in counts.items() if many)
    yield f"{balance.verdict.upper()}: of {len(balance.verdicts)} goals {told}; {balance.played:,} matches were played for it"


def _promises(balance: Balance) -> Iterator[str]:
    (_, first), *later = balance.written
    yield "intervals hold whenever one looks, all together with 95 %"
    yield f"the goals were written down when {first:,} of these matches were stored"
    for created, before in later:
        yield f"the goals or the agents were changed {created:%Y-%m-%d %H:%M}, after {before:,} matches"


def verdict(check: Check) -> str:
    wait = f"; {settling(check.more).replace(' of each', '')}" if check.more is not None else ""
    return f"{check.verdict}{wait}{': ' + check.note if check.note else ''}"
