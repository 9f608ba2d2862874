"""A small healthy card game, and sick copies of it, each breaking one law of the protocol."""

import dataclasses
import itertools
import random

import numpy as np

from boardgames import Game, Int, begin_turn, derive, draw, hidden, next_seat, private, public, rule

KINDS, COPIES = 3, 3
DECK = 0
SALT = hash("celtica")  # another number in every process
MEMORY = np.zeros(1, np.int64)  # what no rule may have: a memory outside the state
LINES = itertools.count()  # likewise


@rule
def setup(state):
    for kind in range(KINDS):
        state.deck[kind] = COPIES
    for seat in range(state.players):
        for _ in range(state.rules.hand):
            state.hand[seat, draw(state, DECK, state.deck)] += 1
    begin_turn(state, 0)


@rule
def legal(state, actions):
    n = 0
    for kind in range(KINDS):
        if state.hand[state.actor, kind] > 0:
            actions[n] = kind
            n += 1
    return n


@rule
def apply(state, kind):
    lay(state, kind)
    replenish(state)
    finish(state)


@rule
def lay(state, kind):
    state.hand[state.actor, kind] -= 1
    state.table[state.actor, kind] += 1
    state.tally[state.actor, 0] += 1


@rule
def replenish(state):
    if state.deck.sum() > 0:
        state.hand[state.actor, draw(state, DECK, state.deck)] += 1


@rule
def finish(state):
    following = next_seat(state, state.turn_owner)
    if state.hand[following].sum() == 0:
        state.end = 1
    else:
        begin_turn(state, following)


@rule
def standing(state, seat):
    return state.table[seat, 1] + state.rules.worth * state.table[seat, 2]


@rule
def resample(state, seat):
    """Pool the deck and the other hands, and deal them anew."""
    for other in range(state.players):
        if other != seat:
            for kind in range(KINDS):
                state.deck[kind] += state.hand[other, kind]
    for other in range(state.players):
        if other != seat:
            cards = state.hand[other].sum()
            state.hand[other, :] = 0
            for _ in range(cards):
                state.hand[other, draw(state, DECK, state.deck)] += 1


def say(state, kind):
    return f"lay a {kind}"


def census(state):
    return {"cards": int(state.deck.sum() + state.hand.sum() + state.table.sum())}


def refuse(rules, seats):
    if rules.hand * seats > KINDS * COPIES:
        return f"there are not {rules.hand} cards for each of {seats} players"
    return None if rules.hand else "somebody has no card to begin with"


@rule
def _lay_by_kind(state, kind):
    lay(state, kind)
    state.laid[kind] += 1


@rule
def _finish_with_a_guest(state):
    finish(state)
    state.guest = 2


@rule
def _finish_with_a_debt(state):
    finish(state)
    state.debt = -1


HEALTHY = Game(
    name="healthy",
    player_counts=(2, 3),
    actions=KINDS,
    fields={"deck": hidden("i2", KINDS), "hand": private("i2", KINDS), "table": public("i2", 3, KINDS)},
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    resample=resample,
    say=say,
    parameters=(
        Int("hand", 2, "cards dealt to each", 0, 5),
        Int("worth", 2, "points for the highest kind", 0, 9),
    ),
    streams=("deck",),
    ends=("no cards",),
    tallies=("cards laid",),
    census=census,
    refuse=refuse,
    scores=(0, 30),
    turns=(4, 9),
    cap=60,
)


def _takes_it_back(state, kind):
    begin_turn(state, next_seat(state, state.turn_owner))


def _nothing_legal(state, actions):
    return legal(state, actions) if state.turn < 3 else 0


def _twice(state, actions):
    n = legal(state, actions)
    actions[n] = actions[0]
    return n + 1


def _too_high(state, actions):
    actions[0] = KINDS
    return 1


def _fickle(state, actions):
    state.phase += 1
    return legal(state, actions)


def _dice_of_its_own(state):
    if random.random() < 0.5:
        replenish(state)


def _remembers(state):
    MEMORY[0] += 1
    setup(state)
    state.table[0, 1] = MEMORY[0] % 7


def _hashes(state):
    setup(state)
    state.table[0, 1] = SALT % 11


def _upside_down(state, seat):
    return -state.table[seat, 1]


def _points(state, seat):
    return state.table[seat, 1]


def _burns(state):
    if state.deck.sum() > 0:
        draw(state, DECK, state.deck)


def _jumps_a_turn(state):
    finish(state)
    if state.end == 0:
        begin_turn(state, state.turn_owner)


