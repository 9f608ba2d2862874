"""Answers of `boardgames fix`: one row for each question, replaced when it is asked again."""

import json
from pathlib import Path

from sqlmodel import select

from boardgames.store.connection import open_for_reading, open_for_writing
from boardgames.store.schema import StoredFix


def store_fix(db: Path, fix_id: int, variant: str, answer: str, cells: list[int]) -> None:
    """Store an answer, which is a JSON text; `cells` are those it rests on."""
    with open_for_writing(db) as session:
        old = session.get(StoredFix, fix_id)
        if old is not None:
            session.delete(old)
            session.flush()
        session.add(StoredFix(id=fix_id, variant=variant, answer=json.loads(answer), cells=cells))


def list_fixes(db: Path) -> list[str]:
    """All stored answers as JSON texts, the latest first."""
    if not db.exists():
        return []
    with open_for_reading(db) as session:
        rows = session.exec(select(StoredFix)).all()
        return [json.dumps(row.answer) for row in sorted(rows, key=lambda row: row.created, reverse=True)]
