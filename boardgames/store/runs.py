"""What one does with stored experiments: look at them, replay a match, export, merge, forget, take a snapshot."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import Session, select

from boardgames.agents.agent import find_line_up
from boardgames.errors import BadInput, unknown
from boardgames.experiment.plan import Played, agent_fingerprint
from boardgames.files import output_file, remove_parts
from boardgames.game.plugins import NotTrusted, find_stored
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.play.match import Match, replay
from boardgames.store.connection import FLUSH_MATCHES, connection, copy_out, reading, writing
from boardgames.store.recorded_matches import play_back, stored_actions
from boardgames.store.rows import can_be_written, keep, read_batch, store_played, stored_cell
from boardgames.store.schema import Cell, Experiment, RealMatch, RealSeat, Registration, Seating, Share, StoredAgent, StoredVariant

BULK_TABLES = ("match", "seat", "slice", "batch", "actions")
EXPORTS = ("results", "matches", "cells", "people", "match", "seat", "slice", "batch", "actions")


class Run(NamedTuple):
    """An experiment as `boardgames runs` shows it."""

    number: int
    name: str
    note: str
    created: str
    command: str
    variants: list[str]
    fingerprints: list[str]
    players: list[int]
    line_ups: list[str]
    seed: int
    matches: int
    wanted: int
    changed: dict[str, str]  # variants whose rules are no longer the same, or cannot be found, and why


def list_runs(path: Path) -> list[Run]:
    with reading(path) as session:
        stored = dict(connection(session).execute("SELECT cell_id, sum(blocks) FROM batch GROUP BY ALL").fetchall())
        return [_run(session, experiment, stored) for experiment in session.exec(select(Experiment).order_by("number")).all()]


def _run(session: Session, experiment: Experiment, stored: dict[int, int]) -> Run:
    shares = session.exec(select(Share).where(Share.experiment == experiment.number)).all()
    cells = [cell for share in shares if (cell := session.get(Cell, share.cell_id))]
    variants = {cell.variant_id: variant for cell in cells if (variant := session.get(StoredVariant, cell.variant_id))}
    blocks = {share.cell_id: share.blocks for share in shares}
    return Run(
        number=experiment.number,
        name=experiment.name,
        note=experiment.note,
        created=f"{experiment.created:%Y-%m-%d %H:%M}",
        command=experiment.command,
        variants=[variant.name for variant in variants.values()],
        fingerprints=[variant.fingerprint for variant in variants.values()],
        players=sorted({cell.players for cell in cells}),
        line_ups=sorted({cell.line_up for cell in cells}),
        seed=experiment.seed,
        matches=sum(cell.seatings * min(int(stored.get(cell.id, 0)), blocks[cell.id]) for cell in cells),
        wanted=sum(cell.seatings * blocks[cell.id] for cell in cells),
        changed={v.name: why for v in variants.values() if (why := why_changed(v.spec or v.name, v.fingerprint))},
    )


def why_changed(spec: str, fingerprint: str, how: str = "add") -> str:
    """Why stored matches of a variant cannot be played again by the rules that are here; nothing if they can."""
    try:
        same = find_stored(spec).fingerprint() == fingerprint
    except NotTrusted as error:
        return error.in_words(how)
    except BadInput as error:
        return f"its rules are not installed here: {error}"
    return "" if same else "its rules have changed since these matches"


# ---- a match again


def replay_stored(path: Path, match: str, anyway: bool = False) -> Match:
    """Play a stored match again from its seed. `match` is cell/block/arrangement, as the view `matches` shows it."""
    cell_id, block, arrangement = _match_id(match)
    with reading(path) as session:
        cell = session.get(Cell, cell_id)
        if cell is None:
            raise BadInput(f"{path} has no cell {cell_id}; `boardgames export cells --into cells.csv` lists them")
        stored = session.get(StoredVariant, cell.variant_id)
        found = connection(session).execute(
            "SELECT decisions, hash FROM match WHERE cell_id = ? AND block = ? AND arrangement = ?", [cell_id, block, arrangement]
        )
        rows = found.fetchall()
        prints = {a.name: a.fingerprint for a in session.exec(select(StoredAgent)).all()}
        seats = session.exec(select(Seating).where(Seating.cell_id == cell_id, Seating.arrangement == arrangement)).all()
    if not rows or stored is None:
        raise BadInput(f"{path} has no match {match}")
    variant = find_stored(stored.spec or stored.name)
    if actions := stored_actions(path, cell_id, block, arrangement):
        return _played_back(variant, cell, stored, block, actions)
    line_up = find_line_up(cell.line_up, cell.players, variant.game)
    changed = variant.fingerprint() != stored.fingerprint or cell.engine != engine.ENGINE
    changed |= any(prints[agent.name] != agent_fingerprint(agent) for agent in line_up)
    if changed and not anyway:
        raise BadInput(f"the rules of {stored.name}, or its agents, have changed since this match; --anyway plays it by today's")
    seating = tuple(seat.place - 1 for seat in sorted(seats, key=lambda seat: seat.seat))
    return replay(variant, line_up, seating, plain=False, seed=cell.seed, block=block, arrangement=arrangement)


def _played_back(variant: Variant, cell: Cell, stored: StoredVariant, block: int, actions: list[int]) -> Match:
    """A match whose actions were stored, because a seed does not tell what people do."""
    if variant.fingerprint() != stored.fingerprint or cell.engine != engine.ENGINE:
        raise BadInput(
            f"the rules of {stored.name} have changed since this match was played by people: its actions mean nothing now"
        )
    return play_back(variant, cell.players, actions, cell.seed, block)


def _match_id(match: str) -> tuple[int, int, int]:
    try:
        cell, block, arrangement = (int(part) for part in match.split("/"))
    except ValueError:
        raise BadInput(f"'{match}' is no match: write cell/block/arrangement, three whole numbers") from None
    return cell, block, arrangement


def draw_positions(match: Match) -> dict[str, str]:
    """A picture of each position, from the set-up to the end, by the name of its file."""
    draw = match.game.draw
    if draw is None:
        raise BadInput(f"{match.game.name} has no drawing; leave out --svg for the match in words")
    again = Match(match.variant, match.seats, seed=match.seed, block=match.block, arrangement=match.arrangement)
    pictures = {"0000.svg": draw(again.state, None)}
    for step, action in enumerate(match.actions, 1):
        pictures[f"{step:04d}.svg"] = draw(again.play(action).state, None)
    return pictures


# ---- in and out


def export(path: Path, what: str, into: Path) -> int:
    """Write a table or view as Parquet or CSV, by the file's ending; returns the number of rows."""
    if what not in EXPORTS:
        raise unknown("table", what, EXPORTS)
    if into.suffix not in (".parquet", ".csv"):
        raise BadInput(f"cannot write {into}: name a .parquet or a .csv file")
    kind = "FORMAT parquet, COMPRESSION zstd" if into.suffix == ".parquet" else "FORMAT csv, HEADER"
    with reading(path):
        pass  # results that cannot be read are told of before an output that cannot be written
    with output_file(into) as part, reading(path, output=part) as session:
        return copy_out(connection(session), f"SELECT * FROM {what}", part, kind)


