"""What environments share: their names, the size of a seed that is drawn, and what they need."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from boardgames.game.player_counts import Players, find_player_count
from boardgames.game.variant import Variant

SEED_BITS = 61
NOT_BEGUN = "there is no match yet: call reset() first"


@contextmanager
def explain_missing(extra: str) -> Iterator[None]:
    """Say what to install where an import fails in the `with` body."""
    try:
        yield
    except ModuleNotFoundError as error:
        advice = f"python -m pip install 'boardgames[{extra}]'"
        message = f"boardgames.environments.{extra} needs {error.name}, which is not installed: {advice}"
        raise ModuleNotFoundError(message, name=error.name) from None


def find_players(variant: Variant, players: Players | None) -> int:
    """The player count of an environment: the fewest that the variant is for, unless said."""
    count = min(variant.game.player_counts) if players is None else find_player_count(players)
    variant.make_blank_state(count)  # refuses a player count that it is not for
    return count


def name_environment(variant: Variant) -> str:
    """`celtica:en` -> `celtica_en_v0`"""
    return re.sub(r"[^a-z0-9]+", "_", variant.name.lower()).strip("_") + "_v0"
