"""Celtae's styles: each does what it says, unlike greedy, and plays with the prizes that the tuning found."""

import pytest

from boardgames import find_variant
from tuning.styles import RESULT, TRIALS, outcome, prized
from variants.celtae import GAME

BLOCKS, SEED = 200, 7  # neither the seed of the tuning nor that of the evaluation


@pytest.mark.parametrize("style", GAME.styles)
def test_a_style_does_what_it_says_at_least_half_as_clearly_as_it_was_tuned_to(style):
    trial = TRIALS["celtae"][style]
    played = outcome(find_variant("celtae"), style, trial, GAME.styles[style].prizes, BLOCKS, SEED)
    assert played.keeps((1 + trial.bound) / 2)


@pytest.mark.parametrize("style", GAME.styles)
def test_the_tuning_tells_of_the_style_as_it_is(style):
    why, agent, prizes = GAME.styles[style].why, GAME.styles[style].agent, prized(GAME.styles[style].prizes)
    assert f"| {style} | {why} | `{agent}` | {prizes} |" in RESULT.read_text(encoding="utf-8")


def test_every_style_has_a_trial_and_every_trial_a_style():
    assert set(TRIALS["celtae"]) == set(GAME.styles)
