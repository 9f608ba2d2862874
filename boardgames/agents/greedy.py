"""The two simplest agents. Like all, they work for every game that keeps the protocol."""

import numpy as np

from boardgames.agents.scratch import permitted
from boardgames.rules.chance import fold, number
from boardgames.rules.protocol import apply, imagined, is_turn_uncertain, legal, outlook, standing
from boardgames.rules.rulecode import rule

WIN = 1 << 40  # worth more than any outlook
UNKNOWN = np.int64(-1 << 62)  # less than any worth
PLACES = 3  # worlds at the desk in which one match is tried out: as it is, the best that may come of it, and the next try
TURN_STEPS = 64  # decisions after which a look ahead gives up on the end of the turn
NOISE = 10_000  # noise is given in parts of this
NOISE_STEP = 1 << 30  # where noise takes its numbers, apart from those that break ties


@rule
def at_random(state, actions, n, key, agent, desk):
    """Every legal action with equal chance."""
    return actions[number(key, 0, n)]


@rule
def greedy(state, actions, n, key, agent, desk):
    """What looks best at the end of its own turn, on a few imagined worlds that all candidates share."""
    me, noise = state.actor, agent[3]
    worlds = agent[2] if is_turn_uncertain(state) else 1
    if noise and number(key, NOISE_STEP, NOISE) < noise:
        return actions[number(key, NOISE_STEP + 1, n)]
    for world in range(worlds):
        desk.worlds[PLACES + world] = state
        imagined(desk.worlds[PLACES + world], me, fold(key, 1 + world))
    best, ties, chosen = np.int64(-WIN * worlds - 1), 0, actions[0]
    for i in range(n):
        value = np.int64(0)
        for world in range(worlds):
            desk.worlds[0] = desk.worlds[PLACES + world]
            apply(desk.worlds[0], actions[i])
            value += finish_turn(0, state.turn, me, fold(key, 1 + world), agent, desk)
        if value > best:
            best, ties, chosen = value, 1, actions[i]
        elif value == best:
            ties += 1
            if number(key, ties, ties) == 0:
                chosen = actions[i]
    return chosen


@rule
def finish_turn(first, turn, me, key, agent, desk):
    """What the world at `first` is worth when its turn has been played on to the end.

    The seat's own choices are made by their immediate worth, those of others at random. The turn is played in PLACES worlds from
    `first` on.
    """
    actions, place, value = desk.actions[1], first, UNKNOWN
    for step in range(TURN_STEPS):
        trial = desk.worlds[place]
        if trial.end != 0 or trial.turn != turn:
            break
        n, mine = legal(trial, actions), trial.actor == me
        if mine:
            n = permitted(actions, n, agent, desk)
        if mine and n > 1:
            place, value = take_best(first, place, actions, n, me, agent, desk)
        else:
            apply(trial, actions[number(key, step, n) if n > 1 else 0])
            value = UNKNOWN
    return worth(desk.worlds[place], me, agent, desk) if value == UNKNOWN else value


@rule
def take_best(first, place, actions, n, me, agent, desk):
    """Take the action after which the world at `place` is worth most, without looking further: where it is then, and that worth.

    Two places take turns, so that the best world so far stays where it is and no action is carried out twice.
    """
    best, kept, trial, spare = UNKNOWN, place, next_place(first, place, 1), next_place(first, place, 2)
    for i in range(n):
        desk.worlds[trial] = desk.worlds[place]
        apply(desk.worlds[trial], actions[i])
        value = worth(desk.worlds[trial], me, agent, desk)
        if value > best:
            best, kept, trial, spare = value, trial, spare, trial
    return kept, best


@rule
def next_place(first, place, steps):
    """One of the PLACES worlds from `first` on, counted in a circle."""
    return first + (place - first + steps) % PLACES


@rule
def worth(state, me, agent, desk):
    """The outlook, and what a style prizes, while the match is on; at its end only winning counts, a shared win in part."""
    if state.end == 0:
        value, row = np.int64(outlook(state, me)), agent[1]
        if row:
            for tally in range(state.tally.shape[1]):
                value += desk.prizes[row, tally] * state.tally[me, tally]
        return value
    winners = sharing(state, me)
    return np.int64(WIN // winners if winners else -WIN)


@rule
def sharing(state, me):
    """How many share the win with this seat, itself among them; 0 if another seat stands higher."""
    mine, winners = standing(state, me), 0
    for seat in range(state.seats):
        theirs = standing(state, seat)
        if theirs > mine:
            return 0
        winners += theirs == mine
    return winners
