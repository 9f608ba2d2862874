"""The matches behind a number: filters with names, as queries on the first deals of a cell."""

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from analytics.metric.metric import Metric
from boardgames.store.connection import get_connection, open_for_reading
from dashboard.data.answers import DEALS_READ, TABLE_OF_COLUMN
from dashboard.data.cache import cache_until_changed
from dashboard.data.file import CellInfo, VariantInfo

MAX_MATCHES = 40
VALUE_RANGE = re.compile(rf"({'|'.join(TABLE_OF_COLUMN)}) (-?\d+) to (-?\d+)")
ONE_DEAL = re.compile(r"deal (\d+)")


ANY_SEAT = (
    "EXISTS (SELECT 1 FROM seat s"
    " WHERE s.cell_id = m.cell_id AND s.deal = m.deal AND s.seating = m.seating AND {})"
)
LAST_AT_HALF_TIME_WON = (
    "s.rank = 1 AND s.evaluation_50 < ALL (SELECT o.evaluation_50 FROM seat o"
    " WHERE o.cell_id = s.cell_id AND o.deal = s.deal AND o.seating = s.seating AND o.seat <> s.seat)"
)


class MatchKind(StrEnum):
    """The names of the filters that every game has; they stand in addresses."""

    ANY = "one after the other"
    LONGEST = "the longest"
    SHORTEST = "the shortest"
    CLOSEST = "the closest"
    CLEAREST = "the clearest win"
    FIRST_PLACE_SHARED = "first place is shared"
    BEST_SCORE_SHARED = "the best score is shared"
    MOST_LEAD_CHANGES = "the lead changed most often"
    NEVER_OVERTAKEN = "the first leader was never overtaken"
    COMEBACK = "the last at half-time won"
    CUT_OFF = "cut off"


class MatchFilter(NamedTuple):
    where: str = "true"
    order: str = "deal, seating"


FILTERS = {
    MatchKind.ANY: MatchFilter(),
    MatchKind.LONGEST: MatchFilter(order="turns DESC, deal, seating"),
    MatchKind.SHORTEST: MatchFilter(order="turns, deal, seating"),
    MatchKind.CLOSEST: MatchFilter(order="winning_margin, deal, seating"),
    MatchKind.CLEAREST: MatchFilter(order="winning_margin DESC, deal, seating"),
    MatchKind.FIRST_PLACE_SHARED: MatchFilter("winners > 1"),
    MatchKind.BEST_SCORE_SHARED: MatchFilter("tied > 1"),
    MatchKind.MOST_LEAD_CHANGES: MatchFilter(order="lead_changes DESC, deal, seating"),
    MatchKind.NEVER_OVERTAKEN: MatchFilter("lead_changes = 0"),
    MatchKind.COMEBACK: MatchFilter(ANY_SEAT.format(LAST_AT_HALF_TIME_WON)),
}


def make_filters(cell: CellInfo, variant: VariantInfo, value_filter: str = "") -> dict[str, MatchFilter]:
    """Filters by name; `value_filter` is a name from `name_value_filter` or `name_deal_filter`, and
    adds its own.
    """
    filters: dict[str, MatchFilter] = {kind.value: match_filter for kind, match_filter in FILTERS.items()}
    for seat in range(1, cell.players + 1):
        filters[name_seat_filter(str(seat))] = MatchFilter(ANY_SEAT.format(f"s.seat = {seat} AND s.rank = 1"))
    for number, reason in enumerate(variant.ends, 1):
        filters[name_end_filter(reason)] = MatchFilter(f'"end" = {number}')
    filters[MatchKind.CUT_OFF.value] = MatchFilter('"end" = 0')
    value_range = VALUE_RANGE.fullmatch(value_filter)
    if value_range:
        filters[value_filter] = MatchFilter(_make_condition(*value_range.groups()))
    elif one_deal := ONE_DEAL.fullmatch(value_filter):
        filters[value_filter] = MatchFilter(f"deal = {one_deal[1]}")
    return filters


def _make_condition(column: str, low: str, high: str) -> str:
    condition = f"{column} BETWEEN {low} AND {high}"
    return ANY_SEAT.format(f"s.{condition}") if TABLE_OF_COLUMN[column] == "seat" else condition


def name_value_filter(column: str, low: float, high: float) -> str:
    """The name of the filter for the matches behind a range of a distribution."""
    return f"{column} {low:.0f} to {high:.0f}"


def name_deal_filter(deal: int) -> str:
    """The name of the filter for the matches of one deal."""
    return f"deal {deal}"


def name_seat_filter(seat: str) -> str:
    return f"seat {seat} won"


def name_end_filter(reason: str) -> str:
    """The name of the filter for the matches that ended so; a match may also be cut off."""
    return reason if reason == MatchKind.CUT_OFF else f"ended by: {reason}"


def name_examples(metric: Metric, part: str) -> str:
    """The name of the filter for the matches behind an estimate."""
    if part == MatchKind.CUT_OFF:
        return part
    return metric.examples.format(part=part) or MatchKind.ANY.value


class MatchLink(NamedTuple):
    """What a point of a chart carries: the cell and the filter of the matches behind it."""

    cell: str
    filter_name: str


def make_link(cell: CellInfo, filter_name: str = MatchKind.ANY.value) -> MatchLink:
    return MatchLink(cell.name, filter_name)


class MatchSummary(NamedTuple):
    deal: int
    seating: int
    turns: int
    winning_margin: int
    winners: str

    @property
    def name(self) -> str:
        return f"{self.deal}/{self.seating}"

    def describe(self) -> str:
        return f"{self.name}: {self.turns} turns, seat {self.winners} first, {self.winning_margin} ahead"


@cache_until_changed
def find_matches(db: Path, cell: int, match_filter: MatchFilter) -> list[MatchSummary]:
    """The first matches that a filter lets through."""
    query = f"""
        WITH picked AS (
            SELECT cell_id, deal, seating, turns, winning_margin,
                row_number() OVER (ORDER BY {match_filter.order}) AS position
            FROM match m
            WHERE cell_id = ? AND deal < ? AND {match_filter.where} QUALIFY position <= {MAX_MATCHES})
        SELECT deal, seating, p.turns, winning_margin,
            string_agg(s.seat, ' and ' ORDER BY s.seat) FILTER (WHERE s.rank = 1)
        FROM picked p JOIN seat s USING (cell_id, deal, seating)
        GROUP BY deal, seating, p.turns, winning_margin, position ORDER BY position"""
    with open_for_reading(db) as session:
        rows = get_connection(session).execute(query, [cell, DEALS_READ]).fetchall()
    return [
        MatchSummary(deal, seating, turns, winning_margin, winners or "nobody")
        for deal, seating, turns, winning_margin, winners in rows
    ]
