"""Train an evaluation: a net that says how well each seat stands. It judges the playouts of a search, in
place of the game's own evaluation.

It learns from matches that greedy agents play. A label is a position, and its candidates are the seats: the
net shall like best who wins in the end.
"""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.agents.weights import LearnedPlayer, Net
from boardgames.game.variant import Variant
from boardgames.train.clock import Clock
from boardgames.train.collect import NotesJob, collect_notes, count_spans, make_observer
from boardgames.train.fit import find_labels, make_parameters, round_parameters
from boardgames.train.folder import collect_kept
from boardgames.train.prune import fit_pruned_net

Array = np.ndarray[Any, Any]
MOST_DEALS = 240_000
# Shares of the decisions: made at random, written down. Positions of one match have one result. From many of
# them, in more epochs, a net learns matches by heart: with 8% and 5 epochs, on new deals of Celtae with two,
# it was no better than the game's own evaluation.
NOISE, NOTED = 0.1, 0.02
EPOCHS = 4
MOST_TIME = 0.2  # share of the minutes: the player needs the rest
FEWEST_POSITIONS = 4_000  # worth a fit


def train_evaluation(
    variant: Variant,
    start: Net,
    positions: int,
    seed: int,
    workers: int,
    clock: Clock,
    folder: Path | None = None,
) -> Net:
    """The net `start` with weights that tell who wins, without the columns that tell least. A folder keeps
    the positions.
    """
    job = _make_job(variant, start, seed)
    notes = collect_positions(job, positions, workers, clock, folder)
    parameters = make_parameters(len(start.weights), len(start.numbers), seed)
    parameters.number_weights[:, 0] = 1  # the evaluation says a little about who wins, not all
    clock.tell(": fits an evaluation")
    epochs = clock.begin(2 * EPOCHS, "epochs of an evaluation", is_limited=False)
    pruned, fitted = fit_pruned_net(start, parameters, notes, seed, EPOCHS, epochs.count)
    return replace(pruned, **round_parameters(fitted)._asdict())


def _make_job(variant: Variant, start: Net, seed: int) -> NotesJob:
    """Matches in which greedy agents write down positions."""
    observer = make_observer(LearnedPlayer(variant.game.name, {start.players: start}), NOISE, NOTED)
    return NotesJob(variant, observer, start.players, seed)


def collect_positions(
    job: NotesJob, wanted: int, workers: int, clock: Clock, folder: Path | None = None
) -> Array:
    """Return positions with their results: as many as are wanted, or as a fifth of the time allows. A span is
    one deal: its result is that of all its positions.
    """
    net = job.agent.find_net(job.players)
    assert net is not None
    parts, step = [], clock.begin(wanted, "positions to learn an evaluation from")

    def collect(first: int) -> Generator[Array, None, None]:
        return collect_notes(job, count_spans(1, first), workers)

    with closing(collect_kept(folder, collect)) as notes:
        for (part, is_new), _ in zip(notes, range(MOST_DEALS), strict=False):
            parts.append(part)
            (step.count if is_new else step.keep)(len(find_labels(part, len(net.numbers))))
            if step.done >= min(wanted, FEWEST_POSITIONS if clock.has_spent(MOST_TIME) else wanted):
                break
    return np.concatenate(parts)
