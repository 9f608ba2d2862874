"""A variant as a PettingZoo environment (AEC, with action masks), for learning algorithms.

    env = aec_env("keltis", players=2)

An observation holds what the seat may see: public fields, its own row of fields that each seat has, and whose
turn it is. Rewards come at the end. The extra `boardgames[pettingzoo]` installs what it needs.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from boardgames.errors import InvalidInput
from boardgames.game.game import Game
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.play.match import Match

PUBLIC_HEADER = ("turn", "begun", "actor", "turn_owner", "phase", "end")
LIMIT = np.iinfo(np.int64)
AIMS = ("win", "score")


def aec_env(
    spec: str | Variant, players: int | None = None, *, aim: str = "win", compiled: bool = False
) -> "MatchEnv":
    """The environment of a variant: for its fewest players unless said, rewarding the win or points.

    `compiled=True` compiles the rules first, which is worth it from some thousand matches on.
    """
    variant = find_variant(spec) if isinstance(spec, str) else spec
    if aim not in AIMS:
        raise InvalidInput(f"aim '{aim}': there are {' and '.join(AIMS)}")
    return MatchEnv(variant, players or min(variant.game.player_counts), aim, compiled)


class MatchEnv(AECEnv[str, dict[str, Any], int]):
    """One match after another; `reset(seed=7)` begins with deal 0 of that master seed, `reset()` takes the
    next deal.
    """

    metadata = {"name": "boardgames", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012
    render_mode = "ansi"

    def __init__(self, variant: Variant, players: int, aim: str, compiled: bool) -> None:
        super().__init__()
        self.variant, self.players, self.aim, self.compiled = variant, players, aim, compiled
        self.possible_agents = [f"seat_{seat}" for seat in range(1, players + 1)]
        self.agents = list(self.possible_agents)
        size = len(make_observation(variant.game, variant.make_blank_state(players)[0], 0))
        observation = spaces.Box(LIMIT.min, LIMIT.max, (size,), np.int64)
        mask = spaces.Box(0, 1, (variant.game.actions,), np.int8)
        self.observation_spaces = {
            name: spaces.Dict({"observation": observation, "action_mask": mask}) for name in self.agents
        }
        self.action_spaces = {name: spaces.Discrete(variant.game.actions) for name in self.agents}
        self.seed, self.deal = 1, -1

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.seed, self.deal = (self.seed, self.deal + 1) if seed is None else (seed, 0)
        self.match = Match(self.variant, self.players, seed=self.seed, deal=self.deal, compiled=self.compiled)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self._name_seat(int(self.match.state.actor))

    def observe(self, agent: str) -> dict[str, Any]:
        seat, state = self.possible_agents.index(agent), self.match.state
        mask = np.zeros(self.variant.game.actions, np.int8)
        if not self.match.is_over and state.actor == seat:
            mask[self.match.legal()] = 1
        return {"observation": make_observation(self.variant.game, state, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[name] = 0.0
        self.match.push(action if action is not None else -1)
        over, cut_off = self.match.is_over, len(self.match.actions) >= self.variant.game.cap
        self.rewards = (
            dict(zip(self.possible_agents, compute_rewards(self.match, self.aim), strict=True))
            if over
            else self._make_zero_rewards()
        )
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut_off and not over)
        self.agent_selection = self._name_seat(int(self.match.state.actor))
        self._accumulate_rewards()

    def render(self) -> str:
        return str(self.match.transcript())

    def close(self) -> None:
        """Nothing is held open."""

    def _name_seat(self, seat: int) -> str:
        return self.possible_agents[seat]

    def _make_zero_rewards(self) -> dict[str, float]:
        return dict.fromkeys(self.possible_agents, 0.0)


def make_observation(game: Game, state: Any, seat: int) -> np.ndarray[Any, Any]:
    """What a seat may see, as one row of numbers: its seat, the header, public fields, its rows of private
    fields.
    """
    parts = [np.array([seat])] + [np.ravel(state[name]) for name in PUBLIC_HEADER]
    for name in game.fields:
        part = game.find_visible_part(name, seat)
        if part is not None:
            parts.append(np.ravel(state[name][part]))
    return np.concatenate(parts).astype(np.int64)


def compute_rewards(match: Match, aim: str) -> list[float]:
    """The reward of each seat, with sum 0: 1 for winning alone and -1/(n-1) for losing, or its points above
    the mean.
    """
    if aim == "score":
        sign = -1 if match.game.low_wins else 1
        scores = [sign * score for score in match.scores()]
        return [score - sum(scores) / len(scores) for score in scores]
    ranks, n = match.ranks(), match.players
    winners = ranks.count(1)
    return [((rank == 1) / winners - 1 / n) * n / (n - 1) for rank in ranks]
