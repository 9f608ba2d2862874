"""Luck as a metric: what each source of chance decides, from deals that were played with swapped chance."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.linearize import (
    COMMON,
    OWN,
    FirstSums,
    choose_counts,
    fit_tangents,
    list_first_ends,
)
from analytics.metric.metric import LUCK, SCORE_LUCK, Metric, find_metric
from analytics.stats.capital import AlwaysValidInterval, compute_interval, shift_interval
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
from boardgames.play.batch import SLICE
from boardgames.play.swaps import AGENTS, ALL_STREAMS, SEATING, STREAM
from boardgames.store.luck import SwapResults, find_stored_swaps, load_swaps

Array = np.ndarray[Any, Any]
WINS = "who wins"
SCORE_LEAD = "the score lead"
QUANTITIES = (WINS, SCORE_LEAD)
DIGITS = 12  # of a difference of shares: what is less comes from rounding
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


def count_share_differences(a: ShareValues, b: ShareValues, source: str) -> tuple[Counts, float]:
    """b less a of the deals' numbers for a source's share of what the seat leaves, which is
    `VarianceSplit.leave_out_seat`: so a source that decides nearly all of that has little noise. And what
    their mean falls short of the difference of the shares. Nothing is counted as long as one of the two has
    varied in too few deals.

    The numbers lie on tangents as those of any ratio (`analytics.metric.linearize`).
    """
    columns = [(values.shares[source], values.sum_sources()) for values in (a, b)]
    ends = list_first_ends(len(a.variances))
    sums = dict(enumerate(FirstSums.of(ends, *of_variant) for of_variant in columns))
    rests_on = [_count_typical_deals(whole, ends) for _, whole in columns]
    tangents = fit_tangents(find_metric(LUCK), sums, rests_on) if len(ends) else None
    if not tangents:
        return Counts.of(np.empty(0)), 0.0
    slices = np.arange(len(a.variances)) // SLICE
    b_and_a = [
        {kind: tangents[cell, kind].compute_numbers(slices, *columns[cell]) for kind in (OWN, COMMON)}
        for cell in (1, 0)
    ]
    own, common = (
        Counts.of(np.subtract(*(numbers[kind] for numbers in b_and_a)).round(DIGITS))
        for kind in (OWN, COMMON)
    )
    counts = choose_counts(own, common)
    share_a, share_b = (float(top.sum() / whole.sum()) for top, whole in columns)
    return counts, round(share_b - share_a - counts.mean, DIGITS)


def _count_typical_deals(values: Array, ends: Array) -> Array:
    """How many deals of one size would say as much as the first ones: few where a few outweigh the rest."""
    total, squares = (column.cumsum()[ends - 1] for column in (values, values**2))
    return np.divide(total**2, squares, out=np.zeros(len(ends)), where=squares > 0)


def compute_share_change_interval(
    a: ShareValues, b: ShareValues, source: str, alpha: float
) -> AlwaysValidInterval:
    """The always-valid interval of what a source's share in b is more than in a."""
    counts, rest = count_share_differences(a, b, source)
    return shift_interval(compute_interval(counts, (-math.inf, math.inf), alpha), rest)


def load_luck(db: Path, cells: Sequence[int], metrics: Sequence[Metric]) -> dict[str, dict[int, Luck]]:
    """By metric, the luck of each cell of which the file holds deals with swapped chance."""
    wanted = [metric.name for metric in metrics if metric.kind == "swaps"]
    stored = [cell for cell, ranges in find_stored_swaps(cells, db).items() if ranges] if wanted else []
    results = {cell: found for cell in stored if (found := load_swaps(db, cell))}
    return {
        name: {cell: Luck(found, QUANTITY_OF_METRIC[name]) for cell, found in results.items()}
        for name in wanted
    }
