"""Which columns a net can do without: reading fewer makes it quicker and hardly worse.

A column's worth is how much worse the net fits the labels when all weights of the column are 0.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from boardgames.agents.net import ALWAYS
from boardgames.agents.weights import Column, Net
from boardgames.train.fit import EPOCHS, Parameters, fit_net, measure_fit

Array = np.ndarray[Any, Any]
TOLERATED = 0.01  # of what the net has learned, given up in all for reading fewer columns


def fit_pruned_net(
    start: Net,
    untrained: Parameters,
    notes: Array,
    seed: int,
    epochs: int = EPOCHS,
    on_epoch: Callable[[], None] = lambda: None,
) -> tuple[Net, Parameters]:
    """The net without the columns that tell least, and its weights, fitted anew without them."""
    fitted = fit_net(untrained, notes, find_features(start), seed, epochs, on_epoch)
    pruned = prune_columns(start, untrained, fitted, notes)
    return pruned, fit_net(untrained, notes, find_features(pruned), seed, epochs, on_epoch)


def prune_columns(start: Net, untrained: Parameters, trained: Parameters, notes: Array) -> Net:
    """The net to start from, without the columns that tell least."""
    best = measure_fit(trained, notes).loss
    worths = _measure_worths(start, trained, notes, best)
    spare = TOLERATED * max(0.0, measure_fit(untrained, notes).loss - best)
    dropped: set[int] = set()
    for first_code, worth in sorted(worths.items(), key=lambda item: item[1]):
        spare -= max(0.0, worth)
        if spare < 0:
            break
        dropped.add(first_code)
    return replace(start, columns=tuple(column for column in start.columns if column.codes not in dropped))


def _measure_worths(net: Net, trained: Parameters, notes: Array, best: float) -> dict[int, float]:
    """By the place of their codes, which columns of a list without order share: what the loss grows by."""
    worths = {}
    for column in net.columns:
        if column.codes not in worths:
            weights = trained.weights.copy()
            weights[_list_features(net, column)] = 0
            worths[column.codes] = measure_fit(trained._replace(weights=weights), notes).loss - best
    return worths


def find_features(net: Net) -> Array:
    """Which rows of weights a net uses: those of its columns and of the actions."""
    is_used = np.zeros(len(net.weights), np.bool_)
    is_used[ALWAYS] = True
    is_used[net.first_action :] = True
    for column in net.columns:
        is_used[_list_features(net, column)] = True
    is_used[0] = False
    return is_used


def _list_features(net: Net, column: Column) -> Array:
    return net.codes[column.codes : column.codes + column.high - column.low + 1]
