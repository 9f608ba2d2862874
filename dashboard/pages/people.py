"""What people did, beside agents: matches that were played here or imported."""

from collections.abc import Iterator

from dashboard.data.people import PeopleSummary, load_people, load_people_comparison
from dashboard.page import BulletList, DataTable, Element, Text, TextStyle, Title
from dashboard.selection import Selection

HEADS = ("variant", "players", "against", "matches", "people", "evenings", "average score")


def overview_elements(selection: Selection) -> Iterator[Element]:
    """All matches of people in the file."""
    summaries = load_people(selection.db)
    if summaries:
        yield Title("What people played")
        yield DataTable("", HEADS, [_make_row(summary) for summary in summaries])
        yield Text(
            "Imported results, and matches played here. Compare shows them beside the agents'.",
            TextStyle.CAPTION,
        )


def _make_row(summary: PeopleSummary) -> list[str]:
    return [
        summary.variant,
        str(summary.players),
        summary.against or "each other",
        f"{summary.matches:,}",
        str(summary.people),
        str(summary.evenings),
        f"{summary.score:.1f}",
    ]


def people_elements(selection: Selection, players: int) -> Iterator[Element]:
    """People beside the agents of the selection, for each variant that people have played."""
    names = {summary.variant for summary in load_people(selection.db) if summary.players == players}
    sentences = []
    for variant in selection.variants:
        cell = selection.find_cell(variant, players)
        info = selection.find_info(variant)
        if cell and cell.has_equal_agents and names & {info.name, *info.other_names}:
            sentences += [f"{variant}: {text}" for text in load_people_comparison(selection.db, cell)]
    if sentences:
        yield Title("Beside people")
        yield BulletList(sentences)
