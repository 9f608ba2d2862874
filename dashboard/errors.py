"""Errors in the words of a page: what to type is meant for the terminal that starts the dashboard."""

from boardgames.errors import BoardgamesError, NotTrusted

START_HINT = "start the dashboard with"


def describe_error(error: BoardgamesError) -> str:
    """The error's message; a command to type is meant for the terminal that starts the dashboard."""
    return error.in_words(START_HINT) if isinstance(error, NotTrusted) else str(error)
