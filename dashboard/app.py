"""The script that Streamlit runs for every look at a page: result file, selection, page."""

import difflib
import functools
import re
import shlex
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

from analytics.metric.group import FAIRNESS, GROUPS, OUTCOME, PACE, SKILL, STRATEGY, TENSION, find_group
from analytics.metric.metric import list_groups
from boardgames.errors import FileInUse
from boardgames.store.opening.access import allow_only_reading
from dashboard.browser import View, escape_markdown, show_errors
from dashboard.data.cache import PATIENCE, OnWait, report_waiting
from dashboard.data.examples import MatchLink
from dashboard.data.file import Contents, find_db, load_contents
from dashboard.errors import describe_error
from dashboard.live import follow_changes, note_drawn, note_seen, note_shown, try_again
from dashboard.looks import REACHABLE_TABLES, STYLE
from dashboard.navigation import PAGES, PageLink
from dashboard.page import Page
from dashboard.pages import compare, comparison, data, fix, group, match, method, overview, people
from dashboard.pages.missing import describe_empty
from dashboard.pages.play import page as play
from dashboard.pages.simulate import page as simulate
from dashboard.pages.simulate.progress import show_progress_line
from dashboard.selection import make_empty_selection
from dashboard.server.key import RELOAD_WITHOUT_KEY
from dashboard.sidebar.address import list_pairs
from dashboard.sidebar.share import show_share_form
from dashboard.sidebar.sidebar import ask_selection, find_address, read_address

