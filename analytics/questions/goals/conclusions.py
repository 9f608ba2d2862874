"""The result of a check of goals in sentences: what fails first, then what is open, then what passes."""

from collections.abc import Iterator

from analytics.metric.metric import find_metric
from analytics.questions.goals.check import Balance
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN, Check
from analytics.words import format_forecast

WORDS = {FAIL: "Fails", UNKNOWN: "Open", PASS: "Passes"}


def conclude_goals(balance: Balance) -> Iterator[str]:
    """A summary, then a sentence for every check that fails or is open."""
    counts = {verdict: list(balance.verdicts.values()).count(verdict) for verdict in (PASS, FAIL, UNKNOWN)}
    words = {PASS: "met", FAIL: "missed", UNKNOWN: "open"}
    parts = [f"{count} {words[verdict]}" for verdict, count in counts.items() if count]
    yield f"{balance.verdict.upper()}: of {len(balance.verdicts)} goals {', '.join(parts)}."
    for verdict in (FAIL, UNKNOWN):
        yield from (describe_check(check) for check in balance.checks if check.verdict == verdict)


def describe_check(check: Check) -> str:
    """Fails: match length in celtica, 4 players, is 70.0 (69.1 to 70.9) turns; wanted: at most 60 turns."""
    label = find_metric(check.metric).label
    title = f"{'median ' if check.median else ''}{label[0].lower()}{label[1:]} {check.part}".strip()
    where = f"{title} in {check.variant}, {check.players} players"
    if check.note:
        return f"{WORDS[check.verdict]}: {where}: {check.note}."
    more = "" if check.more is None else f"; {format_forecast(check.more).replace(' of each', '')}"
    return f"{WORDS[check.verdict]}: {where}, is {check.seen}; wanted: {check.wanted}{more}."
