"""The functions that a game consists of. The platform calls these names; each game's functions replace them.

All of them work on a state record, in place. They are rules: compiled for batches, plain Python in the
debugger. See README, "Add a game".
"""

from boardgames.rules.chance import rekey
from boardgames.rules.rulecode import rule


@rule
def setup(state):
    """Lay out the table from state.rules and the chance streams, and begin the first turn. The record comes
    zeroed.
    """


@rule
def legal(state, actions):
    """Write the legal actions of state.actor into `actions`, each once, and return how many. Never 0 before
    the end.
    """
    return 0


@rule
def apply(state, action):
    """Carry out one action of state.actor; trusts that it is legal. At the end it sets state.end to 1 + the
    index in `ends`.
    """


@rule
def standing(state, seat):
    """An integer that orders the seats if the game ended now: score, then every tie-break. Equal means
    shared.
    """
    return 0


@rule
def score(state, seat):
    """The points that people would read out. In a game without it, `standing`."""
    return 0


@rule
def evaluate(state, seat):
    """An integer, on any scale: how well the seat is really doing. In a game without it, `standing`.

    Search compares the evaluations of different moments, and leads are read from them: whose turn it is
    should not change them.
    """
    return 0


@rule
def resample(state, seat):
    """Re-deal whatever this seat cannot see, from the streams, keeping all that it can. Only for games with
    hidden parts.
    """


@rule
def is_turn_uncertain(state):
    """Whether hidden things may change what the rest of this turn is worth to the actor, by evaluation and
    tallies.

    A game that can answer no saves its greedy agents all resampled worlds but one. In a game without it, yes.
    """
    return True


@rule
def rekey_and_resample(state, seat, key):
    """Turn a state into one that this seat cannot tell from it: re-key the future, then re-deal the hidden
    parts.
    """
    rekey(state, key)
    resample(state, seat)


@rule
def begin_turn(state, seat):
    """Begin a turn in the rulebook's sense: the seat owns it and acts first."""
    state.turn += 1
    state.begun[seat] += 1
    state.turn_owner = seat
    state.actor = seat


@rule
def next_seat(state, seat):
    """The seat to the left, clockwise. A comparison, because a division would take longer than most turns."""
    return seat + 1 if seat + 1 < state.players else 0
