"""The tables of a file of results, and how older files get them. Small tables are SQLModel models; bulk ones
are plain SQL.
"""

import re
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column
from sqlmodel import Field, SQLModel

from boardgames import __version__
from boardgames.game.game import MAX_TALLIES

SCHEMA = 7


def _key() -> Any:
    return Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))


def _big() -> Any:
    return Field(sa_column=Column(BigInteger, nullable=False))


def _json() -> Any:
    return Field(sa_column=Column(JSON))


class FileInfo(SQLModel, table=True):
    """What kind of file this is."""

    __tablename__ = "boardgames_file"
    schema_version: int = Field(primary_key=True)
    made_by: str = __version__


class Run(SQLModel, table=True):
    """What somebody asked for, and where it ran."""

    __tablename__ = "run"
    number: int = _key()
    name: str
    note: str = ""
    command: str = ""
    seed: int = _big()
    created: datetime = Field(default_factory=lambda: datetime.now(UTC))
    versions: dict[str, str] = _json()
    machine: str = ""


class StoredVariant(SQLModel, table=True):
    """A variant with all its parameters, and the fingerprint of its rules."""

    __tablename__ = "variant"
    id: int = _key()
    game: str
    name: str
    why: str
    spec: str  # what to type to get it again
    fingerprint: str
    parameters: dict[str, str] = _json()
    ends: list[str] = _json()
    tallies: list[str] = _json()
    reconstructed: dict[str, str] = _json()


class StoredAgent(SQLModel, table=True):
    __tablename__ = "agent"
    id: int = _key()
    name: str
    family: str
    parameters: dict[str, str] = _json()
    fingerprint: str


class Cell(SQLModel, table=True):
    """One variant, player count and line-up, on the luck of one master seed."""

    __tablename__ = "cell"
    id: int = _key()
    variant_id: int = _big()
    players: int
    line_up: str
    seed: int = _big()
    engine: int
    seatings: int


class Seating(SQLModel, table=True):
    """Who sits where in each seating of a cell's line-up; seat 1 starts."""

    __tablename__ = "seating"
    cell_id: int = _key()
    seating: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    slot: int  # in the line-up as typed, from 1
    agent_id: int = _big()


class RunCell(SQLModel, table=True):
    """How many deals of a cell a run asked for."""

    __tablename__ = "run_cell"
    run: int = _key()
    cell_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    deals: int


class Registration(SQLModel, table=True):
    """What a comparison will be judged by, written down before its first match; a later version shows a
    change of mind.
    """

    __tablename__ = "registration"
    id: int = _key()
    version: int = Field(primary_key=True)
    created: datetime = Field(default_factory=lambda: datetime.now(UTC))
    matches_before: int = _big()  # stored when it was written down
    name: str
    terms: dict[str, Any] = _json()


class StoredFix(SQLModel, table=True):
    """The answer to a search for a fix, so that pages need not work it out again."""

    __tablename__ = "fix"
    id: int = _key()
    created: datetime = Field(default_factory=lambda: datetime.now(UTC))
    variant: str  # the baseline
    answer: dict[str, Any] = _json()
    cells: list[int] = _json()  # that it rests on


class RealMatch(SQLModel, table=True):
    """A match that people played at a table, as `boardgames import` read it."""

    __tablename__ = "real_match"
    id: int = _key()
    date: date
    game: str
    variant: str
    players: int
    minutes: float | None = None
    rounds: int | None = None
    source: str = ""  # the file it came from


class RealSeat(SQLModel, table=True):
    """Who sat where in it; seat 1 started."""

    __tablename__ = "real_seat"
    match_id: int = _key()
    seat: int = Field(primary_key=True)
    person: str
    score: int


# One column per tally: each is packed by its own range. A file has as many as the games in it need: empty
# ones cost time.
TALLY_COLUMNS = [f"tally_{place}" for place in range(1, MAX_TALLIES + 1)]

