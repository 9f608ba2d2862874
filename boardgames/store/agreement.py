"""Whether matches that are played again are those that were stored: the same seed gives the same match."""

from typing import Any, NamedTuple

import numpy as np

from boardgames.play.batch import Batch

Array = np.ndarray[Any, Any]


class Differing(NamedTuple):
    """Matches that came out otherwise."""

    rows: Array  # their indices
    columns: tuple[str, ...]  # of the tables `match` and `seat` in which some of them differ

    def __bool__(self) -> bool:
        return len(self.rows) > 0


def compare_batches(stored: Batch, played: Batch) -> Differing:
    """The matches in which two batches differ: of each match one row, in the same order."""
    by_column = {
        name: (stored.matches[name] != played.matches[name]) for name in _list_columns(played.matches)
    }
    for name in _list_columns(played.seats):
        differs = stored.seats[name] != played.seats[name]
        seats = differs.reshape(len(differs), -1).any(axis=1)
        by_column[name] = seats | by_column.get(name, False)
    rows = np.flatnonzero(np.any([*by_column.values()], axis=0))
    return Differing(rows, tuple(name for name, differs in by_column.items() if differs.any()))


def _list_columns(rows: Array) -> list[str]:
    return [name for name in rows.dtype.names or () if name != "_"]
