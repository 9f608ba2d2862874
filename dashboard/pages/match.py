"""Match: step through any stored match; or one seed under two variants, up to the fork and then side by side."""

from typing import Any, NamedTuple

import streamlit as st

from analytics.questions.side_by_side import Twins, find_twins, why
from boardgames.errors import BadInput
from boardgames.game.plugins import find_stored
from boardgames.play.match import Match
from boardgames.store.runs import replay_stored
from dashboard import charts
from dashboard.data.examples import ANY, kinds, matches_like
from dashboard.data.file import StoredCell
from dashboard.page import Chart, Numbers, Picture, Points, Say, Title, View, in_words, plain
from dashboard.selection import Choice

ONE, TWO = "One match", "Twins: the same seed under two variants"


class Reel(NamedTuple):
    """A finished match, position by position: from the set-up to the end."""

    match: Match
    states: tuple[Any, ...]
    outlooks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]

    @property
    def last(self) -> int:
        return len(self.match.actions)

    def words(self, step: int) -> str:
        """What led to a position."""
        return self.match.spoken[step - 1] if step else "the table is set up"

    def picture(self, step: int) -> str | None:
        draw = self.match.game.draw
        return draw(self.states[step], None) if draw else None


def _reel(match: Match) -> Reel:
    again = Match(match.variant, match.seats, seed=match.seed, block=match.block, arrangement=match.arrangement, plain=False)
    states, outlooks, scores = [], [], []
    for action in [*match.actions, None]:
        states.append(again.state.copy())
        outlooks.append(tuple(again.outlooks()))
        scores.append(tuple(again.scores()))
        if action is not None:
            again.play(action)
    return Reel(match, tuple(states), tuple(outlooks), tuple(scores))


@st.cache_resource(max_entries=12, show_spinner="Playing the match again; the first time, the rules are compiled …")
def _replayed(file: str, match: str, anyway: bool) -> Reel:
    from pathlib import Path

    return _reel(replay_stored(Path(file), match, anyway))


@st.cache_resource(max_entries=6, show_spinner="Playing both; the first time, the rules are compiled …")
def _twins(specs: tuple[str, str], players: int, agent: str, seed: int, block: int | None) -> tuple[Twins, Reel, Reel]:
    twins = find_twins([find_stored(spec) for spec in specs], str(players), agent, seed, block)
    return twins, _reel(twins.a), _reel(twins.b)


def match_page(choice: Choice, view: View) -> None:
    pairs = len(choice.variants) > 1
    mode = st.segmented_control(
        "View", [ONE, TWO] if pairs else [ONE], default=ONE, key="view", bind="query-params", label_visibility="collapsed"
    )
    if mode == TWO:
        _twin_view(choice, view)
    else:
        _one_match(choice, view)


# ---- one match


def _one_match(choice: Choice, view: View) -> None:
    cell = _pick_cell(choice)
    if cell is None:
        view.show(Say("No match of this selection is stored.", "note"))
        return
    known = choice.known(cell.variant)
    several = kinds(cell, known, st.query_params.get("kind", ""))
    left, right = st.columns([1, 1])
    with left:
        kind = st.selectbox("Which", list(several), key="kind", bind="query-params")
    found = matches_like(choice.file, cell.id, several.get(kind or ANY, several[ANY]))
    if not found:
        view.show(Say(f"There is no match like that among the first blocks of {cell.variant}.", "note"))
        return
    names = {f"{one.block}/{one.arrangement}": one for one in found}
    with right:
        chosen = st.selectbox(
            "Match", list(names), key="match", bind="query-params", format_func=lambda name: _told(name, names[name])
        )
    reel = _replay(choice, cell, chosen if chosen in names else next(iter(names)))
    if reel:
        _stepped(reel, view, f"{known.label}, {cell.players} players, {cell.line_up}, seed {cell.seed}, block/seating {chosen}")


def _told(name: str, one: Any) -> str:
    winners = f"seat {one.winners} first"
    return f"{name}: {one.turns} turns, {winners}, {one.margin} ahead"


def _pick_cell(choice: Choice) -> StoredCell | None:
    """Any of these variants; those of the selection come first."""
    cells = {cell.name: cell for cell in [*choice.cells, *choice.stored]}
    if not cells:
        return None
    chosen = st.selectbox("Variant, players and agents", list(cells), key="of", bind="query-params")
    return cells.get(chosen or "", next(iter(cells.values())))


def _replay(choice: Choice, cell: StoredCell, match: str) -> Reel | None:
    """Played again; by today's rules only if somebody says so."""
    anyway = False
    try:
        return _replayed(str(choice.file), f"{cell.id}/{match}", False)
    except BadInput as error:
        words = in_words(error).replace("--anyway plays", "the switch below plays")
        st.warning(plain(words[0].upper() + words[1:]), icon=":material/warning:")
        if "have changed" in str(error):
            anyway = st.toggle("Play it by today's rules", key="anyway", bind="query-params")
    return _replayed(str(choice.file), f"{cell.id}/{match}", True) if anyway else None


