"""The runs in a file, as `boardgames runs` lists them, and the stored answers of `boardgames fix`."""

import json
from pathlib import Path
from typing import NamedTuple

from sqlmodel import Session, select

from boardgames.store.connection import (
    get_connection,
    open_for_reading,
)
from boardgames.store.opening.damage import explain_damage
from boardgames.store.replay import find_rules_problem
from boardgames.store.schema import (
    Cell,
    Run,
    RunCell,
    StoredFix,
    StoredVariant,
)


class RunSummary(NamedTuple):
    """A run as `boardgames runs` shows it."""

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
    changed: dict[str, str]  # by variant: why its rules cannot be used, if they changed or are missing


def list_runs(db: Path) -> list[RunSummary]:
    with open_for_reading(db) as session, explain_damage(db):
        stored = dict(
            get_connection(session).execute("SELECT cell_id, sum(deals) FROM batch GROUP BY ALL").fetchall()
        )
        return [
            _summarize_run(session, run, stored) for run in session.exec(select(Run).order_by("number")).all()
        ]


def _summarize_run(session: Session, run: Run, stored: dict[int, int]) -> RunSummary:
    run_cells = session.exec(select(RunCell).where(RunCell.run == run.number)).all()
    cells = [cell for run_cell in run_cells if (cell := session.get(Cell, run_cell.cell_id))]
    variants = {
        cell.variant_id: variant for cell in cells if (variant := session.get(StoredVariant, cell.variant_id))
    }
    deals = {run_cell.cell_id: run_cell.deals for run_cell in run_cells}
    return RunSummary(
        number=run.number,
        name=run.name,
        note=run.note,
        created=f"{run.created:%Y-%m-%d %H:%M}",
        command=run.command,
        variants=[variant.name for variant in variants.values()],
        fingerprints=[variant.fingerprint for variant in variants.values()],
        players=sorted({cell.players for cell in cells}),
        line_ups=sorted({cell.line_up for cell in cells}),
        seed=run.seed,
        matches=sum(cell.seatings * min(int(stored.get(cell.id, 0)), deals[cell.id]) for cell in cells),
        wanted=sum(cell.seatings * deals[cell.id] for cell in cells),
        changed={
            v.name: problem
            for v in variants.values()
            if (problem := find_rules_problem(v.spec or v.name, v.fingerprint))
        },
    )


def list_fixes(db: Path) -> list[str]:
    """All stored answers of `boardgames fix` as JSON texts, the latest first."""
    if not db.exists():
        return []
    with open_for_reading(db) as session:
        rows = session.exec(select(StoredFix)).all()
        return [json.dumps(row.answer) for row in sorted(rows, key=lambda row: row.created, reverse=True)]
