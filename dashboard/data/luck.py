"""Where the luck comes from, as the result file has it."""

from pathlib import Path

from analytics.metric.luck import QUANTITIES
from analytics.questions.luck.luck import compare_luck, describe_quantity
from analytics.questions.luck.results import LuckChange, QuantityLuck
from boardgames.store.connection import keep_open_for_reading
from boardgames.store.luck import load_swaps
from dashboard.data.cache import cache_until_changed


@cache_until_changed
def load_luck(db: Path, cells: tuple[int, ...]) -> dict[int, list[QuantityLuck]]:
    """What decides each quantity, by all stored deals of a cell; cells of which none is stored are left
    out.
    """
    with keep_open_for_reading(db):
        swaps = {cell: results for cell in cells if (results := load_swaps(db, cell))}
    return {
        cell: [describe_quantity(results, quantity) for quantity in QUANTITIES]
        for cell, results in swaps.items()
    }


@cache_until_changed
def load_luck_changes(
    db: Path, cells: tuple[int, int], names: tuple[str, str], agents: str
) -> list[LuckChange]:
    """What B does to the luck of A; empty if one of them has no stored deals, or other sources."""
    with keep_open_for_reading(db):
        a, b = (load_swaps(db, cell) for cell in cells)
    return compare_luck(names, agents, (a, b)) if a and b and a.sources == b.sources else []
