"""How quickly environments step: CPU time, as ratios within one run, so that the machine does not matter."""

import pytest

from benchmarks.environments import measure_speeds


@pytest.mark.long
def test_a_single_environment_is_no_slower_than_pettingzoos_own():
    speeds = measure_speeds("connect-four", matches=64, seconds=0.3)
    assert speeds.single >= speeds.theirs


@pytest.mark.long
@pytest.mark.parametrize("game", ["connect-four", "celtica"])
def test_matches_stepped_at_once_are_twenty_times_as_quick_as_one_by_one(game):
    """Celtica has 2,323 actions, so its masks weigh most."""
    speeds = measure_speeds(game, matches=1024, seconds=0.3)
    assert speeds.at_once >= 20 * speeds.single
