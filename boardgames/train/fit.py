"""Fit a net to labels: of the candidates of a decision, it shall like best what the search has tried most.

The loss is the cross-entropy between the net's softmax over the candidates and the search's visits, raised to
a power. Gradient descent by Adam (Kingma and Ba 2015), compiled, on one core: the same labels give the same
net.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np

from boardgames.agents.net import ALWAYS, ONE, UNITS

Array = np.ndarray[Any, Any]
BATCH = 256  # decisions per step
RATE = 2e-3  # of the first epoch; it falls to a tenth in the last one
EPOCHS = 5
SHARPNESS = 6.0  # the power of visits
HELD_BACK = 20  # every 20th label is not learned from; it tells how good the fit is
DECAY_MEAN, DECAY_SQUARE, TINY = 0.9, 0.999, 1e-8
LARGEST = 32767 / ONE  # of a weight


class Parameters(NamedTuple):
    """A net's weights as fractions."""

    weights: Array  # by feature and unit
    number_weights: Array
    outputs: Array


def make_parameters(features: int, numbers: int, seed: int) -> Parameters:
    """A net that likes what the evaluation likes: the other units have random weights and no say yet."""
    chance = np.random.default_rng(seed)
    weights = chance.normal(0, 0.05, (features, UNITS)).astype(np.float32)
    number_weights = chance.normal(0, 0.05, (numbers, UNITS)).astype(np.float32)
    weights[:, 0] = 0
    weights[0] = 0
    number_weights[:, 0] = 0
    if numbers:
        number_weights[0, 0] = 8
    outputs = np.zeros(UNITS, np.float32)
    outputs[0] = 1
    return Parameters(weights, number_weights, outputs)


def round_parameters(parameters: Parameters) -> Parameters:
    """The weights as the engine plays with them: whole numbers of two bytes."""
    return Parameters(
        *(np.round(np.clip(part, -LARGEST, LARGEST) * ONE).astype(np.int16) for part in parameters)
    )


class Fit(NamedTuple):
    """How good a net is on the labels that were held back."""

    loss: float
    agreement: float  # share of decisions in which it likes best what the search likes best


def fit_net(
    parameters: Parameters,
    notes: Array,
    is_used: Array,
    seed: int,
    epochs: int = EPOCHS,
    on_epoch: Callable[[], None] = lambda: None,
) -> Parameters:
    """The net after some epochs on all labels but those held back. The weights of features that are not used
    stay 0.
    """
    starts = find_labels(notes, len(parameters.number_weights))
    learned = np.delete(starts, np.s_[::HELD_BACK])
    chance = np.random.default_rng(seed)
    fitted = Parameters(*(part.copy() for part in parameters))
    if not fitted.outputs[1:].any():
        fitted.outputs[1:] = chance.normal(0, 0.1, UNITS - 1)
    fitted.weights[~is_used] = 0
    means, squares = (Parameters(*map(np.zeros_like, fitted)) for _ in range(2))
    step = 0
    for epoch in range(epochs):
        rate = RATE * 10 ** (-epoch / max(1, epochs - 1))
        step = _learn_epoch(notes, chance.permutation(learned), fitted, is_used, (means, squares), rate, step)
        on_epoch()
    return fitted


def measure_fit(parameters: Parameters, notes: Array) -> Fit:
    """How good a net is on the labels that were held back."""
    starts = find_labels(notes, len(parameters.number_weights))
    return Fit(*_measure(notes, starts[::HELD_BACK], parameters))


@numba.njit(nogil=True)
def find_labels(notes: Array, numbers: int) -> Array:
    """Where each label begins."""
    starts = np.empty(len(notes), np.int64)
    count, place = 0, 0
    while place < len(notes):
        starts[count] = place
        count += 1
        candidates = notes[place]
        place += 2 + notes[place + 1]
        for _ in range(candidates):
            place += 2 + notes[place + 1] + numbers
    return starts[:count].copy()


class Candidates(NamedTuple):
    """What the net computes for one label: a row for each candidate."""

    sums: Array  # the last row is that of the position itself
    targets: Array  # what the search prefers, with sum 1
    shares: Array  # what the net prefers, with sum 1


@numba.njit(nogil=True)
def _make_candidates(notes: Array, starts: Array) -> Candidates:
    """Memory for the label with most candidates."""
    most = 0
    for start in starts:
        most = max(most, notes[start])
    return Candidates(np.empty((most + 1, UNITS), np.float32), np.empty(most), np.empty(most))


@numba.njit(nogil=True)
def _add_features(notes: Array, place: int, count: int, weights: Array, sums: Array) -> None:
    for index in range(place, place + count):
        feature = notes[index]
        if feature > 0:
            for unit in range(UNITS):
                sums[unit] += weights[feature, unit]
        else:
            for unit in range(UNITS):
                sums[unit] -= weights[-feature, unit]


@numba.njit(nogil=True)
def _rate_label(notes: Array, start: int, net: Parameters, candidates: Candidates) -> int:
    """Fill in what the net computes for a label; returns the number of its candidates."""
    n, numbers = notes[start], len(net.number_weights)
    base = candidates.sums[-1]
    base[:] = net.weights[ALWAYS]
    place = start + 2
    _add_features(notes, place, notes[start + 1], net.weights, base)
    place += notes[start + 1]
    for c in range(n):
        row = candidates.sums[c]
        row[:] = base
        candidates.targets[c], count = notes[place], notes[place + 1]
        _add_features(notes, place + 2, count, net.weights, row)
        place += 2 + count
        for number in range(numbers):
            value = np.float32(notes[place + number] / ONE)
            for unit in range(UNITS):
                row[unit] += value * net.number_weights[number, unit]
        place += numbers
        candidates.shares[c] = _compute_output(row, net.outputs)
    _normalize(candidates.targets[:n], candidates.shares[:n])
    return n


