"""Celtae: a turn up to its action, whose turn it is, and the end."""

import pytest

from tests.variants.celtae.table import Table, letters_of
from variants.celtae import GAME, codes


def station(table):
    return codes.STATION_NAMES[table.state.station]


# ---- the marker


@pytest.mark.parametrize(
    ("steps", "reached", "strength"), [(1, "southwest", 6), (2, "northwest", 5), (3, "northeast", 2)]
)
def test_the_marker_moves_one_for_a_strength_two_for_nothing_and_three_for_three_strength(
    steps, reached, strength
):
    table = Table().has(strength=5)
    table.push(next(words for words in table.choices() if words.startswith(f"move {steps}")))
    assert station(table) == reached
    assert table.strength() == strength
    assert table.tally("three-step moves") == (steps == 3)


def test_three_stations_need_three_strength():
    assert len(Table().has(strength=2).choices()) == 2
    assert len(Table().has(strength=3).choices()) == 3


def test_a_one_station_move_at_twelve_strength_gains_nothing():
    table = Table().has(strength=12).push("move 1 to the southwest, gain 1 strength")
    assert table.strength() == 12
    assert table.tally("strength gained") == 0


def test_ruling_2_the_stations_go_clockwise_from_the_southeast():
    table, stations = Table(), []
    for _ in range(4):
        table.state.phase = codes.MOVING
        table.push(next(iter(table.choices())))
        stations.append(station(table))
    assert stations == ["southwest", "northwest", "northeast", "southeast"]
    assert table.can(
        next(words for words in table.choices() if words.startswith("place a marker"))
    )  # it crossed the east river


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("start", range(4))
def test_ruling_3_a_move_crosses_the_east_river_at_most_once(start, steps):
    table = Table().has(strength=5)
    table.state.station = start
    table.push(next(words for words in table.choices() if words.startswith(f"move {steps}")))
    crossed = start + steps >= 4
    assert all(words.startswith("place a marker") for words in table.choices()) == crossed
    if crossed:
        table.push(next(iter(table.choices())))
        assert all("area" in words for words in table.choices())


# ---- progress markers


def crossing(seats=3, **given):
    table = Table(seats=seats, **given)
    table.state.station = codes.STATION_NAMES.index("northeast")
    return table


def test_ruling_4_the_teutates_holder_places_the_marker_before_the_mover_chooses_an_area():
    table = crossing()
    table.state.teutates = 2
    table.push("move 1 to the southeast, gain 1 strength")
    assert (table.state.actor, table.state.turn_owner) == (2, 0)
    assert len(table.choices()) == 7  # 4 + 3 progress cards with three players
    slot = table.legal()[0]
    table.push(slot)
    assert table.state.actor == 0
    assert table.state.teutates == 0  # it went on to the left
    assert table.state.track == 8
    assert table.tally("progress markers placed", 2) == 1
    assert str(table.moves[-1]).startswith("turn 1, seat 3 (in seat 1's turn): place a marker on card 1")


def test_ruling_6_a_crossing_with_an_empty_track_does_nothing():
    table = crossing()
    table.state.track = 0
    table.push("move 1 to the southeast, gain 1 strength")
    assert table.can("use the east area")
    assert table.state.teutates == 0


def test_a_marker_needs_an_empty_spot():
    table = crossing(seats=2)
    table.state.markers[:] = [2, 1, 2, 0, 0, 3, 2, 0, 0]
    table.push("move 1 to the southeast, gain 1 strength")
    assert [words.partition(",")[0] for words in table.choices()] == [
        "place a marker on card 2",
        "place a marker on card 5",  # the last of three cards with two spots and two with three
    ]


def test_ruling_7_with_three_markers_left_all_decide_on_sides_from_the_mover_on():
    table = crossing()
    table.state.track, table.state.turn_owner, table.state.actor = 4, 1, 1
    table.push("move 1 to the southeast, gain 1 strength")
    table.push(table.legal()[0])
    for seat, side in ((1, "B"), (2, "A"), (0, "B")):
        assert table.state.actor == seat
        assert list(table.choices()) == ["leader on side A", "leader on side B"]
        table.push(f"leader on side {side}")
    assert table.state.side.tolist() == [1, 1, 0, 0]
    assert table.state.actor == 1
    assert table.can("use the south area")
    assert [table.tally("leader flipped", seat) for seat in range(3)] == [1, 1, 0]


