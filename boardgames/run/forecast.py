"""What a plan would take, before it is played."""

import time
from pathlib import Path
from typing import Any, NamedTuple

from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan
from boardgames.play.batch import make_scratch, warm_up
from boardgames.run.work import MissingRanges
from boardgames.store.read import find_missing

BYTES_A_MATCH, BYTES_A_SEAT = 28, 21  # measured on stored files: a first guess for plans


class Forecast(NamedTuple):
    cells: int
    matches: int
    to_play: int
    seconds: float
    megabytes: float


def forecast(plan: Plan, db: Path, workers: int) -> Forecast:
    """What a plan would take: a few deals of each missing cell are played and not stored."""
    return forecast_missing(plan, find_missing(plan, db), workers)


def forecast_missing(plan: Plan, missing: MissingRanges, workers: int) -> Forecast:
    """What the missing deals of a plan would take."""
    seconds, size, to_play = 0.0, 0.0, 0
    for cell in plan.cells:
        left = cell.seating_count * sum(count for _, count in missing[cell.id])
        to_play += left
        size += left * find_bytes(cell)
        if left:
            seconds += left * measure_pace(cell.runner) / workers
    return Forecast(len(plan.cells), plan.matches, to_play, seconds, size / 1e6)


def forecast_minutes(plan: Plan, minutes: float, workers: int) -> tuple[int, float]:
    """The matches that all cells of a plan can play by turns in this time, and their megabytes."""
    seconds = sum(measure_pace(cell.runner) for cell in plan.cells) / len(plan.cells)
    matches = int(60 * minutes * workers / seconds)
    size = sum(find_bytes(cell) for cell in plan.cells) / len(plan.cells)
    return matches, matches * size / 1e6


def find_bytes(cell: PlannedCell) -> int:
    """What a match of a cell takes in a result file."""
    return BYTES_A_MATCH + BYTES_A_SEAT * cell.players


def measure_pace(runner: Any) -> float:
    """Seconds per match on one core: deals are doubled until they take a moment."""
    warm_up(runner)
    scratch, deals = make_scratch(runner.variant.game, runner.line_up), 1
    while True:
        started = time.perf_counter()
        batch = runner.run(0, deals, scratch)
        spent = time.perf_counter() - started
        if spent > 0.05 or deals >= 4096:
            return spent / len(batch.matches)
        deals *= 4
