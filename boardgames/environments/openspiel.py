"""A variant as an OpenSpiel game, for its algorithms.

    game = spiel_game("celtica:en", players=2, deals=1000)

One chance node at the root chooses the deal; after it, everything is decided by actions. A search that is not
told to resample would see the luck to come, as plain MCTS does: `resample_from_infostate` redraws it, and
`choose_by_ismcts` searches that way. The extra `boardgames[openspiel]` installs what is needed.
"""

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgames.agents.observation import ObservationLayout, make_layout
from boardgames.agents.python_agent import View
from boardgames.environments.names import explain_missing, find_players, name_environment
from boardgames.game.game import Game
from boardgames.game.player_counts import Players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant, make_variant
from boardgames.given_values import read_whole_number
from boardgames.play import engine
from boardgames.play.batch import bind_engine, hash_stream_names, read_seed
from boardgames.play.rewards import SCORE, check_aim, compute_rewards
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function

with explain_missing("openspiel"):
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

NO_HISTORY = b""
KEY_RANGE = 1 << 62


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all states of an OpenSpiel game share."""

    variant: Variant
    players: int
    deals: int
    aim: str
    seed: int
    functions: dict[Function, Any]

    @property
    def game(self) -> Game:
        return self.variant.game

    @property
    def layout(self) -> ObservationLayout:
        return make_layout(self.game, self.players)


def spiel_game(
    spec: str | Variant,
    players: Players | None = None,
    *,
    deals: int = 1000,
    aim: str = "win",
    seed: int = 1,
    compiled: bool = False,
) -> "MatchGame":
    """The OpenSpiel game of a variant: for its fewest players unless said, with the first deals of a seed,
    rewarding the win or points.
    """
    variant = find_variant(spec)
    check_aim(aim)
    count = find_players(variant, players)
    return MatchGame(
        Setting(
            variant=variant,
            players=count,
            deals=read_whole_number("deals", deals, 1),
            aim=aim,
            seed=read_seed(seed),
            functions=bind_engine(variant.game, (), compiled),
        )
    )


class MatchGame(pyspiel.Game):
    """A variant with a player count. OpenSpiel knows it by its name, so that it can write and read states."""

    def __init__(self, setting: Setting, params: Any = None) -> None:
        self.setting = setting
        game_type = _make_type(setting)
        super().__init__(game_type, _make_info(setting), params or {})
        if game_type.short_name not in pyspiel.registered_names():
            _register(setting, game_type)

    def new_initial_state(self) -> "MatchState":
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        has_memory = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.setting.layout, has_memory)


def _register(setting: Setting, game_type: Any) -> None:
    """Let OpenSpiel make this game from its name."""

    class RegisteredGame(MatchGame):  # a function would be dropped after Python has ended, which aborts
        def __init__(self, params: Any = None) -> None:
            super().__init__(setting, params)

    pyspiel.register_game(game_type, RegisteredGame)


def _make_type(setting: Setting) -> Any:
    kind = pyspiel.GameType
    choices = f"{setting.players}_players_{setting.aim}_{setting.deals}_deals_seed_{setting.seed}"
    return kind(
        short_name=f"boardgames_{name_environment(setting.variant)}_{choices}_{setting.variant.fingerprint()}",
        long_name=f"{setting.variant.name}, {setting.players} players",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,  # at least the luck to come is unknown
        utility=kind.Utility.IDENTICAL if setting.game.is_cooperative else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=setting.players,
        min_num_players=setting.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


def _make_info(setting: Setting) -> Any:
    low, high = _find_reward_bounds(setting)
    return pyspiel.GameInfo(
        num_distinct_actions=setting.game.actions,
        max_chance_outcomes=setting.deals,
        num_players=setting.players,
        min_utility=low,
        max_utility=high,
        utility_sum=None if setting.game.is_cooperative else 0.0,
        max_game_length=setting.game.cap,
    )


def _find_reward_bounds(setting: Setting) -> tuple[float, float]:
    lowest, highest = map(float, setting.variant.bounds("scores", setting.players))
    if setting.game.is_cooperative:
        return (-highest, -lowest) if setting.game.low_wins else (lowest, highest)
    if setting.aim == SCORE:
        return lowest - highest, highest - lowest
    return -1.0 / (setting.players - 1), 1.0


class MatchState(pyspiel.State):
    """A position, with a digest of all that each seat has seen so far."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self._positions = game.setting.variant.make_blank_state(game.setting.players)
        self._seen = [NO_HISTORY] * game.setting.players
        self._decisions = 0
        self._has_begun = False

    @property
    def _setting(self) -> Setting:
        setting: Setting = self.get_game().setting
        return setting

    @property
    def position(self) -> Any:
        """The record of our rules."""
        return self._positions[0]

    def place(self, position: Any) -> None:
        """Go on from this position instead, with nothing remembered."""
        self._positions[0] = position

    def _run(self, function: Function, *args: Any) -> Any:
        return self._setting.functions[function](*args)

    # ---- what OpenSpiel asks

    def current_player(self) -> int:
        if not self._has_begun:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.position.actor)

    def is_terminal(self) -> bool:
        is_cut_off = self._decisions >= self._setting.game.cap
        return self._has_begun and (is_cut_off or bool(self.position.end))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self._setting.deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        row = np.zeros(self._setting.game.actions, np.int64)
        return sorted(row[: self._run(protocol.legal, self.position, row)].tolist())

    def _apply_action(self, action: int) -> None:
        if self._has_begun:
            actor = int(self.position.actor)
            self._run(protocol.apply, self.position, np.int64(action))
            self._decisions += 1
            self._remember(b"%d %d" % (actor, action))
            return
        setting = self._setting
        luck = self._run(engine.make_deal_key, setting.seed, setting.players, action)
        self._run(engine.begin_match, self.position, luck, hash_stream_names(setting.game))
        self._has_begun = True
        self._remember(NO_HISTORY)

    def _remember(self, event: bytes) -> None:
        """Add a public event, and what each seat sees after it, to its memory."""
        layout = self._setting.layout
        for seat, seen in enumerate(self._seen):
            row = layout.observe(self.position, seat).tobytes()
            self._seen[seat] = hashlib.blake2b(seen + event + row, digest_size=16).digest()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self._setting.game.say(self.position, action)

    def returns(self) -> list[float]:
        players, setting = range(self._setting.players), self._setting
        if not (self._has_begun and self.position.end):
            return [0.0 for _ in players]
        scores, standings = (
            np.array([self._run(function, self.position, seat) for seat in players])
            for function in (protocol.score, protocol.standing)
        )
        game = setting.game
        rewards = compute_rewards(scores, standings, setting.aim, game.low_wins, game.is_cooperative)
        return [float(reward) for reward in rewards]

    def __str__(self) -> str:
        """Everything that has happened; positions with equal texts are equal."""
        return f"{self._setting.variant.name}: {' '.join(map(str, self.history()))}"

    # ---- what a seat knows

    def describe_memory(self, seat: int) -> str:
        """A text that is the same for all states that this seat cannot tell apart."""
        return f"seat {seat + 1}, after {self._decisions} actions: {self._seen[seat].hex()}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "MatchState":
        """A state that the player cannot tell from this one: what it cannot see, and all luck to come, is
        drawn anew.
        """
        copy: MatchState = self.clone()
        key = int(sampler() * KEY_RANGE)
        self._run(protocol.rekey_and_resample, copy.position, player, key)
        return copy