def merge(path: Path, other: Path) -> int:
    """Take over another file's results. What is here already is not doubled; other rules and agents have other ids."""
    with reading(other) as session:
        small = [
            row
            for model in (StoredVariant, StoredAgent, Cell, Seating, Registration, RealMatch, RealSeat)
            for row in session.exec(select(model)).all()
        ]
        actions = connection(session).execute("SELECT * FROM actions").fetchall()
        batches = connection(session).execute("SELECT cell_id, first_block, blocks, seconds FROM batch ORDER BY 1, 2").fetchall()
        runs = session.exec(select(Experiment).order_by("number")).all()
        shares = session.exec(select(Share)).all()
        variants = {row.id: row for row in small if isinstance(row, StoredVariant)}
        seats = [row for row in small if isinstance(row, Seating)]
        cells = {row.id: stored_cell(row, variants[row.variant_id], seats) for row in small if isinstance(row, Cell)}
    with writing(path) as session:
        for row in small:
            keep(session, type(row)(**row.model_dump()))
        _keep_actions(connection(session), actions)
        _take_over(session, runs, shares)
    before = _stored(path)
    for number, first, blocks, seconds in _joined(batches, {cell.id: cell.seatings for cell in cells.values()}):
        store_played(path, [Played(cells[number], first, blocks, read_batch(other, cells[number], first, blocks), seconds)])
    return _stored(path) - before


def _joined(batches: Sequence[tuple[int, int, int, float]], seatings: dict[int, int]) -> list[tuple[int, int, int, float]]:
    """Neighbouring batches as one, up to what a transaction should hold: a small one costs as much as a large one."""
    found: list[tuple[int, int, int, float]] = []
    for cell, first, blocks, seconds in batches:
        last = found[-1] if found else (-1, 0, 0, 0.0)
        if last[0] == cell and last[1] + last[2] == first and (last[2] + blocks) * seatings[cell] <= FLUSH_MATCHES:
            found[-1] = (cell, last[1], last[2] + blocks, last[3] + seconds)
        else:
            found.append((cell, first, blocks, seconds))
    return found


def _keep_actions(con: Any, actions: Sequence[tuple[Any, ...]]) -> None:
    """Of a match that is under way here, too, the longer list stays."""
    for cell, block, arrangement, done, changed in actions:
        place = [cell, block, arrangement]
        where = "WHERE cell_id = ? AND block = ? AND arrangement = ?"
        con.execute(f"DELETE FROM actions {where} AND len(actions) < ?", [*place, len(done)])
        if not con.execute(f"SELECT 1 FROM actions {where}", place).fetchone():
            con.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", [*place, done, changed])


