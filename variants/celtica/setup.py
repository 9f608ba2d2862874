"""Celtica, the table before the first turn. A § is a section of RULES.md."""

from boardgames import begin_turn, draw, rule
from variants.celtica import codes
from variants.celtica.topics.pieces import deal, fill_display


@rule
def setup(state):
    """§2.1, §2.2. All druids are on the start, which is place 0."""
    lay_out(state)
    open_parts(state)
    deal(state)
    begin_turn(state, 0)


@rule
def lay_out(state):
    """§1.2, §1.3. All cards and parts lie ready, face down."""
    for colour in range(codes.COLOURS):
        state.druid_deck[colour] = codes.DRUID_COPIES
        state.experience_deck[colour] = codes.EXPERIENCE_COPIES
    for kind in range(codes.KINDS):
        state.stock[kind] = codes.PART_COPIES


@rule
def open_parts(state):
    """§2.1. First the display, then the parts that the players begin with, one by one in turn."""
    fill_display(state)
    for already in range(codes.MAX_STARTING_PARTS):
        for seat in range(state.players):
            if already < state.rules.starting_parts[seat]:
                state.parts[seat, draw(state, codes.STOCK, state.stock)] += 1
