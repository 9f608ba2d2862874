"""Differences between variants of the shipped games, deal by deal, for every metric: counted as verdicts
count them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.evidence import load_evidence
from analytics.metric.metric import Metric, metrics
from analytics.metric.sums import fill_sums
from analytics.questions.compare.lines import PairedCells
from boardgames import run_plan
from boardgames.plan.counts import Counts
from boardgames.plan.plan import make_plan

Array = np.ndarray[Any, Any]
PAIRS = (  # of each game one change that most matches feel, and one that comes up rarely
    ("celtica", "celtica:en"),
    ("celtica", "celtica:exact-goal"),
    ("keltis", "keltis:redraw"),
    ("keltis", "keltis:clover-optional"),
    ("celtae", "celtae:one-final-turn"),
    ("celtae", "celtae:area-region"),
)
PLAYERS = (2, 4)


class Differences(NamedTuple):
    """The differences of one metric, or a part of it, between two variants."""

    pair: str
    metric: str
    part: str
    counts: Counts
    bounds: tuple[float, float]


def collect_differences(
    db: Path, pairs: Sequence[tuple[str, str]], players: Sequence[int], deals: int, seed: int
) -> Iterator[Differences]:
    """Play both variants of each pair on the same deals, and count their differences."""
    for specs in pairs:
        for count in players:
            plan = make_plan(list(specs), str(count), ["greedy"], deals, seed=seed)
            run_plan(plan, db)
            yield from _load_differences(db, plan, count)


def _load_differences(db: Path, plan: Any, players: int) -> Iterator[Differences]:
    a, b = plan.cells
    asked = [metric for metric in metrics().values() if _can_be_counted(metric, players)]
    fill_sums(db, [(a.id, b.id)], asked)
    evidence = load_evidence(db, [a.id, b.id], asked, [(a.id, b.id)])
    cells = PairedCells(evidence=evidence, variants=(a.variant, b.variant), players=players, a=a.id, b=b.id)
    pair = f"{a.variant.name} and {b.variant.name}, {players} players"
    for metric in asked:
        for (_, _, part), counts in sorted(evidence.counts[metric.name].items()):
            if np.ptp(counts.values):
                scaled = counts.scale(cells.find_base(metric, part))
                least, most = cells.find_bounds(metric)
                bounds = (min(least, float(scaled.values.min())), max(most, float(scaled.values.max())))
                yield Differences(pair, metric.name, part, scaled, bounds)


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
