"""The other side of the query box, in a process of its own, which can be killed:

    python -m dashboard.data.query_process

takes {"file", "sql", "rows"} as JSON on its standard input and writes a line of JSON, then the rows as Arrow, or what was wrong.
Three walls: only one SELECT is taken at all; DuckDB is sealed (no other file, no setting, no extension, read only); and the
process has little memory and time, and may write no file.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from boardgames.errors import BadInput
from boardgames.store.connection import sealed

MEMORY = 3 << 30  # bytes of address space: machine code and Arrow reserve far more than they use
CPU = 60  # seconds, in case nobody is left to kill it
PATIENCE = 5.0
READ_ONLY = ("SELECT", "EXPLAIN")


def main() -> None:
    question: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    confine()
    try:
        table, more = answer(Path(question["file"]), question["sql"], question["rows"])
    except Exception as error:
        _say({"wrong": str(error).strip()[:600] or type(error).__name__})
        return
    _say({"wrong": "", "more": more})
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as out:
        out.write_table(table)


def _say(told: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n")


def confine() -> None:
    """No file is written, whatever happens, and neither memory nor time run out for others."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))


def answer(file: Path, sql: str, rows: int) -> tuple[pa.Table, bool]:
    """At most so many rows, and whether there are more."""
    with sealed(file, PATIENCE) as con:
        kinds = [statement.type.name for statement in con.extract_statements(sql)]
        if len(kinds) != 1 or kinds[0] not in READ_ONLY:
            raise BadInput("one SELECT at a time, please: this box only reads")
        if kinds[0] == "EXPLAIN":
            return pa.table({"plan": [row[1] for row in con.execute(sql).fetchall()]}), False
        table = con.sql(sql).limit(rows + 1).to_arrow_table()
    return table.slice(0, rows), len(table) > rows


if __name__ == "__main__":
    main()
