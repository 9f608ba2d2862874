"""A query that a person typed runs in a process of its own, which is killed when it takes too long."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa

from boardgames.errors import InvalidInput

SECONDS = 10.0
ROWS = 10_000
MEGABYTES = 16  # of an answer: few rows may hold long texts


def run_query(db: Path, sql: str, seconds: float = SECONDS, rows: int = ROWS) -> tuple[pa.Table, bool]:
    """At most `rows` rows of the answer, and of these as many as are small enough; and whether there are
    more. Pages go on meanwhile: several processes may read a file.
    """
    request = json.dumps({"db": str(db), "sql": sql, "rows": rows, "bytes": MEGABYTES << 20}).encode()
    command = [sys.executable, "-m", "dashboard.data.query_process"]
    try:
        process = subprocess.run(command, input=request, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise InvalidInput(
            f"stopped after {seconds:g} s: ask for less, or use the duckdb shell on a copy of the file"
        ) from None
    first_line, _, body = process.stdout.partition(b"\n")
    if process.returncode != 0 or not first_line:
        raise InvalidInput("the query was stopped: it took more memory or time than a page may")
    header = json.loads(first_line)
    if header["error"]:
        raise InvalidInput(header["error"])
    return pa.ipc.open_stream(body).read_all(), bool(header["more"])
