"""Keltis, a turn: a card is played, figures move, tiles act, a card is drawn. A § names the section of RULES.md."""

from boardgames import begin_turn, next_seat, rule
from variants.keltis import cards, tiles
from variants.keltis.codes import (
    ADVANCE,
    BEYOND_TWO,
    BY_CLOVER,
    CARDS,
    CHAINED,
    CLOVER,
    CLOVER_LEAF,
    CLOVERS_USED,
    DISCARD,
    DISCARDS,
    DRAW,
    END_STONE,
    FIGURES,
    FROM_DECK,
    FROM_PILE,
    INSTEAD,
    LARGE,
    LARGE_PATH,
    LAST,
    LAST_CARD,
    LAST_FROM_DECK,
    LAY,
    LAYS,
    NO_LARGE,
    NO_TILE,
    NOBODY,
    NOWHERE,
    OPENED,
    PATHS,
    PILE_DRAWS,
    PLAY,
    SMALL,
    SMALL_FIGURES,
    SUBSTITUTE,
    SUBSTITUTES,
    TILES_REACHED,
    VALUES,
    WAITING,
    WISHING_STONE,
)


@rule
def setup(state):
    """§1.3 and §1.5. All figures are on the start stone; seat 1 begins."""
    for seat in range(state.seats):
        state.small[seat] = SMALL_FIGURES if state.rules.large_figure > 1 else SMALL_FIGURES + 1
        state.large[seat] = WAITING if state.rules.large_figure > 1 else NO_LARGE
    tiles.lay_out(state)
    cards.deal(state)
    begin_turn(state, 0)


# ---- what may be done


@rule
def legal(state, actions):
    """§2.1. First play one card, then draw one; between them the figures move."""
    if state.phase == PLAY:
        return ways_to_play(state, actions)
    if state.phase == DRAW:
        return ways_to_draw(state, actions)
    if state.phase == CLOVER:
        return ways_to_step(state, actions, BY_CLOVER, state.rules.clover_enters, state.rules.clover_optional)
    return ways_to_step(state, actions, INSTEAD, state.rules.substitute_enters, 1)