def test_ruling_7_whoever_decides_later_sees_the_sides_of_the_others():
    table = crossing()
    table.state.track = 4
    table.push("move 1 to the southeast, gain 1 strength")
    table.push(table.legal()[0])
    table.push("leader on side B")
    assert (table.state.actor, table.state.side[0]) == (1, 1)
    assert GAME.fields["side"].visibility == "public"


def test_ruling_7_in_the_other_reading_the_start_player_decides_first():
    table = crossing(sides_from="start")
    table.state.track, table.state.turn_owner, table.state.actor = 4, 1, 1
    table.push("move 1 to the southeast, gain 1 strength")
    table.push(table.legal()[0])
    for seat in range(3):
        assert table.state.actor == seat
        table.push("leader on side B")
    assert table.state.actor == 1
    assert table.can("use the south area")


@pytest.mark.parametrize("track", [6, 5, 3, 2, 1])
def test_ruling_7_nobody_is_asked_at_other_numbers(track):
    table = crossing()
    table.state.track = track
    table.push("move 1 to the southeast, gain 1 strength")
    table.push(table.legal()[0])
    assert table.can("use the south area")


# ---- the area


@pytest.mark.parametrize(
    ("name", "areas"),
    [
        ("southeast", "south east"),
        ("southwest", "south west"),
        ("northwest", "north west"),
        ("northeast", "north east"),
    ],
)
def test_the_two_areas_next_to_the_marker_are_free(name, areas):
    assert set(Table().at(name).choices()) == {f"use the {area} area" for area in areas.split()}


def test_a_token_buys_any_other_area():
    table = Table().has(tokens=1).at("southeast")
    assert len(table.choices()) == 4
    table.push("spend a token on the west area")
    assert table.state.tokens[0] == 0
    assert table.tally("tokens spent") == table.tally("far areas") == 1


@pytest.mark.parametrize(("area", "near"), [("north", "southwest"), ("south", "northwest")])
def test_ruling_1_the_region_is_that_of_the_station_even_in_a_far_area(area, near):
    table = (
        Table()
        .has(tokens=1)
        .area(area, "FFF")
        .workers("FFF")
        .at(near)
        .push(f"spend a token on the {area} area")
    )
    other = "south" if area == "north" else "north"
    assert list(table.choices()) == [f"farm in the {other}"]


@pytest.mark.parametrize(("area", "near"), [("north", "southwest"), ("south", "northwest")])
def test_ruling_1_in_the_other_reading_it_is_that_of_the_area(area, near):
    table = (
        Table("area-region")
        .has(tokens=1)
        .area(area, "FFF")
        .workers("FFF")
        .at(near)
        .push(f"spend a token on the {area} area")
    )
    assert list(table.choices()) == [f"farm in the {area}"]


@pytest.mark.parametrize("variant_name", ["", "area-region"])
def test_ruling_1_in_the_east_and_west_there_is_only_the_station(variant_name):
    table = (
        Table(variant_name)
        .has(tokens=1, strength=12)
        .site("southern army", 0)
        .at("southwest")
        .push("spend a token on the east area")
    )
    table.push("refresh nothing").push("swap nobody")
    assert table.can("defeat the southern army of 4")


# ---- refresh and swap


def test_a_refresh_costs_a_strength_and_brings_the_workers_of_the_centre():
    table = (
        Table()
        .has(strength=2)
        .area("east", "FFF")
        .area("centre", "BSN")
        .at("southeast")
        .push("use the east area")
    )
    bag = table.state.bag.copy()
    table.push("refresh the workers")
    assert table.strength() == 1
    assert letters_of(table.state.ring[1]) == "BSN"
    assert len(letters_of(table.state.ring[4])) == 3
    assert table.state.bag.sum() == bag.sum()  # three went in, three came out
    assert table.tally("refreshes") == 1


def test_a_refresh_with_an_empty_bag_brings_the_workers_of_the_area_to_the_centre():
    """They go into the bag before the centre is filled from it."""
    table = Table().has(strength=1).area("east", "FBB").area("centre", "SSN").at("southeast")
    table.state.bag[:] = 0
    table.plays("use the east area", "refresh the workers")
    assert letters_of(table.state.ring[1]) == "SSN"
    assert letters_of(table.state.ring[4]) == "FBB"
    assert table.state.bag.sum() == 0


def test_ruling_10_a_refresh_comes_once_and_before_the_swap():
    table = Table().has(strength=5).at("southeast").push("use the east area")
    assert list(table.choices()) == ["refresh the workers", "refresh nothing"]
    table.push("refresh the workers")
    assert table.can("swap nobody")
    assert not table.can("refresh the workers")


