"""Coin race: seat 1 tosses a coin and seat 2 watches, again and again; heads is a point for seat 1, tails for
seat 2.

A round is one toss, so the lead round by round is the random walk of Feller's chapter on fluctuations in coin
tossing.
"""

from boardgames import Game, Int, begin_turn, next_seat, public, random_below, rule

TOSS, WATCH = 0, 1
SPOKEN = ("toss the coin", "watch")
COIN = 0  # stream
LAST_TOSS = 1  # end


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    """Seat 1 tosses, seat 2 watches."""
    actions[0] = TOSS if state.turn_owner == 0 else WATCH
    return 1


@rule
def apply(state, action):
    if action == TOSS:
        state.points[random_below(state, COIN, 2)] += 1
    if state.turn == 2 * state.rules.steps:
        state.end = LAST_TOSS
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return SPOKEN[action]


GAME = Game(
    name="coin-race",
    about="The fairest race there is: more heads or more tails?",
    player_counts=(2,),
    actions=len(SPOKEN),
    fields={"points": public("i2", 2)},
    parameters=(Int("steps", 21, "how often the coin is tossed; an odd number leaves no tie", 1, 999),),
    streams=("coin",),
    ends=("last toss",),
    groups={"toss": [TOSS], "watch": [WATCH]},
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=lambda rules, seats: (0, int(rules.steps)),
    turns=lambda rules, seats: (2 * int(rules.steps), 2 * int(rules.steps)),
)
