"""Magpies: line your nest with shiny things, and keep an eye on what the others carry home. For 2 to 4
players.

There are 45 cards: 15 buttons, 12 spoons, 9 coins, 6 rings and 3 crowns. Three of a kind are worth 1, 2, 3, 5
or 8 points.

§1  Everybody is dealt five cards. The others are the deck; beside it lies the meadow, empty at first.
§2  Your turn begins with fetching a card, in one of three ways:
    a. Draw from the deck, unseen. When the deck is used up, shuffle the meadow to make a new one.
    b. Pick up a card from the meadow, openly: everybody knows now that you hold it.
    c. Snatch a card that another magpie is known to hold. She lets it go, or chases you off: that costs her a
       card of another kind, which she drops on the meadow.
§3  Then lay three of a kind into your nest, or drop a card on the meadow. Fill up your hand to five cards
    from the deck.
§4  When a nest has three threes, the match ends as soon as all have had equally many turns. Else it ends in
    winter: after twelve turns each, or at once when nothing is left to draw. Most points win; among equals
    the nest with more threes, then the magpie who snatched more.
"""

from boardgames import (
    Flag,
    Game,
    Int,
    IntList,
    IntPerPlayerCount,
    IntPerSeat,
    NamedVariant,
    OneOf,
    begin_turn,
    explain_win,
    hidden,
    next_seat,
    private,
    public,
    rule,
)
from boardgames.examples import magpies_cards as cards
from boardgames.examples.magpies_cards import CARDS, COPIES, KINDS, THREE

MOST = 4
THINGS = ("button", "spoon", "coin", "ring", "crown")
FETCH, ANSWER, LINE = range(3)  # phases
FULL_NEST, WINTER = 1, 2  # ends
SNATCHED, CHASED = range(2)  # tallies
ANYONE, RICHER = range(2)  # whom one may rob
HOPE = (0, 1, 8)  # in one or two of a kind, for each copy there is of it

DRAW = 0
PICK_UP = DRAW + 1  # + kind
SNATCH = PICK_UP + KINDS  # + seat * KINDS + kind
LET_GO = SNATCH + MOST * KINDS
CHASE = LET_GO + 1  # + kind that it costs
NEST = CHASE + KINDS  # + kind
DROP = NEST + KINDS  # + kind
ACTIONS = DROP + KINDS


@rule
def setup(state):
    cards.deal(state)
    begin_turn(state, 0)


@rule
def legal(state, actions):
    if state.phase == FETCH:
        return ways_to_fetch(state, actions)
    if state.phase == ANSWER:
        return answers(state, actions)
    return ways_to_line(state, actions)


@rule
def ways_to_fetch(state, actions):
    """§2."""
    actions[0] = DRAW
    n = 1
    for kind in range(KINDS):
        if state.meadow[kind] > 0:
            actions[n] = PICK_UP + kind
            n += 1
    for seat in range(state.players):
        for kind in range(KINDS):
            if state.known[seat, kind] > 0 and may_rob(state, seat):
                actions[n] = SNATCH + seat * KINDS + kind
                n += 1
    return n


@rule
def may_rob(state, seat):
    """§2c. Any other magpie; in one variant only those with more points."""
    return seat != state.turn_owner and (
        state.rules.victims == ANYONE or score(state, seat) > score(state, state.turn_owner)
    )


@rule
def answers(state, actions):
    """§2c. Let go, or chase at the cost of a card of another kind."""
    actions[0] = LET_GO
    n = 1
    for kind in range(KINDS):
        if state.hand[state.actor, kind] > 0 and kind != state.wanted:
            actions[n] = CHASE + kind
            n += 1
    return n


@rule
def ways_to_line(state, actions):
    """§3."""
    n = 0
    for kind in range(KINDS):
        if state.hand[state.turn_owner, kind] > 0:
            actions[n] = DROP + kind
            n += 1
        if state.hand[state.turn_owner, kind] >= THREE:
            actions[n] = NEST + kind
            n += 1
    return n


