"""The script that Streamlit runs for every look at a page: the file, the selection, the page."""

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import streamlit as st

from analytics.show.report.html import SECTIONS
from dashboard.data.answers import families
from dashboard.data.file import Contents, contents, file_shown, state_of
from dashboard.page import Block, View, as_html, plain, told
from dashboard.pages.compare import compare_blocks
from dashboard.pages.data import data_page
from dashboard.pages.families import family_blocks
from dashboard.pages.match import match_page
from dashboard.pages.method import method_page
from dashboard.pages.overview import overview_page
from dashboard.pages.simulate import runs_started, simulate_page
from dashboard.selection import Choice, choose

NAMES = {
    "fairness": "Seats",
    "outcome": "Endings",
    "pace": "Pace",
    "tension": "Tension",
    "skill": "Skill",
    "strategy": "Strategies",
}
ICONS = {
    "fairness": "event_seat",
    "outcome": "flag",
    "pace": "timer",
    "tension": "show_chart",
    "skill": "stairs",
    "strategy": "category",
}
QUESTIONS = {**SECTIONS, "fairness": "Whom does the chair favour?"}
DIE = (  # Streamlit would fetch an icon of its own from another host
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#6349fd"/>'
    + "".join(f'<circle cx="{x}" cy="{y}" r="3.2" fill="white"/>' for x, y in ((9, 9), (23, 9), (16, 16), (9, 23), (23, 23)))
    + "</svg>"
)
EVERY = 2.0  # seconds between two looks whether the file has changed
Shown = Callable[[Choice, View], None]


def show_blocks(blocks: Callable[[Choice], Iterator[Block]], choice: Choice, view: View) -> None:
    for block in blocks(choice):
        picked = view.show(block)
        if picked:
            _matches_behind(*picked)


def _matches_behind(cell: str, kind: str) -> None:
    """From a point of a chart to the matches behind it."""
    label = f"See matches behind this point: {plain(f'{cell}: {kind}')}"
    st.page_link(PAGES["match"], label=label, icon=":material/play_circle:", query_params={"kind": kind, "of": cell})


def pages() -> dict[str, tuple[str, str, str, Shown]]:
    """By path: name, icon, question, and what shows it."""
    found: dict[str, tuple[str, str, str, Shown]] = {
        "overview": ("Overview", "dashboard", "What is there to see?", overview_page),
        "compare": ("Compare", "balance", "What does the change do?", functools.partial(show_blocks, compare_blocks)),
    }
    for family in families():
        name, path = NAMES.get(family, family.capitalize()), _path(family)
        show = functools.partial(show_blocks, functools.partial(family_blocks, family=family))
        found[path] = (name, ICONS.get(family, "bar_chart"), QUESTIONS.get(family, f"What about {family}?"), show)
    found |= {
        "match": ("Match", "play_circle", "What happens in a match?", match_page),
        "data": ("Data", "table", "What are the numbers?", data_page),
        "method": ("How it was measured", "science", "How was it measured?", method_page),
    }
    return found


def _path(family: str) -> str:
    """A plug-in may call its family as it likes: also as a page of ours, or with a slash."""
    return NAMES[family].lower() if family in NAMES else "family-" + re.sub(r"\W+", "-", family.lower())


PAGES: dict[str, st.Page] = {}


def run_page(path: str) -> None:
    """One page: its question, what it shows, and a way to share it."""
    file = file_shown()
    name, _, question, show = pages()[path]
    st.title(plain(question), anchor=False)
    with told():
        known = contents(file)
        choice = choose(file, known)
        if choice is None:
            _empty(file, known)
            return
        view = View(question)
        show(choice, view)
        _share(name, view, choice)


def run_simulate() -> None:
    file = file_shown()
    st.title("What shall be played next?", anchor=False)
    with told():
        known = contents(file) if file.exists() else None
        simulate_page(file, known)


def _empty(file: Path, known: Contents) -> None:
    """Nothing is stored yet, or everything was forgotten."""
    waiting = bool(known.cells)
    st.info("A simulation has begun; its first matches will show up here." if waiting else "There are no matches in this file yet.")
    st.markdown("Play some here, on the page *Simulate*, or on the command line:")
    st.code(f"boardgames simulate celtica celtica:en --players 2-4 --into {file}", language="sh")


def _share(name: str, view: View, choice: Choice) -> None:
    with st.sidebar:
        st.download_button(
            "Share this page", lambda: as_html(view.title, choice.about(), view.shown), f"{name.lower().replace(' ', '-')}.html",
            "text/html", icon=":material/ios_share:", on_click="ignore", width="stretch",
            help="One HTML file that needs no server and no network.",
        )  # fmt: skip


def _sidebar(file: Path) -> None:
    with st.sidebar:
        st.caption(plain(str(file)))
        _live(file)


def _live(file: Path) -> None:
    """While matches arrive, the page is drawn anew; the widgets stay as they are."""
    running = runs_started().get(str(file))

    @st.fragment(run_every=EVERY)
    def look() -> None:
        with told():
            now = state_of(file)
            if st.session_state["seen"] != now:
                st.session_state["seen"] = now
                st.rerun()

    look()
    if running and running.on:
        st.caption(":material/play_arrow: a simulation is running")


def main() -> None:
    st.set_page_config(page_title="boardgames", page_icon=DIE, layout="wide")
    for path, (name, icon, _, _) in pages().items():
        PAGES[path] = st.Page(
            functools.partial(run_page, path),
            title=plain(name),
            icon=f":material/{icon}:",
            url_path=path,
            default=path == "overview",
        )
    PAGES["simulate"] = st.Page(run_simulate, title="Simulate", icon=":material/casino:", url_path="simulate")
    chosen = st.navigation(list(PAGES.values()), expanded=True)
    file = file_shown()
    st.session_state.setdefault("seen", state_of(file))  # what is stored while the page is drawn is news
    chosen.run()
    _sidebar(file)


if __name__ == "__main__":
    main()
