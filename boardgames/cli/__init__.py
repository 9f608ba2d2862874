"""The command line. Heavy imports stay inside the commands, so that `boardgames --help` answers at once.

A command is a function in one of these files, registered with the one app when its file is imported.
"""

import sys

from boardgames.cli import answers, games, people, playing, results, scale
from boardgames.cli.terminal import app
from boardgames.interrupt import press_again

__all__ = ["answers", "app", "games", "main", "people", "playing", "results", "scale"]


def main() -> None:
    sys.unraisablehook = press_again
    app()
