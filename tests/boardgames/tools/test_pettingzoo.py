"""Our games in PettingZoo: its own tests pass, no observation leaks, and somebody else's algorithm plays
Keltis.
"""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo import test as pettingzoo_test

from boardgames import InvalidInput, find_variant
from boardgames.errors import NotPlayable
from boardgames.rules import protocol
from boardgames.tools.pettingzoo import aec_env, compute_rewards, make_observation

DOCS = (Path(__file__).parents[3] / "docs/pettingzoo.md").read_text()
GAMES = ["celtica", "keltis", "celtae", "magpies", "pig"]
# Advice about shapes that every game with action masks gets, PettingZoo's own among them.
ADVICE = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_pettingzoos_own_tests(game, capsys):
    with warnings.catch_warnings():
        for advice in ADVICE:
            warnings.filterwarnings("ignore", message=advice)
        pettingzoo_test.api_test(aec_env(game, 2), num_cycles=150)
        pettingzoo_test.api_test(
            aec_env(game, max(find_variant(game).game.player_counts), aim="score"), num_cycles=50
        )
        pettingzoo_test.seed_test(lambda: aec_env(game, 2), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES[:4])
def test_an_observation_does_not_change_when_everything_hidden_is_dealt_anew(game):
    env = aec_env(game, 2)
    env.reset(seed=3)
    for _ in range(40):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1]))
    for seat in range(2):
        world = env.match.copy()
        world._run(protocol.rekey_and_resample, world.state, seat, 99)
        assert world.to_bytes() != env.match.to_bytes()
        before, after = (
            make_observation(env.variant.game, match.state, seat) for match in (env.match, world)
        )
        assert before.tolist() == after.tolist()
        assert make_observation(env.variant.game, env.match.state, 1 - seat).tolist() != before.tolist()


def test_masks_rewards_and_seeds_are_those_of_the_match():
    env = aec_env("pig+target=20")
    env.reset(seed=5)
    for name in env.agent_iter():
        seen, _, terminated, _, _ = env.last()
        mask = np.flatnonzero(seen["action_mask"]).tolist()
        assert mask == ([] if terminated else env.match.legal())
        assert not env.observe("seat_2" if name == "seat_1" else "seat_1")["action_mask"].any()
        env.step(None if terminated else mask[0])
    assert sorted(compute_rewards(env.match, "win")) == [-1.0, 1.0]
    assert sum(compute_rewards(env.match, "score")) == 0
    assert (env.match.seed, env.match.deal) == (5, 0)
    env.reset()
    assert (env.match.seed, env.match.deal) == (5, 1)
    assert "seed 5, deal 1" in env.render()


def test_what_cannot_be_played_is_refused():
    with pytest.raises(InvalidInput, match="aim 'glory'"):
        aec_env("keltis", aim="glory")
    with pytest.raises(NotPlayable, match="2 to 4 players, not 7"):
        aec_env("keltis", 7)


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL))
def test_the_examples_run(code, capsys):
    exec(compile(code, "docs/pettingzoo.md", "exec"), {})
    assert re.search(r"Match over: |points on the seed it was tuned on", capsys.readouterr().out)