def _stepped(reel: Reel, view: View, title: str) -> None:
    step = stepper(reel.last)
    svg = reel.picture(step)
    board, words = st.columns([3, 2]) if svg else (None, st.container())
    view.shown.append(Say(title, "care"))
    if board is not None and svg:
        with board:
            view.show(Picture(svg, f"after {step} of {reel.last} actions"))
    with words:
        view.show(Say(reel.words(step)), _standing(reel, step))
        st.markdown(_around(reel, step))
    view.show(Title("Who is ahead?"), _outlook(reel, step))
    words_of_all = [[n + 1, line] for n, line in enumerate(reel.match.spoken)]
    view.show(Numbers("The whole match in words", ["action", "words"], words_of_all, folded=True, grid=True))


def stepper(last: int) -> int:
    """A slider over the positions, with buttons for one step."""
    back, forth, slider = st.columns([1, 1, 16], vertical_alignment="bottom", wrap=False)
    now = int(st.session_state.get("step", 0))

    def move(by: int) -> None:
        st.session_state["step"] = max(0, min(last, int(st.session_state.get("step", 0)) + by))

    if now > last:
        st.session_state["step"] = last
    back.button("", icon=":material/chevron_left:", on_click=move, args=[-1], help="one action back", key="back", width="stretch")
    forth.button("", icon=":material/chevron_right:", on_click=move, args=[1], help="one action on", key="forth", width="stretch")
    if last == 0:
        return 0
    with slider:
        return int(st.slider("Action", 0, last, key="step", bind="query-params"))


def _standing(reel: Reel, step: int) -> Numbers:
    rows = [[f"seat {seat + 1}", reel.scores[step][seat], reel.outlooks[step][seat]] for seat in range(reel.match.seats)]
    return Numbers("", ["", "points", "outlook"], rows)


def _around(reel: Reel, step: int, span: int = 4) -> str:
    """What was done just before and comes next."""
    lines = []
    for n in range(max(1, step - span), min(reel.last, step + span) + 1):
        text = plain(reel.match.spoken[n - 1])
        lines.append(f"**{n}.** **{text}**" if n == step else f":gray[{n}. {text}]")
    return "  \n".join(lines)


def _outlook(reel: Reel, step: int) -> Chart:
    series = {f"seat {seat + 1}": [one[seat] for one in reel.outlooks] for seat in range(reel.match.seats)}
    words = [reel.words(n) for n in range(reel.last + 1)]
    care = "The outlook of each seat after every action, on the game's own scale: agents and the tension metrics go by it."
    return Chart(f"outlook {reel.match.variant.name}", charts.over_time(series, step, "actions", "outlook", words), care)


# ---- twins


def _twin_view(choice: Choice, view: View) -> None:
    a, b = choice.variants[:2]
    if "," in choice.line_up:
        view.show(Say("Twins are played by one agent in all seats: choose one in the sidebar.", "note"))
        return
    columns = st.columns([1, 1, 1])
    with columns[0]:
        players = st.selectbox("Players", choice.players, key="count", bind="query-params") or choice.players[0]
    with columns[1]:
        block = st.number_input("Block; empty: the first that differs", 0, None, None, key="block", bind="query-params")
    specs = (choice.known(a).spec, choice.known(b).spec)
    try:
        twins, here, there = _twins(specs, players, choice.line_up, choice.seed, None if block is None else int(block))
    except BadInput as error:
        view.show(Say(in_words(error), "warning"))
        return
    luck = f"{players} players, {choice.line_up}, seed {choice.seed}, block {twins.a.block}"
    names = f"A = {a}, B = {b}; {luck}"
    view.show(Say(names, "care"), Points(twins.changes))
    view.show(Say(_fork(twins), "note"))
    if "step" not in st.session_state:
        st.session_state["step"] = min(twins.fork + 1, max(here.last, there.last))
    step = stepper(max(here.last, there.last))
    for column, letter, reel in zip(st.columns(2), "AB", (here, there), strict=True):
        with column:
            _side(view, letter, reel, min(step, reel.last), twins.fork)


def _fork(twins: Twins) -> str:
    if twins.alike:
        return "Every action is the same in both."
    same = f"Both are alike for {twins.fork} actions. " if twins.fork else "They part with the first action. "
    reason = why(twins)
    return f"{same}Then they fork: {reason}."


def _side(view: View, letter: str, reel: Reel, step: int, fork: int) -> None:
    where = "alike" if step <= fork else f"{step - fork} after the fork"
    view.show(Title(f"{letter}: {reel.match.variant.name}"), Say(f"action {step} of {reel.last}, {where}", "care"))
    svg = reel.picture(step)
    if svg:
        view.show(Picture(svg))
    view.show(Say(reel.words(step)), _standing(reel, step))
    st.markdown(_around(reel, step))
    if step == reel.last:
        view.show(Say(reel.match.transcript().splitlines()[-1], "care"))
    view.show(_outlook(reel, step))
