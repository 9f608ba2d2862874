"""Our games in PettingZoo: its own tests pass, and an algorithm from outside plays Keltis."""

import importlib
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import supersuit
from pettingzoo import test as pettingzoo_test

from boardgames import InvalidInput, find_variant
from boardgames.environments.pettingzoo import aec_env
from boardgames.errors import NotPlayable
from boardgames.play.match import IllegalAction

DOCS = (Path(__file__).parents[3] / "docs/own_game/learners.md").read_text()
GAMES = ["celtica:en", "keltis", "celtae", "magpies", "pig"]
# Advice about shapes that every game with action masks gets, PettingZoo's own among them.
ADVICE = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_pettingzoos_own_tests(game, capsys):
    most_players = max(find_variant(game).game.player_counts)
    with warnings.catch_warnings():
        for advice in ADVICE:
            warnings.filterwarnings("ignore", message=advice)
        pettingzoo_test.api_test(aec_env(game, 2, compiled=False), num_cycles=150)
        pettingzoo_test.api_test(
            aec_env(game, most_players, aim="score", compiled=False, mask_in_info=True), num_cycles=50
        )
        pettingzoo_test.seed_test(lambda: aec_env(game, 2, compiled=False), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["celtica:en", "pig"])
def test_the_match_is_told_printed_and_drawn(game, capsys):
    """Pig has no drawing, and does not offer one."""
    modes = aec_env(game, compiled=False).metadata["render_modes"]
    assert modes == (["human", "ansi", "svg"] if game != "pig" else ["human", "ansi"])
    custom = {
        "svg": lambda picture: picture.startswith("<svg"),
        "ansi": lambda text: text.startswith(f"{game}, 2 players"),
    }
    pettingzoo_test.render_test(
        lambda render_mode: aec_env(game, 2, compiled=False, render_mode=render_mode), custom
    )
    assert f"{game}, 2 players" in capsys.readouterr().out


def test_an_environment_is_named_after_its_variant():
    assert aec_env("celtica:en", compiled=False).metadata["name"] == "celtica_en_v0"
    assert aec_env("keltis+hand_size=6", compiled=False).metadata["name"] == "keltis_hand_size_6_v0"


def test_two_environments_without_a_seed_play_different_deals():
    """Ten deals of each: one hand may well be dealt twice."""
    first, second = aec_env("magpies", compiled=False), aec_env("magpies", compiled=False)
    hands: dict[int, list[object]] = {}
    for env in (first, second):
        for _ in range(10):
            env.reset()
            hands.setdefault(id(env), []).append(env.observe("seat_1")["observation"].tolist())
    assert first.seed != second.seed
    assert hands[id(first)] != hands[id(second)]


def test_masks_rewards_and_seeds_are_those_of_the_match():
    env = aec_env("pig+target=20", compiled=False, render_mode="ansi")
    env.reset(seed=5)
    rewards = {}
    for name in env.agent_iter():
        seen, rewards[name], terminated, _, _ = env.last()
        mask = np.flatnonzero(seen["action_mask"]).tolist()
        assert mask == ([] if terminated else env.match.legal())
        assert not env.observe("seat_2" if name == "seat_1" else "seat_1")["action_mask"].any()
        env.step(None if terminated else mask[0])
    ranks = env.match.ranks()
    assert rewards == {f"seat_{seat}": 1.0 if rank == 1 else -1.0 for seat, rank in enumerate(ranks, 1)}
    assert (env.match.seed, env.match.deal) == (5, 0)
    before = seen["observation"].copy()
    env.reset()
    assert seen["observation"].tolist() == before.tolist()  # what was seen does not change behind your back
    assert (env.match.seed, env.match.deal) == (5, 1)
    assert "seed 5, deal 1" in env.render()


def test_supersuit_flattens_an_observation_whose_mask_is_in_info():
    env = supersuit.flatten_v0(aec_env("magpies", compiled=False, mask_in_info=True))
    env.reset(seed=1)
    row, _, _, _, info = env.last()
    assert row.shape == (len(env.unwrapped.names),)
    assert info["action_mask"].any()


def test_what_cannot_be_done_is_said_in_a_sentence():
    with pytest.raises(InvalidInput, match="no aim 'glory'"):
        aec_env("keltis", aim="glory")
    with pytest.raises(NotPlayable, match="2 to 4 players, not 7"):
        aec_env("keltis", 7)
    with pytest.raises(InvalidInput, match="no render mode 'svg'"):
        aec_env("pig", render_mode="svg")
    env = aec_env("pig", compiled=False, render_mode="ansi")
    for look in (env.render, env.last, env.agent_iter, lambda: env.step(0), lambda: env.observe("seat_1")):
        with pytest.raises(InvalidInput, match="call reset"):
            look()
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="legal are: 'roll the die'"):
        env.step(7)
    env.set_render_mode(None)
    with pytest.raises(InvalidInput, match='render_mode="ansi"'):
        env.render()


def test_in_a_co_operative_game_every_seat_is_rewarded_with_the_points():
    env = aec_env("tests.support.campfire:GAME", 2, compiled=False)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(0)
    assert set(env.rewards.values()) == {float(env.match.scores()[0])}
    assert env.match.scores()[0] > 0


@pytest.mark.parametrize(("module", "missing"), [("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")])
def test_a_library_that_is_not_installed_is_named_with_what_to_type(module, missing, monkeypatch):
    monkeypatch.delitem(sys.modules, f"boardgames.environments.{module}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=rf"needs {missing}.* pip install 'boardgames\[{module}\]'"):
        importlib.import_module(f"boardgames.environments.{module}")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL))
def test_the_examples_run(code, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/own_game/learners.md", "exec"), {})
    assert capsys.readouterr().out
