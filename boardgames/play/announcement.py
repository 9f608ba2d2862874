"""One line in the log when rules are compiled: once per command and game, with the time it took last time.
The command line shows it.

The times are stored beside the machine code, one for each game and mix of agent types.
"""

import json
import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

LOG = logging.getLogger(__name__)
TIMES = "compile_seconds.json"
QUIET = "BOARDGAMES_QUIET"  # in the environment, so that processes started from here are quiet too

_announced: set[str] = set()  # games that this process has announced


@contextmanager
def announce_compiling(game: str, agents: str, folder: Path) -> Iterator[None]:
    """Announce that a game's rules are compiled for these agent types, and store in `folder` how long it
    took.
    """
    if QUIET not in os.environ and game not in _announced:
        LOG.info(_format_announcement(game, read_times(folder).get(agents)))
        _announced.add(game)
    started = time.perf_counter()
    yield
    _write_times(folder, {**read_times(folder), agents: time.perf_counter() - started})


def _format_announcement(game: str, seconds: float | None) -> str:
    last = "" if seconds is None else f" ({seconds:.{0 if seconds >= 9.5 else 1}f} s last time)"
    return f"Compiling the rules of {game}{last} ..."


def read_times(folder: Path) -> dict[str, float]:
    """Seconds by agent types; empty if nothing was compiled or the file is damaged."""
    try:
        times = json.loads((folder / TIMES).read_text())
        return {str(agents): float(seconds) for agents, seconds in times.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write_times(folder: Path, times: Mapping[str, float]) -> None:
    """Write at one go, so that another process never reads half of it. A failure is ignored."""
    draft = folder / f"{TIMES}.{os.getpid()}"
    try:
        draft.write_text(json.dumps({agents: round(seconds, 2) for agents, seconds in times.items()}))
        draft.replace(folder / TIMES)
    except OSError:
        draft.unlink(missing_ok=True)
