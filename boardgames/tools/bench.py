"""Speed: matches and decisions per second on one core and on all, and the time to a first match. Ratios, not
only times.
"""

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

from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.variant import Variant
from boardgames.play.batch import Runner, make_runner, make_scratch, refine, warm_up

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


def measure_speed(runner: Runner, workers: int, seconds: float) -> Speed:
    """The median speed of several runs, which share the seconds, on threads."""
    runs = [_measure_once(runner, workers, seconds / RUNS) for _ in range(RUNS)]
    matches = statistics.median(run[0] for run in runs)
    decisions = statistics.median(run[1] for run in runs)
    return Speed(matches, decisions, sum(run[3] for run in runs) / sum(run[2] for run in runs), workers)


def _measure_once(runner: Runner, workers: int, seconds: float) -> tuple[float, float, int, int]:
    """One run: matches/s, decisions/s, matches, decisions."""
    scratches = [make_scratch(runner.variant.game, runner.line_up) for _ in range(workers)]
    deals = _make_deal_source(runner)
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        parts = list(
            pool.map(lambda scratch: _play_until(runner, scratch, deals, started + seconds), scratches)
        )
    spent = time.perf_counter() - started
    matches, decisions = sum(part[0] for part in parts), sum(part[1] for part in parts)
    return matches / spent, decisions / spent, matches, decisions


def _make_deal_source(runner: Runner) -> Callable[[], tuple[int, int]]:
    """A function that gives the next (first deal, count) to a thread, starting small: slow agents get few at
    a time.
    """
    sizes: Iterator[int] = itertools.chain(
        [1, 4, 16, 64, 256], itertools.repeat(max(1, 2048 // len(runner.seatings)))
    )
    lock = threading.Lock()
    first = [0]

    def take_next() -> tuple[int, int]:
        with lock:
            size = next(sizes)
            first[0] += size
            return first[0] - size, size

    return take_next


def _play_until(
    runner: Runner, scratch: Any, take_deals: Callable[[], tuple[int, int]], deadline: float
) -> tuple[int, int]:
    matches = decisions = 0
    while matches == 0 or time.perf_counter() < deadline:
        batch = runner.run(*take_deals(), scratch)
        matches += len(batch.matches)
        decisions += int(batch.matches["decisions"].sum())
    return matches, decisions


def bench(
    variant: Variant,
    spec: str,
    players: int,
    agents: str,
    workers: int,
    seconds: float,
    starts: bool,
    steps: bool = False,
) -> dict[str, Any]:
    """Everything that `boardgames bench` reports; with `steps`, also relative to a loop of fixed work."""
    variant.make_blank_state(players)  # refuses a number of players that the game is not for
    runner = make_runner(variant, find_line_up(agents, players, variant.game))
    warm_up(runner)
    refine(runner)
    single = measure_speed(runner, 1, seconds)
    all_workers = measure_speed(runner, workers, seconds) if workers > 1 else single
    report = {
        "game": variant.game.name,
        "variant": variant.name,
        "players": players,
        "agents": agents,
        "workers": workers,
    }
    report |= {
        **_list_figures(all_workers),
        "one_core": _list_figures(single),
        "speed_up": all_workers.matches_per_second / single.matches_per_second,
    }
    if any("playouts" in agent.values for agent in runner.line_up):
        report |= _measure_playouts(runner, seconds)
    if steps:
        from boardgames.tools.yardstick import measure_steps_per_decision

        report["steps_per_decision"] = measure_steps_per_decision(runner)
    if starts:
        report |= measure_starts(spec, players, agents)
    return report


def _measure_playouts(runner: Runner, seconds: float) -> dict[str, float]:
    """Playouts per second of agents with a budget of them, and random matches per second; on one core."""
    batches: list[Any] = []
    scratch, started = make_scratch(runner.variant.game, runner.line_up), time.perf_counter()
    while not batches or time.perf_counter() - started < seconds:
        batches.append(runner.run(len(batches), 1, scratch).matches)
    spent = time.perf_counter() - started
    choices = sum(int((batch["decisions"] - batch["forced"]).sum()) for batch in batches)
    budget = statistics.mean(agent.values.get("playouts", 0) for agent in runner.line_up)
    random_runner = make_runner(runner.variant, find_line_up("random", len(runner.line_up)))
    warm_up(random_runner)
    matches = measure_speed(random_runner, 1, seconds).matches_per_second
    playouts = budget * choices / spent
    return {
        "playouts_per_second": playouts,
        "random_matches_per_second": matches,
        "playouts_per_random_match": playouts / matches,
    }


def _list_figures(speed: Speed) -> dict[str, float]:
    return {
        "matches_per_second": speed.matches_per_second,
        "decisions_per_second": speed.decisions_per_second,
        "decisions_per_match": speed.decisions_per_match,
        "ns_per_decision": speed.ns_per_decision,
    }


def measure_starts(spec: str, players: int, agents: str) -> dict[str, float]:
    """Seconds from the command to the end of the first match, in a new process: with nothing compiled, and
    again.
    """
    with tempfile.TemporaryDirectory() as cache:
        return {
            name: _time_start(cache, spec, players, agents)
            for name in ("cold_start_seconds", "warm_start_seconds")
        }


def _time_start(cache: str, spec: str, players: int, agents: str) -> float:
    command = [
        sys.executable,
        "-m",
        "boardgames",
        "--quiet",
        "bench",
        spec,
        "--json",
        "--no-starts",
        "--seconds",
        "0",
    ]
    command += ["--players", str(players), "--agents", agents, "--workers", "1"]
    started = time.perf_counter()
    process = subprocess.run(
        command, env={**os.environ, "BOARDGAMES_CACHE": cache}, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise InvalidInput(f"a new process could not play {spec}: {process.stderr.strip()}")
    json.loads(process.stdout)
    return time.perf_counter() - started
