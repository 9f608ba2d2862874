"""Boards: what is printed, what is documented and what is not, and what is refused."""

import random
import tomllib
from pathlib import Path

import pytest

from boardgames import InvalidInput, Match, make_variant
from variants import celtica
from variants.celtica import GAME, codes
from variants.celtica.board import BOARDS, fill_in, read_board

START_PLACE, GOAL_PLACE, VILLAGE_PLACE = (
    {"kind": "start"},
    {"kind": "goal", "parts": 4},
    {"kind": "village", "parts": 1},
)
REFERENCE = {
    "reconstructed": "S V1 K2 cult R2 V1 C3 cult R2 R3 K2 V1 C3 cult R1 R3 K2 V1 G4",
    "l1": "S V1 K2 cult R1 V1 C3 cult R2 R3 K2 V1 C3 cult R2 R3 K2 cult G4",
    "l4": "S V1 V1 cult R1 R2 K2 V1 cult R2 R3 K2 C3 cult R3 V1 K2 R3 G5",
    "start-beside": "S V1 V1 K2 cult R2 V1 C3 cult R2 R3 K2 V1 C3 cult R1 R3 K2 V1 G4",
}
SHORT = {
    "start": "S",
    "village": "V",
    "cloister": "K",
    "castle": "C",
    "cult": "cult",
    "ruin": "R",
    "goal": "G",
}


def short(places):
    return " ".join(f"{SHORT[place['kind']]}{place.get('parts', '')}" for place in places)


def test_the_named_boards_are_those_of_the_reconstruction():
    assert {name: short(board["places"]) for name, board in BOARDS.items()} == REFERENCE


def test_the_default_board_keeps_every_documented_fact():
    board = read_board(BOARDS["reconstructed"])
    kinds, parts = board["place_kind"][:19], board["place_parts"][:19]
    assert kinds[0] == codes.START
    assert kinds[18] == codes.GOAL
    assert board["goal"] == 18
    deal = [(codes.CULT_SITE, 0), (codes.RUIN, 2), (codes.RUIN, 3)]
    assert [list(zip(kinds, parts, strict=True))[i : i + 3] for i in range(17)].count(deal) == 1
    assert (codes.VILLAGE, 1) in list(zip(kinds, parts, strict=True))[3:]
    assert parts[18] > max(parts[:18])  # the goal is lucrative


def test_every_value_in_the_box_is_marked_documented_or_reconstructed_with_its_source():
    boards = codes.BOX["boards"]
    values = [value for name, value in codes.BOX.items() if name != "boards"] + boards["reconstructed"][
        "places"
    ]
    for value in [*values, *(boards[name] for name in boards if name != "reconstructed")]:
        assert value["known"] in ("documented", "reconstructed")
        assert value["source"]


def test_every_reconstructed_place_but_the_village_of_the_first_example_has_alternatives():
    places = BOARDS["reconstructed"]["places"]
    unsure = [number for number, place in enumerate(places, 1) if place["known"] == "reconstructed"]
    assert [number for number in unsure if not places[number - 1].get("or")] == [12]


def test_the_game_says_what_is_reconstructed():
    assert len(GAME.reconstructed) == 15 + 3  # places; and the start, the deal of ruins, the experience cards
    assert GAME.reconstructed["place 19"].startswith("goal 4, perhaps goal 3 or goal 5: ")


def test_a_hundred_fill_ins_are_plausible_playable_and_different():
    chance, seen = random.Random(1), set()
    for _ in range(100):
        given = fill_in(chance)
        places = given["board"]["places"]
        assert len(places) in (19, 20)
        assert "cult R2 R3" in short(places)
        assert "V1" in short(places[3:])
        seen.add(short(places))
        Match(make_variant(GAME, values=given), 2)
    assert len(seen) > 90
    assert {len(places.split()) for places in seen} == {19, 20}