def _no_book_kept(state):
    finish(state)
    state.begun[state.turn_owner] += 1


def _forgets_to_begin(state):
    """The next seat is the player, but begin_turn is forgotten."""
    following = next_seat(state, state.turn_owner)
    if state.hand[following].sum() == 0:
        state.end = 1
    else:
        state.turn_owner = state.actor = following


def _forgets_the_player(state):
    """The next seat acts in the turn of the first, whose hand `legal` still looks at."""
    state.actor = next_seat(state, state.actor)
    state.end = state.hand[state.turn_owner].sum() == 0


def _legal_for_the_player(state, actions):
    n = 0
    for kind in range(KINDS):
        if state.hand[state.turn_owner, kind] > 0:
            actions[n] = kind
            n += 1
    return n


def _lay_for_the_player(state, kind):
    state.hand[state.turn_owner, kind] -= 1
    state.table[state.turn_owner, kind] += 1
    state.tally[state.actor, 0] += 1


def _keeps_still(state):
    """Nobody draws, so that the first hand is soon empty."""


def _never_begins(state):
    setup(state)
    state.turn, state.begun[0] = 0, 0


def _halves(state, kind):
    lay(state, kind)
    state.tally[state.actor, 0] = 1 + state.table[state.actor].sum() / 2


def _halves_a_scalar(state):
    finish(state)
    state.phase = state.turn / 100


def _halves_when_resampling(state, seat):
    resample(state, seat)
    state.deck[:] = state.deck * 1.0


def _misspells(state):
    replenish(state)
    state.phase = state.dekc[0]


def _misspells_a_rule(state):
    setup(state)
    state.phase = state.rules.wroth


def _uses_words(state):
    replenish(state)
    state.phase = len(str(state.turn)) // 9


def _knows_what_comes(state, kind):
    return f"lay a {kind}, the deck holds {state.deck[0]} of the lowest"


def _asks_first(state):
    setup(state)
    state.turn, state.begun[0], state.phase = 0, 0, 1


def _keeps_first(state, kind):
    """Before the first turn, a seat says which kind it wants to keep."""
    if state.phase == 1:
        state.kept = kind
        state.phase = 0
        begin_turn(state, 0)
    else:
        lay(state, kind)
        replenish(state)
        finish(state)


def _lays_face_down(state, kind):
    state.hand[state.actor, kind] -= 1
    state.face_down[state.actor, kind] += 1
    state.tally[state.actor, 0] += 1


def _counts_face_down(state, seat):
    return state.face_down[seat, 1] + state.rules.worth * state.face_down[seat, 2]


def _redeals_face_down(state, seat):
    """Each seat keeps its number of cards, in hand and on the table."""
    laid = state.face_down.sum(axis=1)
    for other in range(state.players):
        if other != seat:
            for kind in range(KINDS):
                state.deck[kind] += state.face_down[other, kind]
                state.face_down[other, kind] = 0
    resample(state, seat)
    for other in range(state.players):
        for _ in range(laid[other] if other != seat else 0):
            state.face_down[other, draw(state, DECK, state.deck)] += 1


def _counts_all(state):
    return {"cards": int(state.deck.sum() + state.hand.sum() + state.face_down.sum())}


def _names_the_lowest_card(before, after, kind, seat):
    return [f"the lowest card in hand is a {min(np.flatnonzero(before.hand[before.actor]))}"]


def _numbers_its_lines(before, after, kind, seat):
    return [f"line {next(LINES)}"]


def _tells_in_one_go(state, seat):
    return "the table is empty"


def _crowns_the_first(state):
    return "Seat 1 wins: it began."


def _shows_all_hands(state, seat):
    return f"<svg><text>{state.hand.tolist()}</text></svg>"


def _shows_the_own_hand(state, seat):
    return f"<svg><text>{(state.hand if seat is None else state.hand[seat]).tolist()}</text></svg>"


