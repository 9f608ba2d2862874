"""Many matches of one cell, stepped at once from outside: arrays of actions in, arrays of observations out.

    matches = ManyMatches(find_variant("keltis"), 2, count=1024)
    matches.begin(seed=7)
    matches.step(actions)  # one for each match, of the seat to act

With opponents, only the learner's decisions are asked for: agents of ours play the other seats in between, in
compiled code. The n-th match begins with deal n of the seed and goes on with deal n + count, so that a match
depends neither on its neighbours nor on when they end.
"""

from typing import Any

import numpy as np

from boardgames.agents.observation import make_layout
from boardgames.agents.seating import LineUp, find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.mistakes import explain_errors
from boardgames.game.variant import Variant
from boardgames.given_values import read_whole_number
from boardgames.play.batch import (
    assign_slots,
    bind_engine,
    make_scratch,
    make_setting,
    read_seed,
)
from boardgames.play.step_rules import (
    EVERYBODY,
    ROOTS,
    TABLE,
    begin_matches,
    find_options,
    measure_matches,
    observe_matches,
    play_others,
    step_matches,
)
from boardgames.rules.rulecode import Function

Array = np.ndarray[Any, Any]
MOST_BEGINNINGS = 100  # of matches that end before the learner has a decision


class ManyMatches:
    """As many matches of one variant and player count as you like, in arrays.

    After `begin` and each `step`, `observations` and `masks` are those of the seats that have to act
    (`seats`), and `is_over` and `is_cut_off` say which matches have ended. `begin_next` replaces those.
    """

    def __init__(
        self, variant: Variant, players: int, count: int = 1, *, opponents: LineUp = "", compiled: bool = True
    ) -> None:
        count = read_whole_number("num_envs", count, 1)
        self.variant, self.players, self.count, self.compiled = variant, players, count, compiled
        game = variant.game
        self.layout = make_layout(game, players)
        self.opponents = find_line_up(opponents, players - 1, game) if opponents else ()
        self._functions = bind_engine(game, assign_slots(self.opponents), compiled, ROOTS)
        self._ready: set[Function] = set()  # those that were called before
        self._scratch = make_scratch(game, self.opponents, players)
        self.states = np.repeat(variant.make_blank_state(players), count)
        self.seed = 0
        no_seatings = np.zeros((1, 0), np.int64)
        self._setting = make_setting(variant, players, self.opponents, no_seatings, self.seed)
        self._words = self.states.view(np.int64).reshape(count, -1)
        self.tables = np.zeros(count, TABLE)
        self._make_arrays()
        self._rows = np.arange(count)
        self._all = np.ones(count, np.int8)

    def _run(self, function: Function, *args: Any) -> None:
        with explain_errors(self.variant.game):
            if function in self._ready:
                self._functions[function](*args)
            else:
                self._run_first(function, *args)

    def _run_first(self, function: Function, *args: Any) -> None:
        """Call a function for the first time: it is compiled now, or loaded from disk."""
        self._ready.add(function)
        bound = self._functions[function]
        if not hasattr(bound, "py_func"):
            bound(*args)
            return
        from boardgames.play.compiled import watch_compiling

        names = sorted({agent.agent_type.name for agent in self.opponents})
        with watch_compiling(self.variant.game, bound, ",".join(["steps", *names])):
            bound(*args)

    # ---- how they stand

    @property
    def seats(self) -> Array:
        """The seat that each observation and mask belongs to."""
        return np.asarray(self.tables["seat"])

    @property
    def is_over(self) -> Array:
        return np.asarray(self.states["end"] != 0)

    @property
    def is_cut_off(self) -> Array:
        """Whether a match went on for as many decisions as the game allows."""
        stuck = (self.tables["options"] == 0) | (self.tables["decisions"] >= self.variant.game.cap)
        return np.asarray(stuck & ~self.is_over)

    def measure(self, chosen: Array) -> tuple[Array, Array]:
        """Scores and standings of the chosen matches, by match and seat; 0 in the others."""
        scores, standings = (np.zeros((self.count, self.players), np.int64) for _ in range(2))
        self._run(measure_matches, self.states, chosen.astype(np.int8), scores, standings)
        return scores, standings

    # ---- what is done

    def begin(self, seed: int) -> None:
        """Begin all matches anew, with the first deals of a seed; with opponents, the learners take the seats
        in turn.
        """
        seed = read_seed(seed)
        self.seed = seed
        self._setting = self._setting._replace(seed=seed)
        self.tables["deal"] = self._rows - self.count
        self.begin_next(self._all)

    def begin_next(self, chosen: Array) -> None:
        """Begin the next deal in the chosen matches, and look at it; the present arrays are filled in."""
        waiting = chosen = chosen.astype(np.int8)
        if chosen.all():
            self._make_arrays()
        for _ in range(MOST_BEGINNINGS):
            self._begin_deals(waiting)
            waiting = (waiting & self.is_over).astype(np.int8)
            if not waiting.any():
                break
        self._observe(chosen)

    def _begin_deals(self, chosen: Array) -> None:
        rows = np.flatnonzero(chosen)
        self.tables["deal"][rows] += self.count
        self.tables["learner"] = self.tables["deal"] % self.players if self.opponents else EVERYBODY
        self._run(begin_matches, self.states, self.tables, chosen, self._setting)
        self._play_others()

    def step(self, actions: Array) -> None:
        """Carry out an action in each match, after checking that all are legal. Matches that are over stay as
        they are.
        """
        actions = np.asarray(actions, np.int64)
        going = self.tables["options"] > 0
        self._check_legal(actions, going)
        self._run(step_matches, self.states, self.tables, actions, going.astype(np.int8))
        self._play_others()
        self._make_arrays()
        self._observe(self._all)

    def _check_legal(self, actions: Array, going: Array) -> None:
        if actions.shape != (self.count,):
            raise InvalidInput(f"step takes {self.count} actions, one for each match, not {actions.shape}")
        is_action = (actions >= 0) & (actions < self.variant.game.actions)
        is_legal = is_action & (self.masks[self._rows, np.where(is_action, actions, 0)] != 0)
        for index in np.flatnonzero(going & ~is_legal)[:1]:
            legal_actions = ", ".join(map(str, np.flatnonzero(self.masks[index])))
            raise InvalidInput(
                f"match {index}: action {actions[index]} is not legal; legal are: {legal_actions}"
            )

    def _play_others(self) -> None:
        if self.opponents:
            self._run(play_others, self.states, self.tables, self._setting, self._scratch)

    def _observe(self, chosen: Array) -> None:
        """Look at the chosen matches, in the present arrays."""
        layout, buffer = self.layout, self._scratch.actions[0]
        self._run(find_options, self.states, self.tables, chosen, self.masks, buffer)
        if not self.compiled:  # NumPy is quicker than a rule that is not compiled
            for index in np.flatnonzero(chosen):
                seat = int(self.tables["seat"][index])
                self.observations[index] = layout.observe(self.states[index], seat)
            return
        where = (layout.readers, layout.columns, layout.special)
        self._run(observe_matches, self._words, self.tables, chosen, *where, self.observations)

    def _make_arrays(self) -> None:
        """New arrays for each step, so that those of the last one stay as they are."""
        self.masks = np.empty((self.count, self.variant.game.actions), np.int8)
        self.observations = np.empty((self.count, len(self.layout.names)), np.float32)
