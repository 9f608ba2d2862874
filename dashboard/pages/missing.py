"""What a selection lacks, or a whole file: pages that show what is selected say it. What can be played
has a button."""

from boardgames.store.recorded_matches import names_person
from dashboard.controls import StartButton
from dashboard.data.file import Contents
from dashboard.data.requests import SimulationRequest
from dashboard.page import PageParts, Text, TextStyle
from dashboard.selection import Selection

MOST_MATCHES = 100_000  # that a button asks for
USUAL_MATCHES = 1000


def describe_missing(selection: Selection) -> PageParts:
    """Which variants have no matches of the selected kind; nothing if all have."""
    missing = selection.missing
    if not missing:
        return
    names = ", ".join(
        f"{variant} ({', '.join(map(str, counts))} players)" for variant, counts in missing.items()
    )
    lacks = "lacks" if len(missing) == 1 else "lack"
    if all(counts == list(selection.players) for counts in missing.values()):
        lacks = "has no" if len(missing) == 1 else "have no"
    yield Text(
        f"{len(missing)} of {len(selection.variants)} variants {lacks} matches by {selection.line_up}"
        f" on seed {selection.seed}: {names}.",
        TextStyle.NOTE,
    )
    if not any(map(names_person, selection.line_up.split(","))):
        yield StartButton(db=selection.db, label="Play them", request=_make_request(selection))


def describe_empty(contents: Contents, has_imported: bool) -> str:
    """Why there is nothing to select: no match of the file has been finished here."""
    if any(not cell.has_people for cell in contents.cells):
        return "A simulation has begun; its first matches will show up here."
    if contents.cells:
        return "People have begun a match; it will show up here when it is over. Play goes on with it."
    if has_imported:
        return "There are no matches by agents in this file yet; Overview has what people played."
    return "There are no matches in this file yet."


def _make_request(selection: Selection) -> SimulationRequest:
    """As many matches as the other variants have."""
    counts = sorted({count for counts in selection.missing.values() for count in counts})
    matches = max((cell.matches for cell in selection.cells), default=USUAL_MATCHES)
    return SimulationRequest(
        specs=[selection.find_info(variant).spec for variant in selection.missing],
        players=",".join(map(str, counts)),
        agents=[selection.line_up],
        matches=min(MOST_MATCHES, matches),
        seed=selection.seed,
        note="",
    )
