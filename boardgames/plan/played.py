"""What was played: deals of a cell with their rows, and how far a run is."""

import platform
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

from boardgames.plan.values import Array, Countable
from boardgames.play.batch import Batch
from boardgames.play.engine import ENGINE_VERSION


class Rows(NamedTuple):
    """The same batch as Arrow tables, ready to be stored."""

    match: Any
    seat: Any


class StorableCell(Protocol):
    """What storing asks of a cell: of one that was just played, or of one in another file."""

    @property
    def id(self) -> int: ...
    @property
    def players(self) -> int: ...
    @property
    def game(self) -> Countable: ...
    @property
    def agents(self) -> Array: ...  # by seating and seat, the first slot of its agent in the line-up


class PlayedDeals(NamedTuple):
    """Some deals of a cell, just played."""

    cell: StorableCell
    first: int
    deals: int
    batch: Batch | Rows
    seconds: float
    worker: str = ""  # the address of the other machine that played them

    @property
    def matches(self) -> int:
        return len(self.batch.match if isinstance(self.batch, Rows) else self.batch.matches)


class Progress(NamedTuple):
    matches: int  # played so far, by this run
    wanted: int  # to be played by this run
    cell: str  # what was played last


def environment_versions() -> dict[str, str]:
    """What a result may depend on, beside the seed: nothing, we claim; so we write it down."""
    packages = ("boardgames", "numpy", "numba", "duckdb")
    return {
        **{name: version(name) for name in packages},
        "python": platform.python_version(),
        "engine": str(ENGINE_VERSION),
    }
