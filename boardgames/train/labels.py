"""What a net learns from, written down by rules while matches are played: positions, what a search prefers
in them, and who wins.

Notes are whole numbers in a row, see `write_label` and `write_position`. They are made on resampled worlds
only.
"""

import numpy as np

from boardgames.agents.greedy import FIRST_NUMBER, NOISE_PARTS, TRIAL_WORLDS, choose_greedily, play_turn
from boardgames.agents.learned import choose_by_net
from boardgames.agents.net import NO_FEATURE, UNKNOWN, read_feature, read_numbers, update_sums
from boardgames.agents.scratch import NET
from boardgames.agents.search import search_tree
from boardgames.rules.chance import HIGH, LOW, fold, random_number
from boardgames.rules.protocol import apply, evaluate, rekey_and_resample, score
from boardgames.rules.rulecode import rule

# behind greedy's numbers: the share of decisions that are written down, in parts of NOISE_PARTS
NOTED = FIRST_NUMBER + 2
NOTE_STEP = (1 << 30) + 2  # behind the steps of noise
TEACHER, WORLD = 1 << 20, 1 << 21  # what the keys of the search and of the resampled world are folded with
LARGEST = (1 << 31) - 1


@rule
def is_noted(n, key, needed, agent, notes):
    """Whether a decision is written down: by chance, and only if it has room."""
    return random_number(key, NOTE_STEP, NOISE_PARTS) < agent[NOTED] and notes[0] + needed * (n + 1) < len(
        notes
    )


@rule
def count_most_numbers(net, scratch):
    """How many numbers a candidate, or a seat, takes in the notes at most: each column may go and come, and
    three say how many there are, and what is wanted.
    """
    return 2 * scratch.net.sizes[net].columns + scratch.net.sizes[net].numbers + 3


@rule
def write_number(notes, number):
    notes[notes[0]] = min(max(number, -LARGEST), LARGEST)
    notes[0] += 1


# ---- positions, to see which values columns have


@rule
def play_and_survey(state, actions, n, key, agent, scratch):
    """Play greedily. At some decisions, write down a position at the end of the turn, after any action."""
    notes = scratch.net.notes
    if is_noted(0, key, 2 * len(scratch.net.longs[0]) + 64, agent, notes):
        me, key_of_world = int(state.actor), fold(key, WORLD)
        scratch.worlds[0] = state
        rekey_and_resample(scratch.worlds[0], me, key_of_world)
        apply(scratch.worlds[0], actions[random_number(key, NOTE_STEP + 1, n)])
        index, _ = play_turn(0, state.turn, me, key_of_world, agent, scratch)
        if scratch.worlds[index].end == 0:
            write_position(index, me, scratch)
    return choose_greedily(state, actions, n, key, agent, scratch)


@rule
def split_word(word):
    """The lower and the upper half of eight bytes."""
    low = word & LOW
    return low if low <= HIGH else low - LOW - 1, word >> 32


@rule
def write_position(index, me, scratch):
    """The seat, the record in halves of its words, then evaluation and score of each seat."""
    notes, state = scratch.net.notes, scratch.worlds[index]
    write_number(notes, me)
    for word in scratch.net.longs[index]:
        notes[notes[0]], notes[notes[0] + 1] = split_word(word)
        notes[0] += 2
    for seat in range(state.players):
        write_number(notes, np.int64(evaluate(state, seat)))
        write_number(notes, np.int64(score(state, seat)))


# ---- positions with their result, for a net that evaluates


@rule
def play_and_describe(state, actions, n, key, agent, scratch):
    """Play greedily. At some decisions, write down how all seats stand; who wins is filled in later."""
    if is_noted(state.players, key, count_most_numbers(agent[NET], scratch), agent, scratch.net.notes):
        write_seats(state, fold(key, WORLD), agent[NET], scratch)
    return choose_greedily(state, actions, n, key, agent, scratch)


