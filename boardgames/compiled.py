"""Rule functions as machine code, kept on disk under names that carry the content they were made from.

Numba's own cache looks only at the time stamp of a function's file, so a changed helper in another file, or another game with
the same loop, would be served old code. Here each compiled function is named after the digest of all that it reaches, rules and
constants alike: other rules have another name, in the file and in the linker.
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.errors import NumbaError
from numba.core.event import Event, Listener, install_listener

from boardgames.errors import BadInput
from boardgames.rulecode import Function, NotARule, digest, reached
from boardgames.stopping import Stop, stoppable

KEEP_DAYS = 30
QUIET = "BOARDGAMES_QUIET"  # in the environment, so that processes started from here are quiet too


def cache_folder(game: str) -> Path:
    """Where a game's machine code is kept: $BOARDGAMES_CACHE, else the user's cache folder."""
    root = os.environ.get("BOARDGAMES_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boardgames"
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return Path(root) / f"numba{numba.__version__}-{python}" / game


def compiler(game: str) -> Callable[..., Any]:
    """What `rebind` finishes its copies with: compiles them when first called, or loads them from the game's folder.

    Most rules are called by other rules only: without the way in from Python a quarter of the compiler's work is saved. Such a
    function has another name, for it must never be loaded where Python calls it.
    """
    folder = cache_folder(game)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot keep machine code in {folder}: {error.strerror}; set BOARDGAMES_CACHE to another folder") from None

    def finish(copy: Function, original: Function, from_python: bool = True) -> Any:
        copy.__qualname__ = f"{original.__name__}_{_mark(original)}{'' if from_python else '_inner'}"
        wrappers: Any = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not from_python}
        with _caching_in(folder):
            return numba.njit(copy, cache=True, nogil=True, **wrappers)

    return finish


def _mark(original: Function) -> str:
    """Of what a function reaches: the content, and the modules, in which its machine code looks for it when it is loaded."""
    modules = sorted({rule.__module__ for rule in reached([original])})
    return hashlib.blake2b(" ".join([digest([original]), *modules]).encode(), digest_size=10).hexdigest()


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
def compiling(game: str, function: Any) -> Iterator[None]:
    """For the first call of a function: said, explained where it fails, and stopped only where the compiler can be stopped."""
    with _announced(game, function), _explained(game), stoppable() as stop, install_listener("numba:run_pass", _Stopper(stop)):
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
def _announced(game: str, function: Any) -> Iterator[None]:
    """Say on the terminal that a first compile is under way, and how long it took; old machine code is thrown away then."""
    if function.signatures or is_compiled(game, function):
        yield
        return
    started, quiet = time.perf_counter(), QUIET in os.environ
    if not quiet:
        print(f"compiling the rules of {game}, once ...", file=sys.stderr)
    yield
    if not quiet:
        print(f"compiled the rules of {game} in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    _discard_old(cache_folder(game))


@contextmanager
def _explained(game: str) -> Iterator[None]:
    """Tell what Numba could not compile as one sentence, with the place in the rules."""
    try:
        yield
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        places = [line for line in lines if line.startswith("File ") and "boardgames" not in line] or [lines[0]]
        told = next((line for line in lines if not line.startswith(("Failed", "During", "File"))), lines[0])
        raise NotARule(
            f"the rules of {game} do not compile: {told} ({places[0].rstrip(':')}). Run them plain to debug them."
        ) from error


def _discard_old(folder: Path) -> None:
    """Every edit of the rules leaves some machine code behind; what nobody made for a month is deleted."""
    oldest = time.time() - KEEP_DAYS * 86400
    for path in folder.rglob("*.nb[ic]"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
