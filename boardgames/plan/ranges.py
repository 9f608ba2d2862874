"""Ranges of deals: (first, count)."""

from collections.abc import Sequence


def find_gaps(done: Sequence[tuple[int, int]], deals: int) -> list[tuple[int, int]]:
    """The ranges (first, count) of 0 .. deals - 1 that are not in `done`."""
    missing = []
    position = 0
    for first, count in sorted(done):
        if first > position:
            missing.append((position, min(first, deals) - position))
        position = max(position, first + count)
    missing.append((position, deals - position))
    return [(first, count) for first, count in missing if count > 0]


def intersect_ranges(a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges of deals that lie in both."""
    last = max((first + count for first, count in [*a, *b]), default=0)
    missing = [*find_gaps(a, last), *find_gaps(b, last)]
    return find_gaps(missing, last)
