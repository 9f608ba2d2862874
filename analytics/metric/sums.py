"""The sums that all metrics are computed from: stored beside the matches by the commands, and worked out for
one look where a page finds some missing.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from analytics.metric.linearize import make_derivation, name_all_values
from analytics.metric.metric import Metric
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.pairs import (
    CHUNK,
    MATCH_VALUES,
    NO_CELL,
    PairRows,
    compute_missing_rows,
    find_missing_names,
    store_pair_rows,
)
from boardgames.store.write import compute_unstored_slices, rebuild_slices

MOST_UNSTORED = 50_000  # deals of a pair, or of all cells, whose sums are worked out while a page waits


def fill_sums(
    db: Path,
    pairs: Sequence[tuple[int, int]] = (),
    metrics: Sequence[Metric] = (),
    *,
    shares_luck: bool = True,
) -> None:
    """Work out and store what `load_evidence` reads: the sums of slices that an older version left out, and
    the differences between these pairs of cells, with what these metrics compute from them.
    """
    rebuild_slices(db)
    portion: list[PairRows] = []
    for rows in _compute_missing(db, pairs, metrics, shares_luck):
        portion.append(rows)
        if sum(part.deals for _, part, _ in portion) >= CHUNK:
            store_pair_rows(db, portion)
            portion = []
    if portion:
        store_pair_rows(db, portion)


class UnstoredSums(NamedTuple):
    """Rows that `fill_sums` would store, worked out for this one look: a page must not write."""

    slice: pa.Table | None = None
    pair: pa.Table | None = None


def compute_unstored_sums(
    db: Path,
    pairs: Sequence[tuple[int, int]] = (),
    metrics: Sequence[Metric] = (),
    *,
    shares_luck: bool = True,
) -> UnstoredSums:
    """What `fill_sums` would store; raises TooMuchUnstored if it takes too long."""
    slices = [rows for _, rows in compute_unstored_slices(db, MOST_UNSTORED)]
    missing = _compute_missing(db, pairs, metrics, shares_luck, MOST_UNSTORED)
    tables = [rows.table for rows in missing]
    return UnstoredSums(*(pa.concat_tables(rows) if rows else None for rows in (slices, tables)))


def _compute_missing(
    db: Path,
    pairs: Sequence[tuple[int, int]],
    metrics: Sequence[Metric],
    shares_luck: bool,
    most_deals: int | None = None,
) -> Iterator[PairRows]:
    """The differences that the file lacks, of those pairs of which it has both cells."""
    stored = _select_stored_pairs(db, pairs)
    ratios = name_all_values(db, [*{cell for pair in stored for cell in pair}], metrics)
    for (a, b), names in find_missing_names(db, stored, list(ratios)).items():
        lacking = {ratios[name].name: ratios[name] for name in names if name in ratios}
        derivation = make_derivation(db, [cell for cell in (a, b) if cell != NO_CELL], [*lacking.values()])
        if MATCH_VALUES in names or derivation.names:  # else these metrics cannot be counted yet
            yield from compute_missing_rows(
                db, a, b, derivation, shares_luck=shares_luck, most_deals=most_deals
            )


def _select_stored_pairs(db: Path, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs of which the file has both cells."""
    with open_for_reading(db) as session:
        cells = {id_ for (id_,) in get_connection(session).execute("SELECT id FROM cell").fetchall()}
    return [pair for pair in pairs if {*pair} <= {NO_CELL, *cells}]


NOTHING_UNSTORED = UnstoredSums()
