"""Where games come from: the entry-point group `boardgames.games`, a module or file named on the command line, variants.toml.

Our own games come through the same door as a stranger's. What somebody typed may be imported (`find_variant`); what a result
file, an address or a message of a cluster names may not (`find_stored`).
"""

import functools
import hashlib
import importlib
import importlib.util
import shlex
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from boardgames.errors import BadInput, unknown
from boardgames.files import read_file
from boardgames.game import spec as specs
from boardgames.game.game import Game
from boardgames.game.variant import Variant, make_variant

T = TypeVar("T")
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
    game = _game_of(point)
    if game.name != name:
        raise BadInput(f"plug-in '{name}' ({point.value}): its entry point must have the game's own name, '{game.name}'")
    return game


def _game_of(point: EntryPoint) -> Game:
    return _game_in(f"plug-in '{point.name}'", lambda: importlib.import_module(point.module), point.attr)


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


def _imported(who: str, load: Callable[[], T]) -> T:
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


Finder = Callable[[str], tuple[Game, str]]


def find_variant(spec: str, own: Mapping[str, Any] | None = None) -> Variant:
    """The variant that somebody typed: of an installed game, of variants.toml (or these tables), or of `module:NAME`."""
    found = _resolve(spec, own_variants() if own is None else own, find_game)
    _TYPED_FILES.update(str(found.values[p.name]) for p in found.game.parameters if p.names_file(found.values[p.name]))
    return found


def _resolve(spec: str, own: Mapping[str, Any], find: Finder) -> Variant:
    base, given = specs.split(spec)
    if base in own:
        found = _own_variant(base, own, find)
        name = specs.write(base, found.game.parameters, _with(found, given), found.values)
        return Variant(found.game, name, _with(found, given), found.why if not given else f"{base} with changes", spec)
    game, house = find(base)
    return replace(make_variant(game, house, given), spec=spec)


def _with(variant: Variant, given: dict[str, Any]) -> dict[str, Any]:
    game = variant.game
    return specs.checked(game.name, game.parameters, {**variant.values, **given}, game.players)


def find_game(base: str) -> tuple[Game, str]:
    """`celtica`, `celtica:en`, `module:NAME` or `./file.py:NAME:variant` -> the game and the variant's name, if any."""
    head, _, rest = base.partition(":")
    if head in installed():
        return installed_game(head), rest
    if rest and ("." in head or "/" in head or _is_module(head)):
        attribute, _, house = rest.partition(":")
        game = _TYPED_GAMES[f"{head}:{attribute}"] = game_from(head, attribute)
        return game, house
    known = [*installed(), *own_variants()]
    raise unknown("game", head, known, "A game of your own is named module:NAME or ./file.py:NAME")


def find_file(spec: str) -> Path:
    """The file that the game of a spec is imported from. Nothing of it is imported: it may be broken."""
    own, seen = own_variants(), set[str]()
    base, _ = specs.split(spec)
    while base in own and base not in seen and isinstance(own[base], dict):
        seen.add(base)
        base, _ = specs.split(str(own[base].get("base")))
    head = base.partition(":")[0]
    if Path(head).suffix == ".py":
        if not Path(head).is_file():
            raise BadInput(f"there is no file {head}")
        return Path(head).resolve()
    module = one_point(head, GROUP).module if head in installed() else head
    if not _imported(base, lambda: _is_module(module)):  # which imports the package that it is in
        raise unknown("game", head, [*installed(), *own], "A game of your own is named module:NAME or ./file.py:NAME")
    origin = _looking_in(Path.cwd(), lambda: importlib.util.find_spec(module)).origin
    if origin is None or not Path(origin).is_file():
        raise BadInput(f"{head} has no file to look at: name the module that the game is in")
    return Path(origin)


def _is_module(name: str) -> bool:
    """Whether there is a module of that name, in the current folder or installed; `__main__` is the program itself, not one."""
    try:
        return _looking_in(Path.cwd(), lambda: importlib.util.find_spec(name)) is not None and name != "__main__"
    except (ValueError, ImportError):  # no name, a module that nobody can find again, or a package that is not there
        return False


