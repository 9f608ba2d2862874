"""A rule that no parameter covers: make a game from another by replacing single rule functions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boardgames.errors import unknown
from boardgames.game import RULE_FUNCTIONS, BrokenGame, Field, Game
from boardgames.parameters import Parameter
from boardgames.rulecode import Function, reached, rebind, rule
from boardgames.variant import is_platform

SPOKEN = ("say", "refuse", "census", "draw", "scores", "turns")  # what else of a game can be replaced, beside rule functions


def derive(
    parent: Game,
    name: str,
    *,
    fields: Mapping[str, Field] | None = None,
    tallies: tuple[str, ...] = (),
    parameters: tuple[Parameter, ...] = (),
    about: str = "",
    **replaced: Any,
) -> Game:
    """A child of a game in which the named rule functions are replaced: derive(CELTICA, "mine", land_on_ruin=f).

    The whole of the parent's rules is copied, from every file, so that all calls reach the new function and the parent stays as
    it was. A replacement may call the function it replaces. New fields and tallies come after the parent's; streams and action
    numbers stay, so that both games can be played on the same luck.
    """
    spoken = {key: replaced.pop(key) for key in SPOKEN if key in replaced}
    new = {key: rule(replaced.pop(key)) for key in RULE_FUNCTIONS if key in replaced and getattr(parent, key) is None}
    in_place_of = {_named(parent, old): rule(function) for old, function in replaced.items()}
    written = {key: getattr(parent, key) for key in RULE_FUNCTIONS if getattr(parent, key)} | new
    copies = rebind(written.values(), in_place_of)
    functions = {key: copies[function] for key, function in written.items()}
    return replace(
        parent,
        name=name,
        about=about or f"{parent.name} with other rules for {', '.join([*new, *replaced, *spoken])}",
        fields={**parent.fields, **(fields or {})},
        tallies=parent.tallies + tallies,
        parameters=parent.parameters + parameters,
        **functions,
        **spoken,
    )


def _named(parent: Game, name: str) -> Function:
    """The one rule function of the parent with this name. A name that replaces nothing is an error, never a silent skip."""
    if name in RULE_FUNCTIONS:
        return parent.functions()[name]
    rules = [function for function in reached(parent.functions().values()) if not is_platform(function)]
    found = [function for function in rules if function.__name__ == name]
    if not found:
        raise unknown(f"rule function of {parent.name}", name, {function.__name__ for function in rules})
    if len(found) > 1:
        raise BrokenGame(f"{parent.name} has {len(found)} rule functions called {name}: a replacement would be ambiguous")
    return found[0]
