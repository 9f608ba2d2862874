"""A compiled loop of fixed work, as a unit for the speed of play: a slow or busy machine slows down both, and
their ratio stays.

The work is like that of rules: integers are mixed, small arrays read and written, an unpredictable branch
taken, and a record copied now and then.
"""

import itertools
import time
from collections.abc import Callable

import numba
import numpy as np

from boardgames.play.batch import Runner, make_scratch, refine, warm_up

ROUNDS = 7  # play and work take turns; the best of each counts
SECONDS = 0.04  # of CPU time that each takes in a round
ARRAY_SIZE = 64  # in the small array
MASK = 0xFFFFFFFF


@numba.njit(nogil=True)
def do_work(steps, numbers, copy):  # type: ignore[no-untyped-def]  # Numba finds the types
    x = np.int64(1)
    for step in range(steps):
        x = ((x ^ (x >> 15)) * 0x2C1B3C6D + step) & MASK
        index = x >> 26
        if numbers[index] & 1:
            numbers[(index + 7) % ARRAY_SIZE] = x
        else:
            numbers[index] = (numbers[index] + x) & MASK
        if step % ARRAY_SIZE == 0:
            for i in range(ARRAY_SIZE):
                copy[i] = numbers[i]
    return copy[x >> 26]


def measure_steps_per_decision(runner: Runner, rounds: int = ROUNDS) -> float:
    """The number of steps of fixed work that take as long as one decision of this line-up, by CPU time on one
    core.
    """
    warm_up(runner)
    refine(runner)
    scratch = make_scratch(runner.variant.game, runner.line_up)
    numbers = np.zeros(ARRAY_SIZE, np.int64)
    copy = np.zeros(ARRAY_SIZE, np.int64)
    do_work(1, numbers, copy)  # compile before the clock starts

    def play(deals: int) -> int:
        return int(runner.run(0, deals, scratch).matches["decisions"].sum())

    def work(steps: int) -> int:
        do_work(steps, numbers, copy)
        return steps

    deals, steps = _find_size(play), _find_size(work)
    pairs = [(_time_run(play, deals), _time_run(work, steps)) for _ in range(rounds)]
    decision, step = (min(times) for times in zip(*pairs, strict=True))
    return decision / step


def _find_size(run: Callable[[int], int]) -> int:
    """A size that takes long enough for the clock."""
    for size in (1 << power for power in itertools.count()):
        started = time.thread_time()
        run(size)
        if time.thread_time() - started >= SECONDS:
            return size
    raise AssertionError("sizes have no end")


def _time_run(run: Callable[[int], int], size: int) -> float:
    """CPU seconds per unit of work of a run."""
    started = time.thread_time()
    units = run(size)
    return (time.thread_time() - started) / units
