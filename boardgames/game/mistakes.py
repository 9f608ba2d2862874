"""A mistake in a game's functions, in a sentence: the function, the file, the line, and the field that was
probably meant.
"""

import difflib
import functools
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.errors import BoardgamesError, PluginError
from boardgames.game.game import OTHER_FUNCTIONS, Game
from boardgames.game.whole_numbers import NotWhole
from boardgames.rules.rulecode import is_platform_file, reachable_rules


class RuleFailed(PluginError):
    """A function of a game raised an error: says where, and what is wrong."""


@contextmanager
def explain_errors(game: Game) -> Iterator[None]:
    """Turn an error in one of the game's functions into a sentence; other errors pass unchanged."""
    try:
        yield
    except BoardgamesError:
        raise
    except Exception as error:
        if find_failing_line(game, error) is None:
            raise
        raise RuleFailed(f"the rules of {game.name} fail in {describe_error(game, error)}") from error


def describe_error(game: Game, error: Exception) -> str:
    """`hold (mine.py, line 70): there is no field 'thorwn'; did you mean state.thrown?`"""
    missing = re.match(r"'record' object has no attribute '(\w+)'", str(error))
    message = str(error) if isinstance(error, NotWhole) else f"{type(error).__name__}: {error}"
    if missing:
        message = describe_missing_field(game, missing[1])
    line = find_failing_line(game, error)
    return f"{line}: {message}" if line else message


def find_failing_line(game: Game, error: Exception) -> str | None:
    """The innermost line of the game's own files in the traceback; None if there is none."""
    files = list_own_files(game)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return format_location(frames[-1].name, frames[-1].filename, frames[-1].lineno or 0) if frames else None


@functools.lru_cache(maxsize=64)
def list_own_files(game: Game) -> frozenset[str]:
    """The files that a game's functions are written in, without the platform's."""
    spoken = [getattr(game, name) for name in OTHER_FUNCTIONS]
    codes = [function.__code__ for function in reachable_rules(game.functions().values())]
    codes += [function.__code__ for function in spoken if hasattr(function, "__code__")]
    return frozenset(code.co_filename for code in codes if not is_platform_file(code.co_filename))


def check_count(game: Game, count: Any) -> int:
    """The number of legal actions that `legal` returned. Raises RuleFailed if it is no whole number."""
    if isinstance(count, int | np.integer):
        return int(count)
    code = game.legal.__code__
    where = format_location(code.co_name, code.co_filename, code.co_firstlineno)
    raise RuleFailed(
        f"the rules of {game.name} fail in {where}: it returned {count}, and the number of legal actions is a"
        " whole number"
    )


def format_location(function: str, file: str, line: int) -> str:
    """`hold (mine.py, line 70)`, with the file relative to the current folder if it is inside."""
    path = Path(file)
    folder = Path.cwd()
    return f"{function} ({path.relative_to(folder) if path.is_relative_to(folder) else path}, line {line})"


def describe_missing_field(game: Game, name: str) -> str:
    """A sentence: the record has no such field, and which one was probably meant."""
    fields = {field: f"state.{field}" for field in game.state.names or () if field != "_"}
    rules = {field: f"state.rules.{field}" for field in game.rules.names or () if field != "_"}
    close = difflib.get_close_matches(name, [*fields, *rules], n=1, cutoff=0.5)
    hint = (
        f"did you mean {(rules | fields)[close[0]]}?"
        if close
        else f"the game's fields are {', '.join(game.fields)}"
    )
    return f"there is no field '{name}'; {hint}"
