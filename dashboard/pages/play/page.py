"""Play: a person, or several at one screen, against any agents. Each sees what their seat sees."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from boardgames.game.game import Game
from boardgames.people.seated_match import SeatedMatch
from boardgames.people.table import list_visible_fields
from boardgames.play.transcript import Move
from dashboard.browser import escape_markdown
from dashboard.data import table
from dashboard.data.examples import name_deal_filter
from dashboard.data.file import load_contents
from dashboard.data.replays import make_replay
from dashboard.live import LOOK_SECONDS
from dashboard.navigation import PageLink
from dashboard.page import (
    BulletList,
    Columns,
    Control,
    DataTable,
    Element,
    PagePart,
    PageParts,
    Picture,
    Text,
    TextStyle,
    Title,
    ask,
)
from dashboard.pages.match import make_evaluation_chart, make_moves_table
from dashboard.pages.play.board import Board
from dashboard.pages.play.setup import begin_or_explain, setup_elements
from dashboard.selection import Selection

MOST_HINTS = 3  # actions that a hint names
SURE, LEANING = 60, 40  # percent of the playouts
OTHER_ACTIONS = "other"
FEW_ACTIONS = 6  # need no headings
WIDE = 1200  # units of a drawing
# Streamlit cuts long labels off
WRAPPED_LABELS = "[class*='st-key-actions'] button * { white-space: normal; text-align: left; }"


def elements(selection: Selection) -> PageParts:
    seated = table.open_match(selection.db)
    if seated is None:
        yield from setup_elements(selection)
        return
    yield AgentsTurn(seated)
    if not seated.match.is_on:
        yield from _end_elements(seated)
        return
    if problem := table.take_problem():
        yield Text(problem, TextStyle.WARNING)
    if table.is_screen_hidden(seated):
        yield from _hidden_elements(seated)
    else:
        yield from _choice_elements(seated)


@dataclass(frozen=True)
class AgentsTurn(Control[None]):
    """Agents act, and what a person can only do is done, until a person has a choice."""

    seated: SeatedMatch

    def ask(self) -> None:
        compiling = "" if not self.seated.match.compiled else "; the first time, the rules are compiled"
        with st.spinner(f"The others are thinking{compiling} …"):
            self.seated.play_forced()


# ---- a person's choice


def _choice_elements(seated: SeatedMatch) -> PageParts:
    seat = seated.seat
    assert seat is not None
    turn = Text(_describe_turn(seated, seat), TextStyle.CAPTION)
    news, tools, actions = _list_news(seated, seat), _tool_elements(seated), _action_elements(seated, seat)
    if seated.match.game.draw is None:
        yield turn
        choices = _join(_title_news(news), tools, actions)
        yield Columns([choices, [_make_fields_table(seated, seat)]], widths=[3, 2])
        return
    svg = seated.match.draw(seat)
    board = _make_board(seated, svg)
    is_large = yield from ask(LargeBoard(seated.match.game.name, is_wide(svg)))
    if is_large:  # what is above it is on the screen, what is below it often is not
        yield Columns([_join([turn], tools), [BulletList(news)] if news else []])
        yield board
        yield from actions
    else:
        yield turn
        yield Columns([[board], _join(_title_news(news), tools, actions)], widths=[2, 1])


def _join(*parts: Iterable[PagePart]) -> PageParts:
    """Parts below each other."""
    for part in parts:
        yield from part


@dataclass(frozen=True)
class LargeBoard(Control[bool]):
    """Whether the board takes the width of the page, with the choices below it."""

    game: str
    is_wide: bool

    def ask(self) -> bool:
        return bool(st.toggle("Large board", self.is_wide, key=f"large board {self.game}"))


def is_wide(svg: str) -> bool:
    """Whether a drawing is so wide that its letters are too small beside the choices."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    return bool(box and float(box[1]) > WIDE)


def _describe_turn(seated: SeatedMatch, seat: int) -> str:
    others = [seated.name_seat(other) for other in range(seated.match.players) if other != seat]
    turn = f"turn {seated.match.state.turn}" if seated.match.state.turn else "set-up"
    return f"{seated.match.variant.name}, {turn}. You are {seated.name_seat(seat)}; with {', '.join(others)}."


def _make_board(seated: SeatedMatch, svg: str) -> Board:
    match = seated.match
    return Board(
        svg=svg,
        words={action: match.say(action) for action in match.legal()},
        step=len(match.actions),
        on_choose=lambda step, action: table.choose_action(seated, step, action),
    )


def _make_fields_table(seated: SeatedMatch, seat: int | None) -> DataTable:
    """The table of a game without a drawing: what the seat sees, field by field."""
    match = seated.match
    scores = [[f"points of seat {other}", score] for other, score in enumerate(match.scores(), 1)]
    fields = [
        [name.replace("_", " "), value] for name, value in list_visible_fields(match.game, match.state, seat)
    ]
    return DataTable("", ["on the table", "now"], [*scores, *fields])