@rule
def apply(state, action):
    if action < SNATCH:
        fetch(state, action)
    elif action < LET_GO:
        snatch(state, (action - SNATCH) // KINDS, (action - SNATCH) % KINDS)
    elif action < NEST:
        answer(state, action)
    else:
        line(state, action)


@rule
def fetch(state, action):
    """§2a and b."""
    if action == DRAW:
        cards.draw_unseen(state, state.turn_owner)
    else:
        cards.pick_up(state, state.turn_owner, action - PICK_UP)
    state.phase = LINE


@rule
def snatch(state, victim, kind):
    """§2c. It is for the other magpie to answer, unless there is no chasing."""
    state.wanted = kind
    state.actor = victim
    state.phase = ANSWER
    if not state.rules.chase:
        answer(state, LET_GO)


@rule
def answer(state, action):
    """§2c. Either way it is done before the eyes of all; then the thief goes on."""
    if action == LET_GO:
        cards.hand_over(state, state.actor, state.turn_owner, state.wanted)
        state.tally[state.turn_owner, SNATCHED] += 1
    else:
        cards.drop(state, state.actor, action - CHASE)
        state.tally[state.actor, CHASED] += 1
    state.actor = state.turn_owner
    state.phase = LINE


@rule
def line(state, action):
    """§3."""
    if action < DROP:
        cards.lay_three(state, state.turn_owner, action - NEST)
    else:
        cards.drop(state, state.turn_owner, action - DROP)
    cards.fill_up(state, state.turn_owner)
    end_turn(state)


@rule
def end_turn(state):
    """§4."""
    if state.turn_owner == state.players - 1 and state.nest.sum(axis=1).max() >= state.rules.full_nest:
        state.end = FULL_NEST
    elif state.turn == state.rules.days * state.players or cards.is_bare(state):
        state.end = WINTER
    else:
        state.phase = FETCH
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def score(state, seat):
    """§4. What the nest is worth."""
    points = 0
    for kind in range(KINDS):
        points += int(state.nest[seat, kind]) * int(state.rules.worth[kind])
    return points


@rule
def standing(state, seat):
    """§4. Points, then threes, then cards snatched."""
    return (score(state, seat) * 100 + int(state.nest[seat].sum())) * 1000 + int(state.tally[seat, SNATCHED])


@rule
def evaluate(state, seat):
    """In hundredths of a point: three in hand are almost in the nest, and common things easily come to be
    three.
    """
    hundredths = 100 * score(state, seat)
    for kind in range(KINDS):
        held = int(state.hand[seat, kind])
        hundredths += 90 * int(state.rules.worth[kind]) * (held // THREE) + HOPE[held % THREE] * COPIES[kind]
    return hundredths


WORDS = (
    "draw a card",
    *(f"pick up a {thing}" for thing in THINGS),
    *(f"snatch a {thing} from magpie {1 + seat}" for seat in range(MOST) for thing in THINGS),
    "let it go",
    *(f"drop a {thing} to chase the thief off" for thing in THINGS),
    *(f"lay three {thing}s into the nest" for thing in THINGS),
    *(f"drop a {thing}" for thing in THINGS),
)


def say(state, action):
    return WORDS[action]


def describe_setup(state, seat):
    """§1. The hands, as far as the seat sees them."""
    seats = range(state.players) if seat is None else [seat]
    return [
        "the meadow is empty",
        *(f"seat {magpie + 1} holds {name_things(state.hand[magpie])}" for magpie in seats),
    ]


def describe_effects(before, after, action, seat):
    """What a magpie got, lost and lined her nest with, and whether the deck was made anew."""
    player, lines = int(before.turn_owner), []
    if after.tally[player, SNATCHED] > before.tally[player, SNATCHED]:
        lines.append(f"seat {player + 1} takes a {THINGS[after.wanted]}, openly")
    if CHASE <= action < NEST:
        lines.append(f"seat {before.actor + 1} keeps her {THINGS[before.wanted]}")
    if NEST <= action < DROP:
        lines.append(f"the nest of seat {player + 1} is worth {score(after, player)}")
    drawn = find_drawn(before, after, action)
    if seat in (None, player) and drawn.any():
        lines.append(f"seat {player + 1} draws {name_things(drawn)}")
    if after.meadow.sum() < before.meadow.sum() and not PICK_UP <= action < SNATCH:
        lines.append("the meadow is shuffled to make a new deck")
    return lines


def find_drawn(before, after, action):
    """What came into the player's hand from the deck: all that is new, and what replaced the cards laid."""
    drawn = after.hand[before.turn_owner] - before.hand[before.turn_owner]
    if DRAW < action < NEST:
        drawn[:] = 0  # it came from elsewhere
    elif action >= DROP:
        drawn[action - DROP] += 1
    elif action >= NEST:
        drawn[action - NEST] += THREE
    return drawn


def name_things(counts):
    """2 buttons, 1 coin"""
    things = zip(counts.tolist(), THINGS, strict=True)
    return ", ".join(f"{n} {thing}{'s' if n > 1 else ''}" for n, thing in things if n)


def describe_result(state):
    """§4."""
    seats = range(state.players)
    return explain_win(
        ("point", [score(state, seat) for seat in seats]),
        ("three", [int(state.nest[seat].sum()) for seat in seats]),
        ("snatched card", [int(state.tally[seat, SNATCHED]) for seat in seats]),
    )


def refuse(rules, seats):
    dealt = seats * int(rules.hand_size) + int(rules.extra_cards[:seats].sum())
    if dealt >= CARDS:
        return f"{dealt} cards would be dealt, and there are only {CARDS}"
    if rules.hand_size < seats:
        return (
            f"{seats - 1} others could rob a magpie of all her cards: for {seats} players hand_size"
            f" is at least {seats}"
        )
    return None


GAME = Game(
    name="magpies",
    about="Line your nest with shiny things, and keep an eye on what the others carry home.",
    is_example=True,
    player_counts=range(2, MOST + 1),
    actions=ACTIONS,
    fields={
        "deck": hidden("i2", KINDS),
        "meadow": public("i2", KINDS),
        "hand": private("i2", KINDS),
        "known": public("i2", MOST, KINDS, by_seat=True),  # the part of each hand that was taken openly
        "nest": public("i2", MOST, KINDS, by_seat=True),  # threes
        "wanted": public("i2"),  # what the thief is after
    },
    parameters=(
        Int("days", 12, "turns of each magpie before winter", 1, 30),
        Int("full_nest", 3, "threes in one nest that end the match", 1, 6),
        Flag("chase", True, "whether a robbed magpie may chase the thief off"),
        OneOf(
            "victims",
            "anyone",
            "whom one may rob: anyone, or only a magpie with more points",
            ("anyone", "richer"),
        ),
        IntList("worth", (1, 2, 3, 5, 8), "points for three buttons, spoons, coins, rings, crowns", 0, 20),
        IntPerPlayerCount("hand_size", 5, "cards in a hand, for each number of players", 2, 9),
        IntPerSeat("extra_cards", 0, "cards that a seat is dealt beyond its hand", 0, 3),
    ),
    variants={
        "chicks": NamedVariant(
            {"chase": False, "days": 8, "full_nest": 2}, "short, and without second thoughts about a theft"
        ),
        "robin-hood": NamedVariant(
            {"victims": "richer", "worth": (1, 1, 2, 4, 9)}, "only the rich are robbed, and crowns make rich"
        ),
    },
    streams=("deck",),
    ends=("full nest", "winter"),
    tallies=("snatched", "chased"),
    groups={
        "draw": [DRAW],
        "pick up": range(PICK_UP, SNATCH),
        "snatch": range(SNATCH, LET_GO),
        "let go": [LET_GO],
        "chase": range(CHASE, NEST),
        "nest": range(NEST, DROP),
        "drop": range(DROP, ACTIONS),
    },
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    score=score,
    evaluate=evaluate,
    resample=cards.resample,
    say=say,
    describe_setup=describe_setup,
    describe_effects=describe_effects,
    describe_result=describe_result,
    census=cards.count,
    scores=lambda rules, seats: (0, int(rules.full_nest) * int(rules.worth.max())),
    turns=lambda rules, seats: (1, int(rules.days) * seats),
    refuse=refuse,
)
