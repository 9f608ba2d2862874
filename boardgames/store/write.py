"""Runs and played deals as rows of the result file."""

import json
import platform
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
from sqlmodel import Session, SQLModel, func, select

from boardgames.errors import FileGone, TooMuchUnstored, UnusableFile
from boardgames.files import check_output
from boardgames.plan.cell import PlannedCell, fingerprint_agent, hash63
from boardgames.plan.plan import Plan
from boardgames.plan.played import PlayedDeals, Rows, StorableCell, environment_versions
from boardgames.plan.ranges import find_gaps, intersect_ranges
from boardgames.play.batch import Batch, cut_spans
from boardgames.play.engine import ENGINE_VERSION
from boardgames.store.connection import (
    FLUSH_MATCHES,
    get_connection,
    insert,
    keep_open_for_reading,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.read import find_known_cells, find_stored_ranges, load_cell, make_batch, read_batch
from boardgames.store.schema import (
    Cell,
    Run,
    RunCell,
    Seating,
    StoredAgent,
    StoredFix,
    StoredVariant,
)
from boardgames.store.slices import insert_slices, make_slice_table
from boardgames.store.tables.bulk import TALLY_COLUMNS
from boardgames.store.tables.comments import comment_on_tally


def register_run(plan: Plan, db: Path, command: str) -> int:
    """Store what is going to be played, before the first match; returns the run's number.

    The same request again is the same run; a request for more deals raises its number of deals.
    """
    with open_for_writing(db) as session:
        for row in _make_plan_rows(plan):
            insert_if_missing(session, row)
        number = _find_same_run(session, plan)
        if number is None:
            number = (session.exec(select(func.max(Run.number))).one() or 0) + 1
            machine = f"{platform.machine()}, {platform.system()}"
            fields: dict[str, Any] = {
                "name": plan.name,
                "note": plan.note,
                "command": command,
                "seed": plan.seed,
            }
            session.add(Run(number=number, versions=environment_versions(), machine=machine, **fields))
        for cell in plan.cells:
            run_cell = session.get(RunCell, (number, cell.id)) or RunCell(
                run=number, cell_id=cell.id, deals=0
            )
            run_cell.deals = max(run_cell.deals, plan.deals[cell.id])
            session.add(run_cell)
        return number


def _find_same_run(session: Session, plan: Plan) -> int | None:
    cells = {cell.id for cell in plan.cells}
    for run in session.exec(select(Run).where(Run.name == plan.name, Run.note == plan.note)).all():
        shares = session.exec(select(RunCell.cell_id).where(RunCell.run == run.number)).all()
        if set(shares) == cells:
            return run.number
    return None


def insert_if_missing(session: Session, row: SQLModel) -> None:
    """Add a row unless the file has one with its key."""
    key = tuple(getattr(row, column.name) for column in row.__table__.primary_key)  # type: ignore[attr-defined]
    if session.get(type(row), key) is None:
        session.add(row)


def _make_plan_rows(plan: Plan) -> list[SQLModel]:
    rows: list[SQLModel] = []
    for cell in plan.cells:
        variant = _make_variant_row(cell)
        rows += [variant, *(_make_agent_row(agent) for agent in cell.line_up)]
        about: dict[str, Any] = {
            "players": cell.players,
            "line_up": cell.format_line_up(),
            "seed": cell.seed,
            "engine": ENGINE_VERSION,
        }
        rows.append(Cell(id=cell.id, variant_id=variant.id, seatings=cell.seating_count, **about))
        rows += [
            Seating(
                cell_id=cell.id,
                seating=a,
                seat=s + 1,
                slot=int(p) + 1,
                agent_id=_make_agent_row(cell.line_up[p]).id,
            )
            for a, order in enumerate(cell.seatings)
            for s, p in enumerate(order)
        ]
    return rows


def _make_variant_row(cell: PlannedCell) -> StoredVariant:
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


def _make_agent_row(agent: Any) -> StoredAgent:
    fingerprint = fingerprint_agent(agent)
    parameters = {name: str(value) for name, value in agent.values.items()}
    return StoredAgent(
        id=hash63(agent.name, fingerprint),
        name=agent.name,
        family=agent.agent_type.name,
        parameters=parameters,
        fingerprint=fingerprint,
    )


@contextmanager
def open_for_results(db: Path, cells: Collection[int], patience: float | None = None) -> Iterator[Session]:
    """A transaction that stores results of cells that are registered. Raises if the file has lost them since
    then: what is stored without its cell can neither be seen nor removed.
    """
    if not db.exists():
        raise make_lost_error(db)
    try:
        with open_for_writing(db, patience) as session:
            if not set(cells) <= find_known_cells(session, cells):
                raise make_lost_error(db)
            yield session
    except UnusableFile as error:
        if isinstance(error, FileGone) or not db.exists():  # moved or replaced in these very moments
            raise make_lost_error(db) from None
        raise


def make_lost_error(db: Path) -> FileGone:
    return FileGone(
        f"{db} does not have this run any more: it was forgotten, or the file was removed or replaced."
        " Matches that were not stored yet are lost; the same command plays them again"
    )


def store_played(db: Path, played: Sequence[PlayedDeals], patience: float | None = None) -> None:
    """Store all these deals in one transaction, except those that another command has stored meanwhile."""
    with open_for_results(db, {part.cell.id for part in played}, patience) as session:
        insert_played(session, played)


def insert_played(session: Session, played: Sequence[PlayedDeals]) -> list[PlayedDeals]:
    """Insert these deals, except those that are stored already; returns what was inserted."""
    done = find_stored_ranges(session, {part.cell.id for part in played})
    fresh = [piece for part in played for piece in cut_unstored(part, done[part.cell.id])]
    con = get_connection(session)
    con.execute("SET threads = 1")  # other cores are playing, and one thread packs the rows more densely
    _add_tally_columns(con, fresh)
    if fresh:
        for name, tables in zip(Rows._fields, zip(*map(make_rows, fresh), strict=True), strict=True):
            # Games differ in their tallies.
            insert(con, name, pa.concat_tables(tables, promote_options="default"))
        insert_slices(con, fresh, done)
        for part in fresh:
            if isinstance(part.batch, Batch) and part.batch.actions:
                insert(con, "actions", _make_actions_table(part.cell, part.batch))
        insert(con, "batch", _make_batch_table(fresh))
    return fresh


def make_rows(part: PlayedDeals) -> Rows:
    """The rows that played deals add to the tables `match` and `seat`."""
    if isinstance(part.batch, Rows):
        return part.batch
    return Rows(_make_match_table(part.cell, part.batch), _make_seat_table(part.cell, part.batch))


def _add_tally_columns(con: Any, played: Sequence[PlayedDeals]) -> None:
    """Add a column for each tally of the games in `played`."""
    most = max((len(part.cell.game.tallies) for part in played), default=0)
    columns = {name for _, name, *_ in con.execute("FROM pragma_table_info('seat')").fetchall()}
    for name in sorted(set(TALLY_COLUMNS[:most]) - columns, key=TALLY_COLUMNS.index):
        con.execute(f"ALTER TABLE seat ADD COLUMN {name} SMALLINT")
        comment_on_tally(con, name)


def cut_unstored(part: PlayedDeals, done: list[tuple[int, int]]) -> list[PlayedDeals]:
    """The pieces of these deals that are not stored yet: usually all of them, in one piece."""
    ranges = find_gaps([(0, part.first), *done], part.first + part.deals)
    if ranges == [(part.first, part.deals)]:
        return [part]
    whole = make_batch(part.batch, part.cell) if isinstance(part.batch, Rows) else part.batch
    pieces, seatings = [], part.matches // part.deals
    for first, count in ranges:
        rows = slice((first - part.first) * seatings, (first - part.first + count) * seatings)
        pieces.append(
            part._replace(
                first=first,
                deals=count,
                batch=Batch(whole.matches[rows], whole.seats[rows], actions=whole.actions[rows]),
            )
        )
    return pieces


def _make_match_table(cell: StorableCell, batch: Batch) -> pa.Table:
    rows = batch.matches
    columns = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names if name != "_"}
    return pa.table({"cell_id": np.full(len(rows), cell.id), **columns})


