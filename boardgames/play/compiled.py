"""Rule functions as machine code, stored on disk under names that identify their content.

Numba's own cache looks only at the time stamp of a function's file, so a changed helper in another file, or
another game with the same loop, would be served old code. Here each compiled function is named after the
digest of all that it reaches, rules and constants alike: other rules have another name, in the file and in
the linker.
"""

import dis
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.event import Event, Listener, install_listener

from boardgames.agents import net, scratch
from boardgames.errors import BoardgamesError, OutOfMemory, UnusableFile
from boardgames.game.game import Game
from boardgames.game.mistakes import describe_missing_field, format_location
from boardgames.interrupt import StopRequest, catch_interrupt
from boardgames.play import engine
from boardgames.play.announcement import announce_compiling
from boardgames.rules.machine_code import compile_all, compile_with_numba, is_numba_only
from boardgames.rules.rulecode import (
    Function,
    NotARule,
    digest_rules,
    has_mutual_recursion,
    reachable_rules,
    rebind,
)

KEEP_DAYS = 30


def find_cache_folder(game: str) -> Path:
    """The folder of a game's machine code: in $BOARDGAMES_CACHE, else in the user's cache folder."""
    root = (
        os.environ.get("BOARDGAMES_CACHE")
        or Path(os.environ.get("XDG_CACHE_HOME") or _find_home() / ".cache") / "boardgames"
    )
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return Path(root) / f"numba{numba.__version__}-{python}" / game


def _find_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without an entry, as in a container
        raise UnusableFile(
            "this user has no home folder to keep machine code in: set BOARDGAMES_CACHE to a folder"
        ) from None


def compile_rules(
    game: str, roots: Sequence[Function], stays_python: Callable[[Function], bool]
) -> dict[Function, Any]:
    """Machine code of the roots that Python calls, compiled when first called or loaded from the game's
    folder.

    Numba alone compiles if some function stays in Python, because it asks an agent written in Python and may
    call any other, or if rules call each other in a circle.
    """
    folder = _make_folder(game)
    # never stored: what Numba loads of such rules calls functions that do not exist
    in_circle = has_mutual_recursion(roots)

    def finish(copy: Function, rule: Function) -> Any:
        return (
            copy
            if stays_python(rule)
            else _compile_with_numba(_name_copy(copy, rule), folder, keep=not in_circle)
        )

    if is_numba_only() or any(map(stays_python, roots)) or in_circle:
        return rebind(roots, finish=finish)
    with _cache_in(folder):
        return compile_all(roots, _digest_dependencies, folder)


def _name_copy(copy: Function, rule: Function) -> Function:
    copy.__qualname__ = f"{rule.__name__}_{_digest_dependencies(rule)}"
    return copy


def _compile_with_numba(function: Function, folder: Path, keep: bool) -> Any:
    with _cache_in(folder):
        return compile_with_numba(function, keep)


def _make_folder(game: str) -> Path:
    folder = find_cache_folder(game)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableFile(
            f"cannot keep machine code in {folder}: {error.strerror}; set BOARDGAMES_CACHE to another folder"
        ) from None
    return folder


def _digest_dependencies(original: Function) -> str:
    """A digest of all that machine code depends on: the function with its callees, the modules in which the
    loaded code looks for them, and the names and fields of the bundles it is given. Numba's cache looks a
    bundle up by its name and ignores the order of its fields.
    """
    modules = sorted({rule.__module__ for rule in reachable_rules([original])})
    bundles = (scratch.Scratch, net.NetMemory, engine.Setting, engine.MatchRows)
    fields = [f"{bundle.__module__}.{bundle.__qualname__} {' '.join(bundle._fields)}" for bundle in bundles]
    text = " ".join([digest_rules([original]), *modules, *fields])
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    settings: Any = numba.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def is_cached(game: str, function: Any) -> bool:
    """Whether a compiled function is on disk and its source file has not changed since."""
    code = function.py_func.__code__
    times = [
        path.stat().st_mtime
        for path in find_cache_folder(game).rglob(f"*{function.py_func.__qualname__}*.nbi")
    ]
    return bool(times) and max(times) >= os.stat(code.co_filename).st_mtime