@rule
def ways_to_play(state, actions):
    """§2.2 and §2.3. Any card can be discarded; one that follows its column can be laid."""
    me, n, before = state.player, 0, -1
    hand, rows, follows = state.hand[me], state.row[me], int(state.fits[me])
    waiting, closing = waiting_figures(state), closing_row(state)
    for place in range(state.held[me]):
        card = int(hand[place])
        if card != before:  # a second copy is no other choice
            before = card
            actions[n] = DISCARD + card
            row, may = int(rows[card // VALUES]), (follows >> card) & 1
            n = who_moves(row, waiting, closing, may, actions, n + 1, LAY + card, CARDS)
    return n


@rule
def who_moves(row, waiting, closing, may, actions, n, first, stride):
    """§2.4 and §2.5. The figure on the path; if there is none, a small one or the large one.

    What may not be is written and not counted: a branch that depends on luck costs more.
    """
    if row > 0:
        actions[n] = first + (LAST if row == closing else ADVANCE) * stride
        return n + may
    actions[n] = first + SMALL * stride
    n += may & waiting
    actions[n] = first + LARGE * stride
    return n + (may & (waiting >> 1))


@rule
def waiting_figures(state):
    """§2.5. What can enter a path: 1 for a small figure, and 2 for the large one."""
    return int(state.small[state.player] > 0) + 2 * int(state.large[state.player] == WAITING)


@rule
def closing_row(state):
    """§4.1. The row from which a step ends the match, if only one figure is missing in the goal area; else none."""
    rules = state.rules
    return int(rules.goal_row) - 1 if state.in_goal + 1 == rules.figures_to_end else NOWHERE


@rule
def ways_to_step(state, actions, first, may_enter, may_decline):
    """§2.6 and §3.2. Any figure on a path short of its end; where the variant says so, one from the start stone as well."""
    n, rows = 0, state.row[state.player]
    waiting, closing = waiting_figures(state), closing_row(state)
    for path in range(PATHS):
        n = who_moves(int(rows[path]), waiting, closing, can_step(rows[path], may_enter), actions, n, first + path, PATHS)
    actions[n] = first + NOBODY * PATHS
    return n + int(may_decline)


@rule
def can_step(row, may_enter):
    """§2.5. 1 for yes. A path without a figure always finds one at the start: there are as many figures as paths."""
    return int((row < END_STONE) & ((row > 0) | (may_enter > 0)))


@rule
def can_any_step(state, may_enter):
    rows, n = state.row[state.player], 0
    for path in range(PATHS):
        n += can_step(rows[path], may_enter)
    return n > 0


@rule
def ways_to_draw(state, actions):
    """§2.7. The draw pile, or the uppermost card of a discard pile; not the card discarded just now."""
    actions[0] = FROM_DECK if state.left > 1 else LAST_FROM_DECK
    barred = -1 if state.rules.redraw else state.discarded - 1
    n, heights = 1, state.height
    for path in range(PATHS):
        actions[n] = FROM_PILE + path
        n += int((heights[path] > 0) & (path != barred))
    return n


# ---- doing it


@rule
def apply(state, action):
    if action < LAY:
        discard(state, action - DISCARD)
    elif action < BY_CLOVER:
        lay(state, (action - LAY) % CARDS, (action - LAY) // CARDS)
    elif action < INSTEAD:
        follow_clover(state, (action - BY_CLOVER) % PATHS, (action - BY_CLOVER) // PATHS)
    elif action < FROM_DECK:
        step_instead(state, (action - INSTEAD) % PATHS, (action - INSTEAD) // PATHS)
    else:
        draw_card(state, action)


@rule
def discard(state, card):
    """§2.2. Unused."""
    cards.put_on_pile(state, state.player, card)
    state.tally[state.player, DISCARDS] += 1
    state.discarded = 1 + card // VALUES
    state.phase = DRAW


@rule
def lay(state, card, way):
    """§2.3. Into the column of its colour; then a figure moves."""
    me, path = state.player, card // VALUES
    cards.lay_in_column(state, me, card)
    state.tally[me, LAYS] += 1
    if state.row[me, path] < END_STONE:
        move(state, path, way)
    else:  # §2.6: another figure may move instead, if there is one
        state.phase = SUBSTITUTE if can_any_step(state, state.rules.substitute_enters) else DRAW


@rule
def follow_clover(state, path, way):
    """§3.2. One stone forward, which may lead to another clover."""
    if way == NOBODY:
        state.phase = DRAW
        return
    state.tally[state.player, CLOVERS_USED] += 1
    move(state, path, way)
    if state.phase == CLOVER and state.end == 0:
        state.tally[state.player, CHAINED] += 1


@rule
def step_instead(state, path, way):
    """§2.6. Another figure moves, or none."""
    if way == NOBODY:
        state.phase = DRAW
        return
    state.tally[state.player, SUBSTITUTES] += 1
    move(state, path, way)


@rule
def move(state, path, way):
    """§2.4 and §4.1. One stone forward; the last figure that is needed in the goal area ends the match before its tile acts."""
    rows = state.row[state.player]
    if rows[path] == 0:
        bring_in(state, path, way)
    rows[path] += 1
    state.in_goal += rows[path] == state.rules.goal_row
    if way == LAST:
        state.end = FIGURES
    else:
        reach(state, path, rows[path])


@rule
def bring_in(state, path, way):
    """§2.5. A figure leaves the start stone, for good."""
    me = state.player
    if way == LARGE:
        state.large[me] = path
        state.tally[me, LARGE_PATH] = 1 + path  # 0 = it never set out
    else:
        state.small[me] -= 1
    state.tally[me, OPENED] += 1
    state.tally[me, BEYOND_TWO] += state.tally[me, OPENED] > 2


@rule
def reach(state, path, row):
    """§3.1 to §3.3. What lies on the stone acts; then a card is drawn."""
    me, tile = state.player, tiles.tile_on(state.tiles[path], row)
    state.phase = DRAW
    if tile == NO_TILE:
        return
    state.tally[me, TILES_REACHED + tile] += 1
    if tile == WISHING_STONE:
        state.wishes[me] += 1
        tiles.put_tile(state, path, row, NO_TILE)  # it is taken: the stone is empty from now on
    elif tile == CLOVER_LEAF:
        reach_clover(state)
    else:
        state.points[me] += tile


@rule
def reach_clover(state):
    """§3.2. Without a figure that could move it lapses."""
    if can_any_step(state, state.rules.clover_enters):
        state.phase = CLOVER


@rule
def draw_card(state, action):
    """§2.7 and §4.2. Then it is the next player's turn, unless the draw pile is used up."""
    if action < FROM_PILE:
        cards.draw_unseen(state, state.player)
    else:
        cards.take_from_pile(state, state.player, action - FROM_PILE)
        state.tally[state.player, PILE_DRAWS] += 1
    if state.left == 0:
        state.end = LAST_CARD
    else:
        state.phase = PLAY
        state.discarded = 0
        begin_turn(state, next_seat(state, state.player))
