"""Player counts as people write them: `3`, `2-4` or `2,4`, in Python also as numbers."""

from collections.abc import Sequence

import numpy as np

from boardgames.errors import InvalidInput
from boardgames.game.game import LIMITS, MAX_PLAYERS

Players = int | str | Sequence[int]  # player counts as people write them: 3, "2-4", "2,4", [2, 4]


def parse_player_counts(players: Players) -> list[int]:
    """`3`, `2-4`, `2,4` -> the player counts, in order; none for an empty text."""
    text = format_players(players)
    counts: set[int] = set()
    try:
        for part in text.split(",") if text else ():
            low, dash, high = part.partition("-")
            counts |= _expand_range(int(low), int(high if dash else low))
    except ValueError:
        raise InvalidInput(f"players '{text}': write 3, 2-4 or 2,4; {LIMITS}") from None
    return sorted(counts)


def find_player_count(players: Players) -> int:
    """The one player count of a match."""
    counts = parse_player_counts(players)
    if len(counts) != 1:
        raise InvalidInput(f"players '{format_players(players)}': a match has one player count, such as 2")
    return counts[0]


def format_players(players: Players) -> str:
    """Player counts as a text; what is no such text is refused when it is parsed."""
    if isinstance(players, str):
        return players
    if isinstance(players, np.ndarray):
        players = players.ravel().tolist()
    return ",".join(map(str, players)) if isinstance(players, Sequence) else str(players)


def _expand_range(low: int, high: int) -> set[int]:
    """A range is looked at before it is spelled out: a long one would fill the memory. One wrong count is the
    game's to refuse.
    """
    if not 0 <= low <= high <= low + MAX_PLAYERS:
        raise ValueError
    return set(range(low, high + 1))
