"""Celtae: the table for two, three and four players, and the draft."""

import pytest

from boardgames import Match, make_variant
from tests.variants.celtae.table import letters_of
from variants.celtae import GAME, codes
from variants.celtae.topics.counts import count, total

PLAYERS = pytest.mark.parametrize("seats", [2, 3, 4])


def begun(seats, variant_name="", deal=0, **given):
    return Match(make_variant(GAME, variant_name, given), seats, deal=deal)


def by_players(seats, two, three, four):
    return {2: two, 3: three, 4: four}[seats]


@PLAYERS
def test_the_marker_is_in_the_southeast_and_seat_1_has_the_teutates_tile(seats):
    state = begun(seats).state
    assert state.station == 0
    assert state.teutates == 0
    assert state.tokens[:seats].tolist() == [1] * seats
    assert state.strength.tolist() == [0] * 4


@PLAYERS
def test_everybody_has_nine_disks_and_four_garrison_cubes(seats):
    state = begun(seats).state
    assert state.disks.tolist() == [0] * 4
    assert state.cubes.tolist() == [4] * seats + [0] * (4 - seats)


@PLAYERS
def test_marked_citadel_spaces_are_blocked_with_fewer_than_four_players(seats):
    room = begun(seats).state.room
    assert room.sum() == by_players(seats, 16, 20, 24)
    assert room[:4].sum() == room[4:].sum()
    if seats == 3:
        assert room[4:].tolist() == [3, 2, 3, 2]  # southern magenta is marked 3/4, purple 4


@PLAYERS
def test_garrison_spaces_are_blocked_with_fewer_than_four_players(seats):
    garrison = begun(seats).state.garrison
    assert (garrison == 0).sum(axis=1).tolist() == [seats + 1] * 2
    assert (garrison == codes.BLOCKED).sum(axis=1).tolist() == [4 - seats] * 2


@PLAYERS
def test_there_are_6_9_or_12_progress_markers_on_the_track_and_4_on_the_sites(seats):
    state = begun(seats).state
    assert state.track == by_players(seats, 6, 9, 12)
    assert state.site_marker.tolist() == [1] * 4


@PLAYERS
def test_stacks_have_tiles_of_2_points_under_tiles_of_1_point(seats):
    state = begun(seats).state
    assert state.stack.tolist() == [by_players(seats, 3, 4, 5)] * 4
    assert (state.top < 4).all()
    assert (state.top >= 0).all()
    assert state.top[0] != state.top[1]
    assert state.top[2] != state.top[3]


@pytest.mark.parametrize(("seats", "worth"), [(2, [1, 2, 2]), (3, [1, 1, 2, 2]), (4, [1, 1, 2, 2, 2])])
def test_tiles_of_1_point_come_before_tiles_of_2_points(seats, worth):
    from variants.celtae.setup import take_tile, turn_up

    state = begun(seats).state
    for site in range(4):
        before, points = 0, []
        for _ in worth:
            take_tile(state, 0, site)
            turn_up(state, site)
            total_points = int(state.tiles[0, :, 0].sum() + 2 * state.tiles[0, :, 1].sum())
            points.append(total_points - before)
            before = total_points
        assert points == worth
        assert state.top[site] == codes.NONE
        state.tiles[0] = 0


@PLAYERS
def test_druids_lie_ready_in_each_region(seats):
    assert begun(seats).state.druids.tolist() == [by_players(seats, 3, 4, 5)] * 2


@PLAYERS
def test_everybody_begins_with_a_farmer_a_builder_and_a_soldier(seats):
    state = begun(seats).state
    assert [letters_of(active) for active in state.active[:seats]] == ["FBS"] * seats
    assert state.tribe.tolist() == [0] * 4


@PLAYERS
def test_the_pool_of_workers_is_the_same_for_all_numbers_of_players(seats):
    """16, 16, 16 and 12 workers, less three for each of four players, absent ones too."""
    state = begun(seats).state
    ring = [sum(count(area, kind) for area in state.ring) for kind in range(4)]
    assert (state.bag + ring).tolist() == [12, 12, 12, 12]
    assert state.bag.sum() == 48 - 15


@PLAYERS
def test_nine_of_fifteen_spaces_in_the_ring_are_marked(seats):
    state = begun(seats).state
    marked = ["FB", "SN", "FB", "SN", "N"]
    assert sum(map(len, marked)) == 9
    for workers, marks in zip(state.ring, marked, strict=True):
        assert len(letters_of(workers)) == 3
        assert all(letter in letters_of(workers) for letter in marks)


