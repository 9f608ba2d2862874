"""A search for a fix as a terminal shows it."""

import shlex
from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.questions.fix.conclusions import (
    FRONT_HEADS,
    HOW_TO_READ,
    HOW_TO_READ_MOVES,
    conclude_fix,
    describe_costs,
    describe_moves,
    find_nearest,
    list_front_rows,
    name_agents,
    title_costs,
)
from analytics.questions.fix.results import Candidate, Fix
from analytics.show.fix_figures import describe_shortfall
from analytics.show.table import make_table
from analytics.words import describe_moment, describe_reconstructed


def show_fix(fix: Fix) -> Iterator[Any]:
    """The answer, the front, what else each fix moves, and what to paste."""
    players = ", ".join(map(str, fix.players))
    star = "*" if fix.reconstructed else ""
    yield f"{fix.variant}{star}, {players} players, by {name_agents(fix)}; wanted: {'; '.join(fix.goals)}"
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
    """What else each fix moves, or the nearest change if there is none; the others in short; tables."""
    nearest = find_nearest(fix)
    told = fix.fixes or ([nearest] if nearest else [])
    for candidate in told:
        if costs := [*describe_costs(candidate)]:
            yield f"\n{title_costs(candidate)}"
            yield from (f"- {sentence}" for sentence in costs)
        yield _make_compare_line(fix, candidate)
    if others := [candidate for candidate in fix.candidates if candidate not in told]:
        yield f"\nWhat else the other changes move. {HOW_TO_READ_MOVES}"
        yield from (f"- {', '.join(c.changes)}: {describe_moves(fix, c)}" for c in others)
    yield "\nFor variants.toml:\n" + "\n".join(candidate.table for candidate in fix.candidates)


def _make_compare_line(fix: Fix, candidate: Candidate) -> str:
    players = ",".join(map(str, fix.players))
    seed = fix.fresh_seed if candidate.trial else fix.seed
    words = ["compare", fix.spec or fix.variant, candidate.spec or candidate.variant, "--players", players]
    words += ["--agents", fix.agent] if len(set(fix.agents.values())) < 2 else []
    words += ["--seed", str(seed), "--db", fix.file]
    return f"To compare: {shlex.join(['boardgames', *words])}"