def _make_seat_table(cell: StorableCell, batch: Batch) -> pa.Table:
    matches, seats = batch.matches, batch.seats
    match_count, players = seats.shape
    tallies = len(cell.game.tallies)
    columns: dict[str, Any] = {
        name: np.ascontiguousarray(seats[name]).ravel()
        for name in seats.dtype.names
        if name not in ("_", "tally", "win_share")
    }
    columns |= {
        TALLY_COLUMNS[t]: np.ascontiguousarray(seats["tally"][:, :, t]).ravel() for t in range(tallies)
    }
    return pa.table(
        {
            "cell_id": np.full(match_count * players, cell.id),
            "deal": np.repeat(matches["deal"], players),
            "seating": np.repeat(matches["seating"], players),
            "seat": np.tile(np.arange(1, players + 1, dtype=np.int16), match_count),
            **columns,
        }
    )


def _make_actions_table(cell: StorableCell, batch: Batch) -> pa.Table:
    """The actions of matches that no seed brings back."""
    now = datetime.now(UTC).replace(tzinfo=None)
    return pa.table(
        {
            "cell_id": np.full(len(batch.actions), cell.id),
            "deal": np.ascontiguousarray(batch.matches["deal"]),
            "seating": np.ascontiguousarray(batch.matches["seating"]),
            "actions": pa.array(batch.actions, pa.list_(pa.int32())),
            "changed": pa.array([now] * len(batch.actions), pa.timestamp("us")),
        }
    )