def _list_news(seated: SeatedMatch, seat: int) -> list[str]:
    """What happened since the person chose before; nothing at the beginning of a match."""
    return [_describe_move(seated, move, seat) for move in seated.list_news(seat)]


def _title_news(news: Sequence[str]) -> list[Element]:
    return [Title("What happened"), BulletList(news)] if news else []


def _tool_elements(seated: SeatedMatch) -> PageParts:
    """What can be asked. It stands above what can be done, which may be longer than the screen."""
    yield TableTools(seated)
    yield from _hint_elements(seated)


def _action_elements(seated: SeatedMatch, seat: int) -> PageParts:
    """What can be done."""
    yield Title("Your choice")
    yield ActionButtons(seated)
    if not seated.match.actions and (setup := seated.match.transcript(seat).setup):
        yield Title("On the table")
        yield BulletList(setup)


def _describe_move(seated: SeatedMatch, move: Move, seat: int | None) -> str:
    name = "you" if move.seat == seat else seated.name_seat(move.seat)
    effects = f" ({'; '.join(move.effects)})" if move.effects else ""
    return f"{name}: {move.words}{effects}"


@dataclass(frozen=True)
class ActionButtons(Control[None]):
    """A button for each legal action in words, by the game's groups of actions."""

    seated: SeatedMatch

    def ask(self) -> None:
        match = self.seated.match
        step = len(match.actions)
        legal = match.legal()
        groups = {"": legal} if len(legal) <= FEW_ACTIONS else group_actions(match.game, legal)
        st.html(f"<style>{WRAPPED_LABELS}</style>")
        for name, actions in groups.items():
            if len(groups) > 1:
                st.caption(escape_markdown(name))
            with st.container(horizontal=True, gap="small", key=f"actions {name}"):
                for action in actions:
                    st.button(
                        escape_markdown(match.say(action)),
                        key=f"action {step} {action}",
                        on_click=table.choose_action,
                        args=(self.seated, step, action),
                    )


def group_actions(game: Game, legal: Sequence[int]) -> Mapping[str, list[int]]:
    """Legal actions by the first of the game's groups that has them; those in no group come last."""
    groups: dict[str, list[int]] = {name: [] for name in (*game.groups, OTHER_ACTIONS)}
    for action in legal:
        name = next((name for name, group in game.groups.items() if action in group), OTHER_ACTIONS)
        groups[name].append(action)
    return {name: actions for name, actions in groups.items() if actions}


@dataclass(frozen=True)
class TableTools(Control[None]):
    """Take a choice back, ask for a hint, leave."""

    seated: SeatedMatch

    def ask(self) -> None:
        with st.container(horizontal=True, gap="small"):
            show_undo_button(self.seated)
            st.button(
                "Hint",
                icon=":material/lightbulb:",
                key="hint button",
                on_click=table.ask_hint,
                args=(self.seated,),
                help=f"What would {table.ADVISOR} do, and how sure is it? It sees what you see.",
            )
            show_leave_button(self.seated)


def show_undo_button(seated: SeatedMatch) -> None:
    """Show a way to take the last choice of a person back, if nothing hidden was seen since."""
    if not seated.choices:
        return
    last = seated.choices[-1]
    before = seated.match.find_state(last)
    seat = int(before.actor)
    words = seated.match.game.say(before, seated.match.actions[last])
    can_undo = seated.can_undo(seat)
    reason = "" if can_undo else " Not possible: something was drawn since, or another seat acted."
    st.button(
        "Undo",
        icon=":material/undo:",
        key="undo",
        disabled=not can_undo,
        on_click=table.undo_choice,
        args=(seated, seat),
        help=escape_markdown(f"Take back: {words} ({seated.name_seat(seat)}).{reason}"),
    )


def show_leave_button(seated: SeatedMatch, label: str = "Leave") -> None:
    st.button(
        label,
        icon=":material/logout:",
        key="leave",
        on_click=table.leave_match,
        args=(seated,),
        help="The match is kept; you find it here among the unfinished ones." if seated.match.is_on else None,
    )


# ---- a hint


def _hint_elements(seated: SeatedMatch) -> PageParts:
    if not table.is_hint_open(seated):
        return
    visits = yield from ask(Advice(seated))
    total = sum(visits.values())
    shares = {action: 100 * count / total for action, count in visits.items()}
    best, *others = list(shares)[:MOST_HINTS]
    say = seated.match.say
    yield Text(
        f"{table.ADVISOR} would {say(best)}: {shares[best]:.0f}% of its {total} playouts, so it"
        f" {describe_sureness(shares[best])}. It sees what you see.",
        TextStyle.NOTE,
    )
    if others:
        rest = "; ".join(f"{say(action)} {shares[action]:.0f}%" for action in others)
        yield Text(f"Next: {rest}.", TextStyle.CAPTION)


