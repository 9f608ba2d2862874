"""The race of pure luck: what leading early is worth when nothing but chance adds points, from the start to
the end.

Equal racers, each a Brownian motion: the part `t` of the race is run, who leads? For two the leader wins with
a chance of 1/2 + asin(sqrt(t)) / pi; for more, numbers of 4 * 10**6 simulated races (standard errors below
0.0003).
"""

import math
from pathlib import Path
from typing import NamedTuple

from boardgames.play.quantiles import normal_quantile
from boardgames.store.connection import get_connection, open_for_reading

LEADER = {
    2: {"25": 2 / 3, "50": 3 / 4, "75": 5 / 6},
    3: {"25": 0.5348, "50": 0.6438, "75": 0.7582},
    4: {"25": 0.4598, "50": 0.5815, "75": 0.7125},
    5: {"25": 0.4108, "50": 0.5389, "75": 0.6802},
}
LAST_AT_HALF = {2: 1 / 4, 3: 0.0966, 4: 0.0458, 5: 0.0243}
FEWEST = 400  # matches with a sole leader that calibration needs
QUARTERS = """
SELECT quarter, count(*), sum(won), sum(won * won) FROM (
    SELECT ntile(4) OVER (ORDER BY best - second, deal, seating) AS quarter, won FROM (
        SELECT deal, seating, max(evaluation_50) AS best, max(evaluation_50, 2)[2] AS second,
            sum(CASE rank WHEN 1 THEN 1.0 / winners ELSE 0.0 END)
                FILTER (WHERE (leaders_50 >> (seat - 1)) & 1 = 1) AS won
        FROM seat JOIN match USING (cell_id, deal, seating)
        WHERE cell_id = $cell AND deal < 12800 AND bit_count(leaders_50) = 1 GROUP BY ALL
    )
) GROUP BY quarter ORDER BY quarter
"""


class Calibration(NamedTuple):
    """The leader's chance at half-time by quarters of the size of the lead, from the smallest."""

    chances: list[float]
    holds: bool  # a greater lead means a greater chance


def measure_calibration(db: Path, cell: int) -> Calibration:
    """Whether the game's evaluation predicts a leader's chance: it must rise with the lead and nowhere
    clearly fall.
    """
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(QUARTERS, {"cell": cell}).fetchall()
    if sum(row[1] for row in rows) < FEWEST:
        return Calibration([], False)
    chances = [float(won) / n for _, n, won, _ in rows]
    errors = [
        math.sqrt(max(float(squares) / n - (won / n) ** 2, 0.25 / n) / n) for _, n, won, squares in rows
    ]
    steps = [
        (b - a) / math.hypot(p, q)
        for a, b, p, q in zip(chances, chances[1:], errors, errors[1:], strict=False)
    ]
    rise = (chances[-1] - chances[0]) / math.hypot(errors[0], errors[-1])
    holds = rise > normal_quantile(0.975) and min(steps) > normal_quantile(0.05 / len(steps))
    return Calibration(chances, bool(holds))
