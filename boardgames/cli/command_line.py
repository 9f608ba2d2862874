"""Command lines to show: the one that was typed, and those that come next."""

import importlib.util
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path


def format_command_line(*without: str, adding: Sequence[str] = ()) -> str:
    """The command as typed, without these options, and with further words. An option that ends with `=` goes
    with its value: `--minutes=` is `--minutes 5` or `--minutes=5`.
    """
    words: list[str] = []
    is_value = False
    for word in sys.argv[1:]:
        is_left_out = is_value or word in without or word.partition("=")[0] + "=" in without
        is_value = f"{word}=" in without and not is_value
        words += [] if is_left_out else [word]
    return shlex.join(["boardgames", *words, *adding])


def format_python() -> str:
    """What to type for the Python that runs this: `python` if that is the one, else its path."""
    found = shutil.which("python")
    is_same = found is not None and Path(found).parent == Path(sys.executable).parent
    return "python" if is_same else shlex.quote(sys.executable)


def format_program() -> str:
    """What to type for this program: `boardgames` if the one on the path belongs to this Python."""
    found = shutil.which("boardgames")
    is_same = found is not None and Path(found).parent == Path(sys.executable).parent
    return "boardgames" if is_same else f"{format_python()} -m boardgames"


def format_install(folder: str) -> str:
    """What to type to install a package in a folder, so that edits of its files count at once."""
    install = f"install --no-build-isolation --editable {shlex.quote(folder)}"
    if importlib.util.find_spec("pip"):
        return f"{format_python()} -m pip {install}"
    return f"uv pip {install} --python {shlex.quote(sys.executable)}"
