"""Keltis, what may be done: which card may be played, which figure may move, where a card may be drawn. A §
names the section of RULES.md.
"""

from boardgames import rule
from variants.keltis import codes


@rule
def legal(state, actions):
    """§2.1. First play one card, then draw one; between them the figures move."""
    if state.phase == codes.PLAY:
        return ways_to_play(state, actions)
    if state.phase == codes.DRAW:
        return ways_to_draw(state, actions)
    if state.phase == codes.CLOVER:
        return ways_to_step(
            state, actions, codes.BY_CLOVER, state.rules.clover_enters, state.rules.clover_optional
        )
    return ways_to_step(state, actions, codes.INSTEAD, state.rules.substitute_enters, 1)


@rule
def ways_to_play(state, actions):
    """§2.2 and §2.3. Any card can be discarded; one that follows its column can be laid."""
    me, n, before = state.turn_owner, 0, -1
    hand, rows, follows = state.hand[me], state.row[me], int(state.fits[me])
    waiting, closing = find_waiting_figures(state), find_closing_row(state)
    for index in range(state.held[me]):
        card = int(hand[index])
        if card != before:  # a second copy is no other choice
            before = card
            actions[n] = codes.DISCARD + card
            row, may = int(rows[card // codes.VALUES]), (follows >> card) & 1
            n = write_moves(row, waiting, closing, may, actions, n + 1, codes.LAY + card, codes.CARDS)
    return n


@rule
def write_moves(row, waiting, closing, may, actions, n, first, stride):
    """§2.4 and §2.5. The figure on the path; if there is none, a small one or the large one.

    What may not be is written and not counted: a branch that depends on luck costs more.
    """
    if row > 0:
        actions[n] = first + (codes.LAST if row == closing else codes.ADVANCE) * stride
        return n + may
    actions[n] = first + codes.SMALL * stride
    n += may & waiting
    actions[n] = first + codes.LARGE * stride
    return n + (may & (waiting >> 1))


@rule
def find_waiting_figures(state):
    """§2.5. What can enter a path: 1 for a small figure, and 2 for the large one."""
    return int(state.small[state.turn_owner] > 0) + 2 * int(state.large[state.turn_owner] == codes.WAITING)


@rule
def find_closing_row(state):
    """§4.1. The row from which a step ends the match, if only one figure is missing in the goal area; else
    none.
    """
    rules = state.rules
    return int(rules.goal_row) - 1 if state.in_goal + 1 == rules.figures_to_end else codes.NOWHERE


@rule
def ways_to_step(state, actions, first, may_enter, may_decline):
    """§2.6 and §3.2. Any figure on a path short of its end; where the variant says so, one from the start
    stone as well.
    """
    n, rows = 0, state.row[state.turn_owner]
    waiting, closing = find_waiting_figures(state), find_closing_row(state)
    for path in range(codes.PATHS):
        n = write_moves(
            int(rows[path]),
            waiting,
            closing,
            can_step(rows[path], may_enter),
            actions,
            n,
            first + path,
            codes.PATHS,
        )
    actions[n] = first + codes.NOBODY * codes.PATHS
    return n + int(may_decline)


@rule
def can_step(row, may_enter):
    """§2.5. 1 for yes. A path without a figure always finds one at the start: there are as many figures as
    paths.
    """
    return int((row < codes.END_STONE) & ((row > 0) | (may_enter > 0)))


@rule
def can_any_step(state, may_enter):
    rows, n = state.row[state.turn_owner], 0
    for path in range(codes.PATHS):
        n += can_step(rows[path], may_enter)
    return n > 0


@rule
def ways_to_draw(state, actions):
    """§2.7. The draw pile, or the uppermost card of a discard pile; not the card discarded just now."""
    actions[0] = codes.FROM_DECK if state.left > 1 else codes.LAST_FROM_DECK
    barred = -1 if state.rules.redraw else state.discarded - 1
    n, heights = 1, state.height
    for path in range(codes.PATHS):
        actions[n] = codes.FROM_PILE + path
        n += int((heights[path] > 0) & (path != barred))
    return n
