"""Thousands of matches as one Gymnasium vector environment, on compiled rules.

    env = vector_env("keltis", players=2, num_envs=1024, opponents="greedy")
    observations, info = env.reset(seed=7)
    observations, rewards, terminations, truncations, info = env.step(actions)

The learner takes every seat in turn, and agents of ours play the others. With `opponents=""` all seats are
stepped: an observation is that of the seat to act, a reward that of the seat which has just acted. The extra
`boardgames[gymnasium]` installs what it needs.
"""

import secrets
from typing import Any

import numpy as np

from boardgames.agents.seating import LineUp
from boardgames.environments.names import (
    NOT_BEGUN,
    SEED_BITS,
    explain_missing,
    find_players,
    name_environment,
)
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.play.many_matches import ManyMatches
from boardgames.play.rewards import check_aim, compute_rewards

with explain_missing("gymnasium"):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Array = np.ndarray[Any, Any]


def vector_env(
    spec: str | Variant,
    players: Players | None = None,
    num_envs: int = 256,
    *,
    opponents: LineUp = "random",
    aim: str = "win",
    compiled: bool = True,
) -> "MatchVectorEnv":
    """The vector environment of a variant: for its fewest players unless said. `opponents` is one agent for
    all other seats, or one for each; "" steps all seats from outside.
    """
    variant = find_variant(spec)
    check_aim(aim)
    count = find_players(variant, players)
    return MatchVectorEnv(ManyMatches(variant, count, num_envs, opponents=opponents, compiled=compiled), aim)


class MatchVectorEnv(VectorEnv[Array, Array, Array]):
    """Many matches at once. One that has ended is replaced in the same step: its last observation is in
    `info["final_obs"]`.
    """

    def __init__(self, matches: ManyMatches, aim: str) -> None:
        self.variant, self.players, self.aim = matches.variant, matches.players, aim
        self.names = matches.layout.names
        self.matches = matches
        self.num_envs = matches.count
        self.metadata = {
            "name": name_environment(self.variant),
            "render_modes": [],
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        layout = matches.layout
        self.single_observation_space = spaces.Box(layout.low, layout.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(self.variant.game.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.seed: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all matches anew: with the first deals of a seed, or with the next deals of the present one.
        Without any seed, one is drawn.
        """
        super().reset(seed=seed)
        if seed is not None or self.seed is None:
            self.seed = secrets.randbits(SEED_BITS) if seed is None else seed
            self.matches.begin(self.seed)
        else:
            self.matches.begin_next(np.ones(self.num_envs, np.int8))
        return self.matches.observations, self._make_info()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        self._check_has_begun()
        matches, acted = self.matches, self.matches.seats.copy()
        matches.step(actions)
        is_over, is_cut_off = matches.is_over, matches.is_cut_off
        has_ended = is_over | is_cut_off
        rewards, info = np.zeros(self.num_envs), {}
        if has_ended.any():
            by_seat = self._compute_rewards(is_over)
            rewards = by_seat[np.arange(self.num_envs), acted]
            info = self._make_final_info(has_ended, by_seat)
            matches.begin_next(has_ended)
        return matches.observations, rewards, is_over, is_cut_off, {**info, **self._make_info()}

    def action_masks(self) -> Array:
        """Which actions are legal, by match: what MaskablePPO asks for."""
        self._check_has_begun()
        return self.matches.masks.astype(bool)

    def _check_has_begun(self) -> None:
        if self.seed is None:
            raise InvalidInput(NOT_BEGUN)

    def _compute_rewards(self, is_over: Array) -> Array:
        """By match and seat; 0 where a match is not over."""
        scores, standings = self.matches.measure(is_over)
        game = self.variant.game
        rewards = compute_rewards(scores, standings, self.aim, game.low_wins, game.is_cooperative)
        return np.where(is_over[:, None], rewards, 0.0)

    def _make_info(self) -> dict[str, Any]:
        """What is known beside the observation; the deal with the seed names the match."""
        tables = self.matches.tables
        return {
            "action_mask": self.matches.masks,
            "seat": tables["seat"].copy(),
            "deal": tables["deal"].copy(),
        }

    def _make_final_info(self, has_ended: Array, by_seat: Array) -> dict[str, Any]:
        final_obs = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(has_ended):
            final_obs[index] = self.matches.observations[index].copy()
        return {
            "final_obs": final_obs,
            "_final_obs": has_ended,
            "final_info": {"rewards": by_seat, "deal": self.matches.tables["deal"].copy()},
            "_final_info": has_ended,
        }
