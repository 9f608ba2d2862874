"""First six: roll the die in turn; the first six wins."""

from boardgames import Game, begin_turn, next_seat, random_below, rule

DIE = 0  # stream
SIX = 1  # end


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action):
    if random_below(state, DIE, 6) == 5:
        state.end = SIX
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    """Whoever rolled the six has won."""
    return int(state.end == SIX and state.turn_owner == seat)


def say(state, action):
    return "roll the die"


GAME = Game(
    name="first-six",
    about="The first to roll a six wins.",
    player_counts=range(2, 6),
    actions=1,
    fields={},
    streams=("die",),
    ends=("a six",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=(0, 1),
    cap=1_000,  # a match without a six so far has the same chance to go on as a new one
)
