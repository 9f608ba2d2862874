"""Magpies, the cards: how they move between deck, meadow, hands and nests, and what everybody knows of them.

`known` is the part of a hand that all have seen arriving. Whatever leaves a hand may have been a known card,
so it counts as one.
"""

from boardgames import draw, draw_or_reshuffle, rule

COPIES = (15, 12, 9, 6, 3)
THREE = 3
KINDS, CARDS = len(COPIES), sum(COPIES)
DECK = 0  # stream


@rule
def deal(state):
    """§1. Everybody gets a hand, and some seats a few cards more."""
    for kind in range(KINDS):
        state.deck[kind] = COPIES[kind]
    for seat in range(state.players):
        for _ in range(state.rules.hand_size + state.rules.extra_cards[seat]):
            draw_unseen(state, seat)


@rule
def draw_unseen(state, seat):
    """§2a. When the deck is used up, the meadow is shuffled to make a new one."""
    state.hand[seat, draw_or_reshuffle(state, DECK, state.deck, state.meadow)] += 1


@rule
def fill_up(state, seat):
    """§3. Draw until the hand has its size again, or nothing is left to draw."""
    while state.hand[seat].sum() < state.rules.hand_size and not is_bare(state):
        draw_unseen(state, seat)


@rule
def is_bare(state):
    return state.deck.sum() + state.meadow.sum() == 0


@rule
def pick_up(state, seat, kind):
    """§2b. From the meadow, before the eyes of all."""
    state.meadow[kind] -= 1
    take_openly(state, seat, kind)


@rule
def hand_over(state, giver, taker, kind):
    """§2c. Likewise from hand to hand."""
    lose(state, giver, kind)
    take_openly(state, taker, kind)


@rule
def take_openly(state, seat, kind):
    state.hand[seat, kind] += 1
    state.known[seat, kind] += 1


@rule
def lose(state, seat, kind):
    state.hand[seat, kind] -= 1
    state.known[seat, kind] = max(0, state.known[seat, kind] - 1)


@rule
def drop(state, seat, kind):
    """A card goes to the meadow, face up."""
    lose(state, seat, kind)
    state.meadow[kind] += 1


@rule
def lay_three(state, seat, kind):
    """§3. Three of a kind go into the nest, for good."""
    for _ in range(THREE):
        lose(state, seat, kind)
    state.nest[seat, kind] += 1


@rule
def resample(state, me):
    """A magpie does not see the deck, nor what came unseen to the others. She counts cards: the sizes of
    their hands stay.
    """
    unseen = state.hand.sum(axis=1) - state.known.sum(axis=1)
    unseen[me] = 0
    for seat in range(state.players):
        for kind in range(KINDS if seat != me else 0):
            state.deck[kind] += state.hand[seat, kind] - state.known[seat, kind]
            state.hand[seat, kind] = state.known[seat, kind]
    for seat in range(state.players):
        for _ in range(unseen[seat]):
            state.hand[seat, draw(state, DECK, state.deck)] += 1


def count(state):
    """Each card is in the deck, on the meadow, in a hand or, with two others, in a nest."""
    return {"cards": int(state.deck.sum() + state.meadow.sum() + state.hand.sum() + THREE * state.nest.sum())}