@numba.njit(nogil=True)
def _compute_output(row: Array, outputs: Array) -> float:
    rating = row[0] * outputs[0]
    for unit in range(1, UNITS):
        if row[unit] > 0:
            rating += row[unit] * outputs[unit]
    return rating


@numba.njit(nogil=True)
def _normalize(targets: Array, shares: Array) -> None:
    """Visits become targets, ratings become the softmax; the sum of each is 1."""
    most, best = max(1.0, targets.max()), shares.max()
    for c in range(len(targets)):
        targets[c] = (targets[c] / most) ** SHARPNESS
        shares[c] = math.exp(shares[c] - best)
    targets /= max(targets.sum(), 1e-30)
    shares /= shares.sum()


@numba.njit(nogil=True)
def _measure(notes: Array, starts: Array, net: Parameters) -> tuple[float, float]:
    """Mean cross-entropy, and the share of labels in which both like the same candidate best."""
    candidates = _make_candidates(notes, starts)
    loss, agreed = 0.0, 0
    for start in starts:
        n = _rate_label(notes, start, net, candidates)
        for c in range(n):
            loss -= candidates.targets[c] * math.log(max(candidates.shares[c], 1e-12))
        agreed += np.argmax(candidates.targets[:n]) == np.argmax(candidates.shares[:n])
    return loss / max(1, len(starts)), agreed / max(1, len(starts))


@numba.njit(nogil=True)
def _learn_epoch(
    notes: Array,
    starts: Array,
    net: Parameters,
    is_used: Array,
    moments: tuple[Parameters, Parameters],
    rate: float,
    step: int,
) -> int:
    """One pass over the labels in this order; returns the number of steps so far."""
    means, squares = moments
    candidates = _make_candidates(notes, starts)
    slopes = Parameters(
        np.zeros_like(net.weights), np.zeros_like(net.number_weights), np.zeros_like(net.outputs)
    )
    for index in range(len(starts)):
        n = _rate_label(notes, starts[index], net, candidates)
        _add_slopes(notes, starts[index], n, net.outputs, candidates, slopes)
        if (index + 1) % BATCH == 0 or index + 1 == len(starts):
            step += 1
            _clear_unused(slopes.weights, is_used)
            scale = rate * math.sqrt(1 - DECAY_SQUARE**step) / (1 - DECAY_MEAN**step)
            _step(net.weights, slopes.weights, means.weights, squares.weights, scale)
            _step(
                net.number_weights, slopes.number_weights, means.number_weights, squares.number_weights, scale
            )
            _step(net.outputs, slopes.outputs, means.outputs, squares.outputs, scale)
    return step


@numba.njit(nogil=True)
def _clear_unused(slopes: Array, is_used: Array) -> None:
    for feature in range(len(slopes)):
        if not is_used[feature]:
            slopes[feature] = 0


@numba.njit(nogil=True)
def _add_slopes(
    notes: Array, start: int, n: int, outputs: Array, candidates: Candidates, slopes: Parameters
) -> None:
    """Add the slope of a label's loss in every weight."""
    base = np.zeros(UNITS, np.float32)
    row = np.empty(UNITS, np.float32)
    first = start + 2
    place = first + notes[start + 1]
    for c in range(n):
        error = np.float32((candidates.shares[c] - candidates.targets[c]) / BATCH)
        for unit in range(UNITS):
            is_on = unit == 0 or candidates.sums[c, unit] > 0
            row[unit] = error * outputs[unit] if is_on else np.float32(0)
            slopes.outputs[unit] += error * candidates.sums[c, unit] if is_on else np.float32(0)
            base[unit] += row[unit]
        count = notes[place + 1]
        _spread(notes, place + 2, count, row, slopes.weights)
        place += 2 + count
        for number in range(len(slopes.number_weights)):
            value = np.float32(notes[place + number] / ONE)
            for unit in range(UNITS):
                slopes.number_weights[number, unit] += value * row[unit]
        place += len(slopes.number_weights)
    slopes.weights[ALWAYS] += base
    _spread(notes, first, notes[start + 1], base, slopes.weights)


@numba.njit(nogil=True)
def _spread(notes: Array, place: int, count: int, row: Array, slopes: Array) -> None:
    """Add a row of slopes to each feature, or take it away where the feature was taken away."""
    for index in range(place, place + count):
        feature = notes[index]
        if feature > 0:
            for unit in range(UNITS):
                slopes[feature, unit] += row[unit]
        else:
            for unit in range(UNITS):
                slopes[-feature, unit] -= row[unit]


@numba.njit(nogil=True)
def _step(values: Array, slopes: Array, means: Array, squares: Array, scale: float) -> None:
    """One step of Adam; the slopes are forgotten."""
    flat, flat_slopes, flat_means, flat_squares = (
        values.reshape(-1),
        slopes.reshape(-1),
        means.reshape(-1),
        squares.reshape(-1),
    )
    for i in range(len(flat)):
        slope = flat_slopes[i]
        flat_means[i] += np.float32(1 - DECAY_MEAN) * (slope - flat_means[i])
        flat_squares[i] += np.float32(1 - DECAY_SQUARE) * (slope * slope - flat_squares[i])
        flat[i] -= np.float32(scale) * flat_means[i] / (np.sqrt(flat_squares[i]) + np.float32(TINY))
        flat_slopes[i] = 0
