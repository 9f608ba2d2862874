"""Match: step through any stored match; or through one deal under two variants, side by side."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from analytics.questions.side_by_side import SideBySide, explain_fork
from boardgames.errors import BoardgamesError, FileInUse, RulesChanged
from boardgames.given_values import read_digits
from dashboard import charts
from dashboard.charts import AxisRanges
from dashboard.controls import NumberField, Segments, SelectBox, Toggle
from dashboard.data.examples import MatchFilter, MatchSummary, find_matches, make_filters
from dashboard.data.file import CellInfo
from dashboard.data.replays import Replay, SideBySideReplay, load_replay, load_side_by_side
from dashboard.errors import describe_error
from dashboard.page import (
    BulletList,
    Chart,
    Columns,
    Control,
    DataTable,
    Element,
    Excerpt,
    OnlyShared,
    PageParts,
    Picture,
    Scope,
    Text,
    TextStyle,
    Title,
    ask,
)
from dashboard.selection import Selection
from dashboard.sidebar.address import warn_impossible

ONE_MATCH = "One match"
SIDE_BY_SIDE = "Side by side: the same deal under two variants"
STEPPED = "stepped match"  # in the state of a window: the match that is shown, and its step
NEARBY = 4  # actions before and after the current one
MOST_DEAL = 2**31 - 1  # that the field takes


def elements(selection: Selection) -> PageParts:
    views = [ONE_MATCH, SIDE_BY_SIDE] if len(selection.variants) > 1 else [ONE_MATCH]
    view = yield from ask(
        Segments(label="View", key="view", options=views, default=ONE_MATCH, shows_label=False)
    )
    if view == SIDE_BY_SIDE:
        yield from _side_by_side_elements(selection)
    else:
        yield from _match_elements(selection)


# ---- controls


@dataclass(frozen=True)
class MatchPicker(Control[MatchSummary | None]):
    """A kind of matches and one of them; None if there is none of that kind."""

    db: Path
    cell: CellInfo
    filters: dict[str, MatchFilter]

    def ask(self) -> MatchSummary | None:
        left, right = st.columns([1, 1])
        with left:
            kind = SelectBox(label="Which", key="kind", options=list(self.filters)).ask()
        matches = {match.name: match for match in find_matches(self.db, self.cell.id, self.filters[kind])}
        if not matches:
            return None
        with right:
            box = SelectBox(
                label="Match",
                key="match",
                options=list(matches),
                format_option=lambda name: matches[name].describe(),
            )
            return matches[box.ask()]

    def describe(self, answer: MatchSummary | None) -> str:
        kind = f"which: {st.session_state['kind']}"
        return f"{kind}; match: {answer.describe()}" if answer else kind


class DealChoice(NamedTuple):
    players: int
    deal: int | None  # None: the first that differs


@dataclass(frozen=True)
class DealPicker(Control[DealChoice]):
    """A player count and a deal."""

    player_counts: tuple[int, ...]

    def ask(self) -> DealChoice:
        left, middle, _ = st.columns([1, 1, 1])
        with left:
            players = SelectBox(label="Players", key="count", options=self.player_counts).ask()
        with middle:
            label = "Deal; empty: the first that differs"
            deal = NumberField(label=label, key="deal", most=MOST_DEAL).ask()
        return DealChoice(players, deal)


@dataclass(frozen=True)
class StepSlider(Control[int]):
    """A slider over the positions of a match, with buttons for one step."""

    last: int
    match: Hashable  # which one it is
    first_shown: int = 0

    def ask(self) -> int:
        step = self._find_step()
        st.session_state[STEPPED] = (self.match, step)
        st.session_state["step"] = step
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.button("Back", icon=":material/chevron_left:", key="back", on_click=self._go, args=[step - 1])
            st.button(
                "Next", icon=":material/chevron_right:", key="forth", on_click=self._go, args=[step + 1]
            )
            if self.last:
                st.slider("Action", 0, self.last, key="step", on_change=self._take_over)
        return step

    def _find_step(self) -> int:
        """The step that the address names, unless it was another match's."""
        named = st.query_params.get("step", "")
        before = st.session_state.get(STEPPED, (self.match, 0))
        is_left_over = before[0] != self.match and named == str(before[1])
        number = None if is_left_over else read_digits(named)
        step = self.first_shown if number is None else number
        shown = min(self.last, step)
        if is_left_over:
            st.query_params["step"] = str(step)
        elif named and named != str(shown):
            warn_impossible("step", str(shown))
        return shown

    def _go(self, step: int) -> None:
        st.query_params["step"] = str(max(0, min(self.last, step)))

    def _take_over(self) -> None:
        self._go(int(st.session_state["step"]))


