"""What `luck` answers, as plain data: the terminal, the dashboard and programs show the same objects."""

from dataclasses import dataclass

from analytics.stats.intervals import Estimate
from boardgames.play.swaps import AGENTS, ALL_STREAMS, SEATING, STREAM

WINS = "who wins"
SCORE_LEAD = "the score lead"
QUANTITIES = (WINS, SCORE_LEAD)
SEAT = "seat"
TITLES = {
    SEAT: "the seat",
    AGENTS: "the agents' own randomness",
    SEATING: "which agent sits where",
    ALL_STREAMS: "all shuffles and dice together",
}


def name_source(source: str) -> str:
    """What people read: the druid cards, the seat."""
    return f"the {source.removeprefix(STREAM)}" if source.startswith(STREAM) else TITLES[source]


@dataclass(frozen=True)
class SourceLuck:
    """How much one source decides, as parts of all that varies."""

    source: str
    title: str
    share: Estimate  # alone, and its fair part of what it decides together with others
    alone: Estimate  # whatever the other sources do
    involved: Estimate  # alone or together with others


@dataclass(frozen=True)
class QuantityLuck:
    """What decides one quantity: the seat and the shares of all single sources make up the whole."""

    quantity: str
    seat: Estimate
    sources: tuple[SourceLuck, ...]

    @property
    def varies(self) -> bool:
        """Whether there is something to split: two matches that ended differently."""
        return self.seat.has_interval

    @property
    def single_sources(self) -> list[SourceLuck]:
        return [source for source in self.sources if source.source != ALL_STREAMS]


@dataclass(frozen=True, kw_only=True)
class VariantLuck:
    """Where the luck of one variant comes from, at one player count."""

    variant: str
    players: int
    agents: str
    seed: int
    deals: int
    matches: int  # with swapped chance
    quantities: tuple[QuantityLuck, ...]


@dataclass(frozen=True)
class SourceChange:
    """The share of one source in A and in B, and the difference, paired deal by deal."""

    source: str
    title: str
    a: Estimate
    b: Estimate
    difference: Estimate


@dataclass(frozen=True, kw_only=True)
class LuckChange:
    """What a change of the rules does to one quantity's luck."""

    a: str
    b: str
    players: int
    agents: str
    quantity: str
    deals: int
    changes: tuple[SourceChange, ...]


@dataclass(frozen=True, kw_only=True)
class LuckAnswer:
    splits: tuple[VariantLuck, ...]
    changes: tuple[LuckChange, ...]  # of each variant against the first
    played: int  # matches with swapped chance, by this call
    notes: tuple[str, ...] = ()