def test_a_board_of_ones_own_is_read_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'places = [{kind = "start"}, {kind = "castle", parts = 3}, {kind = "cult"}, {kind ='
        ' "ruin", parts = 1}, '
        '{kind = "goal", parts = 9}]'
    )
    match = Match(make_variant(GAME, values={"board": str(path)}), 2)
    assert match.state.rules.goal == 4
    assert match.variant.name == f"celtica+board={path}"


@pytest.mark.parametrize(
    ("places", "reason"),
    [
        ([START_PLACE, VILLAGE_PLACE, VILLAGE_PLACE, GOAL_PLACE], "it has 4 places; a board has 5 to 32"),
        ([START_PLACE, *[VILLAGE_PLACE] * 31, GOAL_PLACE], "it has 33 places; a board has 5 to 32"),
        ([START_PLACE, *[VILLAGE_PLACE] * 4], "the goal is missing: place 5 is a village"),
        ([*[VILLAGE_PLACE] * 4, GOAL_PLACE], "place 1 is a village; the start is the first place"),
        ([START_PLACE, START_PLACE, VILLAGE_PLACE, VILLAGE_PLACE, GOAL_PLACE], "place 2 is a start"),
        (
            [START_PLACE, GOAL_PLACE, VILLAGE_PLACE, VILLAGE_PLACE, GOAL_PLACE],
            "place 2 is a goal; the goal is the last",
        ),
        (
            [START_PLACE, {"kind": "tavern", "parts": 1}, *[VILLAGE_PLACE] * 2, GOAL_PLACE],
            "place 2: unknown kind 'tavern'; kinds are",
        ),
        (
            [START_PLACE, VILLAGE_PLACE, {"kind": "ruin", "parts": -2}, VILLAGE_PLACE, GOAL_PLACE],
            "place 3, ruin: parts = -2",
        ),
        (
            [START_PLACE, VILLAGE_PLACE, {"kind": "ruin", "parts": 2.5}, VILLAGE_PLACE, GOAL_PLACE],
            "place 3, ruin: parts = 2.5",
        ),
        (
            [START_PLACE, VILLAGE_PLACE, {"kind": "ruin", "parts": True}, VILLAGE_PLACE, GOAL_PLACE],
            "place 3, ruin: parts = True",
        ),
        (
            [START_PLACE, VILLAGE_PLACE, {"kind": "ruin"}, VILLAGE_PLACE, GOAL_PLACE],
            "place 3: a ruin needs its number of parts",
        ),
        (
            [START_PLACE, VILLAGE_PLACE, {"kind": "cult", "parts": 1}, VILLAGE_PLACE, GOAL_PLACE],
            "place 3: a cult has no parts",
        ),
        (
            [START_PLACE, {"kind": "village", "part": 1}, *[VILLAGE_PLACE] * 2, GOAL_PLACE],
            "nothing is called 'part' here",
        ),
        (
            [START_PLACE, "village", VILLAGE_PLACE, VILLAGE_PLACE, GOAL_PLACE],
            "place 2 is 'village'; a place is written",
        ),
        (None, "it has no list called places"),
    ],
)
def test_a_bad_board_is_refused_with_its_place_and_the_reason(places, reason):
    table = {} if places is None else {"places": places}
    with pytest.raises(InvalidInput) as error:
        make_variant(GAME, values={"board": table})
    assert reason in str(error.value)


def test_a_bad_board_file_is_refused_when_it_is_loaded_and_named(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(
        'places = [{kind = "start"}, {kind = "ruin", parts = -1}, {kind = "cult"}, {kind ='
        ' "cult"}, {kind = "goal", parts = 1}]'
    )
    with pytest.raises(
        InvalidInput, match=rf"board {path}: place 2, ruin: parts = -1; it is a whole number from 0 to 9"
    ):
        make_variant(GAME, values={"board": str(path)})


def test_the_file_says_how_to_write_a_board_of_ones_own():
    text = (Path(celtica.__file__).parent / "board.toml").read_text(encoding="utf-8")
    head = " ".join(line.removeprefix("#").strip() for line in text.partition("\n[")[0].splitlines())
    assert all(kind in head for kind in codes.PLACE_NAMES)
    assert tomllib.loads(text) == codes.BOX
