"""The two simplest agents. Like all agents, they play every game that keeps the protocol."""

import numpy as np

from boardgames.agents.net import UNKNOWN
from boardgames.agents.scratch import FIRST_NUMBER, OWN_ROW, filter_allowed
from boardgames.rules.chance import fold, random_number
from boardgames.rules.protocol import apply, evaluate, is_turn_uncertain, legal, rekey_and_resample, standing
from boardgames.rules.rulecode import rule

WIN = 1 << 40  # worth more than any evaluation
# worlds in the scratch memory to try out a match in: as it is, after the best action so far, and the next try
TRIAL_WORLDS = 3
TURN_STEPS = 64  # decisions after which looking ahead stops before the end of the turn
NOISE_PARTS = 10_000  # noise is given in parts of this
NOISE_STEP = 1 << 30  # the first step of the numbers for noise, apart from those that break ties

# greedy's numbers in its row
WORLDS = FIRST_NUMBER  # resampled worlds it looks at
NOISE = FIRST_NUMBER + 1  # in parts of NOISE_PARTS: its choices that it makes at random


@rule
def choose_at_random(state, actions, n, key, agent, scratch):
    """Every legal action with equal chance."""
    return actions[random_number(key, 0, n)]


@rule
def choose_greedily(state, actions, n, key, agent, scratch):
    """The action that looks best at the end of its own turn, on a few resampled worlds that all candidates
    share.
    """
    me, worlds = state.actor, agent[WORLDS] if is_turn_uncertain(state) else 1
    if is_slip(key, agent[NOISE]):
        return actions[random_number(key, NOISE_STEP + 1, n)]
    for world in range(worlds):
        scratch.worlds[TRIAL_WORLDS + world] = state
        rekey_and_resample(scratch.worlds[TRIAL_WORLDS + world], me, fold(key, 1 + world))
    for i in range(n):
        scratch.ratings[i] = 0
        for world in range(worlds):
            scratch.worlds[0] = scratch.worlds[TRIAL_WORLDS + world]
            apply(scratch.worlds[0], actions[i])
            scratch.ratings[i] += finish_turn(0, state.turn, me, fold(key, 1 + world), agent, scratch)
    return pick_best_rated(actions, n, key, scratch)


@rule
def pick_best_rated(actions, n, key, scratch):
    """The action with the best rating; among equals a random one."""
    best, ties, chosen = UNKNOWN, 0, actions[0]
    for i in range(n):
        if scratch.ratings[i] > best:
            best, ties, chosen = scratch.ratings[i], 1, actions[i]
        elif scratch.ratings[i] == best:
            ties += 1
            if random_number(key, ties, ties) == 0:
                chosen = actions[i]
    return chosen


@rule
def is_slip(key, noise):
    """Whether noise, in parts of NOISE_PARTS, makes this choice a random one."""
    return noise != 0 and random_number(key, NOISE_STEP, NOISE_PARTS) < noise


@rule
def finish_turn(first, turn, me, key, agent, scratch):
    """What the world at index `first` is worth after its turn has been played to the end."""
    index, value = play_turn(first, turn, me, key, agent, scratch)
    return rate_state(scratch.worlds[index], me, agent, scratch) if value == UNKNOWN else value


@rule
def play_turn(first, turn, me, key, agent, scratch):
    """Play the turn of the world at index `first` to its end. Returns the index of the world then, and its
    worth, UNKNOWN if it was not rated.

    The seat's own choices are made by their immediate worth, those of others at random. The turn is played in
    the TRIAL_WORLDS worlds from `first` on.
    """
    actions, index, value = scratch.actions[1], first, UNKNOWN
    for step in range(TURN_STEPS):
        trial = scratch.worlds[index]
        if trial.end != 0 or trial.turn != turn:
            break
        n, mine = legal(trial, actions), trial.actor == me
        if mine:
            n = filter_allowed(actions, n, agent, scratch)
        if mine and n > 1:
            index, value = take_best(first, index, actions, n, me, agent, scratch)
        else:
            apply(trial, actions[random_number(key, step, n) if n > 1 else 0])
            value = UNKNOWN
    return index, value


@rule
def take_best(first, index, actions, n, me, agent, scratch):
    """Take the action after which the world at `index` is worth most, without looking further. Returns the
    new world's index, and its worth.

    Two worlds take turns, so that the best one so far stays where it is and no action is carried out twice.
    """
    best, best_index, trial, spare = UNKNOWN, index, next_world(first, index, 1), next_world(first, index, 2)
    for i in range(n):
        scratch.worlds[trial] = scratch.worlds[index]
        apply(scratch.worlds[trial], actions[i])
        value = rate_state(scratch.worlds[trial], me, agent, scratch)
        if value > best:
            best, best_index, trial, spare = value, trial, spare, trial
    return best_index, best


@rule
def next_world(first, index, steps):
    """The index of one of the TRIAL_WORLDS worlds from `first` on, counted in a circle."""
    return first + (index - first + steps) % TRIAL_WORLDS


@rule
def rate_state(state, me, agent, scratch):
    """What a state is worth to a seat: the evaluation plus a style's prizes while the match is on; at its end
    only winning counts, a shared win in part.
    """
    if state.end == 0:
        value, row = np.int64(evaluate(state, me)), agent[OWN_ROW]
        if row:
            for tally in range(state.tally.shape[1]):
                value += scratch.prizes[row, tally] * state.tally[me, tally]
        return value
    winners = count_joint_winners(state, me)
    return np.int64(WIN // winners if winners else -WIN)


@rule
def rate_shared_state(state, me, agent, scratch):
    """In place of `rate_state` in a co-operative game, where all seats always share the win: the evaluation
    counts to the end.
    """
    value, row = np.int64(evaluate(state, me)), agent[OWN_ROW]
    if row:
        for tally in range(state.tally.shape[1]):
            value += scratch.prizes[row, tally] * state.tally[me, tally]
    return value


@rule
def count_joint_winners(state, me):
    """The number of seats that share the win with this seat, including itself; 0 if another seat stands
    higher.
    """
    mine, winners = standing(state, me), 0
    for seat in range(state.players):
        theirs = standing(state, seat)
        if theirs > mine:
            return 0
        winners += theirs == mine
    return winners
