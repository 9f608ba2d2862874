"""The command line. Heavy imports stay inside the commands, so that `boardgames --help` answers at once.

A command is a function in the file of its group, registered with the one app when its file is imported.
"""

import io
import sys

import typer

from boardgames.cli import ask, play, results, scale, your_game
from boardgames.cli.app import app
from boardgames.cli.packages import find_hidden_package
from boardgames.interrupt import resend_interrupt

__all__ = ["app", "ask", "main", "play", "results", "scale", "your_game"]


def main() -> None:
    sys.unraisablehook = resend_interrupt
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a terminal without a letter of an answer shows ? in its place
        sys.stdout.reconfigure(errors="replace")
    if problem := find_hidden_package():
        typer.echo(f"boardgames: {problem}", err=True)
        sys.exit(2)
    app()
