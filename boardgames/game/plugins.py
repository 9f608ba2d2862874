"""Where games come from: the entry-point group `boardgames.games`, a module or file named on the command
line, variants.toml.

Our games are found in the same way as anyone else's. What was typed on this command line may be imported
(`find_variant`); what a result file, an address or a cluster message names may not (`find_stored_variant`).
"""

import functools
import hashlib
import importlib
import importlib.util
import os
import shlex
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from boardgames.errors import BoardgamesError, InvalidInput, NotTrusted, PluginError, make_unknown_error
from boardgames.files import read_file
from boardgames.game import spec as specs
from boardgames.game.game import Game
from boardgames.game.variant import Variant, make_no_variant_error, make_variant

T = TypeVar("T")
GAMES_GROUP = "boardgames.games"
OWN_VARIANTS = Path("variants.toml")


@functools.cache
def find_entry_points(group: str = GAMES_GROUP) -> dict[str, list[EntryPoint]]:
    """The installed games (or plug-ins of another group) by name, not yet imported; two or more if names
    clash.
    """
    points_by_name: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        if point.value not in [other.value for other in points_by_name.get(point.name, [])]:
            points_by_name.setdefault(point.name, []).append(point)
    return points_by_name


@functools.cache
def load_installed_game(name: str) -> Game:
    """An installed game, imported. The error of a broken one names it."""
    point = find_entry_point(name, GAMES_GROUP)
    game = _load_game(point)
    if game.name != name:
        raise PluginError(
            f"plug-in '{name}' ({point.value}): its entry point must have the game's own name, '{game.name}'"
        )
    return game


def _load_game(point: EntryPoint) -> Game:
    module = _import_or_explain(f"plug-in '{point.name}'", lambda: importlib.import_module(point.module))
    return _find_game_in(module, point.attr)


def find_entry_point(name: str, group: str) -> EntryPoint:
    """The plug-in of that name; an error if there are two."""
    points = find_entry_points(group)[name]
    if len(points) > 1:
        listed = " and ".join(f"{p.value} ({p.dist.name if p.dist else 'unknown package'})" for p in points)
        raise PluginError(
            f"two plug-ins are called '{name}': {listed}. "
            f"Uninstall one, or name a game by its module: {points[0].value}"
        )
    return points[0]


def load_plugin(name: str, group: str) -> Any:
    """The object that a plug-in offers, imported."""
    point = find_entry_point(name, group)
    module = _import_or_explain(f"plug-in '{name}'", lambda: importlib.import_module(point.module))
    if not hasattr(module, point.attr):
        raise PluginError(f"plug-in '{name}': there is no {point.attr} in {point.module}")
    return getattr(module, point.attr)


def _find_game_in(module: ModuleType, attribute: str) -> Game:
    """The Game of that name in a module."""
    game = getattr(module, attribute, None)
    if not isinstance(game, Game):
        games = [name for name, value in vars(module).items() if isinstance(value, Game)]
        raise make_unknown_error(f"game in {module.__name__}", attribute, games)
    return game


def _import_or_explain(label: str, load: Callable[[], T]) -> T:
    """What `load` returns. Whatever the import raises becomes one sentence; what it prints goes to stderr, so
    that an answer as JSON stays one.
    """
    try:
        with redirect_stdout(sys.stderr):
            return load()
    except BoardgamesError as error:
        raise PluginError(f"{label} does not keep the protocol: {error}") from error
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"{label}: there is no module '{error.name}' "
            "(looked in the current folder and among the installed)"
        ) from error
    except (Exception, SystemExit) as error:
        raise PluginError(f"{label} cannot be imported: {type(error).__name__}: {error}") from error


def import_game(address: str, attribute: str) -> Game:
    """The game in `package.module`, looked up in the current folder first, or in `./file.py`."""
    return _find_game_in(import_module_at(address, attribute), attribute)


def import_module_at(address: str, attribute: str) -> ModuleType:
    """The module `package.module`, looked up in the current folder first, or the file `./file.py`. An error
    names what was wanted from it.
    """
    path = Path(address)
    if path.suffix == ".py" and not path.is_file():
        raise InvalidInput(f"there is no file {address}")
    if path.suffix != ".py" and ("/" in address or address.startswith(".")):
        raise InvalidInput(_explain_path(address, path, attribute))
    folder = path.resolve().parent if path.suffix == ".py" else Path.cwd()

    def load() -> ModuleType:
        return import_file(path) if path.suffix == ".py" else importlib.import_module(address)

    return _import_or_explain(f"{address}:{attribute}", lambda: _call_with_path(folder, load))


