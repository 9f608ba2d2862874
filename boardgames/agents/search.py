"""Agents that play on in their heads: flat Monte Carlo, and search in a tree of what the seat can know.

Both see the true state only through `imagined`: each playout begins in a world of its own. Budgets are playouts, never time, so
that every match can be replayed. Arithmetic is + - x / and the square root: the same on every machine.

The numbers an agent of these families is handed: 2 playouts, 3 aim, 4 exploration in hundredths, 5 most decisions of a playout,
6 sign of a good score, 7 widening in hundredths, 8 how picky playouts are, 9 turns of a playout (0 = to the end).
"""

import numpy as np

from boardgames.agents.greedy import UNKNOWN, finish_turn, next_place, sharing, worth
from boardgames.agents.scratch import permitted
from boardgames.rules.chance import fold, number
from boardgames.rules.protocol import apply, imagined, legal, outlook, score
from boardgames.rules.rulecode import rule

LN2 = 0.6931471805599453 / 65536  # from the unit of Desk.logs to natural logarithms
WIN_SHARE, SCORE = 0, 1  # what an agent aims at
NEVER = 1 << 30
TRIALS = 1  # the first of PLACES worlds behind that of the search, in which actions are tried out
LOW, HIGH, GAINS, GAINED, REWARDS, LEADS = 0, 1, 2, 3, 4, 12  # places in Desk.reals; the last two have one per seat
REALS = 20


# ---- flat Monte Carlo


