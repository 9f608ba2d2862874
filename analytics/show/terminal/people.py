"""Agents beside people as a terminal shows it."""

from collections.abc import Iterator
from typing import Any

from analytics.questions.people import PeopleComparison, PeopleLine
from analytics.show.table import make_table
from analytics.words import describe_reconstructed, format_interval, format_number, format_unit

CAPTION = (
    "In brackets: 95% intervals; those of people allow for evenings and persons being different. "
    "Distance: how far results must move, on average, to turn one distribution into the other. "
    "By chance: the distance to expect if people played just like the agents."
)


def show_people(comparison: PeopleComparison) -> Iterator[Any]:
    """How much people and agents played, and each quantity on a line."""
    star = "*" if comparison.reconstructed else ""
    opponents = f"against {comparison.against}" if comparison.against else "among themselves"
    yield (
        f"\n{comparison.variant}{star}, {comparison.players} players: "
        f"{comparison.matches:,} matches of {comparison.people} people {opponents}, "
        f"on {comparison.evenings} evenings; "
        f"{comparison.agent_matches:,} matches of {comparison.agent} against itself"
    )
    table = make_table(caption=CAPTION)
    for head in (
        "",
        "results",
        "people",
        comparison.agent,
        f"{comparison.agent} minus people",
        "distance (by chance)",
        "in words",
    ):
        table.add_column(head, overflow="fold")
    for line in comparison.lines:
        table.add_row(*_make_cells(line))
    yield table
    if comparison.reconstructed:
        yield describe_reconstructed()


def _make_cells(line: PeopleLine) -> list[str]:
    has_interval = line.people.has_interval
    people = (
        format_interval(line.people, line.unit)
        if has_interval
        else format_number(line.people.mean, line.unit)
    )
    agents = (
        format_interval(line.agents, line.unit)
        if line.agents.deals
        else format_number(line.agents.mean, line.unit)
    )
    difference = (
        format_interval(line.difference, line.unit, True)
        if has_interval
        else format_number(line.difference.mean, line.unit, True)
    )
    distance = ""
    if line.distance:
        distance = (
            format_interval(line.distance, line.unit)
            if has_interval
            else format_number(line.distance.mean, line.unit)
        )
        distance += f" ({format_number(line.chance, line.unit)})" if has_interval else ""
    return [
        f"{line.quantity}, {format_unit(line.unit)}",
        f"{line.results:,}",
        people,
        agents,
        difference,
        distance,
        line.sentence,
    ]
