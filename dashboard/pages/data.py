"""Data: the numbers themselves, a box for queries, and everything as files."""

import functools
import io
import tempfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from analytics.metric.metric import metrics
from boardgames.errors import BadInput
from boardgames.store.runs import EXPORTS, export
from dashboard.data.answers import answers
from dashboard.data.file import READS
from dashboard.data.query import ROWS, SECONDS, ask
from dashboard.page import Numbers, View, plain
from dashboard.selection import Choice

AT_ONCE = 1_000_000  # rows of the bulk tables that a page writes as a file; for more there is a command
EXAMPLES = {
    "How often does each seat win?": "SELECT variant, players, seat, round(100 * avg(win_share), 1) AS percent,\n"
    "    count(*) AS matches\nFROM results GROUP BY ALL ORDER BY ALL",
    "Which agent is stronger?": "SELECT variant, line_up, agent, round(100 * avg(win_share), 1) AS percent, count(*) AS seats\n"
    "FROM results GROUP BY ALL ORDER BY ALL",
    "How do matches end?": "SELECT variant, players, end_reason, count(*) AS matches, round(avg(turns), 1) AS turns\n"
    "FROM matches GROUP BY ALL ORDER BY ALL",
    "The longest matches": "SELECT variant, players, line_up, cell_id, block, arrangement, turns\n"
    "FROM matches ORDER BY turns DESC LIMIT 20",
    "What tables are there?": "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ALL",
    "Win shares from slices: quick however many matches there are": "SELECT cell_id, value, sum(total) / sum(blocks) AS share, "
    "sum(blocks) AS blocks\nFROM slice WHERE value LIKE 'win_share:%' GROUP BY ALL ORDER BY ALL",
}


def data_page(choice: Choice, view: View) -> None:
    numbers, box, files = st.tabs(["All numbers", "Ask in SQL", "Whole tables"])
    with numbers:
        frame = _all_numbers(choice)
        view.show(
            Numbers(
                "Every metric of the selection, with its 95 % interval over blocks; shares are in %.",
                list(frame),
                frame.to_numpy().tolist(),
                grid=True,
            )
        )
        downloads(pa.Table.from_pandas(frame, preserve_index=False), "numbers")
    with box:
        sql_box(choice, view)
    with files:
        _tables(choice)


def _all_numbers(choice: Choice) -> pd.DataFrame:
    wanted = [metric for metric in metrics().values() if metric.kind != "rows"]
    found = answers(choice.file, choice.cells, wanted)
    rows = []
    for cell in choice.cells:
        for metric in wanted:
            scale, unit = (100.0, "%") if metric.unit == "share" else (1.0, metric.unit)
            for part, e in found[cell.id].get(metric.name, {}).items():
                numbers = [round(scale * value, 4) for value in e[:3]]
                rows.append(
                    [
                        cell.variant,
                        cell.players,
                        cell.line_up,
                        metric.family,
                        metric.name,
                        part,
                        *numbers,
                        unit,
                        e.blocks,
                        cell.matches,
                    ]
                )
    heads = ["variant", "players", "agents", "family", "metric", "part", "mean", "low", "high", "unit", "blocks", "matches"]
    return pd.DataFrame(rows, columns=heads)


def downloads(table: pa.Table, name: str) -> None:
    """The same as CSV and as Parquet."""
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            lambda: table.to_pandas().to_csv(index=False),
            f"{name}.csv",
            "text/csv",
            icon=":material/download:",
            key=f"{name} csv",
            on_click="ignore",
        )
        st.download_button(
            "Parquet",
            lambda: _parquet(table),
            f"{name}.parquet",
            icon=":material/download:",
            key=f"{name} parquet",
            on_click="ignore",
        )


def _parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


# ---- queries


def sql_box(choice: Choice, view: View) -> None:
    st.caption(f"Reads only, for at most {SECONDS:g} s, at most {ROWS:,} rows. Start from the views results, matches and cells.")
    example = st.selectbox("Examples", list(EXAMPLES), key="example", bind="query-params")
    with st.form("query", border=False):
        sql = st.text_area("Query", EXAMPLES[example or next(iter(EXAMPLES))], height=140, key=f"sql of {example}")
        run = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
    if run:
        try:
            with st.spinner("Asking …"):
                st.session_state["answer"] = (sql, *ask(choice.file, sql))
        except BadInput as error:
            st.session_state.pop("answer", None)
            st.error(plain(str(error)), icon=":material/error:")
    if "answer" in st.session_state:
        asked, table, more = st.session_state["answer"]  # the box may hold the next query already
        frame = table.to_pandas()
        view.shown.append(Numbers(asked, [str(name) for name in frame], frame.head(500).astype(str).to_numpy().tolist()))
        st.dataframe(_readable(frame), hide_index=True, width="stretch")
        st.caption(f"The first {len(frame):,} rows; there are more." if more else f"{len(frame):,} rows.")
        downloads(table, "answer")


def _readable(frame: pd.DataFrame) -> pd.DataFrame:
    """Ids have more digits than a browser's numbers."""
    wide = [name for name in frame if str(frame[name].dtype) == "int64" and (frame[name].abs() > 2**53).any()]
    return frame.astype(dict.fromkeys(wide, str))


# ---- whole tables


def _tables(choice: Choice) -> None:
    what = st.selectbox("Table or view", EXPORTS, key="table", bind="query-params") or EXPORTS[0]
    rows = sum(cell.matches * (cell.players if what in ("results", "seat") else 1) for cell in choice.contents.cells)
    if what in ("cells", "batch") or rows <= AT_ONCE:
        with st.container(horizontal=True):
            for kind in ("csv", "parquet"):
                st.download_button(
                    f"{what}.{kind}", functools.partial(_exported, choice.file, what, kind), f"{what}.{kind}",
                    icon=":material/download:", key=f"{what} {kind}", on_click="ignore",
                )  # fmt: skip
    else:
        st.info(plain(f"{what} has some {rows:,} rows, which is much for a browser. On the command line it takes seconds:"))
    st.code(f"boardgames export {what} --into {what}.parquet --from {choice.file}", language="sh")
    st.caption("The camera above each chart saves it as SVG; Share, in the sidebar, saves the whole page as one HTML file.")


def _exported(file: Path, what: str, kind: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder, READS:
        into = Path(folder) / f"{what}.{kind}"
        export(file, what, into)
        return into.read_bytes()
