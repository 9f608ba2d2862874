"""A rule that no parameter covers: make a game from another by replacing single rule functions."""

from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from boardgames.errors import BadInput, unknown
from boardgames.game.game import RULE_FUNCTIONS, SPOKEN, Field, Game
from boardgames.game.parameters import Parameter
from boardgames.game.variant import is_platform
from boardgames.rules.rulecode import Function, is_rule, reached, rebind, rule

PROMISE = "is_turn_uncertain"


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
    numbers stay, so that both games can be played on the same luck. What the parent's author promised by `is_turn_uncertain` is
    not promised of other rules: the child says it anew, or turns are uncertain.
    """
    changed = list(replaced)
    spoken = {key: replaced.pop(key) for key in SPOKEN if key in replaced}
    slots = {key: rule(replaced.pop(key)) for key in RULE_FUNCTIONS if key in replaced and _stands_alone(parent, key)}
    in_place_of = {_named(parent, old): rule(function) for old, function in replaced.items()}
    kept = [key for key in RULE_FUNCTIONS if key != PROMISE or key in changed]
    written = {key: getattr(parent, key) for key in kept if getattr(parent, key)} | slots
    said = {key: getattr(parent, key) for key in SPOKEN if isinstance(getattr(parent, key), FunctionType)}
    copies = rebind([*written.values(), *said.values()], in_place_of, follow=_of(parent), aliases=_ancestors(parent))
    return replace(
        parent,
        name=name,
        about=about or f"{parent.name} with other rules for {', '.join(changed) or 'nothing'}",
        fields={**parent.fields, **(fields or {})},
        tallies=parent.tallies + tallies,
        parameters=parent.parameters + parameters,
        **{PROMISE: None, **{key: copies[function] for key, function in written.items()}},
        **{**{key: copies[function] for key, function in said.items()}, **spoken},
    )


def _stands_alone(parent: Game, key: str) -> bool:
    """Whether a slot has no function yet, or shares its function with another slot, which keeps it."""
    present = getattr(parent, key)
    return present is None or sum(getattr(parent, other) is present for other in RULE_FUNCTIONS) > 1


def _rules(parent: Game) -> list[Function]:
    return [function for function in reached(parent.functions().values()) if not is_platform(function)]


def _named(parent: Game, name: str) -> Function:
    """The one rule function of the parent with this name. A name that replaces nothing is an error, never a silent skip."""
    if name in RULE_FUNCTIONS:
        return parent.functions()[name]
    rules = [function for function in _rules(parent) if getattr(function, "__stands_for__", True)]
    found = [function for function in rules if function.__name__ == name]
    if not found:
        raise unknown(f"rule function of {parent.name}", name, {function.__name__ for function in rules})
    if len(found) > 1:
        raise BadInput(f"{parent.name} has {len(found)} rule functions called {name}: a replacement would be ambiguous")
    return found[0]


def _ancestors(parent: Game) -> dict[Function, Function]:
    """The rules of the games that the parent was derived from, as the parent has them now."""
    return {ancestor: function for function in _rules(parent) for ancestor in getattr(function, "__stands_for__", ())}


def _of(parent: Game) -> Any:
    """Which functions are copied: the rules, and the game's plain functions that speak about them."""
    roots = {function.__module__.partition(".")[0] for function in _rules(parent)}

    def follow(value: Any) -> bool:
        plain = isinstance(value, FunctionType) and value.__module__.partition(".")[0] in roots
        return is_rule(value) or (plain and not is_platform(value))

    return follow
