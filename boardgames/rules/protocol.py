"""The functions that a game is made of. The platform calls these names; each game's own functions are put in their place.

All work on a state record, in place. They are rules: compiled for batches, plain in the debugger. docs: README, "Add a game".
"""

from boardgames.rules.chance import rekey
from boardgames.rules.rulecode import rule


@rule
def setup(state):
    """Lay out the table from state.rules and the chance streams, and begin the first turn. The record comes zeroed."""


@rule
def legal(state, actions):
    """Write the legal actions of state.actor into `actions`, each once, and return how many. Never 0 before the end."""
    return 0


@rule
def apply(state, action):
    """Carry out one action of state.actor; trusts that it is legal. Sets state.end (1 + its place in `ends`) when it is over."""


@rule
def standing(state, seat):
    """An integer that orders the seats if the game ended now: score, then every tie-break. Equal means shared."""
    return 0


@rule
def score(state, seat):
    """The points that people would read out. In a game without it, `standing`."""
    return 0


@rule
def outlook(state, seat):
    """An integer, on any scale: how well the seat is really doing. In a game without it, `standing`."""
    return 0


@rule
def imagine(state, seat):
    """Re-deal whatever this seat cannot see, from the streams, keeping all that it can. Only for games with hidden parts."""


@rule
def is_turn_uncertain(state):
    """Whether what the actor cannot see may change what the rest of this turn is worth to it, by outlook and tallies.

    A game that answers no, where it is so, saves its greedy players all imagined worlds but one. In a game without it, yes.
    """
    return True


@rule
def imagined(state, seat, key):
    """Make of a state one that this seat cannot tell from it: the future is re-keyed, then the hidden parts are re-dealt."""
    rekey(state, key)
    imagine(state, seat)


@rule
def begin_turn(state, seat):
    """A turn in the rulebook's sense begins: the seat is the player, and the first to act."""
    state.turn += 1
    state.begun[seat] += 1
    state.player = seat
    state.actor = seat


@rule
def next_seat(state, seat):
    """The seat to the left, clockwise. By a comparison: a division would take longer than most turns."""
    return seat + 1 if seat + 1 < state.seats else 0
