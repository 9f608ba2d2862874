"""What pages read from the result file: estimates of all metrics, and distributions over the single matches
of a cell's first deals.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from analytics.metric import chance_race as race
from analytics.metric.evidence import load_evidence
from analytics.metric.group import FAIRNESS
from analytics.metric.metric import Metric, metrics
from analytics.metric.sums import compute_unstored_sums
from analytics.questions.ladder import RatedAgent, fit_agents
from analytics.stats.intervals import Estimate, estimate_mean_from_sums
from boardgames.store.connection import get_connection, keep_open_for_reading, open_for_reading
from dashboard.data.cache import cache_by_arguments, cache_until_changed
from dashboard.data.file import CellInfo

DEALS_READ = 12_800  # the first deals, of which single matches are read: enough for a chart, and quick
Estimates = dict[int, dict[str, dict[str, Estimate]]]  # by cell, metric and part


def list_metrics(group: str) -> list[Metric]:
    return [metric for metric in metrics().values() if metric.group == group]


def list_headlines() -> list[tuple[Metric, str, str]]:
    """Metric, part and words of each number on a card."""
    return [
        (metric, part, words) for metric in metrics().values() for part, words in metric.headlines.items()
    ]


def can_measure(metric: Metric, cell: CellInfo) -> bool:
    """Whether a metric applies to a cell. Of people, as seated, it cannot tell a good seat from a good
    player.
    """
    equal, rotated = cell.has_equal_agents, cell.is_rotated
    any_line_up = equal or rotated or metric.group != FAIRNESS.name
    suits_line_up = {"any": any_line_up, "equal": equal, "mixed": rotated}[metric.line_ups]
    return suits_line_up and cell.players in metric.players


def load_estimates(db: Path, cells: Sequence[CellInfo], wanted: Sequence[Metric]) -> Estimates:
    """Estimates of the wanted metrics for some cells."""
    distinct = sorted({cell.id: cell for cell in cells}.values(), key=lambda cell: cell.id)
    estimates = _load_all_estimates(db, tuple(distinct)) if cells else {}
    return {
        cell.id: {
            metric.name: estimates[cell.id][metric.name] for metric in wanted if can_measure(metric, cell)
        }
        for cell in cells
    }


@cache_by_arguments
def _load_all_estimates(db: Path, cells: tuple[CellInfo, ...]) -> Estimates:
    """Estimates of all metrics at once: reading the slices takes the time, and the next page needs others."""
    wanted = list(metrics().values())
    ids = [cell.id for cell in cells]
    with keep_open_for_reading(db):
        evidence = load_evidence(db, ids, wanted, unstored=compute_unstored_sums(db))
    return {
        cell: {
            metric.name: {
                part: evidence.estimate(metric, cell, part) for part in evidence.list_parts(metric, cell)
            }
            for metric in wanted
        }
        for cell in ids
    }


# Opening the file takes longer than most of these questions: they are asked about several cells at once.


@cache_by_arguments
def find_calibrated(db: Path, cells: tuple[CellInfo, ...]) -> frozenset[int]:
    """The cells in which leads by evaluation can be compared with the race of pure luck."""
    with keep_open_for_reading(db):
        return frozenset(cell.id for cell in cells if race.measure_calibration(db, cell.id).holds)


# ---- distributions

TABLE_OF_COLUMN = {"turns": "match", "winning_margin": "match", "score": "seat"}


@cache_by_arguments
def load_distributions(
    db: Path, cells: tuple[CellInfo, ...], columns: tuple[str, ...]
) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """By column and variant: each value and how often it occurs."""
    with keep_open_for_reading(db):
        return {
            column: {cell.variant: _count_values(db, cell.id, column) for cell in cells} for column in columns
        }


def _count_values(db: Path, cell: int, column: str) -> list[tuple[int, int]]:
    table = TABLE_OF_COLUMN[column]
    query = f"""
        SELECT {column}, count(*) FROM {table} WHERE cell_id = ? AND deal < ?
        GROUP BY ALL ORDER BY ALL"""
    with open_for_reading(db) as session:
        return [
            (int(value), int(n))
            for value, n in get_connection(session).execute(query, [cell, DEALS_READ]).fetchall()
        ]


def bin_shares(counts: Sequence[tuple[int, int]], width: int) -> list[tuple[float, float]]:
    """The middle of each bin of `width` values and its share of matches; 0 where no value occurs."""
    total = sum(n for _, n in counts) or 1
    sums: dict[int, int] = {}
    for value, n in counts:
        sums[value // width] = sums.get(value // width, 0) + n
    if not sums:
        return []
    bins = range(min(sums) - 1, max(sums) + 2)
    return [(index * width + (width - 1) / 2, sums.get(index, 0) / total) for index in bins]


def choose_bin_width(distributions: Sequence[Sequence[tuple[int, int]]], max_bins: int = 60) -> int:
    """The smallest width with which all distributions fit into `max_bins` bins."""
    values = [value for counts in distributions for value, _ in counts]
    return max(1, -(-(max(values) - min(values) + 1) // max_bins)) if values else 1


# ---- the lead over time

LEAD = """
WITH scored AS (
    SELECT deal, seating, rank = 1 AS won, unnest([score_25, score_50, score_75, score]) AS points,
        unnest(['25%', '50%', '75%', 'end']) AS moment, score AS last
    FROM seat WHERE cell_id = $cell AND deal < $deals),
