"""Styles: each does what it says, unlike greedy, and plays with the prizes that the tuning found."""

import pytest

from benchmarks.tune_styles import RESULT, TRIALS, format_prizes, play_style
from boardgames import find_agent, find_variant, play_batch

DEALS, SEED = 200, 7  # neither the seed of the tuning nor that of the evaluation
DUEL_DEALS = 512  # in both seatings: intervals of about 2.5 percentage points either way
STYLES = [(name, style) for name in TRIALS for style in find_variant(name).game.styles]


@pytest.mark.long
@pytest.mark.parametrize(("game", "style"), STYLES)
def test_a_style_does_what_it_says_at_least_half_as_clearly_as_it_was_tuned_to(game, style):
    variant, trial = find_variant(game), TRIALS[game][style]
    played = play_style(variant, style, trial, variant.game.styles[style].prizes, DEALS, SEED)
    assert played.keeps((1 + trial.bound) / 2)


@pytest.mark.parametrize(("game", "style"), STYLES)
def test_the_tuning_tells_of_the_style_as_it_is(game, style):
    parameters = find_variant(game).game.styles[style]
    assert (
        f"| {style} | {parameters.why} | `{parameters.agent}` | {format_prizes(parameters.prizes)} |"
        in RESULT.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize("game", TRIALS)
def test_every_style_has_a_trial_and_every_trial_a_style(game):
    assert set(TRIALS[game]) == set(find_variant(game).game.styles)


@pytest.mark.long
@pytest.mark.parametrize(("game", "style"), STYLES)
def test_no_style_wins_more_than_55_percent_against_greedy(game, style):
    """With its whole interval: greedy is no strawman."""
    variant = find_variant(game)
    agents = [find_agent(style, variant.game), find_agent("greedy", variant.game)]
    wins = play_batch(variant, agents, 2, DUEL_DEALS, seed=SEED).shares()[style]
    assert wins.high <= 0.55
