"""The p-deterministic game: in p percent of the matches the stronger always beats the weaker, in the others
luck decides alone.

Each seat has one turn without a choice; the last of them settles the finishing order.
"""

from boardgames import Game, Int, IntPerSeat, begin_turn, next_seat, public, random_below, rule, shuffle

MOST = 5
SKILL, LUCK = 0, 1  # streams: whether skill decides, and the order if it does not
SETTLED = 1  # end


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
    for seat in range(state.players):
        state.beaten[seat] = weaker(state, seat)
    if random_below(state, SKILL, 100) >= state.rules.p:
        shuffle(state, LUCK, state.beaten[: state.players])
    state.end = SETTLED


@rule
def weaker(state, seat):
    """How many seats are weaker than this one."""
    n = 0
    for other in range(state.players):
        n += state.rules.strength[other] < state.rules.strength[seat]
    return n


@rule
def standing(state, seat):
    return int(state.beaten[seat])


def say(state, action):
    return "do your best"


def refuse(rules, seats):
    strengths = sorted(map(int, rules.strength[:seats]))
    return (
        None
        if len(set(strengths)) == seats
        else f"two seats are equally strong: {'/'.join(map(str, strengths))}"
    )


GAME = Game(
    name="p-deterministic",
    about="Skill decides with a known chance.",
    player_counts=range(2, MOST + 1),
    actions=1,
    fields={"beaten": public("i2", MOST)},
    parameters=(
        Int("p", 50, "percent of the matches that skill decides", 0, 100),
        IntPerSeat(
            "strength",
            (5, 4, 3, 2, 1),
            "who beats whom where skill decides: the higher number; all different",
            0,
            99,
        ),
    ),
    streams=("skill", "luck"),
    ends=("settled",),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=lambda rules, seats: (0, seats - 1),
    turns=lambda rules, seats: (seats, seats),
    refuse=refuse,
)
