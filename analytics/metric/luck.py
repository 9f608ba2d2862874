"""Luck as a metric: what each source of chance decides, from deals that were played with swapped chance."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.metric import LUCK, SCORE_LUCK, Metric
from analytics.stats.intervals import Estimate
from analytics.stats.variance_split import (
    ShareValues,
    VarianceSplit,
    list_share_values,
    split_variance,
)
from boardgames.errors import InvalidInput
from boardgames.game.game import Game
from boardgames.game.variant import Variant
from boardgames.plan.counts import Counts
from boardgames.play.swaps import AGENTS, ALL_STREAMS, SEATING, STREAM
from boardgames.store.luck import SwapResults, find_stored_swaps, load_swaps

Array = np.ndarray[Any, Any]
WINS = "who wins"
SCORE_LEAD = "the score lead"
QUANTITIES = (WINS, SCORE_LEAD)
QUANTITY_OF_METRIC = {LUCK: WINS, SCORE_LUCK: SCORE_LEAD}
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


def check_chance(variant: Variant) -> None:
    """Raise InvalidInput for a variant whose luck has no source."""
    if not variant.game.streams:
        raise InvalidInput(
            f"{variant.name} has no source of chance: the players and the seats alone decide. "
            f"`boardgames ladder {variant.spec}` measures how much playing well pays"
        )


def list_luck_parts(game: Game) -> list[str]:
    """The parts that luck can have in a game."""
    streams = [f"{STREAM}{name}" for name in game.streams]
    return [name_source(source) for source in (*streams, AGENTS, SEATING, ALL_STREAMS)]


@dataclass(frozen=True)
class Luck:
    """What decides one quantity in one cell."""

    results: SwapResults
    quantity: str

    @functools.cached_property
    def split(self) -> VarianceSplit:
        return split_variance(self.results.sources, self.results.masks, self.values)

    @functools.cached_property
    def share_values(self) -> ShareValues:
        return list_share_values(self.results.sources, self.results.masks, self.values)

    @property
    def deals(self) -> int:
        return len(self.results.deals)

    @property
    def reach(self) -> float:
        """The most that two values differ by."""
        return 1.0 if self.quantity == WINS else math.inf

    @property
    def values(self) -> Array:
        """By deal, match and seat. Less their mean over the seats, scores are leads over the others."""
        return self.results.win_shares if self.quantity == WINS else self.results.scores.astype(np.float64)

    def list_parts(self) -> list[str]:
        """The sources in words, if there is anything to decide. The seat has metrics of its own."""
        values = self.share_values
        return [name_source(source) for source in values.shares if values.variances.any()]

    def find_source(self, part: str) -> str:
        """The source that a part is about."""
        return next(source for source in self.share_values.shares if name_source(source) == part)

    def count_numbers(self, part: str) -> tuple[Counts, float]:
        """A share is a ratio of two means: the deals' numbers on its tangent, as other ratios have them
        (`analytics.metric.linearize`), and its base.
        """
        variances = self.share_values.variances
        products = self.share_values.shares[self.find_source(part)]
        base = float(variances.mean())
        share = float(products.mean()) / base
        return Counts.of(share + (products - share * variances) / base), base

    def estimate(self, part: str) -> Estimate:
        """The share of a source. A single stream is all shuffles and dice."""
        source = self.find_source(part)
        if source not in self.split.sources:
            source = next(name for name in self.split.sources if name.startswith(STREAM))
        return self.split.sources[source].share.estimate()


def count_share_differences(a: ShareValues, b: ShareValues, source: str) -> Counts:
    """b less a of the deals' numbers on the tangent of a source's share of what the seat leaves, which is
    `VarianceSplit.leave_out_seat`: so a source that decides nearly all of that has little noise.

    Both share one tangent: a deal that plays out alike counts 0. Where the sources decide as much in both,
    the mean is the difference of the shares; else it has the same sign.
    """
    tops = [values.shares[source] for values in (a, b)]
    wholes = [values.sum_sources() for values in (a, b)]
    base = float(np.mean(wholes)) or 1.0
    share = float(np.mean(tops)) / base
    in_a, in_b = ((top - share * whole) / base for top, whole in zip(tops, wholes, strict=True))
    return Counts.of(in_b - in_a)


def load_luck(db: Path, cells: Sequence[int], metrics: Sequence[Metric]) -> dict[str, dict[int, Luck]]:
    """By metric, the luck of each cell of which the file holds deals with swapped chance."""
    wanted = [metric.name for metric in metrics if metric.kind == "swaps"]
    stored = [cell for cell, ranges in find_stored_swaps(cells, db).items() if ranges] if wanted else []
    results = {cell: found for cell in stored if (found := load_swaps(db, cell))}
    return {
        name: {cell: Luck(found, QUANTITY_OF_METRIC[name]) for cell, found in results.items()}
        for name in wanted
    }
