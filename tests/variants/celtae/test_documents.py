"""Celtae: rules and data as documents. What the code cites exists, what is ruled is tested, and every value
has a source.
"""

import ast
import re
from pathlib import Path

import pytest

from boardgames import make_variant
from variants import celtae
from variants.celtae import GAME, board, codes

FOLDER = Path(celtae.__file__).parent
RULES = (FOLDER / "RULES.md").read_text()
FILES = (
    "apply.py",
    "legal.py",
    "setup.py",
    "topics/turn.py",
    "topics/farm.py",
    "topics/build.py",
    "topics/battle.py",
    "topics/recruit.py",
    "scoring.py",
    "topics/cards.py",
    "topics/workers.py",
    "board.py",
    "census.py",
    "resample.py",
    "__init__.py",
)
SECTIONS = re.findall(r"^### (\d+\.\d+) ", RULES, re.MULTILINE)


def cited(name):
    """The sections that each function of a file cites; "§4.1 to §4.3" cites all three."""
    text = (FOLDER / name).read_text()
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    citations = {}
    for function in functions:
        source = ast.get_source_segment(text, function)
        citations[function.name] = re.findall(r"§(\d+\.\d+)", source)
        for first, last in re.findall(r"§(\d+\.\d+) to §(\d+\.\d+)", source):
            citations[function.name] += SECTIONS[SECTIONS.index(first) : SECTIONS.index(last)]
    return citations


@pytest.mark.parametrize("name", FILES)
def test_every_section_that_the_code_cites_exists(name):
    everywhere = re.findall(r"§([\d.]*\d)", (FOLDER / name).read_text())
    assert everywhere
    assert set(everywhere) <= set(SECTIONS)


def test_every_section_of_the_rules_is_cited_by_some_function():
    sections_cited = {section for name in FILES for sections in cited(name).values() for section in sections}
    assert sections_cited == set(SECTIONS)


def test_every_rule_function_says_what_it_does():
    for name in FILES:
        tree = ast.parse((FOLDER / name).read_text())
        rules = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
        silent = [function.name for function in rules if not ast.get_docstring(function)]
        assert silent == [], name


def test_every_section_that_the_rules_mention_exists():
    mentioned = re.findall(r"\((\d+\.\d+)(?: to (\d+\.\d+))?\)", RULES) + re.findall(
        r"\| (\d+\.\d+) \|()", RULES
    )
    assert {section for pair in mentioned for section in pair if section} <= set(SECTIONS)


def test_all_44_rulings_are_there_once_and_each_is_tested():
    rulings = [int(number) for number in re.findall(r"^\*\*Ruling (\d+)\.\*\*", RULES, re.MULTILINE)]
    assert sorted(rulings) == list(range(1, 45))
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    tested = {
        int(number)
        for name in re.findall(r"def (test_\w+)", tests)
        for number in re.findall(r"ruling_(\d+)_", name)
    }
    assert set(rulings) - tested == set()


def test_the_table_of_open_points_is_that_of_the_game():
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| [\d.]+ \| `celtae:([\w-]+)` \|$", RULES, re.MULTILINE)
    usual = make_variant(GAME).values
    written = {parameter.name: parameter.write(usual[parameter.name]) for parameter in GAME.parameters}
    for name, value, _ in rows:
        assert written[name] == value
    for variant_name, (values, _) in GAME.variants.items():
        assert set(values) == {name for name, _, at in rows if at == variant_name}


def test_every_value_in_the_box_is_marked_and_has_a_source():
    board = codes.BOX["boards"]["reconstructed"]
    for mark in [part for name, part in codes.BOX.items() if name != "boards"] + list(
        board["marks"].values()
    ):
        assert mark["known"] in ("documented", "deduced", "reconstructed")
        assert len(mark["source"].split()) > 1
        assert (("or" in mark) ^ ("untried" in mark)) == (mark["known"] == "reconstructed")
    assert set(board["marks"]) == set(board["board"])


SEEN_IN_PART = {  # what the photograph shows too little of, each by the part of the box that holds it
    "garrisons",
    "garrison_marks",
    "bonus_tiles",
    "citadel_spaces",
    "two_spots",
    "citadels",
    "tokens",
}


def marks() -> dict:
    return {name: part for name, part in codes.BOX.items() if name != "boards"} | codes.BOX["boards"][
        "reconstructed"
    ]["marks"]


def test_what_the_photograph_does_not_show_is_marked_as_reconstructed():
    assert {name for name, mark in marks().items() if mark["known"] == "reconstructed"} >= SEEN_IN_PART


def printed(part, rules):
    """What the rules record holds of a part of the box."""
    names = {
        "army": "army_strength",
        "druid": "druid_workers",
        "ring": "ring_marks",
        "progress": "progress_cards",
        "garrisons": "garrison_icons",
        "icons": "icon_copies",
    }
    return rules[names.get(part, part)].tolist()


def test_the_second_guess_changes_every_reconstructed_value_to_its_first_alternative():
    usual, other = make_variant(GAME), make_variant(GAME, "second-guess")
    rules = [variant.make_blank_state(4)[0].rules for variant in (usual, other)]
    for name, mark in marks().items():
        if mark["known"] == "reconstructed" and "untried" not in mark:
            assert printed(name, rules[0]) != printed(name, rules[1]), name
            if name in other.values:
                assert list(other.values[name]) == mark["or"][0]
            elif name != "progress":
                assert board.BOARDS[board.SECOND][name] == mark["or"][0]


def test_the_second_guess_makes_every_reconstructed_condition_harder_by_one():
    cards = [board.BOARDS[which]["progress"] for which in (board.DEFAULT, board.SECOND)]
    for before, after in zip(*cards, strict=True):
        whole = before["counts"] in ("colours with a disk", "kinds in the tribe")  # all four already
        assert after["at_least"] - before["at_least"] == (0 if "known" in before or whole else 1)


def test_only_what_the_actions_depend_on_has_no_alternative_that_can_be_played():
    assert {name for name, mark in marks().items() if "untried" in mark} == {"cards", "citadels"}
    assert all("actions depend" in marks()[name]["untried"] for name in ("cards", "citadels"))


@pytest.mark.parametrize("part", codes.BOX["boards"]["reconstructed"]["marks"])
def test_every_alternative_of_a_part_can_be_played(part):
    for reading in board._list_readings(part):
        variant = make_variant(GAME, "", {"board": {**board.BOARDS[board.DEFAULT], part: reading}})
        assert [variant.find_problem(seats) for seats in GAME.player_counts] == [None, None, None]


def test_what_is_reconstructed_is_declared_and_stands_in_the_table_of_the_rules():
    table = RULES[RULES.index("### 10.1") :]
    rows = re.findall(r"^\| ([a-z ]+) \|", table, re.MULTILINE)
    assert set(GAME.reconstructed) == set(rows) - {"part", "parameter"}
    assert len(GAME.reconstructed) == 18


def test_whatever_group_is_forbidden_something_else_can_be_done():
    """Those that styles leave out, that is: all but moves, areas, farming and stopping."""
    assert {
        "building",
        "defeating armies",
        "training",
        "points in the south",
        "refresh",
        "swap",
        "tokens",
        "garrisons",
        "three-step moves",
        "east area",
        "west area",
        "gaining strength",
    } <= set(GAME.groups)
    assert len(GAME.groups["swap"]) == 16
    assert all(len(set(actions)) == len(actions) for actions in GAME.groups.values())


def test_every_action_has_words_of_its_own():
    state = make_variant(GAME).make_blank_state(4)[0]
    assert len({GAME.say(state, action) for action in range(GAME.actions)}) > 100
