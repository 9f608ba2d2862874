"""A match with people in some of its seats: whose choice it is, what happened since, taking a choice back.

The terminal and the dashboard both play by this. Every choice of a person is stored at once, so that the
match can be resumed; what agents do follows from the seed and is played again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boardgames.agents.agent import FAST_TYPES, Agent, find_agent
from boardgames.errors import InvalidInput, RulesChanged
from boardgames.game.game import Game
from boardgames.game.plugins import find_stored_variant
from boardgames.people.names import check_person_name
from boardgames.plan.cell import PlannedCell
from boardgames.play.illegal_action import IllegalAction
from boardgames.play.match import Match
from boardgames.play.transcript import Move
from boardgames.store import recorded_matches
from boardgames.store.opening.damage import make_damage_error
from boardgames.store.recorded_matches import HUMAN, make_person


@dataclass(kw_only=True)
class SeatedMatch:
    """A match that people play, alone, together or against agents."""

    db: Path
    cell: PlannedCell
    match: Match
    choices: list[int] = field(default_factory=list)  # indices of people's choices, forced ones left out
    stored: list[int] | None = None  # the actions as they were last stored
    is_finished: bool = False  # over, and stored with all that is counted of a match

    @property
    def id(self) -> str:
        """Names the match in its result file, for `replay` and for an address."""
        return f"{self.cell.id}/{self.match.deal}/{self.match.seating}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, agent in enumerate(self.cell.line_up) if is_person(agent))

    @property
    def seat(self) -> int | None:
        """The seat of the person who is to choose; None if an agent is, or the match is over."""
        actor = int(self.match.state.actor)
        return actor if self.match.is_on and actor in self.people else None

    @property
    def is_stored(self) -> bool:
        """Whether the file has all that people have chosen; what agents do follows from it. A match that is
        over is counted, too.
        """
        if not self.match.is_on:
            return self.is_finished
        stored = self.stored or []
        is_current = list(self.match.actions[: len(stored)]) == stored  # nothing was taken back
        return is_current and (not self.choices or self.choices[-1] < len(stored))

    @property
    def has_secrets(self) -> bool:
        """Whether seats see different things, so that people hide the screen from each other."""
        return any(f.visibility == "private" for f in self.match.game.fields.values())

    def name_seat(self, seat: int) -> str:
        """`seat 1 (Anna)`, `seat 2 (greedy)`."""
        name = self.cell.line_up[seat].name.removeprefix(f"{HUMAN}:")
        return f"seat {seat + 1} ({name})" if name != HUMAN else f"seat {seat + 1}"

    # ---- going on

    def play_agents(self) -> None:
        """Let agents act until a person is to choose, or the match is over."""
        while self.match.is_on and self.seat is None:
            self.match.step(self.cell.line_up[self.match.state.actor])

    def play_forced(self) -> None:
        """Let agents act and carry out what people can only do, until a person has a choice."""
        self.play_agents()
        while self.match.is_on and len(legal := self.match.legal()) == 1:
            self._push(legal[0])
            self.play_agents()

    def choose(self, action: int) -> None:
        """Carry out a person's action, and store it."""
        self._push(action)
        self.save()

    def _push(self, action: int) -> None:
        if self.seat is not None and len(self.match.legal()) > 1:
            self.choices.append(len(self.match.actions))
        self.match.push(action)

    def save(self) -> None:
        """Store the actions so far. Raises if the match went on elsewhere since it was last stored here."""
        recorded_matches.save_actions(self.db, self.cell, self.match, self.stored)
        self.stored = list(self.match.actions)

    def finish(self) -> str:
        """Store the match, which is over; returns its id."""
        self.save()
        match_id = recorded_matches.store_finished(self.db, self.cell, self.match)
        self.is_finished = True
        return match_id

    # ---- looking back

    def _find_actor(self, index: int) -> int:
        return int(self.match.find_state(index).actor)

    def find_last_choice(self, seat: int) -> int | None:
        """The index of the last action that this seat chose among several; None if there is none."""
        return next((i for i in reversed(self.choices) if self._find_actor(i) == seat), None)

    def list_news(self, seat: int) -> list[Move]:
        """What was done since this seat chose before the others acted, as it saw it. That choice comes first,
        for what it caused.
        """
        first = len(self.match.actions)
        while first and self._find_actor(first - 1) == seat:
            first -= 1
        earlier = [i for i in self.choices if i < first and self._find_actor(i) == seat]
        return self.match.describe_moves(earlier[-1] if earlier else 0, seat)

    def can_undo(self, seat: int) -> bool:
        """Whether a seat can take its last choice back: no other seat has acted since, and nothing that it
        could not see was drawn or has changed.
        """
        first = self.find_last_choice(seat)
        if first is None or not self.match.is_on:
            return False
        own = all(self._find_actor(i) == seat for i in range(first, len(self.match.actions)))
        return own and is_same_unseen(self.match.game, self.match.find_state(first), self.match.state, seat)

    def undo(self, seat: int) -> None:
        """Take the seat's last choice back."""
        first = self.find_last_choice(seat)
        if first is None or not self.can_undo(seat):
            raise InvalidInput("this choice cannot be taken back: something was drawn, or another seat acted")
        actions = self.match.actions[:first]
        self.match = _begin_match(self.cell, self.match.deal)
        self.choices = []
        self.replay(actions)
        self.save()

    def replay(self, actions: Sequence[int]) -> None:
        """Carry out stored actions."""
        for action in actions:
            self._push(action)


