"""Specs: how people write variants and agents. `celtica:en+hand_size=6+board=my.toml`, `mcts:256+aim=score`.

`+name=value` is the only way to set a parameter, for both. A `+` in the name of a folder or a file stays a
part of it: `celtica+board=a+b/my.toml`, `./a+b/mine.py:agent`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.game.parameters import Parameter

PARAMETER = re.compile(r"\+(?=[^+=/]*=)")  # what begins a parameter
NO_PATH = re.compile(r"\+([^+/.]*)$")  # what a path with a + in it does not end with


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """`a:b+c=d` -> ("a:b", {"c": "d"})"""
    base, *parts = PARAMETER.split(spec)
    if spec.strip().startswith("+"):
        raise InvalidInput(
            f"'{spec}' names no game: write it behind the name, without a blank: GAME{spec.strip()}"
        )
    values = {}
    for part in (base, *parts):
        if ending := NO_PATH.search(part):
            raise InvalidInput(f"'{spec}': '{ending[0]}' is not of the form +name=value")
    for part in parts:
        name, _, value = part.partition("=")
        if not (name and value):
            raise InvalidInput(f"'{spec}': '+{part}' is not of the form +name=value")
        if name in values:
            raise InvalidInput(f"'{spec}' sets {name} twice")
        values[name] = value
    return base, values


def validate_values(
    owner: str, parameters: Sequence[Parameter], given: Mapping[str, Any], player_counts: Sequence[int]
) -> dict[str, Any]:
    """Values for every parameter: the given ones, read and checked, and the defaults."""
    by_name = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in by_name:
            raise make_unknown_error("parameter", name, by_name, "`boardgames show` explains them")
    return {name: p.read(given.get(name, p.default), player_counts) for name, p in by_name.items()}


def format_spec(
    base: str, parameters: Sequence[Parameter], values: Mapping[str, Any], base_values: Mapping[str, Any]
) -> str:
    """The spec of these values: the base, then what differs from it, in the order of the parameters."""
    changed = [p for p in parameters if values[p.name] != base_values[p.name]]
    return "".join([base, *(f"+{p.name}={p.write(values[p.name])}" for p in changed)])