class Observer:
    """What a seat sees now, as a row of numbers; with memory, a text for all that it has seen."""

    def __init__(self, layout: ObservationLayout, has_memory: bool) -> None:
        self.layout, self.has_memory = layout, has_memory
        self.tensor = None if has_memory else np.zeros(len(layout.names), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MatchState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = self.layout.observe(state.position, player)

    def string_from(self, state: MatchState, player: int) -> str:
        if self.has_memory:
            return state.describe_memory(player)
        row = self.layout.observe(state.position, player)
        shown = zip(self.layout.names, row.astype(int).tolist(), strict=True)
        return " ".join(f"{name}={value}" for name, value in shown if value)


# ---- OpenSpiel's search as an agent of ours


def choose_by_ismcts(view: View, simulations: int = 100, exploration: float = 2.0) -> int:
    """What OpenSpiel's information-set search chooses, with random rollouts: for an agent in a file,

    @mark_deterministic()
    def agent(view): return choose_by_ismcts(view, simulations=100)
    """
    random = np.random.RandomState(view.key % (1 << 32))
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random)
    game = _make_view_game(view.game, int(view.state.players))
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=exploration,
        max_simulations=simulations,
        random_state=random,
    )
    # else OpenSpiel draws worlds by the clock, and a match could not be replayed
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, random.random_sample))
    return int(bot.step(_make_view_state(game, view)))


@functools.cache
def _make_view_game(game: Game, players: int) -> MatchGame:
    """The OpenSpiel game that a view belongs to. Its rules are in the position, whatever the variant is."""
    return spiel_game(make_variant(game), players, deals=1)


def _make_view_state(game: MatchGame, view: View) -> MatchState:
    state = game.new_initial_state()
    state.apply_action(0)
    state.place(view.state)
    return state
