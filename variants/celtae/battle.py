"""Celtae, battle: cards become strength, strength defeats armies, and garrisons are placed. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae.codes import (
    ALL_KINDS,
    ANY_ICON,
    ARMIES,
    ARMING,
    ATTACK_NEXT,
    BATTLES,
    BITS,
    CARD,
    CHOOSING_ICON,
    DEFEAT,
    DEFEATED,
    DONE,
    GARRISON,
    GARRISON_SPACES,
    GARRISONED,
    GARRISONING,
    GARRISONS,
    ICON,
    ICONS,
    NONE,
    OF_ICON,
    PAYING_GARRISON,
    PLACING_MARKER,
    RAISING_RATE,
    SOLDIER,
    TOKEN,
    TURN_OVER,
)
from variants.celtae.counts import ways_to_choose
from variants.celtae.setup import take_tile
from variants.celtae.turn import gain_strength, spend_strength, spend_token
from variants.celtae.workers import hands_at_work


@rule
def cards_with_icon(icon):
    """The kinds of cards with this icon."""
    return OF_ICON << (BITS * int(icon))


@rule
def has_card(state, payable):
    """§6.1 and §6.4. Whether the player holds a card of these kinds."""
    return (int(state.hand[state.player]) & int(payable)) != 0


@rule
def begin_battle(state):
    """§6.1 and §6.2. Each card is worth as much strength as there are soldiers and druids."""
    state.tally[state.player, BATTLES] += 1
    state.power = min(hands_at_work(state, state.player, SOLDIER), int(state.rules.card_strength))
    fighters = int(state.power) + int(state.tokens[state.player])
    if fighters > 0 and state.hand[state.player] != 0 and is_below_cap(state):
        state.phase = CHOOSING_ICON
    else:
        state.phase = ATTACK_NEXT


@rule
def is_below_cap(state):
    """§6.2."""
    return state.strength[state.player] < state.rules.strength_cap


@rule
def icons(state, actions):
    """§6.1. Cards with one and the same icon, or none."""
    n = 0
    for icon in range(ICONS):
        actions[n] = ICON + icon
        n += int(has_card(state, cards_with_icon(icon)))
    actions[n] = DONE
    return n + 1


@rule
def choose_icon(state, icon):
    """§6.1 and §3.8."""
    state.payable = cards_with_icon(icon)
    ask_for_soldiers(state)


@rule
def ask_for_soldiers(state):
    """§3.8 and §6.2. Tokens before cards: the rate is fixed then."""
    if state.tokens[state.player] > 0 and state.power < state.rules.card_strength:
        state.phase = RAISING_RATE
    else:
        begin_arming(state)


@rule
def ways_to_raise(state, actions):
    """§6.2. Without any soldier or druid a token is needed."""
    actions[0] = TOKEN
    actions[1] = DONE
    return 2 if state.power > 0 else 1


@rule
def raise_rate(state, action):
    """§3.8."""
    if action == TOKEN:
        spend_token(state, state.player)
        state.power += 1
        ask_for_soldiers(state)
    else:
        begin_arming(state)


@rule
def begin_arming(state):
    """§6.1. At least one card, now that an icon is chosen."""
    state.owed = 1
    state.phase = ARMING


@rule
def cards_to_arm(state, actions):
    """§6.1. Any card with the icon; after the first one may stop."""
    n = ways_to_choose(int(state.hand[state.player]) & int(state.payable), 1, CARD, actions)
    actions[n] = DONE
    return n + int(state.owed <= 0)


@rule
def arm(state):
    """§6.1 and §6.2. A card is paid; another may be added only while the strength is below the end of the track."""
    gain_strength(state, state.player, state.power)
    if not (is_below_cap(state) and has_card(state, state.payable)):
        state.phase = ATTACK_NEXT


# ---- the army


@rule
def can_attack(state):
    """§6.3. If there is an army, and strength enough."""
    top = state.top[ARMIES + state.region]
    return top != NONE and state.strength[state.player] >= state.rules.army_strength[top]


@rule
def ways_to_attack(state, actions):
    """§6.3."""
    actions[0] = DEFEAT + state.region
    actions[1] = DONE
    return 2


@rule
def defeat(state):
    """§6.3. One army in an action."""
    site = ARMIES + state.region
    spend_strength(state, state.player, state.rules.army_strength[state.top[site]])
    take_tile(state, state.player, site)
    state.tally[state.player, DEFEATED] += 1
    if garrison_kinds(state) != 0:
        state.phase = GARRISONING
    else:
        end_battle(state)


@rule
def garrison_kinds(state):
    """§6.4. The kinds of spaces in the region where a garrison can be placed now, a bit for each."""
    if state.cubes[state.player] == 0:
        return 0
    found = 0
    for space in range(GARRISON_SPACES):
        kind = int(state.rules.garrison_icons[space])
        free = state.garrison[state.region, space] == 0
        found |= int(free and has_card(state, garrison_cards(kind))) << kind
    return found


@rule
def garrison_cards(kind):
    """§6.4. The cards that a space takes."""
    return ALL_KINDS if kind == ANY_ICON else cards_with_icon(kind)


@rule
def garrison_spaces(state, actions):
    """§6.4. One garrison, or none."""
    found, n = garrison_kinds(state), 0
    for kind in range(GARRISONS):
        actions[n] = GARRISON + state.region * GARRISONS + kind
        n += (found >> kind) & 1
    actions[n] = DONE
    return n + 1


@rule
def choose_garrison(state, kind):
    """§6.4."""
    state.slot = kind
    state.payable = garrison_cards(kind)
    state.owed = 1
    state.phase = PAYING_GARRISON


@rule
def place_garrison(state):
    """§6.4. The topmost cube goes to the first free space of the kind."""
    seat, space = state.player, 0
    while state.garrison[state.region, space] != 0 or state.rules.garrison_icons[space] != state.slot:
        space += 1
    state.garrison[state.region, space] = 1 + seat
    state.garrisons[seat, state.region] += 1
    state.cubes[seat] -= 1
    state.tally[seat, GARRISONED] += 1
    end_battle(state)


@rule
def end_battle(state):
    """§6.5. Whoever took the last army of a stack places its progress marker."""
    state.phase = TURN_OVER if state.site == NONE else PLACING_MARKER
