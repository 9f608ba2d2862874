"""Results of another file, copied into this one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
from sqlmodel import Session, SQLModel, select

from boardgames.errors import BoardgamesError
from boardgames.plan.played import PlayedDeals
from boardgames.store.agreement.contents import group_seats, load_stored_matches
from boardgames.store.agreement.matches import find_identity_problem, play_sample_again
from boardgames.store.connection import (
    get_connection,
    insert,
    keep_open_for_reading,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.luck import merge_swaps
from boardgames.store.opening.damage import explain_damage, make_damage_error
from boardgames.store.read import StoredCell, make_stored_cell, read_batch
from boardgames.store.schema import (
    Cell,
    RealMatch,
    RealSeat,
    Registration,
    Run,
    RunCell,
    Seating,
    StoredAgent,
    StoredFix,
    StoredVariant,
)
from boardgames.store.tables.bulk import select_rows
from boardgames.store.write import (
    cut_unstored,
    insert_if_missing,
    insert_played,
    join_batches,
    open_for_results,
)

SMALL_TABLES: tuple[type[SQLModel], ...] = (
    StoredVariant,
    StoredAgent,
    Cell,
    Seating,
    Registration,
    RealMatch,
    RealSeat,
    StoredFix,
)


SAMPLE_MATCHES = 200  # of another file, that are played again before anything is taken from it

Model = TypeVar("Model", bound=SQLModel)


class Merged(NamedTuple):
    """What a merge did."""

    matches: int  # that are new
    swapped_deals: int  # deals with swapped chance that are new
    kept: int  # recorded matches that went otherwise in the other file, and stayed as they were


class FileContents(NamedTuple):
    """What another file has, but for its finished matches."""

    small_rows: list[SQLModel]  # all that do not depend on the numbers of runs
    unfinished: pa.Table  # rows of the table `actions`
    swaps: pa.Table  # rows of the table `luck`
    batches: list[tuple[int, int, int, float]]  # cell, first deal, deals, seconds
    runs: Sequence[Run]
    run_cells: Sequence[RunCell]

    def list_portions(self) -> list["Portion"]:
        """What is read and stored at one go. Raises ValueError for a range without deals."""
        if any(first < 0 or deals < 1 for _, first, deals, _ in self.batches):
            raise ValueError("a batch is not a range of deals")
        cells = self.list_cells()
        seatings = {cell_id: cell.seatings for cell_id, cell in cells.items()}
        return [
            Portion(cells[cell_id], int(first), int(deals), float(seconds))
            for cell_id, first, deals, seconds in join_batches(self.batches, seatings)
        ]

    def list_cells(self) -> dict[int, StoredCell]:
        """The cells by id."""
        variants = {row.id: row for row in self.small_rows if isinstance(row, StoredVariant)}
        seats = [row for row in self.small_rows if isinstance(row, Seating)]
        cells = [row for row in self.small_rows if isinstance(row, Cell)]
        return {cell.id: make_stored_cell(cell, variants.get(cell.variant_id), seats) for cell in cells}

    def check_identities(self, db: Path) -> None:
        """Raise if a cell is not the one that its id stands for: its rows would be added to another's."""
        variants = {row.id: row for row in self.small_rows if isinstance(row, StoredVariant)}
        agents = {row.id: row for row in self.small_rows if isinstance(row, StoredAgent)}
        seats = group_seats(row for row in self.small_rows if isinstance(row, Seating))
        for cell in (row for row in self.small_rows if isinstance(row, Cell)):
            if problem := find_identity_problem(
                cell, variants[cell.variant_id], seats.get(cell.id, []), agents
            ):
                raise make_damage_error(db, problem)


class Portion(NamedTuple):
    """A range of deals of a cell."""

    cell: StoredCell
    first: int
    deals: int
    seconds: float


def merge(db: Path, other: Path, on_checked: Callable[[str], None] = lambda line: None) -> Merged:
    """Copy another file's results into `db`. Nothing is stored twice, and what `db` has stays as it is.

    All of the other file is read once before anything is written, and some of its matches are played again: a
    damaged or a false one must not be copied in part. `on_checked` gets sentences about that.
    """
    with explain_damage(other):
        contents = _read_contents(other)
        portions = contents.list_portions()
        contents.check_identities(other)
        for portion in portions:
            _read_portion(other, portion)
    for line in _check_sample(other):
        on_checked(line)
    with open_for_writing(db) as session:
        for row in contents.small_rows:
            insert_if_missing(session, type(row)(**row.model_dump()))
        swapped_deals = merge_swaps(get_connection(session), contents.swaps)
        _merge_runs(session, contents.runs, contents.run_cells)
        kept = _merge_unfinished(get_connection(session), contents.unfinished)
    matches = 0
    for portion in portions:
        with explain_damage(other):
            part, actions = _read_portion(other, portion)
        new, stayed = _merge_deals(db, part, actions)
        matches, kept = matches + new, kept + stayed
    return Merged(matches, swapped_deals, kept)


def _check_sample(other: Path) -> list[str]:
    """Play some matches of a file again; returns sentences about how many, and which could not be played.
    Raises DoesNotAgree if one comes out otherwise.
    """
    cells, lines = [], []
    for stored in load_stored_matches(other).cells:
        try:
            cells.append((stored.make_repeatable(), stored.ranges))
        except BoardgamesError as error:
            matches = f"{stored.matches:,} matches of {stored.variant.name} by {stored.row.line_up}"
            lines.append(f"{matches} could not be played again: {error}")
    played = play_sample_again(other, cells, SAMPLE_MATCHES)
    return [*([f"{played:,} of its matches played again here: all agree"] if played else []), *lines]


