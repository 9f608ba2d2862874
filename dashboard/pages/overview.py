"""Overview: every variant at a glance, what is stored of it, and how fresh that is."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from analytics.words import add_unit, format_interval, place_value
from dashboard.data.answers import Estimates, list_headlines, load_estimates
from dashboard.data.file import CellInfo, Contents, VariantInfo, replay_problem
from dashboard.page import (
    Card,
    Cards,
    DataTable,
    Element,
    Headline,
    PageParts,
    Text,
    TextStyle,
    Title,
)
from dashboard.pages import people
from dashboard.selection import Selection

MAX_CARDS = 24  # cards at once


def elements(selection: Selection) -> PageParts:
    labels = list(dict.fromkeys([*selection.variants, *selection.contents.variants]))
    games = list(dict.fromkeys(selection.find_info(variant).game for variant in labels))
    shown_variants = sorted(
        labels[:MAX_CARDS], key=lambda variant: games.index(selection.find_info(variant).game)
    )
    yield Cards(_make_cards(selection, shown_variants))
    if len(labels) > MAX_CARDS:
        yield Text(
            f"{MAX_CARDS} of {len(labels)} variants have a card here: choose others in the sidebar.",
            TextStyle.NOTE,
        )
    yield from people.overview_elements(selection)
    yield from _coverage_elements(selection, shown_variants)


def _coverage_elements(selection: Selection, shown_variants: Sequence[str]) -> Iterator[Element]:
    """What is stored of every variant, and which components are reconstructed."""
    yield Title("What is stored")
    yield _make_coverage_table(selection.contents)
    yield Text(
        "Matches by variant, agents and player count. Each deal is played in every seating of its line-up, or"
        " with people, as seated.",
        TextStyle.CAPTION,
    )
    reconstructed = {
        selection.find_info(variant).game: selection.find_info(variant).reconstructed
        for variant in shown_variants
        if selection.find_info(variant).reconstructed
    }
    for game, parts in reconstructed.items():
        rows = [[part, reason] for part, reason in parts.items()]
        parts_are = f"1 part of {game} is" if len(rows) == 1 else f"{len(rows)} parts of {game} are"
        title = f"* {parts_are} reconstructed, because no source documents it: all numbers depend on that"
        yield DataTable(title, ["part", "what we chose, and why"], rows, is_folded=True)


# ---- cards


def _make_cards(selection: Selection, variants: Sequence[str]) -> list[Card]:
    metrics = [metric for metric, _, _ in list_headlines()]
    cells = {variant: cell for variant in variants if (cell := _pick_cell(selection, variant))}
    others = [cell for cell in cells.values() if cell not in selection.cells]
    estimates = load_estimates(selection.db, selection.cells, metrics)
    estimates |= load_estimates(selection.db, others, metrics)
    return [_make_card(selection, variant, cells.get(variant), estimates) for variant in variants]


def _pick_cell(selection: Selection, variant: str) -> CellInfo | None:
    """The cell behind a card: that of the selection, else the one with the most matches; cells with one agent
    in all seats come first.
    """
    stored = [cell for cell in selection.contents.current_cells.values() if cell.variant == variant]

    def rank(cell: CellInfo) -> tuple[bool, bool, bool, bool, int]:
        matches_selection = (cell.line_up, cell.seed) == (selection.line_up, selection.seed)
        return (
            matches_selection and cell.players in selection.players,
            matches_selection,
            cell.has_equal_agents,
            cell.players == selection.main_player_count,
            cell.matches,
        )

    return max(stored, key=rank, default=None)


def _make_card(selection: Selection, variant: str, cell: CellInfo | None, estimates: Estimates) -> Card:
    info = selection.find_info(variant)
    of_game = "" if info.label.startswith(info.game) else f"A variant of {info.game}."
    setting = "No matches are stored yet."
    if cell:
        setting = f"{cell.players} players, {cell.line_up}, {cell.matches:,} matches in {cell.deals:,} deals"
    return Card(
        title=info.label,
        colour=selection.styles.get(variant)[0],
        about=" ".join(filter(None, [of_game, info.summary, _name_equal_rules(info)])),
        setting=setting,
        headlines=_make_headlines(cell, estimates) if cell else [],
        stored=_describe_stored(selection.contents, variant),
        problem=replay_problem(info.spec, info.fingerprint),
    )


def _name_equal_rules(info: VariantInfo) -> str:
    return f"The same rules: {', '.join(info.other_names)}." if info.other_names else ""


def _make_headlines(cell: CellInfo, estimates: Estimates) -> list[Headline]:
    """The numbers of a card with their intervals, and what helps to place them."""
    headlines = []
    for metric, part, label in list_headlines():
        estimate = estimates[cell.id].get(metric.name, {}).get(part)
        if estimate:
            value, _, interval = format_interval(estimate, metric.unit).partition(" ")
            if place := place_value(metric, estimate.mean, cell.players):
                interval = f"{interval[:-1]}; {place})"
            headlines.append(Headline(label, add_unit(value, metric.unit), interval))
    return headlines


def _describe_stored(contents: Contents, variant: str) -> str:
    cells = [cell for cell in contents.cells if cell.variant == variant and cell.deals]
    if not cells:
        return "nothing is stored yet"
    last = max((cell.last_stored for cell in cells if cell.last_stored), default=None)
    counts = ", ".join(map(str, sorted({cell.players for cell in cells})))
    matches = sum(cell.matches for cell in cells)
    return f"{matches:,} matches in all, {counts} players; last stored {format_age(last)}"


def format_age(moment: datetime | None) -> str:
    """How long ago in words; times in the file are UTC."""
    if moment is None:
        return "never"
    seconds = (datetime.now(UTC).replace(tzinfo=None) - moment).total_seconds()
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"


def _make_coverage_table(contents: Contents) -> DataTable:
    counts = sorted({cell.players for cell in contents.cells})
    rows: dict[tuple[str, str, int], dict[int, int]] = {}
    for cell in contents.cells:
        row = rows.setdefault((cell.variant, cell.line_up, cell.seed), {})
        row[cell.players] = row.get(cell.players, 0) + cell.matches
    heads = ["variant", "agents", "seed", *(f"{n} players" for n in counts)]
    return DataTable(
        "",
        heads,
        [[*key, *(f"{row[n]:,}" if row.get(n) else "" for n in counts)] for key, row in rows.items()],
    )
