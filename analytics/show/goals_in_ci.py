"""A check of goals for programs: as JSON, as JUnit XML, as Markdown for the summary of a CI job, and as
annotations that GitHub shows beside the lines of the goals file.
"""

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from analytics.metric.metric import find_scale
from analytics.questions.goals.check import Balance
from analytics.questions.goals.conclusions import conclude_goals, describe_check
from analytics.questions.goals.file import Mistake, find_goal_line
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN, Check
from analytics.show.terminal.goals import format_check_verdict
from analytics.verdict.results import convert_to_json
from analytics.words import format_unit

NUMBERS = ("value", "low", "high", "least", "most")
ANNOTATIONS = {FAIL: "error", UNKNOWN: "warning"}
SIGNS = {PASS: "✅", FAIL: "❌", UNKNOWN: "❔"}


def make_goals_json(balance: Balance) -> dict[str, Any]:
    """The answer as docs/how/goals_in_ci.md describes it, in the units of the goals file: shares in %."""
    answer: dict[str, Any] = convert_to_json(balance)
    answer["checks"] = [_convert_check(balance, check) for check in balance.checks]
    return answer


def _convert_check(balance: Balance, check: Check) -> dict[str, Any]:
    fields: dict[str, Any] = convert_to_json(check)
    scale = find_scale(check.unit)
    scaled = {name: scale * getattr(check, name) for name in NUMBERS}
    numbers = {name: value if math.isfinite(value) else None for name, value in scaled.items()}
    return {**fields, **numbers, "unit": format_unit(check.unit), "line": _find_line(balance, check)}


def make_junit(balance: Balance) -> str:
    """A test case for every check. One that is still open counts as skipped: it is no failure."""
    verdicts = [check.verdict for check in balance.checks]
    counts = {
        "tests": len(verdicts),
        "failures": verdicts.count(FAIL),
        "errors": 0,
        "skipped": verdicts.count(UNKNOWN),
    }
    attributes = {name: str(count) for name, count in counts.items()}
    root = ElementTree.Element("testsuites", attributes)
    suite = ElementTree.SubElement(root, "testsuite", {"name": balance.goals, **attributes})
    for check in balance.checks:
        _add_case(suite, balance, check)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, balance: Balance, check: Check) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        {
            "classname": check.variant,
            "name": f"goal {check.goal}: {check.title}, {check.players} players, {check.wanted}",
            "file": balance.goals,
            "line": str(_find_line(balance, check)),
        },
    )
    if check.verdict != PASS:
        kind = "failure" if check.verdict == FAIL else "skipped"
        ElementTree.SubElement(case, kind, {"message": describe_check(check)})


def make_markdown(balance: Balance) -> str:
    """The answer in sentences and a table, for the summary page of a job."""
    summary, *sentences = conclude_goals(balance)
    lines = [f"## {_escape_cell(balance.goals)}", "", summary, "", *(f"- {line}" for line in sentences), ""]
    lines += ["| | goal | metric | variant | players | wanted | measured | verdict |", "|---" * 8 + "|"]
    for check in balance.checks:
        cells = (check.title, check.variant, str(check.players), check.wanted, check.seen)
        words = [SIGNS[check.verdict], str(check.goal), *cells, format_check_verdict(check)]
        lines.append("| " + " | ".join(map(_escape_cell, words)) + " |")
    lines += ["", f"{balance.played:,} matches were played now, by {balance.agents}, seed {balance.seed}."]
    return "\n".join(lines) + "\n"


def _escape_cell(text: str) -> str:
    """Text that Markdown does not read as something else: names come from games and from the command line."""
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return text


def make_annotations(balance: Balance) -> Iterator[str]:
    """A line for each check that fails or is open, as GitHub reads them from the output of a job."""
    for check in balance.checks:
        if check.verdict in ANNOTATIONS:
            title = f"{check.title} in {check.variant}"
            place = _format_place(Path(balance.goals), _find_line(balance, check), title)
            yield f"::{ANNOTATIONS[check.verdict]} {place}::{_escape_message(describe_check(check))}"


def annotate_mistakes(mistakes: Sequence[Mistake]) -> Iterator[str]:
    """The same for each mistake in a goals file."""
    for mistake in mistakes:
        place = _format_place(mistake.path, mistake.line, mistake.field)
        yield f"::error {place}::{_escape_message(mistake.reason)}"


def _format_place(path: Path, line: int, title: str) -> str:
    file = _escape_property(_find_path_in_repository(path))
    return f"file={file},line={line},title={_escape_property(title)}"


def _find_path_in_repository(path: Path) -> str:
    """The path from the root of the repository, which is how GitHub finds the file."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()
    resolved = path.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else str(path)


def _escape_message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_message(text).replace(":", "%3A").replace(",", "%2C")


def _find_line(balance: Balance, check: Check) -> int:
    return find_goal_line(Path(balance.goals), check.goal)
