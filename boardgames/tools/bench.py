"""How fast: matches and decisions per second on one core and on all, and how long a first match takes. Ratios, not only times."""

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from boardgames.agents.agent import find_line_up
from boardgames.errors import BadInput
from boardgames.game.variant import Variant
from boardgames.play.batch import Table, make_desk, refine, set_table, warm_up

RUNS = 5


class Speed(NamedTuple):
    matches_per_second: float
    decisions_per_second: float
    decisions_per_match: float
    workers: int

    @property
    def ns_per_decision(self) -> float:
        """Of one worker's time."""
        return 1e9 * self.workers / self.decisions_per_second


def measure(table: Table, workers: int, seconds: float) -> Speed:
    """The median of several runs, each a share of the time, on threads that play until it is over."""
    runs = [_run(table, workers, seconds / RUNS) for _ in range(RUNS)]
    matches = statistics.median(run[0] for run in runs)
    decisions = statistics.median(run[1] for run in runs)
    return Speed(matches, decisions, sum(run[3] for run in runs) / sum(run[2] for run in runs), workers)


def _run(table: Table, workers: int, seconds: float) -> tuple[float, float, int, int]:
    """One run: matches/s, decisions/s, matches, decisions."""
    desks = [make_desk(table.variant.game, table.line_up) for _ in range(workers)]
    blocks = _block_numbers(table)
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(lambda desk: _work(table, desk, blocks, started + seconds), desks))
    spent = time.perf_counter() - started
    matches, decisions = sum(part[0] for part in parts), sum(part[1] for part in parts)
    return matches / spent, decisions / spent, matches, decisions


def _block_numbers(table: Table) -> Callable[[], tuple[int, int]]:
    """Hand out runs of blocks to threads, starting small: slow agents get few at a time."""
    sizes: Iterator[int] = itertools.chain([1, 4, 16, 64, 256], itertools.repeat(max(1, 2048 // len(table.seatings))))
    lock, first = threading.Lock(), [0]

    def following() -> tuple[int, int]:
        with lock:
            size = next(sizes)
            first[0] += size
            return first[0] - size, size

    return following


def _work(table: Table, desk: Any, blocks: Callable[[], tuple[int, int]], until: float) -> tuple[int, int]:
    matches = decisions = 0
    while matches == 0 or time.perf_counter() < until:
        batch = table.play(*blocks(), desk)
        matches += len(batch.matches)
        decisions += int(batch.matches["decisions"].sum())
    return matches, decisions


def bench(
    variant: Variant, spec: str, seats: int, agents: str, workers: int, seconds: float, starts: bool, steps: bool = False
) -> dict[str, Any]:  # fmt: skip
    """Everything that `boardgames bench` reports, as one object; with `steps`, also beside a loop of fixed work."""
    variant.blank(seats)  # refuses a number of players that the game is not for
    table = set_table(variant, find_line_up(agents, seats, variant.game))
    warm_up(table)
    refine(table)
    one = measure(table, 1, seconds)
    every = measure(table, workers, seconds) if workers > 1 else one
    found = {"game": variant.game.name, "variant": variant.name, "players": seats, "agents": agents, "workers": workers}
    found |= {**_told(every), "one_core": _told(one), "speed_up": every.matches_per_second / one.matches_per_second}
    if any("playouts" in agent.values for agent in table.line_up):
        found |= _playouts(table, seconds)
    if steps:
        from boardgames.tools.yardstick import measure_steps_per_decision

        found["steps_per_decision"] = measure_steps_per_decision(table)
    if starts:
        found |= start_times(spec, seats, agents)
    return found


def _playouts(table: Table, seconds: float) -> dict[str, float]:
    """Playouts per second of agents that count them, over all their decisions, beside random matches per second; one core."""
    batches: list[Any] = []
    desk, started = make_desk(table.variant.game, table.line_up), time.perf_counter()
    while not batches or time.perf_counter() - started < seconds:
        batches.append(table.play(len(batches), 1, desk).matches)
    spent = time.perf_counter() - started
    choices = sum(int((batch["decisions"] - batch["forced"]).sum()) for batch in batches)
    budget = statistics.mean(agent.values.get("playouts", 0) for agent in table.line_up)
    random = set_table(table.variant, find_line_up("random", len(table.line_up)))
    warm_up(random)
    matches = measure(random, 1, seconds).matches_per_second
    playouts = budget * choices / spent
    return {"playouts_per_second": playouts, "random_matches_per_second": matches, "playouts_per_random_match": playouts / matches}


def _told(speed: Speed) -> dict[str, float]:
    return {
        "matches_per_second": speed.matches_per_second,
        "decisions_per_second": speed.decisions_per_second,
        "decisions_per_match": speed.decisions_per_match,
        "ns_per_decision": speed.ns_per_decision,
    }


def start_times(spec: str, seats: int, agents: str) -> dict[str, float]:
    """From the command to the end of the first match, in a new process: with nothing compiled, and the second time."""
    with tempfile.TemporaryDirectory() as cache:
        return {name: _start(cache, spec, seats, agents) for name in ("cold_start_seconds", "warm_start_seconds")}


def _start(cache: str, spec: str, seats: int, agents: str) -> float:
    command = [sys.executable, "-m", "boardgames", "--quiet", "bench", spec, "--json", "--no-starts", "--seconds", "0"]
    command += ["--players", str(seats), "--agents", agents, "--workers", "1"]
    started = time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "BOARDGAMES_CACHE": cache}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadInput(f"a new process could not play {spec}: {done.stderr.strip()}")
    json.loads(done.stdout)
    return time.perf_counter() - started
