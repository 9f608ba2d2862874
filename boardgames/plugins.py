"""Where games come from: the entry-point group `boardgames.games`, a module or file named on the command line, variants.toml.

Our own games come through the same door as a stranger's.
"""

import functools
import importlib
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from boardgames import specs
from boardgames.errors import BadInput, unknown
from boardgames.game import BrokenGame, Game
from boardgames.rulecode import NotARule
from boardgames.variant import Variant, make_variant

GROUP = "boardgames.games"
OWN_VARIANTS = Path("variants.toml")


@functools.cache
def installed() -> dict[str, list[EntryPoint]]:
    """The installed games by name, not yet imported. A clash of names leaves several under one."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        if point.value not in [other.value for other in found.get(point.name, [])]:
            found.setdefault(point.name, []).append(point)
    return found


@functools.cache
def installed_game(name: str) -> Game:
    """An installed game, imported; a broken one is named with its error."""
    points = installed()[name]
    if len(points) > 1:
        places = " and ".join(f"{p.value} ({p.dist.name if p.dist else 'unknown package'})" for p in points)
        raise BadInput(f"two games are called '{name}': {places}. Uninstall one, or name it by its module: {points[0].value}")
    (point,) = points
    game = _imported(f"plug-in '{name}'", point.module, point.attr)
    if game.name != name:
        raise BadInput(f"plug-in '{name}' ({point.value}): its entry point must have the game's own name, '{game.name}'")
    return game


def _imported(who: str, module: str, attribute: str) -> Game:
    """The Game at module:attribute. Whatever a plug-in's import raises is told as one sentence."""
    try:
        found = importlib.import_module(module)
    except (BrokenGame, NotARule) as error:
        raise BadInput(f"{who} does not keep the protocol: {error}") from error
    except ModuleNotFoundError as error:
        raise BadInput(
            f"{who}: there is no module '{error.name}' (looked in the current folder and among the installed)"
        ) from error
    except Exception as error:
        raise BadInput(f"{who} cannot be imported: {type(error).__name__}: {error}") from error
    game = getattr(found, attribute, None)
    if not isinstance(game, Game):
        games = [name for name, value in vars(found).items() if isinstance(value, Game)]
        raise unknown(f"game in {module}", attribute, games)
    return game


def game_from_file(place: str, attribute: str) -> Game:
    """`package.module` or `./file.py`, with the current folder looked at first."""
    path = Path(place)
    if path.suffix != ".py":
        return _with_path(Path.cwd(), place, attribute)
    if not path.is_file():
        raise BadInput(f"there is no file {place}")
    return _with_path(path.resolve().parent, path.stem, attribute)


def _with_path(folder: Path, module: str, attribute: str) -> Game:
    sys.path.insert(0, str(folder))
    try:
        return _imported(f"{module}:{attribute}", module, attribute)
    finally:
        sys.path.remove(str(folder))


def find_variant(spec: str, own: Mapping[str, Any] | None = None) -> Variant:
    """The variant that a spec names: of an installed game, of variants.toml (or these tables), or of `module:NAME`."""
    base, given = specs.split(spec)
    own = own_variants() if own is None else own
    if base in own:
        found = _own_variant(base, own)
        name = specs.write(base, found.game.parameters, _with(found, given), found.values)
        return Variant(found.game, name, _with(found, given), found.why if not given else f"{base} with changes", spec)
    game, house = find_game(base)
    return replace(make_variant(game, house, given), spec=spec)


def _with(variant: Variant, given: dict[str, Any]) -> dict[str, Any]:
    game = variant.game
    return specs.checked(game.name, game.parameters, {**variant.values, **given}, game.players)


def find_game(base: str) -> tuple[Game, str]:
    """`celtica`, `celtica:en`, `module:NAME` or `./file.py:NAME:variant` -> the game and the variant's name, if any."""
    head, _, rest = base.partition(":")
    if head in installed():
        return installed_game(head), rest
    if rest and ("." in head or "/" in head or Path(f"{head}.py").exists() or Path(head).is_dir()):
        attribute, _, house = rest.partition(":")
        return game_from_file(head, attribute), house
    known = [*installed(), *own_variants()]
    raise unknown("game", head, known, "A game of your own is named module:NAME or ./file.py:NAME")


def own_variants() -> dict[str, Any]:
    """The tables of variants.toml in the current folder."""
    return checked_variants(OWN_VARIANTS, read_tables(OWN_VARIANTS)) if OWN_VARIANTS.exists() else {}


def read_tables(path: Path) -> dict[str, Any]:
    """A TOML file, or a sentence about what is wrong with it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None


def checked_variants(path: Path, tables: dict[str, Any]) -> dict[str, Any]:
    """Tables that define variants, each with a base and a name that no game has."""
    for name, table in tables.items():
        if not isinstance(table, dict) or not isinstance(table.get("base"), str):
            raise BadInput(f'{path}, {name}: it needs a line base = "game:variant"')
        if name in installed() or ":" in name or "+" in name:
            raise BadInput(f"{path}, {name}: choose a name that no game has, without : and +")
    return tables


def _own_variant(name: str, tables: Mapping[str, Any], above: tuple[str, ...] = ()) -> Variant:
    """A variant of one's own; its base may be another of them."""
    if name in above:
        raise BadInput(f"variant {name}: it is its own base, by {' -> '.join([*above, name])}")
    table = tables[name]
    values = {key: value for key, value in table.items() if key not in ("base", "why")}
    try:
        base = table["base"]
        found = _own_variant(base, tables, (*above, name)) if base in tables else find_variant(base, {})
        return Variant(found.game, name, _with(found, values), table.get("why", ""))
    except BadInput as error:
        if above:
            raise
        raise BadInput(f"variant {name}: {error}") from None
