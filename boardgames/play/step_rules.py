"""The rules by which many matches are stepped at once, each at its own table."""

import numpy as np

from boardgames.agents.net import read_bits
from boardgames.game.game import make_record_type
from boardgames.play.engine import begin_match, choose, make_deal_key, make_seat_key
from boardgames.rules.chance import fold
from boardgames.rules.protocol import apply, legal, score, standing
from boardgames.rules.rulecode import rule, use_vectors

EVERYBODY = -1  # as the learner: all seats are stepped from outside

TABLE = make_record_type(
    [
        ("luck", "i8"),  # the key of the deal
        ("deal", "i8"),
        ("decisions", "i4"),
        ("learner", "i4"),  # the seat that is stepped from outside, or EVERYBODY
        ("seat", "i4"),  # the one that looks: the learner, or the seat to act
        ("options", "i4"),  # its legal actions
    ]
)


@rule
def begin_matches(states, tables, chosen, setting):
    """Set up the chosen matches on the deal of their table."""
    for index in range(len(states)):
        if chosen[index] != 0:
            table = tables[index]
            states[index] = setting.blank[0]
            table.luck = make_deal_key(setting.seed, setting.blank[0].players, table.deal)
            table.decisions = 0
            begin_match(states[index], table.luck, setting.stream_names)


@rule
def step_matches(states, tables, actions, chosen):
    """Carry out one action in each of the chosen matches."""
    for index in range(len(states)):
        if chosen[index] != 0:
            apply(states[index], actions[index])
            tables[index].decisions += 1


@rule
def play_others(states, tables, setting, scratch):
    """Let the agents of the other seats play until the learner has to decide, or the match is over."""
    for index in range(len(states)):
        state, table = states[index], tables[index]
        while state.end == 0 and table.decisions < setting.cap and state.actor != table.learner:
            action = choose_for_other(state, table, setting, scratch)
            if action < 0:
                break  # a broken game: no action is legal
            apply(state, action)
            table.decisions += 1


@rule
def choose_for_other(state, table, setting, scratch):
    """What the agent of the seat to act chooses; -1 if nothing is legal."""
    actions = scratch.actions[0]
    n = legal(state, actions)
    if n == 0:
        return np.int64(-1)
    if n == 1:
        return actions[0]
    key = fold(make_seat_key(table.luck, 0, state.actor), table.decisions)
    other = (state.actor - table.learner - 1) % state.players
    return choose(state, actions, n, key, setting.agents[other], scratch)


@rule
def find_options(states, tables, chosen, masks, actions):
    """Fill in who looks in the chosen matches, and what it may do. In a match that is over, the last one who
    could act looks on.
    """
    for index in range(len(states)):
        if chosen[index] == 0:
            continue
        state, table = states[index], tables[index]
        masks[index, :] = 0
        table.options = 0
        if state.end == 0:
            table.seat = state.actor if table.learner < 0 else table.learner
            if state.actor == table.seat:
                table.options = legal(state, actions)
                for option in range(table.options):
                    masks[index, actions[option]] = 1


@rule
def observe_matches(words, tables, chosen, readers, columns, special, rows):
    """Fill in what the seats that look see in the chosen matches. The few `special` entries, which name seats
    or are cut off, are read once more.
    """
    for index in range(len(rows)):
        if chosen[index] == 0:
            continue
        seat = tables[index].seat
        read_row(words[index], readers[seat], rows[index])
        for place in special:
            rows[index, place] = read_value(words[index], columns[seat, place], seat, len(readers))


@use_vectors
@rule
def read_row(words, readers, row):
    """Write the bits of all entries into a row; `words` is the record in words of eight bytes."""
    word, left, right, mask = readers[0], readers[1], readers[2], readers[3]
    for index in range(len(row)):
        row[index] = ((words[word[index]] << left[index]) >> right[index]) & mask[index]


@rule
def read_value(words, column, seat, players):
    """The value of one entry, as a seat sees it."""
    value, first = read_bits(words[column.word], column), column.first_seat
    if first >= 0 and first <= value < first + players:
        value -= seat
        if value < first:
            value += players
    return min(max(value, column.low), column.high)


@rule
def measure_matches(states, chosen, scores, standings):
    """Fill in scores and standings of all seats of the chosen matches."""
    for index in range(len(states)):
        if chosen[index] != 0:
            for seat in range(states[index].players):
                scores[index, seat] = score(states[index], seat)
                standings[index, seat] = standing(states[index], seat)


ROOTS = (begin_matches, step_matches, play_others, find_options, observe_matches, measure_matches)
