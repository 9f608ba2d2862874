"""Celtae, recruiting: workers join the tribe, druids are trained, and the tribe is cut. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae.codes import (
    ACTIVE,
    ALL_KINDS,
    CENTRE,
    CENTRE_NEXT,
    CUT,
    CUTTING,
    DONE,
    DRUID,
    DRUIDS,
    GIVE,
    GIVING,
    NOBLE,
    NONE,
    PAYING_DRUID,
    PLACING_MARKER,
    RECRUITED,
    RECRUITINGS,
    TAKE,
    TAKING,
    TOKEN,
    TRAIN,
    TRAINED,
    TRAINING_NEXT,
    TURN_OVER,
)
from variants.celtae.counts import count, covers, one, rising, total, ways_to_choose
from variants.celtae.setup import take_tile
from variants.celtae.turn import spend_token
from variants.celtae.workers import (
    fill_ring,
    hands_at_work,
    missing_active,
    recruit,
    return_to_bag,
    take_from_centre,
)


@rule
def begin_recruiting(state):
    """§7.1 and §7.2. One worker, and one more for each noble."""
    state.tally[state.player, RECRUITINGS] += 1
    state.power = min(ACTIVE, 1 + hands_at_work(state, state.player, NOBLE))
    state.payable = ALL_KINDS
    state.phase = GIVING


@rule
def recruits_left(state):
    """§7.1. Active workers that can still be recruited, in rising order."""
    return int(state.active[state.player]) & int(state.payable)


@rule
def token_recruits(state):
    """§3.8 and §7.2. A token as a noble, when all that nobles allow are recruited."""
    recruited = missing_active(state, state.player)
    return state.tokens[state.player] > 0 and recruited == state.power < ACTIVE and recruits_left(state) != 0


@rule
def ways_to_recruit(state, actions):
    """§7.1. At least one."""
    n, recruited = 0, missing_active(state, state.player)
    if recruited < state.power:
        n = ways_to_choose(recruits_left(state), 1, GIVE, actions)
    actions[n] = TOKEN
    n += int(token_recruits(state))
    actions[n] = DONE
    return n + int(recruited > 0)


@rule
def recruit_more(state, kind):
    """§7.1."""
    recruit(state, state.player, kind)
    state.payable = rising(state.payable, kind)
    state.tally[state.player, RECRUITED] += 1
    more = missing_active(state, state.player) < state.power and recruits_left(state) != 0
    if not more and not token_recruits(state):
        state.phase = TRAINING_NEXT


@rule
def add_noble(state):
    """§3.8."""
    spend_token(state, state.player)
    state.power += 1


# ---- druids


@rule
def can_train(state):
    """§7.3 and §7.4."""
    seat, site = state.player, DRUIDS + state.region
    if state.top[site] == NONE or state.druids[state.region] == 0:
        return False
    druids = count(int(state.tribe[seat]), DRUID) + 1
    return total(int(state.hand[seat])) >= druids and covers(state.tribe[seat], state.rules.druid_workers[state.top[site]])


@rule
def ways_to_train(state, actions):
    """§7.3."""
    actions[0] = TRAIN + state.region
    actions[1] = DONE
    return 2


@rule
def train(state):
    """§7.3 and §7.4. One druid in an action; a card is due for each druid of the tribe, the new one too."""
    seat, site = state.player, DRUIDS + state.region
    workers = int(state.rules.druid_workers[state.top[site]])
    state.tribe[seat] += one(DRUID) - workers
    return_to_bag(state, workers)
    state.druids[state.region] -= 1
    take_tile(state, seat, site)
    state.tally[seat, TRAINED] += 1
    state.owed = count(int(state.tribe[seat]), DRUID)
    state.payable = ALL_KINDS
    state.phase = PAYING_DRUID


# ---- after it


@rule
def begin_refilling(state):
    """§7.5."""
    state.owed = missing_active(state, state.player)
    state.payable = ALL_KINDS
    state.phase = TAKING


@rule
def workers_to_take(state, actions):
    """§7.5. Whichever he likes of those in the centre."""
    return ways_to_choose(int(state.ring[CENTRE]) & int(state.payable), state.owed, TAKE, actions)


@rule
def take(state, kind):
    """§7.5. When all three are active again, the centre is filled."""
    take_from_centre(state, state.player, kind)
    state.owed -= 1
    state.payable = rising(state.payable, kind)
    if state.owed == 0:
        state.phase = CENTRE_NEXT


@rule
def fill_centre(state):
    """§7.5, §7.6 and §7.7. Then come the marker of the last druid tile, and the cut; after the cut the centre is complete."""
    fill_ring(state, CENTRE)
    over = total(int(state.tribe[state.player])) - state.rules.tribe_limit
    if state.site != NONE:
        state.phase = PLACING_MARKER
    elif over > 0:
        state.owed = over
        state.payable = ALL_KINDS
        state.phase = CUTTING
    else:
        state.phase = TURN_OVER


@rule
def workers_to_cut(state, actions):
    """§7.6. Whichever he likes."""
    return ways_to_choose(int(state.tribe[state.player]) & int(state.payable), state.owed, CUT, actions)


@rule
def cut(state, kind):
    """§7.6 and §7.5. Into the bag, but a druid leaves the match; then the centre is complete for sure."""
    state.tribe[state.player] -= one(kind)
    if kind == DRUID:
        state.gone_druids += 1
    else:
        return_to_bag(state, one(kind))
    state.owed -= 1
    state.payable = rising(state.payable, kind)
    if state.owed == 0:
        state.phase = CENTRE_NEXT
