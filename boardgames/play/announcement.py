"""One line on stderr when rules are compiled: once per command and game, with the time that it took last time.

The times lie beside the machine code, one for each game and each mix of kinds of agents.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

TIMES = "compile_seconds.json"
QUIET = "BOARDGAMES_QUIET"  # in the environment, so that processes started from here are quiet too

_announced: set[str] = set()  # games of which this process has said so


@contextmanager
def announce_compiling(game: str, agents: str, folder: Path) -> Iterator[None]:
    """Say that a game's rules are compiled, for these kinds of agents, and remember in `folder` how long it took."""
    if QUIET not in os.environ and game not in _announced:
        print(_sentence(game, read_times(folder).get(agents)), file=sys.stderr, flush=True)
        _announced.add(game)
    started = time.perf_counter()
    yield
    _write_times(folder, {**read_times(folder), agents: time.perf_counter() - started})


def _sentence(game: str, seconds: float | None) -> str:
    last = "" if seconds is None else f" ({seconds:.{0 if seconds >= 9.5 else 1}f} s last time)"
    return f"Compiling the rules of {game}{last} ..."


def read_times(folder: Path) -> dict[str, float]:
    """Seconds by kinds of agents; nothing where nothing was compiled, or where the file is no longer whole."""
    try:
        times = json.loads((folder / TIMES).read_text())
        return {str(agents): float(seconds) for agents, seconds in times.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write_times(folder: Path, times: Mapping[str, float]) -> None:
    """At one go, so that another process never reads half of it. A time that cannot be kept stops nobody."""
    draft = folder / f"{TIMES}.{os.getpid()}"
    try:
        draft.write_text(json.dumps({agents: round(seconds, 2) for agents, seconds in times.items()}))
        draft.replace(folder / TIMES)
    except OSError:
        draft.unlink(missing_ok=True)
