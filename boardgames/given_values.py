"""Numbers and files that are handed to Python functions: taken as what they stand for, or refused in a
sentence.
"""

import errno
import math
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.errors import InvalidInput, UnusableFile

MOST_DIGITS = 18  # of a number that anybody means


def is_whole_number(value: Any) -> bool:
    """Whether it is a whole number, Python's or NumPy's; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def read_digits(text: str) -> int | None:
    """The number that a text of digits is; None for any other text. Python reads no endless numbers."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def to_python(value: Any) -> Any:
    """A whole number of NumPy as Python's; anything else as it is."""
    return int(value) if isinstance(value, np.integer) else value


def read_whole_number(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """The whole number of an argument, which has bounds."""
    if is_whole_number(value) and least <= value and (most is None or value <= most):
        return int(value)
    bounds = f"from {least:,}" if most is None else f"from {least:,} to {most:,}"
    raise InvalidInput(f"{name}={value!r}: write a whole number {bounds}")


def read_positive_number(name: str, value: Any) -> float:
    """The number of an argument, which is above 0 and has an end."""
    is_number = isinstance(value, float | np.floating) or is_whole_number(value)
    if not is_number or not 0 < value < math.inf:
        raise InvalidInput(f"{name}={value!r}: write a number above 0")
    return float(value)


def read_path(name: str, value: Any, example: str = "boardgames.duckdb") -> Path:
    """The file that an argument names."""
    if not isinstance(value, str | os.PathLike):
        raise InvalidInput(f"{name}={value!r}: name a file, {name}='{example}'")
    path = Path(value)
    with suppress(ValueError):  # of a name with a zero byte, which is told where the file is opened
        try:
            path.exists()
        except OSError as error:  # the system takes no such name
            is_long = error.errno == errno.ENAMETOOLONG
            reason = "the name is too long; choose a shorter one" if is_long else error.strerror
            raise UnusableFile(f"cannot use {path}: {reason}") from None
    return path
