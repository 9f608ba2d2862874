"""Tic-tac-toe: take an empty cell in turn; three of your own in a row win."""

from boardgames import Game, begin_turn, next_seat, public, rule

CELLS = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THREE, FULL = 1, 2  # how a match can end, in the order of `ends`


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    n = 0
    for cell in range(len(state.mark)):
        if state.mark[cell] == 0:
            actions[n] = cell
            n += 1
    return n


@rule
def apply(state, cell):
    state.mark[cell] = state.player + 1
    if has_three(state.mark, state.player + 1):
        state.end = THREE
    elif state.turn == len(state.mark):
        state.end = FULL
    else:
        begin_turn(state, next_seat(state, state.player))


@rule
def has_three(mark, mine):
    rows = 0
    for a, b, c in ROWS:
        rows += mark[a] == mark[b] == mark[c] == mine
    return rows > 0


@rule
def standing(state, seat):
    """Whoever made three in a row has won; before that, and on a full board, all are equal."""
    return int(state.end == THREE and state.player == seat)


def say(state, cell):
    return f"take the {CELLS[cell]}"


GAME = Game(
    name="tic-tac-toe", about="Three in a row win.", players=(2,), actions=9,
    fields={"mark": public("i2", 9)},  # 0, or 1 + the seat that took the cell
    setup=setup, legal=legal, apply=apply, standing=standing, say=say,
    ends=("three in a row", "full board"), scores=(0, 1), turns=(5, 9),
)  # fmt: skip
