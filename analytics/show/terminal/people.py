"""Agents beside people as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from analytics.questions.people import PeopleComparison, PeopleLine
from analytics.words import interval, number, unit_of

CAPTION = (
    "95 % intervals; people's are clustered by evening and person. Distance: how far a result is moved on average to make one "
    "distribution of the other; chance: the distance to expect if people's results were the agents'."
)


def show_people(found: PeopleComparison) -> Iterator[Any]:
    """Who played how much, and each quantity on a line."""
    star = "*" if found.reconstructed else ""
    who = f"against {found.against}" if found.against else "among themselves"
    yield f"\n{found.variant}{star}, {found.players} players: {found.matches:,} matches of {found.people} people {who}, " + (
        f"on {found.evenings} evenings; {found.agent_matches:,} matches of {found.agent} against itself"
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), caption=CAPTION, caption_justify="left")
    for head in ("", "results", "people", found.agent, f"{found.agent} less people", "distance (chance)", "in words"):
        table.add_column(head, overflow="fold")
    for line in found.lines:
        table.add_row(*_cells(line))
    yield table
    if found.reconstructed:
        yield "* part of the components is reconstructed: `boardgames show VARIANT` says which"


def _cells(line: PeopleLine) -> list[str]:
    known = line.people.low == line.people.low  # not without an interval
    people = interval(line.people, line.unit) if known else number(line.people.mean, line.unit)
    agents = interval(line.agents, line.unit) if line.agents.blocks else number(line.agents.mean, line.unit)
    less = interval(line.difference, line.unit, True) if known else number(line.difference.mean, line.unit, True)
    apart = ""
    if line.distance:
        apart = interval(line.distance, line.unit) if known else number(line.distance.mean, line.unit)
        apart += f" ({number(line.chance, line.unit)})" if known else ""
    return [f"{line.quantity}, {unit_of(line.unit)}", f"{line.results:,}", people, agents, less, apart, line.sentence]
