"""Commit into a copy of a file, once for each write that the commit makes, and be killed in that write.

Called with a result file and a folder; `torn_writes.c` must be preloaded. Leaves a file 1.duckdb,
2.duckdb ... for each write, and whole.duckdb after all of them.
"""

import ctypes
import os
import shutil
import sys
from pathlib import Path

from boardgames.store.connection import get_connection, open_for_writing

SHIM = ctypes.CDLL(None)
ADD_ROWS = "INSERT INTO match BY NAME SELECT * REPLACE (deal + 1000000 AS deal) FROM match"


def add_rows(db: Path, write_to_tear: int) -> None:
    with open_for_writing(db) as session:
        ctypes.c_int.in_dll(SHIM, "writes").value = 0
        ctypes.c_int.in_dll(SHIM, "write_to_tear").value = write_to_tear
        get_connection(session).execute(ADD_ROWS)


def is_killed(db: Path, write_to_tear: int) -> bool:
    child = os.fork()
    if child == 0:
        add_rows(db, write_to_tear)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(whole: Path, folder: Path) -> None:
    number = 1
    while is_killed(shutil.copy(whole, folder / f"{number}.duckdb"), number):
        number += 1
    (folder / f"{number}.duckdb").rename(folder / "whole.duckdb")


main(Path(sys.argv[1]), Path(sys.argv[2]))
