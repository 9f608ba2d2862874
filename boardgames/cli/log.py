"""What libraries log is shown as lines on stderr."""

import logging

import typer

LIBRARIES = ("boardgames", "analytics", "dashboard")


class LineHandler(logging.Handler):
    """Shows a record as one line: warnings after the program's name, what is going on without it."""

    def emit(self, record: logging.LogRecord) -> None:
        start = "boardgames: " if record.levelno >= logging.WARNING else ""
        typer.echo(f"{start}{record.getMessage()}", err=True)


def show_log() -> None:
    """From now on, show what the libraries log."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        if not any(isinstance(handler, LineHandler) for handler in logger.handlers):
            logger.addHandler(LineHandler())
