"""A match in words: typed moves, grouped by turn, between the set-up and the result.

`str()` gives the text. Code that needs a part takes the field: nothing reads the text back.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from boardgames.game.result import format_seats


class Move(NamedTuple):
    """An action that was carried out, and what it caused; as text, one line."""

    turn: int  # 0 = a decision of the set-up, before any seat has begun a turn
    seat: int  # who acted
    turn_owner: int  # whose turn it was
    action: int
    words: str
    effects: tuple[str, ...] = ()  # what it caused, as far as the words do not say it

    def __str__(self) -> str:
        effects = f" [{'; '.join(self.effects)}]" if self.effects else ""
        return f"{self._describe_actor()}: {self.words}{effects}"

    def _describe_actor(self) -> str:
        if not self.turn:
            return f"set-up, seat {self.seat + 1}"
        aside = "" if self.seat == self.turn_owner else f" (in seat {self.turn_owner + 1}'s turn)"
        return f"turn {self.turn}, seat {self.seat + 1}{aside}"


class Turn(NamedTuple):
    """A turn and its moves; as text, a heading and an indented line for each."""

    number: int  # 0 = the set-up
    seat: int  # whose turn it is
    moves: tuple[Move, ...]

    @property
    def heading(self) -> str:
        return f"Turn {self.number}, seat {self.seat + 1}" if self.number else "Set-up"

    def __str__(self) -> str:
        return "\n".join([self.heading, *self.list_lines()])

    def list_lines(self) -> Iterator[str]:
        """A line for each move and each effect; moves of other seats than the turn's begin with their
        seat.
        """
        for move in self.moves:
            is_own = self.number and move.seat == self.seat
            yield f"  {move.words}" if is_own else f"  seat {move.seat + 1}: {move.words}"
            yield from (f"    {effect}" for effect in move.effects)


class Result(NamedTuple):
    """How a match ended; as text, two or three sentences."""

    end: str  # why it ended
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats
    reason: str  # who won, and why: a sentence

    def __str__(self) -> str:
        scores = ", ".join(f"seat {seat}: {points}" for seat, points in enumerate(self.scores, 1))
        return f"Match over: {self.end}. S{scores[1:]}. {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """A match told so that you can follow it at a table: by everything, or by what one seat knew."""

    variant: str
    players: int
    seed: int
    deal: int
    seat: int | None  # who tells it; None = someone who sees everything
    setup: tuple[str, ...]  # what lay on the table at the start
    turns: tuple[Turn, ...]  # turn 0, if there is one, has the decisions of the set-up
    result: Result | None  # None while it is not over

    @property
    def heading(self) -> str:
        narrator = "" if self.seat is None else f", as seat {self.seat + 1} saw it"
        return f"{self.variant}, {self.players} players, seed {self.seed}, deal {self.deal}{narrator}"

    def __str__(self) -> str:
        return "\n\n".join(self._list_paragraphs())

    def _list_paragraphs(self) -> Iterator[str]:
        yield self.heading
        first = [turn for turn in self.turns if not turn.number]
        decisions = [line for turn in first for line in turn.list_lines()]
        if self.setup or decisions:
            yield "\n".join(["Set-up", *(f"  {line}" for line in self.setup), *decisions])
        if len(self.turns) > len(first):
            yield "\n".join(str(turn) for turn in self.turns if turn.number)
        if self.result:
            yield str(self.result)


def group_by_turn(moves: Sequence[Move]) -> tuple[Turn, ...]:
    """The turns that moves belong to, from the set-up on."""
    groups = itertools.groupby(moves, key=attrgetter("turn", "turn_owner"))
    return tuple(Turn(number, owner, tuple(group)) for (number, owner), group in groups)


def explain_result(scores: Sequence[int], ranks: Sequence[int]) -> str:
    """Who won, and why, as far as scores tell: for games that do not explain it themselves."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len(winners) > 1:
        return f"{format_seats(winners)} share the win."
    best = scores[winners[0]]
    second = scores[ranks.index(2)]
    if second == best:
        return f"{format_seats(winners)} wins on tiebreaks."
    return f"{format_seats(winners)} wins: {best} {'point' if best == 1 else 'points'} against {second}."
