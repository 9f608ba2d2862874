"""Charm: each seat in its turn may find a charm and may find a hat; then a die decides, in which a charm
counts three times.

With two seats, whoever has a charm wins 5/8 of the matches, whoever has none 3/8; a hat does nothing.
"""

from boardgames import Game, begin_turn, next_seat, public, random_below, rule

LUCK = 0  # stream
DECIDED = 1  # end
CHARM, HAT = 0, 1  # tallies


@rule
def setup(state):
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action):
    state.tally[state.turn_owner, CHARM] = random_below(state, LUCK, 2)
    state.tally[state.turn_owner, HAT] = random_below(state, LUCK, 2)
    if state.turn < state.players:
        begin_turn(state, next_seat(state, state.turn_owner))
        return
    weights = 0
    for seat in range(state.players):
        weights += 1 + 2 * state.tally[seat, CHARM]
    drawn = random_below(state, LUCK, weights)
    for seat in range(state.players):
        weight = 1 + 2 * state.tally[seat, CHARM]
        if 0 <= drawn < weight:
            state.winner = seat
        drawn -= weight
    state.end = DECIDED


@rule
def standing(state, seat):
    return int(state.end == DECIDED and state.winner == seat)


GAME = Game(
    name="charm",
    about="A charm helps, a hat does not.",
    player_counts=(2, 3),
    actions=1,
    fields={"winner": public("i2")},
    streams=("luck",),
    ends=("decided",),
    tallies=("worn: charm", "worn: hat"),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=lambda state, action: "look for a charm",
    scores=(0, 1),
    turns=(2, 3),
)
