"""Connect Four: seven columns, six rows, four in a row wins."""

from boardgames import Game, begin_turn, next_seat, public, rule
from boardgames.examples.connect_four_drawing import draw

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1  # one empty cell on top of each column keeps lines from wrapping
FOUR, FULL = 1, 2


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    """Most of the time no column is full."""
    if state.full == 0:
        for column in range(COLUMNS):
            actions[column] = column
        return COLUMNS
    n = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            actions[n] = column
            n += 1
    return n


@rule
def apply(state, column):
    state.discs[state.turn_owner] |= 1 << (column * STRIDE + state.height[column])
    state.height[column] += 1
    state.full += state.height[column] == ROWS
    if has_four(state.discs[state.turn_owner]):
        state.winner = state.turn_owner + 1
        state.end = FOUR
    elif state.full == COLUMNS:
        state.end = FULL
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def has_four(discs):
    """Four in a column, a row or a diagonal."""
    return (fours(discs, 1) | fours(discs, STRIDE) | fours(discs, STRIDE - 1) | fours(discs, STRIDE + 1)) != 0


@rule
def fours(discs, step):
    """Where four in a row begin, by shifting two pairs of neighbours."""
    pairs = discs & (discs >> step)
    return pairs & (pairs >> (2 * step))


@rule
def standing(state, seat):
    return int(state.winner == seat + 1)


def say(state, column):
    return f"drop into column {column + 1}"


def describe_result(state):
    won = f"Seat {state.winner} wins: four in a row."
    return won if state.end == FOUR else "Seats 1 and 2 share the win: the board is full."


GAME = Game(
    name="connect-four",
    about="Four discs in a row win.",
    is_example=True,
    player_counts=(2,),
    actions=COLUMNS,
    fields={
        "discs": public("i8", 2, by_seat=True, bits=1),
        "height": public("i2", COLUMNS),
        "full": public("i2"),
        "winner": public("i2"),
    },
    ends=("four in a row", "full board"),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    describe_result=describe_result,
    draw=draw,
    scores=(0, 1),
    turns=(7, 42),
)
