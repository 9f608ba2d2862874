"""Arrays that are played part by part and kept in a folder: a later start goes on behind the last one."""

import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.files import replace_file

Array = np.ndarray[Any, Any]
PORTION_SECONDS = 10.0  # so much is lost at most when a training is killed


def collect_kept(
    folder: Path | None, collect: Callable[[int], Generator[Array, None, None]]
) -> Generator[tuple[Array, bool], None, None]:
    """All parts in their order, each with whether it is new: first those in a folder, then those that
    `collect` plays from a number on. What is new is added to the folder, also when an error or Ctrl-C ends
    it. Without a folder nothing is kept.
    """
    number = 0
    for path in sorted(folder.glob("*.npz")) if folder else ():
        for part in _load_portion(path):
            yield part, False
            number += 1
    fresh: list[Array] = []
    saved, parts = time.monotonic(), collect(number)
    try:
        for part in parts:
            fresh.append(part)
            if folder and time.monotonic() - saved >= PORTION_SECONDS:
                _save_portion(folder, number, fresh)
                number, fresh, saved = number + len(fresh), [], time.monotonic()
            yield part, True
    finally:
        if folder and fresh:
            _save_portion(folder, number, fresh)
        parts.close()


def _save_portion(folder: Path, number: int, parts: Sequence[Array]) -> None:
    """Write parts to a file that is named after the number of the first one."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_file(folder / f"{number:08}.npz") as file_part, file_part.open("wb") as file:
        np.savez(file, numbers=np.concatenate(parts), ends=np.cumsum([len(part) for part in parts]))


def _load_portion(path: Path) -> list[Array]:
    with np.load(path) as arrays:
        return np.split(arrays["numbers"], arrays["ends"][:-1])
