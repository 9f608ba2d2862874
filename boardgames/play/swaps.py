"""Matches with swapped chance: some sources of chance are those of a deal, the others those of its partner.

Each deal has a partner, an independent deal of its own. The sources are swapped one after the other, in an
order that is drawn for each deal, until all are the partner's; and likewise from the partner to the deal.
So every swap of a source is seen in two matches that have nothing in common:

    deal: a b c   A b c   A B c          partner: A B C   a B C   a b C

From this `analytics.stats.variance_split` works out what each source decides.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgames.game.game import Game
from boardgames.play.engine import make_deal_key
from boardgames.rules.chance import fold, random_number

STREAM = "stream:"  # begins the name of a source that is a stream of the game
AGENTS = "agents"  # the agents' own chance: how they break ties, what they look at in a search
SEATING = "seating"  # which agent has which seat
ALL_STREAMS = "all streams"  # all sources that are streams

ORDER_STREAM = 0x02DE2  # keeps the order of swaps apart from all other chance
Array = np.ndarray[Any, Any]


class SwapDesign(NamedTuple):
    """How deals are played with swapped chance. A mask has a bit for each source that is the partner's."""

    sources: tuple[str, ...]
    width: int  # of the engine's rows: the streams, the agents, the seating
    seed: int
    players: int

    @property
    def matches_per_deal(self) -> int:
        return count_mixes(self.sources)

    def make_masks(self, first: int, deals: int) -> Array:
        """The masks of each deal, in the order of `list_masks`."""
        orders = [self._draw_order(deal) for deal in range(first, first + deals)]
        return np.array([list_masks(self.sources, order) for order in orders], np.int64).reshape(
            deals, self.matches_per_deal
        )

    def make_rows(self, first: int, deals: int) -> Array:
        """By deal, match and column: whether the chance is the partner's."""
        masks = self.make_masks(first, deals)
        rows = np.zeros((*masks.shape, self.width), np.int64)
        for source in range(len(self.sources)):
            rows[:, :, source] = masks >> source & 1
        return rows

    def _draw_order(self, deal: int) -> list[int]:
        """The order in which the sources of a deal are swapped, all orders equally likely."""
        key = fold(make_deal_key(self.seed, self.players, deal), ORDER_STREAM)
        order = list(range(len(self.sources)))
        for last in range(len(order) - 1, 0, -1):
            other = random_number(key, last, last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def make_swap_design(game: Game, seatings: int, seed: int, players: int) -> SwapDesign:
    """The sources of a game are its streams, the agents' own chance, and the seating if there are several."""
    streams = [f"{STREAM}{name}" for name in game.streams]
    sources = [*streams, AGENTS, *([SEATING] if seatings > 1 else [])]
    return SwapDesign(tuple(sources), len(streams) + 2, seed, players)


def count_mixes(sources: tuple[str, ...]) -> int:
    """The matches of a deal: both walks, and two for all streams together if there are several."""
    return 2 * len(sources) + 2 * has_several_streams(sources)


def has_several_streams(sources: tuple[str, ...]) -> bool:
    return sum(source.startswith(STREAM) for source in sources) > 1


def list_masks(sources: tuple[str, ...], order: list[int]) -> list[int]:
    """The masks of a deal's matches: the walk from the deal, the walk from the partner, and all streams
    swapped alone and all else. The n-th of the second walk is the opposite of the n-th of the first.
    """
    everything = (1 << len(sources)) - 1
    walk = [0]
    for source in order[:-1]:
        walk.append(walk[-1] | 1 << source)
    masks = [*walk, *(everything ^ mask for mask in walk)]
    if has_several_streams(sources):
        streams = sum(1 << index for index, name in enumerate(sources) if name.startswith(STREAM))
        masks += [streams, everything ^ streams]
    return masks
