"""Played batches as rows of the store, and what the store already has."""

import platform
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
from sqlmodel import Session, SQLModel, func, select

from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, Played, Rows, agent_fingerprint, circumstances, hash63
from boardgames.experiment.values import block_values, gaps, match_values, slice_sums
from boardgames.files import check_output
from boardgames.play.batch import Batch
from boardgames.play.engine import ENGINE, MATCH, seat_record
from boardgames.store.connection import connection, insert, reading, writing
from boardgames.store.schema import TALLY_COLUMNS, Cell, Experiment, Seating, Share, StoredAgent, StoredVariant

# ---- what there is


def covered(session: Session, cells: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """The runs of blocks that are stored, by cell."""
    found: dict[int, list[tuple[int, int]]] = {cell: [] for cell in cells}
    for cell, first, blocks in connection(session).execute("SELECT cell_id, first_block, blocks FROM batch").fetchall():
        if cell in found:
            found[cell].append((first, blocks))
    return found


def missing(plan: Plan, path: Path) -> dict[int, list[tuple[int, int]]]:
    """The runs of blocks that a plan still has to play, by cell."""
    cells = [cell.id for cell in plan.cells]
    if not path.exists():
        return {cell: [(0, plan.blocks)] for cell in cells}
    with reading(path) as session:
        return {cell: gaps(done, plan.blocks) for cell, done in covered(session, cells).items()}


# ---- the small tables


def describe(plan: Plan, path: Path, command: str) -> int:
    """Write down what is going to be played, before the first match; returns the experiment's number.

    Asking again for the same thing is the same experiment; asking for more blocks raises its share.
    """
    with writing(path) as session:
        for row in _described(plan):
            keep(session, row)
        number = _same_experiment(session, plan)
        if number is None:
            number = (session.exec(select(func.max(Experiment.number))).one() or 0) + 1
            where = f"{platform.machine()}, {platform.system()}"
            said: dict[str, Any] = {"name": plan.name, "note": plan.note, "command": command, "seed": plan.seed}
            session.add(Experiment(number=number, versions=circumstances(), machine=where, **said))
        for cell in plan.cells:
            share = session.get(Share, (number, cell.id)) or Share(experiment=number, cell_id=cell.id, blocks=0)
            share.blocks = max(share.blocks, plan.blocks)
            session.add(share)
        return number


def _same_experiment(session: Session, plan: Plan) -> int | None:
    cells = {cell.id for cell in plan.cells}
    for experiment in session.exec(select(Experiment).where(Experiment.name == plan.name, Experiment.note == plan.note)).all():
        shares = session.exec(select(Share.cell_id).where(Share.experiment == experiment.number)).all()
        if set(shares) == cells:
            return experiment.number
    return None


def keep(session: Session, row: SQLModel) -> None:
    """Add a row unless one with its key is there."""
    key = tuple(getattr(row, column.name) for column in row.__table__.primary_key)  # type: ignore[attr-defined]
    if session.get(type(row), key) is None:
        session.add(row)


def _described(plan: Plan) -> list[SQLModel]:
    rows: list[SQLModel] = []
    for cell in plan.cells:
        variant = _variant_row(cell)
        rows += [variant, *(_agent_row(agent) for agent in cell.line_up)]
        seatings = cell.table.seatings
        about: dict[str, Any] = {"players": cell.players, "line_up": cell.line_up_name(), "seed": cell.seed, "engine": ENGINE}
        rows.append(Cell(id=cell.id, variant_id=variant.id, seatings=len(seatings), **about))
        rows += [
            Seating(cell_id=cell.id, arrangement=a, seat=s + 1, place=int(p) + 1, agent_id=_agent_row(cell.line_up[p]).id)
            for a, order in enumerate(seatings)
            for s, p in enumerate(order)
        ]
    return rows


def _variant_row(cell: PlannedCell) -> StoredVariant:
    variant, game = cell.variant, cell.variant.game
    return StoredVariant(
        id=hash63(variant.name, variant.fingerprint()),
        game=game.name,
        name=variant.name,
        why=variant.why,
        spec=variant.spec or variant.name,
        fingerprint=variant.fingerprint(),
        parameters={p.name: p.write(variant.values[p.name]) for p in game.parameters},
        ends=list(game.ends),
        tallies=list(game.tallies),
        reconstructed=dict(game.reconstructed),
    )


def _agent_row(agent: Any) -> StoredAgent:
    print_ = agent_fingerprint(agent)
    parameters = {name: str(value) for name, value in agent.values.items()}
    return StoredAgent(
        id=hash63(agent.name, print_), name=agent.name, family=agent.family.name, parameters=parameters, fingerprint=print_
    )


# ---- the bulk tables


def store_played(path: Path, played: Sequence[Played], patience: float | None = None) -> None:
    """All these batches in one transaction. Blocks that another command has stored meanwhile are left out."""
    with writing(path, patience) as session:
        done = covered(session, {part.cell.id for part in played})
        fresh = [piece for part in played for piece in _not_yet(part, done[part.cell.id])]
        con = connection(session)
        con.execute("SET threads = 1")  # the other cores are playing; and one thread packs the rows more densely
        _make_room(con, fresh)
        if fresh:
            for name, tables in zip(Rows._fields, zip(*map(as_rows, fresh), strict=True), strict=True):
                insert(con, name, pa.concat_tables(tables, promote_options="default"))  # games differ in their tallies
            insert(con, "batch", pa.concat_tables([_batch_table(part) for part in fresh]))


def as_rows(part: Played) -> Rows:
    """What a batch adds to the bulk tables."""
    if isinstance(part.batch, Rows):
        return part.batch
    return Rows(_match_table(part.cell, part.batch), _seat_table(part.cell, part.batch), _slice_table(part, part.batch))


def _make_room(con: Any, played: Sequence[Played]) -> None:
    """A column for each tally of the games that arrive."""
    most = max((len(part.cell.variant.game.tallies) for part in played), default=0)
    (there,) = con.execute(
        "SELECT count(*) FROM duckdb_columns() WHERE table_name = 'seat' AND column_name LIKE 'tally%'"
    ).fetchone()
    for name in TALLY_COLUMNS[there:most]:
        con.execute(f"ALTER TABLE seat ADD COLUMN {name} SMALLINT")


def _not_yet(part: Played, done: list[tuple[int, int]]) -> list[Played]:
    """The pieces of a batch that are not stored yet: mostly all of it in one."""
    runs = gaps([(0, part.first), *done], part.first + part.blocks)
    if runs == [(part.first, part.blocks)]:
        return [part]
    whole = _as_batch(part.batch, part.cell) if isinstance(part.batch, Rows) else part.batch
    pieces, seatings = [], part.matches // part.blocks
    for first, many in runs:
        rows = slice((first - part.first) * seatings, (first - part.first + many) * seatings)
        pieces.append(part._replace(first=first, blocks=many, batch=Batch(whole.matches[rows], whole.seats[rows])))
    return pieces


def _match_table(cell: Any, batch: Batch) -> pa.Table:
    rows = batch.matches
    columns = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names if name != "_"}
    return pa.table({"cell_id": np.full(len(rows), cell.id), **columns})


