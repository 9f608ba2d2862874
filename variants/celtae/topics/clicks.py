"""Which pieces of a drawing of Celtae an action concerns: each carries its number, so that a page can make it
clickable.
"""

from typing import Any, NamedTuple

import numpy as np

from variants.celtae import codes
from variants.celtae.legal import legal


class Clicks(NamedTuple):
    """The legal actions that pieces can carry."""

    actions: tuple[int, ...]

    def wrap(self, piece: str, *actions: int, target: str = "") -> str:
        """A piece, with the numbers of those of its actions that are legal, and then with a larger target."""
        numbers = " ".join(str(action) for action in actions if action in self.actions)
        return f'<g data-action="{numbers}">{piece}{target}</g>' if numbers else piece

    def list_between(self, first: int, end: int) -> list[int]:
        return [action for action in self.actions if first <= action < end]


NO_CLICKS = Clicks(())


def find_clicks(state: Any, viewer: int | None) -> Clicks:
    """The legal actions, if the viewer sees everything or is to act; else they would tell of a hand."""
    if state.end or viewer not in (None, state.actor):
        return NO_CLICKS
    row = np.zeros(codes.ACTIONS, np.int64)
    return Clicks(tuple(int(action) for action in row[: legal(state, row)]))


def list_swaps(given: int | None = None, taken: int | None = None) -> list[int]:
    """The swaps that give or take a worker of a kind."""
    return [
        codes.SWAP + swap
        for swap in range(codes.PLAIN_WORKERS * codes.PLAIN_WORKERS)
        if given in (None, swap // codes.PLAIN_WORKERS) and taken in (None, swap % codes.PLAIN_WORKERS)
    ]
