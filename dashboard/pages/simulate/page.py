"""Simulate from the page: the same commands as on the command line, in a process of their own. An estimate
comes before, a way to stop while they run, and a way to what changed at the end.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from boardgames.errors import BoardgamesError
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.tools import catalogue as listing
from dashboard.browser import escape_markdown, show_failure
from dashboard.controls import Segments, start_or_explain
from dashboard.data.file import Contents
from dashboard.data.requests import (
    CommandRequest,
    CompareRequest,
    Estimate,
    FixRequest,
    SimulationRequest,
    SweepRequest,
    TrainRequest,
    format_minutes,
)
from dashboard.data.simulations import RunningSimulation, get_simulations
from dashboard.errors import describe_error
from dashboard.navigation import PageLink
from dashboard.page import Control, PageParts, Text, TextStyle, ask
from dashboard.pages.simulate.forms import FORMS
from dashboard.pages.simulate.progress import LiveProgress, describe_kept
from dashboard.selection import Selection, list_stored_variants

ESTIMATED = "estimated request"  # the key of what this window has an estimate of
STOPPED = 130
PlayRequest = SimulationRequest | SweepRequest | CompareRequest  # what stores matches to look at
UNDECIDED = (1, 3)  # exit codes of commands that have an answer, but not the wanted one


def elements(selection: Selection) -> PageParts:
    running = get_simulations().get(str(selection.db))
    if running and running.is_running:
        yield LiveProgress(selection.db)
        return
    if running:
        yield Ending(running)
        yield from _change_elements(selection, running)
        yield Output(running)
    elif not selection.db.exists():
        yield Text(
            f"{selection.db} does not exist yet. Choose variants and play the first matches: that makes it.",
            TextStyle.NOTE,
        )
    task = yield from ask(
        Segments(label="What to play", key="task", options=list(FORMS), default="Matches", shows_label=False)
    )
    request = yield from ask(FORMS[task](selection.contents))
    estimated = yield from ask(EstimateRequest(selection.db, task, request))
    if estimated:
        yield StartSimulation(selection.db, estimated)
    if task == "Matches":
        yield Parameters()


# ---- before it starts


@dataclass(frozen=True)
class EstimateRequest(Control[CommandRequest | None]):
    """What a request will take, and a button to start it; the request once that is pressed."""

    db: Path
    task: str
    request: CommandRequest | None  # a new one; None to show the last one again

    def ask(self) -> CommandRequest | None:
        if self.request is not None:
            st.session_state.pop(ESTIMATED, None)
            self._estimate(self.request)
        task, request, estimate = st.session_state.get(ESTIMATED, ("", None, None))
        if request is None or task != self.task:
            return None
        return request if show_estimate(request, estimate, self.db) else None

    def _estimate(self, request: CommandRequest) -> None:
        if isinstance(request, SimulationRequest) and not request.specs:
            st.error("Choose at least one variant.")
            return
        try:
            with st.spinner("Playing a few matches to see how long it takes; rules may be compiled first …"):
                estimate = request.estimate(self.db)
            request.list_arguments(self.db)
        except BoardgamesError as error:
            show_failure(error)
            return
        st.session_state[ESTIMATED] = (self.task, request, estimate)


def show_estimate(request: CommandRequest, estimate: Estimate, db: Path) -> bool:
    """Show what a request takes; return whether the reader starts it."""
    with st.container(border=True):
        text = (
            f"{format_minutes(estimate.minutes)} of training; compiling and the match against greedy come on"
            " top. Its matches are not stored."
            if isinstance(request, TrainRequest)
            else estimate.describe()
        )
        st.markdown(f"**{escape_markdown(text)}**")
        st.code(shlex.join(["boardgames", *request.list_arguments(db)]), language="sh", wrap_lines=True)
        return st.button("Play", type="primary", icon=":material/play_arrow:", key="start")


@dataclass(frozen=True)
class StartSimulation(Control[None]):
    """Start to play, and show the progress; or say why it cannot be played."""

    db: Path
    request: CommandRequest

    def ask(self) -> None:
        st.session_state.pop(ESTIMATED, None)
        start_or_explain(self.db, self.request)


@dataclass(frozen=True)
class Parameters(Control[None]):
    """The parameters of the chosen games."""

    def ask(self) -> None:
        with st.expander("Parameters of the variants"):
            _show_parameters(st.session_state.get("play", []))


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


# ---- at the end


@dataclass(frozen=True)
class Ending(Control[None]):
    """How a command ended, in its own words."""

    running: RunningSimulation

    def ask(self) -> None:
        code = self.running.process.returncode
        output = self.running.read_output()
        if code == STOPPED or self.running.stopped:
            st.info(
                f"Stopped; {describe_kept(self.running)}. Play again to go on where it was.",
                icon=":material/stop:",
            )
        elif code == 0:
            lines = output.splitlines()[-2:] if isinstance(self.running.request, SimulationRequest) else []
            st.success(escape_markdown("; ".join(lines) or "Done."), icon=":material/check:")
        elif code in UNDECIDED and not any(line.startswith("boardgames:") for line in output.splitlines()):
            st.info("Done, but without the answer you wanted; see why below.", icon=":material/info:")
        else:
            lines = [line for line in output.splitlines() if line.startswith("boardgames:")]
            st.error(
                escape_markdown("\n".join(lines) or f"it ended with code {code}"), icon=":material/error:"
            )


@dataclass(frozen=True)
class Output(Control[None]):
    """What the command wrote; open if that is the answer."""

    running: RunningSimulation

    def ask(self) -> None:
        is_answer = not isinstance(self.running.request, SimulationRequest)
        is_open = is_answer or self.running.process.returncode in UNDECIDED
        with st.expander("Command output", expanded=is_open):
            st.code(self.running.read_output() or "nothing", language=None, wrap_lines=True)


def _change_elements(selection: Selection, running: RunningSimulation) -> PageParts:
    """A way to what has changed by it."""
    request = running.request
    if isinstance(request, FixRequest):
        yield PageLink(path="fix", label="See what was found", icon="build")
    elif isinstance(request, TrainRequest):
        player = request.find_output(selection.db)
        if player.is_file():  # else none was kept
            yield PageLink(path="play", label=f"Play against learned:{player}", icon="sports_esports")
    elif isinstance(request, PlayRequest):
        query = list_selection(selection.contents, request)
        is_comparison = sum(name == "variant" for name, _ in query) > 1
        path, icon = ("compare", "balance") if is_comparison else ("overview", "dashboard")
        yield PageLink(path=path, label="See what changed", icon=icon, query=query)


def list_selection(contents: Contents, request: PlayRequest) -> list[tuple[str, str]]:
    """The parts of an address that show what a request has played, as far as it is stored: its variants, the
    baseline first, an agent, the player counts and the seed.
    """
    try:
        cells = request.plan().cells
        variants = _list_variants(request, [cell.variant for cell in cells])
    except BoardgamesError:
        return []
    shown = list_stored_variants(contents)
    labels = {contents.variants[label].fingerprint: label for label in shown}
    prints = dict.fromkeys(variant.fingerprint() for variant in variants)
    query = [("variant", labels[name]) for name in prints if name in labels]
    seed = cells[0].seed
    stored = {cell.players for cell in contents.cells if cell.deals and cell.seed == seed}
    counts = dict.fromkeys(cell.players for cell in cells if cell.players in stored)
    if not query or not counts:
        return []
    if not isinstance(request, CompareRequest) or request.agents:  # else those that it was asked with
        query.append(("agents", cells[0].format_line_up()))
    return [*query, *(("players", str(players)) for players in counts), ("seed", str(seed))]


def _list_variants(request: PlayRequest, played: Sequence[Variant]) -> list[Variant]:
    """What was played; of a sweep, the variant that it changed comes first."""
    return [find_stored_variant(request.spec), *played] if isinstance(request, SweepRequest) else [*played]
