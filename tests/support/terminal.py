"""A command in a real (pseudo-)terminal: what a person sees there, and keys that they press."""

import os
import pty
import re
import subprocess
import sys
import termios

from tests.support.processes import HANGS, ROOT

# the terminal becomes the one that Ctrl-C is pressed in
TAKE_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv({0!r}, {1!r})"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
CTRL_C = "\x03"


class PseudoTerminal:
    """`boardgames` with these words; `text` is all that it has written so far."""

    def __init__(self, *words: object, columns: int = 100, lines: int = 40) -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (lines, columns))
        command = [sys.executable, "-m", "boardgames", *map(str, words)]
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL.format(sys.executable, command)],
            cwd=ROOT,
            env={**environment, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""

    def wait_for(self, words: str) -> None:
        """Read until it has written this."""
        while words not in self.text:
            assert self._read(), f"it ended without '{words}': {self.text}"

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def wait(self) -> int:
        """Read to the end; returns the exit code."""
        while self._read():
            pass
        os.close(self.master)
        return self.process.wait(HANGS)

    def _read(self) -> bool:
        try:
            written = os.read(self.master, 1 << 16)
        except OSError:  # how Linux says that nobody writes any more
            return False
        self.text += written.decode(errors="replace")
        return bool(written)


def list_shown_lines(text: str) -> list[str]:
    """The lines of a text without its control sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n").split("\n")