def test_without_strength_nobody_is_asked_about_a_refresh():
    assert Table().at("southeast").push("use the east area").can("swap nobody")


def test_a_swap_exchanges_an_active_worker_with_one_of_the_area():
    table = (
        Table()
        .area("west", "NNF")
        .at("southwest")
        .push("use the west area")
        .push("swap a builder for a noble")
    )
    assert table.active() == "FSN"
    assert letters_of(table.state.ring[3]) == "FBN"
    assert table.tally("swaps") == 1


def test_ruling_11_a_swap_is_optional_and_never_of_equal_workers():
    table = Table().area("west", "FNN").at("southwest").push("use the west area")
    assert set(table.choices()) == {
        "swap a farmer for a noble",
        "swap a builder for a farmer",
        "swap a builder for a noble",
        "swap a soldier for a farmer",
        "swap a soldier for a noble",
        "swap nobody",
    }


def test_nobody_is_asked_for_a_swap_of_equals_only():
    table = Table().workers("FFF").area("south", "FFF").at("southwest").push("use the south area")
    assert list(table.choices()) == ["farm in the south"]


def test_ruling_12_farming_or_building_is_chosen_after_the_swap():
    table = Table().hold("3 teal fort").area("south", "FFN").at("southwest").push("use the south area")
    table.push("swap a farmer for a noble")
    assert list(table.choices()) == ["build in the south", "farm in the south"]


def test_ruling_13_farming_is_possible_with_an_empty_market():
    table = Table().market("south")
    table.state.deck = 0
    table.act("south").push("farm in the south")
    assert table.state.turn_owner == 1
    assert table.hand() == []


def test_ruling_13_a_battle_may_come_to_nothing():
    table = Table().act("east")
    assert table.state.turn_owner == 1
    assert table.tally("battles") == 1


def test_ruling_13_recruiting_moves_at_least_one_worker():
    assert set(Table().act("west").choices()) == {
        "recruit a farmer",
        "recruit a builder",
        "recruit a soldier",
    }


# ---- whose turn it is


def finish_turn(table):
    """Whatever, to the end of the turn."""
    turn = table.state.turn
    while table.state.turn == turn and not table.is_over:
        table.push(table.legal()[-1])
    return table


def last_round(seats, player, **given):
    """The marker crosses in this player's turn, and the last marker leaves the track."""
    table = Table(seats=seats, **given)
    table.state.track, table.state.station = 1, 3
    table.state.turn_owner = table.state.actor = player
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_9_after_the_last_round_each_seat_has_two_turns_in_a_row(seats):
    table = last_round(seats, 0)
    order = []
    while not table.is_over:
        finish_turn(table)
        if not table.is_over:
            order.append(int(table.state.turn_owner))
    assert order == [*range(1, seats), *(seat for seat in range(seats) for _ in range(2))]
    assert table.end == "final turns"


def test_ruling_8_the_round_ends_with_the_turn_of_the_last_seat_that_empties_the_track():
    table = last_round(3, 2)
    finish_turn(table)
    assert table.state.track == 0
    assert (table.state.turn_owner, table.state.final) == (0, 1)


@pytest.mark.parametrize(("final_turns", "turns"), [(0, 1), (1, 3), (2, 5), (3, 7)])
def test_the_number_of_final_turns_is_a_rule(final_turns, turns):
    table = last_round(2, 0, final_turns=final_turns)
    while not table.is_over:
        finish_turn(table)
    assert table.state.turn == 1 + turns


def test_markers_move_and_cost_as_usual_in_the_final_turns():
    table = last_round(2, 1)
    finish_turn(table)
    strength = table.strength()
    table.push(next(words for words in table.choices() if words.startswith("move 1")))
    assert table.strength() == strength + 1
    assert table.can("use the east area") or table.can("use the west area")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_one_step_moves_make_fourteen_turns_each(seats):
    table = Table(seats=seats)
    while not table.is_over:
        single_steps = [words for words in table.choices() if words.startswith("move 1")]
        table.push(single_steps[0] if single_steps else table.legal()[-1])
    assert table.state.begun[:seats].tolist() == [14] * seats
    assert GAME.turns(table.state.rules, seats)[1] == 14 * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_two_step_moves_make_eight_turns_each(seats):
    table = Table(seats=seats)
    while not table.is_over:
        two = [words for words in table.choices() if words.startswith("move 2")]
        table.push(two[0] if two else table.legal()[-1])
    assert table.state.begun[:seats].tolist() == [8] * seats
