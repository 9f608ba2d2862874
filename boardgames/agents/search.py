"""The agent that plays on in its head: search in a tree of what the seat can know.

It sees the true state only through `rekey_and_resample`: each playout begins in a world of its own. Budgets
are playouts, never time, so that every match can be replayed. Arithmetic is + - x / and the square root: the
same on every machine.
"""

from typing import Any

import numpy as np

from boardgames.agents.greedy import (
    TRIAL_WORLDS,
    UNKNOWN,
    count_joint_winners,
    finish_turn,
    next_world,
    rate_state,
)
from boardgames.agents.scratch import FIRST_NUMBER, OWN_ROW, filter_allowed
from boardgames.rules.chance import fold, random_number
from boardgames.rules.protocol import apply, evaluate, legal, rekey_and_resample, score
from boardgames.rules.rulecode import rule

# the numbers of mcts in its row
PLAYOUTS = FIRST_NUMBER
AIM = FIRST_NUMBER + 1  # WIN_SHARE or SCORE
EXPLORATION = FIRST_NUMBER + 2  # in hundredths
PLAYOUT_CAP = FIRST_NUMBER + 3  # most decisions of a playout
SIGN = FIRST_NUMBER + 4  # of a good score
WIDENING = FIRST_NUMBER + 5  # in hundredths
DRAWS = FIRST_NUMBER + 6  # random actions of which a playout takes the best looking; 1 = any
TURNS = FIRST_NUMBER + 7  # of a playout; 0 = to the end
WIN_SHARE, SCORE = 0, 1  # what an agent can aim at

LN2 = 0.6931471805599453 / 65536  # from the unit of Scratch.logs to natural logarithms
NEVER = 1 << 30
FIRST_TRIAL = TRIAL_WORLDS  # the first world, behind those of the playout, to try out actions in


# ---- search in a tree: single-observer information-set MCTS


@rule
def search_tree(state, actions, n, key, agent, scratch):
    """Grow a tree of actions, one resampled world per iteration, and take the most visited action."""
    me, turns = state.actor, agent[TURNS]
    grown = begin_tree(agent, scratch)
    for iteration in range(agent[PLAYOUTS]):
        luck = fold(key, 1 + iteration)
        scratch.worlds[0] = state
        rekey_and_resample(scratch.worlds[0], me, luck)
        if turns:  # a playout to the end is not judged by leads
            note_leads(0, scratch.search[0].leads, agent, scratch)
        index, node, grown = descend(me, luck, grown, agent, scratch)
        until = scratch.worlds[index].turn + turns if turns else NEVER
        end = play_out(index, me, until, luck, agent, scratch)
        learn(end, node, agent, scratch)
    return find_most_visited(me, scratch)


@rule
def begin_tree(agent, scratch):
    """Begin with a root; returns the number of nodes. For scores, the lowest and highest so far are tracked;
    win shares are between 0 and 1.
    """
    clear_node(0, 0, -1, -1, scratch)
    search = scratch.search[0]
    search.low, search.high = 0.0, 1.0
    search.gains, search.gained = 0.0, 0.0
    if agent[AIM] == SCORE:
        search.low, search.high = 1e300, -1e300
    return 1


@rule
def clear_node(node, parent, action, seat, scratch):
    fresh = scratch.nodes[node]
    fresh.parent, fresh.action, fresh.seat = parent, action, seat
    fresh.child, fresh.sibling, fresh.visits, fresh.available = 0, 0, 0, 1
    for seat in range(len(fresh.value)):
        fresh.value[seat] = 0.0


