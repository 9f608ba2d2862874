"""The contents of the result file, and a cache for everything read from it until the file changes.

DuckDB lets either one writer or several readers open a file, so the pages read one at a time: a writer always
finds a gap.
"""

import functools
import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import streamlit as st

from boardgames.errors import FileInUse
from boardgames.store.connection import get_connection, open_for_reading
from dashboard.errors import START_HINT
from dashboard.launch import DB_VARIABLE

READS = threading.Lock()
MOST_ANSWERS = 60  # of one question to the file that are kept
PATIENCE = 5.0  # seconds that a page waits for another process to release the file
P = ParamSpec("P")
T = TypeVar("T")


def find_db() -> Path:
    """The result file that the command named, relative to the current folder if it lies below it."""
    db = Path(os.environ.get(DB_VARIABLE, "boardgames.duckdb"))
    return db.relative_to(Path.cwd()) if db.is_relative_to(Path.cwd()) else db


def read_file_state(db: Path) -> tuple[int, ...]:
    """Times and sizes of the file; they change whenever something is stored."""
    numbers: list[int] = []
    for part in (db, db.with_name(db.name + ".wal")):
        with suppress(FileNotFoundError):  # the second one comes and goes
            status = part.stat()
            numbers += [status.st_mtime_ns, status.st_size]
    return tuple(numbers)


