"""A variant as a PettingZoo environment (AEC, with action masks), for learning algorithms.

    env = aec_env("keltis", players=2)

An observation holds what the seat may see (boardgames/agents/observation.py); `env.names` names its entries.
Rewards come at the end. The extra `boardgames[pettingzoo]` installs what it needs.
"""

import secrets
from typing import Any

import numpy as np

from boardgames.environments.names import (
    NOT_BEGUN,
    SEED_BITS,
    explain_missing,
    find_players,
    name_environment,
)
from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.game.player_counts import Players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.play.many_matches import ManyMatches
from boardgames.play.match import Match
from boardgames.play.rewards import check_aim, compute_rewards

with explain_missing("pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]

HUMAN, ANSI, SVG = "human", "ansi", "svg"


def aec_env(
    spec: str | Variant,
    players: Players | None = None,
    *,
    aim: str = "win",
    compiled: bool = True,
    render_mode: str | None = None,
    mask_in_info: bool = False,
) -> "MatchEnv":
    """The environment of a variant: for its fewest players unless said, rewarding the win or points.

    With `mask_in_info` an observation is the row of numbers alone, for wrappers that take nothing else, such
    as SuperSuit's; the mask is then in `info["action_mask"]`. `compiled=False` begins at once and steps
    slowly.
    """
    variant = find_variant(spec)
    check_aim(aim)
    count = find_players(variant, players)
    env = MatchEnv(ManyMatches(variant, count, compiled=compiled), aim, mask_in_info)
    env.set_render_mode(render_mode)
    return env


class MatchEnv(AECEnv[str, Any, int]):
    """One match after another. `reset(seed=7)` begins with deal 0 of that master seed, `reset()` takes the
    next deal; without any seed, the environment draws one.
    """

    def __init__(self, matches: ManyMatches, aim: str, mask_in_info: bool) -> None:
        super().__init__()
        self.variant, self.players, self.aim = matches.variant, matches.players, aim
        self.mask_in_info = mask_in_info
        self.names = matches.layout.names
        self._matches = matches
        self._match: Match | None = None
        self._render_modes = [HUMAN, ANSI, *([SVG] if self.variant.game.draw else [])]
        self.metadata = {
            "name": name_environment(self.variant),
            "render_modes": self._render_modes,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode: str | None = None
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.players + 1)]
        self.agents = list(self.possible_agents)
        self._seats = {name: seat for seat, name in enumerate(self.possible_agents)}
        space = self._make_space()
        self.observation_spaces = dict.fromkeys(self.agents, space)
        actions = self.variant.game.actions
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.agents}
        self._no_mask = np.zeros(actions, np.int8)
        self.seed: int | None = None
        self.deal = -1

    def _make_space(self) -> spaces.Space[Any]:
        layout = self._matches.layout
        row = spaces.Box(layout.low, layout.high, dtype=np.float32)
        if self.mask_in_info:
            return row
        mask = spaces.Box(0, 1, (self.variant.game.actions,), np.int8)
        return spaces.Dict({"observation": row, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    # ---- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or self.seed is None:
            self.seed = secrets.randbits(SEED_BITS) if seed is None else seed
            self._matches.begin(self.seed)
        else:
            self._matches.begin_next(np.ones(1, np.int8))
        self.deal = int(self._matches.tables["deal"][0])
        self._match = None
        self._actions: list[int] = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._select_agent()

    def agent_iter(self, max_iter: int = 1 << 62) -> Any:
        self._check_has_begun()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> Any:
        self._check_has_begun()
        return super().last(observe)

    def observe(self, agent: str) -> Any:
        self._check_has_begun()
        seat = self._seats[agent]
        if seat == self._matches.tables["seat"][0]:
            row, mask = self._matches.observations[0], self._matches.masks[0]
        else:
            row, mask = self._matches.layout.observe(self._matches.states[0], seat), self._no_mask.copy()
        return row if self.mask_in_info else {"observation": row, "action_mask": mask}

    def step(self, action: int | None) -> None:
        self._check_has_begun()
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[name] = 0.0
        self._push(-1 if action is None else int(action))
        is_over, is_cut_off = bool(self._matches.is_over[0]), bool(self._matches.is_cut_off[0])
        if is_over:
            scores, standings = self._matches.measure(np.ones(1, np.int8))
            game = self.variant.game
            rewards = compute_rewards(scores[0], standings[0], self.aim, game.low_wins, game.is_cooperative)
            self.rewards = dict(zip(self.possible_agents, rewards.tolist(), strict=True))
        if is_over or is_cut_off:
            self.terminations = dict.fromkeys(self.agents, is_over)
            self.truncations = dict.fromkeys(self.agents, is_cut_off)
        self._select_agent()
        self._accumulate_rewards()

    def _push(self, action: int) -> None:
        if not (0 <= action < len(self._no_mask) and self._matches.masks[0, action]):
            self.match.push(action)  # which says in words what is legal
        self._matches.step(np.array([action]))
        self._actions.append(action)

    def _select_agent(self) -> None:
        """Whose turn it is, and what it may do."""
        self.agent_selection = self.possible_agents[int(self._matches.states[0].actor)]
        if self.mask_in_info:
            for name in self.agents:
                self.infos[name] = {"action_mask": self._no_mask}
            self.infos[self.agent_selection] = {"action_mask": self._matches.masks[0]}

    # ---- looking

    @property
    def match(self) -> Match:
        """The match so far, for its transcript, its drawing and its words."""
        self._check_has_begun()
        assert self.seed is not None
        if self._match is None:
            self._match = Match(self.variant, self.players, seed=self.seed, deal=self.deal)
        for action in self._actions[len(self._match.actions) :]:
            self._match.push(action)
        return self._match

    def _check_has_begun(self) -> None:
        if self.seed is None:
            raise InvalidInput(NOT_BEGUN)

    def set_render_mode(self, mode: str | None) -> None:
        if mode is not None and mode not in self._render_modes:
            raise make_unknown_error("render mode", mode, self._render_modes)
        self.render_mode = mode

    def render(self) -> str | None:
        """The match in words (`ansi`; `human` prints them), or its position as a picture (`svg`)."""
        if self.render_mode is None:
            raise InvalidInput('nothing is rendered without a render mode: aec_env(..., render_mode="ansi")')
        if self.render_mode == SVG:
            return self.match.draw()
        text = str(self.match.transcript())
        if self.render_mode == ANSI:
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""
