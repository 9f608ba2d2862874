"""How long more matches of a comparison take, by those that are stored: the terminal and the dashboard say
the same.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from boardgames.store.connection import get_connection, open_for_reading

# of the time: for the agent that decides, for the other agents, for the head-to-heads
TIME_SHARES = {"deciding": 0.5, "others": 0.3, "head_to_head": 0.2}
PACE = "SELECT sum(seconds) / sum(matches) FROM batch WHERE list_contains($1, cell_id) GROUP BY cell_id"


def load_match_seconds(db: Path, cells: Sequence[int], agents: int, workers: int) -> float:
    """The seconds that a further match of each of these cells, the deciding agent's, takes with this many
    workers, and the other agents' share of the time. NaN if one of them is not known. Head-to-heads are
    short: they do not grow with the matches.
    """
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(PACE, [list(cells)]).fetchall()
    if not rows or len(rows) < len(cells):
        return math.nan
    share = TIME_SHARES["deciding"] / (TIME_SHARES["deciding"] + TIME_SHARES["others"]) if agents > 1 else 1.0
    return float(sum(seconds for (seconds,) in rows)) / workers / share
