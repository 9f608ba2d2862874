"""What a comparison of two variants comes to, in sentences: what matters first, then what is the same, then what is still open."""

from collections.abc import Iterator, Sequence

from analytics.verdict.results import Contrast, Line
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import number, settling, shown, spoken, unit_of


def conclude(contrast: Contrast) -> Iterator[str]:
    """Every main metric under its verdict, and every other one that is materially different."""
    if contrast.same_rules:
        yield f"The rules are the same with {contrast.players} players."
        return
    main = [line for line in contrast.lines if line.primary]
    for verdict in (DIFFERENT, UNCLEAR):
        yield from (_difference(line, contrast.agent) for line in main if line.verdict == verdict)
    others = [line for line in contrast.lines if not line.primary and line.verdict == DIFFERENT]
    yield from (_difference(line, contrast.agent) for line in others if line.disagreement)
    if agreed := [f"{_names([line])} {shown(line.difference, line.unit, True)}" for line in others if not line.disagreement]:
        yield f"Also materially different: {', '.join(agreed)}."
    undecided = [line for line in main if line.verdict not in (DIFFERENT, UNCLEAR)]
    yield from (f"{_disagreement(line)}." for line in undecided if line.disagreement)
    if same := [line for line in undecided if line.verdict == SAME]:
        yield f"The same within their margins: {_names(same)}."
    if unknown := [line for line in undecided if line.verdict == UNKNOWN]:
        forecasts = [line.more for line in unknown if line.more is not None]
        yield f"Not yet known: {_names(unknown)}{f'; {settling(max(forecasts))}' if forecasts else ''}."
    yield from (f"{_capital(spoken(line.metric, line.part))}: {line.sentence}." for line in undecided if line.verdict == NONE)
    yield from (f"{_capital(note)}." for note in contrast.notes)


def _difference(line: Line, agent: str) -> str:
    """Length is higher: 73.5 instead of 70.0 turns; +3.5 turns (+3.3 to +3.7), materially different."""
    values = f"{number(line.b.mean, line.unit)} instead of {number(line.a.mean, line.unit)} {unit_of(line.unit)}"
    size = "materially different" if line.verdict == DIFFERENT else "perhaps too little to matter"
    told = f"is {'higher' if line.low > 0 else 'lower'}: {values}; {shown(line.difference, line.unit, True)}, {size}."
    if line.disagreement:
        return f"{_disagreement(line)}. With {agent} it {told}"
    return f"{_capital(spoken(line.metric, line.part))} {told}"


def _disagreement(line: Line) -> str:
    return f"The players disagree about {spoken(line.metric, line.part)}: {line.disagreement}"


def _names(lines: Sequence[Line]) -> str:
    return ", ".join(spoken(line.metric, line.part) for line in lines)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
