"""`boardgames new`: a complete, installable package from the templates beside this file."""

import importlib.util
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from boardgames.errors import InvalidInput
from boardgames.files import write_files
from boardgames.game.plugins import find_entry_points, find_game
from boardgames.game.variant import is_platform_function
from boardgames.rules.rulecode import reachable_rules

TEMPLATES = Path(__file__).with_name("templates")
LONGEST_NAME = 50
SUFFIX = ".txt"  # templates are no Python files yet
POINTS = '''
def points(state, seat):
    """The points are those of {game}. `standing` is the new one, except in the function that replaces it."""
    return standing(state, seat) // state.players

'''  # for a parent whose points are its standing


def create_game(name: str, parent: str = "", folder: Path = Path()) -> list[Path]:
    """Write a package for a new game, or for one that changes a rule of another; returns its files."""
    check_name(name)
    target = folder / name
    if target.exists():
        raise InvalidInput(f"there is a folder or file {target} already; choose another name, or remove it")
    check_name_is_free(name)
    words = {"name": name, "module": name.replace("-", "_")} | (_describe_parent(parent) if parent else {})
    return write_files(target, dict(_fill_template("derived" if parent else "game", words)))


def check_name(name: str) -> None:
    """Refuse a name that cannot name both a game and a Python package."""
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(name):
        allowed = "small letters, digits and single - or _, beginning with a letter"
        raise InvalidInput(f"'{name}' is not a name for a game: {allowed}")
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"'{name}' is too long a name for a game: use at most {LONGEST_NAME} characters")


def check_name_is_free(name: str) -> None:
    """Refuse the name of a game or Python package that is installed."""
    if name in find_entry_points():
        address = find_entry_points()[name][0].value
        raise InvalidInput(f"a game called '{name}' is installed already: {address}. Choose another name")
    module = name.replace("-", "_")
    if module in sys.stdlib_module_names or importlib.util.find_spec(module):
        raise InvalidInput(
            f"there is a Python package '{module}' already, which yours would hide. Choose another name"
        )


def _fill_template(template: str, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The paths inside the package and the texts of a template, with these words filled in."""
    root = TEMPLATES / template
    for path in sorted(root.rglob(f"*{SUFFIX}")):
        target = str(path.relative_to(root)).removesuffix(SUFFIX).replace("module/", f"{words['module']}/")
        text = path.read_text(encoding="utf-8")
        for word, meaning in words.items():
            text = text.replace(f"@{word}@", meaning)
        yield target, text


def _describe_parent(parent: str) -> dict[str, str]:
    """The words of a template about the parent: where to import it from, and what can be replaced."""
    head = parent.partition(":")[0]
    game, variant = find_game(parent)
    if variant or head.endswith(".py"):
        expected = game.name if variant else "one in a module, module:NAME"
        raise InvalidInput(f"a game is derived from a whole game: {expected}, not {parent}")
    module, _, attribute = (
        find_entry_points()[head][0].value if head in find_entry_points() else parent
    ).partition(":")
    own = sorted(
        {f"`{f.__name__}`" for f in reachable_rules(game.functions().values()) if not is_platform_function(f)}
    )
    score, points = ("", "") if game.score else ("    score=points,\n", POINTS.format(game=game.name))
    about = {
        "parent": game.name if head in find_entry_points() else parent,
        "parent_module": module,
        "parent_attribute": attribute,
    }
    return {**about, "functions": ", ".join(own), "score": score, "points": points}