@dataclass(frozen=True)
class Advice(Control[Mapping[int, int]]):
    """How often a search looks into each legal action."""

    seated: SeatedMatch

    def ask(self) -> Mapping[int, int]:
        with st.spinner(f"{table.ADVISOR} is thinking; the first time, the rules are compiled …"):
            return table.count_playouts(self.seated)


def describe_sureness(percent: float) -> str:
    """How sure a search is, by the share of its playouts that go to its first choice."""
    if percent >= SURE:
        return "is quite sure"
    return "leans that way" if percent >= LEANING else "is not sure"


# ---- several people at one screen


def _hidden_elements(seated: SeatedMatch) -> PageParts:
    """Nothing of the table until the next person has the screen."""
    seat = seated.seat
    assert seat is not None
    name = seated.name_seat(seat)
    yield Title(f"Hand the screen to {name}")
    yield Text("The cards are hidden until you press the button.")
    yield HandOver(seated, name)


@dataclass(frozen=True)
class HandOver(Control[None]):
    """The next person takes over; or the last one takes a choice back."""

    seated: SeatedMatch
    name: str

    def ask(self) -> None:
        with st.container(horizontal=True, gap="small"):
            st.button(
                escape_markdown(f"I am {self.name}: show my table"),
                type="primary",
                key="take over",
                on_click=table.show_screen,
                args=(self.seated,),
            )
            show_undo_button(self.seated)
            show_leave_button(self.seated)


# ---- afterwards


def _end_elements(seated: SeatedMatch) -> PageParts:
    yield KeepMatch(seated)
    if seated.is_stored and (problem := table.take_problem()):  # with what was to follow
        yield Text(problem, TextStyle.WARNING)
    match = seated.match
    yield Text(match.describe_end(), TextStyle.NOTE)
    yield AfterMatch(seated)
    yield from replay_links(seated)
    replay = make_replay(match)
    last_moves = match.moves[(seated.choices or [0])[-1] :]
    texts: list[Element] = [
        Title("The last moves"),
        BulletList([_describe_move(seated, move, None) for move in last_moves]),
        _make_ranking(seated),
    ]
    if match.game.draw:
        yield Columns([[Picture(match.draw(None), "the table at the end")], texts], widths=[2, 1])
    else:
        yield Columns([texts, [_make_fields_table(seated, None)]], widths=[3, 2])
    yield Title("Who was ahead?")
    yield make_evaluation_chart(replay, replay.last_step)
    yield make_moves_table(replay)


def replay_links(seated: SeatedMatch) -> Iterator[PageLink]:
    """A way to the page that steps through the match, once it is stored."""
    cells = load_contents(seated.db).cells if seated.is_finished else ()
    for cell in cells:
        if cell.id == seated.cell.id:
            query = {
                "variant": cell.variant,
                "agents": cell.line_up,
                "players": str(cell.players),
                "seed": str(cell.seed),
                "of": cell.name,
                "kind": name_deal_filter(seated.match.deal),
            }
            label = "Step through this match: every position drawn"
            yield PageLink(path="match", label=label, icon="play_circle", query=list(query.items()))


def _make_ranking(seated: SeatedMatch) -> DataTable:
    match = seated.match
    rows = zip(match.ranks(), range(match.players), match.scores(), strict=True)
    return DataTable(
        "",
        ["rank", "seat", "points"],
        [[rank, seated.name_seat(seat), score] for rank, seat, score in sorted(rows)],
    )


@dataclass(frozen=True)
class KeepMatch(Control[None]):
    """Store the match, and say where it is; as long as another program has the file, say so and try again."""

    seated: SeatedMatch

    def ask(self) -> None:
        if table.store_rest(self.seated):
            command = f"boardgames replay {self.seated.id} --db {self.seated.db}"
            st.caption(f"Stored as a match of people. {escape_markdown(f'To read it again: `{command}`')}")
            return

        @st.fragment(run_every=LOOK_SECONDS)
        def store_later() -> None:
            if table.store_rest(self.seated):
                st.rerun()
            st.warning(escape_markdown(table.take_problem() or ""), icon=":material/warning:")

        store_later()


@dataclass(frozen=True)
class AfterMatch(Control[None]):
    """Play the next deal, or something else."""

    seated: SeatedMatch

    def ask(self) -> None:
        cell = self.seated.cell
        names = [agent.name for agent in cell.line_up]
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Play the next deal",
                type="primary",
                icon=":material/replay:",
                key="again",
                disabled=not self.seated.is_stored,
                on_click=begin_or_explain,
                args=(self.seated.db, cell.variant.spec, names, cell.seed),
            )
            show_leave_button(self.seated, "Choose another game")
