"""The match that a person plays in this window: begun, resumed from the result file, and stored there."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from boardgames.agents.agent import find_agent
from boardgames.errors import BoardgamesError, FileInUse
from boardgames.game.plugins import find_stored_variant
from boardgames.people.seated_match import SeatedMatch, begin, find_seat_agent, load_seated
from boardgames.plan.cell import PlannedCell
from boardgames.play.match import Match
from boardgames.store.opening.access import allow_only_reading, take_turns
from boardgames.store.recorded_matches import MatchWentOn, RecordedMatch, list_unfinished
from dashboard.data.cache import PATIENCE, cache_until_changed
from dashboard.errors import describe_error

ADDRESS = "id"  # the parameter of the address that names the match
ADVISOR = "mcts:256"  # the agent that gives hints
SEATED = "seated match"  # keys of what a window keeps
PROBLEM = "table problem"
HINT = "hint"
WENT_ON = "Your choice was not taken: this match went on in another window. This is how it stands now."
# what to do while another program has the file
PLAY_ON = "Play on: your next choice stores the match"
STAY = "This page stores the match as soon as the file is free"
LEAVE_LATER = "Leave a little later: your last choice is not stored yet"


def open_match(db: Path) -> SeatedMatch | None:
    """The match that the address names, as this window knows it or as it is stored; None if it names none."""
    match_id = st.query_params.get(ADDRESS)
    seated: SeatedMatch | None = st.session_state.get(SEATED)
    if not match_id:
        return None
    if seated is None or seated.id != match_id:
        if seated is not None:  # what was said is about the other match
            st.session_state.pop(PROBLEM, None)
        with allow_only_reading(PATIENCE):
            seated = load_seated(db, match_id)
        _keep_in_window(seated)
    return seated


def begin_match(db: Path, spec: str, names: Sequence[str], seed: int = 1) -> None:
    """Begin a match with these people and agents, on a deal that none of the people has seen."""
    variant = find_stored_variant(spec)
    variant.make_blank_state(len(names))
    line_up = tuple(find_seat_agent(name, variant.game) for name in names)
    cell = PlannedCell(variant, line_up, seed, rotate_seats=False)
    with take_turns(PATIENCE):
        seated = begin(db, cell, None, shlex.join(["boardgames", "dashboard", "--db", str(db)]))
    _keep_in_window(seated)


def _keep_in_window(seated: SeatedMatch) -> None:
    st.session_state[SEATED] = seated
    st.query_params[ADDRESS] = seated.id
    st.session_state.pop(HINT, None)


def leave_match(seated: SeatedMatch) -> None:
    """Go back to the choice of a match; this one stays in the result file. A choice that is not stored
    yet is stored first.
    """
    if not store_rest(seated, LEAVE_LATER):
        return
    for key in (SEATED, PROBLEM):
        st.session_state.pop(key, None)
    st.query_params.pop(ADDRESS, None)


# ---- what a person does


def choose_action(seated: SeatedMatch, step: int, action: int) -> None:
    """Carry out a choice, unless the match has gone on since it was offered."""
    if step == len(seated.match.actions):
        with _store_or_explain():
            seated.choose(action)


def undo_choice(seated: SeatedMatch, seat: int) -> None:
    with _store_or_explain():
        seated.undo(seat)


def store_rest(seated: SeatedMatch, advice: str = STAY) -> bool:
    """Store what is not stored yet; whether all is. Where storing has just failed, one attempt must do."""
    if not seated.is_stored:
        with _store_or_explain(advice, 0.0 if PROBLEM in st.session_state else PATIENCE):
            if seated.match.is_on:
                seated.save()
            else:
                seated.finish()
    return seated.is_stored


@contextmanager
def _store_or_explain(advice: str = PLAY_ON, patience: float | None = None) -> Iterator[None]:
    """Store in turn with the pages that read; where it cannot be stored, the match goes on in this window and
    says why. While another program has the file, `advice` says what to do.
    """
    st.session_state.pop(PROBLEM, None)
    try:
        with take_turns(PATIENCE if patience is None else patience):
            yield
    except FileInUse as error:
        st.session_state[PROBLEM] = f"{describe_error(error)}. {advice}."
    except MatchWentOn:
        st.session_state.pop(SEATED, None)  # the stored one is read anew
        st.session_state[PROBLEM] = WENT_ON
    except BoardgamesError as error:
        st.session_state[PROBLEM] = describe_error(error)


def take_problem() -> str | None:
    """Why the last choice, or the match, is not stored; None if it is."""
    return st.session_state.get(PROBLEM)


# ---- what a person may ask


@cache_until_changed
def load_unfinished(db: Path) -> list[RecordedMatch]:
    return list_unfinished(db)


def count_playouts(seated: SeatedMatch) -> dict[int, int]:
    """How often a search looks into each legal action, most first; worked out once for each position."""
    step = len(seated.match.actions)
    known = st.session_state.get(HINT)
    if known is None or known[:2] != (seated.id, step):
        compiled = Match.from_bytes(seated.match.variant, seated.match.to_bytes(), compiled=True)
        counted = compiled.search(find_agent(ADVISOR, seated.match.game))
        known = st.session_state[HINT] = (seated.id, step, counted)
    visits: dict[int, int] = known[2]
    return visits


def is_hint_open(seated: SeatedMatch) -> bool:
    """Whether a hint was asked for in this position."""
    return bool(st.session_state.get("hint for") == (seated.id, len(seated.match.actions)))


def ask_hint(seated: SeatedMatch) -> None:
    st.session_state["hint for"] = (seated.id, len(seated.match.actions))


# ---- several people at one screen


def is_screen_hidden(seated: SeatedMatch) -> bool:
    """Whether the table waits behind a screen until the person in this seat has the device."""
    is_shared = seated.has_secrets and len(seated.people) > 1
    return is_shared and st.session_state.get("shown to") != (seated.id, seated.seat)


def show_screen(seated: SeatedMatch) -> None:
    st.session_state["shown to"] = (seated.id, seated.seat)
