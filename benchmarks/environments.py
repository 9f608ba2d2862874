"""Steps per CPU second of our environments and of PettingZoo's own Connect Four: `pip install pygame`, then
`python benchmarks/environments.py`.

All choose at random among the legal actions, in turn in one process. `--game keltis` measures another game of
ours beside it.
"""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from boardgames.environments.gymnasium import vector_env
from boardgames.environments.pettingzoo import aec_env

ROUNDS = 5


def make_their_env() -> Any:
    """PettingZoo's Connect Four, with its usual wrappers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its old way to make an environment
        from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]
    return connect_four_v3.env()


def step_one_by_one(env: Any, seconds: float) -> float:
    random, steps = np.random.default_rng(1), 0
    started = time.process_time()
    while time.process_time() - started < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
                steps += 1
    return steps / (time.process_time() - started)


def step_at_once(env: Any, seconds: float) -> float:
    random, steps = np.random.default_rng(1), 0
    _, info = env.reset(seed=1)
    started = time.process_time()
    while time.process_time() - started < seconds:
        mask = info["action_mask"]
        _, _, _, _, info = env.step((random.random(mask.shape, np.float32) * mask).argmax(axis=1))
        steps += env.num_envs
    return steps / (time.process_time() - started)


def show(name: str, speeds: list[float], others: list[float]) -> None:
    ratios = [speed / other for speed, other in zip(speeds, others, strict=True)]
    spread = f"({min(ratios):.1f} to {max(ratios):.1f})"
    print(f"{name}: {statistics.median(speeds):,.0f} steps, {statistics.median(ratios):.1f} times {spread}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="connect-four", help="the variant of ours")
    parser.add_argument("--matches", type=int, default=1024, help="matches that are stepped at once")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each, in each round")
    given = parser.parse_args()
    theirs, single = make_their_env(), aec_env(given.game)
    many = vector_env(given.game, num_envs=given.matches, opponents="")
    measures: list[Callable[[float], float]] = [
        lambda seconds: step_one_by_one(theirs, seconds),
        lambda seconds: step_one_by_one(single, seconds),
        lambda seconds: step_at_once(many, seconds),
    ]
    for measure in measures[1:]:
        measure(0.01)  # compiled before the clock runs
    rounds = [[measure(given.seconds) for measure in measures] for _ in range(ROUNDS)]
    their_speeds, our_speeds, speeds_at_once = map(list, zip(*rounds, strict=True))
    print(f"PettingZoo's Connect Four: {statistics.median(their_speeds):,.0f} steps per CPU second")
    show(f"{given.game} in PettingZoo, against that", our_speeds, their_speeds)
    show(f"{given.game}, {given.matches:,} matches at once, against one by one", speeds_at_once, our_speeds)


if __name__ == "__main__":
    main()
