"""What the result file has: stored ranges of deals, sums, cells, and rows as the engine's arrays."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
from sqlmodel import Session, select

from boardgames.errors import InvalidInput, UnusableFile
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan
from boardgames.plan.played import Rows, StorableCell
from boardgames.plan.ranges import find_gaps
from boardgames.play.batch import Batch
from boardgames.play.engine import MATCH, make_seat_type
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.opening.damage import explain_damage, make_damage_error
from boardgames.store.schema import Cell, Seating, StoredVariant
from boardgames.store.tables.bulk import TALLY_COLUMNS


def find_known_cells(session: Session, cells: Collection[int]) -> set[int]:
    """Those of these cells that the file has."""
    query = "SELECT id FROM cell WHERE list_contains(?, id)"
    return {cell for (cell,) in get_connection(session).execute(query, [list(cells)]).fetchall()}


def find_stored_ranges(session: Session, cells: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """The ranges (first, count) of stored deals, by cell."""
    ranges: dict[int, list[tuple[int, int]]] = {cell: [] for cell in cells}
    query = "SELECT cell_id, first_deal, deals FROM batch WHERE list_contains(?, cell_id)"
    for cell, first, deals in get_connection(session).execute(query, [list(ranges)]).fetchall():
        ranges[cell].append((first, deals))
    return ranges


def find_missing(plan: Plan, db: Path) -> dict[int, list[tuple[int, int]]]:
    """The ranges (first, count) of deals that a plan still has to play, by cell."""
    cells = [cell.id for cell in plan.cells]
    if not db.exists():
        return {cell: [(0, plan.deals[cell])] for cell in cells}
    with open_for_reading(db) as session:
        stored = find_stored_ranges(session, cells)
        return {cell: find_gaps(ranges, plan.deals[cell]) for cell, ranges in stored.items()}


def load_totals(
    db: Path, cells: Mapping[int, PlannedCell], unstored: pa.Table | None = None
) -> dict[int, dict[str, tuple[int, float, float]]]:
    """By cell and value: number of deals, sum and sum of squares. Read from slices, never from matches;
    `rebuild_slices` fills those of older files, unless the rows that are not stored are given."""
    totals: dict[int, dict[str, tuple[int, float, float]]] = {cell: {} for cell in cells}
    with open_for_reading(db) as session:
        con = get_connection(session)
        con.execute("SET threads = 1")  # several would add up fractions in another order each time
        source = add_unstored(con, "slice", unstored)
        query = f"SELECT cell_id, value, sum(deals), sum(total), sum(squares) FROM {source} GROUP BY ALL"
        for cell, value, deals, total, squares in con.execute(query).fetchall():
            if cell in totals:
                totals[cell][value] = (int(deals), total, squares)
    return totals


def add_unstored(con: Any, table: str, rows: pa.Table | None) -> str:
    """What to read in place of a table: the table itself, or with rows that are not stored."""
    if rows is None:
        return table
    con.register(f"unstored_{table}", rows)
    return f"(FROM {table} UNION ALL BY NAME FROM unstored_{table})"


@dataclass(frozen=True)
class StoredGame:
    """What a stored variant's game counts."""

    ends: tuple[str, ...]
    tallies: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """A cell of the file with what storing and pairing need; its game need not be installed here."""

    id: int
    game: StoredGame
    players: int
    seatings: int
    seed: int
    engine: int
    line_up: tuple[tuple[int, int], ...]  # slot and agent
    agents: np.ndarray[Any, Any]  # by seating and seat, the first slot of its agent


def make_stored_cell(cell: Cell, variant: StoredVariant | None, seats: Iterable[Seating]) -> StoredCell:
    """A stored cell from its rows."""
    if variant is None:
        raise UnusableFile(f"cell {cell.id} has lost its variant: the file is damaged")
    seat_rows = {(s.seating, s.seat): s for s in seats if s.cell_id == cell.id}
    first_slots = {s.agent_id: s.slot for s in sorted(seat_rows.values(), key=lambda s: -s.slot)}
    agents = [
        [first_slots[seat_rows[seating, seat].agent_id] for seat in range(1, cell.players + 1)]
        for seating in range(cell.seatings)
    ]
    return StoredCell(
        id=cell.id,
        game=StoredGame(tuple(variant.ends), tuple(variant.tallies)),
        players=cell.players,
        seatings=cell.seatings,
        seed=cell.seed,
        engine=cell.engine,
        line_up=tuple(sorted((s.slot, s.agent_id) for s in seat_rows.values() if s.seating == 0)),
        agents=np.array(agents),
    )


def load_cell(session: Session, db: Path, cell_id: int) -> StoredCell:
    """The stored cell with this id."""
    cell = session.get(Cell, cell_id)
    if cell is None:
        raise InvalidInput(f"{db} has no cell {cell_id}")
    seats = session.exec(select(Seating).where(Seating.cell_id == cell_id)).all()
    return make_stored_cell(cell, session.get(StoredVariant, cell.variant_id), seats)


def read_batch(db: Path, cell: StorableCell, first: int, deals: int) -> Batch:
    """Stored rows as the engine's arrays."""
    with open_for_reading(db) as session, explain_damage(db):
        rows = read_rows(get_connection(session), cell, f"deal >= {first} AND deal < {first + deals}")
        if problem := find_rows_problem(rows, cell, first, deals):
            raise make_damage_error(db, f"{problem} (cell {cell.id})")
        return make_batch(rows, cell)


