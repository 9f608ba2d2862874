"""Controls that several pages use. Each keeps its answer in the page's address, under its key."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from boardgames.errors import BoardgamesError
from boardgames.given_values import read_digits
from dashboard.browser import escape_markdown, show_failure
from dashboard.data.requests import CommandRequest
from dashboard.data.simulations import find_running, start_simulation
from dashboard.errors import describe_error
from dashboard.page import Command, Control
from dashboard.sidebar.address import keep_choice, read_choice, warn_impossible

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Choice(Control[T], Generic[T]):
    """One of some options, the first one unless `default` says otherwise. Its name always stands in the
    address, and an unknown one there is reported.
    """

    label: str
    key: str
    options: Sequence[T]
    default: T | None = None
    format_option: Callable[[T], str] = str

    def ask(self) -> T:
        options = {str(option): option for option in self.options}
        default = self.options[0] if self.default is None else self.default
        choice = read_choice(self.key, list(options), str(default))
        chosen = options[choice.name]
        st.session_state[self.key] = chosen
        self._draw()
        if choice.is_unknown:
            warn_impossible(self.key, self.format_option(chosen))
        keep_choice(self.key, choice)
        return chosen

    def describe(self, answer: T) -> str:
        return f"{self.label.lower()}: {self.format_option(answer)}"

    @abstractmethod
    def _draw(self) -> None: ...

    def _write_address(self) -> None:
        chosen = st.session_state[self.key]
        if chosen is not None:  # a second click takes a segment back: then it stays
            st.query_params[self.key] = str(chosen)


@dataclass(frozen=True, kw_only=True)
class Segments(Choice[T], Generic[T]):
    """One of a few options, all in sight."""

    shows_label: bool = True

    def _draw(self) -> None:
        st.segmented_control(
            self.label,
            self.options,
            key=self.key,
            format_func=self.format_option,
            on_change=self._write_address,
            label_visibility="visible" if self.shows_label else "collapsed",
        )


@dataclass(frozen=True, kw_only=True)
class SelectBox(Choice[T], Generic[T]):
    """One of many options."""

    def _draw(self) -> None:
        texts = number_repeated([self.format_option(option) for option in self.options])
        text_by_option = dict(zip(map(str, self.options), texts, strict=True))
        st.selectbox(
            self.label,
            self.options,
            key=self.key,
            format_func=lambda option: text_by_option[str(option)],
            on_change=self._write_address,
        )


def number_repeated(texts: Sequence[str]) -> list[str]:
    """Texts of which no two are equal: Streamlit takes options with one text for one option."""
    counts: Counter[str] = Counter()
    numbered = []
    for text in texts:
        counts[text] += 1
        numbered.append(f"{text} ({counts[text]})" if counts[text] > 1 else text)
    return numbered


@dataclass(frozen=True, kw_only=True)
class Toggle(Choice[bool]):
    """Yes or no; no unless the reader says otherwise."""

    options: Sequence[bool] = (False, True)

    def describe(self, answer: bool) -> str:
        return self.label.lower() if answer else ""

    def _draw(self) -> None:
        st.toggle(self.label, key=self.key, on_change=self._write_address)


@dataclass(frozen=True, kw_only=True)
class NumberField(Control[int | None]):
    """A whole number; None, and nothing in the address, while the field is empty."""

    label: str
    key: str
    most: int

    def ask(self) -> int | None:
        named = st.query_params.get(self.key)
        number = read_digits(named or "")
        is_known = number is not None and number <= self.most
        st.session_state[self.key] = number if is_known else None
        st.number_input(self.label, 0, self.most, None, key=self.key, on_change=self._write_address)
        if named is not None and not is_known:
            warn_impossible(self.key, "an empty field")
        chosen: int | None = st.session_state[self.key]
        return chosen

    def _write_address(self) -> None:
        chosen = st.session_state[self.key]
        if chosen is None:
            st.query_params.pop(self.key, None)
        else:
            st.query_params[self.key] = str(chosen)


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
        is_busy = find_running(self.db) is not None
        try:
            text = Command(self.request.list_arguments(self.db)).text
        except BoardgamesError as error:  # a variant that is not here
            st.caption(escape_markdown(describe_error(error)))
            return
        help_text = "Something is being played already: see the top of the page." if is_busy else f"`{text}`"
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
        show_failure(error)
        return
    st.rerun()


@dataclass(frozen=True)
class LinkButton(Control[None]):
    """A way to another page with a selection of its own, in a new tab."""

    label: str
    address: str

    def ask(self) -> None:
        st.link_button(self.label, self.address, icon=":material/balance:")
