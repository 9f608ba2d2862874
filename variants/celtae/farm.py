"""Celtae, farming: leaves buy cards from a market. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae.cards import take_from_market
from variants.celtae.codes import BOUGHT, BUYING_NEXT, DONE, FARMER, FARMS, MARKET_NEXT, NONE, SLOT, SLOTS, TOKEN
from variants.celtae.turn import spend_token
from variants.celtae.workers import hands_at_work


@rule
def farm(state):
    """§4.1 and §4.2. A leaf for each farmer and druid; the free card comes at once, if there is any."""
    state.power = hands_at_work(state, state.player, FARMER)
    state.tally[state.player, FARMS] += 1
    state.slot = 0
    state.phase = MARKET_NEXT
    if state.market[state.region, 0] != NONE:
        buy(state, 0)


@rule
def on_offer(state):
    """§4.2. The spaces whose cards can be bought now, a bit for each: from left to right, and of equal neighbours the first."""
    market, found, before, price_before = state.market[state.region], 0, NONE, -1
    for slot in range(1, SLOTS):
        kind, price = market[slot], state.rules.market_costs[slot - 1]
        if kind != NONE:
            twin = kind == before and price == price_before
            found |= int(slot > state.slot and price <= state.power and not twin) << slot
            before, price_before = kind, price
    return found


@rule
def token_buys(state):
    """§3.8 and §4.2. Tokens come before the first purchase, and only while some card is beyond the leaves."""
    if state.slot > 0 or state.tokens[state.player] == 0:
        return False
    prices = 0
    for slot in range(1, SLOTS):
        if state.market[state.region, slot] != NONE:
            prices += state.rules.market_costs[slot - 1]
    return prices > state.power


@rule
def ways_to_buy(state, actions):
    """§4.2. As many cards as there are leaves for, or none."""
    found, n = on_offer(state), 0
    for slot in range(1, SLOTS):
        actions[n] = SLOT + slot
        n += (found >> slot) & 1
    actions[n] = TOKEN
    n += int(token_buys(state))
    actions[n] = DONE
    return n + 1


@rule
def buy(state, slot):
    """§4.2. Prices stay as they are until all cards are bought."""
    if slot > 0:
        state.power -= state.rules.market_costs[slot - 1]
    take_from_market(state, state.player, state.region, slot)
    state.tally[state.player, BOUGHT] += 1
    state.slot = slot
    state.phase = BUYING_NEXT


@rule
def add_leaf(state):
    """§3.8."""
    spend_token(state, state.player)
    state.power += 1
    state.phase = BUYING_NEXT


@rule
def can_buy_more(state):
    """§2.2 and §4.2. Whether there is anything to choose."""
    return on_offer(state) != 0 or token_buys(state)
