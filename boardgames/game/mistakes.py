"""A mistake in a game's functions, told in a sentence: the function, the file, the line, and the field that was probably meant."""

import difflib
import functools
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardgames.errors import BadInput
from boardgames.game.game import SPOKEN, Game
from boardgames.game.whole_numbers import NotWhole
from boardgames.rules.rulecode import is_platform_file, reached


class RuleFailed(BadInput):
    """A function of a game raised an error: says where, and what is wrong."""


@contextmanager
def explaining(game: Game) -> Iterator[None]:
    """Tell an error in one of the game's functions as a sentence; any other error stays what it is."""
    try:
        yield
    except BadInput:
        raise
    except Exception as error:
        if failing_line(game, error) is None:
            raise
        raise RuleFailed(f"the rules of {game.name} fail in {describe(game, error)}") from error


def describe(game: Game, error: Exception) -> str:
    """`hold (mine.py, line 70): there is no field 'thorwn'; did you mean state.thrown?`"""
    missing = re.match(r"'record' object has no attribute '(\w+)'", str(error))
    what = str(error) if isinstance(error, NotWhole) else f"{type(error).__name__}: {error}"
    line, what = failing_line(game, error), no_field(game, missing[1]) if missing else what
    return f"{line}: {what}" if line else what


def failing_line(game: Game, error: Exception) -> str | None:
    """The innermost line of the game's own files that the error went through."""
    files = own_files(game)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return place(frames[-1].name, frames[-1].filename, frames[-1].lineno or 0) if frames else None


@functools.lru_cache(maxsize=64)
def own_files(game: Game) -> frozenset[str]:
    """The files that a game's functions are written in, without the platform's."""
    spoken = [getattr(game, name) for name in SPOKEN]
    codes = [function.__code__ for function in reached(game.functions().values())]
    codes += [function.__code__ for function in spoken if hasattr(function, "__code__")]
    return frozenset(code.co_filename for code in codes if not is_platform_file(code.co_filename))


def place(function: str, file: str, line: int) -> str:
    """A line in words; the file as short as it can be named from here."""
    path, here = Path(file), Path.cwd()
    return f"{function} ({path.relative_to(here) if path.is_relative_to(here) else path}, line {line})"


def no_field(game: Game, name: str) -> str:
    """That a record has no such field, and which one was probably meant."""
    fields = {field: f"state.{field}" for field in game.state.names or () if field != "_"}
    rules = {field: f"state.rules.{field}" for field in game.rules.names or () if field != "_"}
    near = difflib.get_close_matches(name, [*fields, *rules], n=1, cutoff=0.5)
    hint = f"did you mean {(rules | fields)[near[0]]}?" if near else f"the game's fields are {', '.join(game.fields)}"
    return f"there is no field '{name}'; {hint}"
