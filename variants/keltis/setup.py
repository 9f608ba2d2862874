"""Keltis, the table before the first turn. A § names the section of RULES.md."""

from boardgames import begin_turn, rule
from variants.keltis import codes
from variants.keltis.topics import cards, tiles


@rule
def setup(state):
    """§1.3 and §1.5. All figures are on the start stone; seat 1 begins."""
    for seat in range(state.players):
        state.small[seat] = codes.SMALL_FIGURES if state.rules.large_figure > 1 else codes.SMALL_FIGURES + 1
        state.large[seat] = codes.WAITING if state.rules.large_figure > 1 else codes.NO_LARGE
    tiles.lay_out(state)
    cards.deal(state)
    begin_turn(state, 0)
