"""Names of functions say what they do: a verb first, never a participle; properties are nouns."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("boardgames", "analytics", "dashboard", "variants", "benchmarks")
MOST_MODULES = 15
IRREGULAR = re.compile(
    "begun|bought|brought|built|caught|chosen|done|drawn|driven|dealt|fallen|felt|fought|found|forgotten|frozen|given"
    "|gone|grown|heard|held|kept|known|laid|left|lost|made|meant|met|paid|said|seen|sent|shown|sold|spent|spoken|stood"
    "|struck|swept|taken|taught|thought|thrown|told|torn|understood|unlike|won|worn|written"
)
# Verbs that look like participles, two words of the protocol, and a name that OpenSpiel asks for.
ALLOWED = re.compile("bring|embed|exceed|feed|need|proceed|seed|speed|spread|shred|hidden|standing|string")


def is_participle(word: str) -> bool:
    if ALLOWED.fullmatch(word):
        return False
    return bool(IRREGULAR.fullmatch(word)) or (len(word) > 4 and word.endswith(("ed", "ing")))


def list_functions(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of each function, without properties and fixtures."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = " ".join(ast.unparse(mark) for mark in node.decorator_list)
            if "property" not in marks and not node.name.startswith("__"):
                yield node.lineno, node.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_function_is_named_by_a_participle(folder):
    offenders = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in list_functions(path)
        if is_participle(name.strip("_").split("_")[0])
    ]
    assert not offenders, "\n".join(offenders)


@pytest.mark.parametrize("package", ["boardgames", "analytics", "dashboard", "variants", "tests"])
def test_no_folder_holds_more_than_fifteen_modules(package):
    folders = [ROOT / package, *(path for path in (ROOT / package).rglob("*") if path.is_dir())]
    crowded = {
        str(folder.relative_to(ROOT)): count
        for folder in folders
        if (count := len([*folder.glob("*.py")])) > MOST_MODULES
    }
    assert not crowded