@rule
def descend(me, luck, grown, agent, scratch):
    """Follow the tree from the world at index 0, playing its actions, to a new node. Returns the index of the
    world, as in `play_out`, that node, and the number of nodes.

    The tree branches at the agent's own choices. The others take what looks good to them: a node for each of
    their actions, which differ from world to world, would leave too few visits for the agent's own next turn.
    Where nothing says what looks good, all seats choose in the tree. A forced action makes a node but does
    not end the descent: there is nothing to learn about it.
    """
    actions, index, node = scratch.actions[2], 0, 0
    for step in range(agent[PLAYOUT_CAP]):
        world = scratch.worlds[index]
        if world.end != 0:
            break
        n, restriction = legal(world, actions), scratch.unrestricted
        if world.actor == me:
            n, restriction = filter_allowed(actions, n, agent, scratch), agent
        elif agent[DRAWS] > 1:
            index = take_step(index, actions, n, luck, agent[PLAYOUT_CAP] + step, agent, scratch)
            continue
        child = select_child(node, world.actor, actions, n, agent, scratch)
        if child != 0:
            node = child
            apply(world, scratch.nodes[node].action)
            continue
        if grown == len(scratch.nodes):
            break
        clear_node(
            grown,
            node,
            find_best_untried(world, actions, n, luck, restriction, scratch),
            world.actor,
            scratch,
        )
        scratch.nodes[grown].sibling = scratch.nodes[node].child
        scratch.nodes[node].child = grown
        node, grown = grown, grown + 1
        apply(world, scratch.nodes[node].action)
        if n > 1:
            break
    return index, node, grown


@rule
def select_child(node, seat, actions, n, agent, scratch):
    """The child with the highest upper confidence bound for the seat to act; 0 when it is time to try another
    action.

    Only this seat's actions that are legal in this world compete (after a die, another seat may be to act);
    each remembers how often it could have been taken (Cowling, Powley and Whitehouse 2012). A node visited
    more often tries more actions.
    """
    last = len(scratch.marks) - 1
    scratch.marks[last] += 2
    legal_now, tried = scratch.marks[last], 0
    for i in range(n):
        scratch.marks[actions[i]] = legal_now
    search, explore = scratch.search[0], agent[EXPLORATION] * 0.01
    low, wide = search.low, max(search.high - search.low, 1e-9)
    best, chosen, child = -1e300, 0, scratch.nodes[node].child
    while child != 0:
        candidate = scratch.nodes[child]
        if candidate.seat == seat and scratch.marks[candidate.action] == legal_now:
            scratch.marks[candidate.action] = legal_now + 1  # legal, and tried
            tried += 1
            candidate.available += 1
            mean = (candidate.value[seat] / candidate.visits - low) / wide
            bound = mean + explore * np.sqrt(scratch.logs[candidate.available] * LN2 / candidate.visits)
            if bound > best:
                best, chosen = bound, child
        child = candidate.sibling
    wide_enough = min(n, 2 + int(agent[WIDENING] * 0.01 * np.sqrt(scratch.nodes[node].visits)))
    return chosen if tried >= wide_enough else 0


@rule
def find_best_untried(world, actions, n, luck, restriction, scratch):
    """The untried legal action that looks best at the end of the turn, as in `greedy`; among equals a random
    one.
    """
    legal_now, seat = scratch.marks[len(scratch.marks) - 1], world.actor
    best, ties, chosen = UNKNOWN, 0, actions[0]
    for i in range(n):
        if n > 1 and scratch.marks[actions[i]] == legal_now:
            scratch.worlds[FIRST_TRIAL] = world
            apply(scratch.worlds[FIRST_TRIAL], actions[i])
            value = finish_turn(FIRST_TRIAL, world.turn, seat, luck, restriction, scratch)
            ties = 1 if value > best else ties + (value == best)
            if value > best or (value == best and random_number(luck, -ties, ties) == 0):
                best, chosen = value, actions[i]
    return chosen


@rule
def play_out(index, me, until, luck, agent, scratch):
    """Play to the end, a turn or the cap: each seat takes the best looking of some random actions, or a
    random one.

    The agent keeps to its restrictions. Returns the index of the world: one of TRIAL_WORLDS from 0 on.
    """
    actions = scratch.actions[1]
    for step in range(agent[PLAYOUT_CAP]):
        world = scratch.worlds[index]
        if world.end != 0 or world.turn >= until:
            return index
        n = legal(world, actions)
        if agent[OWN_ROW] and world.actor == me:
            n = filter_allowed(actions, n, agent, scratch)
        index = take_step(index, actions, n, luck, step, agent, scratch)
    return index


@rule
def take_step(index, actions, n, luck, step, agent, scratch):
    """Take the best looking of some random actions, or a random one. Returns the index of the world."""
    if n > 1 and agent[DRAWS] > 1:
        return take_best_of_some(index, actions, n, fold(luck, step), agent[DRAWS], scratch)
    apply(scratch.worlds[index], actions[random_number(luck, step, n) if n > 1 else 0])
    return index


