"""Matches of people and Python functions. A seed does not reproduce them, so they are stored with their
actions. (`simulate` stores those of Python agents that are not marked as deterministic in the same table.)

An unfinished match is an entry in the table `actions` without a row in `match`; it can be resumed.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from boardgames.agents.agent import Agent, AgentType
from boardgames.errors import InvalidInput
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import plan_deals
from boardgames.plan.played import PlayedDeals
from boardgames.play.batch import Batch, make_runner, make_scratch
from boardgames.play.match import Match
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.opening.damage import explain_damage
from boardgames.store.write import check_writable, open_for_results, register_run, store_played

HUMAN = "human"


def make_person(name: str = "") -> Agent:
    """A person as an agent with a name. Only `boardgames.people.table` can ask for a choice."""
    agent_type = AgentType(name=HUMAN, choose=_refuse_to_choose, description="a person")
    return Agent(agent_type=agent_type, name=f"{HUMAN}:{name}" if name else HUMAN, values={})


def names_person(name: str) -> bool:
    """Whether a name in a line-up is a person's: `human`, `human:Anna`."""
    return name.partition(":")[0] == HUMAN


def _refuse_to_choose(*position: Any) -> int:
    raise InvalidInput("people are asked by `boardgames play`, not by a simulation")


class MatchWentOn(InvalidInput):
    """A match was played on by another program since this one read it."""


class UnfinishedMatch(NamedTuple):
    """A match that can be resumed."""

    deal: int
    actions: list[int]
    changed: datetime


class RecordedMatch(NamedTuple):
    """A match with stored actions, finished or not."""

    cell_id: int
    deal: int
    seating: int
    variant: str  # its spec
    players: int
    line_up: str
    seed: int
    actions: list[int]
    changed: datetime
    is_finished: bool

    @property
    def id(self) -> str:
        return f"{self.cell_id}/{self.deal}/{self.seating}"


RECORDED = """SELECT x.cell_id, x.deal, x.seating, coalesce(nullif(v.spec, ''), v.name), c.players, c.line_up,
    c.seed, x.actions, x.changed, EXISTS (FROM match m WHERE (m.cell_id, m.deal, m.seating) =
    (x.cell_id, x.deal, x.seating))
FROM actions x JOIN cell c ON c.id = x.cell_id JOIN variant v ON v.id = c.variant_id"""


def load_recorded(db: Path, match_id: str) -> RecordedMatch | None:
    """A match with stored actions; None if there is none."""
    if not db.exists():
        return None
    with open_for_reading(db) as session:
        where = f"{RECORDED} WHERE (x.cell_id, x.deal, x.seating) = (?, ?, ?)"
        row = get_connection(session).execute(where, parse_match_id(match_id)).fetchone()
    return RecordedMatch(*row) if row else None


def parse_match_id(match_id: str) -> tuple[int, int, int]:
    """Cell, deal and seating of a match."""
    try:
        cell, deal, seating = (int(part) for part in match_id.split("/"))
    except ValueError:
        raise InvalidInput(f"'{match_id}' is not a match ID; IDs look like 4711/0/0") from None
    return cell, deal, seating


def list_unfinished(db: Path) -> list[RecordedMatch]:
    """The unfinished matches of people, those played last first."""
    query = f"""{RECORDED} WHERE EXISTS (FROM seating s JOIN agent a ON a.id = s.agent_id
        WHERE s.cell_id = x.cell_id AND a.family = '{HUMAN}') ORDER BY x.changed DESC"""
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(query).fetchall()
    matches = [RecordedMatch(*row) for row in rows]
    return [match for match in matches if not match.is_finished]


def record_start(db: Path, cell: PlannedCell, match: Match, command: str = "") -> None:
    """Store that a match has begun: its seating and its actions so far."""
    check_writable(db)
    deals = 1
    if db.exists():
        with open_for_reading(db) as session:
            query = "SELECT count(*) FROM actions WHERE cell_id = ? AND deal != ?"
            deals += get_connection(session).execute(query, [cell.id, match.deal]).fetchone()[0]
            _check_not_stored(get_connection(session), cell, match)
    plan = plan_deals([cell], deals, f"play {cell.variant.name}")
    register_run(plan._replace(note=f"{cell.format_line_up()}, as seated"), db, command)
    save_actions(db, cell, match)


def _check_not_stored(con: Any, cell: PlannedCell, match: Match) -> None:
    """Raise if this line-up has a finished match with other actions on this deal: a stored match never
    changes.
    """
    query = """SELECT actions FROM actions a WHERE cell_id = ? AND deal = ? AND EXISTS (
        FROM match m WHERE m.cell_id = a.cell_id AND m.deal = a.deal)"""
    stored = con.execute(query, [cell.id, match.deal]).fetchone()
    if stored and list(stored[0]) != match.actions:
        deal = f"deal {match.deal} of seed {cell.seed}"
        raise InvalidInput(f"{deal} is stored already, as this line-up played it; take another deal")


