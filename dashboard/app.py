"""The script that Streamlit runs for every look at a page: result file, selection, page."""

import functools
import re
from pathlib import Path

import streamlit as st

from analytics.metric.group import FAIRNESS, GROUPS, OUTCOME, PACE, SKILL, STRATEGY, TENSION, find_group
from analytics.metric.metric import list_groups
from dashboard.browser import View, escape_markdown, show_errors
from dashboard.data.examples import MatchLink
from dashboard.data.file import Contents, find_db, load_contents, read_file_state
from dashboard.data.simulations import get_simulations
from dashboard.page import Page
from dashboard.pages import compare, data, fix, group, match, method, overview, simulate
from dashboard.selection import Selection, ask_selection, make_empty_selection
from dashboard.shared_file import make_html

DIE = (  # Streamlit would fetch an icon of its own from another host
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#6349fd"/>'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r="3.2" fill="white"/>'
        for x, y in ((9, 9), (23, 9), (16, 16), (9, 23), (23, 23))
    )
    + "</svg>"
)
REFRESH_SECONDS = 2.0  # seconds between two checks whether the file has changed
EMPTY = Contents({}, ())
NAVIGATION: dict[str, st.Page] = {}  # Streamlit's pages by path
FIRST_PAGES = (
    Page(
        path="overview",
        name="Overview",
        icon="dashboard",
        question="What is there to see?",
        elements=overview.elements,
    ),
    Page(
        path="compare",
        name="Compare",
        icon="balance",
        question="What does the change do?",
        elements=compare.elements,
    ),
    Page(
        path="fix",
        name="Fix",
        icon="build",
        question="Which change reaches the goals?",
        elements=fix.elements,
    ),
)
GROUP_ICONS = {
    FAIRNESS.name: "event_seat",
    OUTCOME.name: "flag",
    PACE.name: "timer",
    TENSION.name: "show_chart",
    SKILL.name: "stairs",
    STRATEGY.name: "category",
}
LAST_PAGES = (  # after the groups of metrics
    Page(
        path="match",
        name="Match",
        icon="play_circle",
        question="What happens in a match?",
        elements=match.elements,
    ),
    Page(path="data", name="Data", icon="table", question="What are the numbers?", elements=data.elements),
    Page(
        path="method",
        name="How it was measured",
        icon="science",
        question="How was it measured?",
        elements=method.elements,
    ),
    Page(
        path="simulate",
        name="Simulate",
        icon="casino",
        question="What shall be played next?",
        elements=simulate.elements,
        needs_matches=False,
    ),
)


def list_pages() -> dict[str, Page]:
    """All pages by path, in the order of the navigation."""
    group_pages = [_make_group_page(name) for name in list_groups()]
    return {page.path: page for page in (*FIRST_PAGES, *group_pages, *LAST_PAGES)}


def _make_group_page(name: str) -> Page:
    shown = find_group(name)
    return Page(
        path=_make_path(name),
        name=shown.title,
        icon=GROUP_ICONS.get(name, "bar_chart"),
        question=shown.question,
        elements=functools.partial(group.elements, name=name),
    )


def _make_path(name: str) -> str:
    """A path for a group; a plug-in's may be named like a page of ours, or have a slash."""
    if name in GROUPS:
        return GROUPS[name].title.lower()
    return "group-" + re.sub(r"\W+", "-", name.lower())


def run_page(path: str) -> None:
    """Show a page: its question, its parts, and a button to share it."""
    db = find_db()
    page = list_pages()[path]
    st.title(escape_markdown(page.question), anchor=False)
    with show_errors():
        if page.needs_matches:
            _run_with_selection(page, db)
        else:
            contents = load_contents(db) if db.exists() else EMPTY
            View(_show_match_link).show(page.elements(make_empty_selection(db, contents)))


def _run_with_selection(page: Page, db: Path) -> None:
    contents = load_contents(db)
    selection = ask_selection(db, contents)
    if selection is None:
        _show_empty(db, contents)
        return
    view = View(_show_match_link)
    view.show(page.elements(selection))
    _show_share_button(page, view, selection)


def _show_match_link(link: MatchLink) -> None:
    """Show a link from a point of a chart to the matches behind it."""
    st.page_link(
        NAVIGATION["match"],
        label=f"See matches behind this point: {escape_markdown(f'{link.cell}: {link.filter_name}')}",
        icon=":material/play_circle:",
        query_params={"kind": link.filter_name, "of": link.cell},
    )


def _show_empty(db: Path, contents: Contents) -> None:
    """Say what to do in a file without matches."""
    has_begun = bool(contents.cells)
    st.info(
        "A simulation has begun; its first matches will show up here."
        if has_begun
        else "There are no matches in this file yet."
    )
    st.markdown("Play some here, on the page *Simulate*, or on the command line:")
    st.code(f"boardgames simulate celtica celtica:en --players 2-4 --db {db}", language="sh")


def _show_share_button(page: Page, view: View, selection: Selection) -> None:
    with st.sidebar:
        st.download_button(
            "Share this page",
            lambda: make_html(page.question, selection.describe(), view.elements),
            f"{page.name.lower().replace(' ', '-')}.html",
            "text/html",
            icon=":material/ios_share:",
            on_click="ignore",
            width="stretch",
            help="One HTML file that needs no server and no network.",
        )


def _show_sidebar(db: Path) -> None:
    with st.sidebar:
        st.caption(escape_markdown(str(db)))
        _rerun_on_change(db)


def _rerun_on_change(db: Path) -> None:
    """Run the page again whenever matches arrive; the widgets keep their values."""
    running = get_simulations().get(str(db))

    @st.fragment(run_every=REFRESH_SECONDS)
    def rerun_if_changed() -> None:
        with show_errors():
            state = read_file_state(db)
            if st.session_state["seen"] != state:
                st.session_state["seen"] = state
                st.rerun()

    rerun_if_changed()
    if running and running.is_running:
        st.caption(":material/play_arrow: a simulation is running")


def main() -> None:
    st.set_page_config(page_title="boardgames", page_icon=DIE, layout="wide")
    for path, page in list_pages().items():
        NAVIGATION[path] = st.Page(
            functools.partial(run_page, path),
            title=escape_markdown(page.name),
            icon=f":material/{page.icon}:",
            url_path=path,
            default=path == "overview",
        )
    current = st.navigation(list(NAVIGATION.values()), expanded=True)
    db = find_db()
    # Read before the page runs: what is stored meanwhile counts as a change.
    st.session_state.setdefault("seen", read_file_state(db))
    current.run()
    _show_sidebar(db)


if __name__ == "__main__":
    main()
