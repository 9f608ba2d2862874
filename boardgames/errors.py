"""What goes wrong by a user's hand, in words: what was wrong, what exists, what to do next."""

import difflib
from collections.abc import Iterable


class BadInput(Exception):
    """Something typed or loaded cannot be used. The command line prints the sentence and exits with this code."""

    exit_code = 2


class FileInUse(BadInput):
    """Another program has the file open and did not close it in time."""

    exit_code = 4


class ClusterGone(BadInput):
    """The scheduler of a cluster, or all of its workers, cannot be reached."""

    exit_code = 4


def unknown(kind: str, word: str, known: Iterable[str], do: str = "") -> BadInput:
    """`no game 'keltos'; did you mean keltis? There are: celtae, celtica, keltis`"""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    there = f"There {'is' if len(names) == 1 else 'are'}: {', '.join(names)}" if names else "There is none"
    return BadInput(f"no {kind} '{word}'{hint} {there}{'. ' + do if do else ''}")