def _seat_table(cell: Any, batch: Batch) -> pa.Table:
    matches, seats = batch.matches, batch.seats
    many, players = seats.shape
    tallies = len(cell.variant.game.tallies)
    columns: dict[str, Any] = {
        name: np.ascontiguousarray(seats[name]).ravel() for name in seats.dtype.names if name not in ("_", "tally", "win_share")
    }
    columns |= {TALLY_COLUMNS[t]: np.ascontiguousarray(seats["tally"][:, :, t]).ravel() for t in range(tallies)}
    return pa.table(
        {
            "cell_id": np.full(many * players, cell.id),
            "block": np.repeat(matches["block"], players),
            "arrangement": np.repeat(matches["arrangement"], players),
            "seat": np.tile(np.arange(1, players + 1, dtype=np.int16), many),
            **columns,
        }
    )


def _slice_table(part: Played, batch: Batch) -> pa.Table:
    values = match_values(part.cell.variant.game, batch, part.cell.agents)
    values = block_values(values, part.matches // part.blocks)
    slices, counts, sums = slice_sums(values, part.first)
    many = len(sums)
    return pa.table(
        {
            "cell_id": np.full(many * len(slices), part.cell.id),
            "slice": np.tile(slices, many),
            "value": pa.array([one.name for one in sums for _ in slices], pa.string()),
            "blocks": np.tile(counts.astype(np.int32), many),
            "total": np.concatenate([one.total for one in sums]),
            "squares": np.concatenate([one.squares for one in sums]),
        }
    )


def _batch_table(part: Played) -> pa.Table:
    return pa.table(
        {
            "cell_id": [part.cell.id],
            "first_block": [part.first],
            "blocks": [part.blocks],
            "matches": [part.matches],
            "seconds": [part.seconds],
            "stored": pa.array([datetime.now(UTC).replace(tzinfo=None)], pa.timestamp("us")),
        }
    )


def refill(path: Path) -> None:
    """Work out the slices of cells that have none: a file of an older version has lost them, because it kept fewer values."""
    empty = "SELECT cell_id, first_block, blocks, seconds FROM batch WHERE cell_id NOT IN (SELECT DISTINCT cell_id FROM slice)"
    with reading(path) as session:
        batches = connection(session).execute(empty).fetchall()
        cells = {number: found_cell(session, path, number) for number in {batch[0] for batch in batches}}
    for number, cell in cells.items():
        tables = []
        for first, blocks, seconds in (rest for cell_id, *rest in batches if cell_id == number):
            batch = read_batch(path, cell, first, blocks)
            tables.append(_slice_table(Played(cell, first, blocks, batch, seconds), batch))
        with writing(path) as session:  # a cell at once: half of its slices would count as all
            con = connection(session)
            if not con.execute("SELECT 1 FROM slice WHERE cell_id = ? LIMIT 1", [number]).fetchone():
                insert(con, "slice", pa.concat_tables(tables))


def totals(path: Path, cells: Mapping[int, PlannedCell]) -> dict[int, dict[str, tuple[int, float, float]]]:
    """By cell and value: blocks, total and sum of squares over blocks. Read from slices, never from matches."""
    found: dict[int, dict[str, tuple[int, float, float]]] = {cell: {} for cell in cells}
    query = "SELECT cell_id, value, sum(blocks), sum(total), sum(squares) FROM slice GROUP BY ALL"
    refill(path)
    with reading(path) as session:
        for cell, value, blocks, total, squares in connection(session).execute(query).fetchall():
            if cell in found:
                found[cell][value] = (int(blocks), total, squares)
    return found


def can_be_written(path: Path) -> None:
    """Say at once, not after an hour, that a file cannot be made."""
    check_output(path)
    if path.exists() and not path.is_file():
        raise BadInput(f"{path} is no file on a disk; name one")


def command_line(without: str = "") -> str:
    """What was typed, to be typed again."""
    return shlex.join(["boardgames", *(word for word in sys.argv[1:] if word != without)])


# ---- rows back into the engine's form


def stored_cell(cell: Cell, variant: StoredVariant | None, seats: Iterable[Seating]) -> Any:
    """A cell of a file as far as storing needs it; its game need not be installed here."""
    if variant is None:
        raise BadInput(f"cell {cell.id} has lost its variant: the file is damaged")
    game = SimpleNamespace(ends=variant.ends, tallies=tuple(variant.tallies))
    about = {"players": cell.players, "seatings": cell.seatings, "seed": cell.seed, "engine": cell.engine}
    who = {(s.arrangement, s.seat): s for s in seats if s.cell_id == cell.id}
    first = {s.agent_id: s.place for s in sorted(who.values(), key=lambda s: -s.place)}
    agents = np.array([[first[who[a, s + 1].agent_id] for s in range(cell.players)] for a in range(cell.seatings)])
    line_up = tuple(sorted((s.place, s.agent_id) for s in who.values() if s.arrangement == 0))
    return SimpleNamespace(id=cell.id, variant=SimpleNamespace(game=game), agents=agents, line_up=line_up, **about)


def found_cell(session: Session, path: Path, number: int) -> Any:
    """A cell of a file by its number."""
    cell = session.get(Cell, number)
    if cell is None:
        raise BadInput(f"{path} has no cell {number}")
    seats = session.exec(select(Seating).where(Seating.cell_id == number)).all()
    return stored_cell(cell, session.get(StoredVariant, cell.variant_id), seats)


def read_batch(path: Path, cell: Any, first: int, blocks: int) -> Batch:
    """Stored rows back in the engine's form."""
    where = f"WHERE cell_id = {cell.id} AND block >= {first} AND block < {first + blocks}"
    with reading(path) as session:
        con = connection(session)
        matches = con.sql(f"SELECT * FROM match {where} ORDER BY block, arrangement").to_arrow_table()
        seats = con.sql(f"SELECT * FROM seat {where} ORDER BY block, arrangement, seat").to_arrow_table()
    return _as_batch(Rows(matches, seats, None), cell)


def _as_batch(rows: Rows, cell: Any) -> Batch:
    return Batch(_records(rows.match, MATCH), _seat_records(rows.seat, cell))


def _records(table: pa.Table, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    rows = np.zeros(len(table), kind)
    for name in set(kind.names or ()) & set(table.column_names) - {"tally"}:
        rows[name] = table[name].to_numpy()
    return rows


def _seat_records(table: pa.Table, cell: Any) -> np.ndarray[Any, Any]:
    rows = _records(table, seat_record(cell.variant.game))
    tallies = len(cell.variant.game.tallies)
    for place in range(tallies):
        rows["tally"][:, place] = table[TALLY_COLUMNS[place]].to_numpy()
    rows = rows.reshape(-1, cell.players)
    winners = (rows["place"] == 1).sum(axis=1, keepdims=True)
    rows["win_share"] = (rows["place"] == 1) / winners
    return rows
