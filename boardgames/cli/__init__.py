"""The command line. Heavy imports stay inside the commands, so that `boardgames --help` answers at once.

A command is a function in the file of its group, registered with the one app when its file is imported.
"""

import sys

from boardgames.cli import ask, play, results, scale, your_game
from boardgames.cli.app import app
from boardgames.interrupt import resend_interrupt

__all__ = ["app", "ask", "main", "play", "results", "scale", "your_game"]


def main() -> None:
    sys.unraisablehook = resend_interrupt
    app()
