"""Celtae (Orlando Sá, Pythagoras 2023): what comes of an action, and what comes next. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae.battle import (
    arm,
    begin_battle,
    can_attack,
    choose_garrison,
    choose_icon,
    defeat,
    end_battle,
    place_garrison,
    raise_rate,
)
from variants.celtae.build import begin_building, choose_citadel, draw_bonus, lower_price, place_disk, recruit_by_bonus
from variants.celtae.cards import refill
from variants.celtae.codes import (
    ACTION_NEXT,
    ARMING,
    ATTACK_NEXT,
    ATTACKING,
    BUILD,
    BUYING,
    BUYING_NEXT,
    CARD,
    CARDS,
    CENTRE_NEXT,
    CHOOSING_ACTION,
    CHOOSING_AREA,
    CHOOSING_CITADEL,
    CHOOSING_SIDE,
    CITADEL,
    CUT,
    DONE,
    DRAFTING,
    DRAWING_BONUS,
    EAST_AREA,
    GARRISON,
    GARRISONING,
    GARRISONS,
    GIVE,
    GIVING,
    GIVING_BONUS,
    ICON,
    LEADER,
    LOWERING_PRICE,
    MARKET_NEXT,
    MOVE,
    MOVING,
    NONE,
    PAYING_DISK,
    PAYING_DRUID,
    PAYING_GARRISON,
    PLACING_MARKER,
    PROGRESS,
    RAISING_RATE,
    REFILL_NEXT,
    REFRESH_NEXT,
    REFRESHING,
    SIDE,
    SLOT,
    SWAP,
    SWAP_NEXT,
    SWAPPING,
    TAKE,
    TAKING,
    TOKEN,
    TRAINING,
    TRAINING_NEXT,
    TURN_OVER,
    WEST_AREA,
)  # fmt: skip
from variants.celtae.farm import add_leaf, buy, can_buy_more, farm
from variants.celtae.recruit import (
    add_noble,
    begin_recruiting,
    begin_refilling,
    can_train,
    cut,
    fill_centre,
    recruit_more,
    take,
    train,
)
from variants.celtae.scoring import note_points
from variants.celtae.setup import draft, next_to_draft, pay
from variants.celtae.turn import can_swap, choose_area, choose_side, mark_progress, move, next_turn, refresh, swap


@rule
def apply(state, action):
    """§2.1 and §2.2. Carries out an action, and goes on to the next decision."""
    phase = state.phase
    if CARD <= action < CARD + CARDS:
        pay_card(state, action - CARD)
    elif phase == MOVING:
        move(state, action - MOVE)
    elif phase == CHOOSING_AREA:
        choose_area(state, action)
        state.phase = REFRESH_NEXT
    elif phase == REFRESHING:
        if action != DONE:
            refresh(state)
        state.phase = SWAP_NEXT
    elif phase == SWAPPING:
        if action != DONE:
            swap(state, action - SWAP)
        state.phase = ACTION_NEXT
    elif phase == PLACING_MARKER:
        place_marker(state, action - PROGRESS)
    elif phase == CHOOSING_SIDE:
        choose_side(state, action - SIDE)
    elif phase == DRAFTING:
        draft(state, action - LEADER)
    elif phase <= GIVING_BONUS:
        apply_in_region(state, action)
    elif phase <= GARRISONING:
        apply_in_battle(state, action)
    else:
        apply_to_tribe(state, action)
    if state.phase >= REFRESH_NEXT:
        go_on(state)


@rule
def pay_card(state, kind):
    """§2.2. Cards are paid one by one; what they are for comes when all are paid, strength with each of them."""
    pay(state, kind)
    if state.phase == ARMING:
        arm(state)
    elif state.owed > 0:
        return
    elif state.phase == PAYING_DISK:
        place_disk(state)
    elif state.phase == PAYING_GARRISON:
        place_garrison(state)
    elif state.phase == PAYING_DRUID:
        state.phase = REFILL_NEXT
    else:
        next_to_draft(state)


@rule
def apply_in_region(state, action):
    """§4.2 and §5.1 to §5.6. Farming and building."""
    phase = state.phase
    if phase == CHOOSING_ACTION:
        if action < BUILD:
            farm(state)
        else:
            begin_building(state)
    elif phase == BUYING:
        if action == TOKEN:
            add_leaf(state)
        elif action == DONE:
            state.phase = MARKET_NEXT
        else:
            buy(state, action - SLOT)
    elif phase == CHOOSING_CITADEL:
        choose_citadel(state, action - CITADEL)
    elif phase == LOWERING_PRICE:
        lower_price(state, action)
    elif phase == DRAWING_BONUS:
        draw_bonus(state, action - SLOT)
    else:
        recruit_by_bonus(state, action - GIVE)


@rule
def apply_in_battle(state, action):
    """§6.1 to §6.4."""
    phase = state.phase
    if phase == RAISING_RATE:
        raise_rate(state, action)
    elif phase == GARRISONING:
        if action == DONE:
            end_battle(state)
        else:
            choose_garrison(state, (action - GARRISON) % GARRISONS)
    elif phase == ATTACKING:
        if action == DONE:
            state.phase = TURN_OVER
        else:
            defeat(state)
    elif action == DONE:
        state.phase = ATTACK_NEXT
    else:
        choose_icon(state, action - ICON)


@rule
def apply_to_tribe(state, action):
    """§7.1 to §7.6."""
    phase = state.phase
    if phase == GIVING:
        if action == TOKEN:
            add_noble(state)
        elif action == DONE:
            state.phase = TRAINING_NEXT
        else:
            recruit_more(state, action - GIVE)
    elif phase == TRAINING:
        if action == DONE:
            state.phase = REFILL_NEXT
        else:
            train(state)
    elif phase == TAKING:
        take(state, action - TAKE)
    else:
        cut(state, action - CUT)


# ---- from one step of a turn to the next


@rule
def go_on(state):
    """§2.2. To the next decision; what may be done but cannot be done now is not asked. Each step may lead to a later one."""
    if state.phase == REFRESH_NEXT:
        state.phase = REFRESHING if state.strength[state.player] > 0 else SWAP_NEXT
    if state.phase == SWAP_NEXT:
        state.phase = SWAPPING if can_swap(state) else ACTION_NEXT
    if state.phase == ACTION_NEXT:
        begin_action(state)
    if state.phase == BUYING_NEXT:
        state.phase = BUYING if can_buy_more(state) else MARKET_NEXT
    if state.phase == ATTACK_NEXT:
        state.phase = ATTACKING if can_attack(state) else TURN_OVER
    if state.phase == TRAINING_NEXT:
        state.phase = TRAINING if can_train(state) else REFILL_NEXT
    if state.phase == REFILL_NEXT:
        begin_refilling(state)
    if state.phase == CENTRE_NEXT:
        fill_centre(state)
    if state.phase == MARKET_NEXT:
        refill(state, state.region)
        state.phase = TURN_OVER
    if state.phase == TURN_OVER:
        next_turn(state)
        if state.end != 0:
            note_points(state)


@rule
def place_marker(state, slot):
    """§3.2, §6.5 and §7.7. The marker of a site is placed within the action, which then goes on."""
    from_site = state.site != NONE
    mark_progress(state, slot)
    if from_site:
        state.phase = TURN_OVER if state.area == EAST_AREA else CENTRE_NEXT


@rule
def begin_action(state):
    """§3.7. Battle in the east, recruiting in the west; elsewhere farming or building, whichever he likes."""
    if state.area == EAST_AREA:
        begin_battle(state)
    elif state.area == WEST_AREA:
        begin_recruiting(state)
    else:
        state.phase = CHOOSING_ACTION
