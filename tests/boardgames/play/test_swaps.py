"""Matches with swapped chance: each source follows the deal or its partner, and nothing else changes."""

from collections import Counter

import numpy as np

from boardgames import find_variant
from boardgames.agents.seating import find_line_up
from boardgames.play.batch import make_runner, make_scratch
from boardgames.play.swaps import AGENTS, SEATING, STREAM, list_masks, make_swap_design
from tests.truth import two_dice

TWO_DICE = "tests.truth.two_dice:GAME"
SMALL, LARGE, CHOICES = 1, 2, 4  # bits of the sources


def play(spec: str, agents: str, deals: int, swapped: bool = True, seed: int = 1, players: int = 2):
    """The seats of deals by the uncompiled rules, by deal and match; and the masks."""
    variant = find_variant(spec)
    line_up = find_line_up(agents, players, variant.game)
    runner = make_runner(variant, line_up, seed, compiled=False)
    design = make_swap_design(variant.game, len(runner.seatings), seed, players)
    if swapped:
        runner = runner._replace(swaps=design)
    batch = runner.run(0, deals, make_scratch(variant.game, line_up))
    return batch.seats.reshape(deals, -1, players), design.make_masks(0, deals), batch


def throw(seats) -> np.ndarray:
    """What seat 1 threw: twice the sum of the dice."""
    return seats["score"][..., 0]


def test_a_match_without_a_swap_is_the_ordinary_match_of_its_deal():
    seats, masks, _ = play("pig+target=20", "greedy", 20)
    ordinary, _, _ = play("pig+target=20", "greedy", 20, swapped=False)
    assert (masks[:, 0] == 0).all()
    assert (seats[:, 0] == ordinary[:, 0]).all()


def test_a_source_changes_with_its_own_bit_alone():
    """The sum of the dice has as many values as the bits of the two dice allow, whatever the agents do."""
    seats, masks, _ = play(TWO_DICE, "random", 40)
    for deal, deal_masks in zip(throw(seats), masks, strict=True):
        by_dice: dict[int, set[int]] = {}
        for value, mask in zip(deal.tolist(), deal_masks.tolist(), strict=True):
            by_dice.setdefault(mask & (SMALL | LARGE), set()).add(value)
        assert all(len(values) == 1 for values in by_dice.values()), by_dice
    small, large = (throw(seats)[masks == mask] for mask in (SMALL, LARGE))
    first = throw(seats)[:, 0]
    for mask, values in ((SMALL, small), (LARGE, large)):
        unswapped = first[(masks == mask).any(axis=1)]
        assert (values != unswapped).any()  # swapping one die alone does something


def test_the_agents_chance_is_a_source_of_its_own():
    """With a bonus that only a choice gives, seat 2 changes with the agents' bit alone."""
    seats, masks, _ = play(f"{TWO_DICE}+bonus=5", "random", 40)
    points = seats["score"][..., 1]
    for deal_points, deal_masks in zip(points, masks, strict=True):
        chosen = {bool(mask & CHOICES): set() for mask in deal_masks.tolist()}
        for value, mask in zip(deal_points.tolist(), deal_masks.tolist(), strict=True):
            chosen[bool(mask & CHOICES)].add(value)
        assert all(len(values) == 1 for values in chosen.values())
    assert len(np.unique(points)) == 2


def test_the_seating_is_a_source_where_agents_differ():
    seats, masks, batch = play(f"{TWO_DICE}+bonus=1000", "random+force=take,random+forbid=take", 30)
    seatings = batch.matches["seating"].reshape(masks.shape)
    bit = 1 << make_swap_design(two_dice.GAME, 2, 1, 2).sources.index(SEATING)
    for deal_seatings, deal_masks in zip(seatings, masks, strict=True):
        assert len({*zip(deal_seatings.tolist(), (deal_masks & bit > 0).tolist(), strict=True)}) <= 2
    assert (seats["win_share"][..., 0] == (seatings == 0)).all()  # whoever may take the bonus wins
    assert 0 < seatings[:, 0].mean() < 1


def test_the_two_walks_of_a_deal_are_opposites_and_every_source_is_swapped_once():
    sources = (f"{STREAM}a", f"{STREAM}b", f"{STREAM}c", AGENTS)
    masks = list_masks(sources, [2, 0, 3, 1])
    assert masks[:4] == [0, 0b0100, 0b0101, 0b1101]
    assert [mask ^ 0b1111 for mask in masks[:4]] == masks[4:8]
    assert masks[8:] == [0b0111, 0b1000]  # all streams, and all else


def test_all_orders_of_swaps_are_equally_likely_and_follow_from_the_seed():
    design = make_swap_design(two_dice.GAME, 1, 1, 2)
    masks = design.make_masks(0, 3000)
    orders = Counter(map(tuple, masks[:, :3].tolist()))
    assert len(orders) == 6
    assert all(abs(count - 500) < 100 for count in orders.values()), orders
    assert (design.make_masks(1000, 10) == masks[1000:1010]).all()
    assert (design._replace(seed=2).make_masks(0, 3000) != masks).any()
