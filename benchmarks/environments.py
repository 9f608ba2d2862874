"""Steps per CPU second of our environments and of PettingZoo's own Connect Four: `python
benchmarks/environments.py`.

A step is one action carried out, with all that an algorithm reads after it: the observation, the mask, the
reward, and a new match where one has ended. What is not counted: choosing the action, and the first steps,
in which rules are compiled. All choose at random among the legal actions, and all run in turn in one process,
several rounds of them, so that a busy machine slows down all alike. `--game keltis` measures another game of
ours beside it.
"""

import argparse
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from boardgames.environments.gymnasium import vector_env
from boardgames.environments.pettingzoo import aec_env

ROUNDS = 5
WARM_UP = 0.05  # seconds of each that are not counted

Measure = Callable[[float], float]  # takes seconds of CPU time, gives steps per CPU second


class Speeds(NamedTuple):
    """Steps per CPU second, the best of several rounds."""

    theirs: float  # PettingZoo's Connect Four
    single: float  # our PettingZoo environment
    at_once: float  # our vector environment


def make_their_env() -> Any:
    """PettingZoo's Connect Four, with its usual wrappers. It draws by pygame, which nothing here needs."""
    is_missing = importlib.util.find_spec("pygame") is None
    if is_missing:
        sys.modules["pygame"] = ModuleType("pygame")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its old way to make an environment
            from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]
    finally:
        if is_missing:
            del sys.modules["pygame"]
    return connect_four_v3.env()


def step_one_by_one(env: Any, seconds: float) -> float:
    """Steps per CPU second of an environment for several agents."""
    random, steps, spent = np.random.default_rng(1), 0, 0.0
    while spent < seconds:
        started = time.thread_time()
        env.reset(seed=steps)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            spent += time.thread_time() - started
            action = int(random.choice(np.flatnonzero(seen["action_mask"])))
            started = time.thread_time()
            env.step(action)
            steps += 1
        spent += time.thread_time() - started
    return steps / spent


def step_at_once(env: Any, seconds: float) -> float:
    """Steps per CPU second of a vector environment."""
    random, steps, spent = np.random.default_rng(1), 0, 0.0
    _, info = env.reset(seed=1)
    while spent < seconds:
        mask = info["action_mask"]
        actions = (random.random(mask.shape, np.float32) * mask).argmax(axis=1)
        started = time.thread_time()
        _, _, _, _, info = env.step(actions)
        spent += time.thread_time() - started
        steps += env.num_envs
    return steps / spent


def measure_speeds(game: str, matches: int, seconds: float, rounds: int = ROUNDS) -> Speeds:
    """All three in turn, `seconds` of CPU time each in each round."""
    theirs, single = make_their_env(), aec_env(game)
    many = vector_env(game, num_envs=matches, opponents="")
    measures: list[Measure] = [
        lambda seconds: step_one_by_one(theirs, seconds),
        lambda seconds: step_one_by_one(single, seconds),
        lambda seconds: step_at_once(many, seconds),
    ]
    for measure in measures:
        measure(WARM_UP)
    measured = [[measure(seconds) for measure in measures] for _ in range(rounds)]
    return Speeds(*map(max, zip(*measured, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="connect-four", help="the variant of ours")
    parser.add_argument("--matches", type=int, default=1024, help="matches that are stepped at once")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each, in each round")
    given = parser.parse_args()
    speeds = measure_speeds(given.game, given.matches, given.seconds)
    print(f"steps per CPU second, the best of {ROUNDS} rounds; the choice of actions is not counted")
    print(f"PettingZoo's Connect Four: {speeds.theirs:,.0f}")
    print(f"{given.game} in PettingZoo: {speeds.single:,.0f}, {speeds.single / speeds.theirs:.1f} times that")
    factor = speeds.at_once / speeds.single
    many = f"{given.game}, {given.matches:,} matches at once"
    print(f"{many}: {speeds.at_once:,.0f}, {factor:.0f} times one by one")


if __name__ == "__main__":
    main()
