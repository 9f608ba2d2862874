"""The agents that have learned to judge: `learned` looks ahead to the end of its turn, where a net rates it;
`learned-mcts` searches, and a net rates where a playout ends.
"""

import numpy as np

from boardgames.agents.greedy import (
    NOISE,
    NOISE_STEP,
    TRIAL_WORLDS,
    WIN,
    WORLDS,
    count_joint_winners,
    is_slip,
    pick_best_rated,
    play_turn,
)
from boardgames.agents.net import NO_FEATURE, UNKNOWN, rate_position
from boardgames.agents.scratch import NET, OWN_ROW
from boardgames.rules.chance import fold, random_number
from boardgames.rules.protocol import apply, is_turn_uncertain, rekey_and_resample
from boardgames.rules.rulecode import rule

SURE = np.int64(WIN) << 15  # a win or loss, beyond all ratings of a net


@rule
def choose_by_net(state, actions, n, key, agent, scratch):
    """The action after which the net likes the end of the turn best, on resampled worlds that all candidates
    share.
    """
    if is_slip(key, agent[NOISE]):
        return actions[random_number(key, NOISE_STEP + 1, n)]
    worlds = agent[WORLDS] if is_turn_uncertain(state) else 1
    for i in range(n):
        scratch.ratings[i] = 0
    for world in range(worlds):
        add_ratings(state, actions, n, fold(key, 1 + world), agent, scratch)
    return pick_best_rated(actions, n, key, scratch)


@rule
def add_ratings(state, actions, n, key, agent, scratch):
    """Resample one world and add what the net thinks of each action in it to the ratings."""
    base, me = TRIAL_WORLDS, int(state.actor)
    scratch.worlds[base] = state
    rekey_and_resample(scratch.worlds[base], me, key)
    for i in range(n):
        scratch.worlds[0] = scratch.worlds[base]
        apply(scratch.worlds[0], actions[i])
        index, value = play_turn(0, state.turn, me, key, agent, scratch)
        scratch.ratings[i] += rate_end_of_turn(index, actions[i], me, value, agent, scratch)


@rule
def rate_end_of_turn(index, action, me, value, agent, scratch):
    """The net's rating of a world, or what a finished match is worth. `value` is what `play_turn` says."""
    if scratch.worlds[index].end != 0:
        winners = count_joint_winners(scratch.worlds[index], me)
        return SURE // winners if winners else -SURE
    net = agent[NET]
    evaluation = value if agent[OWN_ROW] == 0 else UNKNOWN  # a style adds prizes to it
    return rate_position(index, scratch.net.sizes[net].first_action + action, me, evaluation, net, scratch)


@rule
def rate_seat_by_net(index, seat, agent, scratch):
    """How well a seat stands in the world at `index`, by a net: in place of `search.rate_seat`."""
    return rate_position(index, NO_FEATURE, seat, UNKNOWN, agent[NET], scratch)
