"""Celtae, a match told: the set-up, what actions cause, why the winner won; and no seat is told what it
cannot see.
"""

import pytest

from boardgames import Match, make_variant
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.celtae.table import Table
from variants.celtae import GAME, codes
from variants.celtae.topics.counts import total
from variants.celtae.transcript import describe_effects, describe_result, describe_setup

SIX = ("magenta fort", "purple trap", "teal trap", "orange weapon", "purple fort", "teal fort")


def effects(table):
    return list(table.moves[-1].effects)


# ---- the set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_set_up_names_all_that_lies_on_the_table(seats):
    match = Match(make_variant(GAME), seats)
    lines = describe_setup(match.state, None)
    markers = 3 * seats
    assert f"{markers} progress markers on the track, and one at each of the four sites." in lines
    for start, number in {
        "Market of the ": 2,
        "Citadels of the ": 2,
        "Garrison spaces of the ": 2,
        "Northern army: strength ": 1,
        "Southern druid tile: for ": 1,
        "Centre: ": 1,
        "In the bag: ": 1,
        "Progress card ": 2 * seats + 1,
        "Leader on offer: ": seats + 1,
        "Seat ": seats,
    }.items():
        assert sum(line.startswith(start) for line in lines) == number, start


def test_the_set_up_of_a_seat_has_no_hand_but_its_own():
    match = Match(make_variant(GAME), 3)
    hands = [line for line in describe_setup(GAME.hide_unseen(match.state, 1), 1) if " holds " in line]
    assert hands[1:] == [
        line for line in describe_setup(match.state, None) if line.startswith("Seat 2 holds")
    ]


def test_blocked_spaces_are_named():
    lines = describe_setup(Match(make_variant(GAME), 3).state, None)
    assert "Garrison spaces of the north: fort, trap, weapon, any icon, any icon (blocked)." in lines
    assert sum(line.count("3 spaces, 1 of them blocked,") for line in lines) == 4


def test_the_draft_is_told_as_set_up():
    transcript = Match(make_variant(GAME), 2).finish("random").transcript()
    draft, first = transcript.turns[:2]
    assert (draft.number, first.number, first.seat) == (0, 1, 0)
    assert [move.seat for move in draft.moves] == [1, 1, 1, 0, 0, 0]
    assert first.moves[0].words.startswith("move")


# ---- what actions cause


def test_a_farm_tells_leaves_the_free_card_and_the_refill_in_order():
    table = Table().workers("FBS").market("south", *SIX).act("south").push("farm in the south")
    assert effects(table) == ["1 leaf to buy cards with", "takes the free card, magenta fort"]
    table.push("take teal trap from space 3")
    drawn = ", ".join(card for card in map(words_of_card, table.state.market[1][4:]))
    assert effects(table) == [f"the southern market slides, and gets {drawn}"]


def words_of_card(card):
    return f"{codes.COLOUR_NAMES[card // 3]} {codes.ICON_NAMES[card % 3]}"


def test_an_empty_deck_is_told():
    table = Table().workers("BSN").market("south", *SIX).act("south")
    table.state.deck, table.state.discard = 0, 1 << (codes.BITS * 3)
    assert "the deck is made anew from the discards" in effects(table.push("farm in the south"))


def test_a_disk_tells_its_price_its_bonus_and_the_complete_citadel():
    table = Table().hold("2 teal fort").workers("FSN").citadel("south teal", room=1, bonus=codes.TOKEN_TILE)
    table.act("south").plays("build in the south", "build in the southern teal citadel")
    assert effects(table) == ["the disk costs 2 cards"]
    table.plays("discard teal fort", "discard teal fort")
    assert effects(table) == [
        "disk 1 goes to the southern teal citadel, no space left",
        "bonus: a bonus token",
        "the southern teal citadel is complete: its bonus tile, 1 point",
        "seat 1 has 1 token",
    ]


def test_a_token_that_is_not_there_is_told():
    table = Table("second-guess").hold("2 teal fort").workers("FSN").has(tokens=8)
    table.citadel("south teal", bonus=codes.TOKEN_TILE).act("south")
    table.plays("build in the south", "build in the southern teal citadel")
    while not table.moves[-1].words.startswith("discard"):
        table.push(table.legal()[-1])
    assert "bonus: a bonus token, but the supply is empty" in effects(table)


def test_a_battle_tells_the_rate_the_strength_the_tile_and_the_next_army():
    table = Table().hold("2 teal fort", "teal trap").workers("SSB").site("southern army", 0).act("east")
    assert effects(table.push("gain strength by forts")) == ["a card brings 2 strength"]
    assert effects(table.push("discard teal fort")) == ["seat 1 has 2 strength"]
    table.plays("discard teal fort", "defeat the southern army of 4")
    top = int(table.state.top[1])
    assert effects(table) == [
        "takes the southern army, 1 point, 2 left",
        f"next southern army: strength {table.state.rules.army_strength[top]}, 2 points",
        "seat 1 has 0 strength",
    ]
    table.plays("garrison in the south: trap", "discard teal trap")
    assert effects(table) == ["1 garrison in the south now"]


def test_the_last_army_has_no_next_one_and_its_marker_is_told():
    table = Table().has(strength=12).site("northern army", 9, left=1).act("east", "northeast")
    table.push("defeat the northern army of 12")
    assert effects(table)[0] == "takes the northern army, 2 points, none left"
    assert not any(line.startswith("next") for line in effects(table))
    table.push(table.legal()[0])
    assert effects(table) == [
        "card 1 has markers on 1 of 2 spots",
        "it was the marker of the northern army site",
    ]


