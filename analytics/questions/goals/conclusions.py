"""The result of a check of goals in sentences: what fails first, then what is open, then what passes.

`fix` describes its checks with the same words.
"""

from collections.abc import Iterator, Sequence

from analytics.metric.metric import find_metric
from analytics.questions.goals.check import Balance
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN, Check
from analytics.words import describe_value, find_anchor, format_forecast, join_words

WORDS = {FAIL: "Fails", UNKNOWN: "Open", PASS: "Passes"}
TOO_FEW = "too few matches yet"


def conclude_goals(balance: Balance) -> Iterator[str]:
    """A summary, then a sentence for every check that fails or is open."""
    counts = {verdict: list(balance.verdicts.values()).count(verdict) for verdict in (PASS, FAIL, UNKNOWN)}
    words = {PASS: "met", FAIL: "missed", UNKNOWN: "open"}
    parts = [f"{count} {words[verdict]}" for verdict, count in counts.items() if count]
    goals = "1 goal" if len(balance.verdicts) == 1 else f"{len(balance.verdicts)} goals"
    yield f"{balance.verdict.upper()}: of {goals}, {join_words(parts)}."
    for verdict in (FAIL, UNKNOWN):
        yield from (describe_check(check) for check in balance.checks if check.verdict == verdict)


def describe_check(check: Check) -> str:
    """Fails: in celtica with 4 players, a match takes 70.0 turns (69.1 to 70.9), or 17.5 rounds; wanted: at
    most 60.0 turns.
    """
    where = f"{WORDS[check.verdict]}: in {check.variant} with {check.players} players"
    if check.note:
        return f"{where}, {_name(check)}: {check.note}."
    more = "" if check.more is None else f"; {format_forecast(check.more).replace(' of each', '')}"
    return f"{where}, {_describe_value(check)}; wanted: {check.wanted}{more}."


def describe_checks(checks: Sequence[Check]) -> str:
    """a match takes 52.1 turns (50.0 to 54.3), or 13.0 rounds, wanted: at most 60.0 turns; ... The parts of a
    goal share one description.
    """
    groups: dict[tuple[int, int], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.goal, check.players), []).append(check)
    several = len({players for _, players in groups}) > 1
    return "; ".join(_describe_group(group, several) for group in groups.values())


def _describe_group(checks: Sequence[Check], several: bool) -> str:
    first = checks[0]
    where = f"with {first.players} players, " if several else ""
    values = _describe_value(first) if len(checks) == 1 else _list_values(checks)
    return f"{where}{values}, wanted: {first.wanted}"


def _describe_value(check: Check) -> str:
    """seat 1 wins 27.1% (24.1 to 30.3) of the matches, where 25% is fair"""
    if not check.is_informative:
        return f"{_name(check)}: {check.note or TOO_FEW}"
    value = f"a median of {check.seen}" if check.median else check.seen
    text = describe_value(find_metric(check.metric), check.part, value, check.value, check.players)
    return text[0].lower() + text[1:]


def _list_values(checks: Sequence[Check]) -> str:
    """wins by seat: 31.0% (28.1 to 34.0), 25.2% (...) and 21.0% (...), where 25% is fair"""
    metric = find_metric(checks[0].metric)
    title = metric.label[0].lower() + metric.label[1:]
    if not any(check.is_informative for check in checks):
        return f"{title}: {checks[0].note or TOO_FEW}"
    anchor = find_anchor(metric, checks[0].players)
    place = f", where {anchor}" if anchor else ""
    return f"{title}: {join_words([check.seen for check in checks])}{place}"


def _name(check: Check) -> str:
    return check.title[0].lower() + check.title[1:]
