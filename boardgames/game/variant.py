"""A Variant is a Game plus one filled-in rules record. It is what we compare."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgames.errors import BadInput, unknown
from boardgames.game import spec as specs
from boardgames.game.game import Game
from boardgames.game.mistakes import explaining
from boardgames.rules.rulecode import Function, content, is_platform_file


@dataclass(frozen=True, eq=False)
class Variant:
    game: Game
    name: str  # its spec, or the name it has in variants.toml
    values: Mapping[str, Any]
    why: str = ""
    spec: str = ""  # what to type to get it again, where that is not its name

    def blank(self, seats: int) -> np.ndarray[Any, Any]:
        """An array of one empty state with the rules filled in: what every match starts from."""
        if why_not := self.refusal(seats):
            raise BadInput(f"{self.name} cannot be played: {why_not}")
        return self._filled(seats)

    def refusal(self, seats: int) -> str:
        """Why this cannot be played by so many, or nothing."""
        if seats not in self.game.players:
            return f"it is for {counted(self.game.players)} players, not {seats}"
        if not self.game.refuse:
            return ""
        with explaining(self.game):
            return self.game.refuse(self._filled(seats)[0].rules, seats)

    def _filled(self, seats: int) -> np.ndarray[Any, Any]:
        states = np.zeros(1, self.game.state)
        states[0].seats = seats
        for parameter in self.game.parameters:
            parameter.fill(states[0].rules, self.values[parameter.name], seats, self.game.players)
        return states

    def bounds(self, what: str, seats: int) -> tuple[int, int]:
        """The declared bounds of "scores" or "turns" under these rules."""
        bounds = getattr(self.game, what)
        with explaining(self.game):
            return bounds(self._filled(seats)[0].rules, seats) if callable(bounds) else bounds

    def fingerprint(self) -> str:
        """What runs: the rules' code, the game's declarations, the rules records. Comments and docstrings do not count."""
        hashed = hashlib.blake2b(digest_size=8)
        hashed.update(_code(self.game).encode())
        for seats in self.game.players:
            hashed.update(self._filled(seats)[0].rules.tobytes())
        return hashed.hexdigest()

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What differs from the game's default: {parameter: (default, here)}."""
        usual = specs.checked(self.game.name, self.game.parameters, {}, self.game.players)
        return {name: (usual[name], value) for name, value in self.values.items() if value != usual[name]}


def _code(game: Game) -> str:
    fields = [[name, *f] for name, f in game.fields.items()]
    parameters = [row for parameter in game.parameters for row in parameter.rows(game.players)]
    said = [fields, parameters, list(game.players), game.actions, game.streams, game.ends, game.tallies, game.cap, game.low_wins]
    return f"{json.dumps(said)}\n{content(game.functions().values(), leave_out=is_platform)}"


def is_platform(function: Function) -> bool:
    """The platform's own functions have the engine's number instead of a fingerprint."""
    return is_platform_file(function.__code__.co_filename)


def make_variant(game: Game, house: str = "", given: Mapping[str, Any] | None = None) -> Variant:
    """A variant from a game, one of its named variants, and values of one's own."""
    if house and house not in game.variants:
        raise unknown("variant", f"{game.name}:{house}", [game.name, *(f"{game.name}:{known}" for known in game.variants)])
    house_values, why = game.variants[house] if house else ({}, game.about)
    usual = specs.checked(game.name, game.parameters, house_values, game.players)
    values = specs.checked(game.name, game.parameters, {**house_values, **(given or {})}, game.players)
    base = f"{game.name}:{house}" if house else game.name
    name = specs.write(base, game.parameters, values, usual)
    return Variant(game, name, values, why if name == base else f"{base} with changes")


def counted(players: Any) -> str:
    """range(2, 6) -> "2 to 5"; (2, 4) -> "2 or 4"; (2,) -> "2"."""
    if len(players) > 2 and players[-1] - players[0] == len(players) - 1:
        return f"{players[0]} to {players[-1]}"
    return " or ".join(map(str, players))
