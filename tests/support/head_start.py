"""Head start: each seat tosses a coin a few times and counts its heads, on top of a head start of its own;
the most points win. Seat 1 tosses more often, so that a fair head start exists and can be computed.
"""

from boardgames import Game, Int, IntPerSeat, begin_turn, next_seat, public, random_below, rule

COIN = 0
DONE = 1


@rule
def setup(state):
    for seat in range(state.players):
        state.points[seat] = state.rules.head_start[seat]
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action):
    tosses = state.rules.tosses
    if state.turn_owner == 0:
        tosses += state.rules.extra
    for _ in range(tosses):
        state.points[state.turn_owner] += random_below(state, COIN, 2)
    if state.turn == state.players:
        state.end = DONE
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return "toss"


GAME = Game(
    name="head-start",
    about="A coin race with a head start for each seat.",
    player_counts=(2, 3),
    actions=1,
    fields={"points": public("i2", 3)},
    parameters=(
        Int("tosses", 4, "tosses of each seat", 1, 9),
        Int("extra", 2, "further tosses of seat 1", 0, 9),
        IntPerSeat("head_start", 0, "points that each seat begins with", 0, 4),
    ),
    streams=("coin",),
    ends=("done",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=lambda rules, seats: (0, 100),
    turns=lambda rules, seats: (seats, seats),
)
