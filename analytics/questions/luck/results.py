"""What `luck` answers, as plain data: the terminal, the dashboard and programs show the same objects."""

from dataclasses import dataclass

from analytics.answer import DrawnAnswer
from analytics.stats.capital import AlwaysValidInterval
from analytics.stats.intervals import Estimate
from boardgames.play.swaps import ALL_STREAMS


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
    deals: int
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


@dataclass(frozen=True, kw_only=True)
class SourceChange:
    """The share of one source in A and in B, and the difference, paired deal by deal. A source's share is of
    what the seat leaves, the seat's own of the whole: a seat that grows stronger is no change of luck.
    """

    source: str
    title: str
    a: Estimate
    b: Estimate
    difference: Estimate
    always_valid: AlwaysValidInterval  # of the difference, together with those of the other sources

    @property
    def direction(self) -> int:
        """1 or -1 if the share rises or falls, by the always-valid interval; else 0."""
        interval = self.always_valid
        if not interval.is_informative:
            return 0
        return int(interval.low > 0) - int(interval.high < 0)


@dataclass(frozen=True, kw_only=True)
class LuckChange:
    """What a change of the rules does to one quantity's luck."""

    a: str
    b: str
    players: int
    agents: str
    quantity: str
    deals: int
    changes: tuple[SourceChange, ...]  # the seat first


@dataclass(frozen=True, kw_only=True)
class LuckAnswer(DrawnAnswer):
    splits: tuple[VariantLuck, ...]
    changes: tuple[LuckChange, ...]  # of each variant against the first
    played: int  # matches with swapped chance, by this call
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<LuckAnswer about {', '.join(dict.fromkeys(split.variant for split in self.splits))}>"
