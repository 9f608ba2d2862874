"""Celtae: what is counted at the end, and who wins."""

import pytest

from tests.variants.celtae.table import Table, citadel_of
from variants.celtae import codes


def points(table, seat=0):
    return table.scores()[seat]


def test_nothing_scores_nothing():
    assert Table().scores() == [0, 0]


def test_disks_score_in_completed_citadels_only():
    table = Table().citadel("north teal", room=0, seat0=2, seat1=1).citadel("south teal", room=1, seat0=2)
    assert table.scores() == [2, 1]


@pytest.mark.parametrize(
    ("armies", "druids", "bonus", "expected"),
    [((1, 0), (0, 0), 0, 1), ((0, 2), (1, 0), 0, 5), ((2, 1), (1, 3), 2, 13)],
)
def test_tiles_score_what_they_show(armies, druids, bonus, expected):
    assert points(Table().tiles(armies, druids).has(bonus_tiles=bonus)) == expected


def garrisons(*pairs):
    """North and south, for each seat; the fourth cube is left so that the point for all four does not come
    in.
    """
    table = Table(seats=len(pairs))
    for seat, pair in enumerate(pairs):
        table.state.garrisons[seat] = pair
        table.state.cubes[seat] = 4 - sum(pair)
    return table


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (((1, 0), (0, 0)), [1, 0]),
        (((2, 0), (1, 0)), [2, 0]),
        (((2, 1), (2, 0)), [3, 2]),
        (((1, 1), (2, 0), (0, 2)), [0, 2, 2]),
        (((0, 0), (0, 0)), [0, 0]),
    ],
)
def test_ruling_34_garrisons_score_where_nobody_has_more_ties_included(pairs, expected):
    assert garrisons(*pairs).scores() == expected


def test_ruling_34_cubes_of_absent_players_are_ignored():
    table = garrisons((1, 0), (0, 0))
    assert (table.state.garrison == codes.BLOCKED).sum(axis=1).tolist() == [2, 2]
    assert points(table) == 1


@pytest.mark.parametrize(("workers", "expected"), [(3, 0), (4, 1), (5, 1), (6, 2), (7, 2), (8, 3)])
def test_ruling_35_four_six_and_eight_workers_are_worth_one_two_and_three_points_in_all(workers, expected):
    assert points(Table().workers(tribe="F" * (workers - 1) + "D")) == expected


@pytest.mark.parametrize(("disks", "expected"), [(4, 0), (5, 1), (6, 1), (7, 2), (8, 2), (9, 3)])
def test_empty_disk_holes_5_7_and_9_are_worth_a_point_each(disks, expected):
    table = Table()
    for index, name in enumerate(("north teal", "south teal", "north orange")):
        table.citadel(name, room=1, seat0=max(0, min(3, disks - 3 * index)))
    assert points(table) == expected


def test_all_four_garrison_cubes_are_worth_a_point():
    assert points(garrisons((2, 2), (0, 0))) == 4 + 1


@pytest.mark.parametrize(
    ("strength", "cards", "expected"),
    [(0, 4, 0), (4, 0, 0), (2, 3, 1), (4, 5, 1), (5, 5, 2), (12, 5, 3), (12, 0, 2)],
)
def test_a_fifth_of_strength_and_cards_together_is_scored_rounded_down(strength, cards, expected):
    assert points(Table().has(strength=strength).hold(*["teal fort"] * cards)) == expected


# ---- progress cards


@pytest.mark.parametrize("markers", [0, 1, 2, 3])
def test_whoever_fulfils_a_progress_card_scores_a_point_for_each_marker(markers):
    table = (
        Table()
        .tiles((0, 0), (0, 0))
        .has(bonus_tiles=2)
        .has(bonus_tiles=1, seat=1)
        .progress("bonus tiles", 2, markers)
    )
    assert table.scores() == [2 + markers, 1]


def two_disks(*names):
    def put(table):
        for name in names:
            table.citadel(name, room=1, seat0=names.count(name))

    return put


def two_garrisons(region):
    def put(table):
        table.state.garrisons[0, region] = 2

    return put


PUTS = {
    "disks in magenta": (
        2,
        two_disks("north magenta", "south magenta"),
        two_disks("north magenta", "north teal"),
    ),
    "disks in orange": (2, two_disks("north orange", "north orange"), two_disks("south orange")),
    "farmers in the tribe": (2, lambda t: t.workers(tribe="FF"), lambda t: t.workers("FFF", "FD")),
    "nobles in the tribe": (2, lambda t: t.workers(tribe="NNF"), lambda t: t.workers(tribe="NDD")),
    "disks in the north": (2, two_disks("north teal", "north orange"), two_disks("north teal", "south teal")),
    "disks in the south": (2, two_disks("south teal", "south orange"), two_disks("north teal", "south teal")),
    "army tiles": (2, lambda t: t.tiles((1, 1)), lambda t: t.tiles((0, 1), (2, 0))),
    "druid tiles": (2, lambda t: t.tiles((0, 0), (1, 1)), lambda t: t.tiles((2, 0), (0, 1))),
    "strength": (4, lambda t: t.has(strength=4), lambda t: t.has(strength=3)),
    "cards in hand": (4, lambda t: t.hold("4 teal fort"), lambda t: t.hold("3 teal fort")),
    "bonus tiles": (3, lambda t: t.has(bonus_tiles=3), lambda t: t.has(bonus_tiles=2)),
    "non-druid workers": (5, lambda t: t.workers(tribe="FBSNF"), lambda t: t.workers(tribe="FBSND")),
    "garrisons in the north": (2, two_garrisons(0), two_garrisons(1)),
    "garrisons in the south": (2, two_garrisons(1), two_garrisons(0)),
    "disks": (
        3,
        two_disks("north teal", "south teal", "south orange"),
        two_disks("north teal", "north teal"),
    ),
    "colours with a disk": (
        4,
        two_disks("north teal", "south magenta", "north purple", "south orange"),
        two_disks("north teal", "south teal", "north purple", "south orange"),
    ),
    "kinds in the tribe": (4, lambda t: t.workers(tribe="FBSN"), lambda t: t.workers(tribe="FBSD")),
    "two-point armies": (2, lambda t: t.tiles((0, 2)), lambda t: t.tiles((3, 1))),
    "two-point druids": (2, lambda t: t.tiles((0, 0), (0, 2)), lambda t: t.tiles((0, 0), (3, 1))),
    "garrisons": (3, lambda t: t.has(cubes=1), lambda t: t.has(cubes=2)),
}