def test_a_druid_tells_what_it_costs_and_the_next_tile_when_it_is_turned_up():
    table = Table().hold("2 teal fort").workers("FBS", "B").site("southern druid", 0).act("west")
    assert effects(table) == ["1 recruit at most"]
    table.plays("recruit a farmer", "train a southern druid for a farmer and a builder")
    assert effects(table) == [
        "takes the southern druid tile, 1 point, 2 left",
        "a druid joins the tribe, and costs 1 card",
    ]
    table.push("discard teal fort")
    assert effects(table) == []
    table.push(table.legal()[0])
    assert effects(table)[0].startswith("next southern druid tile: for ")
    assert effects(table)[1].startswith("from the bag to the centre: a ")


def test_a_refresh_tells_who_came():
    table = Table().has(strength=1).area("east", "FBB").area("centre", "SSN").at("southeast")
    table.state.bag[:] = 0
    table.plays("use the east area", "refresh the workers")
    assert effects(table) == [
        "seat 1 has 0 strength",
        "east area: 2 soldiers and a noble",
        "centre, from the bag: a farmer and 2 builders",
    ]


def test_a_crossing_tells_who_places_the_marker_and_where_the_tile_goes():
    table = Table(seats=3)
    table.state.station, table.state.teutates, table.state.track = 3, 2, 4
    table.push("move 2 to the southwest")
    assert effects(table) == ["the marker crosses the east river: seat 3 places a progress marker"]
    table.push(table.legal()[1])
    assert effects(table) == [
        "card 2 has markers on 1 of 2 spots",
        "3 markers on the track; the Teutates tile goes to seat 1",
        "all decide on the sides of their leaders",
    ]


def test_the_last_marker_and_the_last_round_are_told():
    table = Table()
    table.state.station, table.state.track = 3, 1
    table.push("move 2 to the southwest")
    table.push(table.legal()[0])
    assert effects(table)[1:] == [
        "no marker on the track; the Teutates tile goes to seat 2",
        "the track is empty: after this round everybody has 2 more turns",
    ]
    while table.state.final == 0:
        table.step("random")
    assert effects(table)[-1] == "the last round is over: now 2 final turns for each"


def test_the_last_action_tells_where_the_points_came_from():
    match = Match(make_variant(GAME), 3).finish("random")
    lines = match.moves[-1].effects[-3:]
    assert [line.split(":")[0] for line in lines] == [
        f"seat {seat + 1} scores {points}" for seat, points in enumerate(match.scores())
    ]


# ---- the result


def table_of_points(*points):
    """Seats with so many points from bonus tiles."""
    table = Table(seats=len(points))
    table.state.bonus_tiles[: len(points)] = points
    table.state.end = 1
    return table


def test_the_result_names_the_points_of_the_two_best():
    assert describe_result(table_of_points(9, 12, 11).state) == "Seat 2 wins: 12 points against 11."


def test_the_result_names_the_tie_breaks_that_were_needed():
    table = table_of_points(9, 9, 4).workers("FBS", "FF", seat=0).workers("FBS", "F", seat=1)
    assert describe_result(table.state) == "Seat 1 wins: 9 points each, then 2 disks and workers against 1."
    table = table_of_points(9, 8, 4).workers("FBS", "FF", seat=0).workers("FBS", "FF", seat=1)
    table.tiles((1, 0), seat=1)
    tied = "9 points each, then 2 disks and workers each, then 1 army and druid tiles against 0"
    assert describe_result(table.state) == f"Seat 2 wins: {tied}."


def test_a_shared_win_names_all_that_is_equal():
    shared = "9 points, 0 disks and workers, 0 army and druid tiles each"
    assert describe_result(table_of_points(9, 4, 9).state) == f"Seats 1 and 3 share the win: {shared}."


def test_the_result_names_the_winners_of_whole_matches():
    for deal in range(6):
        match = Match(make_variant(GAME), 2 + deal % 3, deal=deal).finish("random")
        winners = [str(seat + 1) for seat, rank in enumerate(match.ranks()) if rank == 1]
        assert describe_result(match.state).split(":")[0].count(winners[0]) == 1


# ---- what is hidden


def resample(match, seat, key):
    bind_engine(GAME, (), False)[protocol.rekey_and_resample](match.state, seat, key)


def tell(before, after, seat):
    seen = [GAME.hide_unseen(match.state, seat) for match in (before, after)]
    return describe_effects(*seen, after.actions[-1], seat)


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.long)])
def test_a_seat_is_told_the_same_whatever_it_cannot_see(seats):
    match, redealt = Match(make_variant(GAME), seats, seed=3), 0
    while not match.is_over:
        if len(match.actions) % 12:
            match.step("random")
            continue
        before = match.copy()
        match.step("random")
        for seat in range(seats):
            others = [before.copy(), match.copy()]
            for other in others:
                resample(other, seat, 17)
            redealt += others[0].state.hand.tolist() != before.state.hand.tolist()
            assert tell(before, match, seat) == tell(*others, seat)
    assert redealt > 10


def test_the_set_up_of_a_seat_is_the_same_whatever_it_cannot_see():
    match = Match(make_variant(GAME), 3)
    for seat in range(3):
        world = match.copy()
        resample(world, seat, 5)
        assert total(int(world.state.hand[seat])) == 5
        assert world.state.hand.tolist() != match.state.hand.tolist()
        lines = [describe_setup(GAME.hide_unseen(one.state, seat), seat) for one in (match, world)]
        assert lines[0] == lines[1]
