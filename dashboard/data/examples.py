"""The matches behind a number: kinds of matches that one would like to see, as queries on the first blocks of a cell."""

import re
from pathlib import Path
from typing import NamedTuple

from boardgames.store.connection import connection, reading
from dashboard.data.answers import COLUMNS, LOOKED_AT
from dashboard.data.file import PATIENCE, Known, StoredCell, of_file

ANY = "one after the other"
MOST = 40
VALUES = re.compile(rf"({'|'.join(COLUMNS)}) (-?\d+) to (-?\d+)")


class Kind(NamedTuple):
    where: str = "true"
    order: str = "block, arrangement"


def kinds(cell: StoredCell, variant: Known, asked: str = "") -> dict[str, Kind]:
    """What can be asked for, in words; besides, the values that somebody asks for."""
    someone = (
        "EXISTS (SELECT 1 FROM seat s WHERE s.cell_id = m.cell_id AND s.block = m.block AND s.arrangement = m.arrangement AND {})"
    )
    last = (
        "s.place = 1 AND s.outlook_50 < ALL (SELECT o.outlook_50 FROM seat o WHERE o.cell_id = s.cell_id AND o.block = s.block"
        " AND o.arrangement = s.arrangement AND o.seat <> s.seat)"
    )
    return {
        ANY: Kind(),
        "the longest": Kind(order="turns DESC, block, arrangement"),
        "the shortest": Kind(order="turns, block, arrangement"),
        "the closest": Kind(order="margin, block, arrangement"),
        "the clearest win": Kind(order="margin DESC, block, arrangement"),
        "first place is shared": Kind("winners > 1"),
        "the best score is shared": Kind("tied > 1"),
        "the lead changed most often": Kind(order="lead_changes DESC, block, arrangement"),
        "the first leader was never overtaken": Kind("lead_changes = 0"),
        "the last at half-time won": Kind(someone.format(last)),
        **{f"seat {seat} won": Kind(someone.format(f"s.seat = {seat} AND s.place = 1")) for seat in range(1, cell.players + 1)},
        **{f"ended by: {reason}": Kind(f'"end" = {place}') for place, reason in enumerate(variant.ends, 1)},
        "cut off": Kind('"end" = 0'),
        **({asked: Kind(_valued(found[1], found[2], found[3], someone))} if (found := VALUES.fullmatch(asked)) else {}),
    }


def _valued(column: str, low: str, high: str, someone: str) -> str:
    where = f"{column} BETWEEN {low} AND {high}"
    return someone.format(f"s.{where}") if COLUMNS[column] == "seat" else where


def with_values(column: str, low: float, high: float) -> str:
    """The kind of match behind a place of a distribution."""
    return f"{column} {low:.0f} to {high:.0f}"


def link(cell: StoredCell, kind: str = ANY) -> tuple[str, str]:
    """Where a point of a chart leads: to matches of a cell."""
    return cell.name, kind


def kind_of(metric: str, part: str) -> str:
    """The kind of match behind a point of a chart."""
    by_metric = {
        "tied_before": "the best score is shared", "tied_after": "first place is shared", "close_finish": "the closest",
        "victory_margin": "the clearest win", "length": "the longest", "decisions": "the longest",
        "comeback": "the last at half-time won",
        "lead_changes": "the lead changed most often", "wire_to_wire": "the first leader was never overtaken",
    }  # fmt: skip
    if metric == "seat_win_share":
        return f"seat {part} won"
    if metric == "end_reason":
        return part if part == "cut off" else f"ended by: {part}"
    return by_metric.get(metric, ANY)


class Found(NamedTuple):
    block: int
    arrangement: int
    turns: int
    margin: int
    winners: str


@of_file
def matches_like(path: Path, cell: int, kind: Kind) -> list[Found]:
    """The first matches of a kind."""
    query = f"""
        WITH picked AS (
            SELECT cell_id, block, arrangement, turns, margin, row_number() OVER (ORDER BY {kind.order}) AS rank FROM match m
            WHERE cell_id = ? AND block < ? AND {kind.where} QUALIFY rank <= {MOST})
        SELECT block, arrangement, p.turns, margin, string_agg(s.seat, ' and ' ORDER BY s.seat) FILTER (WHERE s.place = 1)
        FROM picked p JOIN seat s USING (cell_id, block, arrangement)
        GROUP BY block, arrangement, p.turns, margin, rank ORDER BY rank"""
    with reading(path, PATIENCE) as session:
        rows = connection(session).execute(query, [cell, LOOKED_AT]).fetchall()
    return [Found(block, seating, turns, margin, first or "nobody") for block, seating, turns, margin, first in rows]
