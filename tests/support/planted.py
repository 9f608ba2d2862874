"""A game whose parameters do what was planted: seat 1 wins with a chance that they decide.

- pair: 62%, and 50% where a is 3 and b is 1, and nowhere else.
- sum: 74%, less 4 for each point of a, b and c.
- edge: 62%, 52.7% with any change, and 50% where a is 4.
- nothing: 53.1%, whatever they are.

Each mix of a, b and c has luck of its own, so that changes that do nothing differ by chance.
"""

from boardgames import Game, Int, OneOf, begin_turn, next_seat, public, random_below, rule

CHANCE = 0
DECIDED = 1
PAIR, SUM, EDGE = 0, 1, 3


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
    for _ in range(25 * state.rules.a + 5 * state.rules.b + state.rules.c):
        random_below(state, CHANCE, 1000)
    loser = random_below(state, CHANCE, 1000) >= find_chance(state.rules)
    state.points[int(loser)] = 1
    state.end = DECIDED


@rule
def find_chance(rules):
    """Of 1000, how often seat 1 wins."""
    if rules.plant == PAIR:
        return 500 if rules.a == 3 and rules.b == 1 else 620
    if rules.plant == SUM:
        return 740 - 40 * (rules.a + rules.b + rules.c)
    if rules.plant == EDGE and rules.a == 4:
        return 500
    if rules.plant == EDGE:
        return 527 if rules.a + rules.b + rules.c > 0 else 620
    return 531


@rule
def standing(state, seat):
    return int(state.points[seat])


def say(state, action):
    return "wait and see"


def refuse(rules, players):
    return "a and c cannot both be 4" if rules.a == 4 and rules.c == 4 else None


GAME = Game(
    name="planted",
    about="A game with known effects of its parameters.",
    player_counts=(2,),
    actions=1,
    fields={"points": public("i2", 2)},
    parameters=(
        OneOf("plant", "pair", "what the other parameters do", ("pair", "sum", "nothing", "edge")),
        *(Int(name, 0, "a number that may do something", 0, 4) for name in ("a", "b", "c")),
    ),
    streams=("chance",),
    ends=("decided",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=(0, 1),
    turns=(2, 2),
    refuse=refuse,
)
