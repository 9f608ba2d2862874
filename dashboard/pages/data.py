"""Data: the numbers themselves, a box for queries, and everything as files."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st

from analytics.metric.metric import find_scale, metrics
from analytics.words import format_unit
from boardgames.errors import BoardgamesError
from boardgames.store.export import EXPORTS
from dashboard.browser import escape_markdown, show_failure
from dashboard.controls import Downloads, SelectBox
from dashboard.data.answers import load_estimates
from dashboard.data.file import Contents
from dashboard.data.query import MEGABYTES, ROWS, SECONDS, export_bytes, run_query
from dashboard.page import Command, Control, DataTable, OnlyShared, PageParts, Tabs, ask
from dashboard.pages.missing import describe_missing
from dashboard.selection import Selection

MAX_ROWS = 1_000_000  # of the bulk tables that a page writes as a file; for more there is a command
MAX_SHARED_ROWS = 500  # of an answer in a shared file
TABLES_OF_SEATS = ("results", "seat", "tallies")
TABLES_OF_MATCHES = ("matches", "match", "actions", "slice", "pair", "luck")
TALLIES = 10  # that a game has, about
EXAMPLES = {
    "How often does each seat win?": (
        "SELECT variant, players, seat, round(100 * avg(win_share), 1) AS percent,\n"
        "    count(*) AS matches\n"
        "FROM results GROUP BY ALL ORDER BY ALL"
    ),
    "Which agent is stronger?": (
        "SELECT variant, line_up, agent, round(100 * avg(win_share), 1) AS percent, count(*) AS seats\n"
        "FROM results GROUP BY ALL ORDER BY ALL"
    ),
    "How do matches end?": (
        "SELECT variant, players, end_reason, count(*) AS matches, round(avg(turns), 1) AS turns\n"
        "FROM matches GROUP BY ALL ORDER BY ALL"
    ),
    "The longest matches": (
        "SELECT variant, players, line_up, cell_id, deal, seating, turns\n"
        "FROM matches ORDER BY turns DESC LIMIT 20"
    ),
    "What tables are there?": (
        "SELECT table_name, column_name, data_type FROM information_schema.columns\n"
        "WHERE table_catalog != 'temp' ORDER BY ALL"
    ),
    "Win shares from slices: quick however many matches there are": (
        "SELECT cell_id, value, sum(total) / sum(deals) AS share, sum(deals) AS deals\n"
        "FROM slice WHERE value LIKE 'win_share:%' GROUP BY ALL ORDER BY ALL"
    ),
}


def elements(selection: Selection) -> PageParts:
    yield Tabs(
        {
            "All numbers": _number_elements(selection),
            "Ask in SQL": _query_elements(selection),
            "Whole tables": [TableExport(selection.db, selection.contents)],
        }
    )


def _number_elements(selection: Selection) -> PageParts:
    yield from describe_missing(selection)
    frame = _load_numbers(selection)
    yield DataTable(
        "Every metric of the selection, with its 95% interval over deals; shares are in %.",
        list(frame),
        frame.to_numpy().tolist(),
        is_grid=True,
    )
    yield Downloads(pa.Table.from_pandas(frame, preserve_index=False), "numbers")


def _load_numbers(selection: Selection) -> pd.DataFrame:
    wanted = list(metrics().values())
    estimates = load_estimates(selection.db, selection.cells, wanted)
    rows = []
    for cell in selection.cells:
        for metric in wanted:
            scale = find_scale(metric.unit)
            for part, estimate in estimates[cell.id].get(metric.name, {}).items():
                numbers = [round(scale * value, 4) for value in estimate[:3]]
                rows.append(
                    [
                        cell.variant,
                        cell.players,
                        cell.line_up,
                        metric.group,
                        metric.name,
                        part,
                        *numbers,
                        format_unit(metric.unit),
                        estimate.deals,
                        cell.matches,
                    ]
                )
    heads = [
        "variant",
        "players",
        "agents",
        "group",
        "metric",
        "part",
        "mean",
        "low",
        "high",
        "unit",
        "deals",
        "matches",
    ]
    return pd.DataFrame(rows, columns=heads)


# ---- queries


class QueryAnswer(NamedTuple):
    sql: str
    table: pa.Table
    has_more: bool


@dataclass(frozen=True)
class QueryBox(Control[QueryAnswer | None]):
    """A box for one SELECT, with examples. The last answer stays while the next query is typed; None before
    the first and after a mistake.
    """

    db: Path

    def ask(self) -> QueryAnswer | None:
        st.caption(
            f"Reads only, for at most {SECONDS:g} s, at most {ROWS:,} rows and {MEGABYTES} MB."
            " Start from the views results, matches and cells."
        )
        example = SelectBox(label="Examples", key="example", options=list(EXAMPLES)).ask()
        with st.form("query", border=False):
            sql = st.text_area("Query", EXAMPLES[example], height=140, key=f"sql of {example}")
            is_pressed = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
        if is_pressed:
            self._run(sql)
        return st.session_state.get("answer")

    def _run(self, sql: str) -> None:
        try:
            with st.spinner("Asking …"):
                st.session_state["answer"] = QueryAnswer(sql, *run_query(self.db, sql))
        except BoardgamesError as error:
            st.session_state.pop("answer", None)
            show_failure(error)


@dataclass(frozen=True)
class AnswerGrid(Control[None]):
    """All rows of an answer, to scroll, sort and search."""

    answer: QueryAnswer

    def ask(self) -> None:
        frame = self.answer.table.to_pandas()
        st.dataframe(_make_readable(frame), hide_index=True, width="stretch")
        more = f"The first {len(frame):,} rows; there are more."
        st.caption(more if self.answer.has_more else f"{len(frame):,} rows.")


def _query_elements(selection: Selection) -> PageParts:
    answer = yield from ask(QueryBox(selection.db))
    if answer:
        frame = answer.table.to_pandas()
        rows = frame.head(MAX_SHARED_ROWS).astype(str).to_numpy().tolist()
        yield OnlyShared(DataTable(answer.sql, [str(name) for name in frame], rows))
        yield AnswerGrid(answer)
        yield Downloads(answer.table, "answer")


def _make_readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with ids as text: they have more digits than a browser's numbers."""
    wide_columns = [
        name for name in frame if str(frame[name].dtype) == "int64" and (frame[name].abs() > 2**53).any()
    ]
    return frame.astype(dict.fromkeys(wide_columns, str))


