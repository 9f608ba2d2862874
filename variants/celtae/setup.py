"""Celtae, set-up: the table for 2, 3 or 4 players, and the draft of leaders. A § names a section of
RULES.md.
"""

from boardgames import begin_turn, rule
from variants.celtae import codes
from variants.celtae.topics.cards import discard, lay_out_cards
from variants.celtae.topics.counts import count, kinds_from, pick, ways_to_choose
from variants.celtae.topics.workers import lay_out_workers

STARTING_DISCARDS = codes.BOX["start"]["discarded"]


@rule
def setup(state):
    """§1.1, §1.2 and §1.11. The marker is on the southeast station, 0; seat 1 has the Teutates tile, and
    drafts last.
    """
    block_spaces(state)
    lay_out_sites(state)
    lay_out_bonus_tiles(state)
    lay_out_progress(state)
    lay_out_workers(state)
    lay_out_cards(state)
    for seat in range(state.players):
        state.tokens[seat] = state.rules.starting_tokens[seat]
        state.cubes[seat] = codes.CUBES
    begin_draft(state)


@rule
def block_spaces(state):
    """§1.3. Disks and cubes of an absent player fill the marked spaces."""
    for citadel in range(codes.CITADELS):
        state.room[citadel] = count(state.rules.citadel_spaces, citadel) - int(
            state.players < count(state.rules.citadel_marks, citadel)
        )
    for region in range(codes.REGIONS):
        for space in range(codes.GARRISON_SPACES):
            state.garrison[region, space] = (
                codes.BLOCKED if state.players < count(state.rules.garrison_marks, space) else 0
            )


@rule
def lay_out_sites(state):
    """§1.4 and §1.5. Armies and druids, in the north and in the south; the uppermost tile is turned up."""
    state.unseen[:] = codes.ONE_POINT | codes.TWO_POINTS
    for site in range(codes.SITES):
        state.stack[site] = codes.LOW_TILES[state.players - 2] + codes.HIGH_TILES[state.players - 2]
        state.site_marker[site] = 1
        turn_up(state, site)
    state.site = codes.NONE


@rule
def turn_up(state, site):
    """§1.5. One of the tiles that nobody has seen yet: first those of 1 point, below them those of 2."""
    kind, state.top[site] = site // codes.DRUIDS, codes.NONE
    if state.stack[site] > 0:
        worth = (
            codes.TWO_POINTS if state.stack[site] <= codes.HIGH_TILES[state.players - 2] else codes.ONE_POINT
        )
        tile = pick(
            state,
            codes.ARMY_STREAM if site < codes.DRUIDS else codes.DRUID_STREAM,
            int(state.unseen[kind]) & worth,
        )
        state.unseen[kind] -= 1 << tile
        state.top[site] = tile


@rule
def take_tile(state, seat, site):
    """§6.3 and §7.3. The uppermost tile, worth 1 or 2 points."""
    worth = int(state.top[site] >= codes.LOW_KINDS)
    state.tiles[seat, site // codes.DRUIDS, worth] += 1
    state.top[site] = codes.NONE
    state.stack[site] -= 1
    if state.stack[site] == 0:
        state.site = site  # its progress marker is to be placed


@rule
def lay_out_bonus_tiles(state):
    """§1.6. The tiles of each region, at random."""
    for region in range(codes.REGIONS):
        left = (1 << codes.COLOURS) - 1
        for colour in range(codes.COLOURS):
            tile = pick(state, codes.BONUS_STREAM, left)
            left -= 1 << tile
            state.bonus[region * codes.COLOURS + colour] = count(
                state.rules.bonus_tiles, region * codes.COLOURS + tile
            )


@rule
def lay_out_progress(state):
    """§1.4 and §1.7. Some cards with two spots, some with three; markers on the track."""
    state.track = state.rules.progress_markers
    state.card[:] = codes.NONE
    two = (1 << int(state.rules.two_spots)) - 1
    three = (1 << codes.PROGRESS_CARDS) - 1 - two
    for slot in range(codes.IN_PLAY[0, state.players - 2]):
        state.card[slot] = pick(state, codes.PROGRESS_STREAM, two)
        two -= 1 << int(state.card[slot])
    for slot in range(codes.TWO_SPOT_SLOTS, codes.TWO_SPOT_SLOTS + codes.IN_PLAY[1, state.players - 2]):
        state.card[slot] = pick(state, codes.PROGRESS_STREAM, three)
        three -= 1 << int(state.card[slot])


# ---- the draft


@rule
def begin_draft(state):
    """§1.12. One leader more than players; the last seat drafts first."""
    left = (1 << codes.LEADERS) - 1
    for _ in range(state.players + codes.IN_DRAFT):
        leader = pick(state, codes.LEADER_STREAM, left)
        left -= 1 << leader
        state.draft += 1 << leader
    state.leader[:] = codes.NONE
    state.actor = state.players - 1
    state.phase = codes.DRAFTING


@rule
def leaders_to_draft(state, actions):
    """§1.12."""
    n = 0
    for leader in range(codes.LEADERS):
        actions[n] = codes.LEADER + leader
        n += (int(state.draft) >> leader) & 1
    return n


@rule
def draft(state, leader):
    """§1.12. It lies open, side A up; then its player discards two cards."""
    state.leader[state.actor] = leader
    state.draft -= 1 << int(leader)
    state.owed = STARTING_DISCARDS
    state.payable = codes.ALL_KINDS
    state.phase = codes.DISCARDING


@rule
def cards_to_pay(state, actions):
    """§2.2. Of the cards that can be paid now, in rising order."""
    return ways_to_choose(int(state.hand[state.actor]) & int(state.payable), state.owed, codes.CARD, actions)


@rule
def pay(state, kind):
    """§2.2."""
    discard(state, state.actor, kind)
    state.owed -= 1
    state.payable = kinds_from(state.payable, kind)


@rule
def next_to_draft(state):
    """§1.12. The seat before; the first turn begins when seat 1 has drafted."""
    if state.actor > 0:
        state.actor -= 1
        state.phase = codes.DRAFTING
    else:
        state.phase = codes.MOVING
        begin_turn(state, 0)
