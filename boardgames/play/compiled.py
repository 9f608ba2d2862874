"""Rule functions as machine code, kept on disk under names that carry the content they were made from.

Numba's own cache looks only at the time stamp of a function's file, so a changed helper in another file, or another game with
the same loop, would be served old code. Here each compiled function is named after the digest of all that it reaches, rules and
constants alike: other rules have another name, in the file and in the linker.
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
from numba.core.errors import NumbaError
from numba.core.event import Event, Listener, install_listener

from boardgames.agents import scratch
from boardgames.errors import BadInput
from boardgames.game.game import Game
from boardgames.game.mistakes import no_field, place
from boardgames.interrupt import Stop, stoppable
from boardgames.play.announcement import announce_compiling
from boardgames.rules.machine_code import compile_all, compile_ordinary, is_ordinary
from boardgames.rules.rulecode import Function, NotARule, call_each_other, digest, reached, rebind

KEEP_DAYS = 30


def cache_folder(game: str) -> Path:
    """Where a game's machine code is kept: $BOARDGAMES_CACHE, else the user's cache folder."""
    root = os.environ.get("BOARDGAMES_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boardgames"
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return Path(root) / f"numba{numba.__version__}-{python}" / game


def compile_rules(game: str, roots: Sequence[Function], stays_plain: Callable[[Function], bool]) -> dict[Function, Any]:
    """Roots that Python calls, compiled when first called or loaded from the game's folder: {root: machine code}.

    Numba compiles in its ordinary way where some function stays plain, because it asks an agent written in Python and may call any
    other, and where rules call each other in a circle.
    """
    folder = _make_folder(game)
    in_circle = call_each_other(roots)  # never kept: what Numba loads of such rules calls functions that are not there

    def finish(copy: Function, rule: Function) -> Any:
        return copy if stays_plain(rule) else _compile_ordinary(_name(copy, rule), folder, keep=not in_circle)

    if is_ordinary() or any(map(stays_plain, roots)) or in_circle:
        return rebind(roots, finish=finish)
    with _caching_in(folder):
        return compile_all(roots, _mark, folder)


def _name(copy: Function, rule: Function) -> Function:
    copy.__qualname__ = f"{rule.__name__}_{_mark(rule)}"
    return copy


def _compile_ordinary(function: Function, folder: Path, keep: bool) -> Any:
    with _caching_in(folder):
        return compile_ordinary(function, keep)


def _make_folder(game: str) -> Path:
    folder = cache_folder(game)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot keep machine code in {folder}: {error.strerror}; set BOARDGAMES_CACHE to another folder") from None
    return folder


def _mark(original: Function) -> str:
    """Of all that machine code depends on: what a function reaches, the modules in which the code looks for it when it is loaded,
    and the order of the scratch memory, which Numba's own cache does not look at."""
    modules = sorted({rule.__module__ for rule in reached([original])})
    text = " ".join([digest([original]), *modules, *scratch.Desk._fields])
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


@contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    settings: Any = numba.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def is_compiled(game: str, function: Any) -> bool:
    """Whether a compiled function lies ready on disk and its file has not been touched since."""
    code = function.py_func.__code__
    written = [path.stat().st_mtime for path in cache_folder(game).rglob(f"*{function.py_func.__qualname__}*.nbi")]
    return bool(written) and max(written) >= os.stat(code.co_filename).st_mtime


@contextmanager
def compiling(game: Game, function: Any, agents: str) -> Iterator[None]:
    """For the first call of a function: said, explained where it fails, and stopped only where the compiler can be stopped."""
    with (
        _announce(game.name, function, agents),
        _explain_errors(game),
        stoppable() as stop,
        install_listener("numba:run_pass", _Stopper(stop)),
    ):
        yield


class _Stopper(Listener):
    """Ends compiling between two of its passes: breaking into one of them can crash it."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def on_start(self, event: Event) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt

    def on_end(self, event: Event) -> None:
        pass


@contextmanager
def _announce(game: str, function: Any, agents: str) -> Iterator[None]:
    """Say that a first compile is under way; old machine code is thrown away then."""
    if function.signatures or is_compiled(game, function):
        yield
        return
    with announce_compiling(game, agents, cache_folder(game)):
        yield
    _discard_old(cache_folder(game))


@contextmanager
def _explain_errors(game: Game) -> Iterator[None]:
    """Tell what cannot be compiled as one sentence, with the place in the rules."""
    try:
        yield
    except KeyError as error:  # what Numba raises for a field that a record does not have
        line = _line_with(game, error.args[0])
        if not line:
            raise
        raise NotARule(f"the rules of {game.name} do not compile: {line}: {no_field(game, error.args[0])}") from error
    except NumbaError as error:
        raise NotARule(f"the rules of {game.name} do not compile: {_sentence(game, str(error))}") from error


def _line_with(game: Game, field: object) -> str:
    """The first line of the rules that reads or writes a field of this name."""
    for function in reached(game.functions().values()):
        for step in dis.get_instructions(function):
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR") and step.argval == field and step.positions:
                return place(function.__name__, function.__code__.co_filename, step.positions.lineno or 0)
    return ""


def _sentence(game: Game, page: str) -> str:
    """What a page of Numba's says: the innermost place that is not the platform's, and the reason."""
    lines = [line.strip() for line in page.splitlines() if line.strip()]
    reasons = [line for line in lines if not line.startswith(("Failed", "During", "File", "Use of unsupported"))] or lines
    reason = reasons[0].removesuffix(":")
    if reason.endswith("found for signature") and len(reasons) > 1:
        reason = f"there is no {reasons[1].removeprefix('>>> ')}"
    reason = re.sub(r"Record\(.*;(True|False)\)", "record", reason)  # else it lists every field of the state
    for file, line in re.findall(r" at (.+) \((\d+)\)", page):
        for function in reached(game.functions().values()):
            code = function.__code__
            if code.co_filename == file and int(line) in {at for _, _, at in code.co_lines()}:
                return f"{place(function.__name__, file, int(line))}: {reason}"
    return reason


def _discard_old(folder: Path) -> None:
    """Every edit of the rules leaves some machine code behind; what nobody made for a month is deleted."""
    oldest = time.time() - KEEP_DAYS * 86400
    for path in (*folder.rglob("*.nb[ic]"), *folder.rglob("*.piece")):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