@pytest.mark.parametrize("what", PUTS)
def test_every_condition_of_a_progress_card_counts_what_it_says(what):
    """The card with two markers brings two points where it is fulfilled, and none where it just is not."""
    needed, fulfil, miss = PUTS[what]
    for put, expected in ((fulfil, 2), (miss, 0)):
        table = Table()
        put(table)
        plain = points(table)
        assert points(table.progress(what, needed, 2)) - plain == expected


# ---- leaders

FULFILLED = {  # what is just enough for side A, and for side B
    "Ambiorix": (lambda t: t.tiles((0, 1)), lambda t: t.tiles((0, 3))),
    "Avarus": (lambda t: t.has(cubes=2), lambda t: t.has(cubes=0)),
    "Boudica": (
        two_disks("north teal", "south teal", "south orange"),
        two_disks(*["north teal"] * 3, *["south teal"] * 3, "south orange"),
    ),
    "Diviciacus": (lambda t: t.tiles((0, 0), (1, 1)), lambda t: t.tiles((0, 0), (2, 2))),
    "Caratacus": (lambda t: t.workers(tribe="FFFD"), lambda t: t.workers(tribe="FFFFFFD")),
    "Cartimandua": (lambda t: t.has(bonus_tiles=1), lambda t: t.has(bonus_tiles=3)),
    "Vercingetorix": (
        two_disks("north teal", "south teal"),
        two_disks(*["north teal"] * 3, *["south teal"] * 3),
    ),
    "Viriato": (lambda t: t.tiles((1, 1)), lambda t: t.tiles((2, 2))),
}
NEARLY = {  # what is just not enough
    "Ambiorix": (lambda t: t.tiles((3, 0)), lambda t: t.tiles((3, 2))),
    "Avarus": (lambda t: t.has(cubes=3), lambda t: t.has(cubes=1)),
    "Boudica": (two_disks("north teal", "south teal"), two_disks(*["north teal"] * 3, *["south teal"] * 3)),
    "Diviciacus": (lambda t: t.tiles((1, 1), (0, 3)), lambda t: t.tiles((2, 2), (3, 1))),
    "Caratacus": (lambda t: t.workers(tribe="FFDD"), lambda t: t.workers(tribe="FFFFFDD")),
    "Cartimandua": (lambda t: t.has(bonus_tiles=0), lambda t: t.has(bonus_tiles=2)),
    "Vercingetorix": (
        two_disks("north teal", "north teal"),
        two_disks(*["north teal"] * 3, *["south teal"] * 2),
    ),
    "Viriato": (lambda t: t.tiles((0, 2)), lambda t: t.tiles((1, 3))),
}


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("leader", FULFILLED)
def test_every_leader_is_worth_one_point_on_side_a_and_three_on_side_b(leader, side):
    for puts, expected in ((FULFILLED, 3 if side == "B" else 1), (NEARLY, 0)):
        table = Table()
        puts[leader]["AB".index(side)](table)
        plain = points(table)
        assert points(table.lead(leader, side)) - plain == expected


# ---- who wins


def test_most_points_win():
    table = Table().tiles((1, 0)).workers(tribe="FFF", seat=1)
    assert table.ranks() == [1, 2]


def test_ties_are_broken_by_disks_and_tribe_then_by_army_and_druid_tiles():
    table = Table(seats=3).tiles((2, 0)).tiles((0, 1), seat=1).tiles((0, 1), seat=2)
    assert table.scores() == [2, 2, 2]
    assert table.ranks() == [1, 2, 2]  # two tiles before one
    table.workers(tribe="F", seat=2)
    assert table.ranks() == [2, 3, 1]
    table.citadel("north teal", seat1=2)
    assert table.ranks() == [3, 1, 2]


def test_ruling_39_whoever_is_still_tied_shares_the_victory():
    table = Table().tiles((0, 1)).tiles((0, 0), (0, 1), seat=1)
    assert table.ranks() == [1, 1]


def test_where_the_points_came_from_is_noted_at_the_end():
    table = Table(final_turns=0).tiles((0, 1)).has(strength=5).workers("FFF", "FFFF").lead("Ambiorix")
    table.citadel("north teal", room=0, seat0=1)
    table.state.track, table.state.turn_owner, table.state.actor = 0, 1, 1
    table.workers("FFF", seat=1).area("north", "FFF").market("north")
    table.state.deck = 0
    table.push("move 2 to the northwest").push("use the north area").push("farm in the north")
    assert table.is_over
    noted = {
        name: table.tally(f"points: {name}")
        for name in ("disks", "tiles", "garrisons", "board", "leftovers", "leader")
    }
    assert noted == {"disks": 1, "tiles": 2, "garrisons": 0, "board": 1, "leftovers": 1, "leader": 1}
    assert citadel_of("north teal") == 2
