"""Results of real tables: a CSV file with one match a line, read strictly, stored beside simulated matches.

    date,variant,names,scores,minutes,rounds
    2026-01-09,keltis,Anna/Ben/Clara,31/17/22,45,9

Names and scores are in the order of the seats, the starting player first. A file is imported as a whole or
not at all.
"""

import csv
import functools
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from boardgames.errors import BoardgamesError, InvalidInput
from boardgames.files import read_file
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.plan.cell import hash63
from boardgames.store.connection import open_for_writing
from boardgames.store.schema import RealMatch, RealSeat
from boardgames.store.write import check_writable

NEEDED = ("date", "variant", "names", "scores")
OPTIONAL = ("minutes", "rounds")
MOST_MISTAKES = 10  # listed in one message
MOST_MINUTES = 24 * 60
MOST_ROUNDS = 100_000


class Result(NamedTuple):
    """One real match."""

    date: date
    variant: Variant
    names: tuple[str, ...]
    scores: tuple[int, ...]
    minutes: float | None
    rounds: int | None


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
    check_writable(db)
    new = 0
    copies = Counter[int]()
    with open_for_writing(db) as session:
        for result in results:
            first_id = _hash_result(result, 0)
            match_id = _hash_result(result, copies[first_id])
            copies[first_id] += 1  # two equal matches on one evening are two
            stored = session.get(RealMatch, match_id)
            if stored is None:
                new += 1
                for row in _make_rows(match_id, result, source.name):
                    session.add(row)
            else:
                stored.minutes = result.minutes or stored.minutes
                stored.rounds = result.rounds or stored.rounds
    people = {name for result in results for name in result.names}
    return ImportSummary(new, len(results) - new, len(people), len({result.date for result in results}))


def _hash_result(result: Result, copy: int) -> int:
    return hash63("real", result.date.isoformat(), result.variant.name, result.names, result.scores, copy)


def _make_rows(match_id: int, result: Result, source: str) -> Iterator[RealMatch | RealSeat]:
    yield RealMatch(
        id=match_id,
        date=result.date,
        game=result.variant.game.name,
        variant=result.variant.name,
        players=len(result.names),
        minutes=result.minutes,
        rounds=result.rounds,
        source=source,
    )
    for seat, (name, score) in enumerate(zip(result.names, result.scores, strict=True), 1):
        yield RealSeat(match_id=match_id, seat=seat, person=name, score=score)


# ---- reading, strictly


def read_results(source: Path) -> list[Result]:
    """All matches of a file. Raises with a list of its mistakes, each with its line."""
    text = read_file(source)
    first = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    _check_header(source, [name.strip() for name in rows.fieldnames or ()])
    results, mistakes = [], []
    find = functools.cache(find_stored_variant)  # a file names few variants, often
    try:
        for row in rows:
            try:
                results.append(_parse_result({str(name).strip(): value for name, value in row.items()}, find))
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


def _check_header(source: Path, header: list[str]) -> None:
    expected = f"the first line is {','.join(NEEDED)} and, if known, {','.join(OPTIONAL)}"
    for name in header:
        if name not in NEEDED + OPTIONAL:
            raise InvalidInput(f"{source}, line 1: there is no column '{name}'; {expected}")
    if missing := [name for name in NEEDED if name not in header]:
        raise InvalidInput(f"{source}, line 1: the column {missing[0]} is missing; {expected}")
    if len(set(header)) < len(header):
        raise InvalidInput(f"{source}, line 1: a column is named twice; {expected}")


def _parse_result(row: Mapping[str, str | None], find: Callable[[str], Variant]) -> Result:
    if any(value is None for value in row.values()) or "None" in row:
        raise InvalidInput("it has another number of columns than the first line")
    cells = {name: (value or "").strip() for name, value in row.items()}
    variant = find(cells["variant"])
    names = tuple(name.strip() for name in cells["names"].split("/"))
    scores = tuple(_parse_whole(part, "score") for part in cells["scores"].split("/"))
    _check_seats(variant, names, scores)
    minutes = _parse_minutes(cells.get("minutes", ""))
    rounds = _parse_rounds(cells.get("rounds", ""))
    return Result(_parse_date(cells["date"]), variant, names, scores, minutes, rounds)


def _check_seats(variant: Variant, names: tuple[str, ...], scores: tuple[int, ...]) -> None:
    if len(names) != len(scores):
        raise InvalidInput(
            f"{len(names)} names and {len(scores)} scores; separate them by /, in the order of the seats"
        )
    if not all(names):
        raise InvalidInput("a name is empty")
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InvalidInput(f"{repeated[0]} sits in two seats")
    variant.make_blank_state(len(names))
    low, high = variant.bounds("scores", len(names))
    for score in scores:
        if not low <= score <= high:
            setting = f"{variant.name} with {len(names)} players"
            raise InvalidInput(f"score {score} is impossible in {setting}: scores are {low} to {high}")


def _parse_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"'{text}' is not a date; write 2026-01-31") from None


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
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= MOST_MINUTES:
        raise InvalidInput(f"'{text}' is not a number of minutes above 0")
    return minutes
