"""What a comparison says, as plain data: the terminal, the report and the dashboard show the same objects."""

import math
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from analytics.answer import DrawnAnswer
from analytics.stats.intervals import Estimate
from analytics.verdict.terms import RegisteredTerms, Terms
from analytics.verdict.verdicts import NONE, Verdict


@dataclass(frozen=True)
class AgentDifference:
    """What the change does when other agents play."""

    agent: str
    difference: Estimate
    # this agent's difference less that of the deciding agent, deal by deal where they share deals
    against_deciding: Estimate


@dataclass(frozen=True, kw_only=True)
class Line:
    """One metric, or one part of it: A, B, their difference and the verdict."""

    metric: str
    part: str
    unit: str
    is_main: bool
    a: Estimate
    b: Estimate
    difference: Estimate  # b - a, ordinary 95% interval: for reading
    # the always-valid interval, together with those of all other main metrics: for the verdict; NaN as long
    # as it says nothing
    low: float
    high: float
    is_informative: bool  # whether that interval says anything yet
    threshold: float
    within: float  # the difference in a match that was affected
    effect: float  # the difference in standard deviations of A's deals
    pairing: float  # separate luck would have taken this many times as many matches
    verdict: Verdict
    problem: str  # why there can be no verdict
    more: int | None  # further matches of each variant that would probably settle it
    # the value in a race of pure luck, where the evaluation is good enough to compare
    luck_race: float | None = None
    other_agents: tuple[AgentDifference, ...] = ()
    agreement: str = ""  # of all agents, in words
    # which agents see more and which less, where they contradict each other
    disagreement: str = ""

    @property
    def is_comparable(self) -> bool:
        """Whether A and B count the same: points of different games do not."""
        return self.verdict != NONE or math.isfinite(self.difference.mean)


@dataclass(frozen=True, kw_only=True)
class HeadToHead:
    """How often an agent wins against the next weaker one, in A and in B: where that differs, the player may
    be what changed.
    """

    strong: str
    weak: str
    a: Estimate  # the strong one's share of the wins
    b: Estimate
    difference: Estimate
    doubtful: bool
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """A and one other variant at one player count."""

    a: str
    b: str
    players: int
    agent: str
    changes: tuple[str, ...]  # what differs, in words
    same_rules: bool = False
    paired: bool = True
    deals: int = 0
    matches: int = 0  # of each variant
    affected: Estimate | None = None
    affected_low: float = 0.0
    affected_high: float = 1.0
    lines: tuple[Line, ...] = ()
    head_to_heads: tuple[HeadToHead, ...] = ()
    saved: int = 0  # matches that shared luck saved
    notes: tuple[str, ...] = ()

    @property
    def main_lines(self) -> list[Line]:
        return [line for line in self.lines if line.is_main]


@dataclass(frozen=True, kw_only=True)
class Comparison(DrawnAnswer):
    """Everything against A."""

    variants: tuple[str, ...]
    players: tuple[int, ...]
    agents: tuple[str, ...]
    seed: int
    file: str
    terms: Terms
    registered: tuple[RegisteredTerms, ...]
    contrasts: tuple[Contrast, ...]
    played: int = 0  # matches, by this call
    # that a further match of each variant takes, with its share of what else is played; NaN if unknown
    match_seconds: float = math.nan
    reconstructed: tuple[str, ...] = ()  # variants with parts that no source documents

    def __repr__(self) -> str:
        others = ", ".join(self.variants[1:])
        counts = ", ".join(map(str, self.players))
        return f"<Comparison of {others} with {self.variants[0]}, {counts} players, by {self.agents[0]}>"


def convert_to_json(value: Any) -> Any:
    """The value as dictionaries, lists and numbers, to twelve digits; None for what is not finite."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: convert_to_json(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: convert_to_json(part) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        return {name: convert_to_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [convert_to_json(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else None
    return value if isinstance(value, int | str | bool | None) else str(value)
