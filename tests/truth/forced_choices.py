"""Forced choices: two seats choose in turn, and three choices in ten are forced, however long the match. So
two lengths have the same share of forced decisions, of very different numbers; and a length is exact.
"""

from boardgames import Game, Int, begin_turn, next_seat, public, random_below, rule

COIN = 0  # stream
LAST_CHOICE = 1  # end


@rule
def setup(state):
    begin_turn(state, 0)
    state.is_forced = random_below(state, COIN, 10) < 3


@rule
def legal(state, actions):
    """Leave it or take a point; or leave it, if that is forced."""
    actions[0] = 0
    actions[1] = 1
    return 1 if state.is_forced else 2


@rule
def apply(state, action):
    state.points[state.turn_owner] += action
    if state.turn == state.rules.length:
        state.end = LAST_CHOICE
        return
    begin_turn(state, next_seat(state, state.turn_owner))
    state.is_forced = random_below(state, COIN, 10) < 3


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return ("leave it", "take a point")[action]


GAME = Game(
    name="forced-choices",
    about="Three choices in ten are forced, in short and in long matches.",
    player_counts=(2,),
    actions=2,
    fields={"points": public("i2", 2), "is_forced": public("i2")},
    parameters=(Int("length", 4, "turns of a match", 1, 1000),),
    streams=("coin",),
    ends=("last choice",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=lambda rules, players: (0, int(rules.length)),
    turns=lambda rules, players: (int(rules.length), int(rules.length)),
    cap=1000,
)
