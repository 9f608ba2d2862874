"""Keltis: rules and data as documents. What the code cites exists, what is ruled is cited, and every value
has a source.
"""

import ast
import re
from pathlib import Path

import pytest

from boardgames import make_variant
from variants import keltis
from variants.keltis import GAME, codes

FOLDER = Path(keltis.__file__).parent
RULES = (FOLDER / "RULES.md").read_text()
FILES = (
    "setup.py",
    "legal.py",
    "apply.py",
    "topics/cards.py",
    "topics/tiles.py",
    "scoring.py",
    "resample.py",
    "board.py",
    "__init__.py",
)
SECTIONS = re.findall(r"^### (\d+\.\d+) ", RULES, re.MULTILINE)


def cited(name):
    """The sections that each function of a file cites."""
    text = (FOLDER / name).read_text()
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return {
        function.name: re.findall(r"§(\d+\.\d+)", ast.get_source_segment(text, function))
        for function in functions
    }


@pytest.mark.parametrize("name", FILES)
def test_every_section_that_the_code_cites_exists(name):
    everywhere = re.findall(r"§([\d.]*\d)", (FOLDER / name).read_text())
    assert everywhere
    assert set(everywhere) <= set(SECTIONS)


def test_every_section_of_the_rules_is_cited_by_some_function():
    sections_cited = {section for name in FILES for sections in cited(name).values() for section in sections}
    assert sections_cited == set(SECTIONS)
    assert len(SECTIONS) == len(sections_cited)


def test_every_section_that_the_rules_mention_exists():
    mentioned = re.findall(r"\((\d\.\d)(?: to (\d\.\d))?\)", RULES) + re.findall(r"\| (\d\.\d) \|()", RULES)
    assert {section for pair in mentioned for section in pair if section} <= set(SECTIONS)


def test_the_table_of_open_points_is_that_of_the_game():
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| \d\.\d \| `keltis:([\w-]+)` \|$", RULES, re.MULTILINE)
    usual = make_variant(GAME).values
    written = {parameter.name: parameter.write(usual[parameter.name]) for parameter in GAME.parameters}
    assert {name: value for name, value, _ in rows} == written
    for name, _, variant_name in rows:
        assert list(GAME.variants[variant_name].values) == [name]
    assert set(GAME.variants) == {variant_name for _, _, variant_name in rows} | {
        "as-printed",
        "free-clovers",
    }


def test_the_policy_names_each_ruling_that_leaves_or_follows_the_printed_words():
    rows = re.findall(r"^\| (\d+) \| .* \| ([123]) \| `keltis:([\w-]+)` \|$", RULES, re.MULTILINE)
    named = {"9": "substitute-enters", "11": "clover-enters", "13": "clover-optional", "14": "redraw"}
    assert {ruling: variant_name for ruling, _, variant_name in rows} == named
    assert set(named.values()) <= set(GAME.variants)
    points = re.findall(r"^(\d)\. \*\*", RULES, re.MULTILINE)
    assert {point for _, point, _ in rows} <= set(points)


def test_every_value_in_the_box_is_marked_and_has_a_source():
    marks = [part for name, part in codes.BOX.items() if name != "boards"]
    marks += [mark for board in codes.BOX["boards"].values() for mark in board["marks"].values()]
    for mark in marks:
        assert mark["known"] in ("documented", "reconstructed")
        assert len(mark["source"].split()) > 1
    for board in codes.BOX["boards"].values():
        assert set(board["marks"]) == set(board["board"])


def test_what_is_reconstructed_is_declared():
    assert list(GAME.reconstructed) == ["colours of the paths"]
    assert [name for name, part in codes.BOX.items() if part.get("known") == "reconstructed"] == ["paths"]
