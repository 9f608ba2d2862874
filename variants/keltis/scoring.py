"""Keltis, points: what a position is worth at the end. A § names the section of RULES.md."""

from typing import Any

from boardgames import rule
from variants.keltis import codes


@rule
def score(state, seat):
    """§5.1. The score marker, and the rows in which the figures stand; the large one counts double, for
    better or worse.
    """
    points, rows, row_points = marker(state, seat), state.row[seat], state.rules.row_points
    for path in range(codes.PATHS):
        points += int(row_points[rows[path]])
    large = int(state.large[seat])
    if large >= 0:
        points += (int(state.rules.large_figure) - 1) * int(row_points[rows[large]])
    return points


@rule
def marker(state, seat):
    """§3.1 and §5.2. Where the score marker stands after the wishing stones were counted; it may be below
    0.
    """
    table = state.rules.wishing
    return int(state.points[seat]) + int(
        table[min(int(state.wishes[seat]), len(table) - 1)]
    )  # it ends with "or more"


@rule
def standing(state, seat):
    """§5.3. The score alone: equals share the place."""
    return score(state, seat)


# ---- bounds


def find_score_bounds(rules: Any, players: int) -> tuple[int, int]:
    """§4.1 and §5.1. No score is lower or higher. Of the figures in the goal area the last one stands in its
    first row.
    """
    rows, goal, needed = rules.row_points.tolist(), int(rules.goal_row), int(rules.figures_to_end)
    short = max(rows[:goal])
    arrived = [max(rows)] * (needed - 1) + [max(rows[goal], short)]
    best = sorted((arrived + [short] * codes.PATHS)[: codes.PATHS], reverse=True)
    worth, wishing = int(rules.large_figure), rules.wishing.tolist()
    numbers = sum(tile * int(rules.tile_copies[tile]) for tile in range(codes.ONE, codes.THREE + 1))
    lowest = (codes.SMALL_FIGURES + worth) * min(rows) + min(wishing)
    return lowest, worth * best[0] + sum(best[1:]) + max(wishing) + numbers
