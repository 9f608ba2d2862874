"""Celtae: rules and data as documents. What the code cites exists, what is ruled is tested, and every value has a source."""

import ast
import re
from pathlib import Path

import pytest

from boardgames import make_variant
from variants import celtae
from variants.celtae import GAME
from variants.celtae.codes import BOX

FOLDER = Path(celtae.__file__).parent
RULES = (FOLDER / "RULES.md").read_text()
FILES = (
    "rules.py", "choices.py", "setup.py", "turn.py", "farm.py", "build.py", "battle.py", "recruit.py", "scoring.py", "cards.py",
    "workers.py", "board.py", "pieces.py", "__init__.py",
)  # fmt: skip
SECTIONS = re.findall(r"^### (\d+\.\d+) ", RULES, re.MULTILINE)


def cited(name):
    """The sections that each function of a file cites; "§4.1 to §4.3" cites all three."""
    text = (FOLDER / name).read_text()
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    found = {}
    for function in functions:
        source = ast.get_source_segment(text, function)
        found[function.name] = re.findall(r"§(\d+\.\d+)", source)
        for first, last in re.findall(r"§(\d+\.\d+) to §(\d+\.\d+)", source):
            found[function.name] += SECTIONS[SECTIONS.index(first) : SECTIONS.index(last)]
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_section_that_the_code_cites_exists(name):
    everywhere = re.findall(r"§([\d.]*\d)", (FOLDER / name).read_text())
    assert everywhere
    assert set(everywhere) <= set(SECTIONS)


def test_every_section_of_the_rules_is_cited_by_some_function():
    found = {section for name in FILES for sections in cited(name).values() for section in sections}
    assert found == set(SECTIONS)


def test_every_rule_function_says_what_it_does():
    for name in FILES:
        tree = ast.parse((FOLDER / name).read_text())
        rules = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
        silent = [function.name for function in rules if not ast.get_docstring(function)]
        assert silent == [], name


def test_every_section_that_the_rules_mention_exists():
    mentioned = re.findall(r"\((\d+\.\d+)(?: to (\d+\.\d+))?\)", RULES) + re.findall(r"\| (\d+\.\d+) \|()", RULES)
    assert {section for pair in mentioned for section in pair if section} <= set(SECTIONS)


def test_all_42_rulings_are_there_once_and_each_is_tested():
    rulings = [int(number) for number in re.findall(r"^\*\*Ruling (\d+)\.\*\*", RULES, re.MULTILINE)]
    assert sorted(rulings) == list(range(1, 43))
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    tested = {int(number) for name in re.findall(r"def (test_\w+)", tests) for number in re.findall(r"ruling_(\d+)_", name)}
    assert set(rulings) - tested == set()


def test_the_table_of_open_points_is_that_of_the_game():
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| [\d.]+ \| `celtae:([\w-]+)` \|$", RULES, re.MULTILINE)
    usual = make_variant(GAME).values
    written = {parameter.name: parameter.write(usual[parameter.name]) for parameter in GAME.parameters}
    for name, value, house in rows:
        assert written[name] == value
        assert list(GAME.variants[house].values) == [name]
    assert {house for _, _, house in rows} == set(GAME.variants)


def test_every_value_in_the_box_is_marked_and_has_a_source():
    board = BOX["boards"]["reconstructed"]
    for mark in [part for name, part in BOX.items() if name != "boards"] + list(board["marks"].values()):
        assert mark["known"] in ("documented", "deduced", "reconstructed")
        assert len(mark["source"].split()) > 1
        assert ("or" in mark) == (mark["known"] == "reconstructed")
    assert set(board["marks"]) == set(board["board"])


def test_what_is_reconstructed_is_declared_and_stands_in_the_table_of_the_rules():
    table = RULES[RULES.index("### 10.1") :]
    rows = re.findall(r"^\| ([a-z ]+) \|", table, re.MULTILINE)
    assert set(GAME.reconstructed) == set(rows) - {"part", "parameter"}
    assert len(GAME.reconstructed) == 12


def test_whatever_group_is_forbidden_something_else_can_be_done():
    """Those that styles leave out, that is: all but moves, areas, farming and stopping."""
    assert {"building", "defeating armies", "training", "points in the south", "refresh", "swap", "tokens", "garrisons",
            "three-step moves", "east area", "west area", "gaining strength"} <= set(GAME.groups)  # fmt: skip
    assert len(GAME.groups["swap"]) == 16
    assert all(len(set(actions)) == len(actions) for actions in GAME.groups.values())


def test_every_action_has_words_of_its_own():
    state = make_variant(GAME).blank(4)[0]
    assert len({GAME.say(state, action) for action in range(GAME.actions)}) > 100