def save_actions(db: Path, cell: PlannedCell, match: Match, expected: list[int] | None = None) -> None:
    """Store the actions so far, in place of those stored before; if these are not as expected, the match
    went on elsewhere and stays as it is.
    """
    key = [cell.id, match.deal, match.seating]
    where = "WHERE cell_id = ? AND deal = ? AND seating = ?"
    with open_for_results(db, [cell.id]) as session:
        con = get_connection(session)
        stored = con.execute(f"SELECT actions FROM actions {where}", key).fetchone()
        if expected is not None and stored and list(stored[0]) != expected:
            raise MatchWentOn("this match went on in another window or terminal; open it anew to join in")
        con.execute(f"DELETE FROM actions {where}", key)
        now = datetime.now(UTC).replace(tzinfo=None)
        con.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", [*key, match.actions, now])


def store_finished(db: Path, cell: PlannedCell, match: Match) -> str:
    """Store a match that is over, with all columns; returns its id, for `replay`."""
    save_actions(db, cell, match)
    store_played(db, [PlayedDeals(cell, match.deal, 1, replay_as_batch(match), 0.0)])
    return f"{cell.id}/{match.deal}/{match.seating}"


def keep_match(match: Match, line_up: Sequence[Agent], db: str | Path = "boardgames.duckdb") -> str:
    """Store a match that was stepped from Python; returns its id, for `replay`. Storing it twice does no
    harm.
    """
    db = read_path("db", db)
    if match.is_on:
        raise InvalidInput("this match is not over; a match is stored when it has ended")
    if match.earlier_actions:
        raise InvalidInput("this match begins with a position of yours: its deal does not bring it back")
    if match.seating:
        raise InvalidInput(
            "this match belongs to a batch, which `simulate` stores; keep matches of seating 0"
        )
    cell = PlannedCell(match.variant, tuple(line_up), match.seed, rotate_seats=False)
    record_start(db, cell, match)
    return store_finished(db, cell, match)


def replay_as_batch(match: Match) -> Batch:
    """The rows that a match would have in a batch: the engine's own loop replays its actions."""
    replayed = Match(match.variant, match.players, seed=match.seed, deal=match.deal)
    choices = []
    for action in match.actions:
        if len(replayed.legal()) > 1:  # the engine does not ask about forced choices
            choices.append(action)
        replayed.push(action)
    remaining = iter(choices)
    again = AgentType(
        name="again", choose=lambda *position: next(remaining), description="does what was done"
    )
    agent = Agent(agent_type=again, name=again.name, values={})
    runner = make_runner(match.variant, [agent] * match.players, match.seed, compiled=False)
    return runner.run(match.deal, 1, make_scratch(match.game, runner.line_up))


def load_actions(db: Path, cell: int, deal: int, seating: int = 0) -> list[int] | None:
    """The stored actions of a match; None if only its seed is stored."""
    query = "SELECT actions FROM actions WHERE cell_id = ? AND deal = ? AND seating = ?"
    with open_for_reading(db) as session, explain_damage(db):
        row = get_connection(session).execute(query, [cell, deal, seating]).fetchone()
        return [int(action) for action in row[0]] if row else None


def find_unfinished(db: Path, cell: PlannedCell, deal: int | None = None) -> UnfinishedMatch | None:
    """The unfinished match of this line-up, on a given deal or any; None if there is none."""
    query = """SELECT deal, actions, changed FROM actions a
        WHERE cell_id = $cell AND deal = coalesce($deal::BIGINT, deal)
        AND NOT EXISTS (FROM match m WHERE m.cell_id = a.cell_id AND m.deal = a.deal)
        ORDER BY changed DESC LIMIT 1"""
    if not db.exists():
        return None
    with open_for_reading(db) as session:
        row = get_connection(session).execute(query, {"cell": cell.id, "deal": deal}).fetchone()
    return UnfinishedMatch(*row) if row else None


def has_outdated_match(db: Path, cell: PlannedCell) -> bool:
    """Whether this line-up has an unfinished match of this variant by older rules or an older engine."""
    query = """SELECT 1 FROM actions x JOIN cell c ON c.id = x.cell_id JOIN variant v ON v.id = c.variant_id
        WHERE v.name = ? AND c.line_up = ? AND c.seed = ? AND c.id != ? AND NOT EXISTS (
        FROM match m WHERE m.cell_id = x.cell_id AND m.deal = x.deal) LIMIT 1"""
    with open_for_reading(db) as session:
        about = [cell.variant.name, cell.format_line_up(), cell.seed, cell.id]
        return get_connection(session).execute(query, about).fetchone() is not None


def find_next_deal(db: Path, person: str, seed: int) -> int:
    """The first deal of this seed that this person has not seen in any match."""
    query = """SELECT max(x.deal) FROM actions x JOIN cell c ON c.id = x.cell_id
        JOIN seating s ON s.cell_id = c.id JOIN agent a ON a.id = s.agent_id
        WHERE a.name = ? AND c.seed = ?"""
    if not db.exists():
        return 0
    with open_for_reading(db) as session:
        (last,) = get_connection(session).execute(query, [person, seed]).fetchone()
    return 0 if last is None else int(last) + 1


def replay_actions(
    variant: Variant, seats: int, actions: Sequence[int], seed: int, deal: int, compiled: bool = False
) -> Match:
    """A match in the position after these actions."""
    match = Match(variant, seats, seed=seed, deal=deal, compiled=compiled)
    for action in actions:
        match.push(action)
    return match