# ---- whole tables


@dataclass(frozen=True)
class TableExport(Control[None]):
    """A table or view as a file: as a download if it is small enough, and as a command."""

    db: Path
    contents: Contents

    def ask(self) -> None:
        table = SelectBox(label="Table or view", key="table", options=EXPORTS).ask()
        rows = self._count_rows(table)
        if rows <= MAX_ROWS:
            with st.container(horizontal=True):
                for file_type in ("csv", "parquet"):
                    self._show_download(table, file_type)
        else:
            st.info(
                escape_markdown(
                    f"{table} has some {rows:,} rows, which is much for a browser."
                    " On the command line it takes seconds:"
                )
            )
        command = Command(["export", table, "--output", f"{table}.parquet", "--db", str(self.db)])
        st.code(command.text, language="sh")
        st.caption(
            "The camera above each chart saves it as SVG;"
            " Share, in the sidebar, saves the whole page as one HTML file."
        )

    def _count_rows(self, table: str) -> int:
        """About how many rows a table has; 0 if it has no row per match."""
        if table in TABLES_OF_SEATS:
            seats = sum(cell.matches * cell.players for cell in self.contents.cells)
            return TALLIES * seats if table == "tallies" else seats
        if table in TABLES_OF_MATCHES:
            return sum(cell.matches for cell in self.contents.cells)
        return 0

    def _show_download(self, table: str, file_type: str) -> None:
        st.download_button(
            f"{table}.{file_type}",
            functools.partial(export_bytes, self.db, table, file_type),
            f"{table}.{file_type}",
            icon=":material/download:",
            key=f"{table} {file_type}",
            on_click="ignore",
        )
