"""A query that somebody typed is asked in a process of its own, which is killed when it takes too long."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa

from boardgames.errors import BadInput
from dashboard.data.file import READS

SECONDS = 10.0
ROWS = 10_000


def ask(file: Path, sql: str, seconds: float = SECONDS, rows: int = ROWS) -> tuple[pa.Table, bool]:
    """The answer, and whether it was cut after so many rows."""
    question = json.dumps({"file": str(file), "sql": sql, "rows": rows}).encode()
    command = [sys.executable, "-m", "dashboard.data.query_process"]
    with READS:  # like every read of the pages: a running simulation finds its gap
        try:
            done = subprocess.run(command, input=question, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            raise BadInput(f"stopped after {seconds:g} s: ask for less, or use the duckdb shell on a copy of the file") from None
    head, _, body = done.stdout.partition(b"\n")
    if done.returncode != 0 or not head:
        raise BadInput("the query was stopped: it took more memory or time than a page may")
    told = json.loads(head)
    if told["wrong"]:
        raise BadInput(told["wrong"])
    return pa.ipc.open_stream(body).read_all(), bool(told["more"])
