"""What libraries log is shown as lines on stderr."""

import logging
import sys

import typer

from boardgames.printable import escape_unprintable

LIBRARIES = ("boardgames", "analytics", "dashboard")


class LineHandler(logging.Handler):
    """Shows a record as one line: warnings after the program's name, what is going on without it."""

    def emit(self, record: logging.LogRecord) -> None:
        start = "boardgames: " if record.levelno >= logging.WARNING else ""
        # by name, so that a line goes above a table that is shown in place: `err=True` would bypass that
        message = escape_unprintable(record.getMessage(), keep="\n")
        typer.echo(f"{start}{message}", file=sys.stderr)


def show_log() -> None:
    """From now on, show what the libraries log."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        if not any(isinstance(handler, LineHandler) for handler in logger.handlers):
            logger.addHandler(LineHandler())