# ---- names that nobody typed here

_TYPED_GAMES: dict[str, Game] = {}  # what was imported because somebody typed it, by `module:NAME` or `./file.py:NAME`
_TYPED_FILES: set[str] = set()  # boards that somebody typed


class NotTrusted(BadInput):
    """A result file names something that would run code or read a file, and nobody here has named it."""

    def __init__(self, name: str, why: str) -> None:
        self.why, self.option = why, f"--game {shlex.quote(name)}"
        super().__init__(f"{name}: {self.in_words('add')}, if you trust it")

    def in_words(self, how: str) -> str:
        """not installed: add `--game ./mine.py:MINE` to see it"""
        return f"{self.why}: {how} `{self.option}` to see it"


def find_stored(spec: str) -> Variant:
    """The variant that a result file or an address names: of an installed game, or of one that somebody typed here.

    Nothing else is imported, and no file is read, however the spec is written: it may come from a stranger. Its own `spec` is what
    to type for it here.
    """
    base, given = specs.split(spec)
    own = own_variants()
    if base in own:
        refuse_files(_own_variant(base, own, known_game).game, given, base)
        return _resolve(spec, own, known_game)
    game, house = known_game(base)
    refuse_files(game, given, base)
    return _resolve(":".join(filter(None, (place_of(game), house))) + spec[len(base) :], {}, known_game)


def known_game(base: str) -> tuple[Game, str]:
    """As `find_game`, for a name that nobody typed: only among the installed games and those that were typed."""
    head, _, rest = base.partition(":")
    if head in installed():
        return installed_game(head), rest
    if not rest:
        raise unknown("game", head, installed())
    attribute, _, house = rest.partition(":")
    for point in (point for points in installed().values() for point in points):
        if point.value == f"{head}:{attribute}":
            return _game_of(point), house
    place = _typed_place(head, attribute)
    if place is None:
        raise NotTrusted(f"{head}:{attribute}", "not installed")
    return _TYPED_GAMES[place], house


def _typed_place(head: str, attribute: str) -> str | None:
    """Where the game was typed; a file may lie in another folder here than where the results come from."""
    if f"{head}:{attribute}" in _TYPED_GAMES:
        return f"{head}:{attribute}"
    alike = [place for place in _TYPED_GAMES if head.endswith(".py") and f"/{place}".endswith(f"/{Path(head).name}:{attribute}")]
    return alike[-1] if alike else None


def refuse_files(game: Game, given: Mapping[str, Any], base: str) -> None:
    """Values that nobody typed name no files."""
    for parameter in game.parameters:
        value = given.get(parameter.name)
        if value is not None and parameter.names_file(value) and str(value) not in _TYPED_FILES:
            raise NotTrusted(f"{base}+{parameter.name}={value}", f"its {parameter.name} is in the file {value}")


def place_of(game: Game) -> str:
    """What to type for a game here."""
    points = installed().get(game.name, [])
    if len(points) == 1 and installed_game(game.name) is game:
        return game.name
    places = [place for place, typed in _TYPED_GAMES.items() if typed is game]
    return next(iter(places or [point.value for point in points if _game_of(point) is game]), game.name)


def own_variants() -> dict[str, Any]:
    """The tables of variants.toml in the current folder."""
    return read_tables(OWN_VARIANTS) if OWN_VARIANTS.exists() else {}


def read_tables(path: Path) -> dict[str, Any]:
    """A TOML file, or a sentence about what is wrong with it."""
    try:
        return tomllib.loads(read_file(path))
    except (ValueError, RecursionError) as error:  # also numbers and tables without end
        raise BadInput(f"{path}: {error}") from None


def _own_variant(name: str, tables: Mapping[str, Any], find: Finder, above: tuple[str, ...] = ()) -> Variant:
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
        found = _own_variant(base, tables, find, (*above, name)) if base in tables else make_variant(*find(base))
        return Variant(found.game, name, _with(found, values), table.get("why", ""))
    except NotTrusted:
        raise
    except BadInput as error:
        raise error if above else BadInput(f"variant {name}: {error}") from None
