"""Kuhn poker: jack, queen and king; each of two players antes a chip and gets a card; one chip may be bet,
and called or not.

The first player checks or bets; after a check the second may bet as well. Who folds loses the ante, else the
higher card wins.
"""

from boardgames import Game, begin_turn, next_seat, private, public, random_below, rule

CARDS = ("jack", "queen", "king")
DECLINE, PUT_IN = 0, 1  # to put in a chip is a bet, or a call of one
OPEN, ANSWER = 0, 1  # phases: nobody has bet yet, or a bet waits for an answer
SPOKEN = (("check", "bet"), ("fold", "call"))
DECK = 0  # stream
SHOWDOWN, FOLD = 1, 2  # ends


@rule
def setup(state):
    state.card[0] = random_below(state, DECK, 3)
    state.card[1] = another_card(state, state.card[0])
    begin_turn(state, 0)


@rule
def another_card(state, card):
    """One of the two cards that are not this one."""
    return (card + 1 + random_below(state, DECK, 2)) % 3


@rule
def legal(state, actions):
    actions[0], actions[1] = DECLINE, PUT_IN
    return 2


@rule
def apply(state, action):
    if state.phase == ANSWER and action == PUT_IN:
        show_down(state, 2)
    elif state.phase == ANSWER:
        win(state, next_seat(state, state.turn_owner), 1, FOLD)
    elif action == PUT_IN:
        state.phase = ANSWER
        begin_turn(state, next_seat(state, state.turn_owner))
    elif state.turn == 2:
        show_down(state, 1)
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def show_down(state, chips):
    """The higher card wins."""
    win(state, 0 if state.card[0] > state.card[1] else 1, chips, SHOWDOWN)


@rule
def win(state, winner, chips, end):
    """The winner gets what the other has put in."""
    state.won[winner] = chips
    state.won[1 - winner] = -chips
    state.end = end


@rule
def standing(state, seat):
    return int(state.won[seat])


@rule
def resample(state, seat):
    """The other player may hold either of the cards one does not hold."""
    state.card[1 - seat] = another_card(state, state.card[seat])


def say(state, action):
    return SPOKEN[state.phase][action]


GAME = Game(
    name="kuhn",
    about="Poker with three cards: the smallest game of bluffing.",
    player_counts=(2,),
    actions=2,
    fields={"card": private("i2"), "won": public("i2", 2)},
    streams=("deck",),
    ends=("showdown", "fold"),
    groups={"check or fold": [DECLINE], "bet or call": [PUT_IN]},
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    resample=resample,
    say=say,
    census=lambda state: {"chips won less chips lost": int(state.won.sum())},
    scores=(-2, 2),
    turns=(2, 3),
)