@rule
def flat_monte_carlo(state, actions, n, key, agent, desk):
    """As many playouts after each action, on the same worlds; the action whose playouts went best."""
    me, playouts = state.actor, agent[2]
    turned = number(key, 0, n)  # who gets the playouts that are left over
    for i in range(n):
        desk.reals[REALS + i] = 0.0
    for playout in range(playouts):
        i, luck = (turned + playout) % n, fold(key, 1 + playout // n)
        desk.worlds[0] = state
        imagined(desk.worlds[0], me, luck)
        apply(desk.worlds[0], actions[i])
        end = play_out(0, me, NEVER, luck, agent, desk)
        desk.reals[REALS + i] += reward(desk.worlds[end], me, agent)
    best, chosen = -1e300, actions[0]
    for turn in range(min(n, playouts)):
        i = (turned + turn) % n
        mean = desk.reals[REALS + i] / ((playouts - turn + n - 1) // n)
        if mean > best:
            best, chosen = mean, actions[i]
    return chosen


# ---- search in a tree: single-observer information-set MCTS


@rule
def tree_search(state, actions, n, key, agent, desk):
    """Grow a tree of actions, one imagined world per iteration, and take the action that was tried most often."""
    me, turns = state.actor, agent[9]
    grown = begin_tree(agent, desk)
    for iteration in range(agent[2]):
        luck = fold(key, 1 + iteration)
        desk.worlds[0] = state
        imagined(desk.worlds[0], me, luck)
        if turns:  # a playout to the end is not judged by leads
            note_leads(desk.worlds[0], LEADS, desk)
        node, grown = descend(desk.worlds[0], me, luck, grown, agent, desk)
        until = desk.worlds[0].turn + turns if turns else NEVER
        end = play_out(0, me, until, luck, agent, desk)
        learn(desk.worlds[end], node, agent, desk)
    return most_visited(me, desk)


@rule
def begin_tree(agent, desk):
    """A root alone. For scores, the lowest and the highest seen so far are kept; win shares are between 0 and 1 anyway."""
    clear_node(0, 0, -1, -1, desk)
    desk.reals[LOW], desk.reals[HIGH] = 0.0, 1.0
    desk.reals[GAINS], desk.reals[GAINED] = 0.0, 0.0
    if agent[3] == SCORE:
        desk.reals[LOW], desk.reals[HIGH] = 1e300, -1e300
    return 1


@rule
def clear_node(node, parent, action, seat, desk):
    fresh = desk.nodes[node]
    fresh.parent, fresh.action, fresh.seat = parent, action, seat
    fresh.child, fresh.sibling, fresh.visits, fresh.available = 0, 0, 0, 1
    for seat in range(len(fresh.value)):
        fresh.value[seat] = 0.0


@rule
def descend(world, me, luck, grown, agent, desk):
    """Down the tree, playing its actions in this world, to a new node: that node, and how many there are now.

    A forced action makes a node but does not end the way: there is nothing to learn about it.
    """
    actions, node = desk.actions[2], 0
    while world.end == 0:
        n, who = legal(world, actions), desk.nobody
        if world.actor == me:
            n, who = permitted(actions, n, agent, desk), agent
        child = promising(node, world.actor, actions, n, agent, desk)
        if child != 0:
            node = child
            apply(world, desk.nodes[node].action)
            continue
        if grown == len(desk.nodes):
            return node, grown
        clear_node(grown, node, best_untried(world, actions, n, luck, who, desk), world.actor, desk)
        desk.nodes[grown].sibling = desk.nodes[node].child
        desk.nodes[node].child = grown
        node, grown = grown, grown + 1
        apply(world, desk.nodes[node].action)
        if n > 1:
            return node, grown
    return node, grown


@rule
def promising(node, seat, actions, n, agent, desk):
    """The child of highest upper confidence bound for the seat to act, or 0 when it is time to try another action.

    Only this seat's actions that are legal in this world compete (after a die, another seat may be to act); each remembers how
    often it could have been taken (Cowling, Powley and Whitehouse 2012). A node visited more often tries more actions.
    """
    last = len(desk.marks) - 1
    desk.marks[last] += 2
    legal_now, tried = desk.marks[last], 0
    for i in range(n):
        desk.marks[actions[i]] = legal_now
    low, wide, explore = desk.reals[LOW], max(desk.reals[HIGH] - desk.reals[LOW], 1e-9), agent[4] * 0.01
    best, chosen, child = -1e300, 0, desk.nodes[node].child
    while child != 0:
        here = desk.nodes[child]
        if here.seat == seat and desk.marks[here.action] == legal_now:
            desk.marks[here.action] = legal_now + 1  # legal, and tried
            tried += 1
            here.available += 1
            mean = (here.value[seat] / here.visits - low) / wide
            bound = mean + explore * np.sqrt(desk.logs[here.available] * LN2 / here.visits)
            if bound > best:
                best, chosen = bound, child
        child = here.sibling
    wide_enough = min(n, 2 + int(agent[7] * 0.01 * np.sqrt(desk.nodes[node].visits)))
    return chosen if tried >= wide_enough else 0


@rule
def best_untried(world, actions, n, luck, who, desk):
    """The untried legal action that looks best at the end of the turn, as `greedy` sees it; among equals a random one."""
    legal_now, seat = desk.marks[len(desk.marks) - 1], world.actor
    best, ties, chosen = UNKNOWN, 0, actions[0]
    for i in range(n):
        if n > 1 and desk.marks[actions[i]] == legal_now:
            desk.worlds[TRIALS] = world
            apply(desk.worlds[TRIALS], actions[i])
            value = finish_turn(TRIALS, world.turn, seat, luck, who, desk)
            ties = 1 if value > best else ties + (value == best)
            if value > best or (value == best and number(luck, -ties, ties) == 0):
                best, chosen = value, actions[i]
    return chosen


@rule
def play_out(place, me, until, luck, agent, desk):
    """To the end, a turn or the cap: each seat takes the best looking of some random actions, or just a random one.

    The agent itself keeps to its restrictions. Returns where the world is then: one of PLACES from 0 on.
    """
    actions, picky = desk.actions[1], agent[8]
    for step in range(agent[5]):
        world = desk.worlds[place]
        if world.end != 0 or world.turn >= until:
            return place
        n = legal(world, actions)
        if agent[1] and world.actor == me:
            n = permitted(actions, n, agent, desk)
        if n > 1 and picky > 1:
            place = take_best_of_some(place, actions, n, fold(luck, step), picky, desk)
        else:
            apply(world, actions[number(luck, step, n) if n > 1 else 0])
    return place


@rule
def take_best_of_some(place, actions, n, luck, some, desk):
    """Draw some of the actions and take the one that looks best at once; returns where the world is then.

    An action that is drawn again is not tried again: it would not look better.
    """
    last, best, kept = len(desk.marks) - 1, UNKNOWN, place
    seat, trial, spare = desk.worlds[place].actor, next_place(0, place, 1), next_place(0, place, 2)
    desk.marks[last] += 2
    for draw in range(some):
        action = actions[number(luck, draw, n)]
        if desk.marks[action] != desk.marks[last]:
            desk.marks[action] = desk.marks[last]
            desk.worlds[trial] = desk.worlds[place]
            apply(desk.worlds[trial], action)
            value = worth(desk.worlds[trial], seat, desk.nobody, desk)
            if value > best:
                best, kept, trial, spare = value, trial, spare, trial
    return kept


@rule
def learn(world, node, agent, desk):
    """Add what each seat got to every node on the way back to the root."""
    rewards, unfinished = desk.reals[REWARDS:LEADS], world.end == 0 and agent[9] != 0
    if unfinished:
        note_leads(world, REWARDS, desk)
    for seat in range(world.seats):
        rewards[seat] = gain(seat, desk) if unfinished else reward(world, seat, agent)
        if agent[3] == SCORE:
            desk.reals[LOW] = min(desk.reals[LOW], rewards[seat])
            desk.reals[HIGH] = max(desk.reals[HIGH], rewards[seat])
    while True:
        here = desk.nodes[node]
        here.visits += 1
        for seat in range(world.seats):
            here.value[seat] += rewards[seat]
        if node == 0:
            return
        node = here.parent


@rule
def reward(world, seat, agent):
    """What a playout was worth to a seat: its share of the win, or its score."""
    if agent[3] == SCORE:
        return float(agent[6] * score(world, seat))
    winners = sharing(world, seat)
    return 1.0 / winners if winners else 0.0


@rule
def gain(seat, desk):
    """What a playout that was not played to its end was worth to a seat: from 0 to 1, by how its lead in outlook has grown.

    Grown since the beginning of the playout: worlds differ in luck, and this takes most of that out. A growth as large as those
    seen on average in this search is worth 3/4: outlooks have any scale.
    """
    grown = desk.reals[REWARDS + seat] - desk.reals[LEADS + seat]
    desk.reals[GAINS] += abs(grown)
    desk.reals[GAINED] += 1.0
    usual = desk.reals[GAINS] / desk.reals[GAINED] + 1e-9
    return 0.5 + 0.5 * grown / (abs(grown) + usual)


@rule
def note_leads(world, first, desk):
    """Write each seat's lead into Desk.reals from `first` on: its outlook less the best of the others'."""
    best, second, leader = UNKNOWN, UNKNOWN, 0
    for seat in range(world.seats):
        value = np.int64(outlook(world, seat))
        desk.reals[first + seat] = value
        if value > best:
            best, second, leader = value, best, seat
        elif value > second:
            second = value
    for seat in range(world.seats):
        desk.reals[first + seat] -= second if seat == leader else best


@rule
def most_visited(me, desk):
    """The root's child with most visits; among equals the one that went best."""
    best, mean, chosen, child = 0, -1e300, 0, desk.nodes[0].child
    while child != 0:
        here = desk.nodes[child]
        value = here.value[me] / here.visits
        if here.visits > best or (here.visits == best and value > mean):
            best, mean, chosen = here.visits, value, here.action
        child = here.sibling
    return np.int64(chosen)
