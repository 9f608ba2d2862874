"""Play deals with swapped chance and store what every seat got: `boardgames luck` asks for it."""

from collections.abc import Callable, Sequence
from pathlib import Path

from boardgames.plan.plan import Plan, plan_deals
from boardgames.plan.played import Progress
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.run.threads import ThreadWorkers
from boardgames.run.writer import play_and_store
from boardgames.store.connection import NOTICE_SECONDS, find_patience, mark_running
from boardgames.store.luck import find_missing_swaps, store_swaps
from boardgames.store.write import check_writable, register_run


def play_swaps(
    cells: Sequence[SwappedCell],
    deals: int,
    db: Path,
    *,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> int:
    """Play what the file lacks of these deals; returns the number of matches played.

    The run that is registered has no deals of its own: matches with swapped chance are counted apart.
    """
    check_writable(db)
    plan = plan_deals(cells, deals, f"luck of {', '.join(dict.fromkeys(cell.variant.name for cell in cells))}")
    missing = find_missing_swaps(plan.deals, db)
    if not any(missing.values()):
        return 0
    pool = ThreadWorkers(plan, missing, workers)
    register_run(_drop_deals(plan), db, command)
    mark_running(db)
    by_id = {cell.id: cell for cell in cells}
    return play_and_store(
        pool,
        lambda played: store_swaps(db, by_id, played, NOTICE_SECONDS),
        find_patience(db),
        on_progress,
    )


def _drop_deals(plan: Plan) -> Plan:
    """The plan with ordinary cells, and none of their deals."""
    cells = tuple(cell.make_ordinary() for cell in plan.cells if isinstance(cell, SwappedCell))
    return plan._replace(cells=cells).with_deals(0)
