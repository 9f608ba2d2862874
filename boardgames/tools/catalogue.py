"""What exists: games, variants, player counts, parameters, agents; as data and as tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from boardgames.agents.agent import families, find_family
from boardgames.errors import BadInput
from boardgames.game.game import Game
from boardgames.game.plugins import find_variant, installed, installed_game, own_variants
from boardgames.game.variant import Variant, counted, make_variant
from boardgames.play.match import Match


def games(warn: Callable[[str], None]) -> list[dict[str, Any]]:
    """Every installed game that can be imported; a broken one is named and left out."""
    found = []
    for name in sorted(installed()):
        try:
            found.append(_game(installed_game(name)))
        except BadInput as error:
            warn(str(error))
    return found


def agents(warn: Callable[[str], None]) -> list[dict[str, Any]]:
    """All agents; a plug-in that cannot be used is told of, and the others go on."""
    found = []
    for name in families():
        try:
            found.append(_agent(name))
        except BadInput as error:
            warn(str(error))
    return found


def everything(warn: Callable[[str], None]) -> dict[str, Any]:
    return {
        "games": games(warn),
        "own_variants": [_variant(variant) for variant in _own(warn)],
        "agents": agents(warn),
    }


def _own(warn: Callable[[str], None]) -> list[Variant]:
    """The variants of variants.toml that can be read."""
    found = []
    for name in own_variants():
        try:
            found.append(find_variant(name))
        except BadInput as error:
            warn(str(error))
    return found


def one(variant: Variant) -> dict[str, Any]:
    return {**_game(variant.game), "variant": _variant(variant)}


def _game(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "about": game.about,
        "players": list(game.players),
        "variants": [_variant(make_variant(game, house)) for house in ["", *game.variants]],
        "parameters": [p.about() for p in game.parameters],
        "reconstructed": dict(game.reconstructed),
        "action_groups": list(game.groups),
        "styles": {name: style._asdict() for name, style in game.styles.items()},
        "tallies": list(game.tallies),
        "ends": list(game.ends),
    }


def _variant(variant: Variant) -> dict[str, Any]:
    written = {p.name: p.write(variant.values[p.name]) for p in variant.game.parameters}
    changed = {name: written[name] for name in variant.changes()}
    return {
        "name": variant.name,
        "game": variant.game.name,
        "why": variant.why,
        "changes": changed,
        "fingerprint": variant.fingerprint(),
        "values": written,
    }


def _agent(name: str) -> dict[str, Any]:
    family = find_family(name)
    return {"agent": name, "sentence": family.sentence, "parameters": [p.about() for p in family.parameters]}


def picture(spec: str, players: int | None) -> str:
    """The table, set up, as SVG."""
    variant = find_variant(spec)
    if variant.game.draw is None:
        raise BadInput(f"{variant.game.name} has no drawing")
    return Match(variant, min(variant.game.players) if players is None else players).draw()


# ---- for people


def show_everything(warn: Callable[[str], None]) -> Iterator[Any]:
    found = everything(warn)
    rows = [
        (
            variant["name"] + ("*" if game["reconstructed"] else ""),
            counted(game["players"]),
            _changes(variant["changes"]),
            variant["why"],
        )
        for game in found["games"]
        for variant in game["variants"]
    ]
    rows += [(v["name"], "", _changes(v["changes"]), v["why"]) for v in found["own_variants"]]
    if rows:
        yield _table("Variants", ("variant", "players", "differs in", "what for"), rows)
    else:
        yield "No game is installed. A game of your own is named module:NAME or ./file.py:NAME."
    yield _table("Agents", ("agent", "plays", "parameters"), [_agent_row(agent) for agent in found["agents"]])
    if any(game["reconstructed"] for game in found["games"]):
        yield "* part of the components is reconstructed; `boardgames show VARIANT` says which."
    if found["games"]:
        yield "Parameters: " + "; ".join(f"{game['game']}: {_names(game)}" for game in found["games"])
    yield "`boardgames show VARIANT` explains them."


def _names(game: Mapping[str, Any]) -> str:
    return ", ".join(parameter["name"] for parameter in game["parameters"]) or "none"


def show_one(spec: str) -> Iterator[Any]:
    found = one(find_variant(spec))
    yield f"{found['variant']['name']}: {found['variant']['why'] or found['about']}"
    yield f"players: {counted(found['players'])}; ends: {', '.join(found['ends'])}"
    yield "differs from the default in: " + (_changes(found["variant"]["changes"]) or "nothing")
    yield _table(
        "Parameters",
        ("parameter", "here", "default", "allowed", "what it is"),
        [
            (p["name"], found["variant"]["values"][p["name"]], p["default"], p["allowed"], p["sentence"])
            for p in found["parameters"]
        ],
    )
    yield _table(
        "Variants",
        ("variant", "differs in", "what for"),
        [(v["name"], _changes(v["changes"]), v["why"]) for v in found["variants"]],
    )
    if found["reconstructed"]:
        yield _table(
            "Reconstructed: no source documents it", ("what", "what we chose, and why"), list(found["reconstructed"].items())
        )
    if found["styles"]:
        yield _table("Styles", ("agent", "plays"), [(name, style["why"]) for name, style in found["styles"].items()])
    if found["action_groups"]:
        yield f"groups of actions: {', '.join(found['action_groups'])}"
    if found["tallies"]:
        yield f"tallies: {', '.join(found['tallies'])}"


def _agent_row(agent: Mapping[str, Any]) -> tuple[str, str, str]:
    parameters = [f"+{p['name']}={p['default']} ({p['sentence']})" for p in agent["parameters"]]
    return agent["agent"], agent["sentence"], "; ".join(parameters)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    return table


def _changes(changes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changes.items())
