"""How far a command is that a page has started: on Simulate in full, on every other page in a line."""

import shlex
import time
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboard.browser import escape_markdown, show_errors
from dashboard.data.requests import TrainRequest, format_minutes
from dashboard.data.simulations import RunningSimulation, find_running, get_simulations
from dashboard.navigation import PageLink
from dashboard.page import Control

REFRESH_SECONDS = 1.0  # between two looks at the progress, where nothing else is shown
PAGE_SECONDS = 3.0  # the same on other pages


@dataclass(frozen=True)
class LiveProgress(Control[None]):
    """How far the running simulation is, every second anew."""

    db: Path

    def ask(self) -> None:
        @st.fragment(run_every=REFRESH_SECONDS)
        def refresh() -> None:
            with show_errors():
                running = get_simulations()[str(self.db)]
                if not running.is_running:
                    st.rerun()
                show_progress(self.db, running)

        refresh()


def show_progress(db: Path, running: RunningSimulation) -> None:
    share, text = describe_progress(db, running)
    show_share(share, escape_markdown(text))
    st.code(shlex.join(running.command), language="sh", wrap_lines=True)
    if running.stopped:
        st.caption("Stopping: what is finished is being saved …")
    else:
        help_text = f"Then {describe_kept(running)}. Playing on later continues there."
        st.button("Stop", icon=":material/stop:", key="stop", help=help_text, on_click=running.stop)


def describe_kept(running: RunningSimulation) -> str:
    """What stays of a command that is stopped."""
    if isinstance(running.request, TrainRequest):
        return "what it has played is kept in a folder beside the result file"
    return "all finished matches are stored"


def show_progress_line(db: Path) -> None:
    """While something is played, say how far it is and where to stop it; then draw the page again. It has a
    place of its own also when there is nothing to say.
    """
    with st.container():
        if find_running(db) is None:
            return

        @st.fragment(run_every=PAGE_SECONDS)
        def refresh() -> None:
            with show_errors():
                running = find_running(db)
                if running is None:
                    st.rerun()
                share, text = describe_progress(db, running)
                show_share(share, f"{'' if share is None else 'Playing: '}{escape_markdown(text)}")
                PageLink(path="simulate", label="Simulate: watch it, or stop it", icon="casino").ask()

        refresh()


def show_share(share: float | None, markdown: str) -> None:
    """A bar where it is known how far a command is, under its text."""
    if share is None:
        st.markdown(f":material/hourglass_top: {markdown}")
    else:
        st.progress(share, markdown)


def describe_progress(db: Path, running: RunningSimulation) -> tuple[float | None, str]:
    """How far it is, from 0 to 1, and in words: by matches if their number is known, else by time. None where
    nothing is played, so that neither says how far it is.
    """
    stored = running.count_stored(db)
    limit = running.request.limit if running.request else None
    minutes = (time.monotonic() - running.began) / 60
    if limit == 0:
        return None, f"Working out sums, {format_minutes(minutes)} so far"
    if limit is not None:
        spent = f"{format_minutes(minutes)} so far; you gave it {format_minutes(limit)}"
        share = min(1.0, minutes / limit)
        if isinstance(running.request, TrainRequest):
            return share, f"{spent}; its matches are not stored"
        return share, f"{spent}; {stored - running.before:,} new matches are stored"
    total = sum(running.cells.values())
    last_line = running.read_output().splitlines()[-1:] or ["starting"]
    text = (
        f"{stored:,} of {total:,} matches are stored"
        if stored
        else f"{last_line[0]}; stored matches are counted here every few seconds"
    )
    return min(1.0, stored / total) if total else 1.0, text
