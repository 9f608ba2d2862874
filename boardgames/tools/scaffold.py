"""`boardgames new`: a package of one's own, complete and installable, from the templates beside this file."""

import importlib.util
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from boardgames.errors import BadInput
from boardgames.files import write_files
from boardgames.game.plugins import find_game, installed
from boardgames.game.variant import is_platform
from boardgames.rules.rulecode import reached

TEMPLATES = Path(__file__).with_name("templates")
LONGEST_NAME = 50
SUFFIX = ".txt"  # templates are no Python files yet
POINTS = '''
def points(state, seat):
    """The points are those of {game}; `standing` means the new one, as everywhere but in the function that replaces it."""
    return standing(state, seat) // state.seats

'''  # for a parent whose points are its standing


def new_game(name: str, parent: str = "", folder: Path = Path()) -> list[Path]:
    """Write a package for a new game, or for one that changes a rule of another; returns its files."""
    check_spelling(name)
    target = folder / name
    if target.exists():
        raise BadInput(f"there is a folder or file {target} already; choose another name, or remove it")
    check_unused(name)
    words = {"name": name, "module": name.replace("-", "_")} | (_about_parent(parent) if parent else {})
    return write_files(target, dict(_filled("derived" if parent else "game", words)))


def check_spelling(name: str) -> None:
    """Refuse what cannot be the name of a game and of a Python package at once."""
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise BadInput(f"'{name}' is no name for a game: small letters, digits and single - or _, beginning with a letter")
    if len(name) > LONGEST_NAME:
        raise BadInput(f"'{name}' is too long a name for a game: use at most {LONGEST_NAME} characters")


def check_unused(name: str) -> None:
    """Refuse the name of a game or Python package that is installed."""
    if name in installed():
        raise BadInput(f"a game called '{name}' is installed already: {installed()[name][0].value}. Choose another name")
    module = name.replace("-", "_")
    if module in sys.stdlib_module_names or importlib.util.find_spec(module):
        raise BadInput(f"there is a Python package '{module}' already, which yours would hide. Choose another name")


def _filled(template: str, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The files of a template with these words filled in, by their place in the package."""
    root = TEMPLATES / template
    for path in sorted(root.rglob(f"*{SUFFIX}")):
        place = str(path.relative_to(root)).removesuffix(SUFFIX).replace("module/", f"{words['module']}/")
        text = path.read_text(encoding="utf-8")
        for word, meaning in words.items():
            text = text.replace(f"@{word}@", meaning)
        yield place, text


def _about_parent(parent: str) -> dict[str, str]:
    """Where the parent is imported from, and what of it can be replaced."""
    head = parent.partition(":")[0]
    game, house = find_game(parent)
    if house or head.endswith(".py"):
        raise BadInput(
            f"a game is derived from a whole game: {game.name if house else 'one in a module, module:NAME'}, not {parent}"
        )
    module, _, attribute = (installed()[head][0].value if head in installed() else parent).partition(":")
    own = sorted({f"`{f.__name__}`" for f in reached(game.functions().values()) if not is_platform(f)})
    score, points = ("", "") if game.score else ("    score=points,\n", POINTS.format(game=game.name))
    about = {"parent": game.name if head in installed() else parent, "parent_module": module, "parent_attribute": attribute}
    return {**about, "functions": ", ".join(own), "score": score, "points": points}
