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
        actions[n] = cell  # counted only if it is empty
        n += state.mark[cell] == 0
    return n


@rule
def apply(state, cell):
    state.mark[cell] = state.turn_owner + 1
    if state.turn == len(state.mark):
        state.end = FULL
    for a, b, c in ROWS:
        if state.mark[a] == state.mark[b] == state.mark[c] == state.turn_owner + 1:
            state.end = THREE
    if state.end == 0:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def standing(state, seat):
    return int(state.end == THREE and state.turn_owner == seat)  # on a full board all are equal


def say(state, cell):
    return f"take the {CELLS[cell]}"


GAME = Game(
    name="tic-tac-toe",
    about="Three in a row win.",
    is_example=True,
    player_counts=(2,),
    actions=9,
    fields={"mark": public("i2", 9, first_seat=1)},  # 0, or 1 + the seat that took the cell
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    ends=("three in a row", "full board"),
    scores=(0, 1),
    turns=(5, 9),
)
