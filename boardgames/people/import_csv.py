"""Results of real tables: a CSV file with one match a line, read strictly, stored beside simulated matches.

    date,variant,names,scores,minutes,rounds
    2026-01-09,keltis,Anna/Ben/Clara,31/17/22,45,9

Names and scores are in the order of the seats, the starting player first. A file is taken over as a whole or not at all.
"""

import csv
import functools
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from boardgames.errors import BadInput
from boardgames.experiment.plan import hash63
from boardgames.files import read_file
from boardgames.game.plugins import find_stored
from boardgames.game.variant import Variant
from boardgames.store.connection import writing
from boardgames.store.rows import can_be_written
from boardgames.store.schema import RealMatch, RealSeat

NEEDED, OPTIONAL = ("date", "variant", "names", "scores"), ("minutes", "rounds")
MOST_TOLD = 10  # mistakes that are told at once
MOST_MINUTES = 24 * 60


class Result(NamedTuple):
    """One real match."""

    date: date
    variant: Variant
    names: tuple[str, ...]
    scores: tuple[int, ...]
    minutes: float | None
    rounds: int | None


class Import(NamedTuple):
    """What an import did."""

    new: int
    known: int  # were there already
    people: int
    evenings: int


def import_results(source: str | Path, into: str | Path = "boardgames.duckdb") -> Import:
    """Take over a file of real results. Doing so twice doubles nothing; minutes and rounds that were added are taken over."""
    source, path = Path(source), Path(into)
    results = read_results(source)
    can_be_written(path)
    new, seen = 0, Counter[int]()
    with writing(path) as session:
        for result in results:
            same = _identity(result, 0)
            number, seen[same] = _identity(result, seen[same]), seen[same] + 1  # two like matches on one evening are two
            known = session.get(RealMatch, number)
            if known is None:
                new += 1
                for row in _rows(number, result, source.name):
                    session.add(row)
            else:
                known.minutes = result.minutes or known.minutes
                known.rounds = result.rounds or known.rounds
    people = {name for result in results for name in result.names}
    return Import(new, len(results) - new, len(people), len({result.date for result in results}))


def _identity(result: Result, copy: int) -> int:
    return hash63("real", result.date.isoformat(), result.variant.name, result.names, result.scores, copy)


def _rows(number: int, result: Result, source: str) -> Iterator[RealMatch | RealSeat]:
    yield RealMatch(
        id=number,
        date=result.date,
        game=result.variant.game.name,
        variant=result.variant.name,
        players=len(result.names),
        minutes=result.minutes,
        rounds=result.rounds,
        source=source,
    )
    for seat, (name, score) in enumerate(zip(result.names, result.scores, strict=True), 1):
        yield RealSeat(match_id=number, seat=seat, person=name, score=score)


# ---- reading, strictly


def read_results(source: Path) -> list[Result]:
    """All matches of a file; every mistake in it is told, with its line."""
    text = read_file(source)
    first = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    _check_header(source, [name.strip() for name in rows.fieldnames or ()])
    results, wrong = [], []
    find = functools.cache(find_stored)  # a club plays few variants, often
    try:
        for row in rows:
            try:
                results.append(_result({str(name).strip(): value for name, value in row.items()}, find))
            except BadInput as error:
                wrong.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        wrong.append(f"line {rows.line_num}: {error}")
    if wrong:
        more = f"\n  and {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
        raise BadInput(f"{source}: nothing was imported.\n  " + "\n  ".join(wrong[:MOST_TOLD]) + more)
    if not results:
        raise BadInput(f"{source} has a header and no match")
    return results


def _check_header(source: Path, header: list[str]) -> None:
    usual = f"the first line is {','.join(NEEDED)} and, if known, {','.join(OPTIONAL)}"
    for name in header:
        if name not in NEEDED + OPTIONAL:
            raise BadInput(f"{source}, line 1: there is no column '{name}'; {usual}")
    if missing := [name for name in NEEDED if name not in header]:
        raise BadInput(f"{source}, line 1: the column {missing[0]} is missing; {usual}")
    if len(set(header)) < len(header):
        raise BadInput(f"{source}, line 1: a column is named twice; {usual}")


def _result(row: Mapping[str, str | None], find: Callable[[str], Variant]) -> Result:
    if any(value is None for value in row.values()) or "None" in row:
        raise BadInput("it has another number of columns than the first line")
    cells = {name: (value or "").strip() for name, value in row.items()}
    variant = find(cells["variant"])
    names = tuple(name.strip() for name in cells["names"].split("/"))
    scores = tuple(_whole(part, "score") for part in cells["scores"].split("/"))
    _check_table(variant, names, scores)
    minutes = _minutes(cells.get("minutes", ""))
    rounds = _whole(cells["rounds"], "number of rounds", 1) if cells.get("rounds") else None
    return Result(_date(cells["date"]), variant, names, scores, minutes, rounds)


def _check_table(variant: Variant, names: tuple[str, ...], scores: tuple[int, ...]) -> None:
    if len(names) != len(scores):
        raise BadInput(f"{len(names)} names and {len(scores)} scores; separate them by /, in the order of the seats")
    if not all(names):
        raise BadInput("a name is empty")
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadInput(f"{twice[0]} sits in two seats")
    variant.blank(len(names))
    low, high = variant.bounds("scores", len(names))
    for score in scores:
        if not low <= score <= high:
            raise BadInput(f"nobody scores {score} in {variant.name} with {len(names)} players: scores are {low} to {high}")


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"'{text}' is no date; write 2026-01-31") from None


def _whole(text: str, what: str, low: int | None = None) -> int:
    try:
        number = int(text)
    except ValueError:
        raise BadInput(f"the {what} '{text}' is no whole number") from None
    if low is not None and number < low:
        raise BadInput(f"the {what} is {number}; it is at least {low}")
    return number


def _minutes(text: str) -> float | None:
    if not text:
        return None
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= MOST_MINUTES:
        raise BadInput(f"'{text}' is no number of minutes above 0")
    return minutes
