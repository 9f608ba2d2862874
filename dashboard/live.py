"""A page follows the result file: it is drawn again when what it shows has changed, and not too often."""

import time
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from boardgames.errors import BoardgamesError, FileInUse
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.opening.access import allow_only_reading
from dashboard.data.cache import cache_until_changed, read_file_state, report_waiting
from dashboard.data.file import load_contents
from dashboard.data.simulations import find_running

LOOK_SECONDS = 3.0  # between two looks at the file
REST = 20  # times as long as drawing a page kept a core, until it is drawn again: a run keeps its cores
MOST_REST = 30.0  # seconds; a page may have compiled rules, which it does once
# what a window knows, in the state of its session
SEEN = "seen"  # the state of the file when its page was drawn; None if the page could not read it
SHOWN = "shown"  # what its page shows
NEXT_DRAWING = "next drawing"  # not before this time


def note_seen(db: Path) -> None:
    """Remember the file as it is now, if nothing is known of it yet."""
    if st.session_state.get(SEEN) is None:
        st.session_state[SEEN] = read_file_state(db)


def try_again() -> None:
    """Let a look draw the page again as soon as the file is free: it could not be read as it is."""
    st.session_state[SEEN] = None
    st.session_state[SHOWN] = None
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
    """Let the page rest after drawing it has kept a core for some seconds."""
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
        has_news = _is_free(db) if st.session_state[SEEN] is None else _has_news(db)
        if has_news is not None:
            st.session_state[SEEN] = state
        if has_news:
            st.rerun()

    look()


def _is_free(db: Path) -> bool | None:
    """Whether the file can be opened now; None while another program has it. What else is wrong with it, the
    page says.
    """
    try:
        with allow_only_reading(0.0), open_for_reading(db):
            return True
    except FileInUse:
        return None
    except BoardgamesError:
        return True


def _has_news(db: Path) -> bool | None:
    """Whether there is more now of what the page shows; None while another program has the file, when only
    the answer from before is known.
    """
    shown: Shown | None = st.session_state.get(SHOWN)
    if shown is None:
        return True
    try:
        with report_waiting() as waiting:
            amounts = _measure_amounts(db, shown.variants)
    except FileInUse:
        return None
    except BoardgamesError:
        return True  # the page says what is wrong
    return None if waiting.is_outdated else amounts != shown.amounts
