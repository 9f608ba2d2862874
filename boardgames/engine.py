"""The loop that plays matches and measures them: no Python per decision when compiled, the same matches when plain.

What the columns mean is said beside each in MATCH and `seat_record`; how a lap is counted, in `mark_lap`.
"""

from typing import Any

import numpy as np

from boardgames.chance import HIGH, LOW, fold
from boardgames.desk import permitted
from boardgames.game import PHASES, Game, record
from boardgames.protocol import apply, legal, outlook, score, setup, standing
from boardgames.rulecode import rule

ENGINE = 1  # raised by hand whenever the same rules and agents would give other columns; tests/test_engine.py guards it
AGENTS_STREAM = 0x5EA75  # keeps the agents' chance apart from the streams of the game
FIRST_HASH = 0x2545F491

MATCH = record(
    [
        ("block", "i8"),
        ("hash", "i8"),  # of all actions taken: identical matches are recognised
        ("branching", "i8"),  # sum of the numbers of legal actions, over all decisions
        ("log_branching", "i8"),  # sum of their logarithms, in 1/65536 bits (whole, so the same on every machine)
        ("turns", "i4"),
        ("laps", "i4"),
        ("decisions", "i4"),
        ("forced", "i4"),  # decisions with a single legal action
        ("widest", "i4"),  # most legal actions at one decision
        ("margin", "i4"),  # best score less second best
        ("lead_changes", "i4"),  # laps whose sole leader by outlook is not the sole leader before
        ("last_lead_change", "i4"),  # the lap of the last one; 0 = none
        ("arrangement", "i2"),
        ("end", "i2"),  # 1 + place in the game's `ends`; 0 = cut off by the cap
        ("tied", "i2"),  # seats that share the best score, before tie-breaks
        ("winners", "i2"),  # seats that share first place, after them
        ("leaders_25", "i2"),  # seats in the lead by outlook after a quarter of the laps, one bit each
        ("leaders_50", "i2"),
        ("leaders_75", "i2"),
    ]
)


def seat_record(game: Game) -> np.dtype[Any]:
    """What is kept of each seat of a match."""
    return record(
        [
            ("outlook_25", "i8"),
            ("outlook_50", "i8"),
            ("outlook_75", "i8"),
            ("deficit", "i8"),  # deepest: how far behind the best outlook at the end of any lap
            ("win_share", "f8"),  # 1 / winners for a winner, else 0
            ("score", "i4"),
            ("score_25", "i4"),
            ("score_50", "i4"),
            ("score_75", "i4"),
            ("laps_led", "i4"),  # as sole leader by outlook
            ("turns", "i4"),
            ("decisions", "i4"),
            ("opening", "i4"),  # the seat's first action; -1 = it never acted
            ("place", "i2"),
            ("tally", "i2", (max(1, len(game.tallies)),)),
        ]
    )


# ---- keys: the same luck whatever the variant, the workers and the order of play (DESIGN, law 2)


@rule
def block_key(master, seats, block):
    return fold(fold(fold(0, master), seats), block)


@rule
def begin_match(state, luck, stream_names):
    """Key the streams of a blank state by their names, and set up."""
    for stream in range(len(stream_names)):
        state.stream_key[stream] = fold(luck, stream_names[stream])
    setup(state)


@rule
def seat_key(luck, arrangement, seat):
    """Where the chance of the agent in one seat comes from."""
    return fold(luck, ((int(arrangement) * 64 + int(seat)) << 32) + AGENTS_STREAM)


@rule
def decision_key(state, key, match, desk):
    """An agent's chance for this decision: by its turn, the phase, and the how-manieth decision in that phase.

    An extra question in a variant does not shift later ones. `match` tells the turns of different matches at one desk apart.
    """
    begun, phase = int(state.begun[state.actor]), int(state.phase)
    turn, place = (match << 32) + begun + 1, int(state.actor) * PHASES + phase
    if desk.turn_of[place] != turn:
        desk.turn_of[place] = turn
        desk.asked[place] = 0
    asked = desk.asked[place] + 1
    desk.asked[place] = asked
    return fold(key, (begun << 32) | (phase << 24) | asked)


# ---- agents at the table: a line-up's agents are put in these places, as many as it has


@rule
def agent_0(state, actions, n, key, agent, desk):
    return actions[0]


@rule
def agent_1(state, actions, n, key, agent, desk):
    return actions[0]


@rule
def agent_2(state, actions, n, key, agent, desk):
    return actions[0]


@rule
def agent_3(state, actions, n, key, agent, desk):
    return actions[0]


@rule
def agent_4(state, actions, n, key, agent, desk):
    return actions[0]


@rule
def choose(state, actions, n, key, agent, desk):
    """Ask the agent whose slot its row names, for one of the actions that its restriction leaves."""
    if agent[1]:
        n = permitted(actions, n, agent, desk)
    if n == 1:
        return actions[0]
    slot = agent[0]
    if slot == 0:
        return agent_0(state, actions, n, key, agent, desk)
    if slot == 1:
        return agent_1(state, actions, n, key, agent, desk)
    if slot == 2:
        return agent_2(state, actions, n, key, agent, desk)
    if slot == 3:
        return agent_3(state, actions, n, key, agent, desk)
    return agent_4(state, actions, n, key, agent, desk)


SLOTS = (agent_0, agent_1, agent_2, agent_3, agent_4)


# ---- one match


