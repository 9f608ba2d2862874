"""`watch`: check a game again at every save of its files. Each check is a new process, which loads the saved
files.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardgames.game.plugins import OWN_VARIANTS, find_game_file

PAUSE = 0.2  # seconds between two looks at the files
KINDS = (".py", ".toml")  # rules and boards
SHOW_CURSOR = "\x1b[?25h"

OnProgress = Callable[[str], None]
Stamps = dict[Path, tuple[int, int]]  # when each file was saved, and its size


def watch_game(spec: str, options: Sequence[str], quiet: bool, on_progress: OnProgress) -> None:
    """Check the game, wait for a save, check it again, until Ctrl-C. A save during a check restarts it."""
    file = find_game_file(spec)
    command = [sys.executable, "-m", "boardgames", *(["--quiet"] if quiet else []), "check", spec, *options]
    while True:
        before = stamp_files(file)
        # Its own process group: Ctrl-C reaches this process, which then ends the check.
        check = subprocess.Popen(command, process_group=0)
        try:
            changed = _wait_for_save(file, before, check, on_progress)
        finally:
            _end_check(check)
        on_progress(f"{' and '.join(changed)} changed")


def stamp_files(file: Path) -> Stamps:
    """The stamps of all files that a game may consist of: those beside its own, in a package also those in
    subfolders.
    """
    paths = file.parent.rglob("*") if file.name == "__init__.py" else file.parent.glob("*")
    stamps = {}
    for path in [*paths, OWN_VARIANTS]:
        try:
            stat = path.stat()
        except OSError:  # it is being replaced right now
            continue
        if path.suffix in KINDS:
            stamps[path.resolve()] = stat.st_mtime_ns, stat.st_size
    return stamps


def _wait_for_save(
    file: Path, before: Stamps, check: "subprocess.Popen[Any]", on_progress: OnProgress
) -> list[str]:
    """The names of the saved files, once they no longer change: an editor may save in several steps."""
    is_running = True
    previous = before
    while True:
        time.sleep(PAUSE)
        now = stamp_files(file)
        if now != before and now == previous:
            return sorted({path.name for path in {*now, *before} if now.get(path) != before.get(path)})
        previous = now
        if is_running and check.poll() is not None:
            is_running = False
            on_progress(f"watching the {len(before)} files in {file.parent}; Ctrl-C ends")


def _end_check(check: "subprocess.Popen[Any]") -> None:
    """End a check that is still running, with the processes that it has started."""
    if check.poll() is None:
        os.killpg(check.pid, signal.SIGTERM)
        if sys.stderr.isatty():
            sys.stderr.write(f"{SHOW_CURSOR}\n")  # the check had hidden it
    check.wait()
