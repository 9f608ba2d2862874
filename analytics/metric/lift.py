"""Win lift: do those who use a component win more often than those of the same seat who do not?"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.metric import Metric
from analytics.stats.intervals import FEWEST_UNITS, Estimate
from boardgames.play.quantiles import normal_tail, student_quantile
from boardgames.store.connection import connection, reading
from boardgames.store.schema import Cell, StoredVariant

Array = np.ndarray[Any, Any]


class Lift(NamedTuple):
    """Of one counter: how many times as often its users win, and whether that may be chance."""

    counter: str
    users: float  # share of the seats that used it at all
    lift: Estimate
    q: float  # false discoveries to expect among all counters with a q as small (Benjamini and Hochberg)


def win_lift(path: Path, cell: int, metric: Metric) -> list[Lift]:
    """The lift of each counter of a cell's game, Mantel and Haenszel's risk ratio over seats, jackknifed over slices."""
    with reading(path) as session:
        found = session.get(Cell, cell)
        variant = session.get(StoredVariant, found.variant_id) if found else None
        names = variant.tallies if variant else []
        rows = connection(session).execute(metric.sql, {"cell": cell}).fetchnumpy() if names else {}
    lifts = [_lift(name, rows, f"tally_{place}") for place, name in enumerate(names, 1)]
    chances = np.array([_chance(one.lift) for one in lifts])
    known = np.flatnonzero(np.isfinite(chances))
    corrected = np.full(len(lifts), math.nan)
    if len(known):
        corrected[known] = control_false_discoveries(chances[known])
    return [one._replace(q=float(q)) for one, q in zip(lifts, corrected, strict=True)]


def control_false_discoveries(chances: Array) -> Array:
    """Benjamini and Hochberg's q of each of several chances (1995): the smallest share of false discoveries that takes it in."""
    order, many = np.argsort(chances)[::-1], len(chances)
    scaled = chances[order] * many / np.arange(many, 0, -1)
    found = np.empty(many)
    found[order] = np.minimum(1.0, np.minimum.accumulate(scaled))
    return found


def _lift(name: str, rows: dict[str, Any], column: str) -> Lift:
    here = rows["counter"] == column
    units, place = np.unique(rows["unit"][here], return_inverse=True)
    seats = rows["seat"][here]
    table = np.zeros((4, len(units), int(seats.max(initial=0)) + 1))  # by slice and seat
    for row, key in enumerate(("seats", "wins", "users", "user_wins")):
        np.add.at(table[row], (place, seats), np.asarray(rows[key][here], float))
    everything = table.sum(axis=1)
    whole = _log_ratio(everything)
    without = np.array([_log_ratio(everything - table[:, unit]) for unit in range(len(units))])
    blocks = 64 * len(units)
    share = float(everything[2].sum() / max(1.0, everything[0].sum()))
    if len(units) < FEWEST_UNITS or not np.isfinite([whole, *without]).all():
        return Lift(
            name, share, Estimate(math.exp(whole) if math.isfinite(whole) else math.nan, math.nan, math.nan, blocks), math.nan
        )
    error = math.sqrt((len(units) - 1) / len(units) * float(((without - without.mean()) ** 2).sum()))
    half = student_quantile(0.975, len(units) - 1) * error
    return Lift(name, share, Estimate(math.exp(whole), math.exp(whole - half), math.exp(whole + half), blocks), math.nan)


def _log_ratio(table: Array) -> float:
    """The logarithm of Mantel and Haenszel's risk ratio, seats as strata; no number where all or none used it."""
    seats, wins, users, user_wins = table
    some = seats > 0
    above = (user_wins * (seats - users))[some] / seats[some]
    below = ((wins - user_wins) * users)[some] / seats[some]
    return math.log(above.sum() / below.sum()) if above.sum() > 0 and below.sum() > 0 else math.nan


def _chance(lift: Estimate) -> float:
    """How likely so strong a lift is where there is none, from its interval on the scale of logarithms."""
    if not math.isfinite(lift.low) or lift.low == lift.high:
        return math.nan
    error = (math.log(lift.high) - math.log(lift.low)) / (2 * 1.96)
    return 2 * normal_tail(abs(math.log(lift.mean)) / error)
