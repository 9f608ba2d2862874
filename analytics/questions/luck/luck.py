"""`luck`: play deals with swapped chance, then split what varies by source. The command line and notebooks
call the same function.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from analytics.metric.luck import (
    QUANTITIES,
    SEAT,
    Luck,
    check_chance,
    compute_share_change_interval,
    name_source,
)
from analytics.playing import Budget, Driver, Group, RunOptions, count_complete_deals
from analytics.questions.luck.results import (
    LuckAnswer,
    LuckChange,
    QuantityLuck,
    SourceChange,
    SourceLuck,
    VariantLuck,
)
from analytics.stats.capital import AlwaysValidInterval
from analytics.stats.seat_interval import compute_seat_change_interval
from analytics.stats.variance_split import Part
from analytics.verdict.design import find_usual_player_count, has_same_rules, shares_luck
from boardgames.agents.agent import find_usual_agent
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Variants, format_agent, list_specs
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import plan_deals
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.estimates import ErrorBudget
from boardgames.store.luck import SwapResults, load_swaps

MATCHES = 10_000  # of each variant and player count, unless a number is given
LIMITS_OF_DIFFERENCE = (-1.0, 1.0)


def measure_luck(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = "",
    minutes: float | None = None,
    matches: int = MATCHES,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> LuckAnswer:
    """How much each source of chance decides: `measure_luck("celtica", players=2, matches=2000)`.

    Further variants are compared with the first. What the file has already is not played again; `matches` are
    those of each variant and player count, rounded up to whole deals; `minutes` may end it earlier.
    """
    budget = Budget(minutes=minutes, matches=matches)
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    cells = plan_cells(list_specs(variants), players, format_agent(agents, "luck"), options.seed)
    with follow_lines("luck", on_progress) as on_line:
        driver = Driver(options=replace(options, on_progress=on_line))
        deals = _play(driver, cells, budget)
    results = {cell.id: _load_first_deals(options.db, cell, deals) for cell in cells}
    return _make_answer(cells, results, driver.played)


def _play(driver: Driver, cells: Sequence[SwappedCell], budget: Budget) -> int:
    """Play what the file lacks, as long as there is time. Return the number of deals that all cells have."""
    wanted = max(cell.count_deals(budget.matches or MATCHES) for cell in cells)
    names = ", ".join(dict.fromkeys(cell.variant.name for cell in cells))
    plan = plan_deals(cells, wanted, f"luck of {names}")
    stored = min(wanted, count_complete_deals(plan, driver.options.db))
    group = Group(name=plan.name, plan=plan, deals=stored, max_deals=wanted)
    if budget.minutes is None:
        driver.play_matches([group])
    else:
        driver.play_for([group], 60 * budget.minutes)
    return group.deals


def plan_cells(specs: Sequence[str], players: Players, named: str, seed: int) -> list[SwappedCell]:
    """What is to be played, by the usual agent if none is named. Raises for a variant without chance, and for
    agents that no seed brings back.
    """
    chosen = _find_variants_with_chance(specs)
    counts = parse_player_counts(players) or [find_usual_player_count(chosen)]
    games = [variant.game for variant in chosen]
    return [
        _make_cell(variant, count, named or find_usual_agent(games, count), seed)
        for count in counts
        for variant in chosen
    ]


def _find_variants_with_chance(specs: Sequence[str]) -> list[Variant]:
    """The variants, each once and each with chance in it."""
    variants = [find_variant(spec) for spec in specs]
    for variant in variants:
        check_chance(variant)
    names = [variant.name for variant in variants]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InvalidInput(f"{repeated[0]} is named twice; name each variant once")
    return variants


def _make_cell(variant: Variant, players: int, agents: str, seed: int) -> SwappedCell:
    variant.make_blank_state(players)  # refuses a player count that it does not take
    return SwappedCell(variant, find_line_up(agents, players, variant.game), seed)


def _load_first_deals(db: Path, cell: SwappedCell, deals: int) -> SwapResults:
    results = load_swaps(db, cell.id)
    assert results is not None  # they were played or are there already
    return results.select(np.arange(deals))


def _make_answer(cells: Sequence[PlannedCell], results: Mapping[int, SwapResults], played: int) -> LuckAnswer:
    """Each variant's luck, and what it changes against the first of its player count."""
    firsts = {cell.players: cell for cell in reversed(cells)}
    changes: list[LuckChange] = []
    notes: list[str] = []
    for b in cells:
        a = firsts[b.players]
        if a is b:
            continue
        if problem := _find_comparison_problem(a.variant, b.variant, b.players):
            notes.append(problem)
        else:
            names = a.variant.name, b.variant.name
            changes += compare_luck(names, b.format_line_up(), (results[a.id], results[b.id]))
    return LuckAnswer(
        splits=tuple(_describe_cell(cell, results[cell.id]) for cell in cells),
        changes=tuple(changes),
        played=played,
        notes=tuple(dict.fromkeys(notes)),
    )


