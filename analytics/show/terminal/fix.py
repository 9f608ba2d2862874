"""A search for a fix as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.fix.conclusions import (
    FRONT_HEADS,
    HOW_TO_READ,
    conclude_fix,
    describe_costs,
    find_nearest,
    list_front_rows,
)
from analytics.questions.fix.results import Candidate, Fix
from analytics.show.fix_figures import describe_shortfall
from analytics.show.table import make_table
from analytics.words import describe_moment, describe_reconstructed


def show_fix(fix: Fix) -> Iterator[Any]:
    """The answer, the front, what else each fix moves, and what to paste."""
    players = ", ".join(map(str, fix.players))
    star = "*" if fix.reconstructed else ""
    yield f"{fix.variant}{star}, {players} players, by {fix.agent}; wanted: {'; '.join(fix.goals)}"
    yield from (f"- {sentence}" for sentence in conclude_fix(fix))
    if fix.candidates:
        yield _make_front_table(fix)
        yield from _show_details(fix)
        yield HOW_TO_READ
    if fix.tried:
        yield f"{fix.tried:,} changes were tried; {fix.refused:,} others cannot be played or change nothing."
    yield f"{fix.played:,} matches were played now: seed {fix.seed}, fresh deals from seed {fix.fresh_seed}."
    yield f"The goals were fixed {describe_moment(fix.matches_before)}."
    if fix.reconstructed:
        yield describe_reconstructed(fix.variant, fix.reconstructed)


def _make_front_table(fix: Fix) -> Table:
    table = make_table("The smallest changes first", describe_shortfall())
    for head in FRONT_HEADS:
        table.add_column(head, overflow="fold")
    for row in list_front_rows(fix):
        table.add_row(*row)
    return table


def _show_details(fix: Fix) -> Iterator[Any]:
    """What else each fix moves, and its table for variants.toml; without a fix, those of the nearest."""
    nearest = find_nearest(fix)
    for candidate in fix.fixes or ([nearest] if nearest else []):
        if costs := [*describe_costs(candidate)]:
            yield f"\nWhat else {candidate.variant} changes:"
            yield from (f"- {sentence}" for sentence in costs)
        yield from _show_commands(fix, candidate)


def _show_commands(fix: Fix, candidate: Candidate) -> Iterator[str]:
    players = ",".join(map(str, fix.players))
    yield (
        f"To compare: boardgames compare {fix.variant} {candidate.variant} --players {players} "
        f"--agents {fix.agent} --seed {fix.fresh_seed} --db {fix.file}"
    )
    yield f"For variants.toml:\n{candidate.table}"
