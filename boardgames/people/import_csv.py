"""Results of real tables: a CSV file with one match a line, read strictly, stored beside simulated matches.

    date,variant,names,scores,minutes,rounds
    2026-01-09,keltis,Anna/Ben/Clara,31/17/22,45,9

Names and scores are in the order of the seats, the starting player first. A file is imported as a whole or
not at all. It may be as a spreadsheet writes it: with semicolons, decimal commas, days like 31.01.2026, any
line ends, and in the letters of Windows.
"""

import csv
import functools
import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from boardgames.errors import BoardgamesError, InvalidInput
from boardgames.files import read_bytes
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.people.names import check_person_name
from boardgames.plan.cell import hash63
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.write import check_writable

NEEDED = ("date", "variant", "names", "scores")
OPTIONAL = ("minutes", "rounds")
MOST_MISTAKES = 10  # listed in one message
MOST_MINUTES = 24 * 60
MOST_ROUNDS = 100_000
SPREADSHEET_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")

UPDATE_KNOWN = """UPDATE real_match AS known
SET minutes = coalesce(arriving.minutes, known.minutes), rounds = coalesce(arriving.rounds, known.rounds)
FROM arriving_match AS arriving WHERE arriving.id = known.id"""
INSERT_SEATS = """INSERT INTO real_seat BY NAME
SELECT s.* FROM arriving_seat s ANTI JOIN real_match m ON m.id = s.match_id"""
INSERT_MATCHES = (
    "INSERT INTO real_match BY NAME SELECT a.* FROM arriving_match a ANTI JOIN real_match USING (id)"
)


class Setting(NamedTuple):
    """A variant with a player count, and the scores that it can have."""

    variant: Variant
    players: int
    low: int
    high: int

    def check_scores(self, scores: Sequence[int]) -> None:
        for score in scores:
            if not self.low <= score <= self.high:
                setting = f"{self.variant.name} with {self.players} players"
                raise InvalidInput(
                    f"score {score} is impossible in {setting}: scores are {self.low} to {self.high}"
                )


class Result(NamedTuple):
    """One real match."""

    date: date
    variant: Variant
    names: tuple[str, ...]
    scores: tuple[int, ...]
    minutes: float | None
    rounds: int | None

    @property
    def win_shares(self) -> list[float | None]:
        """Return what each seat won. Where several have the best score, a tie-break may decide that the file
        does not tell: these seats get None, as do all where everyone wins or loses together.
        """
        game = self.variant.game
        if game.is_cooperative:
            return [None] * len(self.scores)
        best = min(self.scores) if game.low_wins else max(self.scores)
        winner = 1.0 if self.scores.count(best) == 1 else None
        return [winner if score == best else 0.0 for score in self.scores]


class ImportSummary(NamedTuple):
    """What an import did."""

    new: int
    already_there: int
    people: int
    evenings: int


def import_results(source: str | Path, db: str | Path = "boardgames.duckdb") -> ImportSummary:
    """Import a CSV file of real results. A second import adds no match twice, but adds new minutes and
    rounds.
    """
    source = Path(source)
    db = read_path("db", db)
    results = read_results(source)
    ids = _number_results(results)
    check_writable(db)
    with open_for_writing(db) as session:
        con = get_connection(session)
        con.register("arriving_match", _make_matches(ids, results, source.name))
        con.register("arriving_seat", _make_seats(ids, results))
        con.execute(UPDATE_KNOWN)
        con.execute(INSERT_SEATS)
        (new,) = con.execute(INSERT_MATCHES).fetchone()
        con.unregister("arriving_match")
        con.unregister("arriving_seat")
    people = {name for result in results for name in result.names}
    return ImportSummary(new, len(results) - new, len(people), len({result.date for result in results}))


def _number_results(results: Sequence[Result]) -> list[int]:
    """Return an id for each result; two equal matches on one evening are two."""
    copies = Counter[tuple[Any, ...]]()
    ids = []
    for result in results:
        identity = (result.date.isoformat(), result.variant.name, result.names, result.scores)
        ids.append(hash63("real", *identity, copies[identity]))
        copies[identity] += 1
    return ids


def _make_matches(ids: Sequence[int], results: Sequence[Result], source: str) -> pa.Table:
    return pa.table(
        {
            "id": ids,
            "date": [result.date for result in results],
            "game": [result.variant.game.name for result in results],
            "variant": [result.variant.name for result in results],
            "players": [len(result.names) for result in results],
            "minutes": pa.array([result.minutes for result in results], pa.float64()),
            "rounds": pa.array([result.rounds for result in results], pa.int32()),
            "source": [source] * len(results),
        }
    )


def _make_seats(ids: Sequence[int], results: Sequence[Result]) -> pa.Table:
    seats = [
        (match_id, seat, *row)
        for match_id, result in zip(ids, results, strict=True)
        for seat, row in enumerate(zip(result.names, result.scores, result.win_shares, strict=True), 1)
    ]
    columns = [pa.array(column) for column in zip(*seats, strict=True)]
    return pa.table(columns, names=["match_id", "seat", "person", "score", "win_share"])


