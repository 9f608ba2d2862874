"""A page follows the result file: it is drawn again when what it shows has changed, and not too often."""

import time
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from boardgames.errors import BoardgamesError
from boardgames.store.connection import get_connection, open_for_reading
from dashboard.data.cache import cache_until_changed, read_file_state
from dashboard.data.file import load_contents
from dashboard.data.simulations import find_running

LOOK_SECONDS = 3.0  # between two looks at the file
REST = 20  # times as long as drawing a page kept a core, until it is drawn again: a run keeps its cores
MOST_REST = 30.0  # seconds; a page may have compiled rules, which it does once
# what a window knows, in the state of its session
SEEN = "seen"  # the state of the file when its page was drawn
SHOWN = "shown"  # what its page shows
NEXT_DRAWING = "next drawing"  # not before this time


def note_seen(db: Path) -> None:
    """Remember the file as it is now, if nothing is known of it yet."""
    st.session_state.setdefault(SEEN, read_file_state(db))


def forget_seen() -> None:
    """Let a look draw the page again once it has rested."""
    st.session_state[SEEN] = None
    st.session_state[SHOWN] = None


def try_again() -> None:
    """Let the next look draw the page again: it could not read the file."""
    forget_seen()
    st.session_state[NEXT_DRAWING] = time.monotonic() + LOOK_SECONDS / 2  # not the look of this drawing


class Shown(NamedTuple):
    """What a page shows of the file, and how much of that was stored."""

    variants: tuple[str, ...] | None  # None: all
    amounts: tuple[object, ...]


def note_shown(db: Path, variants: tuple[str, ...] | None) -> None:
    """Remember which variants the page shows, None for all, and how much of them is stored. Where there is no
    file yet, whatever is stored there is news.
    """
    st.session_state[SHOWN] = Shown(variants, _measure_amounts(db, variants)) if db.exists() else None


def _measure_amounts(db: Path, variants: tuple[str, ...] | None) -> tuple[object, ...]:
    """What changes when something of these variants is stored, or an answer beside the matches."""
    cells = load_contents(db).cells
    deals = tuple((cell.id, cell.deals) for cell in cells if variants is None or cell.variant in variants)
    return (*deals, load_extras(db))


@cache_until_changed
def load_extras(db: Path) -> tuple[object, ...]:
    """What changes when something is stored beside matches: numbers of rows, and when a search was last
    answered, which may replace an earlier answer.
    """
    tables = ("registration", "fix", "real_match", "luck")
    counts = ", ".join(f"(SELECT count(*) FROM {table})" for table in tables)
    query = f"SELECT {counts}, (SELECT max(created) FROM fix)"
    with open_for_reading(db) as session:
        return tuple(get_connection(session).execute(query).fetchone())


def note_drawn(seconds: float) -> None:
    """Let the page rest after drawing it has kept a core for so many seconds."""
    st.session_state[NEXT_DRAWING] = time.monotonic() + min(REST * seconds, MOST_REST)


def follow_changes(db: Path) -> None:
    """Draw the page again when what it shows has changed; the widgets keep their values."""

    @st.fragment(run_every=LOOK_SECONDS)
    def look() -> None:
        if find_running(db):
            st.caption(":material/play_arrow: a simulation is running")
        state = read_file_state(db)
        if state == st.session_state[SEEN] or time.monotonic() < st.session_state.get(NEXT_DRAWING, 0.0):
            return
        if _has_news(db):
            st.session_state[SEEN] = state
            st.rerun()
        st.session_state[SEEN] = state

    look()


def _has_news(db: Path) -> bool:
    """Whether there is more now of what the page shows."""
    shown: Shown | None = st.session_state.get(SHOWN)
    if shown is None:
        return True
    try:
        return _measure_amounts(db, shown.variants) != shown.amounts
    except BoardgamesError:
        return True  # the page says what is wrong
