"""Pig: roll the die as often as you dare. A one loses what the turn has gathered; holding banks it. First to
the target wins.
"""

from boardgames import Game, Int, IntPerSeat, begin_turn, next_seat, public, random_below, rule

ROLL, HOLD = 0, 1
SPOKEN = ("roll the die", "hold")
DIE = 0  # stream
REACHED = 1  # end
ROLLS, ONES = 0, 1  # tallies
MOST = 5


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    """Nobody holds before the first roll, nor rolls on with enough to win; a seat told when to hold has no
    choice at all.
    """
    if must_roll(state):
        actions[0] = ROLL
        return 1
    if must_hold(state):
        actions[0] = HOLD
        return 1
    actions[0], actions[1] = ROLL, HOLD
    return 2


@rule
def must_roll(state):
    return state.gathered == 0 or (
        state.gathered < state.rules.hold_at[state.turn_owner] and not enough(state)
    )


@rule
def must_hold(state):
    return enough(state) or state.rules.hold_at[state.turn_owner] > 0


@rule
def enough(state):
    return state.banked[state.turn_owner] + state.gathered >= state.rules.target


@rule
def apply(state, action):
    if action == ROLL:
        roll(state)
    else:
        hold(state)


@rule
def roll(state):
    """A one ends the turn with nothing; any other number is gathered."""
    number = 1 + random_below(state, DIE, 6)
    state.tally[state.turn_owner, ROLLS] += 1
    if number > 1:
        state.gathered += number
    else:
        state.tally[state.turn_owner, ONES] += 1
        pass_the_die(state)


@rule
def hold(state):
    """What was gathered is safe now, and enough of it wins."""
    state.banked[state.turn_owner] += state.gathered
    if state.banked[state.turn_owner] >= state.rules.target:
        state.end = REACHED
    else:
        pass_the_die(state)


@rule
def pass_the_die(state):
    state.gathered = 0
    begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    return int(state.banked[seat])


def say(state, action):
    return SPOKEN[action]


def describe_effects(before, after, action, seat):
    """What the die showed, or what is safe now."""
    player = before.turn_owner
    if action == HOLD:
        return [f"{before.gathered} banked; seat {player + 1} has {after.banked[player]}"]
    if after.tally[player, ONES] > before.tally[player, ONES]:
        return [f"a 1: {before.gathered} lost"]
    return [f"a {after.gathered - before.gathered}: {after.gathered} gathered"]


GAME = Game(
    name="pig",
    about="Roll on or hold: the first to reach the target wins.",
    is_example=True,
    player_counts=range(2, MOST + 1),
    actions=len(SPOKEN),
    fields={"banked": public("i2", MOST, by_seat=True), "gathered": public("i2")},
    parameters=(
        Int("target", 100, "points that win", 10, 200),
        IntPerSeat(
            "hold_at",
            0,
            "a test device: this seat rolls until it has gathered so many, then holds; 0 = as it likes",
            0,
            50,
        ),
    ),
    streams=("die",),
    ends=("target reached",),
    tallies=("rolls", "ones"),
    groups={"roll": [ROLL], "hold": [HOLD]},
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    describe_effects=describe_effects,
    scores=lambda rules, seats: (0, int(rules.target) + 5),
    cap=20_000,  # ones for ever: the game has no longest match
)