DIE = (  # Streamlit would fetch an icon of its own from another host
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#6349fd"/>'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r="3.2" fill="white"/>'
        for x, y in ((9, 9), (23, 9), (16, 16), (9, 23), (23, 23))
    )
    + "</svg>"
)
EMPTY = Contents({}, ())
FIRST_COMMAND = ("boardgames", "simulate", "celtica", "celtica:en", "--players", "2-4")
FIRST_PAGES = (
    Page(
        path="overview",
        name="Overview",
        icon="dashboard",
        question="What is in this file?",
        elements=overview.elements,
        shows_all=True,
    ),
    Page(
        path="compare",
        name="Compare",
        icon="balance",
        question="What does the change do?",
        elements=compare.elements,
    ),
    Page(
        path="comparison",
        name="Comparisons",
        icon="fact_check",
        question="What was compared, and what came out?",
        elements=comparison.elements,
        shows_all=True,
    ),
    Page(
        path="fix",
        name="Fix",
        icon="build",
        question="Which change reaches the goals?",
        elements=fix.elements,
        shows_all=True,
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
        path="play",
        name="Play",
        icon="sports_esports",
        question="How does it play?",
        elements=play.elements,
        needs_matches=False,
    ),
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
        shows_all=True,
    ),
    Page(
        path="simulate",
        name="Simulate",
        icon="casino",
        question="What should the agents play next?",
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
    started = time.thread_time()  # without waiting, for the file or for a core
    with show_errors():
        try:
            _show_parts(page, db)
        except FileInUse as error:
            st.warning(escape_markdown(f"{describe_error(error)}. This page tries again by itself."))
            try_again()
            return
    note_drawn(time.thread_time() - started)


def _show_parts(page: Page, db: Path) -> None:
    """Show the parts of a page, or what to do where there is no file yet."""
    if page.needs_matches and not db.exists():
        note_shown(db, None)
        _show_welcome(db)
    elif page.needs_matches:
        with allow_only_reading(PATIENCE):
            _run_with_selection(page, db)
    else:
        contents = load_contents(db) if db.exists() else EMPTY
        note_shown(db, ())  # matches of no variant: what these pages show changes by what is done there
        View(_show_match_link).show(page.elements(make_empty_selection(db, contents)))


def _make_notice() -> OnWait:
    """A place on the page that says why it waits, or shows what was there a moment ago."""
    notice = st.empty()

    def show_notice(error: FileInUse | None, is_outdated: bool) -> None:
        if error is None:
            notice.empty()
            return
        meanwhile = "this is how it was before" if is_outdated else "this page waits"
        notice.caption(escape_markdown(f"{describe_error(error)}. Until the file is free, {meanwhile}."))

    return show_notice


def _run_with_selection(page: Page, db: Path) -> None:
    contents = load_contents(db)
    selection = ask_selection(db, contents)
    if selection is None:
        note_shown(db, None)
        _show_empty(page, db, contents)
        return
    note_shown(db, None if page.shows_all else selection.variants)
    show_progress_line(db)
    view = View(_show_match_link)
    view.show(page.elements(selection))
    with st.sidebar:
        show_share_form(page, view, selection)


def _show_match_link(link: MatchLink) -> None:
    """Show a link from a point of a chart to the matches behind it."""
    st.page_link(
        PAGES["match"],
        label=f"See matches behind this point: {escape_markdown(f'{link.cell}: {link.filter_name}')}",
        icon=":material/play_circle:",
        query_params=list_pairs({**read_address(), "kind": [link.filter_name], "of": [link.cell]}),
    )


def _show_welcome(db: Path) -> None:
    """Say what to do where there is no file yet."""
    st.info(escape_markdown(f"There is no file {db} yet. Play some matches to make it."))
    _show_first_steps(db)


def _show_empty(page: Page, db: Path, contents: Contents) -> None:
    """Say what to do in a file without finished matches; Overview shows what people have brought into it."""
    imported = list(people.overview_elements(make_empty_selection(db, contents)))
    st.info(describe_empty(contents, bool(imported)))
    if page.path == "overview":
        View(_show_match_link).show(imported)
    _show_first_steps(db)


def _show_first_steps(db: Path) -> None:
    PageLink(path="simulate", label="Simulate: let agents play many matches", icon="casino").ask()
    PageLink(path="play", label="Play: sit down yourself", icon="sports_esports").ask()
    st.markdown("Or on the command line:")
    st.code(shlex.join([*FIRST_COMMAND, "--db", str(db)]), language="sh")


def _show_navigation(db: Path) -> None:
    """A link to each page that keeps the selection: one entry in the browser's history for each click."""
    address = list_pairs(find_address(db))
    with st.sidebar:
        for page in PAGES.values():
            st.page_link(page, query_params=address, width="stretch")


def _find_unknown_path() -> str | None:
    """The path in the browser's address if no page has it."""
    path = unquote(urlsplit(st.context.url or "").path).strip("/")
    return path if path and path not in PAGES else None


def show_unknown_path(path: str) -> None:
    """Say that there is no such page, and which pages there are."""
    pages = list_pages()
    st.title("There is no such page", anchor=False)
    close = difflib.get_close_matches(path.lower(), pages, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    st.warning(escape_markdown(f"The address names a page '{path}', which does not exist.{hint} There are:"))
    for name in [*close, *(name for name in pages if name not in close)]:
        st.page_link(PAGES[name], label=escape_markdown(f"{pages[name].name}: {pages[name].question}"))


def main() -> None:
    st.set_page_config(page_title="boardgames", page_icon=DIE, layout="wide")
    st.html(STYLE)
    st.html(REACHABLE_TABLES, unsafe_allow_javascript=True)
    st.html(RELOAD_WITHOUT_KEY, unsafe_allow_javascript=True)
    for path, page in list_pages().items():
        PAGES[path] = st.Page(
            functools.partial(run_page, path),
            title=escape_markdown(page.name),
            icon=f":material/{page.icon}:",
            url_path=path,
            default=path == "overview",
        )
    pages = list(PAGES.values())
    if (unknown := _find_unknown_path()) and "/" not in unknown:
        # a page of its own: else Streamlit shows the first one, under a message of its own
        show = functools.partial(show_unknown_path, unknown)
        pages.append(st.Page(show, title="No such page", url_path=unknown))
    current = st.navigation(pages, position="hidden")
    db = find_db()
    note_seen(db)  # before the page runs: what is stored meanwhile counts as a change
    with report_waiting(_make_notice()) as waiting:
        _show_navigation(db)
        current.run()
    if waiting.is_outdated:
        try_again()
    with st.sidebar:
        with st.container(key="path"):
            st.caption(escape_markdown(str(db)))
        follow_changes(db)


if __name__ == "__main__":
    main()
