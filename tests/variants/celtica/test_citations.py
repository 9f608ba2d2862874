"""The rules in words and the rules in code belong together: every § cited exists, and every section is
carried out somewhere.
"""

import ast
import re
from pathlib import Path

import pytest

from variants import celtica

FOLDER = Path(celtica.__file__).parent
SECTION = re.compile(r"§(\d+(?:\.\d+)?)")
SECTIONS = re.findall(
    r"^##+ §(\d+(?:\.\d+)?) ", (FOLDER / "RULES.md").read_text(encoding="utf-8"), re.MULTILINE
)
FILES = sorted(FOLDER.rglob("*.py"))


def cited_by_functions():
    """The sections in the docstrings of functions."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in FILES]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {
        section for function in functions for section in SECTION.findall(ast.get_docstring(function) or "")
    }


def test_the_sections_are_found_and_numbered_in_order():
    assert SECTIONS[:3] == ["1", "1.1", "1.2"]
    assert sorted(SECTIONS, key=lambda section: [int(part) for part in section.split(".")]) == SECTIONS


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_section_cited_exists(path):
    assert set(SECTION.findall(path.read_text(encoding="utf-8"))) <= set(SECTIONS)


def test_every_section_is_carried_out_by_some_function():
    leaves = [
        section for section in SECTIONS if not any(other.startswith(f"{section}.") for other in SECTIONS)
    ]
    assert set(leaves) <= cited_by_functions()


def test_every_parameter_is_explained_in_the_rules():
    text = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    named = {name.partition("=")[0] for name in re.findall(r"\*([a-z_]+(?:=[a-z0-9-]+)?)\*", text)}
    assert {parameter.name for parameter in celtica.GAME.parameters} <= named
