"""Commands in processes of their own: interrupted as a person does it, or served on a port."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from boardgames import query
from boardgames.errors import BoardgamesError

ROOT = Path(__file__).parents[2]
HANGS = 900  # seconds after which a process that should end is taken to hang, on the slowest machine


@contextmanager
def serve_dashboard(db: Path, *words: str, **environment: str) -> Iterator[int]:
    """`boardgames dashboard` on a file, as the command starts it; the port that it answers on."""
    port = find_free_port()
    command = [sys.executable, "-m", "boardgames", "dashboard", "--db", str(db), "--port", str(port)]
    server = subprocess.Popen(
        [*command, "--no-open", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert wait_until_healthy(server), "the dashboard has ended"
        yield port
    finally:
        server.terminate()
        server.communicate(timeout=HANGS)
        PRINTED.pop(port, None)


PRINTED: dict[int, str] = {}  # the address of each dashboard that runs, with its key, by port


def get_address_with_key(port: int) -> str:
    """The address that a dashboard printed when it started."""
    return PRINTED[port]


HOLD = (
    "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'reads');"
    " print('open', flush=True); sys.stdin.read()"
)


@contextmanager
def hold_open(db: Path, how: str = "writes") -> Iterator[subprocess.Popen[str]]:
    """Another process has the file: it `reads` or `writes`."""
    command = [sys.executable, "-c", HOLD, str(db), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        yield holder
        holder.communicate()


def interrupt(process: subprocess.Popen[str], db: Path) -> str:
    """What a command says when Ctrl-C comes after its first matches were stored."""
    wait_until_stored(process, db)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANGS)
    assert process.returncode in (130, -signal.SIGINT)  # a shell says 130 for both
    assert "Traceback" not in errors
    return errors


def wait_until_stored(process: subprocess.Popen[str], db: Path, cells: int = 1) -> None:
    """Until matches of this many cells are in the file, or it has ended."""
    while process.poll() is None and (not db.exists() or _count_cells(db) < cells):
        time.sleep(0.1)


def _count_cells(db: Path) -> int:
    """A file that is being made has no tables yet, which is told as a file that is not ours."""
    try:
        return query(db, "SELECT count(DISTINCT cell_id) AS n FROM match").to_pylist()[0]["n"]
    except BoardgamesError:
        return 0


def wait_until_reading(process: subprocess.Popen[str]) -> None:
    """Until it waits for what is typed into its pipe; Linux tells what a process waits for."""
    waits_for = Path(f"/proc/{process.pid}/wchan")
    while "pipe" not in waits_for.read_text():
        assert process.poll() is None
        time.sleep(0.01)


def wait_until_healthy(process: subprocess.Popen[str]) -> bool:
    """Whether a dashboard answers by the address that it prints, however long it takes to start; False if it
    ended before.
    """
    assert process.stdout is not None
    found = re.search(r"http://\S+:(\d+)/\S*", process.stdout.readline())
    if not found:
        return False
    PRINTED[int(found[1])] = found[0]
    health = urlsplit(found[0])._replace(path="/_stcore/health").geturl()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    while process.poll() is None:
        try:
            return bool(opener.open(health, timeout=HANGS).read() == b"ok")
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.1)
    return False


def find_free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
