"""What a comparison is judged by, written into the file before its first match, so that nobody chooses it after having looked."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import select

from analytics.metric.metric import SHARE, Metric, find_metric, scale_of
from boardgames.errors import BadInput
from boardgames.store.connection import reading, writing
from boardgames.store.schema import Registration

PRIMARIES = ("seat_win_share", "tied_after", "length", "victory_margin", "score_level", "lead_changes")
MOST_PRIMARIES = 6
START, FEWEST_TOUCHED, PLANNED = 1_000, 100, 10_000


@dataclass(frozen=True)
class Terms:
    """The primaries with their margins, who plays, and when to stop. Margins left out are the metrics' own."""

    agents: tuple[str, ...]  # the rungs; the first one's matches decide
    stop: str
    primaries: tuple[str, ...] = PRIMARIES
    margins: Mapping[str, float] = field(default_factory=dict)
    alpha: float = 0.05  # the chance that any verdict of the primaries is ever wrong
    start: int = START  # blocks before which only the share of touched matches is gone by
    fewest_touched: int = FEWEST_TOUCHED  # likewise, blocks with a difference
    planned: int = PLANNED  # blocks at which the intervals are narrowest for what they promise

    def margin(self, metric: Metric, of: float) -> float:
        """The margin of a metric whose value in A is `of`."""
        if metric.name in self.margins:
            return self.margins[metric.name]
        return metric.margin * abs(of) if metric.relative else metric.margin

    def in_words(self, metric: Metric) -> str:
        if metric.name in self.margins:
            value = self.margins[metric.name]
            return f"{100 * value:g} pp" if metric.unit == SHARE else f"{value:g} {metric.unit}"
        if metric.relative:
            return f"{100 * metric.margin:g} % of A"
        return f"{100 * metric.margin:g} pp" if metric.unit == SHARE else f"{metric.margin:g} {metric.unit}"


def make_terms(
    agents: Sequence[str], stop: str, primaries: Sequence[str] = (), margins: Mapping[str, float] | None = None
) -> Terms:
    """Checked terms; the usual primaries if none are named."""
    chosen = tuple(dict.fromkeys(primaries)) or PRIMARIES
    if len(chosen) > MOST_PRIMARIES:
        raise BadInput(f"{len(chosen)} primaries: choose at most {MOST_PRIMARIES}; each makes the others' intervals wider")
    for name in [*chosen, *(margins or {})]:
        metric = find_metric(name)
        if metric.kind == "rows":
            raise BadInput(
                f"{name} is a screening of many components and gives no verdict; `boardgames metrics {name}` explains it"
            )
    for name, margin in (margins or {}).items():
        if not margin > 0:
            raise BadInput(f"margin {name}={margin:g}: a margin is a number above 0")
    return Terms(tuple(agents), stop, chosen, dict(margins or {}))


def read_margins(written: Sequence[str]) -> dict[str, float]:
    """`length=2`, `seat_win_share=0.5pp` -> margins by metric; shares are written in percentage points."""
    found = {}
    for text in written:
        name, _, value = text.partition("=")
        metric = find_metric(name)
        share = metric.unit == SHARE
        try:
            number = float((value.removesuffix("pp") if share else value).strip())
        except ValueError:
            example = f"{name}=0.5 for half a percentage point" if share else f"{name}=2 ({metric.unit})"
            raise BadInput(f"margin '{text}': write {example}") from None
        found[name] = number / scale_of(metric.unit)
    return found


class Registered(NamedTuple):
    """Terms as they stand in the file."""

    terms: Terms
    created: datetime
    matches_before: int  # that were stored already


def registered(path: Path, number: int) -> list[Registered]:
    """All terms of a comparison in the order in which they were written; more than one means a change of mind."""
    return [Registered(_terms(terms), created, before) for terms, created, before in written_down(path, number)]


def register(path: Path, number: int, name: str, terms: Terms, matches_before: int) -> list[Registered]:
    """Write terms down, unless they are those of the last time."""
    known = registered(path, number)
    if not known or known[-1].terms != terms:
        _write_down(path, number, name, asdict(terms), matches_before)
        known = registered(path, number)
    return known


def promise(
    path: Path, number: int, name: str, terms: Mapping[str, Any], matches_before: int
) -> list[tuple[dict[str, Any], datetime, int]]:
    """Write down what else is promised, as JSON keeps it, unless it is that of the last time."""
    known = written_down(path, number)
    if not known or known[-1][0] != terms:
        _write_down(path, number, name, terms, matches_before)
        known = written_down(path, number)
    return known


def written_down(path: Path, number: int) -> list[tuple[dict[str, Any], datetime, int]]:
    """What was promised under a number, version by version: the terms, when, and how many matches were stored then."""
    if not path.exists():
        return []
    with reading(path) as session:
        rows = session.exec(select(Registration).where(Registration.id == number).order_by("version")).all()
        return [(row.terms, row.created, row.matches_before) for row in rows]


def _write_down(path: Path, number: int, name: str, terms: Mapping[str, Any], matches_before: int) -> None:
    """Another version of a promise."""
    version = len(written_down(path, number)) + 1
    row: dict[str, Any] = {"id": number, "version": version, "matches_before": matches_before, "name": name}
    with writing(path) as session:
        session.add(Registration(**row, terms=dict(terms)))


def _terms(stored: Mapping[str, Any]) -> Terms:
    return Terms(**{**stored, "agents": tuple(stored["agents"]), "primaries": tuple(stored["primaries"])})
