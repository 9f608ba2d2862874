"""Keltis, what comes of an action: a card is played, figures move, tiles act, a card is drawn. A § names the
section of RULES.md.
"""

from boardgames import begin_turn, next_seat, rule
from variants.keltis import codes
from variants.keltis.legal import can_any_step
from variants.keltis.topics import cards, tiles


@rule
def apply(state, action):
    if action < codes.LAY:
        discard(state, action - codes.DISCARD)
    elif action < codes.BY_CLOVER:
        lay(state, (action - codes.LAY) % codes.CARDS, (action - codes.LAY) // codes.CARDS)
    elif action < codes.INSTEAD:
        follow_clover(
            state, (action - codes.BY_CLOVER) % codes.PATHS, (action - codes.BY_CLOVER) // codes.PATHS
        )
    elif action < codes.FROM_DECK:
        step_instead(state, (action - codes.INSTEAD) % codes.PATHS, (action - codes.INSTEAD) // codes.PATHS)
    else:
        draw_card(state, action)


@rule
def discard(state, card):
    """§2.2. Unused."""
    cards.put_on_pile(state, state.turn_owner, card)
    state.tally[state.turn_owner, codes.DISCARDS] += 1
    state.discarded = 1 + card // codes.VALUES
    state.phase = codes.DRAW


@rule
def lay(state, card, way):
    """§2.3. Into the column of its colour; then a figure moves."""
    me, path = state.turn_owner, card // codes.VALUES
    cards.lay_in_column(state, me, card)
    state.tally[me, codes.LAYS] += 1
    if state.row[me, path] < codes.END_STONE:
        move(state, path, way)
    else:  # §2.6: another figure may move instead, if there is one
        state.phase = codes.SUBSTITUTE if can_any_step(state, state.rules.substitute_enters) else codes.DRAW


@rule
def follow_clover(state, path, way):
    """§3.2. One stone forward, which may lead to another clover."""
    if way == codes.NOBODY:
        state.phase = codes.DRAW
        return
    state.tally[state.turn_owner, codes.CLOVERS_USED] += 1
    move(state, path, way)
    if state.phase == codes.CLOVER and state.end == 0:
        state.tally[state.turn_owner, codes.CHAINED] += 1


@rule
def step_instead(state, path, way):
    """§2.6. Another figure moves, or none."""
    if way == codes.NOBODY:
        state.phase = codes.DRAW
        return
    state.tally[state.turn_owner, codes.SUBSTITUTES] += 1
    move(state, path, way)


@rule
def move(state, path, way):
    """§2.4 and §4.1. One stone forward; the last figure that is needed in the goal area ends the match before
    its tile acts.
    """
    rows = state.row[state.turn_owner]
    if rows[path] == 0:
        bring_in(state, path, way)
    rows[path] += 1
    state.in_goal += rows[path] == state.rules.goal_row
    if way == codes.LAST:
        state.end = codes.FIGURES
    else:
        reach(state, path, rows[path])


@rule
def bring_in(state, path, way):
    """§2.5. A figure leaves the start stone, for good."""
    me = state.turn_owner
    if way == codes.LARGE:
        state.large[me] = path
        state.tally[me, codes.LARGE_PATH] = 1 + path  # 0 = it never set out
    else:
        state.small[me] -= 1
    state.tally[me, codes.OPENED] += 1
    state.tally[me, codes.BEYOND_TWO] += state.tally[me, codes.OPENED] > 2


@rule
def reach(state, path, row):
    """§3.1 to §3.3. What lies on the stone acts; then a card is drawn."""
    me, tile = state.turn_owner, tiles.tile_on(state.tiles[path], row)
    state.phase = codes.DRAW
    if tile == codes.NO_TILE:
        return
    state.tally[me, codes.TILES_REACHED + tile] += 1
    if tile == codes.WISHING_STONE:
        state.wishes[me] += 1
        tiles.put_tile(state, path, row, codes.NO_TILE)  # it is taken: the stone is empty from now on
    elif tile == codes.CLOVER_LEAF:
        reach_clover(state)
    else:
        state.points[me] += tile


@rule
def reach_clover(state):
    """§3.2. Without a figure that could move it lapses."""
    if can_any_step(state, state.rules.clover_enters):
        state.phase = codes.CLOVER


@rule
def draw_card(state, action):
    """§2.7 and §4.2. Then it is the next player's turn, unless the draw pile is used up."""
    if action < codes.FROM_PILE:
        cards.draw_unseen(state, state.turn_owner)
    else:
        cards.take_from_pile(state, state.turn_owner, action - codes.FROM_PILE)
        state.tally[state.turn_owner, codes.PILE_DRAWS] += 1
    if state.left == 0:
        state.end = codes.LAST_CARD
    else:
        state.phase = codes.PLAY
        state.discarded = 0
        begin_turn(state, next_seat(state, state.turn_owner))
