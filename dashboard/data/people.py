"""Matches of people in the result file: imported, or played here."""

from pathlib import Path
from typing import NamedTuple

from analytics.metric.sums import compute_unstored_sums
from analytics.questions.people import PeopleLine, compare_group, load_people_groups
from analytics.words import format_interval, format_unit, join_words
from boardgames.agents.seating import find_line_up
from boardgames.errors import BoardgamesError, FileInUse, TooMuchUnstored
from boardgames.game.plugins import find_stored_variant
from boardgames.plan.cell import PlannedCell
from boardgames.store.connection import get_connection, open_for_reading
from dashboard.data.cache import cache_until_changed
from dashboard.data.file import CellInfo

PEOPLE = """
SELECT variant, players, list_sort(list_distinct(list_filter(string_split(line_up, ','),
        name -> name <> '' AND NOT starts_with(name, 'human')))) AS against,
    count(DISTINCT match), count(DISTINCT person), count(DISTINCT evening), avg(score)
FROM people GROUP BY ALL ORDER BY ALL
"""


class PeopleSummary(NamedTuple):
    """People's matches of one variant and player count, among themselves or against these agents."""

    variant: str
    players: int
    against: str  # empty: each other
    matches: int
    people: int
    evenings: int
    score: float


@cache_until_changed
def load_people(db: Path) -> list[PeopleSummary]:
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(PEOPLE).fetchall()
    return [
        PeopleSummary(variant, players, ", ".join(against), *rest)
        for variant, players, against, *rest in rows
    ]


@cache_until_changed
def load_people_comparison(db: Path, cell: CellInfo) -> list[str]:
    """What people did in this setting beside what the cell's agent did, in sentences; empty if no person
    played it, or its rules are not here. Raises TooMuchUnstored.
    """
    try:
        variant = find_stored_variant(cell.spec)
        groups = load_people_groups(db, variant, [cell.players])
        planned = PlannedCell(variant, find_line_up(cell.line_up, cell.players, variant.game), cell.seed)
        unstored = compute_unstored_sums(db)
    except (FileInUse, TooMuchUnstored):
        raise
    except BoardgamesError:
        return []
    if planned.id != cell.id:  # other rules or agents than today's
        return []
    sentences = []
    for group in groups:
        comparison = compare_group(db, group, planned, unstored)
        against = f" against {comparison.against}" if comparison.against else ""
        start = f"people{against}, {comparison.matches:,} {'match' if comparison.matches == 1 else 'matches'}"
        sentences += [_describe_line(start, line) for line in comparison.lines if line.is_informative]
        unclear = [line.quantity.replace("_", " ") for line in comparison.lines if not line.is_informative]
        if unclear:
            sentences.append(f"{start}: too few matches yet to say anything of their {join_words(unclear)}.")
    return sentences


def _describe_line(start: str, line: PeopleLine) -> str:
    people = f"{format_interval(line.people, line.unit)} {format_unit(line.unit)}"
    return f"{line.quantity.replace('_', ' ')} of {start}: {people}; {line.sentence}."
