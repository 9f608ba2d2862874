"""Where games come from: the entry-point group `boardgames.games`, a module or file named on the command line, variants.toml.

Our own games come through the same door as a stranger's.
"""

import functools
import hashlib
import importlib
import importlib.util
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from boardgames import specs
from boardgames.errors import BadInput, unknown
from boardgames.game import Game
from boardgames.variant import Variant, make_variant

GROUP = "boardgames.games"
OWN_VARIANTS = Path("variants.toml")


@functools.cache
def installed(group: str = GROUP) -> dict[str, list[EntryPoint]]:
    """The installed games (or what else a group offers) by name, not yet imported. A clash of names leaves several under one."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        if point.value not in [other.value for other in found.get(point.name, [])]:
            found.setdefault(point.name, []).append(point)
    return found


@functools.cache
def installed_game(name: str) -> Game:
    """An installed game, imported; a broken one is named with its error."""
    point = one_point(name, GROUP)
    game = _game_in(f"plug-in '{name}'", lambda: importlib.import_module(point.module), point.attr)
    if game.name != name:
        raise BadInput(f"plug-in '{name}' ({point.value}): its entry point must have the game's own name, '{game.name}'")
    return game


def one_point(name: str, group: str) -> EntryPoint:
    """The plug-in of that name, where there are not two of them."""
    points = installed(group)[name]
    if len(points) > 1:
        places = " and ".join(f"{p.value} ({p.dist.name if p.dist else 'unknown package'})" for p in points)
        raise BadInput(
            f"two plug-ins are called '{name}': {places}. Uninstall one, or name a game by its module: {points[0].value}"
        )
    return points[0]


def plugged_in(name: str, group: str) -> Any:
    """What a plug-in offers, imported."""
    point = one_point(name, group)
    module = _imported(f"plug-in '{name}'", lambda: importlib.import_module(point.module))
    if not hasattr(module, point.attr):
        raise BadInput(f"plug-in '{name}': there is no {point.attr} in {point.module}")
    return getattr(module, point.attr)


def _game_in(who: str, load: Callable[[], ModuleType], attribute: str) -> Game:
    """The Game of that name in a module."""
    found = _imported(who, load)
    game = getattr(found, attribute, None)
    if not isinstance(game, Game):
        games = [name for name, value in vars(found).items() if isinstance(value, Game)]
        raise unknown(f"game in {found.__name__}", attribute, games)
    return game


def _imported(who: str, load: Callable[[], ModuleType]) -> ModuleType:
    """A plug-in's module. Whatever its import raises is told as one sentence."""
    try:
        return load()
    except BadInput as error:
        raise BadInput(f"{who} does not keep the protocol: {error}") from error
    except ModuleNotFoundError as error:
        raise BadInput(
            f"{who}: there is no module '{error.name}' (looked in the current folder and among the installed)"
        ) from error
    except (Exception, SystemExit) as error:
        raise BadInput(f"{who} cannot be imported: {type(error).__name__}: {error}") from error


def game_from(place: str, attribute: str) -> Game:
    """The game at `package.module`, with the current folder looked at first, or in `./file.py`."""
    path = Path(place)
    if path.suffix != ".py":
        return _game_in(f"{place}:{attribute}", lambda: _looking_in(Path.cwd(), lambda: importlib.import_module(place)), attribute)
    if not path.is_file():
        raise BadInput(f"there is no file {place}")
    return _game_in(f"{place}:{attribute}", lambda: _looking_in(path.resolve().parent, lambda: load_file(path)), attribute)


def _looking_in(folder: Path, load: Callable[[], Any]) -> Any:
    """Run something with a folder first among the places where modules are found."""
    sys.path.insert(0, str(folder))
    try:
        return load()
    finally:
        sys.path.remove(str(folder))


def load_file(path: Path) -> ModuleType:
    """Import a file under a name of its own, so that two files called mine.py are two games.

    Files beside it that an earlier file of the same kind imported from another folder are imported anew.
    """
    path = path.resolve()
    name = f"{FILE_MODULE}{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    for beside in path.parent.glob("*.py"):
        other = getattr(sys.modules.get(beside.stem), "__file__", None)
        if other and Path(other).parent in _FOLDERS - {path.parent}:
            del sys.modules[beside.stem]
    _FOLDERS.add(path.parent)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Numba looks it up there when it loads machine code
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


FILE_MODULE = "boardgames_file_"
_FOLDERS: set[Path] = set()


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
    if rest and ("." in head or "/" in head or _looking_in(Path.cwd(), lambda: importlib.util.find_spec(head))):
        attribute, _, house = rest.partition(":")
        return game_from(head, attribute), house
    known = [*installed(), *own_variants()]
    raise unknown("game", head, known, "A game of your own is named module:NAME or ./file.py:NAME")


def own_variants() -> dict[str, Any]:
    """The tables of variants.toml in the current folder."""
    return read_tables(OWN_VARIANTS) if OWN_VARIANTS.exists() else {}


def read_tables(path: Path) -> dict[str, Any]:
    """A TOML file, or a sentence about what is wrong with it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None


def _own_variant(name: str, tables: Mapping[str, Any], above: tuple[str, ...] = ()) -> Variant:
    """A variant of one's own; its base may be another of them, also with changes."""
    table = tables[name]
    if name in above:
        raise BadInput(f"it is its own base, by {' -> '.join([*above, name])}")
    if name in installed() or ":" in name or "+" in name:
        raise BadInput(f"variant {name}: choose a name that no game has, without : and +")
    if not isinstance(table, dict) or not isinstance(table.get("base"), str):
        raise BadInput(f'variant {name}: it needs a line base = "game:variant"')
    base, given = specs.split(table["base"])
    values = {**given, **{key: value for key, value in table.items() if key not in ("base", "why")}}
    try:
        found = _own_variant(base, tables, (*above, name)) if base in tables else make_variant(*find_game(base))
        return Variant(found.game, name, _with(found, values), table.get("why", ""))
    except BadInput as error:
        raise error if above else BadInput(f"variant {name}: {error}") from None
