"""Keltis's styles: each does what it says, unlike greedy, and plays with the prizes that the tuning found."""

import numpy as np
import pytest

from boardgames import find_variant, play
from tuning.styles import RESULT, TRIALS, outcome, prized
from variants.keltis import GAME

BLOCKS, SEED = 200, 7  # neither the seed of the tuning nor that of the evaluation


@pytest.mark.parametrize("style", GAME.styles)
def test_a_style_does_what_it_says_at_least_half_as_clearly_as_it_was_tuned_to(style):
    trial = TRIALS["keltis"][style]
    played = outcome(find_variant("keltis"), style, trial, GAME.styles[style].prizes, BLOCKS, SEED)
    assert played.keeps((1 + trial.bound) / 2)


@pytest.mark.parametrize("style", GAME.styles)
def test_the_tuning_tells_of_the_style_as_it_is(style):
    why, agent, prizes = GAME.styles[style].why, GAME.styles[style].agent, prized(GAME.styles[style].prizes)
    assert f"| {style} | {why} | `{agent}` | {prizes} |" in RESULT.read_text(encoding="utf-8")


def test_paths_beyond_two_are_the_third_and_later_ones():
    tally = play(find_variant("keltis"), "few-paths,greedy", 2, 32).seats["tally"]
    opened, beyond = (tally[..., GAME.tallies.index(name)] for name in ("paths opened", "paths beyond two"))
    assert set(opened.flat) >= {2, 3, 4, 5}
    assert (beyond == np.maximum(0, opened - 2)).all()


def test_every_style_has_a_trial_and_every_trial_a_style():
    assert set(TRIALS["keltis"]) == set(GAME.styles)
