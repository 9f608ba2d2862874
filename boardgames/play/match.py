"""One match, stepped from Python: by action, in words, or by an agent. Actions are checked here, once."""

import json
import operator
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boardgames.agents.agent import Agent, find_agent
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput, RulesChanged
from boardgames.game.mistakes import explain_errors
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.play.batch import assign_slots, bind_engine, check_seed, hash_stream_names, make_scratch
from boardgames.play.transcript import Move, Result, Transcript, explain_result, group_by_turn
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function

if TYPE_CHECKING:
    from boardgames.agents.python_agent import View

NO_KEY = -1  # the present decision has no key yet


class IllegalAction(ValueError):
    """Names the game, the seed, the turn, the seat, the action and the legal ones in words."""


class Match:
    """A match of one variant, on the luck of one deal of one seed.

    It runs the uncompiled rules, so that a debugger can step into them; `compiled=True` runs the compiled
    ones. Both give the same match.
    """

    def __init__(
        self,
        variant: Variant,
        players: int,
        *,
        seed: int = 1,
        deal: int = 0,
        seating: int = 0,
        compiled: bool = False,
    ) -> None:
        check_seed(seed, deal)
        self.variant = variant
        self.game = variant.game
        self.players = players
        self.seed = seed
        self.deal = deal
        self.seating = seating
        self.compiled = compiled
        self.actions: list[int] = []
        self._moves: list[Move] = []  # those described so far
        self._befores: list[np.ndarray[Any, Any]] = []  # the position before each action
        self._states = variant.make_blank_state(players)
        self._scratch = make_scratch(self.game, ())
        self._luck = self._run(engine.make_deal_key, seed, players, deal)
        self._decision = NO_KEY
        self._run(engine.begin_match, self.state, self._luck, hash_stream_names(self.game))

    @property
    def state(self) -> Any:
        """The position itself: a record. Write into it to set up a position."""
        return self._states[0]

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
        return not self.is_over and len(self.actions) < self.game.cap

    @property
    def end(self) -> str:
        """Why it ended, in words; "" while it is not over."""
        return self.game.ends[self.state.end - 1] if self.is_over else ""

    def legal(self) -> list[int]:
        """The legal actions of the seat to act; none after the end."""
        if self.is_over:
            return []
        row = np.zeros(self.game.actions, np.int64)
        return [int(action) for action in row[: self._run(protocol.legal, self.state, row)]]

    def choices(self) -> dict[str, int]:
        """The legal actions by their words."""
        return {self.say(action): action for action in self.legal()}

    def say(self, action: int) -> str:
        """An action of the seat to act in words."""
        with explain_errors(self.game):
            return self.game.say(self.state, action)

    def draw(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as one seat sees it or all of it; "" if the game has no drawing."""
        with explain_errors(self.game):
            return self.game.draw(self.state, seat) if self.game.draw else ""

    # ---- doing it

    def push(self, action: int | str) -> "Match":
        """Carry out a legal action, by its number or in words. Returns the match, so that calls can be
        chained.
        """
        legal = self.legal()
        number = self.choices().get(action, -1) if isinstance(action, str) else operator.index(action)
        if number not in legal:
            raise IllegalAction(self._explain_illegal(action))
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
            from boardgames.agents.python_agent import make_view

            return self.push(agent(make_view(self.game, self.state, tuple(legal), self._make_key())))
        return self.push(legal[0] if len(legal) == 1 else self._ask(agent, legal))

    def finish(self, line_up: str | Sequence[Agent]) -> "Match":
        """Let agents play to the end, or to the cap; the n-th agent has the n-th seat."""
        if isinstance(line_up, str):
            line_up = find_line_up(line_up, self.players, self.game)
        while self.is_on:
            self.step(line_up[self.state.actor])
        return self

    def _ask(self, agent: Agent, legal: list[int]) -> int:
        scratch = make_scratch(self.game, (agent,), self.players)
        scratch.actions[0, : len(legal)] = legal
        choose = bind_engine(self.game, assign_slots((agent,)), self.compiled)[engine.choose]
        row = np.array(agent.make_row(0, 0, self.game), np.int64)
        with explain_errors(self.game):
            return int(choose(self.state, scratch.actions[0], len(legal), self._make_key(), row, scratch))

    def _make_key(self) -> int:
        """The key of the acting agent's chance, made once per decision."""
        if self._decision == NO_KEY:
            seat = self._run(engine.make_seat_key, self._luck, self.seating, self.state.actor)
            self._decision = int(self._run(engine.make_decision_key, self.state, seat, 0, self._scratch))
        return self._decision

    def _explain_illegal(self, action: int | str) -> str:
        luck = f"{self.variant.name}, seed {self.seed}, deal {self.deal}"
        where = f"{luck}, turn {self.state.turn}, seat {self.state.actor + 1}"
        if self.is_over:
            return f"{where}: the match is over ({self.end}); nothing can be played"
        has_words = not isinstance(action, str) and 0 <= action < self.game.actions
        words = f"'{self.say(int(action))}' ({action})" if has_words else f"'{action}'"
        legal = ", ".join(f"'{choice}'" for choice in self.choices())
        return f"{where}: {words} is not legal; legal are: {legal}"

    # ---- how it stands

    def scores(self) -> list[int]:
        return [int(self._run(protocol.score, self.state, seat)) for seat in range(self.players)]

    def evaluations(self) -> list[int]:
        """How well each seat is really doing, on the game's own scale."""
        return [int(self._run(protocol.evaluate, self.state, seat)) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        """The rank of each seat if the match ended now; equal ranks are shared."""
        standings = [int(self._run(protocol.standing, self.state, seat)) for seat in range(self.players)]
        return [1 + sum(other > mine for other in standings) for mine in standings]

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

    def copy(self) -> "Match":
        return Match.from_bytes(self.variant, self.to_bytes(), compiled=self.compiled)

    def to_bytes(self) -> bytes:
        """Everything needed to go on from here, on any machine with the same rules."""
        head = {
            "fingerprint": self.variant.fingerprint(),
            "players": self.players,
            "seed": self.seed,
            "deal": self.deal,
            "seating": self.seating,
            "actions": self.actions,
            "decision": self._decision,
        }
        parts = (self._states, self._scratch.decisions, self._scratch.decision_turns, *self._befores)
        # one position is much like the next
        return json.dumps(head).encode() + b"\n" + zlib.compress(b"".join(map(bytes, parts)), 1)

    @classmethod
    def from_bytes(cls, variant: Variant, data: bytes, *, compiled: bool = False) -> "Match":
        line, _, packed = data.partition(b"\n")
        try:
            head = json.loads(line)
            rest = zlib.decompress(packed)
        except ValueError:
            raise InvalidInput("these bytes are not a match") from None
        except zlib.error:
            raise InvalidInput("these bytes are not a whole match") from None
        if head["fingerprint"] != variant.fingerprint():
            raise RulesChanged(f"this match was played by other rules than {variant.name} has now")
        match = cls(
            variant,
            head["players"],
            seed=head["seed"],
            deal=head["deal"],
            seating=head["seating"],
            compiled=compiled,
        )
        match.actions = head["actions"]
        match._befores = [match._states.copy() for _ in match.actions]
        match._decision = head["decision"]
        parts = (match._states, match._scratch.decisions, match._scratch.decision_turns, *match._befores)
        if len(rest) != sum(part.nbytes for part in parts):
            raise InvalidInput("these bytes are not a whole match")
        for part in parts:
            part[...] = np.frombuffer(rest[: part.nbytes], part.dtype).reshape(part.shape)
            rest = rest[part.nbytes :]
        return match


def replay(
    variant: Variant, line_up: tuple[Agent, ...], order: Sequence[int], *, compiled: bool = False, **luck: int
) -> Match:
    """A match of a batch, played again from its seed: the same actions, step by step."""
    match = Match(variant, len(line_up), compiled=compiled, **luck)
    return match.finish(tuple(line_up[index] for index in order))