# ---- reading, strictly


def read_results(source: Path) -> list[Result]:
    """All matches of a file. Raises with a list of its mistakes, each with its line."""
    text = io.StringIO(_decode(read_bytes(source)), newline=None)  # any line ends
    delimiter = ";" if ";" in text.readline() else ","
    text.seek(0)
    rows = csv.DictReader(text, delimiter=delimiter, strict=True)
    results, mistakes = [], []
    find_setting = functools.cache(_find_setting)  # a file names few variants, often
    try:
        _check_header(source, [name.strip() for name in rows.fieldnames or ()])
        for row in rows:
            try:
                results.append(
                    _parse_result({str(name).strip(): value for name, value in row.items()}, find_setting)
                )
            except BoardgamesError as error:
                mistakes.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        mistakes.append(f"line {rows.line_num}: {error}")
    if mistakes:
        rest = f"\n  and {len(mistakes) - MOST_MISTAKES} more" if len(mistakes) > MOST_MISTAKES else ""
        raise InvalidInput(
            f"{source}: nothing was imported.\n  " + "\n  ".join(mistakes[:MOST_MISTAKES]) + rest
        )
    if not results:
        raise InvalidInput(f"{source} has a header and no match")
    return results


def _decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, or else in the letters of Windows, where spreadsheets use them."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _check_header(source: Path, header: list[str]) -> None:
    expected = f"the first line is {','.join(NEEDED)} and, if known, {','.join(OPTIONAL)}"
    for name in header:
        if name not in NEEDED + OPTIONAL:
            raise InvalidInput(f"{source}, line 1: there is no column '{name}'; {expected}")
    if missing := [name for name in NEEDED if name not in header]:
        raise InvalidInput(f"{source}, line 1: the column {missing[0]} is missing; {expected}")
    if len(set(header)) < len(header):
        raise InvalidInput(f"{source}, line 1: a column is named twice; {expected}")


def _find_setting(spec: str, players: int) -> Setting:
    variant = find_stored_variant(spec)
    variant.make_blank_state(players)  # raises if that many cannot play
    return Setting(variant, players, *variant.bounds("scores", players))


def _parse_result(row: Mapping[str, str | None], find_setting: Callable[[str, int], Setting]) -> Result:
    if any(value is None for value in row.values()) or "None" in row:
        raise InvalidInput("it has another number of columns than the first line")
    cells = {name: (value or "").strip() for name, value in row.items()}
    names = tuple(name.strip() for name in cells["names"].split("/"))
    scores = tuple(_parse_whole(part, "score") for part in cells["scores"].split("/"))
    _check_names(names, scores)
    setting = find_setting(cells["variant"], len(names))
    setting.check_scores(scores)
    minutes = _parse_minutes(cells.get("minutes", ""))
    rounds = _parse_rounds(cells.get("rounds", ""))
    return Result(_parse_date(cells["date"]), setting.variant, names, scores, minutes, rounds)


def _check_names(names: tuple[str, ...], scores: tuple[int, ...]) -> None:
    if len(names) != len(scores):
        raise InvalidInput(
            f"{len(names)} names and {len(scores)} scores; separate them by /, in the order of the seats"
        )
    if not all(names):
        raise InvalidInput("a name is empty")
    for name in names:
        check_person_name(name)
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InvalidInput(f"{repeated[0]} sits in two seats")


def _parse_date(text: str) -> date:
    """Return the day of 2026-10-01, 1.10.2026 or 13/10/2026. 1/10/2026 has two readings, and is refused."""
    try:
        if not (parts := SPREADSHEET_DATE.fullmatch(text)):
            return date.fromisoformat(text)
        day, month, year = (int(part) for part in parts.group(1, 3, 4))
        if parts[2] == "." or day > 12:
            return date(year, month, day)
        if month > 12 or day == month:
            return date(year, day, month)
    except ValueError:
        raise InvalidInput(f"'{text}' is not a date; write 2026-01-31") from None
    readings = f"{date(year, month, day)} or {date(year, day, month)}"
    raise InvalidInput(f"the date '{text}' can be read in two ways; write {readings}")


def _parse_whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(f"the {name} '{text}' is not a whole number") from None


def _parse_rounds(text: str) -> int | None:
    if not text:
        return None
    name = "number of rounds"
    rounds = _parse_whole(text, name)
    if rounds < 1:
        raise InvalidInput(f"the {name} is {rounds}; it is at least 1")
    if rounds > MOST_ROUNDS:
        raise InvalidInput(f"the {name} is {rounds}; it is at most {MOST_ROUNDS:,}")
    return rounds


def _parse_minutes(text: str) -> float | None:
    if not text:
        return None
    try:
        minutes = float(text.replace(",", "."))
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= MOST_MINUTES:
        raise InvalidInput(f"'{text}' is not a number of minutes above 0")
    return minutes
