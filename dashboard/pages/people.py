"""What people did, beside agents: matches that were played here or imported."""

from collections.abc import Iterator, Sequence

from boardgames.errors import TooMuchUnstored
from dashboard.data.file import CellInfo
from dashboard.data.people import PeopleSummary, load_people, load_people_comparison
from dashboard.page import BulletList, Command, DataTable, Element, Text, TextStyle, Title
from dashboard.selection import Selection

HEADS = ("variant", "players", "against", "matches", "people", "evenings", "average score")


def overview_elements(selection: Selection) -> Iterator[Element]:
    """All matches of people in the file."""
    summaries = load_people(selection.db)
    if summaries:
        yield Title("What people played")
        yield DataTable("", HEADS, [_make_row(summary) for summary in summaries])
        yield Text(
            "Imported results, and matches played here. Compare shows them beside an agent's matches against"
            " itself, of the same variant and player count.",
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


def people_elements(selection: Selection, player_counts: Sequence[int]) -> Iterator[Element]:
    """People beside the agents of the selection, for each variant that people have played."""
    cells = [cell for cell in _find_cells_beside_people(selection) if cell.players in player_counts]
    try:
        sentences = [
            f"{cell.title}: {text}" for cell in cells for text in load_people_comparison(selection.db, cell)
        ]
    except TooMuchUnstored as error:
        yield Title("Beside people")
        yield Text(f"Not shown: {error}. This command does that:", TextStyle.NOTE)
        yield _make_command(selection, cells[0])
        return
    if sentences:
        yield Title("Beside people")
        yield BulletList(sentences)


def _find_cells_beside_people(selection: Selection) -> list[CellInfo]:
    """The selected cells of one agent whose variant people have played with as many players."""
    played = {(summary.variant, summary.players) for summary in load_people(selection.db)}
    return [
        cell
        for cell in selection.cells
        if cell.has_equal_agents
        and any((name, cell.players) in played for name in selection.find_info(cell.variant).names)
    ]


def _make_command(selection: Selection, cell: CellInfo) -> Command:
    options = ["--players", str(cell.players), "--agents", cell.line_up, "--db", str(selection.db)]
    return Command(["people", cell.spec, *options])