@rule
def take_best_of_some(index, actions, n, luck, tries, scratch):
    """Draw some of the actions and take the one that looks best immediately. Returns the index of the world.

    An action that is drawn again is not tried again: it would not look better.
    """
    last, best, best_index = len(scratch.marks) - 1, UNKNOWN, index
    seat, trial, spare = scratch.worlds[index].actor, next_world(0, index, 1), next_world(0, index, 2)
    scratch.marks[last] += 2
    for draw in range(tries):
        action = actions[random_number(luck, draw, n)]
        if scratch.marks[action] != scratch.marks[last]:
            scratch.marks[action] = scratch.marks[last]
            scratch.worlds[trial] = scratch.worlds[index]
            apply(scratch.worlds[trial], action)
            value = rate_state(scratch.worlds[trial], seat, scratch.unrestricted, scratch)
            if value > best:
                best, best_index, trial, spare = value, trial, spare, trial
    return best_index


@rule
def learn(index, node, agent, scratch):
    """Add each seat's reward in the world at `index` to every node on the way back to the root."""
    world = scratch.worlds[index]
    search, unfinished = scratch.search[0], world.end == 0 and agent[TURNS] != 0
    rewards = search.rewards
    if unfinished:
        note_leads(index, rewards, agent, scratch)
    for seat in range(world.players):
        rewards[seat] = rate_gain(seat, search) if unfinished else find_reward(world, seat, agent)
        if agent[AIM] == SCORE:
            search.low = min(search.low, rewards[seat])
            search.high = max(search.high, rewards[seat])
    while True:
        visited = scratch.nodes[node]
        visited.visits += 1
        for seat in range(world.players):
            visited.value[seat] += rewards[seat]
        if node == 0:
            return
        node = visited.parent


@rule
def find_reward(world, seat, agent):
    """The reward of a finished playout for a seat: its share of the win, or its score."""
    if agent[AIM] == SCORE:
        return float(agent[SIGN] * score(world, seat))
    winners = count_joint_winners(world, seat)
    return 1.0 / winners if winners else 0.0


@rule
def rate_gain(seat, search):
    """The reward of an unfinished playout for a seat: from 0 to 1, by how much its lead in evaluation has
    grown.

    Growth since the beginning of the playout removes most of the luck in which worlds differ. A growth as
    large as the average in this search is worth 3/4, because evaluations have any scale.
    """
    grown = search.rewards[seat] - search.leads[seat]
    search.gains += abs(grown)
    search.gained += 1.0
    usual = search.gains / search.gained + 1e-9
    return 0.5 + 0.5 * grown / (abs(grown) + usual)


@rule
def note_leads(index, leads, agent, scratch):
    """Write down each seat's lead in a world: its evaluation minus the mean of the others.

    Not minus the best of the others: of three, one is always lucky, and that says nothing about the action.
    """
    players, total = scratch.worlds[index].players, 0.0
    others = max(1, players - 1)
    for seat in range(players):
        leads[seat] = rate_seat(index, seat, agent, scratch)
        total += leads[seat]
    for seat in range(players):
        leads[seat] -= (total - leads[seat]) / others


@rule
def rate_seat(index, seat, agent, scratch):
    """How well a seat stands in the world at `index`, by the game's evaluation."""
    return evaluate(scratch.worlds[index], seat)


@rule
def find_most_visited(me, scratch):
    """The action of the root's child with most visits; among equals, the one that went best."""
    best, mean, chosen, child = 0, -1e300, 0, scratch.nodes[0].child
    while child != 0:
        candidate = scratch.nodes[child]
        value = candidate.value[me] / candidate.visits
        if candidate.visits > best or (candidate.visits == best and value > mean):
            best, mean, chosen = candidate.visits, value, candidate.action
        child = candidate.sibling
    return np.int64(chosen)


def list_visits(scratch: Any) -> dict[int, int]:
    """How often the last search took each action at its root: {action: playouts}, most first."""
    visits: dict[int, int] = {}
    child = int(scratch.nodes[0]["child"])
    while child:
        node = scratch.nodes[child]
        visits[int(node["action"])] = int(node["visits"])
        child = int(node["sibling"])
    return dict(sorted(visits.items(), key=lambda visited: -visited[1]))