@rule
def play_match(state, luck, serial, agents, seating, cap, sign, desk, match, seats):
    """Play a set-up state to its end and fill in its row and its seats' rows."""
    actions = desk.actions[0]
    for seat in range(state.seats):
        desk.keys[seat] = seat_key(luck, match.arrangement, seat)
    low, high = FIRST_HASH, FIRST_HASH
    decisions, forced, branching, log_branching, widest = 0, 0, 0, 0, 0
    laps, due = 0, int(state.seats)  # laps played, and the last turn of the present one
    mark_lap(state, 0, desk)
    while state.end == 0 and decisions < cap:
        seat = int(state.actor)
        key = decision_key(state, desk.keys[seat], serial, desk)  # before `legal`: it takes long and waits for nothing
        n = legal(state, actions)
        if n == 0:
            break  # a broken game: its row says that it was still on
        action = actions[0] if n == 1 else choose(state, actions, n, key, agents[seating[seat]], desk)
        decisions += 1
        forced += n == 1
        branching += n
        log_branching += desk.logs[n]
        widest = max(widest, n)
        low = ((low ^ action) * 0x01000193) & LOW
        high = ((high + action) * 0x0019660D + 1) & LOW
        mine = seats[seat]
        if mine.decisions == 0:
            mine.opening = action
        mine.decisions += 1
        apply(state, action)
        if state.turn > due and state.end == 0:
            laps += 1
            due += state.seats
            mark_lap(state, laps, desk)
    match.decisions, match.forced, match.branching = decisions, forced, branching
    match.log_branching, match.widest = log_branching, widest
    match.hash = ((high & HIGH) << 32) | low
    match.turns, match.end = state.turn, state.end
    match.laps = (state.turn + state.seats - 1) // state.seats
    mark_lap(state, match.laps, desk)
    measure_result(state, sign, match, seats, desk)
    measure_lead(state, match, seats, desk)


@rule
def mark_lap(state, lap, desk):
    """Note score and outlook of each seat when `lap` laps have been played; a lap is as many turns as there are seats.

    Lap 0 is the set-up position; the last lap, whole or not, ends with the match.
    """
    for seat in range(state.seats):
        desk.outlooks[lap, seat] = outlook(state, seat)
        desk.scores[lap, seat] = score(state, seat)


@rule
def measure_result(state, sign, match, seats, desk):
    """Scores, places and who shares what. `sign` is -1 where low scores win."""
    best, second = -(1 << 62), -(1 << 62)
    for seat in range(state.seats):
        desk.standings[seat] = standing(state, seat)
    for seat in range(state.seats):
        points, mine, place, row = desk.scores[match.laps, seat], desk.standings[seat], 1, seats[seat]
        for other in range(state.seats):
            place += desk.standings[other] > mine
        row.score, row.place, row.turns = points, place, state.begun[seat]
        for counter in range(state.tally.shape[1]):
            row.tally[counter] = state.tally[seat, counter]
        match.winners += place == 1
        good = sign * points
        if good > best:
            best, second, match.tied = good, best, 1
        else:
            match.tied += good == best
            second = max(second, good)
    match.margin = best - second
    for seat in range(state.seats):
        if seats[seat].place == 1:
            seats[seat].win_share = 1.0 / match.winners


@rule
def measure_lead(state, match, seats, desk):
    """Who led, lap by lap. The outlook decides; a tie changes nothing."""
    leader, everybody = -1, (1 << int(state.seats)) - 1
    for lap in range(1, match.laps + 1):
        mask, best = leaders(desk.outlooks[lap], state.seats)
        if mask == everybody:
            continue
        now = -1
        for seat in range(state.seats):
            seats[seat].deficit = max(seats[seat].deficit, best - desk.outlooks[lap, seat])
            if mask == 1 << seat:
                now = seat
                seats[seat].laps_led += 1
        if now >= 0:
            if leader >= 0 and now != leader:
                match.lead_changes += 1
                match.last_lead_change = lap
            leader = now
    note_quarters(state, match, seats, desk)


@rule
def leaders(outlooks, seats):
    """The seats with the best outlook as bits, and that outlook."""
    mask, best = 0, outlooks[0]
    for seat in range(seats):
        if outlooks[seat] > best:
            mask, best = 0, outlooks[seat]
        if outlooks[seat] == best:
            mask |= 1 << seat
    return mask, best


@rule
def note_quarters(state, match, seats, desk):
    """The position after 25, 50 and 75 % of the laps, rounded down."""
    first, half, third = match.laps // 4, match.laps // 2, 3 * match.laps // 4
    match.leaders_25 = leaders(desk.outlooks[first], state.seats)[0]
    match.leaders_50 = leaders(desk.outlooks[half], state.seats)[0]
    match.leaders_75 = leaders(desk.outlooks[third], state.seats)[0]
    for seat in range(state.seats):
        row = seats[seat]
        row.score_25, row.outlook_25 = desk.scores[first, seat], desk.outlooks[first, seat]
        row.score_50, row.outlook_50 = desk.scores[half, seat], desk.outlooks[half, seat]
        row.score_75, row.outlook_75 = desk.scores[third, seat], desk.outlooks[third, seat]


# ---- many matches


@rule
def play_blocks(blank, master, first, blocks, agents, seatings, stream_names, cap, sign, desk, states, matches, seats):
    """Play a run of blocks, each in every seating; row b * len(seatings) + a is block `first` + b in seating a."""
    for b in range(blocks):
        luck = block_key(master, blank[0].seats, first + b)
        for arrangement in range(len(seatings)):
            row = b * len(seatings) + arrangement
            states[0] = blank[0]
            matches[row].block, matches[row].arrangement = first + b, arrangement
            for seat in range(blank[0].seats):
                seats[row, seat].opening = -1
            begin_match(states[0], luck, stream_names)
            play_match(states[0], luck, row, agents, seatings[arrangement], cap, sign, desk, matches[row], seats[row])
