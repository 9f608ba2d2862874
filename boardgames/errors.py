"""Errors that a user can correct. Each says what is wrong, what exists and what to do next."""

import difflib
import shlex
from collections.abc import Iterable


class BoardgamesError(Exception):
    """The base of all errors that are told in a sentence. The command line prints it and exits with
    `exit_code`: 1 for stored matches that do not agree with their seed, 2 for bad input, 4 for a file or
    machine that is in use or gone.
    """

    exit_code = 2


class InvalidInput(BoardgamesError):
    """Something typed, or written in a file, cannot be used."""


class NotPlayable(BoardgamesError):
    """A variant cannot be played by this number of players, or with this mix of parameters."""


class PluginError(BoardgamesError):
    """A game, an agent or a metric that somebody wrote cannot be used."""


class NotTrusted(BoardgamesError):
    """A result file names something that would run code or read a file, and it was not typed here."""

    def __init__(self, name: str, reason: str, option: str = "--game", in_python: str = "") -> None:
        self.reason = reason
        self.option = f"{option} {shlex.quote(name)}"  # what to type to trust it
        advice = f"; in Python, {in_python}" if in_python else ""
        super().__init__(f"{name}: {self.in_words('add')}, if you trust it{advice}")

    def in_words(self, verb: str) -> str:
        """not installed: add `--game ./mine.py:MINE` to see it"""
        return f"{self.reason}: {verb} `{self.option}` to see it"


class RulesChanged(BoardgamesError):
    """The rules, the agents or the engine are not those of a stored match any more."""

    def __init__(self, change: str, can_be_ignored: bool = False) -> None:
        self.change = change
        self.can_be_ignored = can_be_ignored  # it can be played by today's rules
        super().__init__(f"{change}; --ignore-changes plays it by today's" if can_be_ignored else change)


class UnusableFile(BoardgamesError):
    """A file that cannot be read or written, or is not of the kind that it should be."""


class FileGone(UnusableFile):
    """A result file was removed or replaced, or has lost a run, while it was in use."""

    exit_code = 4


class FileInUse(BoardgamesError):
    """Another program, or another connection of this one, has the file open and did not close it in time."""

    exit_code = 4

    def __init__(self, message: str, process: int | None = None) -> None:
        self.process = process  # the id of the one that has it, if it is known
        super().__init__(message)


class DoesNotAgree(BoardgamesError):
    """Stored matches are not those that their seed gives."""

    exit_code = 1


class TooMuchUnstored(BoardgamesError):
    """More sums are missing in a result file than can be worked out while a reader waits."""


class OutOfMemory(BoardgamesError):
    """This machine, or what a limit leaves of it, has too little memory for what was asked."""

    exit_code = 4


class ClusterError(BoardgamesError):
    """The scheduler of a cluster, or all of its workers, cannot be reached."""

    exit_code = 4


MANY = 10  # names that are not listed where one of them is close


def make_unknown_error(kind: str, word: str, names: Iterable[str], advice: str = "") -> InvalidInput:
    """`no game 'keltos'; did you mean keltis? There are: celtae, celtica, keltis`"""
    names = sorted(names)
    word = str(word)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(close)}?" if close else "."
    existing = f"There {'is' if len(names) == 1 else 'are'}: {', '.join(names)}" if names else "There is none"
    if close and len(names) > MANY:
        existing = f"There are {len(names)}"
    return InvalidInput(f"no {kind} '{word}'{hint} {existing}{'. ' + advice if advice else ''}")
