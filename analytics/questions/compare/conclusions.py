"""The result of a comparison in sentences: what matters first, then what is the same, then what is still
open.
"""

from collections.abc import Iterator, Sequence

from analytics.verdict.results import Contrast, Line
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import format_estimate, format_forecast, format_metric, format_number, format_unit


def conclude(contrast: Contrast) -> Iterator[str]:
    """Every main metric under its verdict, and every other one that is materially different."""
    if contrast.same_rules:
        yield f"The rules are the same with {contrast.players} players."
        return
    main = [line for line in contrast.lines if line.is_main]
    for verdict in (DIFFERENT, UNCLEAR):
        yield from (_describe_difference(line, contrast.agent) for line in main if line.verdict == verdict)
    others = [line for line in contrast.lines if not line.is_main and line.verdict == DIFFERENT]
    yield from (_describe_difference(line, contrast.agent) for line in others if line.disagreement)
    if agreed_on := [
        f"{_join_names([line])} {format_estimate(line.difference, line.unit, True)}"
        for line in others
        if not line.disagreement
    ]:
        yield f"Also materially different: {', '.join(agreed_on)}."
    undecided = [line for line in main if line.verdict not in (DIFFERENT, UNCLEAR)]
    yield from (f"{_describe_disagreement(line)}." for line in undecided if line.disagreement)
    if same := [line for line in undecided if line.verdict == SAME]:
        yield f"The same within their thresholds: {_join_names(same)}."
    if unknown := [line for line in undecided if line.verdict == UNKNOWN]:
        needed = [line.more for line in unknown if line.more is not None]
        forecast = f"; {format_forecast(max(needed))}" if needed else ""
        yield f"Not yet known: {_join_names(unknown)}{forecast}."
    yield from (
        f"{_capitalize(format_metric(line.metric, line.part))}: {line.sentence}."
        for line in undecided
        if line.verdict == NONE
    )
    yield from (f"{_capitalize(note)}." for note in contrast.notes)


def _describe_difference(line: Line, agent: str) -> str:
    """Length is higher: 73.5 instead of 70.0 turns; +3.5 turns (+3.3 to +3.7), materially different."""
    a, b = (format_number(estimate.mean, line.unit) for estimate in (line.a, line.b))
    values = f"{b} instead of {a} {format_unit(line.unit)}"
    difference = format_estimate(line.difference, line.unit, True)
    size = "materially different" if line.verdict == DIFFERENT else "perhaps too little to matter"
    text = f"is {'higher' if line.low > 0 else 'lower'}: {values}; {difference}, {size}."
    if line.disagreement:
        return f"{_describe_disagreement(line)}. With {agent} it {text}"
    return f"{_capitalize(format_metric(line.metric, line.part))} {text}"


def _describe_disagreement(line: Line) -> str:
    return f"The players disagree about {format_metric(line.metric, line.part)}: {line.disagreement}"


def _join_names(lines: Sequence[Line]) -> str:
    return ", ".join(format_metric(line.metric, line.part) for line in lines)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]
