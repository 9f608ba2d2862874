"""`watch`: check a game again at every save of its files. Each check is a process of its own, so that it sees what was saved."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardgames.game.plugins import OWN_VARIANTS, find_file

PAUSE = 0.2  # seconds between two looks at the files
KINDS = (".py", ".toml")  # rules and boards
SHOW_CURSOR = "\x1b[?25h"

Tell = Callable[[str], None]
Stamps = dict[Path, tuple[int, int]]  # when each file was saved, and its size


def watch_game(spec: str, options: Sequence[str], quiet: bool, tell: Tell) -> None:
    """Check the game, wait for a save, check it again, until somebody stops it. A save during a check begins it anew."""
    file = find_file(spec)
    command = [sys.executable, "-m", "boardgames", *(["--quiet"] if quiet else []), "check", spec, *options]
    while True:
        before = stamp_files(file)
        check = subprocess.Popen(command, process_group=0)  # Ctrl-C is for this process, which then ends that one
        try:
            changed = _wait_for_save(file, before, check, tell)
        finally:
            _end(check)
        tell(f"{' and '.join(changed)} changed")


def stamp_files(file: Path) -> Stamps:
    """The files that a game may be made of: those beside its own, in a package also those in folders below."""
    found = file.parent.rglob("*") if file.name == "__init__.py" else file.parent.glob("*")
    stamps = {}
    for path in [*found, OWN_VARIANTS]:
        try:
            saved = path.stat()
        except OSError:  # it is being replaced right now
            continue
        if path.suffix in KINDS:
            stamps[path.resolve()] = saved.st_mtime_ns, saved.st_size
    return stamps


def _wait_for_save(file: Path, before: Stamps, check: "subprocess.Popen[Any]", tell: Tell) -> list[str]:
    """The names of the files that were saved, as soon as they lie still: an editor may save in several steps."""
    is_running, seen = True, before
    while True:
        time.sleep(PAUSE)
        now = stamp_files(file)
        if now != before and now == seen:
            return sorted({path.name for path in {*now, *before} if now.get(path) != before.get(path)})
        seen = now
        if is_running and check.poll() is not None:
            is_running = False
            tell(f"watching the {len(before)} files in {file.parent}; Ctrl-C ends")


def _end(check: "subprocess.Popen[Any]") -> None:
    """End a check that is still on, with the processes that it has started."""
    if check.poll() is None:
        os.killpg(check.pid, signal.SIGTERM)
        if sys.stderr.isatty():
            sys.stderr.write(f"{SHOW_CURSOR}\n")  # the check had hidden it
    check.wait()
