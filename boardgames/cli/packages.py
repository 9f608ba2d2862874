"""The packages that come with boardgames and have names that a user's own file may have, too."""

import importlib.util
from pathlib import Path

import boardgames

PACKAGES = ("analytics", "dashboard", "variants")


def find_hidden_package() -> str | None:
    """A sentence about a user's file that Python would import in place of one of our packages; None if there
    is none. `python -m boardgames` looks into the current folder first.
    """
    home = Path(boardgames.__file__).resolve().parents[1]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or (home / name).as_posix() in map(_resolve, spec.submodule_search_locations or ()):
            continue
        other = spec.origin or ", ".join(spec.submodule_search_locations or ())
        return (
            f"{other} has the name of a package of boardgames and hides it: rename it, or start boardgames "
            "in another folder"
        )
    return None


def _resolve(folder: str) -> str:
    return Path(folder).resolve().as_posix()
