"""Stored results outside the file: as Parquet, CSV or an Arrow table."""

from pathlib import Path

import pyarrow as pa

from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.files import replace_file
from boardgames.given_values import read_path
from boardgames.store.connection import (
    copy_out,
    get_connection,
    open_for_queries,
    open_for_reading,
)
from boardgames.store.tables.comments import TABLES
from boardgames.store.tables.views import VIEWS

EXPORTS = (*VIEWS, *sorted(TABLES))


def export(db: Path, table: str, output: Path) -> int:
    """Write a table or view as Parquet or CSV, by the file's ending; returns the number of rows."""
    if table not in EXPORTS:
        raise make_unknown_error("table", table, EXPORTS)
    if output.suffix not in (".parquet", ".csv"):
        raise InvalidInput(f"cannot write {output}: name a .parquet or a .csv file")
    kind = "FORMAT parquet, COMPRESSION zstd" if output.suffix == ".parquet" else "FORMAT csv, HEADER"
    with open_for_reading(db):
        pass  # an unreadable result file is reported before an output that cannot be written
    with replace_file(output) as part, open_for_reading(db, output=part) as session:
        return copy_out(get_connection(session), f'SELECT * FROM "{table}"', part, kind)


def query(db: str | Path, sql: str = "SELECT * FROM results") -> pa.Table:
    """Stored results as an Arrow table: all of them, or what a query over the file's tables and views
    gives.
    """
    with open_for_queries(read_path("db", db)) as session:
        return get_connection(session).sql(sql).to_arrow_table()
