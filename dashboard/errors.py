"""Errors in the words of a page: what to type is meant for the terminal that starts the dashboard."""

from boardgames.errors import BoardgamesError, FileInUse, NotTrusted
from dashboard.data.simulations import is_own_simulation

START_HINT = "start the dashboard with"


def describe_error(error: BoardgamesError) -> str:
    """The error's message; a command to type is meant for the terminal that starts the dashboard. A
    simulation that a page has started is no stranger.
    """
    if isinstance(error, FileInUse) and is_own_simulation(error.process):
        return "Your simulation is storing matches"
    return error.in_words(START_HINT) if isinstance(error, NotTrusted) else str(error)


def describe_failure(error: BoardgamesError) -> str:
    """Why what the reader has asked for was not done, and what to do where a file is in use."""
    text = describe_error(error)
    return f"{text}. Try again in a moment." if isinstance(error, FileInUse) else text