@PLAYERS
def test_each_region_has_one_bonus_tile_of_each_kind(seats):
    layouts = set()
    for deal in range(12):
        bonus = begun(seats, deal=deal).state.bonus.tolist()
        assert sorted(bonus[:4]) == sorted(bonus[4:]) == [0, 1, 2, 3]
        layouts.add(tuple(bonus))
    assert len(layouts) > 6


@PLAYERS
def test_six_cards_lie_in_each_market_and_everybody_has_five(seats):
    state = begun(seats).state
    assert (state.market >= 0).all()
    assert state.market.shape == (2, 6)
    assert [total(hand) for hand in state.hand[:seats]] == [5] * seats
    assert total(state.deck) == 60 - 12 - 5 * seats


def test_there_are_sixty_cards_five_of_each_colour_and_icon():
    state = begun(2).state
    for card in range(codes.CARDS):
        piles = [state.deck, *state.hand]
        assert sum(count(pile, card) for pile in piles) + (state.market == card).sum() == 5


@PLAYERS
def test_progress_cards_with_two_and_three_spots_are_laid_out(seats):
    cards = begun(seats).state.card
    two, three = (
        [card for card in cards[:5] if card != codes.NONE],
        [card for card in cards[5:] if card != codes.NONE],
    )
    assert len(two) == len(set(two)) == by_players(seats, 3, 4, 5)
    assert len(three) == len(set(three)) == by_players(seats, 2, 3, 4)
    assert max(two) < 14 <= min(three)


@PLAYERS
def test_one_leader_more_than_players_is_on_the_table(seats):
    match = begun(seats)
    assert len(match.choices()) == seats + 1
    assert match.state.actor == seats - 1


@PLAYERS
def test_ruling_41_each_player_drafts_and_discards_two_cards_before_the_next_and_ruling_40_seat_1_is_last(
    seats,
):
    match = begun(seats)
    for seat in reversed(range(seats)):
        assert (match.state.actor, match.state.turn) == (seat, 0)  # the draft is no turn
        assert all(words.startswith("draft") for words in match.choices())
        match.push(next(iter(match.choices())))
        for _ in range(2):
            assert match.state.actor == seat
            assert all(words.startswith("discard") for words in match.choices())
            match.push(next(iter(match.choices())))
        assert total(match.state.hand[seat]) == 3
        assert match.state.leader[seat] != codes.NONE
        assert match.state.side[seat] == 0
    assert match.state.turn == 1
    assert all(words.startswith("move") for words in match.choices())
    assert len({codes.LEADER_NAMES[leader] for leader in match.state.leader[:seats]}) == seats


def test_cards_that_are_discarded_together_come_in_one_order_only():
    """Of 5 different cards, 10 pairs: not 20."""
    match = begun(2)
    match.push(next(iter(match.choices())))
    match.state.hand[1] = sum(1 << (4 * card) for card in (0, 3, 5, 7, 11))
    pairs = 0
    for first in match.legal():
        trial = match.copy().push(first)
        pairs += len(trial.legal())
    assert pairs == 10


def test_the_number_of_cards_dealt_and_tokens_can_be_changed():
    state = begun(3, starting_hand=7, starting_tokens="0/2/3/0").state
    assert [total(hand) for hand in state.hand] == [7, 7, 7, 0]
    assert state.tokens.tolist() == [0, 2, 3, 0]


def test_a_larger_hand_begins_with_the_same_cards():
    small, large = begun(2).state, begun(2, starting_hand=8).state
    assert all(count(small.hand[0], card) <= count(large.hand[0], card) for card in range(codes.CARDS))
    assert small.market.tolist() == large.market.tolist()


def test_the_southern_tiles_are_shuffled_apart_from_the_northern_ones():
    positions = {
        begun(2, deal=deal).state.bonus.tolist().index(codes.TOKEN_TILE, 4 * codes.SOUTH)
        for deal in range(30)
    }
    assert positions == {4, 5, 6, 7}


def test_every_leader_is_on_the_table_in_some_match():
    drafted = set()
    for deal in range(20):
        drafted |= set(begun(4, deal=deal).legal())
    assert drafted == set(range(8))
