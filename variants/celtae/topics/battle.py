"""Celtae, battle: cards become strength, strength defeats armies, and garrisons are placed. A § names a
section of RULES.md.
"""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.setup import take_tile, turn_up
from variants.celtae.topics.counts import count, ways_to_choose
from variants.celtae.topics.turn import gain_strength, spend_strength, spend_token
from variants.celtae.topics.workers import hands_at_work


@rule
def cards_with_icon(icon):
    """The kinds of cards with this icon."""
    return codes.OF_ICON << (codes.BITS * int(icon))


@rule
def has_card(state, payable):
    """§6.1 and §6.4. Whether the player holds a card of these kinds."""
    return (int(state.hand[state.turn_owner]) & int(payable)) != 0


@rule
def begin_battle(state):
    """§6.1."""
    state.tally[state.turn_owner, codes.BATTLES] += 1
    state.battle = 0
    offer_strength(state)


@rule
def offer_strength(state):
    """§6.1 and §6.2. Each card is worth as much strength as there are soldiers and druids."""
    state.power = min(hands_at_work(state, state.turn_owner, codes.SOLDIER), int(state.rules.card_strength))
    fighters = int(state.power) + int(state.tokens[state.turn_owner])
    if fighters > 0 and state.hand[state.turn_owner] != 0 and is_below_cap(state):
        state.phase = codes.CHOOSING_ICON
    else:
        state.phase = codes.ATTACK_NEXT


@rule
def is_below_cap(state):
    """§6.2."""
    return state.strength[state.turn_owner] < state.rules.strength_cap


@rule
def icons(state, actions):
    """§6.1. Cards with one and the same icon, or none."""
    n = 0
    for icon in range(codes.ICONS):
        actions[n] = codes.ICON + icon
        n += int(has_card(state, cards_with_icon(icon)))
    actions[n] = codes.DONE
    return n + 1


@rule
def choose_icon(state, icon):
    """§6.1 and §3.8."""
    state.payable = cards_with_icon(icon)
    ask_for_soldiers(state)


@rule
def ask_for_soldiers(state):
    """§3.8 and §6.2. Tokens before cards: the rate is fixed then."""
    if state.tokens[state.turn_owner] > 0 and state.power < state.rules.card_strength:
        state.phase = codes.RAISING_RATE
    else:
        begin_arming(state)


@rule
def ways_to_raise(state, actions):
    """§6.2. Without any soldier or druid a token is needed."""
    actions[0] = codes.TOKEN
    actions[1] = codes.DONE
    return 2 if state.power > 0 else 1


@rule
def raise_rate(state, action):
    """§3.8."""
    if action == codes.TOKEN:
        spend_token(state, state.turn_owner)
        state.power += 1
        ask_for_soldiers(state)
    else:
        begin_arming(state)


@rule
def begin_arming(state):
    """§6.1. At least one card, now that an icon is chosen."""
    state.battle |= codes.STRENGTH_GAINED
    state.owed = 1
    state.phase = codes.ARMING


@rule
def cards_to_arm(state, actions):
    """§6.1. Any card with the icon; after the first one may stop."""
    n = ways_to_choose(int(state.hand[state.turn_owner]) & int(state.payable), 1, codes.CARD, actions)
    actions[n] = codes.DONE
    return n + int(state.owed <= 0)


@rule
def arm(state):
    """§6.1 and §6.2. A card is paid; another may be added only while the strength is below the end of the
    track.
    """
    gain_strength(state, state.turn_owner, state.power)
    if not (is_below_cap(state) and has_card(state, state.payable)):
        state.phase = codes.ATTACK_NEXT


# ---- the army


@rule
def can_attack(state):
    """§6.3. One army in an action, if there is one, and strength enough."""
    top = state.top[codes.ARMIES + state.region]
    if state.battle & codes.ARMY_DEFEATED:
        return False
    return top != codes.NONE and state.strength[state.turn_owner] >= state.rules.army_strength[top]


@rule
def ways_to_attack(state, actions):
    """§6.3."""
    actions[0] = codes.DEFEAT + state.region
    actions[1] = codes.DONE
    return 2


@rule
def defeat(state):
    """§6.3. One army in an action."""
    site = codes.ARMIES + state.region
    spend_strength(state, state.turn_owner, state.rules.army_strength[state.top[site]])
    take_tile(state, state.turn_owner, site)
    turn_up(state, site)
    state.tally[state.turn_owner, codes.DEFEATED] += 1
    state.battle |= codes.ARMY_DEFEATED
    if open_garrisons(state) != 0:
        state.phase = codes.GARRISONING
    else:
        end_battle(state)


@rule
def open_garrisons(state):
    """§6.4. Where a garrison can be placed now, a bit for each region and kind of space."""
    if state.cubes[state.turn_owner] == 0:
        return 0
    spaces, any_region = 0, state.rules.garrison_region == codes.ANY_REGION
    for region in range(codes.REGIONS):
        if region == state.region or any_region:
            spaces |= open_garrisons_in(state, region) << (codes.GARRISONS * region)
    return spaces


@rule
def open_garrisons_in(state, region):
    """§6.4. The kinds of free spaces in a region that the player has a card for, a bit for each."""
    kinds = 0
    for space in range(codes.GARRISON_SPACES):
        kind = count(state.rules.garrison_icons, space)
        free = state.garrison[region, space] == 0
        kinds |= int(free and has_card(state, garrison_cards(kind))) << kind
    return kinds


@rule
def garrison_cards(kind):
    """§6.4. The cards that a space takes."""
    return codes.ALL_KINDS if kind == codes.ANY_ICON else cards_with_icon(kind)


@rule
def garrison_spaces(state, actions):
    """§6.4. One garrison, or none."""
    spaces, n = open_garrisons(state), 0
    for space in range(codes.REGIONS * codes.GARRISONS):
        actions[n] = codes.GARRISON + space
        n += (spaces >> space) & 1
    actions[n] = codes.DONE
    return n + 1


@rule
def choose_garrison(state, garrison):
    """§6.4. A region and a kind of space in one number."""
    state.slot = garrison
    state.payable = garrison_cards(garrison % codes.GARRISONS)
    state.owed = 1
    state.phase = codes.PAYING_GARRISON


@rule
def place_garrison(state):
    """§6.4. The topmost cube goes to the first free space of the kind."""
    seat, region, kind = state.turn_owner, state.slot // codes.GARRISONS, state.slot % codes.GARRISONS
    space = 0
    while state.garrison[region, space] != 0 or count(state.rules.garrison_icons, space) != kind:
        space += 1
    state.garrison[region, space] = 1 + seat
    state.garrisons[seat, region] += 1
    state.cubes[seat] -= 1
    state.tally[seat, codes.GARRISONED] += 1
    end_battle(state)


@rule
def end_battle(state):
    """§6.5. Whoever took the last army of a stack places its progress marker."""
    if state.site == codes.NONE:
        gain_after_army(state)
    else:
        state.phase = codes.PLACING_MARKER


@rule
def gain_after_army(state):
    """§6.1. Strength comes before the army; in one variant also after it, but not twice."""
    is_free = state.rules.battle_order == codes.EITHER_ORDER
    if is_free and not state.battle & codes.STRENGTH_GAINED:
        offer_strength(state)
    else:
        state.phase = codes.TURN_OVER
