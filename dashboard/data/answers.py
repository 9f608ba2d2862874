"""What pages ask of a file: estimates of all metrics, and what only single matches know, of the first blocks of a cell."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from analytics.metric import chance_race as race
from analytics.metric.evidence import gather
from analytics.metric.lift import Lift, win_lift
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.questions.ladder import Rung, rate
from analytics.stats.intervals import Estimate, block_mean
from boardgames.store.connection import connection, reading
from dashboard.data.file import PATIENCE, StoredCell, of_file

LOOKED_AT = 12_800  # blocks of which single matches are looked at: enough for a picture, and quick
Answers = dict[int, dict[str, dict[str, Estimate]]]  # by cell, metric and part


def families() -> list[str]:
    """The families of metrics, in the registry's order; plug-ins may bring others than ours."""
    return list(dict.fromkeys(metric.family for metric in metrics().values()))


def of_family(family: str) -> list[Metric]:
    return [metric for metric in metrics().values() if metric.family == family and metric.kind != "rows"]


def fits(metric: Metric, cell: StoredCell) -> bool:
    """Whether a metric means something for a cell."""
    wanted = {"any": True, "equal": cell.equal, "mixed": not cell.equal}[metric.line_ups]
    return wanted and cell.players in metric.players


def answers(file: Path, cells: Sequence[StoredCell], wanted: Sequence[Metric]) -> Answers:
    """Answers about some cells, from sums."""
    found = _answers(file, tuple(sorted({cell.id for cell in cells}))) if cells else {}
    return {cell.id: {m.name: found[cell.id][m.name] for m in wanted if fits(m, cell)} for cell in cells}


@of_file
def _answers(path: Path, cells: tuple[int, ...]) -> Answers:
    """Of all metrics at once, so that the next page has its answers already: reading the slices is what takes time."""
    wanted = [metric for metric in metrics().values() if metric.kind != "rows"]
    evidence = gather(path, cells, wanted)
    return {
        cell: {m.name: {part: evidence.estimate(m, cell, part) for part in evidence.parts(m, cell)} for m in wanted}
        for cell in cells
    }


@of_file
def calibrated(path: Path, cell: int) -> bool:
    """Whether leads by outlook can be set beside the race of pure luck."""
    return race.calibration(path, cell).holds


@of_file
def lifts(path: Path, cell: int) -> list[Lift]:
    return win_lift(path, cell, find_metric("win_lift"))


# ---- distributions

COLUMNS = {"turns": "match", "margin": "match", "score": "seat"}


@of_file
def spread(path: Path, cell: int, column: str) -> list[tuple[int, int]]:
    """How often each value occurs."""
    query = f"SELECT {column}, count(*) FROM {COLUMNS[column]} WHERE cell_id = ? AND block < ? GROUP BY ALL ORDER BY ALL"
    with reading(path, PATIENCE) as session:
        return [(int(value), int(n)) for value, n in connection(session).execute(query, [cell, LOOKED_AT]).fetchall()]


def binned(counts: Sequence[tuple[int, int]], width: int) -> list[tuple[float, float]]:
    """Shares of matches by value, of `width` values together; values that never occur have a share of 0."""
    total = sum(n for _, n in counts) or 1
    sums: dict[int, int] = {}
    for value, n in counts:
        sums[value // width] = sums.get(value // width, 0) + n
    if not sums:
        return []
    places = range(min(sums) - 1, max(sums) + 2)
    return [(place * width + (width - 1) / 2, sums.get(place, 0) / total) for place in places]


def bin_width(several: Sequence[Sequence[tuple[int, int]]], most: int = 60) -> int:
    """Values to put together so that a figure has at most so many steps."""
    values = [value for counts in several for value, _ in counts]
    return max(1, -(-(max(values) - min(values) + 1) // most)) if values else 1


# ---- the lead over time

LEAD = """
WITH scored AS (
    SELECT block, arrangement, place = 1 AS won, unnest([score_25, score_50, score_75, score]) AS points,
        unnest(['25 %', '50 %', '75 %', 'end']) AS moment, score AS last
    FROM seat WHERE cell_id = $cell AND block < $blocks),
way AS (SELECT CASE WHEN avg(last) FILTER (WHERE won) < avg(last) FILTER (WHERE NOT won) THEN -1 ELSE 1 END AS up FROM scored),
leads AS (
    SELECT block, arrangement, moment, max(up * points) FILTER (WHERE won) - max(up * points) FILTER (WHERE NOT won) AS lead
    FROM scored, way GROUP BY ALL)
SELECT moment, avg(lead) AS lead FROM leads WHERE lead IS NOT NULL GROUP BY block, moment
"""


@of_file
def winners_lead(path: Path, cell: int) -> dict[str, Estimate]:
    """By how many points the one who wins in the end is ahead of the best other, as the match goes on."""
    with reading(path, PATIENCE) as session:
        rows = connection(session).execute(LEAD, {"cell": cell, "blocks": LOOKED_AT}).fetchnumpy()
    found = {}
    for moment in ("25 %", "50 %", "75 %", "end"):
        values = np.asarray(rows["lead"][rows["moment"] == moment], np.float64)
        if len(values):
            found[moment] = block_mean(len(values), float(values.sum()), float((values**2).sum()))
    return found


# ---- ratings


def duels(cells: Sequence[StoredCell]) -> list[StoredCell]:
    """The cells in which one agent sits among others that are all alike."""
    return [cell for cell in cells if len(set(cell.agents[1:])) == 1 and cell.agents[0] != cell.agents[1]]


def rungs_of(cells: Sequence[StoredCell]) -> list[str]:
    """The agents of duels from weak to strong, as their line-ups say; nothing where these contradict each other."""
    beats = [(cell.agents[0], cell.agents[1]) for cell in cells]
    left, order = {name for pair in beats for name in pair}, []
    while left:
        lowest = sorted(name for name in left if not any(strong == name and weak in left for strong, weak in beats))
        if not lowest:
            return []
        order += lowest
        left -= set(lowest)
    return order


def hang_together(cells: Sequence[StoredCell]) -> bool:
    """Whether every agent met every other, over some third."""
    groups: list[set[str]] = []
    for cell in cells:
        joined = [group for group in groups if group & {*cell.agents}]
        groups = [group for group in groups if group not in joined] + [{*cell.agents}.union(*joined)]
    return len(groups) == 1


@of_file
def ratings(path: Path, cells: tuple[int, ...], order: tuple[str, ...]) -> tuple[Rung, ...]:
    """From duels that hang together, of one variant at one player count."""
    return rate(path, cells, order)[0]
