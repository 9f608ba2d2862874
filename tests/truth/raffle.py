"""A raffle: each of four seats has tickets, some of its own and five for each token, and one ticket is drawn.
Seat by seat the chances to win are known. With one token each the first two seats are ahead; with 0/1/2/2 all
seats are just within 3 percentage points of fair, with 1/2/3/3 and 2/3/4/4 well within.
"""

from boardgames import Game, IntPerSeat, begin_turn, next_seat, public, random_below, rule

DRAW = 0
DRAWN = 1
TICKETS = (14, 10, 2, 3)
WORTH = 5  # tickets of a token


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action):
    if state.turn < state.players:
        begin_turn(state, next_seat(state, state.turn_owner))
        return
    every = 0
    for seat in range(state.players):
        every += count_tickets(state.rules, seat)
    drawn = random_below(state, DRAW, 1_000_000) * every // 1_000_000
    winner = 0
    while drawn >= count_tickets(state.rules, winner):
        drawn -= count_tickets(state.rules, winner)
        winner += 1
    state.points[winner] = 1
    state.end = DRAWN


@rule
def count_tickets(rules, seat):
    return TICKETS[seat] + WORTH * rules.tokens[seat]


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return "wait and see"


GAME = Game(
    name="raffle",
    about="A raffle in which the seats have different numbers of tickets.",
    player_counts=(4,),
    actions=1,
    fields={"points": public("i2", 4)},
    parameters=(IntPerSeat("tokens", 1, "tokens that each seat begins with", 0, 5),),
    streams=("draw",),
    ends=("drawn",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=(0, 1),
    turns=(4, 4),
)
