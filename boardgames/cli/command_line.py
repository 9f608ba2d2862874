"""The command as it was typed."""

import shlex
import sys
from collections.abc import Sequence


def format_command_line(*without: str, adding: Sequence[str] = ()) -> str:
    """The command as typed, without these options, and with further words. An option that ends with `=` goes
    with its value: `--minutes=` is `--minutes 5` or `--minutes=5`.
    """
    words: list[str] = []
    is_value = False
    for word in sys.argv[1:]:
        is_left_out = is_value or word in without or word.partition("=")[0] + "=" in without
        is_value = f"{word}=" in without and not is_value
        words += [] if is_left_out else [word]
    return shlex.join(["boardgames", *words, *adding])
