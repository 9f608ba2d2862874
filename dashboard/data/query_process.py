"""The other side of the query box, in a process of its own, which can be killed:

    python -P -m dashboard.data.query_process

takes {"db", "sql", "rows", "bytes", "patience"} as JSON on its standard input and writes a line of JSON,
{"error", "holder"} or {"error", "more"}, then the rows as Arrow. Three walls: only one SELECT is taken at
all; DuckDB is sandboxed (no other file, no setting, no extension, read only); and the process has little
memory and time, and may write no file.
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from boardgames.errors import InvalidInput
from boardgames.store.connection import open_sandboxed

MEMORY = 3 << 30  # bytes of address space: machine code and Arrow reserve far more than they use
CPU = 60  # seconds, in case the parent is gone and cannot kill it
BATCH = 2048  # rows at a time
READ_ONLY = ("SELECT", "EXPLAIN")


def main() -> None:
    request: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    with open(silence_output(), "wb") as channel:
        answer(request, channel)


def silence_output() -> int:
    """Keep the standard output for the answer alone, under another descriptor: DuckDB can be asked to write
    its log there.
    """
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return channel


def answer(request: dict[str, Any], channel: BinaryIO) -> None:
    """Write what the query gives, or why it gives nothing."""
    confine()
    try:
        with open_sandboxed(Path(request["db"]), request["patience"]) as con:
            table, more = run_select(con, request["sql"], request["rows"], request["bytes"])
    except Exception as error:
        holder = getattr(error, "process", None)  # of the file, if it is in use
        message = str(error).strip()[:600] or type(error).__name__
        _write_header(channel, {"error": message, "holder": holder})
        return
    _write_header(channel, {"error": "", "more": more})
    with pa.ipc.new_stream(channel, table.schema) as out:
        out.write_table(table)


def _write_header(channel: BinaryIO, header: dict[str, Any]) -> None:
    channel.write(json.dumps(header).encode() + b"\n")


def confine() -> None:
    """Limit this process: no files, little memory, little time."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))


def run_select(con: Any, sql: str, rows: int, most_bytes: int) -> tuple[pa.Table, bool]:
    """At most this many rows and bytes, and whether there are more."""
    statement_types = [statement.type.name for statement in con.extract_statements(sql)]
    if len(statement_types) != 1 or statement_types[0] not in READ_ONLY:
        raise InvalidInput("one SELECT at a time, please: this box only reads")
    if statement_types[0] == "EXPLAIN":
        return pa.table({"plan": [row[1] for row in con.execute(sql).fetchall()]}), False
    return take_rows(con.sql(sql).limit(rows + 1).to_arrow_reader(BATCH), rows, most_bytes)


def take_rows(reader: pa.RecordBatchReader, rows: int, most_bytes: int) -> tuple[pa.Table, bool]:
    """The first rows of an answer, as many as fit, and whether there are more. The rest is not even made."""
    batches: list[pa.RecordBatch] = []
    for batch in reader:
        room = min(batch.num_rows, rows - sum(taken.num_rows for taken in batches))
        fitting = count_fitting(batch, room, most_bytes - sum(taken.nbytes for taken in batches))
        batches.append(batch.slice(0, fitting))
        if batch.num_rows and not any(taken.num_rows for taken in batches):
            limit = f"{most_bytes >> 20} MB"
            raise InvalidInput(f"one row is larger than {limit}: ask for fewer columns, or parts of texts")
        if fitting < batch.num_rows:
            return pa.Table.from_batches(batches, reader.schema), True
    return pa.Table.from_batches(batches, reader.schema), False


def count_fitting(batch: pa.RecordBatch, rows: int, most_bytes: int) -> int:
    """How many of the first rows have at most this many bytes."""
    low, high = 0, rows
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if batch.slice(0, middle).nbytes <= most_bytes else (low, middle - 1)
    return low


if __name__ == "__main__":
    main()
