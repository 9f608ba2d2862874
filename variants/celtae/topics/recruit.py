"""Celtae, recruiting: workers join the tribe, druids are trained, and the tribe is cut. A § names a section
of RULES.md.
"""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.setup import take_tile, turn_up
from variants.celtae.topics.counts import count, covers, kinds_from, one, total, ways_to_choose
from variants.celtae.topics.turn import spend_token
from variants.celtae.topics.workers import (
    count_missing_active,
    fill_ring,
    hands_at_work,
    recruit,
    return_to_bag,
    take_from_centre,
)


@rule
def begin_recruiting(state):
    """§7.1 and §7.2. One worker, and one more for each noble."""
    state.tally[state.turn_owner, codes.RECRUITINGS] += 1
    state.power = min(codes.ACTIVE, 1 + hands_at_work(state, state.turn_owner, codes.NOBLE))
    state.payable = codes.ALL_KINDS
    state.phase = codes.GIVING


@rule
def recruits_left(state):
    """§7.1. Active workers that can still be recruited, in rising order."""
    return int(state.active[state.turn_owner]) & int(state.payable)


@rule
def token_recruits(state):
    """§3.8 and §7.2. A token as a noble, when all that nobles allow are recruited."""
    recruited = count_missing_active(state, state.turn_owner)
    return (
        state.tokens[state.turn_owner] > 0
        and recruited == state.power < codes.ACTIVE
        and recruits_left(state) != 0
    )


@rule
def ways_to_recruit(state, actions):
    """§7.1. At least one."""
    n, recruited = 0, count_missing_active(state, state.turn_owner)
    if recruited < state.power:
        n = ways_to_choose(recruits_left(state), 1, codes.GIVE, actions)
    actions[n] = codes.TOKEN
    n += int(token_recruits(state))
    actions[n] = codes.DONE
    return n + int(recruited > 0)


@rule
def recruit_more(state, kind):
    """§7.1."""
    recruit(state, state.turn_owner, kind)
    state.payable = kinds_from(state.payable, kind)
    state.tally[state.turn_owner, codes.RECRUITED] += 1
    more = count_missing_active(state, state.turn_owner) < state.power and recruits_left(state) != 0
    if not more and not token_recruits(state):
        state.phase = codes.TRAINING_NEXT


@rule
def add_noble(state):
    """§3.8."""
    spend_token(state, state.turn_owner)
    state.power += 1


# ---- druids


@rule
def can_train(state):
    """§7.3 and §7.4."""
    seat, site = state.turn_owner, codes.DRUIDS + state.region
    if state.top[site] == codes.NONE or state.druids[state.region] == 0:
        return False
    druids = count(int(state.tribe[seat]), codes.DRUID) + 1
    return total(int(state.hand[seat])) >= druids and covers(
        state.tribe[seat], state.rules.druid_workers[state.top[site]]
    )


@rule
def ways_to_train(state, actions):
    """§7.3."""
    actions[0] = codes.TRAIN + state.region
    actions[1] = codes.DONE
    return 2


@rule
def train(state):
    """§7.3 and §7.4. One druid in an action; a card is due for each druid of the tribe, the new one too. The
    next tile stays face down until the cards are paid and the new workers taken.
    """
    seat, site = state.turn_owner, codes.DRUIDS + state.region
    workers = int(state.rules.druid_workers[state.top[site]])
    state.tribe[seat] += one(codes.DRUID) - workers
    return_to_bag(state, workers)
    state.druids[state.region] -= 1
    take_tile(state, seat, site)
    state.tally[seat, codes.TRAINED] += 1
    state.owed = count(int(state.tribe[seat]), codes.DRUID)
    state.payable = codes.ALL_KINDS
    state.phase = codes.PAYING_DRUID


# ---- after it


@rule
def begin_refilling(state):
    """§7.5."""
    state.owed = count_missing_active(state, state.turn_owner)
    state.payable = codes.ALL_KINDS
    state.phase = codes.TAKING


@rule
def workers_to_take(state, actions):
    """§7.5. Whichever he likes of those in the centre."""
    return ways_to_choose(int(state.ring[codes.CENTRE]) & int(state.payable), state.owed, codes.TAKE, actions)


@rule
def take(state, kind):
    """§7.5. When all three are active again, the centre is filled."""
    take_from_centre(state, state.turn_owner, kind)
    state.owed -= 1
    state.payable = kinds_from(state.payable, kind)
    if state.owed == 0:
        state.phase = codes.CENTRE_NEXT


@rule
def fill_centre(state):
    """§7.5, §7.3, §7.6 and §7.7. Then come the next druid tile, the marker of the last one, and the cut;
    after the cut the centre is complete.
    """
    fill_ring(state, codes.CENTRE)
    if state.top[codes.DRUIDS + state.region] == codes.NONE:
        turn_up(state, codes.DRUIDS + state.region)
    over = total(int(state.tribe[state.turn_owner])) - state.rules.tribe_limit
    if state.site != codes.NONE:
        state.phase = codes.PLACING_MARKER
    elif over > 0:
        state.owed = over
        state.payable = codes.ALL_KINDS
        state.phase = codes.CUTTING
    else:
        state.phase = codes.TURN_OVER


@rule
def workers_to_cut(state, actions):
    """§7.6. Whichever he likes."""
    return ways_to_choose(
        int(state.tribe[state.turn_owner]) & int(state.payable), state.owed, codes.CUT, actions
    )


@rule
def cut(state, kind):
    """§7.6 and §7.5. Into the bag, but a druid leaves the match; then the centre is certainly complete."""
    state.tribe[state.turn_owner] -= one(kind)
    if kind == codes.DRUID:
        state.gone_druids += 1
    else:
        return_to_bag(state, one(kind))
    state.owed -= 1
    state.payable = kinds_from(state.payable, kind)
    if state.owed == 0:
        state.phase = codes.CENTRE_NEXT
