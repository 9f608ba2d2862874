"""A cell whose deals are played with swapped chance."""

import functools
from dataclasses import dataclass

from boardgames.plan.cell import PlannedCell
from boardgames.play.batch import Runner
from boardgames.play.swaps import Swap, group_sources, list_single_sources, list_swaps, make_swap_rows


@dataclass(frozen=True)
class SwappedCell(PlannedCell):
    """The same variant, line-up and seed; a deal is played once for each swap instead of each seating."""

    @functools.cached_property
    def swaps(self) -> list[Swap]:
        return list_swaps(group_sources(list_single_sources(self.game, len(self.seatings))))

    @property
    def seating_count(self) -> int:
        """The matches of one deal."""
        return len(self.swaps)

    @functools.cached_property
    def runner(self) -> Runner:
        return super().runner._replace(swaps=make_swap_rows(self.game, self.swaps))

    def make_ordinary(self) -> PlannedCell:
        """The cell whose deals are played in every seating; it has the same id."""
        return PlannedCell(self.variant, self.line_up, self.seed)
