"""The loop that plays matches and measures them. Compiled it runs no Python per decision; uncompiled it plays
the same matches.

MATCH and `make_seat_type` say what each column means, `mark_round` how rounds are counted.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.scratch import OWN_ROW, SLOT, filter_allowed
from boardgames.game.game import MAX_PHASES, make_record_type
from boardgames.rules.chance import HIGH, LOW, fold, random_number
from boardgames.rules.protocol import apply, evaluate, legal, score, setup, standing
from boardgames.rules.rulecode import rule

# Raised by hand whenever the same rules and agents give other columns; its test in test_engine.py fails then.
ENGINE_VERSION = 1
AGENTS_STREAM = 0x5EA75  # keeps the agents' chance apart from the streams of the game
SEATING_STREAM = 0x5EA71  # likewise the choice of a seating, where matches are played with swapped chance
PARTNER = 0x9A127  # makes of a deal's key that of its partner
FIRST_HASH = 0x2545F491

MATCH = make_record_type(
    [
        ("deal", "i8"),
        ("hash", "i8"),  # of all actions taken: identical matches are recognised
        ("branching", "i8"),  # sum of the numbers of legal actions, over all decisions
        ("log_branching", "i8"),  # sum of their logarithms, in 1/65536 bits: whole, the same on every machine
        ("turns", "i4"),
        ("rounds", "i4"),
        ("decisions", "i4"),
        ("forced", "i4"),  # decisions with a single legal action
        ("widest", "i4"),  # most legal actions at one decision
        ("winning_margin", "i4"),  # best score less second best
        ("lead_changes", "i4"),  # rounds whose sole leader by evaluation is not the sole leader before
        ("last_lead_change", "i4"),  # the round of the last change; 0 = none
        ("seating", "i2"),
        ("end", "i2"),  # 1 + index in the game's `ends`; 0 = cut off by the cap
        ("tied", "i2"),  # seats that share the best score, before tie-breaks
        ("winners", "i2"),  # seats that share the first rank, after tie-breaks
        ("leaders_25", "i2"),  # seats in the lead by evaluation after a quarter of the rounds, one bit each
        ("leaders_50", "i2"),
        ("leaders_75", "i2"),
    ]
)


def make_seat_type(tallies: int) -> np.dtype[Any]:
    """The columns of each seat of a match."""
    return make_record_type(
        [
            ("evaluation_25", "i8"),
            ("evaluation_50", "i8"),
            ("evaluation_75", "i8"),
            ("deficit", "i8"),  # deepest: how far behind the best evaluation at the end of any round
            ("win_share", "f8"),  # 1 / winners for a winner, else 0
            ("score", "i4"),
            ("score_25", "i4"),
            ("score_50", "i4"),
            ("score_75", "i4"),
            ("rounds_led", "i4"),  # as sole leader by evaluation
            ("turns", "i4"),
            ("decisions", "i4"),
            ("opening", "i4"),  # the seat's first action; -1 = it never acted
            ("rank", "i2"),
            ("tally", "i2", (max(1, tallies),)),
        ]
    )


class Setting(NamedTuple):
    """What all matches of a cell share."""

    blank: np.ndarray[Any, Any]  # one state that is not set up
    seed: int
    agents: np.ndarray[Any, Any]  # a row of numbers for each agent of the line-up
    seatings: np.ndarray[Any, Any]  # for each seating and seat, the index in the line-up
    stream_names: np.ndarray[Any, Any]
    cap: int  # on the decisions of a match
    sign: int  # -1 if low scores win


class MatchRows(NamedTuple):
    """Where the columns of matches go: one row per match, and one per match and seat."""

    matches: np.ndarray[Any, Any]
    seats: np.ndarray[Any, Any]


# ---- keys: the same luck whatever the variant, the workers and the order of play (DESIGN, law 2)


@rule
def make_deal_key(seed, players, deal):
    return fold(fold(fold(0, seed), players), deal)


@rule
def begin_match(state, luck, stream_names):
    """Key the streams of a blank state by their names, then set it up."""
    for stream in range(len(stream_names)):
        state.stream_key[stream] = fold(luck, stream_names[stream])
    setup(state)


@rule
def make_seat_key(luck, seating, seat):
    """The key of the chance of the agent in one seat."""
    return fold(luck, ((int(seating) * 64 + int(seat)) << 32) + AGENTS_STREAM)


@rule
def make_decision_key(state, key, match, scratch):
    """The key of an agent's chance for this decision: by its turn, the phase, and n for the n-th decision in
    that phase.

    An extra question in a variant does not shift later ones. `match` distinguishes the matches that share a
    scratch.
    """
    begun = int(state.begun[state.actor])
    phase = int(state.phase)
    turn = (match << 32) + begun + 1
    index = int(state.actor) * MAX_PHASES + phase
    if scratch.decision_turns[index] != turn:
        scratch.decision_turns[index] = turn
        scratch.decisions[index] = 0
    count = scratch.decisions[index] + 1
    scratch.decisions[index] = count
    return fold(key, (begun << 32) | (phase << 24) | count)


# ---- slots: the agents of a line-up replace these functions


@rule
def agent_0(state, actions, n, key, agent, scratch):
    return actions[0]


@rule
def agent_1(state, actions, n, key, agent, scratch):
    return actions[0]


@rule
def agent_2(state, actions, n, key, agent, scratch):
    return actions[0]


@rule
def agent_3(state, actions, n, key, agent, scratch):
    return actions[0]


@rule
def agent_4(state, actions, n, key, agent, scratch):
    return actions[0]


@rule
def choose(state, actions, n, key, agent, scratch):
    """Ask the agent in the slot that its row names to choose among the actions that its restrictions
    allow.
    """
    if agent[OWN_ROW]:
        n = filter_allowed(actions, n, agent, scratch)
    if n == 1:
        return actions[0]
    slot = agent[SLOT]
    if slot == 0:
        return agent_0(state, actions, n, key, agent, scratch)
    if slot == 1:
        return agent_1(state, actions, n, key, agent, scratch)
    if slot == 2:
        return agent_2(state, actions, n, key, agent, scratch)
    if slot == 3:
        return agent_3(state, actions, n, key, agent, scratch)
    return agent_4(state, actions, n, key, agent, scratch)


SLOTS = (agent_0, agent_1, agent_2, agent_3, agent_4)


# ---- one match


@rule
def play_match(state, row, setting, scratch, rows):
    """Play a set-up state to its end and fill in the match's row and the seats' rows. The seats have their
    keys.
    """
    actions = scratch.actions[0]
    match, seats = rows.matches[row], rows.seats[row]
    seating = setting.seatings[match.seating]
    low = FIRST_HASH
    high = FIRST_HASH
    decisions, forced, branching, log_branching, widest = 0, 0, 0, 0, 0
    rounds = 0  # that are complete
    last_turn = int(state.players)  # of the present round
    mark_round(state, 0, scratch)
    while state.end == 0 and decisions < setting.cap:
        seat = int(state.actor)
        # before `legal`: it takes long and depends on nothing else
        key = make_decision_key(state, scratch.keys[seat], row, scratch)
        n = legal(state, actions)
        if n == 0:
            break  # a broken game: its row says that it was not over
        action = actions[0]
        if n > 1:
            action = choose(state, actions, n, key, setting.agents[seating[seat]], scratch)
        decisions += 1
        forced += n == 1
        branching += n
        log_branching += scratch.logs[n]
        widest = max(widest, n)
        low = ((low ^ action) * 0x01000193) & LOW
        high = ((high + action) * 0x0019660D + 1) & LOW
        note_action(seats[seat], action)
        apply(state, action)
        while state.turn > last_turn:  # also where the match is over: its last action may begin a turn
            rounds += 1
            last_turn += state.players
            mark_round(state, rounds, scratch)
    match.decisions, match.forced, match.branching = decisions, forced, branching
    match.log_branching, match.widest = log_branching, widest
    match.hash = ((high & HIGH) << 32) | low
    measure_match(state, setting.sign, match, seats, scratch)


@rule
def make_seat_keys(state, luck, seating, scratch):
    for seat in range(state.players):
        scratch.keys[seat] = make_seat_key(luck, seating, seat)


@rule
def note_action(row, action):
    """Count a decision of a seat; the first one is its opening."""
    if row.decisions == 0:
        row.opening = action
    row.decisions += 1


@rule
def measure_match(state, sign, match, seats, scratch):
    """Fill in how long it took, how it ended and who led. `sign` is -1 if low scores win."""
    match.turns, match.end = state.turn, state.end
    match.rounds = (state.turn + state.players - 1) // state.players
    mark_round(state, match.rounds, scratch)
    measure_result(state, sign, match, seats, scratch)
    measure_lead(state, match, seats, scratch)


@rule
def mark_round(state, round_number, scratch):
    """Note score and evaluation of each seat after `round_number` rounds. A round is as many turns as there
    are players.

    Round 0 is the set-up position; the last round, complete or not, ends with the match.
    """
    for seat in range(state.players):
        scratch.evaluations[round_number, seat] = evaluate(state, seat)
        scratch.scores[round_number, seat] = score(state, seat)


@rule
def measure_result(state, sign, match, seats, scratch):
    """Fill in scores, ranks, ties and winners. `sign` is -1 if low scores win."""
    best, second = -(1 << 62), -(1 << 62)
    for seat in range(state.players):
        scratch.standings[seat] = standing(state, seat)
    for seat in range(state.players):
        points, mine, rank, row = scratch.scores[match.rounds, seat], scratch.standings[seat], 1, seats[seat]
        for other in range(state.players):
            rank += scratch.standings[other] > mine
        row.score, row.rank, row.turns = points, rank, state.begun[seat]
        for tally in range(state.tally.shape[1]):
            row.tally[tally] = state.tally[seat, tally]
        match.winners += rank == 1
        good = sign * points
        if good > best:
            best, second, match.tied = good, best, 1
        else:
            match.tied += good == best
            second = max(second, good)
    match.winning_margin = best - second
    for seat in range(state.players):
        if seats[seat].rank == 1:
            seats[seat].win_share = 1.0 / match.winners


@rule
def measure_lead(state, match, seats, scratch):
    """Fill in who led, round by round, by evaluation; a tie changes nothing."""
    leader = -1
    all_seats = (1 << int(state.players)) - 1
    for round_number in range(1, match.rounds + 1):
        mask, best = find_leaders(scratch.evaluations[round_number], state.players)
        if mask == all_seats:
            continue
        sole_leader = -1
        for seat in range(state.players):
            seats[seat].deficit = max(seats[seat].deficit, best - scratch.evaluations[round_number, seat])
            if mask == 1 << seat:
                sole_leader = seat
                seats[seat].rounds_led += 1
        if sole_leader >= 0:
            if leader >= 0 and sole_leader != leader:
                match.lead_changes += 1
                match.last_lead_change = round_number
            leader = sole_leader
    note_quarters(state, match, seats, scratch)


@rule
def find_leaders(evaluations, players):
    """The seats with the best evaluation as bits, and that evaluation."""
    mask, best = 0, evaluations[0]
    for seat in range(players):
        if evaluations[seat] > best:
            mask, best = 0, evaluations[seat]
        if evaluations[seat] == best:
            mask |= 1 << seat
    return mask, best


@rule
def note_quarters(state, match, seats, scratch):
    """Fill in the columns for the position after 25, 50 and 75 % of the rounds, rounded down."""
    first, half, third = match.rounds // 4, match.rounds // 2, 3 * match.rounds // 4
    match.leaders_25 = find_leaders(scratch.evaluations[first], state.players)[0]
    match.leaders_50 = find_leaders(scratch.evaluations[half], state.players)[0]
    match.leaders_75 = find_leaders(scratch.evaluations[third], state.players)[0]
    for seat in range(state.players):
        row = seats[seat]
        row.score_25, row.evaluation_25 = scratch.scores[first, seat], scratch.evaluations[first, seat]
        row.score_50, row.evaluation_50 = scratch.scores[half, seat], scratch.evaluations[half, seat]
        row.score_75, row.evaluation_75 = scratch.scores[third, seat], scratch.evaluations[third, seat]


# ---- deals


@rule
def play_deals(first, deals, setting, state, scratch, rows):
    """Play a run of deals, each in every seating; row b * len(seatings) + a is deal `first` + b in
    seating a. They are played in the one record of `state`.
    """
    players = setting.blank[0].players
    for b in range(deals):
        luck = make_deal_key(setting.seed, players, first + b)
        for seating in range(len(setting.seatings)):
            row = b * len(setting.seatings) + seating
            state[0] = setting.blank[0]
            begin_rows(rows, row, first + b, seating, players)
            begin_match(state[0], luck, setting.stream_names)
            make_seat_keys(state[0], luck, seating, scratch)
            play_match(state[0], row, setting, scratch, rows)


@rule
def begin_rows(rows, row, deal, seating, players):
    """Fill in what is known of a match before it begins."""
    rows.matches[row].deal, rows.matches[row].seating = deal, seating
    for seat in range(players):
        rows.seats[row, seat].opening = -1


# ---- deals with swapped chance: which source of chance decides what (boardgames.play.swaps)


@rule
def play_swapped_deals(first, deals, setting, swaps, state, scratch, rows):
    """Play a run of deals, each once for every one of its swaps; row b * swaps.shape[1] + a is deal
    `first` + b with swap a.

    A swap says of each source where its chance comes from: 0 is the deal, 1 its partner, an independent deal.
    The sources are the streams, then the agents' own chance, then the seating.
    """
    players = setting.blank[0].players
    streams = len(setting.stream_names)
    for b in range(deals):
        luck = make_deal_key(setting.seed, players, first + b)
        for a in range(swaps.shape[1]):
            row, swap = b * swaps.shape[1] + a, swaps[b, a]
            seating = draw_seating(choose_luck(luck, swap[streams + 1]), len(setting.seatings))
            state[0] = setting.blank[0]
            begin_rows(rows, row, first + b, seating, players)
            begin_swapped_match(state[0], luck, swap, setting.stream_names)
            # the agents' chance must not depend on the seating, which is a source of its own
            make_seat_keys(state[0], choose_luck(luck, swap[streams]), 0, scratch)
            play_match(state[0], row, setting, scratch, rows)


@rule
def choose_luck(luck, is_swapped):
    """The key of a deal, or of its partner."""
    return fold(luck, PARTNER) if is_swapped else luck


@rule
def draw_seating(luck, seatings):
    return random_number(fold(luck, SEATING_STREAM), 0, seatings)


@rule
def begin_swapped_match(state, luck, swap, stream_names):
    """Key each stream of a blank state by the deal or by its partner, then set it up."""
    for stream in range(len(stream_names)):
        state.stream_key[stream] = fold(choose_luck(luck, swap[stream]), stream_names[stream])
    setup(state)
