"""Share: what a page shows as one HTML file, with a title and a note of the reader's own."""

import json
import time
from datetime import UTC, datetime

import streamlit as st

from dashboard.browser import View
from dashboard.page import Page, Scope
from dashboard.selection import Selection
from dashboard.shared_file import Heading, make_html

# Streamlit's own button for downloads may answer with what stood in the fields a moment before.
SAVE = """<script>
(() => {{
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([{content}], {{type: "text/html"}}));
  link.download = {name};
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}})();  // {moment}: a script that is the same as before does not run again
</script>"""


@st.fragment  # saving does not draw the page again
def show_share_form(page: Page, view: View, selection: Selection) -> None:
    with (
        st.popover("Share this page", icon=":material/ios_share:", width="stretch"),
        st.form(f"share {page.path}", border=False),
    ):
        title = st.text_input("Title", placeholder=page.question)
        note = st.text_area("Note", placeholder="What readers should know.")
        is_saved = st.form_submit_button(
            "Save as one HTML file",
            icon=":material/download:",
            width="stretch",
            help="It needs no server and no network.",
        )
    if is_saved:
        facts = list_facts(page, view, selection)
        heading = Heading(question=page.question, title=title, note=note, facts=facts)
        save_in_browser(f"{page.name.lower().replace(' ', '-')}.html", make_html(heading, view.elements))


def save_in_browser(name: str, text: str) -> None:
    """Let the browser save a text as a file."""
    content = json.dumps(text).replace("<", "\\u003c")  # Streamlit removes scripts with tags in them
    script = SAVE.format(content=content, name=json.dumps(name), moment=time.time_ns())
    st.html(script, unsafe_allow_javascript=True)


def list_facts(page: Page, view: View, selection: Selection) -> dict[str, str]:
    """What a shared page shows, by name."""
    scope = view.scope or Scope(selection)
    facts = scope.selection.describe(scope.cells)
    if scope.matches:
        facts["matches"] = scope.matches
    if page.shows_all and view.scope is None:
        facts["matches"] += f"; this page also shows others of the {selection.contents.matches:,} in the file"
    if view.choices:
        facts["chosen on the page"] = "; ".join(view.choices)
    return {**facts, "shared": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"}