def _explain_path(address: str, path: Path, attribute: str) -> str:
    """What to type instead of a path that names no file of Python."""
    if path.name and path.with_suffix(".py").is_file():
        return f"{address} is no Python file; write {address}.py:{attribute}"
    if not path.is_dir():
        return f"there is no file {address}; a game in a file is named ./file.py:NAME"
    folder = path.resolve()
    if not folder.name:
        return f"{address} is a folder; a game in a file is named ./file.py:NAME"
    above = folder.parent if path.is_absolute() else os.path.relpath(folder.parent)
    return (
        f"{address} is a folder, not a Python file. Type {folder.name}:{attribute} in the folder above it "
        f"(cd {shlex.quote(str(above))}), or install the package and type the game's name"
    )


def _call_with_path(folder: Path, load: Callable[[], Any]) -> Any:
    """Call `load` with a folder first on the path of modules."""
    sys.path.insert(0, str(folder))
    try:
        return load()
    finally:
        sys.path.remove(str(folder))


def import_file(path: Path) -> ModuleType:
    """Import a file under a unique module name, so that two files called mine.py are two games.

    Modules beside it that an earlier such file imported from another folder are imported again.
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


def find_variant(spec: str | Variant, tables: Mapping[str, Any] | None = None) -> Variant:
    """The variant that a person typed: of an installed game, of variants.toml (or these tables), or of
    `module:NAME`. A Variant is returned as it is.
    """
    if isinstance(spec, Variant):
        return spec
    if not isinstance(spec, str):
        raise make_no_variant_error(spec)
    variant = _resolve_spec(spec, read_own_variants() if tables is None else tables, find_game)
    _TYPED_FILES.update(
        str(variant.values[p.name]) for p in variant.game.parameters if p.is_file_name(variant.values[p.name])
    )
    return variant


def _resolve_spec(spec: str, tables: Mapping[str, Any], find: Finder) -> Variant:
    base, given = specs.split_spec(spec)
    if base in tables:
        variant = _make_own_variant(base, tables, find)
        name = specs.format_spec(base, variant.game.parameters, _merge_values(variant, given), variant.values)
        return Variant(
            variant.game,
            name,
            _merge_values(variant, given),
            variant.why if not given else f"{base} with changes",
            spec,
        )
    game, variant_name = find(base)
    return replace(make_variant(game, variant_name, given), spec=spec)


def _merge_values(variant: Variant, given: dict[str, Any]) -> dict[str, Any]:
    game = variant.game
    return specs.validate_values(game.name, game.parameters, {**variant.values, **given}, game.player_counts)


def find_game(base: str) -> tuple[Game, str]:
    """`celtica`, `celtica:en`, `module:NAME` or `./file.py:NAME:variant` -> the game and the variant's name,
    if any.
    """
    head, _, rest = base.partition(":")
    if head in find_entry_points():
        return load_installed_game(head), rest
    if named := _find_typed_name(head, rest):
        return named, rest
    if rest and ("." in head or "/" in head or _is_module(head)):
        attribute, _, variant_name = rest.partition(":")
        game = import_game(head, attribute)
        trust_game(f"{head}:{attribute}", game)
        return game, variant_name
    names = [*find_entry_points(), *read_own_variants()]
    raise make_unknown_error("game", head, names, "A game of your own is named module:NAME or ./file.py:NAME")


def find_game_file(spec: str) -> Path:
    """The file that the game of a spec is imported from. It is not imported: it may be broken."""
    tables = read_own_variants()
    seen: set[str] = set()
    base, _ = specs.split_spec(spec)
    while base in tables and base not in seen and isinstance(tables[base], dict):
        seen.add(base)
        base, _ = specs.split_spec(str(tables[base].get("base")))
    head = base.partition(":")[0]
    if Path(head).suffix == ".py":
        if not Path(head).is_file():
            raise InvalidInput(f"there is no file {head}")
        return Path(head).resolve()
    module = find_entry_point(head, GAMES_GROUP).module if head in find_entry_points() else head
    if not _import_or_explain(base, lambda: _is_module(module)):  # which imports the package that it is in
        raise make_unknown_error(
            "game",
            head,
            [*find_entry_points(), *tables],
            "A game of your own is named module:NAME or ./file.py:NAME",
        )
    origin = _call_with_path(Path.cwd(), lambda: importlib.util.find_spec(module)).origin
    if origin is None or not Path(origin).is_file():
        raise InvalidInput(f"{head} has no file to look at: name the module that the game is in")
    return Path(origin)


def _is_module(name: str) -> bool:
    """Whether there is a module of that name, in the current folder or installed; `__main__` does not
    count.
    """
    try:
        return (
            _call_with_path(Path.cwd(), lambda: importlib.util.find_spec(name)) is not None
            and name != "__main__"
        )
    except (ValueError, ImportError):  # an empty name, a module without a spec, or a missing package
        return False


# ---- names that were not typed here

_TYPED_GAMES: dict[str, Game] = {}  # imported because they were typed, by `module:NAME` or `./file.py:NAME`
_TYPED_FILES: set[str] = set()  # boards that were typed


def _find_typed_name(name: str, variant_name: str) -> Game | None:
    """The game of this name that was typed here, the latest if there are several; None if it has no such
    variant. So the name that results show finds a variant again.
    """
    games = [game for game in _TYPED_GAMES.values() if game.name == name]
    return next((game for game in reversed(games) if not variant_name or variant_name in game.variants), None)


def trust_game(address: str, game: Game) -> None:
    """Let a game that a person handed over be found by its name here."""
    _TYPED_GAMES.pop(address, None)  # the latest comes last
    _TYPED_GAMES[address] = game


def find_stored_variant(spec: str) -> Variant:
    """The variant that a result file or an address names: of an installed game, or of one that was typed
    here.

    Nothing else is imported and no file is read, however the spec is written: it may come from a stranger.
    The variant's `spec` is what to type for it here.
    """
    base, given = specs.split_spec(spec)
    tables = read_own_variants()
    if base in tables:
        check_no_files(_make_own_variant(base, tables, find_trusted_game).game, given, base)
        return _resolve_spec(spec, tables, find_trusted_game)
    game, variant_name = find_trusted_game(base)
    check_no_files(game, given, base)
    return _resolve_spec(
        ":".join(filter(None, (find_address(game), variant_name))) + spec[len(base) :], {}, find_trusted_game
    )


def find_trusted_game(base: str) -> tuple[Game, str]:
    """As `find_game`, for a name that was not typed: only among the installed games and those that were
    typed.
    """
    head, _, rest = base.partition(":")
    if head in find_entry_points():
        return load_installed_game(head), rest
    if named := _find_typed_name(head, rest):
        return named, rest
    if not rest:
        raise make_unknown_error("game", head, find_entry_points())
    attribute, _, variant_name = rest.partition(":")
    for point in (point for points in find_entry_points().values() for point in points):
        if point.value == f"{head}:{attribute}":
            return _load_game(point), variant_name
    address = _find_typed_address(head, attribute)
    if address is None:
        raise NotTrusted(f"{head}:{attribute}", "not installed")
    return _TYPED_GAMES[address], variant_name


def _find_typed_address(head: str, attribute: str) -> str | None:
    """How the game was typed here, None if it was not. The file may lie in another folder than where the
    results were made.
    """
    if f"{head}:{attribute}" in _TYPED_GAMES:
        return f"{head}:{attribute}"
    addresses = [
        address
        for address in _TYPED_GAMES
        if head.endswith(".py") and f"/{address}".endswith(f"/{Path(head).name}:{attribute}")
    ]
    return addresses[-1] if addresses else None


def check_no_files(game: Game, given: Mapping[str, Any], base: str) -> None:
    """Raise NotTrusted if a value names a file that was not typed here."""
    for parameter in game.parameters:
        value = given.get(parameter.name)
        if value is not None and parameter.is_file_name(value) and str(value) not in _TYPED_FILES:
            raise NotTrusted(
                f"{base}+{parameter.name}={value}", f"its {parameter.name} is in the file {value}"
            )


def find_address(game: Game) -> str:
    """What to type for a game here."""
    points = find_entry_points().get(game.name, [])
    if len(points) == 1 and load_installed_game(game.name) is game:
        return game.name
    addresses = [address for address, typed in _TYPED_GAMES.items() if typed is game]
    return next(iter(addresses or [point.value for point in points if _load_game(point) is game]), game.name)


def read_own_variants() -> dict[str, Any]:
    """The tables of variants.toml in the current folder."""
    return read_toml(OWN_VARIANTS) if OWN_VARIANTS.exists() else {}


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; an error says what is wrong with it."""
    try:
        return tomllib.loads(read_file(path))
    except (ValueError, RecursionError) as error:  # also numbers and tables without end
        raise InvalidInput(f"{path}: {error}") from None


def _make_own_variant(
    name: str, tables: Mapping[str, Any], find: Finder, ancestors: tuple[str, ...] = ()
) -> Variant:
    """A variant of variants.toml; its base may be another of them, also with changes."""
    table = tables[name]
    if name in ancestors:
        raise InvalidInput(f"it is its own base, by {' -> '.join([*ancestors, name])}")
    if name in find_entry_points() or ":" in name or "+" in name:
        raise InvalidInput(f"variant {name}: choose a name that no game has, without : and +")
    if not isinstance(table, dict) or not isinstance(table.get("base"), str):
        raise InvalidInput(f'variant {name}: it needs a line base = "game:variant"')
    base, given = specs.split_spec(table["base"])
    values = {**given, **{key: value for key, value in table.items() if key not in ("base", "why")}}
    try:
        base_variant = (
            _make_own_variant(base, tables, find, (*ancestors, name))
            if base in tables
            else make_variant(*find(base))
        )
        return Variant(base_variant.game, name, _merge_values(base_variant, values), table.get("why", ""))
    except NotTrusted:
        raise
    except BoardgamesError as error:
        raise error if ancestors else InvalidInput(f"variant {name}: {error}") from None
