"""Win lift: do players who use a component win more often than others in the same seat?"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.metric import Metric
from analytics.stats.intervals import FEWEST_UNITS, Estimate
from boardgames.play.quantiles import normal_tail, student_quantile
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.schema import Cell, StoredVariant

Array = np.ndarray[Any, Any]


class Lift(NamedTuple):
    """How many times as often the users of a tally win, and whether that may be chance."""

    tally: str
    users: float  # share of the seats that used it at all
    lift: Estimate
    q: float  # false discoveries to expect among all tallies with a q as small (Benjamini and Hochberg)


def compute_win_lifts(db: Path, cell: int, metric: Metric) -> list[Lift]:
    """The lift of each tally: Mantel and Haenszel's risk ratio over seats, jackknifed over slices."""
    with open_for_reading(db) as session:
        stored_cell = session.get(Cell, cell)
        variant = session.get(StoredVariant, stored_cell.variant_id) if stored_cell else None
        names = variant.tallies if variant else []
        rows = get_connection(session).execute(metric.sql, {"cell": cell}).fetchnumpy() if names else {}
    lifts = [_compute_lift(name, rows, f"tally_{index}") for index, name in enumerate(names, 1)]
    p_values = np.array([_compute_p_value(lift.lift) for lift in lifts])
    finite = np.flatnonzero(np.isfinite(p_values))
    q_values = np.full(len(lifts), math.nan)
    if len(finite):
        q_values[finite] = control_false_discoveries(p_values[finite])
    return [lift._replace(q=float(q)) for lift, q in zip(lifts, q_values, strict=True)]


def control_false_discoveries(p_values: Array) -> Array:
    """Benjamini and Hochberg's q values (1995): the smallest rate of false discoveries that includes each."""
    order = np.argsort(p_values)[::-1]
    tests = len(p_values)
    scaled = p_values[order] * tests / np.arange(tests, 0, -1)
    q_values = np.empty(tests)
    q_values[order] = np.minimum(1.0, np.minimum.accumulate(scaled))
    return q_values


def _compute_lift(name: str, rows: dict[str, Any], column: str) -> Lift:
    is_tally = rows["tally"] == column
    units, unit_index = np.unique(rows["unit"][is_tally], return_inverse=True)
    seats = rows["seat"][is_tally]
    table = np.zeros((4, len(units), int(seats.max(initial=0)) + 1))  # by slice and seat
    for row, key in enumerate(("seats", "wins", "users", "user_wins")):
        np.add.at(table[row], (unit_index, seats), np.asarray(rows[key][is_tally], float))
    totals = table.sum(axis=1)
    whole = _compute_log_ratio(totals)
    without = np.array([_compute_log_ratio(totals - table[:, unit]) for unit in range(len(units))])
    deals = 64 * len(units)
    users = float(totals[2].sum() / max(1.0, totals[0].sum()))
    if len(units) < FEWEST_UNITS or not np.isfinite([whole, *without]).all():
        mean = math.exp(whole) if math.isfinite(whole) else math.nan
        return Lift(name, users, Estimate.unknown(deals)._replace(mean=mean), math.nan)
    error = math.sqrt((len(units) - 1) / len(units) * float(((without - without.mean()) ** 2).sum()))
    half_width = student_quantile(0.975, len(units) - 1) * error
    low, high = math.exp(whole - half_width), math.exp(whole + half_width)
    return Lift(name, users, Estimate(math.exp(whole), low, high, deals), math.nan)


def _compute_log_ratio(table: Array) -> float:
    """The logarithm of Mantel and Haenszel's risk ratio, seats as strata; nan if all or none used it."""
    seats, wins, users, user_wins = table
    played = seats > 0
    numerators = (user_wins * (seats - users))[played] / seats[played]
    denominators = ((wins - user_wins) * users)[played] / seats[played]
    if numerators.sum() > 0 and denominators.sum() > 0:
        return math.log(numerators.sum() / denominators.sum())
    return math.nan


def _compute_p_value(lift: Estimate) -> float:
    """The p value of a lift, from its interval on the scale of logarithms."""
    if not lift.has_interval or lift.low == lift.high:
        return math.nan
    error = (math.log(lift.high) - math.log(lift.low)) / (2 * 1.96)
    return 2 * normal_tail(abs(math.log(lift.mean)) / error)
