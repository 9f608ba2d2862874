"""The small tables of a result file, as SQLModel models. What a column means stands beside it, and goes into
the file as its comment. The bulk tables are in tables/bulk.py, the views in tables/views.py.
"""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, Column
from sqlmodel import Field, SQLModel

from boardgames import __version__

SCHEMA = 9


def _column(meaning: str, **options: Any) -> Any:
    return Field(description=meaning, **options)


def _key(meaning: str) -> Any:
    return _column(meaning, sa_column=Column(BigInteger, primary_key=True, autoincrement=False))


def _big(meaning: str) -> Any:
    return _column(meaning, sa_column=Column(BigInteger, nullable=False))


def _json(meaning: str) -> Any:
    return _column(meaning, sa_column=Column(JSON))


def _timestamp(meaning: str) -> Any:
    return _column(meaning, default_factory=lambda: dt.datetime.now(dt.UTC))


class FileInfo(SQLModel, table=True):
    """What kind of file this is."""

    __tablename__ = "boardgames_file"
    schema_version: int = _column("version of these tables", primary_key=True)
    made_by: str = _column("version of boardgames that made the file", default=__version__)


class Run(SQLModel, table=True):
    """What was asked for, and where it ran: one row for each request to play matches."""

    __tablename__ = "run"
    number: int = _key("from 1, in this file; `boardgames runs` shows it")
    name: str = _column("what was compared or played, in short")
    note: str = _column("what was given with --note", default="")
    command: str = _column("the command line", default="")
    seed: int = _big("master seed of all its chance")
    created: dt.datetime = _timestamp("when it was asked for first, UTC")
    versions: dict[str, str] = _json("versions of Python and of packages, by name")
    machine: str = _column("processor and system", default="")


class StoredVariant(SQLModel, table=True):
    """A variant with all its parameters, and the fingerprint of its rules."""

    __tablename__ = "variant"
    id: int = _key("hash of name and fingerprint: the same in every file")
    game: str = _column("name of the game")
    name: str = _column("name of the variant, such as celtica:en")
    why: str = _column("what the variant is there for")
    spec: str = _column("what to type to get it again")
    fingerprint: str = _column("hash of the rules that run: code, data and parameters")
    parameters: dict[str, str] = _json("value of every parameter, by name")
    ends: list[str] = _json("how a match can end: match.end = 1 is the first of these")
    tallies: list[str] = _json("what is counted per seat: seat.tally_1 is the first of these")
    reconstructed: dict[str, str] = _json("printed values that no source documents, by name")


class StoredAgent(SQLModel, table=True):
    """A computer player, or a person, with the fingerprint of what chooses."""

    __tablename__ = "agent"
    id: int = _key("hash of name and fingerprint: the same in every file")
    name: str = _column("as typed, such as mcts:256; human:Ann for a person")
    family: str = _column("kind of agent: random, greedy, mcts, human ...")
    parameters: dict[str, str] = _json("value of every parameter, by name")
    fingerprint: str = _column("hash of what runs: code, parameters and weights")


class Cell(SQLModel, table=True):
    """One variant, player count and line-up, on the luck of one master seed."""

    __tablename__ = "cell"
    id: int = _key("hash of variant, rules, agents, engine and seed: the same in every file")
    variant_id: int = _big("variant.id")
    players: int = _column("player count")
    line_up: str = _column("one agent for all seats, or one for each, separated by commas")
    seed: int = _big(
        "master seed: the same seed and deal mean the same shuffles and dice under every variant"
    )
    engine: int = _column("version of the loop that plays matches")
    seatings: int = _column("matches of one deal: the orders in which the line-up is seated")


class Seating(SQLModel, table=True):
    """Who sits where in each seating of a cell's line-up; seat 1 starts."""

    __tablename__ = "seating"
    cell_id: int = _key("cell.id")
    seating: int = _column("from 0; 0 is the line-up as typed", primary_key=True)
    seat: int = _column("from 1; seat 1 starts", primary_key=True)
    slot: int = _column("place in the line-up as typed, from 1")
    agent_id: int = _big("agent.id")


class RunCell(SQLModel, table=True):
    """How many deals of a cell a run asked for."""

    __tablename__ = "run_cell"
    run: int = _key("run.number")
    cell_id: int = _key("cell.id")
    deals: int = _column("deals asked for: 0 to deals - 1")


class Registration(SQLModel, table=True):
    """What a comparison will be judged by, written down before its first match; a later version shows a
    change of mind.
    """

    __tablename__ = "registration"
    id: int = _key("hash of what is judged")
    version: int = _column("from 1; the highest one counts", primary_key=True)
    created: dt.datetime = _timestamp("when it was written down, UTC")
    matches_before: int = _big("matches that were stored by then")
    name: str = _column("what is judged, in short")
    terms: dict[str, Any] = _json("metrics and thresholds, goals, or the aim of a sweep")


class StoredFix(SQLModel, table=True):
    """The answer to a search for a fix, so that pages need not work it out again."""

    __tablename__ = "fix"
    id: int = _key("hash of the question")
    created: dt.datetime = _timestamp("when it was answered, UTC")
    variant: str = _column("name of the baseline")
    answer: dict[str, Any] = _json("the whole answer")
    cells: list[int] = _json("cell.id of everything that it rests on")


class RealMatch(SQLModel, table=True):
    """A match that people played at a table, as `boardgames import` read it."""

    __tablename__ = "real_match"
    id: int = _key("hash of date, variant, people and scores")
    date: dt.date = _column("day it was played")
    game: str = _column("name of the game")
    variant: str = _column("name of the variant")
    players: int = _column("player count")
    minutes: float | None = _column("how long it took, in minutes; NULL if not known", default=None)
    rounds: int | None = _column("turns of everybody; NULL if not known", default=None)
    source: str = _column("name of the file it came from", default="")


class RealSeat(SQLModel, table=True):
    """Who sat where in a real match."""

    __tablename__ = "real_seat"
    match_id: int = _key("real_match.id")
    seat: int = _column("from 1; seat 1 started", primary_key=True)
    person: str = _column("name as imported")
    score: int = _column("in the game's points")
    win_share: float | None = _column(
        "1 for the best score alone, else 0; NULL if not known: for several with the best score", default=None
    )