@contextmanager
def watch_compiling(game: Game, function: Any, agents: str) -> Iterator[None]:
    """Around the first call of a function: announce compiling, explain errors, and let Ctrl-C stop it only
    between two passes of the compiler.
    """
    with (
        _announce(game.name, function, agents),
        _explain_errors(game),
        catch_interrupt() as stop,
        install_listener("numba:run_pass", _Stopper(stop)),
    ):
        yield


class _Stopper(Listener):
    """Stops the compiler between two of its passes: interrupting a pass can crash it."""

    def __init__(self, stop: StopRequest) -> None:
        self.stop = stop

    def on_start(self, event: Event) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt

    def on_end(self, event: Event) -> None:
        pass


@contextmanager
def _announce(game: str, function: Any, agents: str) -> Iterator[None]:
    """Announce the first compilation, and discard old machine code after it."""
    if function.signatures or is_cached(game, function):
        yield
        return
    with announce_compiling(game, agents, find_cache_folder(game)):
        yield
    _discard_old(find_cache_folder(game))


@contextmanager
def _explain_errors(game: Game) -> Iterator[None]:
    """Turn an error of the compiler into one sentence with the line of the rules."""
    try:
        yield
    except KeyError as error:  # what Numba raises for a field that a record does not have
        line = _find_line_with(game, error.args[0])
        if not line:
            raise
        raise NotARule(
            f"the rules of {game.name} do not compile: {line}: {describe_missing_field(game, error.args[0])}"
        ) from error
    except (BoardgamesError, OSError):
        raise
    except (MemoryError, SystemError) as error:  # the second is what C code raises that got no memory
        raise OutOfMemory(
            f"there is too little memory to compile the rules of {game.name}: end other programs,"
            " or raise the limit (`ulimit -v`)"
        ) from error
    except Exception as error:  # NumbaError, or any other where Numba itself fails
        page = str(error) or type(error).__name__
        raise NotARule(f"the rules of {game.name} do not compile: {_summarise_error(game, page)}") from error


def _find_line_with(game: Game, field: object) -> str:
    """The first line of the rules that reads or writes a field of this name; "" if there is none."""
    for function in reachable_rules(game.functions().values()):
        for step in dis.get_instructions(function):
            if (
                step.opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
                and step.argval == field
                and step.positions
            ):
                return format_location(
                    function.__name__, function.__code__.co_filename, step.positions.lineno or 0
                )
    return ""


def _summarise_error(game: Game, page: str) -> str:
    """A page of Numba's as a sentence: the innermost line that is not the platform's, and the reason."""
    page = re.sub(r"\x1b\[\d*m", "", page)  # where colorama is installed, Numba writes in colours
    lines = [line.strip() for line in page.splitlines() if line.strip()]
    reasons = [
        line for line in lines if not line.startswith(("Failed", "During", "File", "Use of unsupported"))
    ] or lines
    reason = reasons[0].removesuffix(":")
    if reason.endswith("found for signature") and len(reasons) > 1:
        reason = f"there is no {reasons[1].removeprefix('>>> ')}"
    reason = re.sub(r"Record\(.*;(True|False)\)", "record", reason)  # else it lists every field of the state
    for file, line in re.findall(r" at (.+) \((\d+)\)", page):
        for function in reachable_rules(game.functions().values()):
            code = function.__code__
            if code.co_filename == file and int(line) in {at for _, _, at in code.co_lines()}:
                return f"{format_location(function.__name__, file, int(line))}: {reason}"
    return reason


def _discard_old(folder: Path) -> None:
    """Delete machine code that has not been used for a month: every edit of the rules leaves some behind."""
    oldest = time.time() - KEEP_DAYS * 86400
    for path in (*folder.rglob("*.nb[ic]"), *folder.rglob("*.piece")):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
