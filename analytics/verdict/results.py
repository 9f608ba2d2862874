"""What a comparison says, as plain data: the terminal, the report and the dashboard show the same objects."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from analytics.metric.lift import Lift
from analytics.stats.intervals import Estimate
from analytics.verdict.terms import Registered, Terms


@dataclass(frozen=True)
class RungDifference:
    """What the change does when other agents play."""

    agent: str
    difference: Estimate
    against_first: Estimate  # this rung's difference less that of the rung that decides, block by block where they share blocks


@dataclass(frozen=True)
class Line:
    """One metric, or one part of it: A, B, their difference and the verdict."""

    metric: str
    part: str
    unit: str
    primary: bool
    a: Estimate
    b: Estimate
    difference: Estimate  # b - a, ordinary 95 % interval: for reading
    low: float  # the interval that holds at all times, together with those of all other primaries: for the verdict
    high: float
    margin: float
    within: float  # the difference in a match that was touched
    effect: float  # the difference in standard deviations of A's blocks
    pairing: float  # how many times as many matches separate luck would have taken
    verdict: str
    sentence: str
    more: int | None  # further matches of each variant that would probably settle it
    luck_race: float | None = None  # what a race of pure luck gives, where the outlook is good enough to compare
    rungs: tuple[RungDifference, ...] = ()
    agreement: str = ""  # over the rungs, in words
    disagreement: str = ""  # who sees more and who sees less, where players contradict each other; `sentence` begins with it


@dataclass(frozen=True)
class Duel:
    """How often a rung wins among those below it, in A and in B: where that differs, the player may be what changed."""

    strong: str
    weak: str
    a: Estimate  # the strong one's share of the wins
    b: Estimate
    difference: Estimate
    doubtful: bool
    sentence: str


@dataclass(frozen=True)
class Contrast:
    """A and one other variant at one player count."""

    a: str
    b: str
    players: int
    agent: str
    changes: tuple[str, ...]  # what differs, in words
    same_rules: bool = False
    paired: bool = True
    blocks: int = 0
    matches: int = 0  # of each variant
    touched: Estimate | None = None
    touched_low: float = 0.0
    touched_high: float = 1.0
    lines: tuple[Line, ...] = ()
    duels: tuple[Duel, ...] = ()
    lifts: tuple[tuple[Lift, ...], tuple[Lift, ...]] = ((), ())  # in A and in B: which components go with winning
    saved: int = 0  # matches that shared luck saved
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Everything against A."""

    variants: tuple[str, ...]
    players: tuple[int, ...]
    agents: tuple[str, ...]
    seed: int
    file: str
    terms: Terms
    registered: tuple[Registered, ...]
    contrasts: tuple[Contrast, ...]
    played: int = 0  # matches, by this call
    reconstructed: tuple[str, ...] = ()  # variants with parts that no source documents


def as_json(value: Any) -> Any:
    """The same as dictionaries and lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: as_json(part) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    if isinstance(value, float):
        return value if value - value == 0 else None
    return value if isinstance(value, int | str | bool | None) else str(value)
