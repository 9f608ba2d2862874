"""One match, stepped from Python: by action, in words, or by an agent. Actions are checked here, once."""

import operator
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from boardgames.agents.agent import Agent, find_agent, make_no_agent_error
from boardgames.agents.observation import ObservationLayout, make_layout
from boardgames.agents.scratch import Scratch
from boardgames.agents.search import list_visits
from boardgames.agents.seating import LineUp, find_line_up
from boardgames.errors import InvalidInput, RulesChanged
from boardgames.game.mistakes import check_count, explain_errors
from boardgames.game.player_counts import Players, find_player_count
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import is_whole_number, read_whole_number
from boardgames.play import engine
from boardgames.play.batch import assign_slots, bind_engine, hash_stream_names, make_scratch, read_seed
from boardgames.play.illegal_action import IllegalAction, explain_illegal
from boardgames.play.match_bytes import read_match, write_match
from boardgames.play.rewards import WIN, check_aim, compute_rewards
from boardgames.play.transcript import Move, Result, Transcript, explain_result, group_by_turn
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function

if TYPE_CHECKING:
    from boardgames.agents.python_agent import View

NO_KEY = -1  # the present decision has no key yet


class Match:
    """A match of one variant, on the luck of one deal of one seed: `Match("pig", 2)`.

    It runs the uncompiled rules, so that a debugger can step into them; `compiled=True` runs the compiled
    ones. Both give the same match.
    """

    def __init__(
        self,
        variant: Variant | str,
        players: Players,
        *,
        seed: int = 1,
        deal: int = 0,
        seating: int = 0,
        compiled: bool = False,
    ) -> None:
        self.variant = find_variant(variant)
        self.game = self.variant.game
        self.players = find_player_count(players)
        self.seed = read_seed(seed)
        self.deal = read_seed(deal, "deal")
        self.seating = read_whole_number("seating", seating)
        self.compiled = compiled
        self.actions: list[int] = []
        self.earlier_actions = 0  # before the position that this begins with, if that is no set-up
        self._moves: list[Move] = []  # those described so far
        self._befores: list[np.ndarray[Any, Any]] = []  # the position before each action
        self._states = self.variant.make_blank_state(self.players)
        self._scratch = make_scratch(self.game, ())
        self._luck = self._run(engine.make_deal_key, self.seed, self.players, self.deal)
        self._decision = NO_KEY
        self._run(engine.begin_match, self.state, self._luck, hash_stream_names(self.game))

    def __repr__(self) -> str:
        luck = f"{self.variant.name}, {self.players} players, seed {self.seed}, deal {self.deal}"
        where = f"turn {self.state.turn}, seat {self.state.actor + 1} to act"
        return f"<Match of {luck}: {self.describe_end() if self.is_over else where}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the drawing, or the transcript of a game that has none."""
        if self.game.draw:
            return f"<div>{self.draw()}<p>{escape(repr(self)[1:-1])}</p></div>"
        return f"<pre>{escape(str(self.transcript()))}</pre>"

    @property
    def state(self) -> Any:
        """The position itself: a record. Write into it to set up a position."""
        return self._states[0]

    def find_state(self, index: int) -> Any:
        """The position before the action of this index."""
        return self._befores[index][0]

    def _run(self, function: Function, *args: Any) -> Any:
        with explain_errors(self.game):
            return bind_engine(self.game, (), self.compiled)[function](*args)

    # ---- what may be done

    @property
    def is_over(self) -> bool:
        return bool(self.state.end)

    @property
    def is_on(self) -> bool:
        """Neither over nor cut off."""
        return not self.is_over and self.earlier_actions + len(self.actions) < self.game.cap

    @property
    def end(self) -> str:
        """Why it ended, in words; "" while it is not over."""
        return self.game.ends[self.state.end - 1] if self.is_over else ""

    def legal(self) -> list[int]:
        """The legal actions of the seat to act; none after the end."""
        if self.is_over:
            return []
        row = np.zeros(self.game.actions, np.int64)
        count = check_count(self.game, self._run(protocol.legal, self.state, row))
        return [int(action) for action in row[:count]]

    @property
    def mask(self) -> np.ndarray[Any, Any]:
        """Which actions are legal, as a row of booleans."""
        mask = np.zeros(self.game.actions, bool)
        mask[self.legal()] = True
        return mask

    def choices(self) -> dict[str, int]:
        """The legal actions by their words."""
        return {self.say(action): action for action in self.legal()}

    def say(self, action: int) -> str:
        """An action of the seat to act in words."""
        action = read_whole_number("action", action, 0, self.game.actions - 1)
        with explain_errors(self.game):
            return self.game.say(self.state, action)

    def draw(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as one seat sees it or all of it; "" if the game has no drawing."""
        seat = None if seat is None else self._check_seat(seat)
        with explain_errors(self.game):
            return self.game.draw(self.state, seat) if self.game.draw else ""

    # ---- doing it

    def push(self, action: int | str) -> "Match":
        """Carry out a legal action, by its number or in words. Returns the match, so that calls can be
        chained.
        """
        legal = self.legal()
        number = self.choices().get(action, -1) if isinstance(action, str) else _read_action(action)
        if number not in legal:
            raise IllegalAction(explain_illegal(self, action))
        self._make_key()  # the decision counts, no matter who made it
        self._befores.append(self._states.copy())
        self._run(protocol.apply, self.state, np.int64(number))  # as wide as in a batch
        self.actions.append(number)
        self._decision = NO_KEY
        return self

    def step(self, agent: "Agent | str | Callable[[View], int]") -> "Match":
        """Let an agent choose for the seat to act, as it would in a batch; a Python function gets a View."""
        if isinstance(agent, str):
            agent = find_agent(agent, self.game)
        legal = self.legal()
        if not isinstance(agent, Agent):
            if not callable(agent):
                raise make_no_agent_error(agent)
            from boardgames.agents.python_agent import make_view

            return self.push(agent(make_view(self.game, self.state, tuple(legal), self._make_key())))
        return self.push(legal[0] if len(legal) == 1 else self._ask(agent, legal)[0])

    def finish(self, line_up: LineUp) -> "Match":
        """Let agents play to the end, or to the cap; the n-th agent has the n-th seat."""
        agents = find_line_up(line_up, self.players, self.game)
        while self.is_on:
            self.step(agents[self.state.actor])
        return self

    def search(self, agent: Agent | str) -> dict[int, int]:
        """How often a search looks into each action of the seat to act: {action: playouts}, most first.
        Nothing is done.
        """
        if not isinstance(agent, Agent):
            agent = find_agent(agent, self.game)
        _, scratch = self._ask(agent, self.legal())
        return list_visits(scratch)

    def _ask(self, agent: Agent, legal: list[int]) -> tuple[int, Scratch]:
        """The action that an agent chooses, and the memory that it used."""
        scratch = make_scratch(self.game, (agent,), self.players)
        scratch.actions[0, : len(legal)] = legal
        choose = bind_engine(self.game, assign_slots((agent,)), self.compiled)[engine.choose]
        row = np.array(agent.make_row(0, 0, self.game), np.int64)
        with explain_errors(self.game):
            action = int(choose(self.state, scratch.actions[0], len(legal), self._make_key(), row, scratch))
        return action, scratch

    def _make_key(self) -> int:
        """The key of the acting agent's chance, made once per decision."""
        if self._decision == NO_KEY:
            seat = self._run(engine.make_seat_key, self._luck, self.seating, self.state.actor)
            self._decision = int(self._run(engine.make_decision_key, self.state, seat, 0, self._scratch))
        return self._decision

    # ---- how it stands

    def scores(self) -> list[int]:
        return [int(self._run(protocol.score, self.state, seat)) for seat in range(self.players)]

    def evaluations(self) -> list[int]:
        """How well each seat is really doing, on the game's own scale."""
        return [int(self._run(protocol.evaluate, self.state, seat)) for seat in range(self.players)]

    def _standings(self) -> list[int]:
        return [int(self._run(protocol.standing, self.state, seat)) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        """The rank of each seat if the match ended now; equal ranks are shared."""
        standings = self._standings()
        return [1 + sum(other > mine for other in standings) for mine in standings]

    # ---- for learners

    @property
    def layout(self) -> ObservationLayout:
        """What the entries of an observation are: their names and bounds."""
        return make_layout(self.game, self.players)

    def observe(self, seat: int | None = None) -> np.ndarray[Any, Any]:
        """What a seat sees, as the row of numbers that environments show as well; by default the seat to
        act.
        """
        return self.layout.observe(
            self.state, int(self.state.actor) if seat is None else self._check_seat(seat)
        )

    def rewards(self, aim: str = WIN) -> list[float]:
        """What the end is worth to each seat, with sum 0: the win, or points ("score"); 0 until then."""
        check_aim(aim)
        if not self.is_over:
            return [0.0] * self.players
        scores, standings = np.array(self.scores()), np.array(self._standings())
        game = self.game
        rewards = compute_rewards(scores, standings, aim, game.low_wins, game.is_cooperative)
        return [float(reward) for reward in rewards]

    def _check_seat(self, seat: int) -> int:
        if not is_whole_number(seat) or not 0 <= seat < self.players:
            raise InvalidInput(
                f"seat {seat!r}: in Python the seats of {self.players} players are 0 to {self.players - 1}"
            )
        return int(seat)

    # ---- told in words

    @property
    def moves(self) -> Sequence[Move]:
        """What was done and what it caused, as someone tells it who sees everything."""
        if len(self._moves) < len(self.actions):
            self._moves = [*self._moves, *self.describe_moves(len(self._moves))]
        return self._moves

    def describe_moves(self, first: int = 0, seat: int | None = None) -> list[Move]:
        """The moves from an index on, as a seat saw them, or with everything.

        Nothing is described while a match is played: each move is carried out again, from its position.
        """
        return [self._describe_move(index, seat) for index in range(first, len(self.actions))]

    def _describe_move(self, index: int, seat: int | None) -> Move:
        action, before = self.actions[index], self._befores[index]
        state = before[0]
        with explain_errors(self.game):
            words = self.game.say(state, action)
        effects = self._describe_effects(before, action, seat) if self.game.describe_effects else ()
        return Move(int(state.turn), int(state.actor), int(state.turn_owner), action, words, effects)

    def _describe_effects(
        self, before: np.ndarray[Any, Any], action: int, seat: int | None
    ) -> tuple[str, ...]:
        assert self.game.describe_effects
        after = before.copy()
        self._run(protocol.apply, after[0], np.int64(action))
        with explain_errors(self.game):
            seen_before, seen_after = (self.game.hide_unseen(states[0], seat) for states in (before, after))
            return tuple(self.game.describe_effects(seen_before, seen_after, action, seat))

    def transcript(self, seat: int | None = None) -> Transcript:
        """The match in words, by everything or by what one seat knew. `str()` of it is the text."""
        seat = None if seat is None else self._check_seat(seat)
        moves = self.moves if seat is None else self.describe_moves(seat=seat)
        return Transcript(
            variant=self.variant.name,
            players=self.players,
            seed=self.seed,
            deal=self.deal,
            seat=seat,
            setup=self._describe_setup(seat),
            turns=group_by_turn(moves),
            result=self.result,
        )

    def _describe_setup(self, seat: int | None) -> tuple[str, ...]:
        if self.game.describe_setup is None:
            return ()
        first = self._befores[0] if self._befores else self._states
        with explain_errors(self.game):
            return tuple(self.game.describe_setup(self.game.hide_unseen(first[0], seat), seat))

    @property
    def result(self) -> Result | None:
        """How it ended; None if it is not over."""
        if not self.is_over:
            return None
        scores, ranks = self.scores(), self.ranks()
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
        with explain_errors(self.game):
            reason = self.game.describe_result(self.state) if self.game.describe_result else ""
        return Result(self.end, tuple(scores), winners, reason or explain_result(scores, ranks))

    def describe_end(self) -> str:
        """How it ended, the scores, who won and why; if it is not over, how far it got."""
        return str(self.result or f"not over; actions so far: {len(self.actions):,}")

    # ---- copies

    def copy(self) -> Self:
        """The same match again, to be played on in another way. It costs a few microseconds."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.actions = self.actions.copy()
        copy._befores = self._befores.copy()  # the positions themselves never change
        copy._states = self._states.copy()
        # of the scratch memory, a match uses nothing else
        copy._scratch = self._scratch._replace(
            decisions=self._scratch.decisions.copy(), decision_turns=self._scratch.decision_turns.copy()
        )
        return copy

    def resample(self, seat: int, key: int) -> Self:
        """A copy in which whatever a seat cannot see is redrawn: hidden cards, and all luck to come.

        Positions that the seat cannot tell apart, and one key, give the same. What came before is no part of
        it, because that could show what was hidden: its actions begin here.
        """
        key = read_seed(key, "key")
        copy = self.copy()
        copy._run(protocol.rekey_and_resample, copy.state, self._check_seat(seat), key)
        copy._forget_past()
        return copy

    def _forget_past(self) -> None:
        self.earlier_actions += len(self.actions)
        self.actions = []
        self._befores = []
        self._moves = []

    @classmethod
    def from_state(
        cls, variant: Variant | str, state: Any, *, seed: int = 1, deal: int = 0, compiled: bool = False
    ) -> Self:
        """A match that goes on from a position, a record like `match.state`; its actions begin here. The
        chance of agents is that of this seed and deal.
        """
        variant = find_variant(variant)
        state = _read_position(variant, state)
        match = cls(variant, int(state.players), seed=seed, deal=deal, compiled=compiled)
        if match.state.rules.tobytes() != state.rules.tobytes():
            raise RulesChanged(f"this position has other rules than {variant.name}")
        match._states[0] = state
        match.earlier_actions = int(state.turn)  # there is no count of them; a turn has one or more
        return match

    def __reduce__(self) -> Any:
        return _load_match, (type(self), self.variant, self.to_bytes(), self.compiled)

    def to_bytes(self) -> bytes:
        """Everything needed to go on from here, on any machine with the same rules."""
        return write_match(self)

    @classmethod
    def from_bytes(cls, variant: Variant | str, data: bytes, *, compiled: bool = False) -> Self:
        """A match from its bytes. Raises RulesChanged if the rules are not those it was played by."""
        return read_match(cls, find_variant(variant), data, compiled)


def _read_action(action: Any) -> int:
    try:
        return operator.index(action)
    except TypeError:
        message = f"action {action!r}: write a number of match.legal(), or its words as in match.choices()"
        raise InvalidInput(message) from None


def _read_position(variant: Variant, state: Any) -> Any:
    """The record of a position, also if it is the only one of an array."""
    name = variant.game.name
    if getattr(state, "dtype", None) != variant.game.state:
        raise InvalidInput(f"this is no position of {name}: hand over a record like match.state")
    if isinstance(state, np.ndarray):
        if state.size != 1:
            raise InvalidInput(f"these are {state.size} positions of {name}: hand over one, as in states[0]")
        return state.reshape(1)[0]
    return state


def _load_match(match_type: type[Match], variant: Variant, data: bytes, compiled: bool) -> Match:
    """The match of a pickle."""
    return match_type.from_bytes(variant, data, compiled=compiled)


def replay(
    variant: Variant, line_up: tuple[Agent, ...], order: Sequence[int], *, compiled: bool = False, **luck: int
) -> Match:
    """A match of a batch, played again from its seed: the same actions, step by step."""
    match = Match(variant, len(line_up), compiled=compiled, **luck)
    return match.finish(tuple(line_up[index] for index in order))