def _find_comparison_problem(a: Variant, b: Variant, players: int) -> str | None:
    """Why the luck of two variants is not compared; None if it is."""
    if has_same_rules(a, b, players):
        return f"{a.name} and {b.name} have the same rules with {players} players"
    if not shares_luck(a, b):
        return f"{a.name} and {b.name} cannot share deals: their luck is not compared"
    return None


def load_stored_luck(cells: Sequence[PlannedCell], db: Path) -> LuckAnswer:
    """What the file holds about these cells already; nothing is played."""
    loaded = {cell.id: load_swaps(db, cell.id) for cell in cells}
    results = {cell: found for cell, found in loaded.items() if found}
    return _make_answer([cell for cell in cells if cell.id in results], results, 0)


def _describe_cell(cell: PlannedCell, results: SwapResults) -> VariantLuck:
    return VariantLuck(
        variant=cell.variant.name,
        players=cell.players,
        agents=cell.format_line_up(),
        seed=cell.seed,
        deals=len(results.deals),
        matches=results.masks.size,
        quantities=tuple(describe_quantity(results, quantity) for quantity in QUANTITIES),
    )


# ---- from stored results, which need no game


def describe_quantity(results: SwapResults, quantity: str) -> QuantityLuck:
    """The shares of all sources as estimates."""
    split = Luck(results, quantity).split
    sources = [
        SourceLuck(
            source,
            name_source(source),
            share=parts.share.estimate(),
            alone=parts.alone.estimate(),
            involved=parts.involved.estimate(),
        )
        for source, parts in split.sources.items()
    ]
    return QuantityLuck(quantity, len(results.deals), split.seat.estimate(), tuple(sources))


def compare_luck(
    names: tuple[str, str], agents: str, results: tuple[SwapResults, SwapResults]
) -> list[LuckChange]:
    """What B does to the luck of A, on the deals that both have."""
    both = np.intersect1d(results[0].deals, results[1].deals)
    shared = [part.select(both) for part in results]
    return [
        LuckChange(
            a=names[0],
            b=names[1],
            players=results[0].win_shares.shape[2],
            agents=agents,
            quantity=quantity,
            deals=len(both),
            changes=tuple(_list_changes(*(Luck(part, quantity) for part in shared))),
        )
        for quantity in QUANTITIES
    ]


def _list_changes(a: Luck, b: Luck) -> list[SourceChange]:
    """The seat, and every source that both have."""
    shares_a, shares_b = (luck.split.leave_out_seat() for luck in (a, b))
    pairs: dict[str, tuple[Part, Part]] = {SEAT: (a.split.seat, b.split.seat)}
    pairs |= {source: (shares_a[source], shares_b[source]) for source in shares_a if source in shares_b}
    budgets = ErrorBudget(purpose=f"luck in {a.quantity}").split(*pairs)
    return [
        SourceChange(
            source=source,
            title=name_source(source),
            a=in_a.estimate(),
            b=in_b.estimate(),
            difference=(in_b - in_a).estimate(LIMITS_OF_DIFFERENCE),
            always_valid=_compute_change_interval(a, b, source, budgets[source]),
        )
        for source, (in_a, in_b) in pairs.items()
    ]


def _compute_change_interval(a: Luck, b: Luck, source: str, alpha: float) -> AlwaysValidInterval:
    if source == SEAT:
        return compute_seat_change_interval(a.values, b.values, a.reach, alpha)
    return compute_share_change_interval(a.share_values, b.share_values, source, alpha)
