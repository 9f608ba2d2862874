"""Celtae, building: disks go to citadels, and their bonus is gained. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.topics.cards import take_from_market
from variants.celtae.topics.counts import one, total, ways_to_choose
from variants.celtae.topics.turn import gain_strength, spend_token
from variants.celtae.topics.workers import hands_at_work, recruit


@rule
def cards_of_colour(colour):
    """The kinds of cards that a citadel of this colour takes."""
    return codes.OF_COLOUR << (codes.BITS * codes.ICONS * int(colour))


@rule
def disk_price(state, seat):
    """§5.1. What the leftmost disk costs, less a card for each builder and druid; never below one card."""
    placed = total(int(state.disks[seat]))
    return max(1, int(state.rules.disk_costs[placed]) - hands_at_work(state, seat, codes.BUILDER))


@rule
def can_build(state):
    """§5.1. Whether there is a disk left, and a citadel for it."""
    if total(int(state.disks[state.turn_owner])) == codes.DISKS:
        return False
    for colour in range(codes.COLOURS):
        if can_build_in(state, colour, disk_price(state, state.turn_owner)):
            return True
    return False


@rule
def can_build_in(state, colour, price):
    """§5.1, §5.2 and §5.3. A free space, and enough cards of its colour if all tokens work as builders."""
    cards = total(int(state.hand[state.turn_owner]) & cards_of_colour(colour))
    room = state.room[state.region * codes.COLOURS + colour]
    return room > 0 and cards >= max(1, price - int(state.tokens[state.turn_owner]))


@rule
def begin_building(state):
    """§5.1."""
    state.power = disk_price(state, state.turn_owner)
    state.phase = codes.CHOOSING_CITADEL


@rule
def citadels(state, actions):
    """§5.3. In the region of the action."""
    n = 0
    for colour in range(codes.COLOURS):
        actions[n] = codes.CITADEL + state.region * codes.COLOURS + colour
        n += int(can_build_in(state, colour, state.power))
    return n


@rule
def choose_citadel(state, citadel):
    """§5.2."""
    state.citadel = citadel
    state.payable = cards_of_colour(citadel % codes.COLOURS)
    ask_for_builders(state)


@rule
def ask_for_builders(state):
    """§3.8 and §5.1. Tokens lower the price to one card at least."""
    if state.tokens[state.turn_owner] > 0 and state.power > 1:
        state.phase = codes.LOWERING_PRICE
    else:
        state.owed = state.power
        state.phase = codes.PAYING_DISK


@rule
def ways_to_lower(state, actions):
    """§3.8 and §5.1. Whoever has too few cards of the colour must spend tokens."""
    actions[0] = codes.TOKEN
    actions[1] = codes.DONE
    enough = total(int(state.hand[state.turn_owner]) & int(state.payable)) >= state.power
    return 2 if enough else 1


@rule
def lower_price(state, action):
    """§3.8."""
    if action == codes.TOKEN:
        spend_token(state, state.turn_owner)
        state.power -= 1
        ask_for_builders(state)
    else:
        state.owed = state.power
        state.phase = codes.PAYING_DISK


@rule
def place_disk(state):
    """§5.3, §5.4 and §5.7. First the bonus, then the tile, if it was the last space."""
    seat, citadel = state.turn_owner, state.citadel
    state.disks[seat] += one(citadel)
    state.room[citadel] -= 1
    state.tally[seat, codes.BUILDS + state.region] += 1
    gain_bonus(state, state.bonus[citadel])
    if state.room[citadel] == 0:
        state.bonus_tiles[seat] += 1


@rule
def gain_bonus(state, tile):
    """§5.4. It cannot be refused."""
    state.phase = codes.TURN_OVER
    if tile == codes.CARDS_TILE:
        state.slot = -1
        state.owed = min(codes.BONUS_CARDS, cards_in_market(state, -1))
        if state.owed > 0:
            state.phase = codes.DRAWING_BONUS
    elif tile == codes.RECRUIT_TILE:
        state.phase = codes.GIVING_BONUS
    elif tile == codes.STRENGTH_TILE:
        gain_strength(state, state.turn_owner, codes.BONUS_STRENGTH)
    elif state.tokens.sum() < state.rules.tokens:
        state.tokens[state.turn_owner] += 1


@rule
def cards_in_market(state, slot):
    """§5.6. How many lie behind this space."""
    cards = 0
    for other in range(slot + 1, codes.SLOTS):
        cards += int(state.market[state.region, other] != codes.NONE)
    return cards


@rule
def bonus_cards(state, actions):
    """§5.6. Any, from left to right; of equal neighbours the first."""
    market, left, before, n = state.market[state.region], cards_in_market(state, state.slot), codes.NONE, 0
    for slot in range(state.slot + 1, codes.SLOTS):
        kind = market[slot]
        actions[n] = codes.SLOT + slot
        n += int(kind != codes.NONE and left >= state.owed and kind != before)
        left -= int(kind != codes.NONE)
        before = kind
    return n


@rule
def draw_bonus(state, slot):
    """§5.6. The market is refilled after both."""
    take_from_market(state, state.turn_owner, state.region, slot)
    state.slot = slot
    state.owed -= 1
    if state.owed == 0:
        state.phase = codes.MARKET_NEXT


@rule
def bonus_recruits(state, actions):
    """§5.5."""
    return ways_to_choose(state.active[state.turn_owner], 1, codes.GIVE, actions)


@rule
def recruit_by_bonus(state, kind):
    """§5.5. One worker, and one from the centre in its place."""
    recruit(state, state.turn_owner, kind)
    state.tally[state.turn_owner, codes.RECRUITED] += 1
    state.owed = 1
    state.payable = codes.ALL_KINDS
    state.phase = codes.TAKING
