"""Games and variants that are given as Python objects: what to type for them, and how they are pickled."""

import importlib
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from boardgames.errors import BoardgamesError, InvalidInput
from boardgames.game.game import Game
from boardgames.game.plugins import FILE_MODULE, find_address, find_variant, import_file, trust_game
from boardgames.game.spec import format_spec
from boardgames.game.variant import Variant, make_variant


def find_spec(variant: Variant) -> str:
    """What to type for a variant in this process; `find_variant` finds it again by that."""
    game = variant.game
    found = _find_matching(variant, find_address(game))
    if found is None:
        place = _find_place(game)
        trust_game(":".join(place) if place else game.name, game)
        found = _find_matching(variant, find_address(game))
    if found is None:
        raise InvalidInput(
            f"nothing that can be typed stands for this {variant.name}: give its game a name that no "
            "installed game has, and name a board by its TOML file, as it is now"
        )
    return found


def _find_matching(variant: Variant, address: str) -> str | None:
    """The spec that finds this variant; None if none does."""
    game = variant.game
    suffix = variant.name.removeprefix(game.name)
    changes = format_spec(address, game.parameters, variant.values, make_variant(game).values)
    specs = (variant.spec, address + suffix, variant.name, changes)
    return next((spec for spec in specs if spec and _is_spec_of(spec, variant)), None)


def _is_spec_of(spec: str, variant: Variant) -> bool:
    try:
        found = find_variant(spec)
    except BoardgamesError:
        return False
    return dict(found.values) == dict(variant.values) and found.has_rules_of(variant)


def _find_place(game: Game) -> tuple[str, str] | None:
    """The module that holds a game, and its name there; None if it stands in none. Other modules may have
    imported it: the one that its rules are from comes first.
    """
    places = [
        (module_name, name)
        for module_name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        for name, value in list(vars(module).items())
        if value is game
    ]
    home = f"{game.setup.__module__}."
    return min(places, key=lambda place: not home.startswith(f"{place[0]}."), default=None)


# ---- pickles


def reduce_game(game: Game) -> tuple[Any, tuple[str, str]]:
    """How a game is pickled: by where it stands, like a function."""
    place = _find_place(game)
    if place is None:
        raise pickle.PicklingError(
            f"the game {game.name} stands in no module: assign it to a name there, as in MINE = derive(...)"
        )
    module, name = place
    if module.startswith(FILE_MODULE):
        return load_pickled_game, (str(sys.modules[module].__file__), name)
    return load_pickled_game, place


def load_pickled_game(module: str, name: str) -> Any:
    """The game of a pickle, which names a module or a file."""
    is_file = Path(module).suffix == ".py"
    return getattr(import_file(Path(module)) if is_file else importlib.import_module(module), name)
