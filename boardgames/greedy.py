"""The two simplest agents. Like all, they work for every game that keeps the protocol."""

import numpy as np

from boardgames.chance import fold, number
from boardgames.desk import permitted
from boardgames.protocol import apply, imagined, legal, outlook, standing
from boardgames.rulecode import rule

WIN = 1 << 40  # worth more than any outlook
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
    me, worlds, noise = state.actor, agent[2], agent[3]
    if noise and number(key, NOISE_STEP, NOISE) < noise:
        return actions[number(key, NOISE_STEP + 1, n)]
    for world in range(worlds):
        desk.worlds[2 + world] = state
        imagined(desk.worlds[2 + world], me, fold(key, 1 + world))
    best, ties, chosen = np.int64(-WIN * worlds - 1), 0, actions[0]
    for i in range(n):
        value = np.int64(0)
        for world in range(worlds):
            desk.worlds[0] = desk.worlds[2 + world]
            trial = desk.worlds[0]
            apply(trial, actions[i])
            finish_turn(trial, state.turn, me, fold(key, 1 + world), agent, desk)
            value += worth(trial, me, agent, desk)
        if value > best:
            best, ties, chosen = value, 1, actions[i]
        elif value == best:
            ties += 1
            if number(key, ties, ties) == 0:
                chosen = actions[i]
    return chosen


@rule
def finish_turn(trial, turn, me, key, agent, desk):
    """Play on to the end of the turn: its own choices by their immediate worth, those of others at random."""
    actions = desk.actions[1]
    for step in range(TURN_STEPS):
        if trial.end != 0 or trial.turn != turn:
            return
        n = legal(trial, actions)
        if trial.actor == me:
            n = permitted(actions, n, agent, desk)
        if n == 1:
            apply(trial, actions[0])
        elif trial.actor == me:
            apply(trial, actions[best_now(trial, actions, n, me, agent, desk)])
        else:
            apply(trial, actions[number(key, step, n)])


@rule
def best_now(trial, actions, n, me, agent, desk):
    """The place of the action after which the position is worth most, without looking further."""
    best, place = np.int64(-WIN - 1), 0
    for i in range(n):
        desk.worlds[1] = trial
        apply(desk.worlds[1], actions[i])
        value = worth(desk.worlds[1], me, agent, desk)
        if value > best:
            best, place = value, i
    return place


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
