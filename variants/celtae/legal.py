"""Celtae: what may be done in each phase of a turn. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.setup import cards_to_pay, leaders_to_draft
from variants.celtae.topics.battle import cards_to_arm, garrison_spaces, icons, ways_to_attack, ways_to_raise
from variants.celtae.topics.build import bonus_cards, bonus_recruits, can_build, citadels, ways_to_lower
from variants.celtae.topics.farm import ways_to_buy
from variants.celtae.topics.recruit import ways_to_recruit, ways_to_train, workers_to_cut, workers_to_take
from variants.celtae.topics.turn import areas, moves, sides, slots_for_marker, swaps, ways_to_refresh


@rule
def legal(state, actions):
    """§2.2. What is asked in each phase of a turn up to its action."""
    phase = state.phase
    if phase == codes.MOVING:
        return moves(state, actions)
    if phase == codes.CHOOSING_AREA:
        return areas(state, actions)
    if phase == codes.REFRESHING:
        return ways_to_refresh(state, actions)
    if phase == codes.SWAPPING:
        return swaps(state, actions)
    if phase == codes.CHOOSING_ACTION:
        return farm_or_build(state, actions)
    if phase == codes.PLACING_MARKER:
        return slots_for_marker(state, actions)
    if phase == codes.CHOOSING_SIDE:
        return sides(state, actions)
    if phase == codes.DRAFTING:
        return leaders_to_draft(state, actions)
    return legal_in_action(state, actions)


@rule
def legal_in_action(state, actions):
    """§2.2. What is asked within an action; cards are paid in four of the phases."""
    phase = state.phase
    if phase == codes.BUYING:
        return ways_to_buy(state, actions)
    if phase == codes.GIVING:
        return ways_to_recruit(state, actions)
    if phase == codes.TAKING:
        return workers_to_take(state, actions)
    if phase == codes.CHOOSING_ICON:
        return icons(state, actions)
    if phase == codes.RAISING_RATE:
        return ways_to_raise(state, actions)
    if phase == codes.ARMING:
        return cards_to_arm(state, actions)
    if phase == codes.ATTACKING:
        return ways_to_attack(state, actions)
    if phase == codes.GARRISONING:
        return garrison_spaces(state, actions)
    if phase == codes.CHOOSING_CITADEL:
        return citadels(state, actions)
    if phase == codes.LOWERING_PRICE:
        return ways_to_lower(state, actions)
    if phase == codes.DRAWING_BONUS:
        return bonus_cards(state, actions)
    if phase == codes.GIVING_BONUS:
        return bonus_recruits(state, actions)
    if phase == codes.TRAINING:
        return ways_to_train(state, actions)
    if phase == codes.CUTTING:
        return workers_to_cut(state, actions)
    return cards_to_pay(state, actions)


@rule
def farm_or_build(state, actions):
    """§3.7. Farming is always possible."""
    actions[0] = codes.BUILD + state.region
    n = int(can_build(state))
    actions[n] = codes.FARM + state.region
    return n + 1
