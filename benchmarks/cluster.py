"""The speed of a cluster: its workers against as many threads here, in turns, with nothing stored; and the
cost of a batch. `dask scheduler` and `dask worker` start one, also on this machine.

    python benchmarks/cluster.py tcp://127.0.0.1:8786 celtica --players 4 --seconds 8
"""

import argparse
import json
import statistics
import time
from typing import Any, NamedTuple

from boardgames.interrupt import StopRequest
from boardgames.plan.plan import make_plan
from boardgames.plan.request import MOST_MATCHES
from boardgames.run.cluster import ClusterWorkers, connect, play_span
from boardgames.run.threads import ThreadWorkers
from boardgames.run.work import Span, WorkerPool

ROUND_TRIPS = 50


def measure_cluster(
    address: str, spec: str, players: int, agents: str, seconds: float, rounds: int
) -> dict[str, Any]:
    """Matches per second of the cluster and of threads, their ratio, and the overhead of a batch."""
    plan = make_plan([spec], str(players), [agents], MOST_MATCHES)
    missing = {cell.id: [(0, MOST_MATCHES)] for cell in plan.cells}
    with connect(address) as client:
        first = ClusterWorkers(client, plan, missing, lambda line: None)
        threads = sum(first.threads.values())
        trips = _time_round_trips(client, first)
        pairs = [
            (
                _measure_rate(ThreadWorkers(plan, missing, threads), seconds),
                _measure_rate(ClusterWorkers(client, plan, missing, lambda line: None), seconds),
            )
            for _ in range(rounds)
        ]
    thread_rates, cluster_rates = ([rates[index] for rates in pairs] for index in (0, 1))
    ratios = [b.matches_per_second / a.matches_per_second for a, b in pairs]
    return {
        "workers": threads,
        "threads": {"matches_per_second": _find_median([rate.matches_per_second for rate in thread_rates])},
        "cluster": {"matches_per_second": _find_median([rate.matches_per_second for rate in cluster_rates])},
        "cluster_against_threads": {
            "median": _find_median(ratios),
            "least": min(ratios),
            "most": max(ratios),
        },
        # The share of a worker's time spent playing: also useful on a busy machine.
        "percent_of_the_time_playing": {
            "threads": _find_median([100 * rate.spent / (threads * rate.seconds) for rate in thread_rates]),
            "cluster": _find_median([100 * rate.spent / (threads * rate.seconds) for rate in cluster_rates]),
        },
        "batch": {
            "seconds": _find_median([rate.spent / rate.batches for rate in cluster_rates]),
            "round_trip_ms": 1000 * _find_median(trips),
        },
    }


class Rate(NamedTuple):
    matches: int
    spent: float  # seconds of playing, summed over workers
    batches: int
    seconds: float

    @property
    def matches_per_second(self) -> float:
        return self.matches / self.seconds


def _find_median(values: list[float]) -> float:
    return float(statistics.median(values))


def _measure_rate(workers: WorkerPool, seconds: float) -> Rate:
    """What arrives in about `seconds`, after a while in which spans can grow: at least one batch, however
    slow the machine. The clock runs from one arrival to another.
    """
    stop = StopRequest()
    warm = time.monotonic() + min(5.0, seconds)
    start: float | None = None
    matches, spent, batches, elapsed = 0, 0.0, 0, 0.0
    for parts in workers.play(stop):
        now = time.monotonic()
        if start is None:
            start = now if now > warm else None
        elif not stop.is_set():
            matches += sum(part.matches for part in parts)
            spent += sum(part.seconds for part in parts)
            batches += len(parts)
            elapsed = now - start
            if batches and elapsed > seconds:  # a pool also reports that nothing has come
                stop.set()
    return Rate(matches, spent, batches, elapsed)


def _time_round_trips(client: Any, workers: ClusterWorkers) -> list[float]:
    """Seconds that batches of one deal take beyond playing them."""
    (cell_id,) = workers.specs
    trips = []
    for deal in range(ROUND_TRIPS):
        started = time.perf_counter()
        *_, playing = client.submit(
            play_span, workers.specs[cell_id], Span(cell_id, deal, 1), pure=False
        ).result()
        trips.append(time.perf_counter() - started - playing)
    return trips


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="a Dask scheduler: tcp://127.0.0.1:8786")
    parser.add_argument("variant")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--agents", default="random", help="a line-up")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each of the rounds takes")
    parser.add_argument("--rounds", type=int, default=3, help="how often threads and cluster take turns")
    words = parser.parse_args()
    report = measure_cluster(
        words.address, words.variant, words.players, words.agents, words.seconds, words.rounds
    )
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
