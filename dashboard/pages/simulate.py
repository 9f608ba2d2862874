"""Simulate from the page: the same command as on the command line, in a process of its own. Charts grow while it runs."""

import atexit
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import streamlit as st

from boardgames.errors import BadInput
from boardgames.experiment.plan import make_plan
from boardgames.game.plugins import find_stored, own_variants
from boardgames.store.connection import connection, reading
from boardgames.tools import catalogue as listing
from dashboard.data.file import PATIENCE, Contents, of_file
from dashboard.page import in_words, plain, told

EVERY = 1.0  # seconds between two looks at the progress
SAID = 1 << 20  # bytes of the log that are looked at


@dataclass
class Running:
    """A simulation that was started here."""

    command: list[str]
    process: subprocess.Popen[bytes]
    log: IO[bytes]
    cells: dict[int, int] = field(default_factory=dict)  # matches to be stored, by cell
    stopped: bool = False

    @property
    def on(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """As Ctrl-C does: what is finished is stored."""
        if self.on:
            self.stopped = True
            self.process.send_signal(signal.SIGINT)

    def said(self) -> str:
        """The last that the process has written; its place in the log is shared with us, and stays."""
        size = os.fstat(self.log.fileno()).st_size
        return os.pread(self.log.fileno(), SAID, max(0, size - SAID)).decode(errors="replace").strip()


@st.cache_resource
def runs_started() -> dict[str, Running]:
    """By file: one at a time, whoever looks."""
    return {}


def start(file: Path, specs: list[str], players: str, agents: list[str], blocks: int, seed: int, note: str) -> Running:
    """Check the plan as the command line would, then play it there. What a page names is not imported, whoever wrote it."""
    specs = [find_stored(spec).spec for spec in specs]
    plan = make_plan(specs, players, agents, blocks, seed, note=note)
    words = ["simulate", *specs, "--blocks", str(blocks), "--seed", str(seed), "--into", str(file)]
    words += [word for one in agents for word in ("--agents", one)]
    words += ["--players", players] if players else []
    words += ["--note", note] if note else []
    log = tempfile.TemporaryFile()  # noqa: SIM115 - the child writes into it for as long as it runs
    command = [sys.executable, "-m", "boardgames", *words]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    cells = {cell.id: blocks * len(cell.table.seatings) for cell in plan.cells}
    running = Running(["boardgames", *words], process, log, cells)
    runs_started()[str(file)] = running
    atexit.register(running.stop)  # it does not outlive the dashboard
    return running


@of_file
def stored_of(path: Path, cells: tuple[int, ...]) -> int:
    query = "SELECT coalesce(sum(matches), 0) FROM batch WHERE list_contains(?, cell_id)"
    with reading(path, PATIENCE) as session:
        return int(connection(session).execute(query, [list(cells)]).fetchone()[0])


# ---- the page


def simulate_page(file: Path, contents: Contents | None) -> None:
    running = runs_started().get(str(file))
    if running and running.on:
        _watch(file)
        return
    if running:
        _ended(running)
    _form(file, contents)


def _form(file: Path, contents: Contents | None) -> None:
    specs = _known_specs(contents)
    default = list(dict.fromkeys(known.spec for known in contents.variants.values()))[:2] if contents else []
    st.markdown("The same as `boardgames simulate`: what is stored already is not played again.")
    with st.form("simulate"):
        variants = st.multiselect(
            "Variants", list(dict.fromkeys([*default, *specs])), default, accept_new_options=True, key="play",
            placeholder="celtica, or celtica+hand_size=6",
            help="Choose, or type any name: celtica:en+hand_size=6. +name=value sets a parameter. Games that are not installed "
            "are named where the dashboard is started: --game ./mine.py:MINE.",
        )  # fmt: skip
        left, middle, right = st.columns(3)
        players = left.text_input(
            "Players", "", placeholder="all", help="3, 2-4 or 2,4; empty: all that the game allows", key="play players"
        )
        agents = middle.text_input(
            "Agents", "greedy", help="A line-up: greedy, or one agent per seat. Several, separated by spaces.", key="play agents"
        )
        blocks = right.number_input(
            "Blocks", 1, 10_000_000, 1000, step=1000, help="Chance seeds; each is played in every seating.", key="play blocks"
        )
        left, right = st.columns([1, 2])
        seed = left.number_input("Seed", None, None, 1, step=1, key="play seed")
        note = right.text_input("Note", "", help="A line for the diary that `boardgames runs` shows.", key="play note")
        pressed = st.form_submit_button("Play", type="primary", icon=":material/play_arrow:")
    with st.expander("Parameters of the variants"):
        _parameters(variants)
    if pressed:
        if not variants:
            st.error("Choose at least one variant.")
            return
        try:
            start(
                file,
                list(variants),
                players.strip(),
                agents.split() or ["greedy"],
                int(blocks),
                1 if seed is None else int(seed),
                note,
            )
        except BadInput as error:
            st.error(plain(in_words(error)), icon=":material/error:")
            return
        st.rerun()


@st.cache_data(show_spinner=False)
def _installed() -> list[dict[str, object]]:
    return listing.games(lambda sentence: None)


def _known_specs(contents: Contents | None) -> list[str]:
    """Those of the file, of the installed games and of variants.toml."""
    stored = [known.spec for known in contents.variants.values()] if contents else []
    installed = [variant["name"] for game in _installed() for variant in game["variants"]]  # type: ignore[attr-defined]
    return list(dict.fromkeys([*stored, *installed, *own_variants()]))


def _parameters(specs: list[str]) -> None:
    """What can be changed, for each game that is chosen."""
    shown: set[str] = set()
    for spec in specs or []:
        try:
            found = listing.one(find_stored(spec))
        except BadInput as error:
            st.caption(plain(f"{spec}: {in_words(error)}"))
            continue
        if found["game"] in shown:
            continue
        shown.add(found["game"])
        heads = ("name", "default", "allowed", "sentence")
        st.caption(plain(f"{found['game']}: players {found['players']}; agents of its own: {', '.join(found['styles']) or 'none'}"))
        st.dataframe(
            [{head: parameter[head] for head in heads} for parameter in found["parameters"]], hide_index=True, width="stretch"
        )
    if not shown:
        st.caption("Choose a variant to see what can be changed.")


def _watch(file: Path) -> None:
    @st.fragment(run_every=EVERY)
    def progress() -> None:
        with told():
            running = runs_started()[str(file)]
            if not running.on:
                st.rerun()
            show_progress(file, running)

    progress()


def show_progress(file: Path, running: Running) -> None:
    wanted = sum(running.cells.values())
    stored = stored_of(file, tuple(running.cells)) if file.exists() else 0
    share = min(1.0, stored / wanted) if wanted else 1.0
    last = running.said().splitlines()[-1:] or ["starting"]
    text = (
        f"{stored:,} of {wanted:,} matches are stored"
        if stored
        else f"{last[0]}; stored matches are counted here every few seconds"
    )
    st.progress(share, plain(text))
    st.code(shlex.join(running.command), language="sh")
    if running.stopped:
        st.caption("Stopping: what is finished is being stored …")
    else:
        after = "What is finished is stored; playing on later continues there."
        st.button("Stop", icon=":material/stop:", key="stop", help=after, on_click=running.stop)


def _ended(running: Running) -> None:
    """How it ended, in the command's own words."""
    code = running.process.returncode
    if code == 0:
        st.success(plain(running.said().splitlines()[-1] if running.said() else "done"), icon=":material/check:")
    elif code == 130 or running.stopped:
        st.info("Stopped; all finished matches are stored. Play again to go on where it was.", icon=":material/stop:")
    else:
        lines = [line for line in running.said().splitlines() if line.startswith("boardgames:")]
        st.error(plain("\n".join(lines) or f"it ended with code {code}"), icon=":material/error:")
    with st.expander("What it said"):
        st.code(running.said() or "nothing", language=None)