def read_rows(con: Any, cell: StorableCell, where: str) -> Rows:
    """The stored rows of those deals of a cell that a condition in SQL names, in their order."""
    columns, seat_columns = (", ".join(f'"{name}"' for name in s.names) for s in make_schemas(cell))
    where = f"WHERE cell_id = {cell.id} AND {where}"
    matches = con.sql(f"SELECT {columns} FROM match {where} ORDER BY deal, seating")
    seats = con.sql(f"SELECT {seat_columns} FROM seat {where} ORDER BY deal, seating, seat")
    return Rows(matches.to_arrow_table(), seats.to_arrow_table())


def make_schemas(cell: StorableCell) -> tuple[pa.Schema, pa.Schema]:
    """The columns that rows of a cell have in the tables `match` and `seat`."""
    seat_type = make_seat_type(len(cell.game.tallies))
    matches = [_make_field(MATCH, name) for name in MATCH.names or () if name != "_"]
    names = [name for name in seat_type.names or () if name not in ("_", "tally", "win_share")]
    seats = [
        *(_make_field(MATCH, name) for name in ("deal", "seating")),
        ("seat", pa.int16()),
        *(_make_field(seat_type, name) for name in names),
        *((name, pa.int16()) for name in TALLY_COLUMNS[: len(cell.game.tallies)]),
    ]
    return pa.schema([("cell_id", pa.int64()), *matches]), pa.schema([("cell_id", pa.int64()), *seats])


def _make_field(dtype: np.dtype[Any], name: str) -> tuple[str, pa.DataType]:
    return name, pa.from_numpy_dtype(dtype[name])


def find_rows_problem(rows: Rows, cell: StorableCell, first: int, deals: int) -> str | None:
    """Why these rows are not those of every deal, seating and seat, each once and in this order; None if they
    are. What they say of a match is only looked at for what no match can be.
    """
    for table, schema in zip(rows[:2], make_schemas(cell), strict=True):
        if problem := _find_schema_problem(table, schema):
            return problem
    if not _is_complete(rows.match, rows.seat, cell, first, deals):
        return "it lacks matches, or has some twice"
    return None if _is_possible(rows, cell) else "it has results that no match has"


def _find_schema_problem(table: pa.Table, schema: pa.Schema) -> str | None:
    types, wanted = (dict(zip(s.names, s.types, strict=True)) for s in (table.schema, schema))
    if types != wanted or len(table.schema) != len(schema):
        names = [name for name in {**wanted, **types} if types.get(name) != wanted.get(name)]
        return f"the columns are not those of a match: {', '.join(names) or 'one is there twice'}"
    empty = [name for name in schema.names if table[name].null_count]
    return f"values are missing in the column {empty[0]}" if empty else None


def _is_complete(matches: pa.Table, seats: pa.Table, cell: StorableCell, first: int, deals: int) -> bool:
    """Whether these sorted rows are those of every deal, seating and seat, each once."""
    shape = deals, len(cell.agents), cell.players
    if len(matches) != deals * len(cell.agents) or len(seats) != len(matches) * cell.players:
        return False
    names = ("deal", "seating", "seat")
    by_seat = np.indices(shape).reshape(3, -1) + np.array([[first], [0], [1]])
    by_match = by_seat[:2, :: cell.players]
    return all(
        np.array_equal(table[name].to_numpy(), numbers)
        for table, wanted in ((seats, by_seat), (matches, by_match))
        for name, numbers in (*zip(names, wanted, strict=False), ("cell_id", np.full(len(table), cell.id)))
    )


def _is_possible(rows: Rows, cell: StorableCell) -> bool:
    """Whether the ranks, the winners, the end and the decisions of each match fit together."""
    ranks, seat_decisions = (
        rows.seat[name].to_numpy().reshape(-1, cell.players) for name in ("rank", "decisions")
    )
    names = ("winners", "end", "decisions", "forced")
    winners, end, decisions, forced = (rows.match[name].to_numpy() for name in names)
    return bool(
        ((ranks >= 1) & (ranks <= cell.players)).all()
        and ((ranks == 1).sum(axis=1) == winners).all()
        and (winners >= 1).all()
        and ((end >= 0) & (end <= len(cell.game.ends))).all()
        and (seat_decisions.sum(axis=1) == decisions).all()
        and ((forced >= 0) & (forced <= decisions)).all()
    )


def make_batch(rows: Rows, cell: StorableCell) -> Batch:
    """Rows in Arrow as the engine's arrays."""
    return Batch(_make_records(rows.match, MATCH), _make_seat_records(rows.seat, cell))


def _make_records(table: pa.Table, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    rows = np.zeros(len(table), dtype)
    for name in set(dtype.names or ()) & set(table.column_names) - {"tally"}:
        rows[name] = table[name].to_numpy()
    return rows


def _make_seat_records(table: pa.Table, cell: StorableCell) -> np.ndarray[Any, Any]:
    tallies = len(cell.game.tallies)
    rows = _make_records(table, make_seat_type(tallies))
    for index in range(tallies):
        rows["tally"][:, index] = table[TALLY_COLUMNS[index]].to_numpy()
    rows = rows.reshape(-1, cell.players)
    winners = (rows["rank"] == 1).sum(axis=1, keepdims=True)
    rows["win_share"] = (rows["rank"] == 1) / winners
    return rows
