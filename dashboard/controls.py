"""Controls that several pages use. Each keeps its answer in the page's address, under its key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from boardgames.errors import BoardgamesError
from dashboard.browser import escape_markdown, show_error
from dashboard.data.requests import CommandRequest
from dashboard.data.simulations import get_simulations, start_simulation
from dashboard.errors import describe_error
from dashboard.page import Command, Control
from dashboard.sidebar.address import keep_in_address, warn_unknown

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Segments(Control[T], Generic[T]):
    """One of a few options, all in sight."""

    label: str
    key: str
    options: Sequence[T]
    default: T
    format_option: Callable[[T], str] = str
    shows_label: bool = True

    def ask(self) -> T:
        chosen = st.segmented_control(
            self.label,
            self.options,
            default=self.default,
            key=self.key,
            bind="query-params",
            format_func=self.format_option,
            label_visibility="visible" if self.shows_label else "collapsed",
        )
        return chosen if chosen in self.options else self.default  # type: ignore[return-value]

    def describe(self, answer: T) -> str:
        return f"{self.label.lower()}: {self.format_option(answer)}"


@dataclass(frozen=True, kw_only=True)
class SelectBox(Control[T], Generic[T]):
    """One of many options; the first one unless the reader chooses."""

    label: str
    key: str
    options: Sequence[T]
    format_option: Callable[[T], str] = str

    def ask(self) -> T:
        chosen = st.selectbox(
            self.label, self.options, key=self.key, bind="query-params", format_func=self.format_option
        )
        return chosen if chosen in self.options else self.options[0]

    def describe(self, answer: T) -> str:
        return f"{self.label.lower()}: {self.format_option(answer)}"


@dataclass(frozen=True, kw_only=True)
class AddressBox(Control[str]):
    """One of many options, whose name always stands in the address; an unknown one there is reported."""

    label: str
    key: str
    options: Sequence[str]
    format_option: Callable[[str], str] = str

    def ask(self) -> str:
        named = st.query_params.get(self.key)
        if named is not None and named not in self.options:
            warn_unknown(self.label.lower(), [named])
        chosen = named if named is not None and named in self.options else self.options[0]
        st.session_state[self.key] = chosen
        st.selectbox(
            self.label,
            self.options,
            key=self.key,
            format_func=self.format_option,
            on_change=lambda: st.query_params.update({self.key: st.session_state[self.key]}),
        )
        keep_in_address({self.key: [chosen]})
        return chosen

    def describe(self, answer: str) -> str:
        return f"{self.label.lower()}: {self.format_option(answer)}"


@dataclass(frozen=True)
class Toggle(Control[bool]):
    label: str
    key: str

    def ask(self) -> bool:
        return bool(st.toggle(self.label, key=self.key, bind="query-params"))

    def describe(self, answer: bool) -> str:
        return self.label.lower() if answer else ""


@dataclass(frozen=True)
class Hint(Control[None]):
    """How to use the page. A shared file leaves it out: nothing can be clicked there."""

    text: str

    def ask(self) -> None:
        st.caption(self.text)


@dataclass(frozen=True)
class Downloads(Control[None]):
    """Buttons to download a table as CSV and as Parquet."""

    table: pa.Table
    name: str

    def ask(self) -> None:
        with st.container(horizontal=True):
            st.download_button(
                "CSV",
                lambda: self.table.to_pandas().to_csv(index=False),
                f"{self.name}.csv",
                "text/csv",
                icon=":material/download:",
                key=f"{self.name} csv",
                on_click="ignore",
            )
            st.download_button(
                "Parquet",
                self._write_parquet,
                f"{self.name}.parquet",
                icon=":material/download:",
                key=f"{self.name} parquet",
                on_click="ignore",
            )

    def _write_parquet(self) -> bytes:
        out = pa.BufferOutputStream()
        pq.write_table(self.table, out, compression="zstd")
        return bytes(out.getvalue())


@dataclass(frozen=True, kw_only=True)
class StartButton(Control[None]):
    """A button that runs a command in a process of its own: pages only read."""

    db: Path
    label: str
    request: CommandRequest

    def ask(self) -> None:
        running = get_simulations().get(str(self.db))
        is_busy = running is not None and running.is_running
        try:
            text = Command(self.request.list_arguments(self.db)).text
        except BoardgamesError as error:  # a variant that is not here
            st.caption(escape_markdown(describe_error(error)))
            return
        help_text = "Something is being played already: see Simulate." if is_busy else f"`{text}`"
        is_pressed = st.button(
            self.label, key=text, icon=":material/play_arrow:", disabled=is_busy, help=help_text
        )
        if is_pressed:
            start_or_explain(self.db, self.request)


def start_or_explain(db: Path, request: CommandRequest) -> None:
    """Start a command and draw the page again; or say why it cannot be run."""
    try:
        start_simulation(db, request)
    except BoardgamesError as error:
        show_error(describe_error(error))
        return
    st.rerun()


@dataclass(frozen=True)
class LinkButton(Control[None]):
    """A way to another page with a selection of its own, in a new tab."""

    label: str
    address: str

    def ask(self) -> None:
        st.link_button(self.label, self.address, icon=":material/balance:")
