"""The catalogue: games, variants, player counts, parameters and agents, as data and as tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from rich.table import Table

from boardgames.agents.agent import find_agent_type, list_agent_types
from boardgames.errors import BoardgamesError, InvalidInput
from boardgames.game.game import Game
from boardgames.game.plugins import find_entry_points, find_variant, load_installed_game, read_own_variants
from boardgames.game.variant import Variant, format_player_counts, make_variant
from boardgames.play.match import Match

T = TypeVar("T")
OnWarning = Callable[[str], None]


def _load_each(names: Iterable[str], load: Callable[[str], T], on_warning: OnWarning) -> list[T]:
    """What can be loaded, in the order of the names; warns of the rest."""
    loaded = []
    for name in names:
        try:
            loaded.append(load(name))
        except BoardgamesError as error:
            on_warning(str(error))
    return loaded


def describe_games(on_warning: OnWarning) -> list[dict[str, Any]]:
    """Every installed game."""
    names = sorted(find_entry_points())
    return _load_each(names, lambda name: _describe_game(load_installed_game(name)), on_warning)


def describe_everything(on_warning: OnWarning) -> dict[str, Any]:
    return {
        "games": describe_games(on_warning),
        "own_variants": [
            _describe_values(variant) for variant in _load_each(read_own_variants(), find_variant, on_warning)
        ],
        "agents": _load_each(list_agent_types(), _describe_agent, on_warning),
    }


def describe_variant(variant: Variant) -> dict[str, Any]:
    return {**_describe_game(variant.game), "variant": _describe_values(variant)}


def _describe_game(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "about": game.about,
        "is_example": game.is_example,
        "players": list(game.player_counts),
        "variants": [_describe_values(make_variant(game, name)) for name in ["", *game.variants]],
        "parameters": [p.describe() for p in game.parameters],
        "reconstructed": dict(game.reconstructed),
        "action_groups": list(game.groups),
        "styles": {name: style._asdict() for name, style in game.styles.items()},
        "tallies": list(game.tallies),
        "ends": list(game.ends),
    }


def _describe_values(variant: Variant) -> dict[str, Any]:
    values = {p.name: p.write(variant.values[p.name]) for p in variant.game.parameters}
    changes = {name: values[name] for name in variant.changes()}
    return {
        "name": variant.name,
        "game": variant.game.name,
        "why": variant.why,
        "changes": changes,
        "fingerprint": variant.fingerprint(),
        "values": values,
    }


def _describe_agent(name: str) -> dict[str, Any]:
    agent_type = find_agent_type(name)
    return {
        "agent": name,
        "sentence": agent_type.description,
        "parameters": [p.describe() for p in agent_type.parameters],
    }


def draw_setup(spec: str, players: int | None) -> str:
    """The position after set-up, as SVG."""
    variant = find_variant(spec)
    if variant.game.draw is None:
        raise InvalidInput(f"{variant.game.name} has no drawing")
    return Match(variant, min(variant.game.player_counts) if players is None else players).draw()


# ---- as tables


def show_everything(on_warning: OnWarning) -> Iterator[Any]:
    catalogue = describe_everything(on_warning)
    heads = ("variant", "players", "differs in", "what for")
    rows = _make_variant_rows(game for game in catalogue["games"] if not game["is_example"])
    rows += [(v["name"], "", _format_changes(v["changes"]), v["why"]) for v in catalogue["own_variants"]]
    if rows:
        yield _make_table("Variants", heads, rows)
    else:
        yield "No game is installed. A game of your own is named module:NAME or ./file.py:NAME."
    if examples := _make_variant_rows(game for game in catalogue["games"] if game["is_example"]):
        yield _make_table("Examples: tiny games to try commands with", heads, examples)
    yield _make_table(
        "Agents", ("agent", "plays", "parameters"), [_make_agent_row(agent) for agent in catalogue["agents"]]
    )
    if any(game["reconstructed"] for game in catalogue["games"]):
        yield "* Some printed values are reconstructed: `boardgames show VARIANT` lists them."
    if catalogue["games"]:
        yield "Parameters: " + "; ".join(
            f"{game['game']}: {_format_parameter_names(game)}" for game in catalogue["games"]
        )
    yield "`boardgames show VARIANT` explains them."


def _make_variant_rows(games: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, str, str]]:
    """A row for each variant of these games."""
    return [
        (
            variant["name"] + ("*" if game["reconstructed"] else ""),
            format_player_counts(game["players"]),
            _format_changes(variant["changes"]),
            variant["why"],
        )
        for game in games
        for variant in game["variants"]
    ]


def _format_parameter_names(game: Mapping[str, Any]) -> str:
    return ", ".join(parameter["name"] for parameter in game["parameters"]) or "none"


def show_variant(spec: str) -> Iterator[Any]:
    description = describe_variant(find_variant(spec))
    yield f"{description['variant']['name']}: {description['variant']['why'] or description['about']}"
    yield f"players: {format_player_counts(description['players'])}; ends: {', '.join(description['ends'])}"
    yield "differs from the default in: " + (_format_changes(description["variant"]["changes"]) or "nothing")
    yield _make_table(
        "Parameters",
        ("parameter", "here", "default", "allowed", "what it is"),
        [
            (
                p["name"],
                description["variant"]["values"][p["name"]],
                p["default"],
                p["allowed"],
                p["sentence"],
            )
            for p in description["parameters"]
        ],
    )
    yield _make_table(
        "Variants",
        ("variant", "differs in", "what for"),
        [(v["name"], _format_changes(v["changes"]), v["why"]) for v in description["variants"]],
    )
    if description["reconstructed"]:
        yield _make_table(
            "Reconstructed: no source documents it",
            ("what", "what we chose, and why"),
            list(description["reconstructed"].items()),
        )
    if description["styles"]:
        yield _make_table(
            "Styles",
            ("agent", "plays"),
            [(name, style["why"]) for name, style in description["styles"].items()],
        )
    if description["action_groups"]:
        yield f"groups of actions: {', '.join(description['action_groups'])}"
    if description["tallies"]:
        yield f"tallies: {', '.join(description['tallies'])}"


def _make_agent_row(agent: Mapping[str, Any]) -> tuple[str, str, str]:
    parameters = [f"+{p['name']}={p['default']} ({p['sentence']})" for p in agent["parameters"]]
    return agent["agent"], agent["sentence"], "; ".join(parameters)


def _make_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    return table


def _format_changes(changes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changes.items())
