"""Overview: every variant at a glance, what is stored of it, and how fresh that is."""

from datetime import UTC, datetime

import streamlit as st

from analytics.metric.metric import SHARE, find_metric
from analytics.words import interval, number, unit_of
from dashboard.data.answers import Answers, answers
from dashboard.data.file import Contents, StoredCell, installed
from dashboard.page import Numbers, Say, Title, View, plain
from dashboard.selection import Choice

HEADLINES = {  # metric, part -> words of a card
    ("seat_win_share", "1"): "the first seat wins", ("length", ""): "a match takes", ("tied_after", ""): "first place is shared",
    ("leader_conversion", "50"): "the leader at half-time wins",
}  # fmt: skip
ACROSS = 3
MOST = 24  # cards at once


def overview_page(choice: Choice, view: View) -> None:
    metrics = [find_metric(name) for name, _ in HEADLINES]
    labels = list(dict.fromkeys([*choice.variants, *choice.contents.variants]))
    games = list(dict.fromkeys(choice.known(variant).game for variant in labels))
    shown = sorted(labels[:MOST], key=lambda variant: games.index(choice.known(variant).game))
    cells = {variant: cell for variant in shown if (cell := _main_cell(choice, variant))}
    others = [cell for cell in cells.values() if cell not in choice.cells]
    found = answers(choice.file, choice.cells, metrics) | answers(choice.file, others, metrics)
    across = min(ACROSS, max(2, len(shown)))
    for first in range(0, len(shown), across):
        for column, variant in zip(st.columns(across), shown[first : first + across], strict=False):  # the last row may be short
            with column, st.container(border=True, height="stretch"):
                _card(choice, variant, cells.get(variant), found, view)
    if len(labels) > MOST:
        view.show(Say(f"{MOST} of {len(labels)} variants have a card here: choose others in the sidebar.", "note"))
    _rest(choice, shown, view)


def _rest(choice: Choice, shown: list[str], view: View) -> None:
    """What is stored of everything, and what nobody knows for sure."""
    view.show(Title("What is stored"), _coverage(choice.contents))
    view.show(
        Say("Matches by variant, agents and player count. Each block of luck is played in every seating of its line-up.", "care")
    )
    reconstructed = {choice.known(v).game: choice.known(v).reconstructed for v in shown if choice.known(v).reconstructed}
    for game, parts in reconstructed.items():
        rows = [[part, why] for part, why in parts.items()]
        told = f"1 part of {game} is" if len(rows) == 1 else f"{len(rows)} parts of {game} are"
        title = f"* {told} reconstructed, because no source documents it: all numbers depend on that"
        view.show(Numbers(title, ["part", "what we chose, and why"], rows, folded=True))


def _main_cell(choice: Choice, variant: str) -> StoredCell | None:
    """The cell behind a card: the one of the selection, or else the one with the most matches; one agent in all seats first."""
    stored = [cell for cell in choice.contents.current.values() if cell.variant == variant]

    def rank(cell: StoredCell) -> tuple[bool, bool, bool, bool, int]:
        chosen = (cell.line_up, cell.seed) == (choice.line_up, choice.seed)
        return chosen and cell.players in choice.players, chosen, cell.equal, cell.players == choice.usual, cell.matches

    return max(stored, key=rank, default=None)


def _card(choice: Choice, variant: str, cell: StoredCell | None, found: Answers, view: View) -> None:
    known, (colour, _) = choice.known(variant), choice.looks.of(variant)
    st.html(f'<div style="height:6px;border-radius:3px;background:{colour}"></div>')
    st.markdown(f"#### {plain(known.label)}")
    of_game = "" if known.label.startswith(known.game) else f"A variant of {known.game}."
    if known.why or of_game:
        st.caption(plain(f"{of_game} {known.why}".strip()))
    about = "No matches are stored yet."
    if cell:
        about = f"{cell.players} players, {cell.line_up}, {cell.matches:,} matches in {cell.blocks:,} blocks"
    st.caption(plain(about))
    lines = _headlines(cell, found) if cell else []
    for words, value, around in lines:
        st.markdown(f"{plain(words)}  \n**{plain(value)}** :gray[{plain(around)}]")
    st.caption(plain(_fresh(choice.contents, variant)))
    why = installed(known.spec, known.fingerprint)
    if why:
        st.caption(f":orange[{plain(why[0].upper() + why[1:] + '.')}]")
    told = [[words, f"{value} {around}"] for words, value, around in lines]
    view.shown += [Title(known.label), *([Say(known.why)] if known.why else []), Numbers(about, ["", ""], told)]


def _headlines(cell: StoredCell, found: Answers) -> list[tuple[str, str, str]]:
    """Words, the number, its interval; of seats beside the fair share."""
    lines = []
    for (name, part), words in HEADLINES.items():
        estimate = found[cell.id].get(name, {}).get(part)
        if estimate:
            unit = find_metric(name).unit
            value, _, around = interval(estimate, unit).partition(" ")
            fair = f"; fair is {number(1 / cell.players, SHARE)}" if name == "seat_win_share" else ""
            lines.append((words, f"{value} {unit_of(unit)}", around[:-1] + fair + around[-1:]))
    return lines


def _fresh(contents: Contents, variant: str) -> str:
    cells = [cell for cell in contents.cells if cell.variant == variant and cell.blocks]
    if not cells:
        return "nothing is stored yet"
    last = max((cell.last for cell in cells if cell.last), default=None)
    counts = ", ".join(map(str, sorted({cell.players for cell in cells})))
    return f"{sum(cell.matches for cell in cells):,} matches in all, {counts} players; last stored {ago(last)}"


def ago(moment: datetime | None) -> str:
    """How long ago, as one says it; moments of the file are in UTC."""
    if moment is None:
        return "never"
    seconds = (datetime.now(UTC).replace(tzinfo=None) - moment).total_seconds()
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            many = int(seconds // size)
            return f"{many} {name}{'s' if many > 1 else ''} ago"
    return "just now"


def _coverage(contents: Contents) -> Numbers:
    counts = sorted({cell.players for cell in contents.cells})
    rows: dict[tuple[str, str, int], dict[int, int]] = {}
    for cell in contents.cells:
        row = rows.setdefault((cell.variant, cell.line_up, cell.seed), {})
        row[cell.players] = row.get(cell.players, 0) + cell.matches
    heads = ["variant", "agents", "seed", *(f"{n} players" for n in counts)]
    return Numbers("", heads, [[*key, *(f"{row[n]:,}" if row.get(n) else "" for n in counts)] for key, row in rows.items()])
