"""Celtae: what holds in every match. Pieces are conserved, turns add up, a listening referee agrees."""

import numpy as np
import pytest

from boardgames import Match, make_variant, play_batch
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from boardgames.rules.chance import fold
from tests.variants.celtae.referee import COLOURS, REGIONS, Referee
from tests.variants.celtae.table import Table, cards_of
from variants.celtae import GAME, codes
from variants.celtae.topics.counts import count, total

NAMED_VARIANTS = ["", *GAME.variants]
BONUS = ("token", "recruit", "cards", "strength")


def test_the_record_is_smaller_than_a_kibibyte():
    assert GAME.state.itemsize < 1024


def census(seats):
    blocked = {2: 8, 3: 4, 4: 0}[seats]
    return {
        "cards": 60,
        "farmers": 12 + seats,
        "builders": 12 + seats,
        "soldiers": 12 + seats,
        "nobles": 12,
        "druids": 2 * (seats + 1),
        "spaces on citadels": 24 - blocked,
        "bonus tiles": 8,
        "army tiles": 10,
        "druid tiles": 10,
        "garrison cubes": 4 * seats,
        "progress markers": 3 * seats + 4,
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_workers_disks_cubes_tiles_and_markers_are_conserved_on_random_walks(seats):
    for deal in range(2):
        match = Match(make_variant(GAME), seats, seed=5, deal=deal)
        while not match.is_over:
            state = match.state
            assert GAME.census(state) == census(seats)
            assert state.strength.min() >= 0
            assert state.strength.max() <= 12
            assert state.tokens.min() >= 0
            assert state.bag.min() >= 0
            assert (state.room >= 0).all()
            for seat in range(seats):
                assert all(
                    count(state.hand[seat], card) >= count(state.known[seat], card)
                    for card in range(codes.CARDS)
                )
                assert total(state.disks[seat]) <= 9
                assert state.garrisons[seat].sum() + state.cubes[seat] == 4
                assert (state.garrison == 1 + seat).sum(axis=1).tolist() == state.garrisons[seat].tolist()
            if state.phase == codes.MOVING:
                assert [total(area) for area in state.ring] == [3] * 5
                assert [total(active) for active in state.active[:seats]] == [3] * seats
                assert max(total(tribe) for tribe in state.tribe) <= 8
            match.step("random")


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_has_the_same_number_of_turns_and_at_most_fourteen(seats):
    matches, rows, *_ = play_batch(make_variant(GAME), "random", seats, 300)
    assert (np.ptp(rows["turns"], axis=1) == 0).all()
    assert rows["turns"].max() <= 14
    assert rows["turns"].min() >= 6
    assert matches["widest"].max() <= 12
    assert matches["decisions"].max() < GAME.cap // 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_referee_who_only_listens_comes_to_the_same_scores(seats):
    for deal in range(4):
        match = Match(make_variant(GAME), seats, deal=deal)
        names = [(region, colour) for region in REGIONS for colour in COLOURS]
        bonus = {name: BONUS[kind] for name, kind in zip(names, match.state.bonus, strict=True)}
        referee = Referee(
            seats, bonus, {name: int(room) for name, room in zip(names, match.state.room, strict=True)}
        )
        while not match.is_over:
            seat, turn = int(match.state.actor), int(match.state.turn)
            match.step("random")
            referee.hear(seat, match.moves[-1].words)
            if match.state.turn != turn:
                referee.turn_begins()
        assert [referee.score(seat) for seat in range(seats)] == match.scores()
        ranks = [referee.rank(seat) for seat in range(seats)]
        assert [1 + sum(other > mine for other in ranks) for mine in ranks] == match.ranks()


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
def test_points_by_source_add_up_to_the_score(seats):
    rows = play_batch(make_variant(GAME), "random", seats, 300).seats
    sources = [index for index, name in enumerate(GAME.tallies) if name.startswith("points:")]
    assert len(sources) == 7
    assert (rows["tally"][:, :, sources].sum(axis=2) == rows["score"]).all()


@pytest.mark.long
def test_tallies_agree_with_each_other():
    rows = play_batch(make_variant(GAME), "random", 4, 300).seats
    tally = {name: rows["tally"][:, :, index] for index, name in enumerate(GAME.tallies)}
    actions = sum(tally[name] for name in ("farms", "builds north", "builds south", "battles", "recruitings"))
    assert (actions == rows["turns"]).all()
    assert (tally["garrisons placed"] <= tally["armies defeated"]).all()
    assert (tally["druids trained"] <= tally["recruitings"]).all()
    assert (tally["strength gained"] >= tally["strength lost"]).all()
    markers = tally["progress markers placed"].sum(axis=1)
    assert (markers >= 12).all()
    assert (markers <= 16).all()
    assert (tally["far areas"] <= tally["tokens spent"]).all()


def test_no_match_repeats_a_position_and_no_turn_is_long():
    """Every decision uses up something, so that nothing can loop; no turn of these has more than 40
    decisions.
    """
    for deal in range(4):
        match = Match(make_variant(GAME), 3, deal=deal)
        seen, decisions = set(), {}
        while not match.is_over:
            position = match.state.tobytes()
            assert position not in seen
            seen.add(position)
            decisions[int(match.state.turn)] = decisions.get(int(match.state.turn), 0) + 1
            match.step("random")
        assert max(decisions.values()) <= 40


@pytest.mark.long
def test_greedy_players_get_at_least_twice_as_many_points_as_random_ones():
    greedy, random = (
        play_batch(make_variant(GAME), agents, 2, 60).seats["score"].mean() for agents in ("greedy", "random")
    )
    assert greedy > 2 * random


# ---- what is hidden


def rekey_and_resample(match, seat, key):
    side_by_side = match.copy()
    bind_engine(GAME, (), False)[protocol.rekey_and_resample](side_by_side.state, seat, fold(3, key))
    return side_by_side


def test_ruling_42_resampling_keeps_openly_bought_cards_and_the_sizes_of_hands():
    """Seat 1 has bought two cards in the market before the eyes of seat 2; three others came unseen."""
    match = Table().hold("3 teal fort", "orange trap", "orange trap").hold("2 purple trap", seat=1)
    match.state.known[0] = cards_of("orange trap", "orange trap")
    match.state.deck = cards_of(*["magenta weapon"] * 5)
    hands = set()
    for key in range(30):
        world = rekey_and_resample(match, 1, key).state
        assert count(world.hand[0], 10) >= 2
        assert total(world.hand[0]) == 5
        assert world.hand[1] == match.state.hand[1]
        assert total(world.deck) == 5
        hands.add(int(world.hand[0]))
    assert len(hands) > 1


@pytest.mark.long
def test_ruling_42_the_tiles_below_and_the_order_of_bag_and_deck_are_open_in_an_resampled_world():
    match = Table().has(strength=12).site("southern army", 0).act("east")
    tops = {
        int(rekey_and_resample(match, 0, key).push("defeat the southern army of 4").state.top[1])
        for key in range(40)
    }
    assert tops <= set(range(4, 10))
    assert len(tops) > 3


def test_in_many_matches_almost_every_action_is_taken():
    """Never, of course, swaps of equals, nor the first space of a market but as a bonus."""
    done = set()
    for deal in range(16):
        done |= set(Match(make_variant(GAME), 2 + deal % 3, seed=9, deal=deal).finish("random").actions)
    never = set(range(GAME.actions)) - done
    swaps = {GAME.groups["swap"][kind * codes.PLAIN_WORKERS + kind] for kind in range(codes.PLAIN_WORKERS)}
    assert swaps <= never
    assert not {codes.SLOT, codes.TOKEN, codes.DONE} & never
    assert len(never - swaps) <= 20
