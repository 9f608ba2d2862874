"""Goals as a terminal shows them."""

from collections.abc import Iterator
from typing import Any

from analytics.questions.goals.check import Balance
from analytics.questions.goals.conclusions import conclude_goals
from analytics.questions.goals.judge import Check
from analytics.show.table import make_table
from analytics.words import describe_moment, describe_reconstructed, format_forecast


def show_balance(balance: Balance) -> Iterator[Any]:
    """The answer in sentences, then every check with its target and verdict."""
    yield f"{balance.goals}: {', '.join(balance.variants)} by {balance.agents}, seed {balance.seed}"
    yield from (f"- {sentence}" for sentence in conclude_goals(balance))
    table = make_table()
    for head in (
        "goal",
        "metric",
        "variant",
        "players",
        "wanted",
        "measured (always-valid interval)",
        "verdict",
    ):
        table.add_column(head, overflow="fold")
    for check in balance.checks:
        star = "*" if check.variant in balance.reconstructed else ""
        setting = (str(check.goal), check.title, check.variant + star, str(check.players))
        table.add_row(*setting, check.wanted, check.seen, format_check_verdict(check))
    yield table
    if balance.reconstructed:
        yield describe_reconstructed()
    yield from _describe_registration(balance)
    yield f"{balance.played:,} matches were played now."


def _describe_registration(balance: Balance) -> Iterator[str]:
    (_, first), *later = balance.written
    yield "Verdicts hold however often you look: the chance that any is ever wrong is at most 5%."
    yield f"The goals were fixed {describe_moment(first)}."
    for created, before in later:
        yield f"The goals or the agents changed {created:%Y-%m-%d %H:%M}, after {before:,} matches."


def format_check_verdict(check: Check) -> str:
    wait = f"; {format_forecast(check.more).replace(' of each', '')}" if check.more is not None else ""
    return f"{check.verdict}{wait}{': ' + check.note if check.note else ''}"
