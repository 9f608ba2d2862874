"""What the pages know of a file: its contents and everything asked of it, kept until the file changes.

DuckDB lets either one writer or several readers have a file, so the pages read one at a time: a writer always finds a gap.
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

from boardgames.store.connection import connection, reading
from dashboard.launch import FILE
from dashboard.page import START

READS = threading.Lock()
PATIENCE = 5.0  # seconds that a page waits for another process before it says so
P = ParamSpec("P")
T = TypeVar("T")


def file_shown() -> Path:
    """The file that the command named, written as people would: relative where that is shorter."""
    path = Path(os.environ.get(FILE, "boardgames.duckdb"))
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def state_of(path: Path) -> tuple[int, ...]:
    """Changes whenever something is stored."""
    numbers: list[int] = []
    for part in (path, path.with_name(path.name + ".wal")):
        with suppress(FileNotFoundError):  # the second one comes and goes
            found = part.stat()
            numbers += [found.st_mtime_ns, found.st_size]
    return tuple(numbers)


def of_file(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """Keep what a function finds in a file until the file changes."""

    def found(path: str, state: tuple[int, ...], *args: Any, **kwargs: Any) -> Any:
        with READS:
            return function(Path(path), *args, **kwargs)

    found.__qualname__, found.__module__ = function.__qualname__, function.__module__  # Streamlit tells caches apart by these
    cached = st.cache_data(max_entries=60, show_spinner=False)(found)

    @functools.wraps(function)
    def ask(path: Path, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast(T, cached(str(path), state_of(path), *args, **kwargs))

    return ask


@dataclass(frozen=True)
class Known:
    """A variant of the file, under a label that no other one has; a star if part of its components is reconstructed."""

    label: str
    id: int
    game: str
    name: str
    why: str
    spec: str
    fingerprint: str
    parameters: dict[str, str]
    ends: tuple[str, ...]
    tallies: tuple[str, ...]
    reconstructed: dict[str, str]


@dataclass(frozen=True)
class StoredCell:
    """One variant, player count and line-up on one seed, and how much of it is stored."""

    id: int
    variant: str  # its label
    players: int
    line_up: str
    seed: int
    engine: int
    seatings: int
    blocks: int
    matches: int
    last: datetime | None  # when something of it was stored

    @property
    def told(self) -> str:
        return f"{self.variant}, {self.players} players"

    @property
    def name(self) -> str:
        return f"{self.told}, {self.line_up}"

    @property
    def agents(self) -> list[str]:
        return self.line_up.split(",")

    @property
    def equal(self) -> bool:
        """Whether the same agent has all seats."""
        return "," not in self.line_up


@dataclass(frozen=True)
class Contents:
    variants: dict[str, Known]  # by label, in the order in which the runs named them
    cells: tuple[StoredCell, ...]

    @property
    def matches(self) -> int:
        return sum(cell.matches for cell in self.cells)

    @functools.cached_property
    def current(self) -> dict[tuple[str, int, str, int], StoredCell]:
        """The cells with matches by variant, players, line-up and seed: of those with other code of an agent or another engine,
        the one that was stored last."""
        found: dict[tuple[str, int, str, int], StoredCell] = {}
        for cell in self.cells:
            key = (cell.variant, cell.players, cell.line_up, cell.seed)
            if cell.blocks and (key not in found or (cell.last or datetime.min) > (found[key].last or datetime.min)):
                found[key] = cell
        return found

    def cell(self, variant: str, players: int, line_up: str, seed: int) -> StoredCell | None:
        return self.current.get((variant, players, line_up, seed))


CELLS = """
SELECT c.id, c.variant_id, c.players, c.line_up, c.seed, c.engine, c.seatings, coalesce(sum(b.blocks), 0)::BIGINT,
    coalesce(sum(b.matches), 0)::BIGINT, max(b.stored), min(coalesce(b.stored, '9999-01-01')) AS first
FROM cell c LEFT JOIN batch b ON b.cell_id = c.id GROUP BY ALL ORDER BY first, c.players, c.line_up, c.seed, c.id
"""
RUNS = """
SELECT e.experiment, list(c.variant_id ORDER BY e.rowid) FROM experiment_cell e JOIN cell c ON c.id = e.cell_id
GROUP BY ALL ORDER BY e.experiment
"""
VARIANTS = """
SELECT id, game, name, why, spec, fingerprint, parameters, ends, tallies, reconstructed FROM variant
"""


def in_order(runs: Iterable[Sequence[int]]) -> list[int]:
    """Variants as the runs named them, from the first run on: `compare A B` shows what B does to A, also if B was there before."""
    found: list[int] = []
    for run in runs:
        for place, variant in enumerate(run):
            if variant not in found:
                after = [found.index(other) for other in run[place + 1 :] if other in found]
                found.insert(min(after, default=len(found)), variant)
    return found


@of_file
def contents(path: Path) -> Contents:
    """All variants and cells; a variant whose rules have changed is there once for each of its fingerprints."""
    with reading(path, PATIENCE) as session:
        con = connection(session)
        cells, variants = con.execute(CELLS).fetchall(), con.execute(VARIANTS).fetchall()
        named = in_order(run for _, run in con.execute(RUNS).fetchall())
    order = {number: place for place, number in enumerate(dict.fromkeys([*named, *(cell[1] for cell in cells)]))}
    cells.sort(key=lambda cell: order[cell[1]])
    rows = sorted((row for row in variants if row[0] in order), key=lambda row: order[row[0]])
    names = Counter(row[2] for row in rows)
    stars = {row[0]: "*" if json.loads(row[9]) else "" for row in rows}
    labels = {r[0]: r[2] + stars[r[0]] + ("" if names[r[2]] == 1 else f" (rules {r[5][:6]})") for r in rows}
    known = {}
    for number, game, name, why, spec, fingerprint, parameters, ends, tallies, reconstructed in rows:
        about: dict[str, Any] = {
            "id": number,
            "game": game,
            "name": name,
            "why": why,
            "spec": spec or name,
            "fingerprint": fingerprint,
        }
        about |= {"ends": tuple(json.loads(ends)), "tallies": tuple(json.loads(tallies))}
        about |= {"parameters": json.loads(parameters), "reconstructed": json.loads(reconstructed)}
        known[labels[number]] = Known(label=labels[number], **about)
    kept = [StoredCell(row[0], labels[row[1]], *row[2:10]) for row in cells if row[1] in labels]
    return Contents(known, tuple(kept))


@st.cache_resource(show_spinner=False)
def installed(spec: str, fingerprint: str) -> str:
    """Why matches of a variant cannot be played again here; nothing if they can."""
    from boardgames.store.runs import why_changed

    return why_changed(spec, fingerprint, START)
