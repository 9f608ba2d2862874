"""A plain compiled loop of fixed work, to measure play by: on a slow or busy machine both take longer, and their ratio stays.

The work is of the kind that rules do: whole numbers are mixed, small arrays read and written, a branch taken that nobody can
foresee, and a record copied now and then.
"""

import itertools
import time
from collections.abc import Callable

import numba
import numpy as np

from boardgames.play.batch import Table, make_desk, refine, warm_up

ROUNDS = 7  # play and work take turns; the best of each counts
SECONDS = 0.04  # of CPU time that each takes in a round
PLACES = 64  # in the small array
MASK = 0xFFFFFFFF


@numba.njit(nogil=True)
def do_work(steps, numbers, copy):  # type: ignore[no-untyped-def]  # Numba finds the types
    x = np.int64(1)
    for step in range(steps):
        x = ((x ^ (x >> 15)) * 0x2C1B3C6D + step) & MASK
        place = x >> 26
        if numbers[place] & 1:
            numbers[(place + 7) % PLACES] = x
        else:
            numbers[place] = (numbers[place] + x) & MASK
        if step % PLACES == 0:
            for i in range(PLACES):
                copy[i] = numbers[i]
    return copy[x >> 26]


def measure_steps_per_decision(table: Table, rounds: int = ROUNDS) -> float:
    """How many steps of the fixed work take as long as one decision of this line-up, by CPU time on one core."""
    warm_up(table)
    refine(table)
    desk, numbers, copy = make_desk(table.variant.game, table.line_up), np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
    do_work(1, numbers, copy)  # compiled before the clock runs

    def play(blocks: int) -> int:
        return int(table.play(0, blocks, desk).matches["decisions"].sum())

    def work(steps: int) -> int:
        do_work(steps, numbers, copy)
        return steps

    blocks, steps = _find_size(play), _find_size(work)
    pairs = [(_time(play, blocks), _time(work, steps)) for _ in range(rounds)]
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


def _time(run: Callable[[int], int], size: int) -> float:
    """CPU seconds for one of the things that a run does."""
    started = time.thread_time()
    done = run(size)
    return (time.thread_time() - started) / done
