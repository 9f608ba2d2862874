"""Magpies: line your nest with shiny things, and watch what the others carry home. For 2 to 4.

There are 30 cards: 10 buttons, 8 spoons, 6 coins, 4 rings and 2 crowns. Pairs of them are worth 1, 2, 3, 5 and 8 points.

1. Everybody is dealt five cards (four, if four play). The rest is the deck; beside it is room for the meadow.
2. In your turn first fetch a card, in one of three ways:
   a. fly out: draw the top card of the deck, unseen (no deck? shuffle the meadow);
   b. pick up a card from the meadow, openly, so that all know you hold it;
   c. snatch a card that another magpie is known to hold. She may chase you: then she drops another card and keeps this one.
3. Then put down as many pairs as you like (a), and end the turn: drop a card on the meadow (b), or rest (c), if you hold
   no more cards than you began with.
4. The match ends at once when a nest has four pairs, or with winter, after 12 turns each. Most points win; among
   equals the nest with more pairs, then the magpie with fewer cards in hand.
"""

from boardgames import Choice, Game, House, List, Number, PerPlayers, PerSeat, Switch, begin_turn, next_seat, own, public, hidden, rule
from tests.truth.card_game_cards import (
    CARDS, KINDS, count_cards, deal, deal_anew, drop, fly_out, gain_openly, lose, may_pick, pick_up, weave,
)  # fmt: skip

MOST = 4
THINGS = ("button", "spoon", "coin", "ring", "crown")
FETCH, CHASE, LINE = 0, 1, 2  # phases: fetch a card, answer a snatch, line the nest
FULL_NEST, WINTER = 1, 2  # ends
SNATCHED, CHASED, RESTED = 0, 1, 2  # tallies

FLY_OUT = 0
PICK_UP = FLY_OUT + 1  # + kind
SNATCH = PICK_UP + KINDS  # + seat * KINDS + kind
LET_GO = SNATCH + MOST * KINDS
CHASE_OFF = LET_GO + 1  # + kind that is dropped for it
WEAVE = CHASE_OFF + KINDS  # + kind
DROP = WEAVE + KINDS  # + kind
REST = DROP + KINDS
ACTIONS = REST + 1


@rule
def setup(state):
    """§1."""
    deal(state)
    state.dropped_last = -1
    begin_turn(state, 0)


@rule
def legal(state, actions):
    if state.phase == FETCH:
        return ways_to_fetch(state, actions)
    if state.phase == CHASE:
        return answers(state, actions)
    return ways_to_line(state, actions)


@rule
def ways_to_fetch(state, actions):
    """§2. With nothing to fetch anywhere, one can only rest."""
    n = 0
    if state.deck.sum() + state.meadow.sum() > 0:
        actions[n] = FLY_OUT
        n += 1
    for kind in range(KINDS):
        if may_pick(state, kind):
            actions[n] = PICK_UP + kind
            n += 1
    for seat in range(state.seats):
        for kind in range(KINDS):
            if seat != state.player and state.known[seat, kind] > 0:
                actions[n] = SNATCH + seat * KINDS + kind
                n += 1
    if n == 0:
        actions[0] = REST
        n = 1
    return n


@rule
def answers(state, actions):
    """§2c. Let it go, or drop a card of another kind to chase the thief off."""
    actions[0] = LET_GO
    n = 1
    for kind in range(KINDS):
        if kind != state.wanted and state.hand[state.actor, kind] > 0:
            actions[n] = CHASE_OFF + kind
            n += 1
    return n


@rule
def ways_to_line(state, actions):
    """§3."""
    n = 0
    for kind in range(KINDS):
        if state.hand[state.player, kind] >= 2:
            actions[n] = WEAVE + kind
            n += 1
        if state.hand[state.player, kind] >= 1:
            actions[n] = DROP + kind
            n += 1
    if state.hand[state.player].sum() <= state.rules.hand_size:
        actions[n] = REST
        n += 1
    return n
