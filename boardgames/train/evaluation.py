"""Train an evaluation: a net that says how well each seat stands. It judges the playouts of a search, in
place of the game's own evaluation.

It learns from matches that greedy agents play. A label is a position, and its candidates are the seats: the
net shall like best who wins in the end.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from boardgames.agents.weights import LearnedPlayer, Net
from boardgames.game.variant import Variant
from boardgames.train.collect import NotesJob, collect_notes, count_spans, is_next_tenth, make_observer
from boardgames.train.fit import find_labels, make_parameters, round_parameters
from boardgames.train.prune import fit_pruned_net

Array = np.ndarray[Any, Any]
MOST_DEALS = 240_000
# Shares of the decisions: made at random, written down. Positions of one match have one result. From many of
# them, in more epochs, a net learns matches by heart: with 8% and 5 epochs, on new deals of Celtae with two,
# it was no better than the game's own evaluation.
NOISE, NOTED = 0.1, 0.02
EPOCHS = 4


def train_evaluation(
    variant: Variant, start: Net, positions: int, seed: int, workers: int, on_progress: Callable[[str], None]
) -> Net:
    """The net `start` with weights that tell who wins, without the columns that tell least."""
    notes = _collect_positions(variant, start, positions, seed, workers, on_progress)
    parameters = make_parameters(len(start.weights), len(start.numbers), seed)
    parameters.number_weights[:, 0] = 1  # the evaluation says a little about who wins, not all
    pruned, fitted = fit_pruned_net(start, parameters, notes, seed, EPOCHS)
    return replace(pruned, **round_parameters(fitted)._asdict())


def _collect_positions(
    variant: Variant, start: Net, wanted: int, seed: int, workers: int, on_progress: Callable[[str], None]
) -> Array:
    """Positions with their results, until there are enough. A span is one deal: its result is that of all its
    positions.
    """
    observer = make_observer(LearnedPlayer(variant.game.name, {start.players: start}), NOISE, NOTED)
    notes = collect_notes(NotesJob(variant, observer, start.players, seed), count_spans(1), workers)
    parts, collected = [], 0
    for part, _ in zip(notes, range(MOST_DEALS), strict=False):
        parts.append(part)
        before, collected = collected, collected + len(find_labels(part, len(start.numbers)))
        if is_next_tenth(before, collected, wanted):
            on_progress(
                f"{variant.name} with {start.players} players: {collected:,} of {wanted:,} positions "
                "to learn an evaluation from"
            )
        if collected >= wanted:
            break
    notes.close()
    return np.concatenate(parts)
