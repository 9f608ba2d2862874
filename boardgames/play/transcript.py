"""A match in words: typed moves, grouped by turn, between the set-up and the result.

`str()` gives the text. Code that needs a part takes the field: nothing reads the text back.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple


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

    number: int
    seat: int  # whose turn it is
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        heading = f"Turn {self.number}, seat {self.seat + 1}"
        return "\n".join([heading, *_list_move_lines(self.moves, self.seat)])


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
    setup_moves: tuple[Move, ...]  # decisions of the set-up
    turns: tuple[Turn, ...]
    result: Result | None  # None while it is not over

    @property
    def heading(self) -> str:
        narrator = "" if self.seat is None else f", as seat {self.seat + 1} saw it"
        return f"{self.variant}, {self.players} players, seed {self.seed}, deal {self.deal}{narrator}"

    def __str__(self) -> str:
        return "\n\n".join(self._list_paragraphs())

    def _list_paragraphs(self) -> Iterator[str]:
        yield self.heading
        setup = [f"  {line}" for line in self.setup] + list(_list_move_lines(self.setup_moves, None))
        if setup:
            yield "\n".join(["Set-up", *setup])
        if self.turns:
            yield "\n".join(map(str, self.turns))
        if self.result:
            yield str(self.result)


def _list_move_lines(moves: Sequence[Move], turn_owner: int | None) -> Iterator[str]:
    """A line for each move and each effect; moves of other seats than the turn's begin with their seat."""
    for move in moves:
        actor = "" if move.seat == turn_owner else f"seat {move.seat + 1}: "
        yield f"  {actor}{move.words}"
        yield from (f"    {effect}" for effect in move.effects)


def group_by_turn(moves: Sequence[Move]) -> dict[int, list[Move]]:
    """The moves of each turn; those of the set-up are turn 0."""
    return {turn: list(group) for turn, group in itertools.groupby(moves, key=attrgetter("turn"))}


def make_turns(moves: Sequence[Move]) -> tuple[Turn, ...]:
    """The turns of a match, without the set-up."""
    groups = group_by_turn(moves).items()
    return tuple(Turn(number, group[0].turn_owner, tuple(group)) for number, group in groups if number)


def explain_result(scores: Sequence[int], ranks: Sequence[int]) -> str:
    """Who won, and why, as far as scores tell: for games that do not explain it themselves."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len(winners) > 1:
        return f"{format_seats(winners)} share the win."
    best = scores[winners[0]]
    runners_up = [scores[seat] for seat, rank in enumerate(ranks) if rank == min(set(ranks) - {1})]
    second = runners_up[0]
    if second == best:
        return f"Seat {winners[0] + 1} wins on tiebreaks."
    return f"Seat {winners[0] + 1} wins: {best} {'point' if best == 1 else 'points'} against {second}."


def format_seats(seats: Sequence[int]) -> str:
    """[0, 2] -> "Seats 1 and 3"."""
    numbers = [str(seat + 1) for seat in seats]
    return f"Seats {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"Seat {numbers[0]}"
