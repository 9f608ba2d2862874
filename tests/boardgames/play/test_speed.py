"""Play is as fast as it was: a decision, in steps of a plain compiled loop of fixed work that is measured in
the same run.

The marks were calibrated with `boardgames bench VARIANT --players N --no-starts --save speeds.jsonl`, which
says `steps per decision`, and by measuring sixteen times more, half of them beside three processes that only
counted: Connect Four took 8.7 to 9.6 steps and Celtica 22.3 to 23.2, where nanoseconds moved by a third.
Whoever makes play faster writes the new ratio here; otherwise a later loss of what was won goes unnoticed.
"""

import pytest

from boardgames import find_line_up, find_variant
from boardgames.play.batch import Runner, make_runner
from boardgames.tools.yardstick import measure_steps_per_decision

CONNECT_FOUR, CELTICA = 7.3, 22.4  # steps of the fixed work that a random decision takes
MOST = 4 / 3  # times as many are a regression
TRIES = 3  # a machine may be disturbed for a whole measurement; a regression is there each time


def set_random_table(spec: str, players: int) -> Runner:
    variant = find_variant(spec)
    return make_runner(variant, find_line_up("random", players, variant.game))


def measure(table: Runner) -> float:
    return min(measure_steps_per_decision(table) for _ in range(TRIES))


@pytest.mark.long
def test_a_random_decision_of_connect_four_takes_no_longer_than_it_did():
    assert measure(set_random_table("connect-four", 2)) < MOST * CONNECT_FOUR


@pytest.mark.long
def test_a_random_decision_of_celtica_takes_no_longer_than_it_did():
    assert measure(set_random_table("celtica", 4)) < MOST * CELTICA


class Slow(Runner):
    """A table that plays every match one and a half times: a regression by half."""

    def run(self, first, deals, scratch):
        Runner.run(self, first, (deals + 1) // 2, scratch)
        return Runner.run(self, first, deals, scratch)


@pytest.mark.long
def test_a_regression_by_half_is_seen():
    table = set_random_table("connect-four", 2)
    ratios = [measure(Slow(*table)) / measure(table) for _ in range(TRIES)]
    assert sorted(ratios)[1] > MOST
