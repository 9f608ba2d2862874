"""Celtae, farming: leaves buy cards from a market. A § names a section of RULES.md."""

from boardgames import rule
from variants.celtae import codes
from variants.celtae.topics.cards import take_from_market
from variants.celtae.topics.turn import spend_token
from variants.celtae.topics.workers import hands_at_work


@rule
def farm(state):
    """§4.1 and §4.2. A leaf for each farmer and druid; the free card comes at once, if there is any."""
    state.power = hands_at_work(state, state.turn_owner, codes.FARMER)
    state.tally[state.turn_owner, codes.FARMS] += 1
    state.slot = 0
    state.phase = codes.MARKET_NEXT
    if state.market[state.region, 0] != codes.NONE:
        buy(state, 0)


@rule
def on_offer(state):
    """§4.2. The spaces whose cards can be bought now, a bit for each: from left to right, and of equal
    neighbours the first.
    """
    market, spaces, before, price_before = state.market[state.region], 0, codes.NONE, -1
    for slot in range(1, codes.SLOTS):
        kind, price = market[slot], state.rules.market_costs[slot - 1]
        if kind != codes.NONE:
            is_equal = kind == before and price == price_before
            spaces |= int(slot > state.slot and price <= state.power and not is_equal) << slot
            before, price_before = kind, price
    return spaces


@rule
def token_buys(state):
    """§3.8 and §4.2. Tokens come before the first purchase, and only while some card is beyond the leaves."""
    if state.slot > 0 or state.tokens[state.turn_owner] == 0:
        return False
    prices = 0
    for slot in range(1, codes.SLOTS):
        if state.market[state.region, slot] != codes.NONE:
            prices += state.rules.market_costs[slot - 1]
    return prices > state.power


@rule
def ways_to_buy(state, actions):
    """§4.2. As many cards as there are leaves for, or none."""
    spaces, n = on_offer(state), 0
    for slot in range(1, codes.SLOTS):
        actions[n] = codes.SLOT + slot
        n += (spaces >> slot) & 1
    actions[n] = codes.TOKEN
    n += int(token_buys(state))
    actions[n] = codes.DONE
    return n + 1


@rule
def buy(state, slot):
    """§4.2. Prices stay as they are until all cards are bought."""
    if slot > 0:
        state.power -= state.rules.market_costs[slot - 1]
    take_from_market(state, state.turn_owner, state.region, slot)
    state.tally[state.turn_owner, codes.BOUGHT] += 1
    state.slot = slot
    state.phase = codes.BUYING_NEXT


@rule
def add_leaf(state):
    """§3.8."""
    spend_token(state, state.turn_owner)
    state.power += 1
    state.phase = codes.BUYING_NEXT


@rule
def can_buy_more(state):
    """§2.2 and §4.2. Whether there is anything to choose."""
    return on_offer(state) != 0 or token_buys(state)
