"""Which public fields have a row per seat, where the game does not say."""

import numpy as np

from boardgames.game.game import Game
from boardgames.game.variant import Variant
from boardgames.train.collect import survey_positions


def find_seat_fields(variant: Variant, seed: int, workers: int) -> frozenset[str]:
    """The public fields whose first dimension is the seat: as declared, else as play shows. A game for one
    player count shows nothing: all rows are in play.
    """
    game = variant.game
    undeclared = _list_undeclared(game)
    declared = {name for name, field in game.fields.items() if field.by_seat}
    fewest = min(game.player_counts)
    if not undeclared or fewest == game.most_players:
        return frozenset(declared)
    states = survey_positions(variant, fewest, seed, workers).states
    return frozenset(declared | {name for name in undeclared if _has_idle_rows(states[name], fewest)})


def _list_undeclared(game: Game) -> list[str]:
    return [
        name
        for name, field in game.fields.items()
        if field.visibility == "public" and field.by_seat is None and field.shape[:1] == (game.most_players,)
    ]


def _has_idle_rows(rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]], players: int) -> bool:
    """Whether the rows of those who play change, and the others never do."""
    changes = (rows != rows[:1]).reshape(*rows.shape[:2], -1).any(axis=(0, 2))
    return bool(changes[:players].all() and not changes[players:].any())
