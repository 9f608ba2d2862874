"""A net reads only what tells it something."""

import numpy as np
import pytest

from boardgames.agents.weights import NO_SEAT, Column, Net
from boardgames.train.fit import fit_net, make_parameters, measure_fit, round_parameters
from boardgames.train.prune import find_features, prune_columns

GOOD, NOISE, FIRST_ACTION = 2, 3, 4  # one feature for each of the two columns, then two actions


def make_start() -> Net:
    columns = (
        Column("good", 0, NO_SEAT, NO_SEAT, low=0, high=1, codes=0),
        Column("noise", 0, NO_SEAT, NO_SEAT, low=0, high=1, codes=2),
    )
    parameters = make_parameters(FIRST_ACTION + 2, 0, seed=1)
    return Net(
        players=2,
        columns=columns,
        codes=np.array([0, GOOD, 0, NOISE], np.int32),
        numbers=(),
        first_action=FIRST_ACTION,
        trained_on="nothing",
        **round_parameters(parameters)._asdict(),
    )


def write_labels(labels: int) -> np.ndarray:
    """Two candidates each: the search always takes the one with GOOD; NOISE is there by chance."""
    chance = np.random.default_rng(2)
    notes: list[int] = []
    for _ in range(labels):
        notes += [2, 0]
        good = chance.integers(2)
        for candidate in range(2):
            features = [FIRST_ACTION + candidate]
            features += [GOOD] if candidate == good else []
            features += [NOISE] if chance.random() < 0.5 else []
            notes += [100 if candidate == good else 1, len(features), *features]
    return np.array(notes, np.int32)


@pytest.mark.long
def test_a_column_that_tells_nothing_is_not_read():
    start, notes = make_start(), write_labels(4000)
    untrained = make_parameters(len(start.weights), 0, seed=1)
    trained = fit_net(untrained, notes, find_features(start), seed=3)
    kept = prune_columns(start, untrained, trained, notes)
    assert [column.field for column in kept.columns] == ["good"]


@pytest.mark.long
def test_what_is_not_read_has_no_weight_and_the_rest_is_learned():
    start, notes = make_start(), write_labels(4000)
    without_noise = find_features(start)
    without_noise[NOISE] = False
    fitted = fit_net(make_parameters(len(start.weights), 0, seed=1), notes, without_noise, seed=3)
    assert not fitted.weights[NOISE].any()
    assert measure_fit(fitted, notes).agreement > 0.99
