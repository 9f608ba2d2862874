"""One match, stepped from Python: by action, by spoken words, or by an agent. Checked here, once, at the door."""

import json
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boardgames.agents.agent import Agent, find_agent, find_line_up
from boardgames.errors import BadInput
from boardgames.game.mistakes import explaining
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.play.batch import bound, check_seed, make_desk, slots, stream_names
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function

if TYPE_CHECKING:
    from boardgames.play.python_agent import View

NOT_ASKED = -1  # no key has been worked out for the decision at hand


class IllegalAction(ValueError):
    """Names the game, the seed, the turn, the seat, the action and the legal ones in words."""


class Match:
    """A match of one variant, on the luck of one block of one master seed.

    It runs the plain rules, so that a debugger can step into them; `plain=False` runs the compiled ones. Both give the same match.
    """

    def __init__(
        self, variant: Variant, seats: int, *, seed: int = 1, block: int = 0, arrangement: int = 0, plain: bool = True
    ) -> None:
        check_seed(seed, block)
        self.variant, self.game, self.seats = variant, variant.game, seats
        self.seed, self.block, self.arrangement, self.plain = seed, block, arrangement, plain
        self.actions: list[int] = []
        self.spoken: list[str] = []
        self._states = variant.blank(seats)
        self._desk = make_desk(self.game, ())
        self._luck = self._run(engine.block_key, seed, seats, block)
        self._decision = NOT_ASKED
        self._run(engine.begin_match, self.state, self._luck, stream_names(self.game))

    @property
    def state(self) -> Any:
        """The position itself: a record. Writing into it makes a position of your own."""
        return self._states[0]

    def _run(self, function: Function, *args: Any) -> Any:
        with explaining(self.game):
            return bound(self.game, (), self.plain)[function](*args)

    # ---- what may be done

    @property
    def over(self) -> bool:
        return bool(self.state.end)

    @property
    def on(self) -> bool:
        """Neither over nor cut off."""
        return not self.over and len(self.actions) < self.game.cap

    @property
    def end(self) -> str:
        """Why it ended, in words; nothing while it is on."""
        return self.game.ends[self.state.end - 1] if self.over else ""

    def legal(self) -> list[int]:
        """The legal actions of the seat to act; none after the end."""
        if self.over:
            return []
        row = np.zeros(self.game.actions, np.int64)
        return [int(action) for action in row[: self._run(protocol.legal, self.state, row)]]

    def choices(self) -> dict[str, int]:
        """The legal actions by their words."""
        return {self.say(action): action for action in self.legal()}

    def say(self, action: int) -> str:
        """An action of the seat to act in words."""
        with explaining(self.game):
            return self.game.say(self.state, action)

    def draw(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as one seat sees it or all of it; nothing where the game has no drawing."""
        with explaining(self.game):
            return self.game.draw(self.state, seat) if self.game.draw else ""

    # ---- doing it

    def play(self, action: int | str) -> "Match":
        """Carry out a legal action, by its number or in words. Returns the match, so that plays can be chained."""
        legal = self.legal()
        number = self.choices().get(action, -1) if isinstance(action, str) else operator.index(action)
        if number not in legal:
            raise IllegalAction(self._refusal(action))
        self._key()  # the decision counts, whoever made it
        who = f"turn {self.state.turn}, seat {self.state.actor + 1}"
        inside = "" if self.state.actor == self.state.player else f" (in seat {self.state.player + 1}'s turn)"
        self.spoken.append(f"{who}{inside}: {self.say(number)}")
        self._run(protocol.apply, self.state, np.int64(number))  # as wide as in a batch
        self.actions.append(number)
        self._decision = NOT_ASKED
        return self

    def step(self, agent: "Agent | str | Callable[[View], int]") -> "Match":
        """Let an agent choose for the seat to act, as it would in a batch; a Python function is shown a View."""
        if isinstance(agent, str):
            agent = find_agent(agent, self.game)
        legal = self.legal()
        if not isinstance(agent, Agent):
            from boardgames.play.python_agent import view_of

            return self.play(agent(view_of(self.game, self.state, tuple(legal), self._key())))
        return self.play(legal[0] if len(legal) == 1 else self._ask(agent, legal))

    def finish(self, line_up: str | Sequence[Agent]) -> "Match":
        """Let agents play to the end, or to the cap; the n-th agent has the n-th seat."""
        if isinstance(line_up, str):
            line_up = find_line_up(line_up, self.seats, self.game)
        while self.on:
            self.step(line_up[self.state.actor])
        return self

    def _ask(self, agent: Agent, legal: list[int]) -> int:
        desk = make_desk(self.game, (agent,))
        desk.actions[0, : len(legal)] = legal
        choose = bound(self.game, slots((agent,)), self.plain)[engine.choose]
        row = np.array(agent.row(0, 0, self.game), np.int64)
        with explaining(self.game):
            return int(choose(self.state, desk.actions[0], len(legal), self._key(), row, desk))

    def _key(self) -> int:
        """The chance of the agent to act: worked out once per decision."""
        if self._decision == NOT_ASKED:
            seat = self._run(engine.seat_key, self._luck, self.arrangement, self.state.actor)
            self._decision = int(self._run(engine.decision_key, self.state, seat, 0, self._desk))
        return self._decision

    def _refusal(self, action: int | str) -> str:
        where = f"{self.variant.name}, seed {self.seed}, block {self.block}, turn {self.state.turn}, seat {self.state.actor + 1}"
        if self.over:
            return f"{where}: the match is over ({self.end}); nothing can be played"
        sayable = not isinstance(action, str) and 0 <= action < self.game.actions
        words = f"'{self.say(int(action))}' ({action})" if sayable else f"'{action}'"
        legal = ", ".join(f"'{spoken}'" for spoken in self.choices())
        return f"{where}: {words} is not legal; legal are: {legal}"

    # ---- how it stands

    def scores(self) -> list[int]:
        return [int(self._run(protocol.score, self.state, seat)) for seat in range(self.seats)]

    def outlooks(self) -> list[int]:
        """How well each seat is really doing, on the game's own scale."""
        return [int(self._run(protocol.outlook, self.state, seat)) for seat in range(self.seats)]

    def places(self) -> list[int]:
        """The place of each seat if it ended now; equal places are shared."""
        standings = [int(self._run(protocol.standing, self.state, seat)) for seat in range(self.seats)]
        return [1 + sum(other > mine for other in standings) for mine in standings]

    def transcript(self) -> str:
        """The match in words, and how it ended."""
        scores = ", ".join(f"seat {seat + 1}: {points}" for seat, points in enumerate(self.scores()))
        winners = " and ".join(f"seat {seat + 1}" for seat, place in enumerate(self.places()) if place == 1)
        last = [f"end: {self.end}. {scores}. First: {winners}"] if self.over else []
        head = f"{self.variant.name}, {self.seats} players, seed {self.seed}, block {self.block}"
        return "\n".join([head, *self.spoken, *last])

    # ---- copies

    def copy(self) -> "Match":
        return Match.from_bytes(self.variant, self.to_bytes(), plain=self.plain)

    def to_bytes(self) -> bytes:
        """Everything needed to go on from here, on any machine with the same rules."""
        head = {
            "fingerprint": self.variant.fingerprint(), "seats": self.seats, "seed": self.seed, "block": self.block,
            "arrangement": self.arrangement, "actions": self.actions, "spoken": self.spoken, "decision": self._decision,
        }  # fmt: skip
        parts = (self._states, self._desk.asked, self._desk.turn_of)
        return json.dumps(head).encode() + b"\n" + b"".join(part.tobytes() for part in parts)

    @classmethod
    def from_bytes(cls, variant: Variant, data: bytes, *, plain: bool = True) -> "Match":
        line, _, rest = data.partition(b"\n")
        try:
            head = json.loads(line)
        except ValueError:
            raise BadInput("these bytes are not a match") from None
        if head["fingerprint"] != variant.fingerprint():
            raise BadInput(f"this match was played by other rules than {variant.name} has now")
        match = cls(variant, head["seats"], seed=head["seed"], block=head["block"], arrangement=head["arrangement"], plain=plain)
        match.actions, match.spoken, match._decision = head["actions"], head["spoken"], head["decision"]
        parts = (match._states, match._desk.asked, match._desk.turn_of)
        if len(rest) != sum(part.nbytes for part in parts):
            raise BadInput("these bytes are not a whole match")
        for part in parts:
            part[...] = np.frombuffer(rest[: part.nbytes], part.dtype).reshape(part.shape)
            rest = rest[part.nbytes :]
        return match


def replay(variant: Variant, line_up: tuple[Agent, ...], seating: tuple[int, ...], *, plain: bool = True, **luck: int) -> Match:
    """Play a match of a batch again from its seed: the same actions, now step by step."""
    match = Match(variant, len(line_up), plain=plain, **luck)
    return match.finish(tuple(line_up[place] for place in seating))
