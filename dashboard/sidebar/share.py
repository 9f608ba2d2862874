"""Share: what a page shows as one HTML file, with a title and a note of the reader's own."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.browser import View
from dashboard.page import Page
from dashboard.selection import Selection
from dashboard.shared_file import Heading, make_html


@st.fragment  # typing does not draw the page again
def show_share_form(page: Page, view: View, selection: Selection) -> None:
    with st.popover("Share this page", icon=":material/ios_share:", width="stretch"):
        title = st.text_input("Title", key=f"title of {page.path}", placeholder=page.question)
        note = st.text_area("Note", key=f"note of {page.path}", placeholder="What readers should know.")
        st.download_button(
            "Save as one HTML file",
            lambda: make_html(
                Heading(
                    question=page.question, title=title, note=note, facts=list_facts(page, view, selection)
                ),
                view.elements,
            ),
            f"{page.name.lower().replace(' ', '-')}.html",
            "text/html",
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
            help="It needs no server and no network.",
        )


def list_facts(page: Page, view: View, selection: Selection) -> dict[str, str]:
    """What a shared page shows, by name."""
    facts = selection.describe()
    if page.shows_all:
        facts["matches"] += f"; this page also shows others of the {selection.contents.matches:,} in the file"
    if view.choices:
        facts["chosen on the page"] = "; ".join(view.choices)
    return {**facts, "shared": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"}
