"""Celtae, set-up: the table for 2, 3 or 4 players, and the draft of leaders. A § names a section of RULES.md."""

from boardgames import begin_turn, rule
from variants.celtae.cards import discard, lay_out_cards
from variants.celtae.codes import (
    ALL_KINDS,
    ARMY_STREAM,
    BLOCKED,
    BONUS_STREAM,
    BOX,
    CARD,
    CITADELS,
    COLOURS,
    CUBES,
    DISCARDING,
    DRAFTING,
    DRUID_STREAM,
    DRUIDS,
    GARRISON_SPACES,
    HIGH_TILES,
    IN_DRAFT,
    IN_PLAY,
    LEADER,
    LEADER_STREAM,
    LEADERS,
    LOW_KINDS,
    LOW_TILES,
    MOVING,
    NONE,
    ONE_POINT,
    PROGRESS_CARDS,
    PROGRESS_STREAM,
    REGIONS,
    SITES,
    TWO_POINTS,
    TWO_SPOT_SLOTS,
)
from variants.celtae.counts import count, pick, rising, ways_to_choose
from variants.celtae.workers import lay_out_workers

STARTING_DISCARDS = BOX["start"]["discarded"]


@rule
def setup(state):
    """§1.1, §1.2 and §1.11. The marker is on the southeast station, 0; seat 1 has the Teutates tile, and drafts last."""
    block_spaces(state)
    lay_out_sites(state)
    lay_out_bonus_tiles(state)
    lay_out_progress(state)
    lay_out_workers(state)
    lay_out_cards(state)
    for seat in range(state.seats):
        state.tokens[seat] = state.rules.starting_tokens[seat]
        state.cubes[seat] = CUBES
    begin_turn(state, 0)
    begin_draft(state)


@rule
def block_spaces(state):
    """§1.3. Disks and cubes of an absent player fill the marked spaces."""
    for citadel in range(CITADELS):
        state.room[citadel] = count(state.rules.citadel_spaces, citadel) - int(state.seats < state.rules.citadel_marks[citadel])
    for region in range(REGIONS):
        for space in range(GARRISON_SPACES):
            state.garrison[region, space] = BLOCKED if state.seats < count(state.rules.garrison_marks, space) else 0


@rule
def lay_out_sites(state):
    """§1.4 and §1.5. Armies and druids, in the north and in the south; the uppermost tile is turned up."""
    state.unseen[:] = ONE_POINT | TWO_POINTS
    for site in range(SITES):
        state.stack[site] = LOW_TILES[state.seats - 2] + HIGH_TILES[state.seats - 2]
        state.site_marker[site] = 1
        turn_up(state, site)
    state.site = NONE


@rule
def turn_up(state, site):
    """§1.5. One of the tiles that nobody has seen yet: first those of 1 point, below them those of 2."""
    kind, state.top[site] = site // DRUIDS, NONE
    if state.stack[site] > 0:
        worth = TWO_POINTS if state.stack[site] <= HIGH_TILES[state.seats - 2] else ONE_POINT
        tile = pick(state, ARMY_STREAM if site < DRUIDS else DRUID_STREAM, int(state.unseen[kind]) & worth)
        state.unseen[kind] -= 1 << tile
        state.top[site] = tile


@rule
def take_tile(state, seat, site):
    """§6.3, §7.3 and §1.5. The uppermost tile, worth 1 or 2 points; the next one is turned up at once."""
    worth = int(state.top[site] >= LOW_KINDS)
    state.tiles[seat, site // DRUIDS, worth] += 1
    state.stack[site] -= 1
    turn_up(state, site)
    if state.stack[site] == 0:
        state.site = site  # its progress marker is to be placed


@rule
def lay_out_bonus_tiles(state):
    """§1.6. The tiles of each region, at random."""
    for region in range(REGIONS):
        left = (1 << COLOURS) - 1
        for colour in range(COLOURS):
            tile = pick(state, BONUS_STREAM, left)
            left -= 1 << tile
            state.bonus[region * COLOURS + colour] = count(state.rules.bonus_tiles, region * COLOURS + tile)


@rule
def lay_out_progress(state):
    """§1.4 and §1.7. Some cards with two spots, some with three; markers on the track."""
    state.track = state.rules.progress_markers
    state.card[:] = NONE
    two = (1 << int(state.rules.two_spots)) - 1
    three = (1 << PROGRESS_CARDS) - 1 - two
    for slot in range(IN_PLAY[0, state.seats - 2]):
        state.card[slot] = pick(state, PROGRESS_STREAM, two)
        two -= 1 << int(state.card[slot])
    for slot in range(TWO_SPOT_SLOTS, TWO_SPOT_SLOTS + IN_PLAY[1, state.seats - 2]):
        state.card[slot] = pick(state, PROGRESS_STREAM, three)
        three -= 1 << int(state.card[slot])


# ---- the draft


@rule
def begin_draft(state):
    """§1.12. One leader more than players; the last seat drafts first."""
    left = (1 << LEADERS) - 1
    for _ in range(state.seats + IN_DRAFT):
        leader = pick(state, LEADER_STREAM, left)
        left -= 1 << leader
        state.draft += 1 << leader
    state.leader[:] = NONE
    state.actor = state.seats - 1
    state.phase = DRAFTING


@rule
def leaders_to_draft(state, actions):
    """§1.12."""
    n = 0
    for leader in range(LEADERS):
        actions[n] = LEADER + leader
        n += (int(state.draft) >> leader) & 1
    return n


@rule
def draft(state, leader):
    """§1.12. It lies open, side A up; then its player discards two cards."""
    state.leader[state.actor] = leader
    state.draft -= 1 << int(leader)
    state.owed = STARTING_DISCARDS
    state.payable = ALL_KINDS
    state.phase = DISCARDING


@rule
def cards_to_pay(state, actions):
    """§2.2. Of the cards that can be paid now, in rising order."""
    return ways_to_choose(int(state.hand[state.actor]) & int(state.payable), state.owed, CARD, actions)


@rule
def pay(state, kind):
    """§2.2."""
    discard(state, state.actor, kind)
    state.owed -= 1
    state.payable = rising(state.payable, kind)


@rule
def next_to_draft(state):
    """§1.12. The seat before; the first turn begins after seat 1."""
    if state.actor > 0:
        state.actor -= 1
        state.phase = DRAFTING
    else:
        state.phase = MOVING
