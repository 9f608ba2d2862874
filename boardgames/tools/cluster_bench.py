"""How fast is a cluster? Its workers against as many threads here, in turns, with nothing stored; and what one batch costs."""

import statistics
import time
from typing import Any, NamedTuple

from boardgames.experiment.plan import MOST_BLOCKS, make_plan
from boardgames.interrupt import Stop
from boardgames.run.cluster import Workers, connected, play_span
from boardgames.run.crew import Crew, Span, Threads

ROUND_TRIPS = 50


def measure(address: str, spec: str, players: int, agents: str, seconds: float, rounds: int = 3) -> dict[str, Any]:
    """Matches per second of the cluster and of threads, their ratio, and what a batch takes beside being played."""
    plan = make_plan([spec], str(players), [agents], MOST_BLOCKS)
    missing = {cell.id: [(0, MOST_BLOCKS)] for cell in plan.cells}
    with connected(address) as client:
        first = Workers(client, plan, missing, lambda line: None)
        threads = sum(first.threads.values())
        trips = _round_trips(client, first)
        pairs = [
            (_rate(Threads(plan, missing, threads), seconds), _rate(Workers(client, plan, missing, lambda line: None), seconds))
            for _ in range(rounds)
        ]
    here, there = ([rates[place] for rates in pairs] for place in (0, 1))
    ratios = [b.matches / max(1, a.matches) for a, b in pairs]
    return {
        "workers": threads,
        "threads": {"matches_per_second": _middle([one.matches / seconds for one in here])},
        "cluster": {"matches_per_second": _middle([one.matches / seconds for one in there])},
        "cluster_against_threads": {"median": _middle(ratios), "least": min(ratios), "most": max(ratios)},
        # What is left of a worker's time beside playing: also of use where others slow the machine down.
        "percent_of_the_time_playing": {
            "threads": _middle([100 * one.spent / (threads * seconds) for one in here]),
            "cluster": _middle([100 * one.spent / (threads * seconds) for one in there]),
        },
        "batch": {"seconds": _middle([one.spent / one.batches for one in there]), "round_trip_ms": 1000 * _middle(trips)},
    }


class Rate(NamedTuple):
    matches: int
    spent: float  # seconds that workers were playing, all together
    batches: int


def _middle(values: list[float]) -> float:
    return float(statistics.median(values))


def _rate(crew: Crew, seconds: float) -> Rate:
    """What arrives in so many seconds; spans have a while to grow before."""
    stopped, begun = Stop(), time.monotonic() + min(5.0, seconds)
    matches, spent, batches = 0, 0.0, 0
    for arrived in crew.play(stopped):
        now = time.monotonic()
        if now > begun + seconds:
            stopped.set()
        elif now > begun:
            matches += sum(part.matches for part in arrived)
            spent += sum(part.seconds for part in arrived)
            batches += len(arrived)
    return Rate(matches, spent, max(1, batches))


def _round_trips(client: Any, crew: Workers) -> list[float]:
    """A batch of one block, there and back."""
    (number,) = crew.recipes
    found = []
    for block in range(ROUND_TRIPS):
        started = time.perf_counter()
        _, playing = client.submit(play_span, crew.recipes[number], Span(number, block, 1), pure=False).result()
        found.append(time.perf_counter() - started - playing)
    return found
