"""Play deals with swapped chance and store what every seat got: `boardgames luck` asks for it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from boardgames.plan.plan import Plan, plan_deals
from boardgames.plan.played import PlayedDeals, Progress
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.batch import Batch
from boardgames.run.simulate import Outcome
from boardgames.run.stored_run import StoredRun
from boardgames.run.threads import ThreadWorkers
from boardgames.run.writer import play_and_store
from boardgames.store.connection import find_patience, keep_waiting_for
from boardgames.store.luck import find_missing_swaps, store_swaps
from boardgames.store.opening.waiting import NOTICE_SECONDS
from boardgames.store.write import check_writable, register_run


def play_swaps(
    cells: Sequence[SwappedCell],
    deals: int,
    db: Path,
    *,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Outcome:
    """Play what the file lacks of these deals.

    With one agent in all seats, the match in which nothing is swapped is that of an ordinary run, and is
    stored as such.
    """
    started = time.perf_counter()
    check_writable(db)
    names = dict.fromkeys(cell.variant.name for cell in cells)
    plan = plan_deals(cells, deals, f"luck of {', '.join(names)}")
    missing = find_missing_swaps(plan.deals, db)
    if not any(missing.values()):
        return Outcome(0, 0, plan.matches, 0.0, time.perf_counter() - started)
    pool = ThreadWorkers(plan, missing, workers)
    number = register_run(_make_ordinary_plan(cells, deals, plan), db, command)
    by_id = {cell.id: cell for cell in cells}
    storage = StoredRun(db, {})

    def store(played: list[PlayedDeals]) -> None:
        # matches first: what is killed between the two is played again
        ordinary = [_select_ordinary(by_id[part.cell.id], part) for part in played]
        storage.store([part for part in ordinary if part])
        store_swaps(db, by_id, played, NOTICE_SECONDS)

    ready = time.perf_counter()
    with keep_waiting_for(db):
        stored = play_and_store(pool, store, find_patience(db), on_progress)
        storage.check_end()
    return Outcome(number, stored, plan.matches - stored, time.perf_counter() - ready, ready - started)


def _make_ordinary_plan(cells: Sequence[SwappedCell], deals: int, plan: Plan) -> Plan:
    """The cells and deals that are stored as ordinary matches."""
    wanted = {cell.id: deals if cell.has_ordinary_matches else 0 for cell in cells}
    return plan._replace(cells=tuple(cell.make_ordinary() for cell in cells), deals=wanted)


def _select_ordinary(cell: SwappedCell, part: PlayedDeals) -> PlayedDeals | None:
    """The matches in which nothing is swapped, the first of each deal; None if they are not ordinary ones."""
    if not cell.has_ordinary_matches or not isinstance(part.batch, Batch):
        return None
    mixes = cell.swaps.matches_per_deal
    batch = Batch(part.batch.matches[::mixes], part.batch.seats[::mixes])
    return PlayedDeals(cell.make_ordinary(), part.first, part.deals, batch, part.seconds / mixes)
