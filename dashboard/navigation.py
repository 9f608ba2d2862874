"""Links from one page to another in the same window."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.browser import escape_markdown
from dashboard.page import Control

PAGES: dict[str, st.Page] = {}  # Streamlit's pages by path


@dataclass(frozen=True, kw_only=True)
class PageLink(Control[None]):
    """A way to another page, with a selection of its own; nothing where that page is not served."""

    path: str
    label: str
    icon: str
    query: Sequence[tuple[str, str]] = ()

    def ask(self) -> None:
        if self.path in PAGES:
            st.page_link(
                PAGES[self.path],
                label=escape_markdown(self.label),
                icon=f":material/{self.icon}:",
                query_params=list(self.query),
            )
