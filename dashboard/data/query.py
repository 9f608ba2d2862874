"""A query that a person typed runs in a process of its own, which is killed when it takes too long. The
export of a table runs in one, too.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa

from boardgames.errors import FileInUse, InvalidInput, UnusableFile
from dashboard.data.cache import PATIENCE
from dashboard.data.simulations import RUN_MODULE

SECONDS = 10.0
ROWS = 10_000
STOPPED = "the query was stopped: it took more memory or time than a page may"
MEGABYTES = 16  # of an answer: few rows may hold long texts


def run_query(db: Path, sql: str, seconds: float = SECONDS, rows: int = ROWS) -> tuple[pa.Table, bool]:
    """At most `rows` rows of the answer, and of these as many as are small enough; and whether there are
    more. Pages go on meanwhile: several processes may read a file.
    """
    limits = {"rows": rows, "bytes": MEGABYTES << 20, "patience": PATIENCE}
    request = json.dumps({"db": str(db), "sql": sql, **limits}).encode()
    command = [*RUN_MODULE, "dashboard.data.query_process"]
    try:
        process = subprocess.run(command, input=request, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise InvalidInput(
            f"stopped after {seconds:g} s: ask for less, or use the duckdb shell on a copy of the file"
        ) from None
    first_line, _, body = process.stdout.partition(b"\n")
    if process.returncode != 0 or not first_line:
        raise InvalidInput(STOPPED)
    try:
        return read_answer(json.loads(first_line), body)
    except ValueError:  # of JSON or Arrow: it was cut off
        raise InvalidInput(STOPPED) from None


def read_answer(header: dict[str, Any], body: bytes) -> tuple[pa.Table, bool]:
    """The rows of an answer, and whether there are more; raises what went wrong."""
    if header["error"] and header["holder"]:
        raise FileInUse(header["error"], header["holder"])
    if header["error"]:
        raise InvalidInput(header["error"])
    return pa.ipc.open_stream(body).read_all(), bool(header["more"])


def export_bytes(db: Path, table: str, file_type: str) -> bytes:
    """A table or view as `csv` or `parquet`, written by the command. Pages go on meanwhile, which they could
    not if it was written here: in one process DuckDB has a file open in one way at a time.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / f"{table}.{file_type}"
        command = [*RUN_MODULE, "boardgames", "export", table, "--output", str(output)]
        environment = {**os.environ, "BOARDGAMES_PATIENCE": str(PATIENCE)}
        process = subprocess.run(
            [*command, "--db", str(db)], env=environment, capture_output=True, text=True, check=False
        )
        if process.returncode:
            raise UnusableFile(process.stderr.strip() or f"the export ended with code {process.returncode}")
        return output.read_bytes()
