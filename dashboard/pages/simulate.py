"""Simulate from the page: the same command as on the command line, in a process of its own. Charts grow while
it runs.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from boardgames.errors import BoardgamesError
from boardgames.game.plugins import find_stored_variant, read_own_variants
from boardgames.tools import catalogue as listing
from dashboard.browser import escape_markdown, show_error, show_errors
from dashboard.data.file import Contents
from dashboard.data.simulations import (
    RunningSimulation,
    SimulationRequest,
    get_simulations,
    start_simulation,
)
from dashboard.errors import describe_error
from dashboard.page import Control, PageParts, ask
from dashboard.selection import Selection

REFRESH_SECONDS = 1.0  # between two looks at the progress


def elements(selection: Selection) -> PageParts:
    running = get_simulations().get(str(selection.db))
    if running and running.is_running:
        yield LiveProgress(selection.db)
        return
    if running:
        yield Ending(running)
    request = yield from ask(SimulationForm(selection.contents))
    if request:
        yield StartSimulation(selection.db, request)


# ---- what to play


@dataclass(frozen=True)
class SimulationForm(Control[SimulationRequest | None]):
    """The options of the command; None until the reader presses Play."""

    contents: Contents

    def ask(self) -> SimulationRequest | None:
        st.markdown("The same as `boardgames simulate`: what is stored already is not played again.")
        with st.form("simulate"):
            request = self._ask_request()
            is_pressed = st.form_submit_button("Play", type="primary", icon=":material/play_arrow:")
        with st.expander("Parameters of the variants"):
            _show_parameters(request.specs)
        if is_pressed and not request.specs:
            st.error("Choose at least one variant.")
            return None
        return request if is_pressed else None

    def _ask_request(self) -> SimulationRequest:
        variants = self._ask_variants()
        left, middle, right = st.columns(3)
        players = left.text_input(
            "Players",
            "",
            placeholder="all",
            help="3, 2-4 or 2,4; empty: all that the game allows",
            key="play players",
        )
        agents = middle.text_input(
            "Agents",
            "greedy",
            help="A line-up: greedy, or one agent per seat. Several, separated by spaces.",
            key="play agents",
        )
        matches = right.number_input(
            "Matches",
            1,
            10_000_000,
            1000,
            step=1000,
            help="Of each variant, player count and line-up; rounded up to whole deals.",
            key="play matches",
        )
        left, right = st.columns([1, 2])
        seed = left.number_input("Seed", None, None, 1, step=1, key="play seed")
        note = right.text_input(
            "Note", "", help="A line for the diary that `boardgames runs` shows.", key="play note"
        )
        return SimulationRequest(
            specs=variants,
            players=players.strip(),
            agents=agents.split() or ["greedy"],
            matches=int(matches),
            seed=1 if seed is None else int(seed),
            note=note,
        )

    def _ask_variants(self) -> list[str]:
        stored = list(dict.fromkeys(info.spec for info in self.contents.variants.values()))
        installed = [variant["name"] for game in _list_installed() for variant in game["variants"]]  # type: ignore[attr-defined]
        default = stored[:2]
        return st.multiselect(
            "Variants",
            list(dict.fromkeys([*stored, *installed, *read_own_variants()])),
            default,
            accept_new_options=True,
            key="play",
            placeholder="celtica, or celtica+hand_size=6",
            help="Choose, or type any name: celtica:en+hand_size=6. +name=value sets a parameter."
            " Games that are not installed are named where the dashboard is started: --game ./mine.py:MINE.",
        )


@st.cache_data(show_spinner=False)
def _list_installed() -> list[dict[str, object]]:
    return listing.describe_games(lambda sentence: None)


def _show_parameters(specs: Sequence[str]) -> None:
    """Show the parameters of each chosen game."""
    shown_games: set[str] = set()
    for spec in specs:
        try:
            description = listing.describe_variant(find_stored_variant(spec))
        except BoardgamesError as error:
            st.caption(escape_markdown(f"{spec}: {describe_error(error)}"))
            continue
        if description["game"] in shown_games:
            continue
        shown_games.add(description["game"])
        heads = ("name", "default", "allowed", "sentence")
        styles = ", ".join(description["styles"]) or "none"
        st.caption(
            escape_markdown(
                f"{description['game']}: players {description['players']}; agents of its own: {styles}"
            )
        )
        st.dataframe(
            [{head: parameter[head] for head in heads} for parameter in description["parameters"]],
            hide_index=True,
            width="stretch",
        )
    if not shown_games:
        st.caption("Choose a variant to see what can be changed.")


@dataclass(frozen=True)
class StartSimulation(Control[None]):
    """Start to play, and show the progress; or say why it cannot be played."""

    db: Path
    request: SimulationRequest

    def ask(self) -> None:
        try:
            start_simulation(self.db, self.request)
        except BoardgamesError as error:
            show_error(describe_error(error))
            return
        st.rerun()


# ---- what is played


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
    total = sum(running.cells.values())
    stored = running.count_stored(db)
    share = min(1.0, stored / total) if total else 1.0
    last_line = running.read_output().splitlines()[-1:] or ["starting"]
    text = (
        f"{stored:,} of {total:,} matches are stored"
        if stored
        else f"{last_line[0]}; stored matches are counted here every few seconds"
    )
    st.progress(share, escape_markdown(text))
    st.code(shlex.join(running.command), language="sh")
    if running.stopped:
        st.caption("Stopping: what is finished is being stored …")
    else:
        help_text = "What is finished is stored; playing on later continues there."
        st.button("Stop", icon=":material/stop:", key="stop", help=help_text, on_click=running.stop)


@dataclass(frozen=True)
class Ending(Control[None]):
    """How a simulation ended, in the command's own words."""

    running: RunningSimulation

    def ask(self) -> None:
        code = self.running.process.returncode
        output = self.running.read_output()
        if code == 0:
            st.success(
                escape_markdown(output.splitlines()[-1] if output else "done"), icon=":material/check:"
            )
        elif code == 130 or self.running.stopped:
            st.info(
                "Stopped; all finished matches are stored. Play again to go on where it was.",
                icon=":material/stop:",
            )
        else:
            lines = [line for line in output.splitlines() if line.startswith("boardgames:")]
            st.error(
                escape_markdown("\n".join(lines) or f"it ended with code {code}"), icon=":material/error:"
            )
        with st.expander("What it said"):
            st.code(output or "nothing", language=None)
