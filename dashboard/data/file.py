"""The contents of the result file: its variants, and how much is stored of each."""

import functools
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import streamlit as st

from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.recorded_matches import names_person
from dashboard.data.cache import cache_until_changed
from dashboard.errors import START_HINT
from dashboard.launch import DB_VARIABLE


def find_db() -> Path:
    """The result file that the command named, relative to the current folder if it lies below it."""
    db = Path(os.environ.get(DB_VARIABLE, "boardgames.duckdb"))
    return db.relative_to(Path.cwd()) if db.is_relative_to(Path.cwd()) else db


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
    other_names: tuple[str, ...] = ()  # of variants with the same rules

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.other_names)


@dataclass(frozen=True, kw_only=True)
class CellInfo:
    """One variant, player count and line-up on one seed, and how much of it is stored."""

    id: int
    variant: str  # its label
    spec: str  # what to type to play it; variants with equal rules share a label, not a spec
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
    def has_people(self) -> bool:
        return any(map(names_person, self.agents))

    @property
    def has_equal_agents(self) -> bool:
        """Whether the same agent has all seats."""
        return "," not in self.line_up and not self.has_people

    @property
    def is_rotated(self) -> bool:
        """Whether different agents play each deal in every seating, not only as seated, as people do."""
        return self.seatings > 1


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

    @functools.cached_property
    def reconstructed_specs(self) -> frozenset[str]:
        """What to type to play the variants with reconstructed components."""
        return frozenset(cell.spec for cell in self.cells if self.variants[cell.variant].reconstructed)

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
        names = list(dict.fromkeys(run))  # a comparison names them anew for each player count
        for index, variant in enumerate(names):
            if variant not in ordered:
                later = [ordered.index(other) for other in names[index + 1 :] if other in ordered]
                ordered.insert(min(later, default=len(ordered)), variant)
    return ordered


@cache_until_changed
def load_contents(db: Path) -> Contents:
    """All variants and cells; a variant whose rules have changed appears once per fingerprint."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        cells = con.execute(CELLS).fetchall()
        variants = con.execute(VARIANTS).fetchall()
        named = order_variants(run for _, run in con.execute(RUNS).fetchall())
    ids = dict.fromkeys([*named, *(cell[1] for cell in cells)])
    order = {variant_id: index for index, variant_id in enumerate(ids)}
    cells.sort(key=lambda cell: order[cell[1]])
    rows = sorted((row for row in variants if row[0] in order), key=lambda row: order[row[0]])
    labels = _label_variants(rows)
    specs = {row[0]: row[4] or row[2] for row in rows}
    infos: dict[str, VariantInfo] = {}
    for row in rows:
        label = labels[row[0]]
        if label in infos:  # the same rules under another name
            other_names = (*infos[label].other_names, row[2])
            infos[label] = replace(infos[label], other_names=other_names)
        else:
            infos[label] = _make_variant(row, label)
    stored = [_make_stored_cell(row, labels[row[1]], specs[row[1]]) for row in cells if row[1] in labels]
    return Contents(infos, tuple(stored))


def _label_variants(rows: Sequence[Sequence[Any]]) -> dict[int, str]:
    """A label for each row of VARIANTS, by id; variants with equal rules have one, that of the first."""
    first: dict[tuple[str, str], Sequence[Any]] = {}
    for row in rows:
        first.setdefault((row[1], row[5]), row)  # game and fingerprint
    names = Counter(row[2] for row in first.values())
    labels = {}
    for variant_id, game, _, _, _, fingerprint, *_ in rows:
        name = first[game, fingerprint][2]
        starred = add_star(name, bool(json.loads(first[game, fingerprint][9])))
        labels[variant_id] = starred + ("" if names[name] == 1 else f" (rules {fingerprint[:6]})")
    return labels


def add_star(name: str, is_reconstructed: bool) -> str:
    """The name of a variant as it is shown: a star if part of its components is reconstructed."""
    return f"{name}*" if is_reconstructed else name


def _make_variant(row: Sequence[Any], label: str) -> VariantInfo:
    """The variant of a row of VARIANTS."""
    variant_id, game, name, summary, spec, fingerprint, parameters, ends, tallies, reconstructed = row
    return VariantInfo(
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


def _make_stored_cell(row: Sequence[Any], label: str, spec: str) -> CellInfo:
    """The cell of a row of CELLS."""
    cell_id, _, players, line_up, seed, engine, seatings, deals, matches, last_stored, _ = row
    return CellInfo(
        id=cell_id,
        variant=label,
        spec=spec,
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
