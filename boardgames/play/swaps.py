"""Matches with swapped chance: some sources of chance are those of a deal, the others those of its partner.

Each deal has a partner, an independent deal of its own. Swapping one source shows what this source does while
all else stays; swapping all but one shows what it does while nothing else stays. The estimates made of this
are those of Sobol's variance split ("pick and freeze"): analytics.stats.variance_split.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

from boardgames.game.game import Game

STREAM = "stream:"  # begins the name of a source that is a stream of the game
AGENTS = "agents"  # the agents' own chance: how they break ties, what they look at in a search
SEATING = "seating"  # which agent has which seat
ALL_STREAMS = "all streams"  # a source that stands for several

Swap = frozenset[str]  # the sources whose chance comes from the partner
Sources = Mapping[str, Swap]  # by name: what is swapped together


def list_single_sources(game: Game, seatings: int) -> list[str]:
    """The sources that can be swapped one by one: the streams, the agents' own chance, and the seating if
    there are several.
    """
    streams = [f"{STREAM}{name}" for name in game.streams]
    return [*streams, AGENTS, *([SEATING] if seatings > 1 else [])]


def group_sources(names: Sequence[str]) -> dict[str, Swap]:
    """Every source by itself, and all streams together if there are several."""
    streams = frozenset(name for name in names if name.startswith(STREAM))
    together = {ALL_STREAMS: streams} if len(streams) > 1 else {}
    return {name: frozenset({name}) for name in names} | together


def list_swaps(sources: Sources) -> list[Swap]:
    """The matches of a deal: nothing swapped, everything, and for each source this one alone and all but
    this one. Those that are the same are played once.
    """
    everything = frozenset[str]().union(*sources.values())
    swaps = [frozenset[str](), everything]
    for swapped in sources.values():
        swaps += [swapped, everything - swapped]
    return list(dict.fromkeys(swaps))


def make_swap_rows(game: Game, swaps: Sequence[Set[str]]) -> np.ndarray[Any, Any]:
    """The swaps as the engine reads them: a column for each stream, the agents' chance and the seating."""
    columns = [*(f"{STREAM}{name}" for name in game.streams), AGENTS, SEATING]
    return np.array([[name in swap for name in columns] for swap in swaps], np.int64)