way AS (
    SELECT CASE WHEN avg(last) FILTER (WHERE won) < avg(last) FILTER (WHERE NOT won) THEN -1 ELSE 1 END AS up
    FROM scored),
leads AS (
    SELECT deal, seating, moment,
        max(up * points) FILTER (WHERE won) - max(up * points) FILTER (WHERE NOT won) AS lead
    FROM scored, way GROUP BY ALL)
SELECT moment, avg(lead) AS lead FROM leads WHERE lead IS NOT NULL GROUP BY deal, moment
"""


@cache_by_arguments
def load_winner_leads(db: Path, cells: tuple[CellInfo, ...]) -> dict[int, dict[str, Estimate]]:
    """By cell: by how many points the eventual winner is ahead of the best other, at four moments of a
    match.
    """
    with keep_open_for_reading(db):
        return {cell.id: _load_winner_leads(db, cell.id) for cell in cells}


def _load_winner_leads(db: Path, cell: int) -> dict[str, Estimate]:
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(LEAD, {"cell": cell, "deals": DEALS_READ}).fetchnumpy()
    leads = {}
    for moment in ("25%", "50%", "75%", "end"):
        values = np.asarray(rows["lead"][rows["moment"] == moment], np.float64)
        if len(values):
            leads[moment] = estimate_mean_from_sums(
                len(values), float(values.sum()), float((values**2).sum())
            )
    return leads


# ---- ratings


def find_head_to_heads(cells: Sequence[CellInfo]) -> list[CellInfo]:
    """The cells in which one agent sits among others that are all the same."""
    return [cell for cell in cells if len(set(cell.agents[1:])) == 1 and cell.agents[0] != cell.agents[1]]


def order_agents(cells: Sequence[CellInfo]) -> list[str]:
    """The agents of head-to-head cells from weak to strong, as their line-ups say; none if these contradict
    each other.
    """
    pairs = [(cell.agents[0], cell.agents[1]) for cell in cells]  # the stronger first
    remaining = {name for pair in pairs for name in pair}
    order: list[str] = []
    while remaining:
        weakest = sorted(
            name
            for name in remaining
            if not any(strong == name and weak in remaining for strong, weak in pairs)
        )
        if not weakest:
            return []
        order += weakest
        remaining -= set(weakest)
    return order


def is_connected(cells: Sequence[CellInfo]) -> bool:
    """Whether every agent met every other, directly or over others."""
    groups: list[set[str]] = []
    for cell in cells:
        joined = [group for group in groups if group & {*cell.agents}]
        groups = [group for group in groups if group not in joined] + [{*cell.agents}.union(*joined)]
    return len(groups) == 1


@cache_until_changed
def load_ratings(db: Path, cells: tuple[int, ...], order: tuple[str, ...]) -> tuple[RatedAgent, ...]:
    """Ratings from connected head-to-head cells of one variant at one player count."""
    return fit_agents(db, cells, order)[0]
