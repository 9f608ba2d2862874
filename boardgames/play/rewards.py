"""What a match is worth to each seat: rewards for learning algorithms, with sum 0 unless all win together."""

from typing import Any

import numpy as np

from boardgames.errors import make_unknown_error

Array = np.ndarray[Any, Any]
WIN, SCORE = "win", "score"
AIMS = (WIN, SCORE)


def check_aim(aim: str) -> None:
    if aim not in AIMS:
        raise make_unknown_error("aim", aim, AIMS)


def compute_rewards(
    scores: Array, standings: Array, aim: str, low_wins: bool = False, is_cooperative: bool = False
) -> Array:
    """The reward of each seat of finished matches, the last dimension being the seat.

    For the win: 1 for winning alone, -1 / (players - 1) for losing, and winners share. For the score: the
    points above the mean of the table. In a co-operative game: the points, whatever the aim.
    """
    points = -scores if low_wins else scores
    if is_cooperative:
        return np.asarray(points, np.float64)
    if aim == SCORE:
        return np.asarray(points - points.mean(axis=-1, keepdims=True))
    players = standings.shape[-1]
    is_winner = standings == standings.max(axis=-1, keepdims=True)
    shares = is_winner / is_winner.sum(axis=-1, keepdims=True)
    return np.asarray((players * shares - 1) / (players - 1))