def _read_contents(db: Path) -> FileContents:
    batches = f"SELECT cell_id, first_deal, deals, seconds FROM ({select_rows('batch')}) ORDER BY 1, 2"
    with open_for_reading(db) as session:
        con = get_connection(session)
        return FileContents(
            small_rows=[row for model in SMALL_TABLES for row in _read_models(session, model)],
            unfinished=con.sql(UNFINISHED).to_arrow_table(),
            swaps=_read_swaps(con, db),
            batches=con.execute(batches).fetchall(),
            runs=sorted(_read_models(session, Run), key=lambda run: run.number),
            run_cells=_read_models(session, RunCell),
        )


def _read_models(session: Session, model: type[Model]) -> list[Model]:
    """All rows of a small table, each with values that its columns can have."""
    rows = session.exec(select(model)).all()
    return [model.model_validate({name: getattr(row, name) for name in model.model_fields}) for row in rows]


# A row of results of a range of deals that has not one of each.
_UNEVEN = """SELECT 1 FROM luck WHERE NOT coalesce(first_deal >= 0 AND deals > 0 AND list_count(masks) = deals
    AND list_count(win_shares) = deals AND list_count(scores) = deals
    AND len(masks) = deals AND len(win_shares) = deals AND len(scores) = deals, false) LIMIT 1"""


def _read_swaps(con: Any, db: Path) -> pa.Table:
    """The table `luck`."""
    rows = con.sql(select_rows("luck")).to_arrow_table()
    if con.execute(_UNEVEN).fetchone():
        raise make_damage_error(db, "a match with swapped chance does not have an entry for each deal")
    return rows


def _read_portion(db: Path, portion: Portion) -> tuple[PlayedDeals, pa.Table]:
    """The finished matches of some deals, and their stored actions."""
    cell, first, deals, seconds = portion
    with keep_open_for_reading(db):
        part = PlayedDeals(cell, first, deals, read_batch(db, cell, first, deals), seconds)
        return part, _read_actions(db, part)


# ---- recorded matches: of people, for instance, who play the same deal differently at home and at the club

_SAME_MATCH = "(a.cell_id, a.deal, a.seating) = (x.cell_id, x.deal, x.seating)"
UNFINISHED = f"FROM ({select_rows('actions')}) x WHERE NOT EXISTS (FROM match a WHERE {_SAME_MATCH})"
# Of the recorded matches in `others`, those that `db` has with other actions.
DIFFERENT = f"""SELECT x.deal FROM others x JOIN actions a ON {_SAME_MATCH}
    WHERE a.actions[:len(x.actions)] != x.actions[:len(a.actions)]"""
# Those that `db` does not have, or not as far.
FURTHER = f"""FROM others x WHERE NOT EXISTS (FROM match a WHERE {_SAME_MATCH}) AND NOT EXISTS (
    FROM actions a WHERE {_SAME_MATCH} AND (len(a.actions) >= len(x.actions)
    OR a.actions != x.actions[:len(a.actions)]))"""


def _merge_unfinished(con: Any, actions: pa.Table) -> int:
    """Take over matches that were begun in another file, or went on there; returns the number of those that
    `db` has otherwise.
    """
    con.register("others", actions)
    (different,) = con.execute(f"SELECT count(*) FROM ({DIFFERENT})").fetchone()
    _replace_actions(con, con.sql(FURTHER).to_arrow_table())
    con.unregister("others")
    return int(different)


def _read_actions(db: Path, part: PlayedDeals) -> pa.Table:
    """The stored actions of these deals."""
    where = f"cell_id = {part.cell.id} AND deal >= {part.first} AND deal < {part.first + part.deals}"
    with open_for_reading(db) as session:
        return get_connection(session).sql(f"{select_rows('actions')} WHERE {where}").to_arrow_table()


def _merge_deals(db: Path, part: PlayedDeals, actions: pa.Table) -> tuple[int, int]:
    """Store the deals that are new, in one transaction with the actions that belong to them; returns the
    number of matches stored, and of recorded ones that `db` has otherwise, even if unfinished.
    """
    with open_for_results(db, [part.cell.id]) as session:
        con = get_connection(session)
        con.register("others", actions)
        different = con.execute(DIFFERENT).fetchall()
        new = insert_played(session, cut_unstored(part, [(deal, 1) for (deal,) in different]))
        for piece in new:
            where = f"deal >= {piece.first} AND deal < {piece.first + piece.deals}"
            _replace_actions(con, con.sql(f"FROM others WHERE {where}").to_arrow_table())
        con.unregister("others")
    return sum(piece.matches for piece in new), len(different)


def _replace_actions(con: Any, rows: pa.Table) -> None:
    """Store actions in place of those that were stored for the same matches."""
    con.register("further", rows)
    con.execute(f"DELETE FROM actions a USING further x WHERE {_SAME_MATCH}")
    con.unregister("further")
    insert(con, "actions", rows)


def _merge_runs(session: Session, runs: Sequence[Run], run_cells: Sequence[RunCell]) -> None:
    """Insert runs under new numbers, except those that the file already has."""
    numbers = {(run.name, run.command, run.created): run.number for run in session.exec(select(Run)).all()}
    for run in runs:
        number = numbers.get((run.name, run.command, run.created))
        if number is None:
            number = max([0, *numbers.values()]) + 1
            numbers[run.name, run.command, run.created] = number
            session.add(Run(**{**run.model_dump(), "number": number}))
        for run_cell in run_cells:
            if run_cell.run == run.number:
                insert_if_missing(
                    session, RunCell(run=number, cell_id=run_cell.cell_id, deals=run_cell.deals)
                )