# ---- one match


def _match_elements(selection: Selection) -> PageParts:
    cells = {cell.name: cell for cell in [*selection.cells, *selection.stored_cells]}
    if not cells:
        yield Text("No match of this selection is stored.", TextStyle.NOTE)
        return
    name = yield from ask(SelectBox(label="Variant, players and agents", key="of", options=list(cells)))
    cell = cells[name]
    filters = make_filters(cell, selection.find_info(cell.variant), st.query_params.get("kind", ""))
    match = yield from ask(MatchPicker(selection.db, cell, filters))
    if match is None:
        yield Text(f"There is no match like that among the first deals of {cell.variant}.", TextStyle.NOTE)
        return
    yield Scope(selection.narrow([cell]), f"1 of {cell.matches:,}")
    yield from _replay_elements(selection, cell, match)


def _replay_elements(selection: Selection, cell: CellInfo, match: MatchSummary) -> PageParts:
    """A stored match; by today's rules only if the reader says so, else a warning."""
    match_id = f"{cell.id}/{match.name}"
    try:
        replay = load_replay(selection.db, match_id)
    except RulesChanged as error:
        if not error.can_be_ignored:
            yield _make_warning(error.change)
            return
        yield _make_warning(f"{error.change}; the switch below plays it by today's")
        is_ignored = yield from ask(Toggle(label="Play it by today's rules", key="anyway"))
        if not is_ignored:
            return
        replay = load_replay(selection.db, match_id, ignore_changes=True)
    except FileInUse:
        raise  # the page tries again
    except BoardgamesError as error:
        yield _make_warning(describe_error(error))
        return
    step = yield from ask(StepSlider(replay.last_step, match=match_id))
    title = f"{cell.name}, seed {cell.seed}, deal/seating {match.name}"
    yield OnlyShared(Text(title, TextStyle.CAPTION))
    yield from _position_elements(replay, step)


def _make_warning(sentence: str) -> Text:
    return Text(sentence[0].upper() + sentence[1:], TextStyle.WARNING)


def _position_elements(replay: Replay, step: int) -> PageParts:
    """A position with its picture, and the whole match below."""
    svg = replay.draw_step(step)
    texts: list[Element] = [
        Text(replay.describe_step(step)),
        *([BulletList(replay.setup)] if replay.setup and not step else []),
        _make_standings(replay, step),
        _make_excerpt(replay, step),
    ]
    if svg:
        picture = Picture(svg, f"after {step} of {replay.last_step} actions")
        yield Columns([[picture], texts], widths=[3, 2])
    else:
        yield from texts
    yield Title("Who is ahead?")
    yield make_evaluation_chart(replay, step)
    yield make_moves_table(replay)
    yield Text(replay.match.describe_end(), TextStyle.CAPTION)


def make_moves_table(replay: Replay) -> DataTable:
    """Every move and what it caused; decisions of the set-up have turn 0."""
    rows = [
        [number, move.turn, move.seat + 1, move.words, "; ".join(move.effects)]
        for number, move in enumerate(replay.match.moves, 1)
    ]
    columns = ["action", "turn", "seat", "words", "what it caused"]
    return DataTable("The whole match in words", columns, rows, is_folded=True, is_grid=True)