def _make_batch_table(parts: Sequence[PlayedDeals]) -> pa.Table:
    seatings = {part.cell.id: part.matches // part.deals for part in parts}
    ranges = sorted((part.cell.id, part.first, part.deals, part.seconds) for part in parts)
    joined = join_batches(ranges, seatings)
    cells, first_deals, deals, seconds = zip(*joined, strict=True)
    now = datetime.now(UTC).replace(tzinfo=None)
    return pa.table(
        {
            "cell_id": cells,
            "first_deal": first_deals,
            "deals": deals,
            "matches": [count * seatings[cell] for cell, _, count, _ in joined],
            "seconds": seconds,
            "stored": pa.array([now] * len(joined), pa.timestamp("us")),
        }
    )


def join_batches(
    batches: Sequence[tuple[int, int, int, float]], seatings: dict[int, int]
) -> list[tuple[int, int, int, float]]:
    """Join neighbours among sorted batches (cell, first deal, deals, seconds), up to the size of a
    transaction: small ones cost as much as large ones.
    """
    joined: list[tuple[int, int, int, float]] = []
    for cell, first, deals, seconds in batches:
        last = joined[-1] if joined else (-1, 0, 0, 0.0)
        if (
            last[0] == cell
            and last[1] + last[2] == first
            and (last[2] + deals) * seatings[cell] <= FLUSH_MATCHES
        ):
            joined[-1] = (cell, last[1], last[2] + deals, last[3] + seconds)
        else:
            joined.append((cell, first, deals, seconds))
    return joined


def rebuild_slices(db: Path) -> None:
    """Compute the slices of cells that have none: they are missing after an update of an older file, which
    had fewer values.
    """
    for cell_id, rows in compute_unstored_slices(db):
        store_slices(db, cell_id, rows)


def store_slices(db: Path, cell_id: int, rows: pa.Table) -> None:
    """Store all slices of a cell, unless another command has stored them meanwhile, or forgotten the cell."""
    with open_for_writing(db) as session:  # a whole cell: half of its slices would count as all
        con = get_connection(session)
        has_slices = con.execute("SELECT 1 FROM slice WHERE cell_id = ? LIMIT 1", [cell_id]).fetchone()
        if not has_slices and find_known_cells(session, [cell_id]):
            insert(con, "slice", rows)


def compute_unstored_slices(db: Path, most_deals: int | None = None) -> Iterator[tuple[int, pa.Table]]:
    """The cells that have no slices, each with the rows that it lacks; raises TooMuchUnstored if that are
    more than `most_deals` deals.
    """
    query = """SELECT cell_id, first_deal, deals FROM batch
        WHERE cell_id NOT IN (SELECT DISTINCT cell_id FROM slice)"""
    with open_for_reading(db) as session:
        batches = get_connection(session).execute(query).fetchall()
        cells = {cell_id: load_cell(session, db, cell_id) for cell_id in {batch[0] for batch in batches}}
    deals = sum(batch[2] for batch in batches)
    if most_deals is not None and deals > most_deals:
        raise TooMuchUnstored(f"the sums of {deals:,} deals are not worked out yet")
    for cell_id, cell in cells.items():
        ranges = [(first, count) for batch_cell, first, count in batches if batch_cell == cell_id]
        joined = intersect_ranges(ranges, ranges)
        spans = [span for first, count in joined for span in cut_spans(first, count, cell.seatings)]
        with keep_open_for_reading(db):
            tables = [make_slice_table(cell, read_batch(db, cell, *span)) for span in spans]
        yield cell_id, pa.concat_tables(tables)


def check_writable(db: Path) -> None:
    """Raise at once, not after an hour of playing, if the file cannot be written."""
    check_output(db, of_results=True)
    if db.exists() and not db.is_file():
        raise UnusableFile(f"{db} is not a file on a disk; name one")


def store_fix(db: Path, fix_id: int, variant: str, answer: str, cells: list[int]) -> None:
    """Store an answer of `boardgames fix`, which is a JSON text, in place of an earlier one to the same
    question; `cells` are those it rests on.
    """
    with open_for_writing(db) as session:
        old = session.get(StoredFix, fix_id)
        if old is not None:
            session.delete(old)
            session.flush()
        session.add(StoredFix(id=fix_id, variant=variant, answer=json.loads(answer), cells=cells))