def _stored(path: Path) -> int:
    with reading(path) as session:
        return int(connection(session).execute("SELECT count(*) FROM match").fetchone()[0])


def _take_over(session: Session, runs: Sequence[Experiment], shares: Sequence[Share]) -> None:
    """Experiments get new numbers here, unless the same one is here already."""
    known = {(run.name, run.command, run.created): run.number for run in session.exec(select(Experiment)).all()}
    for run in runs:
        number = known.get((run.name, run.command, run.created))
        if number is None:
            number = max([0, *known.values()]) + 1
            known[run.name, run.command, run.created] = number
            session.add(Experiment(**{**run.model_dump(), "number": number}))
        for share in shares:
            if share.experiment == run.number:
                keep(session, Share(experiment=number, cell_id=share.cell_id, blocks=share.blocks))


def forget(path: Path, run: str) -> int:
    """Remove an experiment and every match that no other one asked for, and give the space back."""
    with reading(path) as session:  # a misspelt run or file must not make or change one
        number = _find_run(session, run)
    with writing(path) as session:
        con = connection(session)
        shares = session.exec(select(Share)).all()
        kept = {share.cell_id for share in shares if share.experiment != number}
        gone = [share.cell_id for share in shares if share.experiment == number and share.cell_id not in kept]
        before = con.execute("SELECT count(*) FROM match").fetchone()[0]
        session.delete(session.get(Experiment, number))
        for share in shares:
            if share.experiment == number:
                session.delete(share)
        session.flush()
        for table, column in [*((name, "cell_id") for name in (*BULK_TABLES, "seating")), ("cell", "id")]:
            con.execute(f'DELETE FROM "{table}" WHERE list_contains(?, {column})', [gone])
        con.execute("DELETE FROM pair WHERE list_contains($1, cell_a) OR list_contains($1, cell_b)", [gone])
        con.execute("DELETE FROM variant WHERE id NOT IN (SELECT variant_id FROM cell)")
        con.execute("DELETE FROM agent WHERE id NOT IN (SELECT agent_id FROM seating)")
        removed = before - con.execute("SELECT count(*) FROM match").fetchone()[0]
    shrink(path)
    return int(removed)


def _find_run(session: Session, run: str) -> int:
    runs = session.exec(select(Experiment)).all()
    found = [one.number for one in runs if run in (str(one.number), one.name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"{len(found)} runs are called '{run}'; use a number: {', '.join(map(str, found))}")
    raise unknown("run", run, [str(one.number) for one in runs], "`boardgames runs` shows them")


def shrink(path: Path) -> None:
    """Copy what is left into a new file and put it in place of the old one, while nobody else can write."""
    with writing(path) as session, output_file(path) as fresh:
        remove_parts(path)  # of somebody who was killed at this
        con = connection(session)
        session.commit()  # a database cannot be detached inside a transaction
        name = con.execute("SELECT current_database()").fetchone()[0]
        quoted = str(fresh).replace("'", "''")
        try:
            con.execute(f"ATTACH '{quoted}' AS fresh")
            con.execute(f'COPY FROM DATABASE "{name}" TO fresh')
            con.execute("DETACH fresh")
        finally:
            Path(f"{fresh}.wal").unlink(missing_ok=True)  # the log of a copy that failed


# ---- a copy to read from


def snapshot(path: str | Path, copy: str | Path) -> int:
    """Copy a file of results as it is now, also while a run stores into it; returns how many matches the copy has.

    An earlier snapshot is replaced. A file with anything in it that `path` lacks is refused.
    """
    path, copy = Path(path), Path(copy)
    can_be_written(copy)
    if Path(f"{path}.wal").exists():  # of another program: the file alone is not all
        with writing(path):
            pass
    with reading(path) as session:
        if copy.exists():
            _refuse_loss(session, path, copy)
        (matches,) = connection(session).execute("SELECT count(*) FROM match").fetchone()
        with output_file(copy) as fresh:
            shutil.copyfile(path, fresh)  # nobody writes meanwhile: this process has the file open
    return int(matches)


KEYS = {
    "batch": "cell_id, first_block, blocks", "experiment": "number, created", "registration": "id, version", "real_match": "id",
    "actions": "cell_id, block, arrangement",
}  # fmt: skip


def _refuse_loss(session: Session, path: Path, copy: Path) -> None:
    """What is going to be replaced must be in the file it is replaced by: it may be somebody's only results."""
    if copy.samefile(path):
        raise BadInput(f"{copy} is the file itself; name another one for the copy")
    with reading(copy) as old:
        there = {name: connection(old).execute(f"SELECT {keys} FROM {name}").fetchall() for name, keys in KEYS.items()}
    for name, keys in KEYS.items():
        if set(there[name]) - set(connection(session).execute(f"SELECT {keys} FROM {name}").fetchall()):
            raise BadInput(f"{copy} has results that {path} does not have; remove it, or name another file for the copy")
