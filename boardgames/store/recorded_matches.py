"""Matches that a seed alone does not bring back, by people and Python functions: they are stored with their actions.

A match under way is an entry in the table `actions` without a row in `match`: whoever left it can come back to it.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.agent import Agent, Family
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, Played, agent_fingerprint, hash63
from boardgames.game.variant import Variant
from boardgames.play.batch import Batch, Table, check_seed, make_desk, set_table
from boardgames.play.engine import ENGINE
from boardgames.play.match import Match
from boardgames.store.connection import connection, reading, writing
from boardgames.store.rows import can_be_written, describe, store_played

HUMAN = "human"


def person(name: str = "") -> Agent:
    """Somebody at the table, as an agent: it has a name, and nobody can ask it but the table itself."""
    return Agent(Family(HUMAN, _cannot_be_asked, "a person"), f"{HUMAN}:{name}" if name else HUMAN, {})


def _cannot_be_asked(*position: Any) -> int:
    raise BadInput("people are asked by `boardgames play`, not by a simulation")


@dataclass(frozen=True)
class SeatedCell(PlannedCell):
    """A cell whose blocks are played once each, by the line-up as it sits: nobody asks people to play all seatings."""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        agents = [(agent.name, agent_fingerprint(agent)) for agent in self.line_up]
        number = hash63("as seated", self.variant.name, self.variant.fingerprint(), ENGINE, agents, self.seed)
        object.__setattr__(self, "id", number)

    @functools.cached_property
    def table(self) -> Table:
        return Table(self.variant, self.line_up, np.arange(self.players)[None, :], {}, self.seed)


class Left(NamedTuple):
    """A match that somebody left."""

    block: int
    actions: list[int]
    changed: datetime


def begin(path: Path, cell: SeatedCell, match: Match, command: str = "") -> None:
    """Write down that a match has begun: who sits where, and what was done so far."""
    can_be_written(path)
    blocks = 1
    if path.exists():
        with reading(path) as session:
            query = "SELECT count(*) FROM actions WHERE cell_id = ? AND block != ?"
            blocks += connection(session).execute(query, [cell.id, match.block]).fetchone()[0]
            _refuse_another(connection(session), cell, match)
    describe(Plan((cell,), blocks, cell.seed, f"play {cell.variant.name}", f"{cell.line_up_name()}, as seated"), path, command)
    save(path, cell, match)


def _refuse_another(con: Any, cell: SeatedCell, match: Match) -> None:
    """A stored match stays as it was: the same luck is not played twice by the same line-up."""
    query = """SELECT actions FROM actions a WHERE cell_id = ? AND block = ? AND EXISTS (
        FROM match m WHERE m.cell_id = a.cell_id AND m.block = a.block)"""
    stored = con.execute(query, [cell.id, match.block]).fetchone()
    if stored and list(stored[0]) != match.actions:
        raise BadInput(f"block {match.block} of seed {cell.seed} is stored already, as this line-up played it; take another block")


def save(path: Path, cell: SeatedCell, match: Match) -> None:
    """Write down the actions so far, in place of what was there."""
    place = [cell.id, match.block, match.arrangement]
    with writing(path) as session:
        con = connection(session)
        con.execute("DELETE FROM actions WHERE cell_id = ? AND block = ? AND arrangement = ?", place)
        now = datetime.now(UTC).replace(tzinfo=None)
        con.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", [*place, match.actions, now])


def finish(path: Path, cell: SeatedCell, match: Match) -> str:
    """Store a match that is over, with all the columns of any other; returns its id, for `replay`."""
    save(path, cell, match)
    store_played(path, [Played(cell, match.block, 1, measured(match), 0.0)])
    return f"{cell.id}/{match.block}/{match.arrangement}"


def keep_match(match: Match, line_up: Sequence[Agent], into: str | Path = "boardgames.duckdb") -> str:
    """Store a match that was stepped from Python, whoever played it; returns its id, for `replay`. Keeping it twice is no harm."""
    path = Path(into)
    if match.on:
        raise BadInput("this match is not over; a match is stored when it has ended")
    if match.arrangement:
        raise BadInput("this match belongs to a batch, which `simulate` stores; keep matches of arrangement 0")
    cell = SeatedCell(match.variant, tuple(line_up), match.seed)
    begin(path, cell, match)
    return finish(path, cell, match)


def measured(match: Match) -> Batch:
    """The rows of a match as a batch would have them: the engine's own loop does the same again, and measures."""
    again = Match(match.variant, match.seats, seed=match.seed, block=match.block)
    chosen = []
    for action in match.actions:
        if len(again.legal()) > 1:  # nobody is asked where there is nothing to choose
            chosen.append(action)
        again.play(action)
    left = iter(chosen)
    same = Agent(Family("again", lambda *position: next(left), "does what was done"), "again", {})
    table = set_table(match.variant, [same] * match.seats, match.seed, plain=True)
    return table.play(match.block, 1, make_desk(match.game, table.line_up))


def stored_actions(path: Path, cell: int, block: int, arrangement: int = 0) -> list[int] | None:
    """What was done in a match, if it was written down; None if its seed is all there is."""
    query = "SELECT actions FROM actions WHERE cell_id = ? AND block = ? AND arrangement = ?"
    with reading(path) as session:
        found = connection(session).execute(query, [cell, block, arrangement]).fetchone()
    return list(found[0]) if found else None


def left_off(path: Path, cell: SeatedCell, block: int | None = None) -> Left | None:
    """The match of this line-up that is under way, on a certain block or any."""
    query = """SELECT block, actions, changed FROM actions a WHERE cell_id = $cell AND block = coalesce($block::BIGINT, block)
        AND NOT EXISTS (FROM match m WHERE m.cell_id = a.cell_id AND m.block = a.block) ORDER BY changed DESC LIMIT 1"""
    if not path.exists():
        return None
    with reading(path) as session:
        found = connection(session).execute(query, {"cell": cell.id, "block": block}).fetchone()
    return Left(*found) if found else None


def left_behind(path: Path, cell: SeatedCell) -> bool:
    """Whether there is a match under way by this line-up and variant, but by other rules or another engine."""
    query = """SELECT 1 FROM actions x JOIN cell c ON c.id = x.cell_id JOIN variant v ON v.id = c.variant_id
        WHERE v.name = ? AND c.line_up = ? AND c.seed = ? AND c.id != ? AND NOT EXISTS (
        FROM match m WHERE m.cell_id = x.cell_id AND m.block = x.block) LIMIT 1"""
    with reading(path) as session:
        about = [cell.variant.name, cell.line_up_name(), cell.seed, cell.id]
        return connection(session).execute(query, about).fetchone() is not None


def next_block(path: Path, who: str, seed: int) -> int:
    """The first block whose luck this person has not seen, in any match of this seed."""
    query = """SELECT max(x.block) FROM actions x JOIN cell c ON c.id = x.cell_id JOIN seating s ON s.cell_id = c.id
        JOIN agent a ON a.id = s.agent_id WHERE a.name = ? AND c.seed = ?"""
    if not path.exists():
        return 0
    with reading(path) as session:
        (last,) = connection(session).execute(query, [who, seed]).fetchone()
    return 0 if last is None else int(last) + 1


def play_back(variant: Variant, seats: int, actions: Sequence[int], seed: int, block: int, plain: bool = True) -> Match:
    """A match again from its actions, as far as they go."""
    match = Match(variant, seats, seed=seed, block=block, plain=plain)
    for action in actions:
        match.play(action)
    return match