def _make_standings(replay: Replay, step: int) -> DataTable:
    rows = [
        [seat + 1, replay.scores[step][seat], replay.evaluations[step][seat]]
        for seat in range(replay.match.players)
    ]
    return DataTable("", ["seat", "points", "evaluation"], rows)


def _make_excerpt(replay: Replay, step: int) -> Excerpt:
    """The actions just before and after a step."""
    numbers = range(max(1, step - NEARBY), min(replay.last_step, step + NEARBY) + 1)
    return Excerpt({number: replay.describe_step(number) for number in numbers}, step)


def make_evaluation_chart(replay: Replay, step: int, axis_ranges: AxisRanges | None = None) -> Chart:
    series = {
        f"seat {seat + 1}": [evaluations[seat] for evaluations in replay.evaluations]
        for seat in range(replay.match.players)
    }
    hover_texts = [replay.describe_step(number) for number in range(replay.last_step + 1)]
    caveat = (
        "The evaluation of each seat after every action, on the game's own scale:"
        " agents and the tension metrics go by it."
    )
    return Chart(
        f"evaluation {replay.match.variant.name}",
        charts.draw_over_time(series, step, "actions", "evaluation", hover_texts, axis_ranges),
        caveat,
    )


# ---- two matches side by side


def _side_by_side_elements(selection: Selection) -> PageParts:
    if "," in selection.line_up:
        yield Text(
            "Matches side by side are played by one agent in all seats: choose one in the sidebar.",
            TextStyle.NOTE,
        )
        return
    a, b = selection.variants[:2]
    players, deal = yield from ask(DealPicker(selection.players))
    yield Scope(replace(selection, variants=(a, b), players=(players,)), "1 of each, played for this page")
    specs = (selection.find_info(a).spec, selection.find_info(b).spec)
    try:
        both = load_side_by_side(specs, players, selection.line_up, selection.seed, deal)
    except BoardgamesError as error:
        yield Text(describe_error(error), TextStyle.WARNING)
        return
    pair = both.pair
    setting = f"{players} players, {selection.line_up}, seed {selection.seed}, deal {pair.a.deal}"
    yield Text(f"A = {a}, B = {b}; {setting}", TextStyle.CAPTION)
    yield BulletList(pair.changes)
    yield Text(_describe_fork(pair), TextStyle.NOTE)
    parting = min(pair.fork + 1, both.last_step)
    step = yield from ask(StepSlider(both.last_step, match=(specs, setting), first_shown=parting))
    axis_ranges = _find_axis_ranges(both)
    yield Columns(
        [
            list(_side_elements(letter, replay, min(step, replay.last_step), pair.fork, axis_ranges))
            for letter, replay in (("A", both.a), ("B", both.b))
        ]
    )


def _find_axis_ranges(both: SideBySideReplay) -> AxisRanges:
    """One scale for the evaluations of both matches."""
    values = [value for replay in (both.a, both.b) for seats in replay.evaluations for value in seats]
    room = max(1.0, 0.05 * (max(values) - min(values)))
    return (0.0, float(both.last_step)), (min(values) - room, max(values) + room)


def _describe_fork(pair: SideBySide) -> str:
    if pair.has_same_actions:
        return "Every action is the same in both."
    prefix = f"Both are alike for {pair.fork} actions. " if pair.fork else "They part with the first action. "
    return f"{prefix}Then they fork: {explain_fork(pair)}."


def _side_elements(
    letter: str, replay: Replay, step: int, fork: int, axis_ranges: AxisRanges
) -> Iterator[Element]:
    position = "alike" if step <= fork else f"{step - fork} after the fork"
    yield Title(f"{letter}: {replay.match.variant.name}")
    yield Text(f"action {step} of {replay.last_step}, {position}", TextStyle.CAPTION)
    svg = replay.draw_step(step)
    if svg:
        yield Picture(svg)
    yield Text(replay.describe_step(step))
    yield _make_standings(replay, step)
    yield _make_excerpt(replay, step)
    if step == replay.last_step:
        yield Text(replay.match.describe_end(), TextStyle.CAPTION)
    yield make_evaluation_chart(replay, step, axis_ranges)
