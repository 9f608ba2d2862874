"""Celtae, what comes of an action, and what comes next. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.scoring import note_points
from variants.celtae.setup import draft, next_to_draft, pay
from variants.celtae.topics.battle import (
    arm,
    begin_battle,
    can_attack,
    choose_garrison,
    choose_icon,
    defeat,
    end_battle,
    gain_after_army,
    place_garrison,
    raise_rate,
)
from variants.celtae.topics.build import (
    begin_building,
    choose_citadel,
    draw_bonus,
    lower_price,
    place_disk,
    recruit_by_bonus,
)
from variants.celtae.topics.cards import refill
from variants.celtae.topics.farm import add_leaf, buy, can_buy_more, farm
from variants.celtae.topics.recruit import (
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
from variants.celtae.topics.turn import (
    can_swap,
    choose_area,
    choose_side,
    mark_progress,
    move,
    next_turn,
    refresh,
    swap,
)


@rule
def apply(state, action):
    """§2.1 and §2.2. Carries out an action, and goes on to the next decision."""
    phase = state.phase
    if codes.CARD <= action < codes.CARD + codes.CARDS:
        pay_card(state, action - codes.CARD)
    elif phase == codes.MOVING:
        move(state, action - codes.MOVE)
    elif phase == codes.CHOOSING_AREA:
        choose_area(state, action)
        state.phase = codes.REFRESH_NEXT
    elif phase == codes.REFRESHING:
        if action != codes.DONE:
            refresh(state)
        state.phase = codes.SWAP_NEXT
    elif phase == codes.SWAPPING:
        if action != codes.DONE:
            swap(state, action - codes.SWAP)
        state.phase = codes.ACTION_NEXT
    elif phase == codes.PLACING_MARKER:
        place_marker(state, action - codes.PROGRESS)
    elif phase == codes.CHOOSING_SIDE:
        choose_side(state, action - codes.SIDE)
    elif phase == codes.DRAFTING:
        draft(state, action - codes.LEADER)
    elif phase <= codes.GIVING_BONUS:
        apply_in_region(state, action)
    elif phase <= codes.GARRISONING:
        apply_in_battle(state, action)
    else:
        apply_to_tribe(state, action)
    if state.phase >= codes.REFRESH_NEXT:
        go_on(state)


@rule
def pay_card(state, kind):
    """§2.2. Cards are paid one by one; what they are for comes when all are paid, strength with each of
    them.
    """
    pay(state, kind)
    if state.phase == codes.ARMING:
        arm(state)
    elif state.owed > 0:
        return
    elif state.phase == codes.PAYING_DISK:
        place_disk(state)
    elif state.phase == codes.PAYING_GARRISON:
        place_garrison(state)
    elif state.phase == codes.PAYING_DRUID:
        state.phase = codes.REFILL_NEXT
    else:
        next_to_draft(state)


@rule
def apply_in_region(state, action):
    """§4.2 and §5.1 to §5.6. Farming and building."""
    phase = state.phase
    if phase == codes.CHOOSING_ACTION:
        if action < codes.BUILD:
            farm(state)
        else:
            begin_building(state)
    elif phase == codes.BUYING:
        if action == codes.TOKEN:
            add_leaf(state)
        elif action == codes.DONE:
            state.phase = codes.MARKET_NEXT
        else:
            buy(state, action - codes.SLOT)
    elif phase == codes.CHOOSING_CITADEL:
        choose_citadel(state, action - codes.CITADEL)
    elif phase == codes.LOWERING_PRICE:
        lower_price(state, action)
    elif phase == codes.DRAWING_BONUS:
        draw_bonus(state, action - codes.SLOT)
    else:
        recruit_by_bonus(state, action - codes.GIVE)


@rule
def apply_in_battle(state, action):
    """§6.1 to §6.4."""
    phase = state.phase
    if phase == codes.RAISING_RATE:
        raise_rate(state, action)
    elif phase == codes.GARRISONING:
        if action == codes.DONE:
            end_battle(state)
        else:
            choose_garrison(state, action - codes.GARRISON)
    elif phase == codes.ATTACKING:
        if action == codes.DONE:
            state.phase = codes.TURN_OVER
        else:
            defeat(state)
    elif action == codes.DONE:
        state.phase = codes.ATTACK_NEXT
    else:
        choose_icon(state, action - codes.ICON)


@rule
def apply_to_tribe(state, action):
    """§7.1 to §7.6."""
    phase = state.phase
    if phase == codes.GIVING:
        if action == codes.TOKEN:
            add_noble(state)
        elif action == codes.DONE:
            state.phase = codes.TRAINING_NEXT
        else:
            recruit_more(state, action - codes.GIVE)
    elif phase == codes.TRAINING:
        if action == codes.DONE:
            state.phase = codes.REFILL_NEXT
        else:
            train(state)
    elif phase == codes.TAKING:
        take(state, action - codes.TAKE)
    else:
        cut(state, action - codes.CUT)


# ---- from one step of a turn to the next


@rule
def go_on(state):
    """§2.2. To the next decision; what may be done but cannot be done now is not asked. Each step may lead to
    a later one.
    """
    if state.phase == codes.REFRESH_NEXT:
        state.phase = codes.REFRESHING if state.strength[state.turn_owner] > 0 else codes.SWAP_NEXT
    if state.phase == codes.SWAP_NEXT:
        state.phase = codes.SWAPPING if can_swap(state) else codes.ACTION_NEXT
    if state.phase == codes.ACTION_NEXT:
        begin_action(state)
    if state.phase == codes.BUYING_NEXT:
        state.phase = codes.BUYING if can_buy_more(state) else codes.MARKET_NEXT
    if state.phase == codes.ATTACK_NEXT:
        state.phase = codes.ATTACKING if can_attack(state) else codes.TURN_OVER
    if state.phase == codes.TRAINING_NEXT:
        state.phase = codes.TRAINING if can_train(state) else codes.REFILL_NEXT
    if state.phase == codes.REFILL_NEXT:
        begin_refilling(state)
    if state.phase == codes.CENTRE_NEXT:
        fill_centre(state)
    if state.phase == codes.MARKET_NEXT:
        refill(state, state.region)
        state.phase = codes.TURN_OVER
    if state.phase == codes.TURN_OVER:
        next_turn(state)
        if state.end != 0:
            note_points(state)


@rule
def place_marker(state, slot):
    """§3.2, §6.5 and §7.7. The marker of a site is placed within the action, which then goes on."""
    from_site = state.site != codes.NONE
    mark_progress(state, slot)
    if from_site and state.area == codes.EAST_AREA:
        gain_after_army(state)
    elif from_site:
        state.phase = codes.CENTRE_NEXT


@rule
def begin_action(state):
    """§3.7. Battle in the east, recruiting in the west; elsewhere farming or building, whichever he likes."""
    if state.area == codes.EAST_AREA:
        begin_battle(state)
    elif state.area == codes.WEST_AREA:
        begin_recruiting(state)
    else:
        state.phase = codes.CHOOSING_ACTION
