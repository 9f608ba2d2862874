"""Simulations that a page has started: the same command as on the command line, in a process of its own."""

import atexit
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import streamlit as st

from boardgames.errors import FileInUse
from boardgames.store.connection import get_connection, open_for_reading
from dashboard.data.cache import cache_until_changed
from dashboard.data.requests import CommandRequest

# -P: a module that lies in the current folder, beside a stranger's file, is not taken for one of ours
RUN_MODULE = (sys.executable, "-P", "-m")
LOG_BYTES = 1 << 20  # of the log that are read


@dataclass(kw_only=True)
class RunningSimulation:
    """A simulation that this page has started."""

    command: list[str]
    process: subprocess.Popen[bytes]
    log: IO[bytes]
    request: CommandRequest | None = None
    cells: dict[int, int] = field(default_factory=dict)  # matches to be stored, by cell
    before: int = 0  # matches of the file when it began
    began: float = field(default_factory=time.monotonic)
    stopped: bool = False
    stored: int = 0  # matches, when they were last counted

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Stop it like Ctrl-C: what is finished is stored."""
        if self.is_running:
            self.stopped = True
            self.process.send_signal(signal.SIGINT)

    def read_output(self) -> str:
        """The end of what the process has written. It shares its position in the log with us: `pread` does
        not move it.
        """
        size = os.fstat(self.log.fileno()).st_size
        output = os.pread(self.log.fileno(), LOG_BYTES, max(0, size - LOG_BYTES))
        return output.decode(errors="replace").strip()

    def count_stored(self, db: Path) -> int:
        """The matches in the file; those of the last count while the simulation itself has the file."""
        if db.exists():
            with suppress(FileInUse):  # storing may take longer than a page waits
                self.stored = count_stored(db, tuple(self.cells))
        return self.stored


@st.cache_resource
def get_simulations() -> dict[str, RunningSimulation]:
    """The simulations of this server by result file: one at a time, whoever looks."""
    return {}


def find_running(db: Path) -> RunningSimulation | None:
    """The simulation that has been started for this file and has not ended."""
    running = get_simulations().get(str(db))
    return running if running and running.is_running else None


def is_own_simulation(process: int | None) -> bool:
    """Whether this server has started the process with this id, as a simulation that goes on."""
    return any(own.is_running and own.process.pid == process for own in list(get_simulations().values()))


def start_simulation(db: Path, request: CommandRequest) -> RunningSimulation:
    """Check what is asked for as the command line would, then play it there. What a page names is never
    imported.
    """
    cells = request.count_matches()
    arguments = request.list_arguments(db)
    before = count_stored(db, ()) if db.exists() else 0
    log = tempfile.TemporaryFile()  # noqa: SIM115 - the child writes into it for as long as it runs
    command = [*RUN_MODULE, "boardgames", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    running = RunningSimulation(
        command=["boardgames", *arguments],
        process=process,
        log=log,
        request=request,
        cells=cells,
        before=before,
    )
    get_simulations()[str(db)] = running
    atexit.register(running.stop)  # it does not outlive the dashboard
    return running


@cache_until_changed
def count_stored(db: Path, cells: tuple[int, ...]) -> int:
    """The stored matches of these cells; of all if none is named."""
    query = "SELECT coalesce(sum(matches), 0) FROM batch WHERE list_contains($1, cell_id) OR len($1) = 0"
    with open_for_reading(db) as session:
        return int(get_connection(session).execute(query, [list(cells)]).fetchone()[0])
