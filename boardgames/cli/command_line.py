"""The command as it was typed."""

import shlex
import sys


def format_command_line(without: str = "") -> str:
    """The command as typed, without one of its words."""
    return shlex.join(["boardgames", *(word for word in sys.argv[1:] if word != without)])