def _draw_cards(state, seat, width, gap, cover=""):
    """A row of cards of which the actor's can be clicked, and what lies on them."""
    cards = "".join(
        f'<g data-action="{kind}" transform="translate({gap * kind},0)">'
        f'<rect width="{width}" height="60" fill="#fff"/></g>'
        for kind in range(KINDS)
        if seat == state.actor and state.hand[seat, kind]
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 200">{cards}{cover}</svg>'


def _lays_cards_over_each_other(state, seat):
    return _draw_cards(state, seat, width=60, gap=20)


def _draws_small_cards(state, seat):
    return _draw_cards(state, seat, width=20, gap=70)


def _draws_empty_frames(state, seat):
    return _draw_cards(state, seat, width=60, gap=70).replace('fill="#fff"', 'fill="none" stroke="#000"')


def _draws_letters(state, seat):
    return _draw_cards(state, seat, width=60, gap=70).replace(
        '<rect width="60" height="60" fill="#fff"/>', "<text>card</text>"
    )


def _draws_half_a_tag(state, seat):
    return "<svg><g></svg>"


def _draws_clear_cards(state, seat):
    """With a plate over all of them, which takes no clicks, and a small one that has a larger target."""
    plate = '<rect width="800" height="200" fill="#123"/>'
    target = '<rect x="-10" width="40" height="60" fill="none" pointer-events="all"/></g>'
    return _draw_cards(state, seat, width=20, gap=30, cover=plate).replace("</g>", target)


def _crashes(state):
    setup(state)
    state.table[state.players + 1, 0] = 1


def _changes_the_rules(state):
    finish(state)
    state.rules.worth += 1


def _peeks(state, seat):
    """Re-deals nothing."""


def _forgets(state, seat):
    resample(state, seat)
    draw(state, DECK, state.deck)


def _sees_the_table_change(state, seat):
    resample(state, seat)
    state.table[seat, 0], state.hand[seat, 0] = state.table[seat, 0] + state.hand[seat, 0], 0


def _looks_first(state, seat):
    """What it deals depends on the true deck."""
    if state.deck[0] > state.deck[1]:
        draw_from = state.deck[0]
        resample(state, seat)
        state.stream_step[DECK] += draw_from
    else:
        resample(state, seat)


def _knows_the_future(state, seat):
    resample(state, seat)
    state.stream_key[DECK] = 42


def _overflows(state):
    replenish(state)
    state.tally[state.actor, 0] *= 190


def _wide(state, seat):
    return standing(state, seat) + (1 << (state.players + 20)) // 3


def _half(state, seat):
    return standing(state, seat) / 2


def _hopes_for_high_cards(state, seat):
    return standing(state, seat) + state.hand[seat, 2]


def _is_sure_of_itself(state):
    return False


def _keeps_a_secret(state):
    setup(state)
    for seat in range(state.players):
        state.secret[seat] = state.stream_key[DECK] % 5


def _breaks_at_nine(state):
    setup(state)
    if state.rules.worth == 9:
        state.table[9, 9] = 1


SURE = derive(HEALTHY, "sure", is_turn_uncertain=_is_sure_of_itself)
OVERCONFIDENT = derive(
    SURE, "overconfident", is_turn_uncertain=_is_sure_of_itself, evaluate=_hopes_for_high_cards
)
ENDLESS = derive(HEALTHY, "endless", apply=_takes_it_back)
STUCK = derive(HEALTHY, "stuck", legal=_nothing_legal)
STUTTERING = derive(HEALTHY, "stuttering", legal=_twice)
OUT_OF_RANGE = derive(HEALTHY, "out-of-range", legal=_too_high)
FICKLE = derive(HEALTHY, "fickle", legal=_fickle)
GAMBLING = derive(HEALTHY, "gambling", replenish=_dice_of_its_own)
REMEMBERING = derive(HEALTHY, "remembering", setup=_remembers)
HASHING = derive(HEALTHY, "hashing", setup=_hashes)
UPSIDE_DOWN = derive(HEALTHY, "upside-down", standing=_upside_down, score=_points)
LOSING = derive(HEALTHY, "losing", replenish=_burns)
JUMPING = derive(HEALTHY, "jumping", finish=_jumps_a_turn)
UNBOOKED = derive(HEALTHY, "unbooked", finish=_no_book_kept)
TURNLESS = derive(HEALTHY, "turnless", finish=_forgets_to_begin)
PLAYERLESS = derive(
    HEALTHY,
    "playerless",
    finish=_forgets_the_player,
    legal=_legal_for_the_player,
    lay=_lay_for_the_player,
    replenish=_keeps_still,
    turns=(1, 9),
)
MISROWED = derive(HEALTHY, "misrowed", lay=_lay_by_kind, fields={"laid": public("i2", KINDS, by_seat=True)})
MISSEATED = derive(
    HEALTHY, "misseated", finish=_finish_with_a_guest, fields={"guest": public("i2", first_seat=0)}
)
MISPACKED = derive(HEALTHY, "mispacked", finish=_finish_with_a_debt, fields={"debt": public("i2", bits=4)})
UNBEGUN = derive(HEALTHY, "unbegun", setup=_never_begins)
HALF_TALLIED = derive(HEALTHY, "half-tallied", lay=_halves)
HALF_PHASED = derive(HEALTHY, "half-phased", finish=_halves_a_scalar)
HALF_RESAMPLED = derive(HEALTHY, "half-resampled", resample=_halves_when_resampling)
MISSPELT = derive(HEALTHY, "misspelt", replenish=_misspells)
MISRULED = derive(HEALTHY, "misruled", setup=_misspells_a_rule)
WORDY = derive(HEALTHY, "wordy", replenish=_uses_words)
TELLTALE = dataclasses.replace(HEALTHY, name="telltale", say=_knows_what_comes)
ASKING = derive(HEALTHY, "asking", fields={"kept": public("i2")}, setup=_asks_first, apply=_keeps_first)
WHISPERING = derive(
    HEALTHY,
    "whispering",
    fields={"face_down": private("i2", KINDS)},
    lay=_lays_face_down,
    standing=_counts_face_down,
    resample=_redeals_face_down,
    census=_counts_all,
)
FALTERING = dataclasses.replace(HEALTHY, name="faltering", describe_effects=_names_the_lowest_card)
RAMBLING = dataclasses.replace(HEALTHY, name="rambling", describe_setup=_tells_in_one_go)
FABLING = dataclasses.replace(HEALTHY, name="fabling", describe_effects=_numbers_its_lines)
MISJUDGING = dataclasses.replace(HEALTHY, name="misjudging", describe_result=_crowns_the_first)
SHOWING = dataclasses.replace(HEALTHY, name="showing", draw=_shows_all_hands)
SKETCHY = dataclasses.replace(HEALTHY, name="sketchy", draw=lambda state, seat: "a picture")
DISCREET = dataclasses.replace(HEALTHY, name="discreet", draw=_shows_the_own_hand)
COVERED = dataclasses.replace(HEALTHY, name="covered", draw=_lays_cards_over_each_other)
TINY = dataclasses.replace(HEALTHY, name="tiny", draw=_draws_small_cards)
HOLLOW = dataclasses.replace(HEALTHY, name="hollow", draw=_draws_empty_frames)
TORN = dataclasses.replace(HEALTHY, name="torn", draw=_draws_half_a_tag)
CLEAR = dataclasses.replace(HEALTHY, name="clear", draw=_draws_clear_cards)
LETTERED = dataclasses.replace(HEALTHY, name="lettered", draw=_draws_letters)
CRASHING = derive(HEALTHY, "crashing", setup=_crashes)
LAWLESS = derive(HEALTHY, "lawless", finish=_changes_the_rules)
PEEKING = derive(HEALTHY, "peeking", resample=_peeks)
FORGETFUL = derive(HEALTHY, "forgetful", resample=_forgets)
MEDDLING = derive(HEALTHY, "meddling", resample=_sees_the_table_change)
LOOKING = derive(HEALTHY, "looking", resample=_looks_first)
PROPHETIC = derive(HEALTHY, "prophetic", resample=_knows_the_future)
OVERFLOWING = derive(HEALTHY, "overflowing", replenish=_overflows)
WIDE = derive(HEALTHY, "wide", evaluate=_wide)
HALVING = derive(HEALTHY, "halving", evaluate=_half)
MUMBLING = dataclasses.replace(HEALTHY, name="mumbling", say=lambda state, kind: "lay a card")
DEAF = dataclasses.replace(
    HEALTHY, name="deaf", parameters=(*HEALTHY.parameters, Int("noise", 0, "does nothing", 0, 3))
)
IDLE = dataclasses.replace(HEALTHY, name="idle", tallies=("cards laid", "cards eaten"))
BICKERING = dataclasses.replace(HEALTHY, name="bickering", is_cooperative=True)
DRY = dataclasses.replace(HEALTHY, name="dry", streams=("deck", "bag"))
UNBOUNDED = dataclasses.replace(HEALTHY, name="unbounded", scores=(0, 2))
SILENT = dataclasses.replace(HEALTHY, name="silent", refuse=None)
LEAKING = derive(HEALTHY, "leaking", setup=_keeps_a_secret, fields={"secret": private("i2")})
FRAGILE = derive(HEALTHY, "fragile", setup=_breaks_at_nine)
SHUT = dataclasses.replace(
    HEALTHY, name="shut", refuse=lambda rules, seats: "we are closed" if seats == 3 else None
)
SPEECHLESS = dataclasses.replace(HEALTHY, name="speechless", refuse=lambda rules, seats: "")
