"""Tic-tac-toe: the rules, each citing its section of RULES.md."""

from boardgames import begin_turn, next_seat, rule

CELLS = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THREE, FULL = 1, 2  # ends


@rule
def setup(state):
    """§1."""
    begin_turn(state, 0)


@rule
def legal(state, actions):
    """§1."""
    n = 0
    for cell in range(len(state.mark)):
        if state.mark[cell] == 0:
            actions[n] = cell
            n += 1
    return n


@rule
def apply(state, cell):
    """§1 and §2."""
    state.mark[cell] = state.turn_owner + 1
    if has_three(state.mark, state.turn_owner + 1):
        state.end = THREE
    elif state.turn == len(state.mark):
        state.end = FULL
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def has_three(mark, mine):
    """§2."""
    rows = 0
    for a, b, c in ROWS:
        rows += mark[a] == mark[b] == mark[c] == mine
    return rows > 0


@rule
def standing(state, seat):
    """§2. Nobody is ahead before somebody has three."""
    return int(state.end == THREE and (state.turn_owner == seat) != state.rules.misere)


def say(state, cell):
    return f"take the {CELLS[cell]}"
