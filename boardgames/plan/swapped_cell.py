"""A cell whose deals are played with swapped chance."""

import functools
from dataclasses import dataclass

from boardgames.errors import InvalidInput
from boardgames.plan.cell import PlannedCell
from boardgames.play.batch import Runner, has_unrepeatable
from boardgames.play.swaps import SwapDesign, make_swap_design


@dataclass(frozen=True)
class SwappedCell(PlannedCell):
    """The same variant, line-up and seed; a deal is played with other mixes of chance instead of in every
    seating.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if has_unrepeatable([agent.agent_type for agent in self.line_up]):
            raise InvalidInput(
                f"{self.format_line_up()} may choose otherwise when a deal is played again, which hides what "
                "the luck decides: mark the agent with mark_deterministic, or name another one"
            )

    @functools.cached_property
    def swaps(self) -> SwapDesign:
        return make_swap_design(self.game, len(self.seatings), self.seed, self.players)

    @property
    def seating_count(self) -> int:
        """The matches of one deal."""
        return self.swaps.matches_per_deal

    @functools.cached_property
    def runner(self) -> Runner:
        return super().runner._replace(swaps=self.swaps)

    @property
    def has_ordinary_matches(self) -> bool:
        """Whether a deal has one seating, so that its match without a swap is that of an ordinary run."""
        return len(self.seatings) == 1

    def make_ordinary(self) -> PlannedCell:
        """The cell whose deals are played in every seating; it has the same id."""
        return PlannedCell(self.variant, self.line_up, self.seed)