BULK = """
CREATE TABLE IF NOT EXISTS batch (
    cell_id BIGINT, first_deal BIGINT, deals BIGINT, matches BIGINT, seconds DOUBLE, stored TIMESTAMP);
CREATE TABLE IF NOT EXISTS match (
    cell_id BIGINT, deal BIGINT, seating SMALLINT, hash BIGINT, turns INTEGER, rounds INTEGER,
    decisions INTEGER, forced INTEGER,
    branching BIGINT, log_branching BIGINT, widest INTEGER, "end" SMALLINT, tied SMALLINT,
    winners SMALLINT, winning_margin INTEGER,
    lead_changes INTEGER, last_lead_change INTEGER, leaders_25 SMALLINT, leaders_50 SMALLINT,
    leaders_75 SMALLINT);
CREATE TABLE IF NOT EXISTS seat (
    cell_id BIGINT, deal BIGINT, seating SMALLINT, seat SMALLINT, score INTEGER, rank SMALLINT, turns INTEGER,
    decisions INTEGER, opening INTEGER, rounds_led INTEGER, deficit BIGINT, score_25 INTEGER,
    score_50 INTEGER, score_75 INTEGER,
    evaluation_25 BIGINT, evaluation_50 BIGINT, evaluation_75 BIGINT);
CREATE TABLE IF NOT EXISTS slice (cell_id BIGINT, slice BIGINT, value VARCHAR, deals INTEGER, total DOUBLE,
    squares DOUBLE);
CREATE TABLE IF NOT EXISTS actions (cell_id BIGINT, deal BIGINT, seating SMALLINT, actions INTEGER[],
    changed TIMESTAMP);
CREATE TABLE IF NOT EXISTS pair (
    cell_a BIGINT, cell_b BIGINT, first_deal BIGINT, deals BIGINT, value VARCHAR, total DOUBLE,
    squares DOUBLE, differences DOUBLE[], counts DOUBLE[]);
CREATE TABLE IF NOT EXISTS luck (
    cell_id BIGINT, first_deal BIGINT, deals BIGINT, sources VARCHAR[], mix SMALLINT, seat SMALLINT,
    masks INTEGER[], win_shares DOUBLE[], scores INTEGER[]);
"""

TABLES = {*SQLModel.metadata.tables, *re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", BULK)}

VIEWS = """
CREATE OR REPLACE VIEW cells AS
SELECT c.id AS cell_id, v.game, v.name AS variant, c.players, c.line_up, c.seed, v.fingerprint,
    coalesce(sum(b.deals), 0)::BIGINT AS deals, coalesce(sum(b.matches), 0)::BIGINT AS matches
FROM cell c JOIN variant v ON v.id = c.variant_id LEFT JOIN batch b ON b.cell_id = c.id GROUP BY ALL;

CREATE OR REPLACE VIEW matches AS
SELECT v.game, v.name AS variant, c.players, c.line_up, c.seed,
    CASE m."end" WHEN 0 THEN 'cut off' ELSE (v.ends::VARCHAR[])[m."end"] END AS end_reason,
    m.* EXCLUDE ("end")
FROM match m JOIN cell c ON c.id = m.cell_id JOIN variant v ON v.id = c.variant_id;

CREATE OR REPLACE VIEW results AS
SELECT m.game, m.variant, m.players, m.line_up, m.deal, m.seating, s.seat, a.name AS agent, s.score, s.rank,
    CASE s.rank WHEN 1 THEN 1.0 / m.winners ELSE 0.0 END AS win_share, m.turns, m.decisions, m.end_reason,
    m.seed, m.cell_id
FROM matches m JOIN seat s ON s.cell_id = m.cell_id AND s.deal = m.deal AND s.seating = m.seating
JOIN seating t ON t.cell_id = s.cell_id AND t.seating = s.seating AND t.seat = s.seat
JOIN agent a ON a.id = t.agent_id;

CREATE OR REPLACE VIEW people AS
SELECT 'imported' AS source, m.date AS evening, m.game, m.variant, m.players, s.seat, s.person, s.score,
    NULL AS win_share,
    m.minutes, m.rounds, '' AS line_up, m.id::VARCHAR AS "match"
FROM real_match m JOIN real_seat s ON s.match_id = m.id
UNION ALL
SELECT 'played here', x.changed::DATE, r.game, r.variant, r.players, r.seat, regexp_replace(r.agent,
    '^human:', ''), r.score,
    r.win_share, NULL, m.rounds, r.line_up, concat_ws('/', r.cell_id, r.deal, r.seating)
FROM results r JOIN match m USING (cell_id, deal, seating) JOIN actions x USING (cell_id, deal, seating)
JOIN seating t ON t.cell_id = r.cell_id AND t.seating = r.seating AND t.seat = r.seat
JOIN agent a ON a.id = t.agent_id WHERE a.family = 'human';
"""
