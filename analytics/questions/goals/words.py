"""A goal as one sentence, with the same fields as in a file of goals:

seat_win_share within 3 pp of fair
length at most 60 turns at 3-4 players
skill_edge at least 10% against greedy
median length from 40 to 60
"""

import re
from typing import Any

from analytics.metric.metric import SHARE
from analytics.questions.goals.file import Goal, GoalChecker, GoalTable
from analytics.target import split_metric_name
from boardgames.agents.python_agent import trust_line_up
from boardgames.errors import InvalidInput

EXAMPLES = '"seat_win_share within 3 pp of fair", "length at most 60" or "length from 40 to 60"'
NUMBER = r"-?\d+(?:\.\d+)?"
PATTERN = re.compile(
    r"(?P<median>median\s+)?(?P<name>\S.*?)\s+"
    rf"(?:within\s+(?P<within>{NUMBER})(?=.*\bof\s+fair\b)|at\s+most\s+(?P<high>{NUMBER})"
    rf"|at\s+least\s+(?P<low>{NUMBER})|from\s+(?P<least>{NUMBER})\s*\S*\s+to\s+(?P<most>{NUMBER}))"
    r"\s*(?P<unit>(?!at\b|against\b).*?)\s*(?:of\s+fair)?(?:\s+against\s+(?P<against>\S+))?"
    r"(?:\s+at\s+(?P<players>[\d,\s-]+?)\s*players?)?"
)


def read_goal(text: str) -> Goal:
    """The goal in a sentence; InvalidInput for a mistake in it."""
    found = PATTERN.fullmatch(text.strip())
    if not found:
        raise InvalidInput(f"goal '{text}': write {EXAMPLES}")
    metric, part = split_metric_name(found["name"])
    units = ("pp" if found["within"] else "%") if metric.unit == SHARE else metric.unit
    if (unit := found["unit"].strip()) not in ("", units):
        raise InvalidInput(f"goal '{text}': {metric.name} is measured in {units}, not in '{unit}'")
    table = GoalTable(
        metric=metric.name,
        part=part or None,
        players=(found["players"] or "").replace(" ", ""),
        low=_read_number(found["low"] or found["least"]),
        high=_read_number(found["high"] or found["most"]),
        within=_read_number(found["within"]),
        statistic="median" if found["median"] else "mean",
        **({"against": found["against"]} if found["against"] else {}),
    )
    trust_line_up(table.against)  # a person has typed it

    def locate(field: str, reason: Any) -> str:
        return f"goal '{text}': {reason}"

    checker = GoalChecker(table, locate)
    goal = checker.make_goal()
    if checker.mistakes or goal is None:
        raise InvalidInput("\n".join(checker.mistakes))
    return goal


def _read_number(text: str | None) -> float | None:
    return float(text) if text else None
