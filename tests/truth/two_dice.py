"""Two dice: seat 1 throws a small and a large die; seat 2 has what they show on average. Before that, each
seat may take a bonus or leave it. Seat 1 may have a head start.

Without a bonus the variance of the lead is that of the two dice, and who wins can be counted on the fingers.
"""

from boardgames import Game, Int, begin_turn, next_seat, public, random_below, rule

TAKE, LEAVE = 0, 1
SPOKEN = ("take the bonus", "leave the bonus")
SMALL, LARGE = 0, 1  # streams
THROWN = 1  # end


@rule
def setup(state):
    state.points[0] = state.rules.head_start
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0], actions[1] = TAKE, LEAVE
    return 2


@rule
def apply(state, action):
    if action == TAKE:
        state.points[state.turn_owner] += state.rules.bonus
    if state.turn < state.players:
        begin_turn(state, next_seat(state, state.turn_owner))
        return
    small = 1 + random_below(state, SMALL, state.rules.small)
    large = 1 + random_below(state, LARGE, state.rules.large)
    state.points[0] += 2 * (small + large)
    state.points[1] += state.rules.small + state.rules.large + 2
    state.end = THROWN


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return SPOKEN[action]


GAME = Game(
    name="two-dice",
    about="A small die, a large die, and perhaps a bonus.",
    player_counts=(2,),
    actions=len(SPOKEN),
    fields={"points": public("i4", 2, by_seat=True)},
    parameters=(
        Int("small", 4, "sides of the small die", 1, 100),
        Int("large", 8, "sides of the large die", 1, 100),
        Int("bonus", 0, "points of the bonus", 0, 1000),
        Int("head_start", 0, "points that seat 1 begins with", 0, 1000),
    ),
    streams=("small die", "large die"),
    ends=("thrown",),
    groups={"take": [TAKE], "leave": [LEAVE]},
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=lambda rules, seats: (0, int(2 * (rules.small + rules.large) + rules.bonus + rules.head_start)),
    turns=lambda rules, seats: (seats, seats),
)
