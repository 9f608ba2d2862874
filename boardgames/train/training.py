"""One player count's training, as far as it got, and what was asked of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.agents.weights import Net
from boardgames.game.variant import Variant
from boardgames.train.clock import Clock
from boardgames.train.fit import Parameters, round_parameters

Array = np.ndarray[Any, Any]
TEACHER = "mcts:256"
ROUND_LABELS = 40_000
PATIENCE = 2  # rounds without a gain after which training ends
# what is added to the seed: luck that one part of the training sees is never seen by another
GATE_LUCK, SURVEY_LUCK, EVALUATION_LUCK, LABEL_LUCK, DUEL_LUCK, LAST_LUCK = 1, 2, 3, 1_000, 2_000, 3_000
MOST_LUCK = 10_000


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """How much to train, and by what."""

    teacher: str = TEACHER
    positions: int = 240_000  # that the evaluation learns from
    labels: int = 240_000  # in all, at most
    round_labels: int = ROUND_LABELS
    minutes: float | None = None  # for each player count; None = as long as it takes
    seed: int = 7_000_000
    workers: int = 1
    cluster: str = ""  # the address of a Dask scheduler whose workers ask the teacher
    on_progress: Callable[[str], None] = lambda line: None
    on_warning: Callable[[str], None] = lambda sentence: None


@dataclass(kw_only=True)
class Training:
    """One player count's training, as far as it got. All of it is kept in a folder."""

    variant: Variant
    players: int
    options: TrainOptions
    folder: Path
    start: Net  # columns and codes; its weights are those of the evaluation
    parameters: Parameters
    clock: Clock
    evaluation: Net | None = None  # by which the teacher judges playouts; None = by the game's own
    notes: list[Array] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    best: Net | None = None
    tests: list[dict[str, Any]] = field(default_factory=list)  # the last test of each player that had one
    ended: dict[str, int] = field(default_factory=dict)  # labels asked for and rounds when it gained no more

    @property
    def name(self) -> str:
        return name_training(self.variant, self.players)

    @property
    def labels(self) -> int:
        return sum(entry["labels"] for entry in self.log)

    @property
    def gains(self) -> bool:
        """Whether one of the last rounds was stronger than all before. Who asks for more labels than when it
        ended has new patience.
        """
        shares = [entry["share"] for entry in self.log]
        first = self.ended["rounds"] if self.ended and self.options.labels > self.ended["labels"] else 0
        return len(shares) - first <= PATIENCE or max(shares[-PATIENCE:]) > max(shares[:-PATIENCE])

    @property
    def round_folder(self) -> Path:
        """Where the parts of the round are kept that is being played."""
        return self.folder / f"round-{len(self.log) + 1}"

    def make_net(self, parameters: Parameters) -> Net:
        weights = round_parameters(parameters)._asdict()
        names = ("players", "columns", "codes", "numbers", "first_action", "trained_on")
        return Net(**{name: getattr(self.start, name) for name in names}, **weights, log=tuple(self.log))


def name_training(variant: Variant, players: int) -> str:
    return f"{variant.name} with {players} players"