@rule
def write_seats(state, key, net, scratch):
    """A label like that of `write_label`, whose candidates are the seats: nothing before, then for each seat
    a place for its result, its features, with their number, and its other inputs.

    Each seat is described as it sees the position itself, so a world is resampled for each.
    """
    memory = scratch.net
    write_number(memory.notes, state.players)
    write_number(memory.notes, 0)
    for seat in range(state.players):
        scratch.worlds[0] = state
        rekey_and_resample(scratch.worlds[0], seat, key)
        update_sums(0, seat, net, scratch)
        write_number(memory.notes, 0)
        write_features(seat, net, scratch)
        read_numbers(0, seat, UNKNOWN, net, scratch)
        for place in range(memory.sizes[net].numbers):
            write_number(memory.notes, memory.inputs[place])


# ---- labels


@rule
def play_and_label(state, actions, n, key, agent, scratch):
    """Play by the net. At some decisions, write down first what the search prefers."""
    if is_noted(n, key, count_most_numbers(agent[NET], scratch), agent, scratch.net.notes):
        search_tree(state, actions, n, fold(key, TEACHER), scratch.teacher, scratch)
        count_visits(int(state.actor), actions, n, scratch)
        write_label(state, actions, n, fold(key, WORLD), agent, scratch)
    return choose_by_net(state, actions, n, key, agent, scratch)


@rule
def count_visits(me, actions, n, scratch):
    """How often the search has tried each action, as its rating."""
    for i in range(n):
        scratch.ratings[i] = 0
    child = scratch.nodes[0].child
    while child != 0:
        node = scratch.nodes[child]
        for i in range(n):
            if node.seat == me and node.action == actions[i]:
                scratch.ratings[i] = node.visits
        child = node.sibling


@rule
def write_label(state, actions, n, key, agent, scratch):
    """The number of candidates; the features before the decision, with their number; then the candidates.

    An action that ends the match is no candidate: what that is worth is known. With less than two, nothing is
    written.
    """
    notes, base, me = scratch.net.notes, TRIAL_WORLDS, int(state.actor)
    scratch.worlds[base] = state
    rekey_and_resample(scratch.worlds[base], me, key)
    update_sums(base, me, agent[NET], scratch)
    begin = notes[0]
    write_number(notes, 0)
    write_features(me, agent[NET], scratch)
    for i in range(n):
        scratch.worlds[0] = scratch.worlds[base]
        apply(scratch.worlds[0], actions[i])
        index, _ = play_turn(0, state.turn, me, key, agent, scratch)
        if scratch.worlds[index].end == 0:
            notes[begin] += 1
            write_number(notes, scratch.ratings[i])
            write_changes(index, base, actions[i], me, agent[NET], scratch)
    if notes[begin] < 2:
        notes[0] = begin


@rule
def write_features(me, net, scratch):
    memory = scratch.net
    notes = memory.notes
    count = notes[0]
    write_number(notes, 0)
    for index in range(memory.sizes[net].columns):
        if memory.active[net, me, index] != NO_FEATURE:
            write_number(notes, memory.active[net, me, index])
    notes[count] = notes[0] - count - 1


@rule
def write_changes(world, base, action, me, net, scratch):
    """The number of features that a candidate adds or (negative) takes away, these, then its other inputs."""
    memory = scratch.net
    notes, size, columns, starts = (
        memory.notes,
        memory.sizes[net],
        memory.columns[net, me],
        memory.starts[net, me],
    )
    count = notes[0]
    write_number(notes, 0)
    write_number(notes, size.first_action + action)
    for place in range(size.words):
        word = memory.words[net, place]
        if memory.longs[world, word] != memory.longs[base, word]:
            for index in range(starts[place], starts[place + 1]):
                now = memory.longs[world, word]
                feature = read_feature(now, columns[index], me, size.players, memory.codes[net])
                before = memory.active[net, me, index]
                if feature != before:
                    if before != NO_FEATURE:
                        write_number(notes, -before)
                    if feature != NO_FEATURE:
                        write_number(notes, feature)
    notes[count] = notes[0] - count - 1
    read_numbers(world, me, UNKNOWN, net, scratch)
    for index in range(size.numbers):
        write_number(notes, memory.inputs[index])
