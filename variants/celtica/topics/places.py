"""Celtica's places: what happens where a druid lands. A § is a section of RULES.md.

Each action leaves the phase that says what is to be chosen next, or TURN_OVER.
"""

from boardgames import rule
from variants.celtica import codes
from variants.celtica.topics.ending import druids_home
from variants.celtica.topics.pieces import draw_druid_card, give_up_part, learn, refill, take_part, total


@rule
def land_on(state, place):
    """§3.2. Only the place where the druid stops counts."""
    kind = state.rules.place_kind[place]
    state.tally[state.turn_owner, codes.VISITS + kind] += 1
    if kind == codes.RUIN:
        land_on_ruin(state, place)
    elif kind == codes.CULT_SITE:
        land_on_cult_site(state)
    elif kind == codes.GOAL and not is_goal_paying(state):
        state.phase = codes.TURN_OVER
    else:
        land_on_amulet_site(state, place)


# ---- amulet sites and the goal


@rule
def is_goal_paying(state):
    """§4.7, §6.1. Not in one edition, nor where the match is over at once when the fifth druid gets there."""
    if state.rules.fifth_druid == codes.AT_ONCE and druids_home(state) == codes.COLOURS:
        return False
    return state.rules.goal_pays > 0


@rule
def land_on_amulet_site(state, place):
    """§4.1, §4.7. As many parts as are printed there."""
    state.owed = state.rules.place_parts[place]
    take_more(state)


@rule
def take_more(state):
    """§4.1. As long as parts are due, and any are displayed."""
    if total(state.display) == 0:
        state.owed = 0
    state.phase = codes.TAKING if state.owed > 0 else codes.TURN_OVER


@rule
def parts_to_take(state, actions):
    """§4.1. Whichever he likes of those displayed."""
    display, n = state.display, 0
    for kind in range(codes.KINDS):
        actions[n] = codes.TAKE + kind
        n += display[kind] > 0  # else the next one is written over it: faster than a branch
    return n


@rule
def take(state, kind):
    """§4.1, §4.2."""
    take_part(state, state.turn_owner, kind)
    state.owed -= 1
    refill(state, codes.AFTER_PART)
    take_more(state)
    if state.phase == codes.TURN_OVER:
        refill(state, codes.AFTER_TAKING)


# ---- ruins


@rule
def payer(state):
    """§4.3. Who loses parts in the ruin that a druid was moved to: the player himself."""
    return state.turn_owner


@rule
def land_on_ruin(state, place):
    """§4.3. Who has fewer parts than are printed there gives what he has."""
    state.owed = min(state.rules.place_parts[place], total(state.parts[payer(state)]))
    give_more(state)


@rule
def give_more(state):
    """§4.3, §4.4. First the loss, then the experience, which comes even if there was nothing to lose."""
    state.phase = codes.GIVING if state.owed > 0 else codes.TURN_OVER
    if state.owed == 0:
        learn(state, state.turn_owner)


@rule
def parts_to_give(state, actions):
    """§4.3. Whichever he likes, out of complete amulets too."""
    parts, n = state.parts[payer(state)], 0
    for kind in range(codes.KINDS):
        actions[n] = codes.GIVE + kind
        n += parts[kind] > 0
    return n


@rule
def give(state, kind):
    """§4.3."""
    give_up_part(state, payer(state), kind)
    state.owed -= 1
    give_more(state)


# ---- cult sites


@rule
def land_on_cult_site(state):
    """§4.5. There is a choice unless all druid cards are in hands, or the rules have no draw."""
    nothing = (
        state.rules.cult_draw == codes.NEVER or total(state.druid_deck) + total(state.druid_discard) == 0
    )
    state.phase = codes.TURN_OVER if nothing else codes.CULT


@rule
def cult_choices(state, actions):
    """§4.5."""
    actions[0] = codes.DRAW_CARD
    actions[1] = codes.NO_CARD
    return 1 if state.rules.cult_draw == codes.MUST else 2


@rule
def answer_cult(state, action):
    """§4.5. Decided before the card is seen; who draws with his last card is back in the round."""
    if action == codes.NO_CARD:
        state.tally[state.turn_owner, codes.CULT_REFUSED] += 1
    else:
        draw_at_cult_site(state, state.turn_owner)
    state.phase = codes.TURN_OVER


@rule
def draw_at_cult_site(state, seat):
    """§4.5, §4.6. In one edition the next turn has to begin with the drawn colour."""
    colour = draw_druid_card(state)
    state.hand[seat, colour] += 1
    state.tally[seat, codes.CULT_TAKEN] += 1
    if state.rules.cult_deadline == codes.NEXT_TURN:
        state.due[seat] = 1 + colour
        state.drew[seat] = 1
