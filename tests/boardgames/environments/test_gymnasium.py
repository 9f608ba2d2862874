"""Many matches in one Gymnasium environment: the same matches as one by one, and as arrays should be."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from boardgames import InvalidInput, Match, find_variant
from boardgames.environments.gymnasium import vector_env


def choose_first(info):
    return info["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("compiled", [True, False])
def test_every_match_is_the_one_of_its_seed_and_deal(compiled):
    """Stepped at once or one by one, compiled or not: the same observations, rewards and next deals."""
    env = vector_env("connect-four", num_envs=6, opponents="", compiled=compiled)
    observations, info = env.reset(seed=7)
    variant = find_variant("connect-four")
    matches = [Match(variant, 2, seed=7, deal=deal) for deal in range(6)]
    for step in range(60):
        actions = np.array([np.flatnonzero(mask)[step % mask.sum()] for mask in info["action_mask"]])
        for index, match in enumerate(matches):
            match.push(int(actions[index]))
        observations, rewards, over, _, info = env.step(actions)
        for index, match in enumerate(matches):
            assert over[index] == match.is_over
            if match.is_over:
                assert rewards[index] == (0 if match.ranks() == [1, 1] else 1)  # who moved last has won
                matches[index] = match = Match(variant, 2, seed=7, deal=match.deal + 6)
            assert info["deal"][index] == match.deal
            assert np.flatnonzero(info["action_mask"][index]).tolist() == match.legal()
            seen = env.matches.layout.observe(match.state, int(match.state.actor))
            assert observations[index].tolist() == seen.tolist()
    assert info["deal"].max() >= 12


def test_a_match_that_ends_is_replaced_in_the_same_step():
    env = vector_env("pig+target=10", num_envs=8, opponents="random")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, info = env.reset(seed=1)
    assert observations in env.observation_space
    ended = 0
    for _ in range(60):
        before = observations
        kept = before.copy()
        observations, rewards, over, cut_off, info = env.step(choose_first(info))
        assert before.tolist() == kept.tolist()  # arrays of earlier steps stay as they are
        assert not cut_off.any()
        assert (info["action_mask"].sum(axis=1) > 0).all()
        assert set(rewards[over]) <= {1.0, -1.0}
        assert not rewards[~over].any()
        ended += over.sum()
        if over.any():
            assert (info["_final_obs"] == over).all()
            end = env.names.index("end")
            assert all(row[end] > 0 for row in info["final_obs"][over])
            assert info["final_info"]["rewards"].sum() == 0
    assert ended > 10


def test_the_learner_takes_every_seat_and_the_others_play_by_their_agents():
    env = vector_env("magpies", 3, num_envs=9, opponents="random,random", compiled=False)
    _, info = env.reset(seed=1)
    assert info["seat"].tolist() == [0, 1, 2] * 3
    assert (env.matches.states["actor"] == info["seat"]).all()
    turns = env.matches.states["turn"].copy()
    _, _, _, _, info = env.step(choose_first(info))
    assert (env.matches.states["turn"] >= turns).all()
    assert (env.matches.states["actor"] == info["seat"]).all()


def test_environments_without_a_seed_draw_one_and_go_on_with_the_next_deals():
    first, second = (vector_env("pig", num_envs=4, compiled=False) for _ in range(2))
    first.reset()
    second.reset()
    assert first.seed != second.seed
    _, info = first.reset()
    assert info["deal"].tolist() == [4, 5, 6, 7]


def test_an_action_that_is_not_legal_is_refused_before_anything_happens():
    env = vector_env("tic-tac-toe", num_envs=2, opponents="", compiled=False)
    env.reset(seed=1)
    env.step(np.array([4, 4]))
    before = env.matches.states.copy()
    with pytest.raises(InvalidInput, match="match 1: action 4 is not legal; legal are: 0, 1, 2"):
        env.step(np.array([0, 4]))
    with pytest.raises(InvalidInput, match="2 actions, one for each match"):
        env.step(np.array([0]))
    assert (env.matches.states == before).all()


def test_nothing_is_stepped_before_a_match_has_begun():
    env = vector_env("pig", num_envs=2, compiled=False)
    for ask in (lambda: env.step(np.zeros(2)), env.action_masks):
        with pytest.raises(InvalidInput, match=r"there is no match yet: call reset\(\) first"):
            ask()


def test_what_cannot_be_played_is_refused():
    with pytest.raises(InvalidInput, match="num_envs=0: write a whole number from 1"):
        vector_env("pig", num_envs=0)
    with pytest.raises(InvalidInput, match="no aim 'glory'"):
        vector_env("pig", aim="glory")
