"""The beginning of Play: a match that waits, or a game, a player count, and who sits where."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from boardgames.agents.agent import LEARNED, find_agent
from boardgames.agents.python_agent import trust_agent
from boardgames.errors import BoardgamesError
from boardgames.game.game import Game
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.store.recorded_matches import HUMAN, RecordedMatch, names_person
from dashboard.browser import escape_markdown, show_failure
from dashboard.data import table
from dashboard.data.variant_names import list_variant_names
from dashboard.errors import describe_failure
from dashboard.page import Control, PageParts, Text, TextStyle, Title
from dashboard.selection import Selection

PERSON = "a person"
AGENTS = ("greedy", "mcts:64", "mcts:256", "random")
MOST_UNFINISHED = 6  # matches to go on with that are listed


def setup_elements(selection: Selection) -> PageParts:
    """What to choose before a match."""
    unfinished = table.load_unfinished(selection.db) if selection.db.exists() else []
    if problem := table.take_problem():
        yield Text(problem, TextStyle.WARNING)
    if unfinished:
        yield Title("Go on with a match")
        yield UnfinishedMatches(unfinished[:MOST_UNFINISHED])
        yield Title("Begin a new one")
    yield MatchForm(selection.db, tuple(list_variant_names(selection.contents)))


@dataclass(frozen=True)
class UnfinishedMatches(Control[None]):
    matches: Sequence[RecordedMatch]

    def ask(self) -> None:
        for match in self.matches:
            st.button(
                escape_markdown(describe_unfinished(match)),
                icon=":material/play_arrow:",
                key=f"resume {match.id}",
                on_click=_open_match,
                args=(match.id,),
            )


def _open_match(match_id: str) -> None:
    st.session_state.pop(table.PROBLEM, None)
    st.query_params[table.ADDRESS] = match_id


def describe_unfinished(match: RecordedMatch) -> str:
    names = match.line_up.split(",")
    seats = names * (1 if len(names) > 1 else match.players)
    people = ", ".join(name.removeprefix(f"{HUMAN}:").replace(HUMAN, PERSON) for name in seats)
    day = match.changed.strftime("%Y-%m-%d %H:%M")
    count = len(match.actions)
    return f"{match.variant}: {people}; {count} action{'' if count == 1 else 's'}, {day} UTC"


@dataclass(frozen=True)
class MatchForm(Control[None]):
    """A variant, a player count, and a person or an agent for each seat."""

    db: Path
    names: tuple[str, ...]

    def ask(self) -> None:
        left, right = st.columns([2, 1])
        spec = left.selectbox(
            "Game or variant",
            self.names,
            accept_new_options=True,
            key="table variant",
            persist_state="session",
            help="Choose, or type any name: celtica:en+hand_size=6.",
        )
        try:
            variant = find_stored_variant(str(spec or ""))
            counts = _list_player_counts(variant)
        except BoardgamesError as error:
            show_failure(error)
            return
        if variant.game.about:
            st.caption(escape_markdown(variant.game.about))
        players = right.segmented_control(
            "Players",
            counts,
            default=counts[0],
            key=f"table players {counts}",
            persist_state="session",
            required=True,
        )
        count = int(players or counts[0])
        trained = list_trained_players(self.db, variant.game, count)
        names = [_ask_seat(variant, seat, trained) for seat in range(count)]
        has_person = any(map(names_person, names))
        if not has_person:
            st.caption(
                "Put a person into one seat at least: what agents do among themselves is on *Simulate*."
            )
        label, icon = "Begin", ":material/play_arrow:"
        # no callback: it would begin with what was chosen when the button was drawn
        if st.button(label, type="primary", icon=icon, key="begin", disabled=not has_person):
            begin_or_explain(self.db, variant.spec, names)
            st.rerun()


def _list_player_counts(variant: Variant) -> list[int]:
    """The player counts that this variant can be played with."""
    counts = []
    for players in variant.game.player_counts:
        try:
            variant.make_blank_state(players)
        except BoardgamesError:
            continue
        counts.append(players)
    if not counts:
        variant.make_blank_state(variant.game.player_counts[0])  # says why
    return counts


def list_trained_players(db: Path, game: Game, players: int) -> list[str]:
    """The trained players of a game that can take a seat: its own, and those in files beside the result file,
    where Train leaves them.
    """
    own = ["learned"] if game.learned else []
    files = sorted(db.parent.glob(f"*{LEARNED}"))
    names = [*own, *(f"learned:{file}" for file in files if "," not in str(file))]
    for name in names:
        trust_agent(name)
    return [name for name in names if _is_trained(name, game, players)]


def _is_trained(name: str, game: Game, players: int) -> bool:
    """Whether a net for this game and player count is there."""
    try:
        return find_agent(name, game).find_net(players) is not None
    except BoardgamesError:
        return False


def _ask_seat(variant: Variant, seat: int, trained: Sequence[str]) -> str:
    """Who has a seat, as a line-up names it: `human:Anna`, or an agent."""
    left, right = st.columns([1, 1])
    options = [PERSON, *trained, *AGENTS, *variant.game.styles]
    chosen = left.selectbox(
        f"Seat {seat + 1}" + (" (begins)" if seat == 0 else ""),
        options,
        index=0 if seat == 0 else options.index("greedy"),
        accept_new_options=True,
        key=f"table seat {seat} {variant.game.name}",
        persist_state="session",
        help="A person, or any agent: greedy+noise=0.1, mcts:1000.",
    )
    if chosen != PERSON:
        return str(chosen or "greedy")
    name = right.text_input(
        "Name",
        "",
        key=f"table name {seat}",
        persist_state="session",
        placeholder="without a name",
        max_chars=40,
    ).strip()
    return f"{HUMAN}:{name}" if name else HUMAN


def begin_or_explain(db: Path, spec: str, names: Sequence[str], seed: int = 1) -> None:
    """Begin a match; what is wrong with it is shown in its place."""
    st.session_state.pop(table.PROBLEM, None)
    try:
        table.begin_match(db, spec, names, seed)
    except BoardgamesError as error:
        st.session_state[table.PROBLEM] = describe_failure(error)