def cache_until_changed(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """Cache what a function reads from a file until the file changes. While another process has the file, the
    answer before stands.
    """
    latest: dict[str, Any] = {}

    def read(db: str, state: tuple[int, ...], *args: Any, **kwargs: Any) -> Any:
        with READS:
            return function(Path(db), *args, **kwargs)

    read.__qualname__ = function.__qualname__  # Streamlit tells caches apart by these two
    read.__module__ = function.__module__
    read_cached = st.cache_data(max_entries=MOST_ANSWERS, show_spinner=False)(read)

    @functools.wraps(function)
    def read_if_changed(db: Path, *args: P.args, **kwargs: P.kwargs) -> T:
        question = repr((db, args, kwargs))  # they need not be hashable
        try:
            answer = read_cached(str(db), read_file_state(db), *args, **kwargs)
        except FileInUse:
            if question not in latest:
                raise
            return cast(T, latest[question])
        if len(latest) >= MOST_ANSWERS:
            latest.clear()
        latest[question] = answer
        return cast(T, answer)

    return read_if_changed


@dataclass(frozen=True, kw_only=True)
class VariantInfo:
    """A stored variant. Its label is unique in the file; a star means that part of its components is
    reconstructed.
    """

    label: str
    id: int
    game: str
    name: str
    summary: str
    spec: str
    fingerprint: str
    parameters: dict[str, str]
    ends: tuple[str, ...]
    tallies: tuple[str, ...]
    reconstructed: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class CellInfo:
    """One variant, player count and line-up on one seed, and how much of it is stored."""

    id: int
    variant: str  # its label
    players: int
    line_up: str
    seed: int
    engine: int
    seatings: int
    deals: int
    matches: int
    last_stored: datetime | None  # when something of it was stored

    @property
    def title(self) -> str:
        return f"{self.variant}, {self.players} players"

    @property
    def name(self) -> str:
        return f"{self.title}, {self.line_up}"

    @property
    def agents(self) -> list[str]:
        return self.line_up.split(",")

    @property
    def has_equal_agents(self) -> bool:
        """Whether the same agent has all seats."""
        return "," not in self.line_up


@dataclass(frozen=True)
class Contents:
    variants: dict[str, VariantInfo]  # by label, in the order in which the runs named them
    cells: tuple[CellInfo, ...]

    @property
    def matches(self) -> int:
        return sum(cell.matches for cell in self.cells)

    @functools.cached_property
    def current_cells(self) -> dict[tuple[str, int, str, int], CellInfo]:
        """The cells with matches by variant, players, line-up and seed: of several with other code of an
        agent or another engine, the one stored last.
        """
        current: dict[tuple[str, int, str, int], CellInfo] = {}
        for cell in self.cells:
            key = (cell.variant, cell.players, cell.line_up, cell.seed)
            if cell.deals and (
                key not in current
                or (cell.last_stored or datetime.min) > (current[key].last_stored or datetime.min)
            ):
                current[key] = cell
        return current

    def find_cell(self, variant: str, players: int, line_up: str, seed: int) -> CellInfo | None:
        return self.current_cells.get((variant, players, line_up, seed))


CELLS = """
SELECT c.id, c.variant_id, c.players, c.line_up, c.seed, c.engine, c.seatings,
    coalesce(sum(b.deals), 0)::BIGINT, coalesce(sum(b.matches), 0)::BIGINT,
    max(b.stored), min(coalesce(b.stored, '9999-01-01')) AS first
FROM cell c LEFT JOIN batch b ON b.cell_id = c.id
GROUP BY ALL ORDER BY first, c.players, c.line_up, c.seed, c.id
"""
RUNS = """
SELECT e.run, list(c.variant_id ORDER BY e.rowid) FROM run_cell e JOIN cell c ON c.id = e.cell_id
GROUP BY ALL ORDER BY e.run
"""
VARIANTS = """
SELECT id, game, name, why, spec, fingerprint, parameters, ends, tallies, reconstructed FROM variant
"""


def order_variants(runs: Iterable[Sequence[int]]) -> list[int]:
    """Variants in the order in which the runs named them: `compare A B` shows what B does to A, even if B
    was stored before.
    """
    ordered: list[int] = []
    for run in runs:
        for index, variant in enumerate(run):
            if variant not in ordered:
                later = [ordered.index(other) for other in run[index + 1 :] if other in ordered]
                ordered.insert(min(later, default=len(ordered)), variant)
    return ordered


@cache_until_changed
def load_contents(db: Path) -> Contents:
    """All variants and cells; a variant whose rules have changed appears once per fingerprint."""
    with open_for_reading(db, PATIENCE) as session:
        con = get_connection(session)
        cells = con.execute(CELLS).fetchall()
        variants = con.execute(VARIANTS).fetchall()
        named = order_variants(run for _, run in con.execute(RUNS).fetchall())
    ids = dict.fromkeys([*named, *(cell[1] for cell in cells)])
    order = {variant_id: index for index, variant_id in enumerate(ids)}
    cells.sort(key=lambda cell: order[cell[1]])
    rows = sorted((row for row in variants if row[0] in order), key=lambda row: order[row[0]])
    names = Counter(row[2] for row in rows)
    stars = {row[0]: "*" if json.loads(row[9]) else "" for row in rows}
    labels = {r[0]: r[2] + stars[r[0]] + ("" if names[r[2]] == 1 else f" (rules {r[5][:6]})") for r in rows}
    infos = {}
    for variant_id, game, name, summary, spec, fingerprint, parameters, ends, tallies, reconstructed in rows:
        label = labels[variant_id]
        infos[label] = VariantInfo(
            label=label,
            id=variant_id,
            game=game,
            name=name,
            summary=summary,
            spec=spec or name,
            fingerprint=fingerprint,
            parameters=json.loads(parameters),
            ends=tuple(json.loads(ends)),
            tallies=tuple(json.loads(tallies)),
            reconstructed=json.loads(reconstructed),
        )
    stored = [_make_stored_cell(row, labels[row[1]]) for row in cells if row[1] in labels]
    return Contents(infos, tuple(stored))


def _make_stored_cell(row: Sequence[Any], label: str) -> CellInfo:
    """The cell of a row of CELLS."""
    cell_id, _, players, line_up, seed, engine, seatings, deals, matches, last_stored, _ = row
    return CellInfo(
        id=cell_id,
        variant=label,
        players=players,
        line_up=line_up,
        seed=seed,
        engine=engine,
        seatings=seatings,
        deals=deals,
        matches=matches,
        last_stored=last_stored,
    )


@st.cache_resource(show_spinner=False)
def replay_problem(spec: str, fingerprint: str) -> str | None:
    """Why matches of a variant cannot be replayed here; None if they can."""
    from boardgames.store.replay import find_rules_problem

    return find_rules_problem(spec, fingerprint, START_HINT)
