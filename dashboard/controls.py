"""Controls that several pages use. Each keeps its answer in the page's address, under its key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from dashboard.page import Control

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


@dataclass(frozen=True)
class Toggle(Control[bool]):
    label: str
    key: str

    def ask(self) -> bool:
        return bool(st.toggle(self.label, key=self.key, bind="query-params"))


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


@dataclass(frozen=True)
class LinkButton(Control[None]):
    """A way to another page with a selection of its own, in a new tab."""

    label: str
    address: str

    def ask(self) -> None:
        st.link_button(self.label, self.address, icon=":material/balance:")
