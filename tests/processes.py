"""Commands in processes of their own: interrupted as a person does it, or served on a port."""

import signal
import socket
import subprocess
import time
from pathlib import Path

from boardgames import BadInput, matches


def interrupt(process: subprocess.Popen[str], path: Path) -> str:
    """What a command says when Ctrl-C comes after its first matches were stored."""
    wait_until_stored(process, path)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)  # a shell says 130 for both
    assert "Traceback" not in told
    return told


def wait_until_stored(process: subprocess.Popen[str], path: Path) -> None:
    """Until its first matches are in the file, or it has ended."""
    while process.poll() is None and (not path.exists() or _stored(path) == 0):
        time.sleep(0.2)


def _stored(path: Path) -> int:
    """A file that is being made has no tables yet, which is told as a file that is not ours."""
    try:
        return matches(path, "SELECT count(*) AS n FROM match").to_pylist()[0]["n"]
    except BadInput:
        return 0


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