def is_same_unseen(game: Game, before: np.record, after: np.record, seat: int) -> bool:
    """Whether no chance was drawn from between two positions, and all that a seat cannot see is the same."""
    if not np.array_equal(before.stream_step, after.stream_step):
        return False
    for name in game.fields:
        part = game.find_visible_part(name, seat)
        if part is ...:
            continue
        old, new = np.array(before[name]), np.array(after[name])
        if part is not None:
            old[part] = new[part]
        if not np.array_equal(old, new):
            return False
    return True


# ---- sitting down


def is_person(agent: Agent) -> bool:
    return agent.agent_type.name == HUMAN


def is_quick(line_up: Sequence[Agent]) -> bool:
    """Whether a match needs no compiler."""
    return all(is_person(agent) or agent.agent_type.name in FAST_TYPES for agent in line_up)


def find_seat_agent(name: str, game: Game) -> Agent:
    """Who a line-up names: `human`, `human:Anna`, or an agent."""
    kind, _, person = name.strip().partition(":")
    if kind != HUMAN:
        return find_agent(name, game)
    return find_person(person)


def find_person(name: str) -> Agent:
    """A person of this name, or without one."""
    check_person_name(name)
    return make_person(name)


def check_names(line_up: Sequence[Agent]) -> None:
    """Raise if one name has two seats: a name is one person. People without a name may be anybody."""
    names = [agent.name for agent in line_up if is_person(agent) and agent.name != HUMAN]
    for name in names:
        if names.count(name) > 1:
            person = name.removeprefix(f"{HUMAN}:")
            raise InvalidInput(
                f"{person} has {names.count(name)} seats: give each person another name, or none"
            )


def resume_or_begin(
    db: Path, cell: PlannedCell, deal: int | None, command: str = "", new: bool = False
) -> tuple[SeatedMatch, bool]:
    """The unfinished match of this line-up, or a new one on a deal that its people have not seen; and whether
    it is resumed.
    """
    unfinished = None if new else recorded_matches.find_unfinished(db, cell, deal)
    if unfinished:
        return resume(db, cell, unfinished.deal, unfinished.actions), True
    return begin(db, cell, deal, command), False


def begin(db: Path, cell: PlannedCell, deal: int | None, command: str) -> SeatedMatch:
    """A new match; without a deal, on the first one that none of its people has seen."""
    check_names(cell.line_up)
    if deal is None:
        people = [agent.name for agent in cell.line_up if is_person(agent)]
        deals = [recorded_matches.find_next_deal(db, person, cell.seed) for person in people]
        deal = max(deals)
    match = _begin_match(cell, deal)
    recorded_matches.record_start(db, cell, match, command)
    return SeatedMatch(db=db, cell=cell, match=match, stored=[])


def load_seated(db: Path, match_id: str) -> SeatedMatch:
    """A match of people by its id, finished or not, in the position after its stored actions."""
    recorded = recorded_matches.load_recorded(db, match_id)
    if recorded is None:
        raise InvalidInput(f"{db} has no match of people with the id {match_id}")
    variant = find_stored_variant(recorded.variant)
    names = recorded.line_up.split(",")
    agents = [find_seat_agent(name, variant.game) for name in names]
    line_up = tuple(agents) * (1 if len(agents) > 1 else recorded.players)
    cell = PlannedCell(variant, line_up, recorded.seed, rotate_seats=False)
    if cell.id != recorded.cell_id:
        raise RulesChanged(f"the rules of {variant.name}, or its agents, have changed since this match")
    seated = resume(db, cell, recorded.deal, recorded.actions)
    seated.is_finished = recorded.is_finished
    return seated


def resume(db: Path, cell: PlannedCell, deal: int, actions: Sequence[int]) -> SeatedMatch:
    """A match in the position after its stored actions."""
    seated = SeatedMatch(db=db, cell=cell, match=_begin_match(cell, deal), stored=list(actions))
    try:
        seated.replay(actions)
    except IllegalAction as error:
        raise make_damage_error(db, f"the actions of a match cannot be played: {error}") from error
    return seated


def _begin_match(cell: PlannedCell, deal: int) -> Match:
    compiled = not is_quick(cell.line_up)
    return Match(cell.variant, cell.players, seed=cell.seed, deal=deal, compiled=compiled)
