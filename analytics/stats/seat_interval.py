"""How much of the variance of results the seat decides: an interval that holds however often you look.

The seats' part is the mean square of the seats' means. It is no mean of values of deals; but each seat's mean
is one, and so is the variance. Where all of these lie in their intervals, the part lies between what the
means nearest to 0 and those farthest from it give.
"""

from typing import Any

import numpy as np

from analytics.stats.capital import AlwaysValidInterval, compute_interval
from boardgames.plan.counts import Counts
from boardgames.play.estimates import ErrorBudget

Array = np.ndarray[Any, Any]
WHOLE = "the whole variance"


def compute_seat_interval(results: Array, reach: float, alpha: float) -> AlwaysValidInterval:
    """The interval of the seats' part of the variance of results by deal, match and seat. No two results are
    further apart than `reach`, which may be infinite.
    """
    players = results.shape[2]
    leads = results - results.mean(axis=2, keepdims=True)
    most_ahead = reach * (1 - 1 / players)
    budgets = ErrorBudget(alpha).split(*range(players), WHOLE)  # all intervals hold together
    means = [
        compute_interval(Counts.of(seat_leads), (-most_ahead, most_ahead), budgets[seat])
        for seat, seat_leads in enumerate(leads.mean(axis=1).T)
    ]
    squares = Counts.of((leads**2).mean(axis=(1, 2)))
    whole = compute_interval(squares, (0.0, reach**2 / 4), budgets[WHOLE])
    if not (whole.low > 0 and all(interval.is_informative for interval in (*means, whole))):
        return AlwaysValidInterval(0.0, 1.0, is_informative=False)
    least = np.mean([max(0.0, mean.low, -mean.high) ** 2 for mean in means])
    most = np.mean([max(-mean.low, mean.high) ** 2 for mean in means])
    return AlwaysValidInterval(float(least / whole.high), min(1.0, float(most / whole.low)))


def compute_seat_change_interval(a: Array, b: Array, reach: float, alpha: float) -> AlwaysValidInterval:
    """The interval of what the seats' part of the variance is in b less what it is in a."""
    budgets = ErrorBudget(alpha).split("a", "b")
    in_a, in_b = compute_seat_interval(a, reach, budgets["a"]), compute_seat_interval(b, reach, budgets["b"])
    is_informative = in_a.is_informative and in_b.is_informative
    return AlwaysValidInterval(in_b.low - in_a.high, in_b.high - in_a.low, is_informative)
