"""Differences between variants of the shipped games, deal by deal, for every metric: counted as verdicts
count them. Of ratios, the tops and bases of the deals: what verdicts count follows from those that are drawn.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.evidence import load_evidence
from analytics.metric.linearize import read_tops_and_bases, register_deals
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.metric.sums import fill_sums
from analytics.questions.compare.lines import PairedCells
from benchmarks.ratios import Deals, RatioCase
from boardgames import run_plan
from boardgames.plan.counts import Counts
from boardgames.plan.plan import make_plan
from boardgames.store.pairs import DealValues, load_deal_values

Array = np.ndarray[Any, Any]
PAIRS = (  # of each game one change that most matches feel, and one that comes up rarely
    ("celtica", "celtica:en"),
    ("celtica", "celtica:exact-goal"),
    ("keltis", "keltis:redraw"),
    ("keltis", "keltis:clover-optional"),
    ("celtae", "celtae:one-final-turn"),
    ("celtae", "celtae:area-region"),
)
FORCED = "tests.truth.forced_choices:GAME"
BASE_PAIRS = (  # with bases that are 2, 4, 10 and 50 times as large in one of the variants
    ("pig", "pig+target=50"),
    ("pig", "pig+target=25"),
    ("pig", "pig+target=10"),
    (FORCED, f"{FORCED}+length=200"),
)
PLAYERS = (2, 4)


class Differences(NamedTuple):
    """The differences of one metric, or a part of it, between two variants."""

    pair: str
    metric: str
    part: str
    counts: Counts
    bounds: tuple[float, float]


class RatioDeals(NamedTuple):
    """The tops and bases of one ratio, or a part of it, in two variants."""

    pair: str
    metric: str
    part: str
    deals: Deals
    variants: tuple[str, str]
    players: int

    def make_flipped_case(self) -> RatioCase:
        """Deals drawn anew, of which each second one has a and b the other way round: the true difference is
        0.
        """
        columns = np.array(self.deals)

        def draw(rng: np.random.Generator, deals: int) -> Deals:
            drawn = columns[:, rng.integers(columns.shape[1], size=deals)]
            return Deals(*np.where(rng.random(deals) < 0.5, drawn, drawn[[2, 3, 0, 1]]))

        return RatioCase(self.pair, self.metric, draw, 0.0, self.variants, self.players)

    def make_resampled_case(self) -> RatioCase:
        """Deals drawn anew: the true difference is that of these deals."""
        columns = np.array(self.deals)

        def draw(rng: np.random.Generator, deals: int) -> Deals:
            return Deals(*columns[:, rng.integers(columns.shape[1], size=deals)])

        top_a, base_a, top_b, base_b = columns.mean(axis=1)
        formula = find_metric(self.metric).formula
        truth = float(formula(top_b, base_b) - formula(top_a, base_a))
        return RatioCase(self.pair, self.metric, draw, truth, self.variants, self.players)


def collect_differences(
    db: Path, pairs: Sequence[tuple[str, str]], players: Sequence[int], deals: int, seed: int
) -> Iterator[Differences | RatioDeals]:
    """Play both variants of each pair on the same deals, and count their differences."""
    for specs in pairs:
        for count in players:
            plan = make_plan(list(specs), str(count), ["greedy"], deals, seed=seed)
            run_plan(plan, db)
            yield from _load_differences(db, plan, count)


def _load_differences(db: Path, plan: Any, players: int) -> Iterator[Differences | RatioDeals]:
    a, b = plan.cells
    asked = [metric for metric in metrics().values() if _can_be_counted(metric, players)]
    fill_sums(db, [(a.id, b.id)], asked)
    evidence = load_evidence(db, [a.id, b.id], asked, [(a.id, b.id)])
    cells = PairedCells(evidence=evidence, variants=(a.variant, b.variant), players=players, a=a.id, b=b.id)
    pair = f"{a.variant.name} and {b.variant.name}, {players} players"
    deals = {cell.id: load_deal_values(db, cell.id) for cell in (a, b)}
    for metric in asked:
        counts_by_part = {
            part: counts for (_, _, part), counts in sorted(evidence.counts[metric.name].items())
        }
        parts = [part for part, counts in counts_by_part.items() if np.ptp(counts.values)]
        if metric.kind == "ratio":
            columns = [_read_columns(db, cell, deals[cell], metric, parts) for cell in (a.id, b.id)]
            for part in parts:
                tops_and_bases = Deals(*columns[0][part], *columns[1][part])
                yield RatioDeals(
                    pair, metric.name, part, tops_and_bases, (a.variant.spec, b.variant.spec), players
                )
        else:
            for part in parts:
                yield Differences(pair, metric.name, part, counts_by_part[part], cells.find_bounds(metric))


def _read_columns(
    db: Path, cell: int, values: DealValues, metric: Metric, parts: Sequence[str]
) -> dict[str, Array]:
    with register_deals(db, cell, values) as con:
        return read_tops_and_bases(con, metric, parts, len(next(iter(values.values()))))


def _can_be_counted(metric: Metric, players: int) -> bool:
    """A distance rests on the seats' shares; lifts get no verdict; a contest needs different agents."""
    return metric.kind in ("mean", "ratio") and metric.line_ups != "mixed" and players in metric.players


def draw_flipped(rng: np.random.Generator, counts: Counts, deals: int) -> Array:
    """Deals drawn anew, each with a random sign: the mean is 0."""
    return draw_again(rng, counts, deals) * rng.choice([-1.0, 1.0], deals)


def draw_again(rng: np.random.Generator, counts: Counts, deals: int) -> Array:
    """Deals drawn anew: the mean is that of the counts."""
    edges = np.cumsum(counts.counts / counts.counts.sum())[:-1]
    return np.asarray(counts.values[np.searchsorted(edges, rng.random(deals), side="right")])
