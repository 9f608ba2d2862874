"""A co-operative game: all gather wood for one fire, and anyone may end the evening."""

from boardgames import Game, begin_turn, next_seat, public, random_below, rule

GATHER, STOP = 0, 1
TURNS = 8


@rule
def setup(state):
    state.wood = random_below(state, 0, 3)
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0], actions[1] = GATHER, STOP
    return 2


@rule
def apply(state, action):
    if action == GATHER:
        state.wood += 1 + random_below(state, 0, 3)
    if action == STOP or state.turn == TURNS:
        state.end = 1
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    return int(state.wood)


def say(state, action):
    return ("gather wood", "end the evening")[action]


def make_campfire(is_cooperative: bool) -> Game:
    return Game(
        name="campfire",
        player_counts=(2, 3),
        actions=2,
        fields={"wood": public("i2")},
        streams=("wood",),
        setup=setup,
        legal=legal,
        apply=apply,
        standing=standing,
        say=say,
        is_cooperative=is_cooperative,
    )


GAME = make_campfire(is_cooperative=True)
UNDECLARED = make_campfire(is_cooperative=False)
