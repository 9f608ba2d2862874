"""A rule that no parameter covers: make a game from another by replacing single rule functions."""

from collections.abc import Mapping
from dataclasses import fields as list_fields
from dataclasses import replace
from types import FunctionType
from typing import Any

from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.game.field import Field
from boardgames.game.game import OTHER_FUNCTIONS, RULE_FUNCTIONS, Game
from boardgames.game.parameters import Parameter
from boardgames.game.variant import check_is_game, is_platform_function
from boardgames.rules.rulecode import Function, is_rule, reachable_rules, rebind, rule

PROMISE = "is_turn_uncertain"
KEPT = {field.name for field in list_fields(Game)} - {*RULE_FUNCTIONS, *OTHER_FUNCTIONS}  # of the parent


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
    """A child of a game in which the named rule functions are replaced: derive(CELTICA, "mine",
    land_on_ruin=f).

    All of the parent's rules are copied, from every file, so that every call reaches the new function and the
    parent stays as it is. A replacement may call the function it replaces. New fields and tallies come after
    the parent's; streams and action numbers stay, so that both games can be played on the same luck. The
    parent's `is_turn_uncertain` is not inherited: the child defines its own, or all turns are uncertain.
    The parent's trained player plays the child too, unless the child has fields or an evaluation of its own.
    """
    check_is_game(parent)
    changed_names = list(replaced)
    replaced_functions = {key: replaced.pop(key) for key in OTHER_FUNCTIONS if key in replaced}
    for key, function in replaced.items():
        if key in KEPT:
            raise InvalidInput(
                f"{key}={function!r}: a derived game keeps the {key} of {parent.name}, so that both can be "
                "played on the same luck. New are its name, about, fields, tallies, parameters and functions"
            )
        if not callable(function):
            raise InvalidInput(f"{key}={function!r}: write the function that replaces {key}")
    replaced_slots = {
        key: rule(replaced.pop(key))
        for key in RULE_FUNCTIONS
        if key in replaced and _is_free_slot(parent, key)
    }
    replaced_rules = {_find_rule(parent, old): rule(function) for old, function in replaced.items()}
    inherited = [key for key in RULE_FUNCTIONS if key != PROMISE or key in changed_names]
    rules = {key: getattr(parent, key) for key in inherited if getattr(parent, key)} | replaced_slots
    has_own_evaluation = "evaluate" in replaced_slots or parent.functions()["evaluate"] in replaced_rules
    return replace(
        parent,
        name=name,
        derived_from=(*parent.derived_from, parent.name),
        learned=None if fields or has_own_evaluation else parent.learned,
        is_example=False,
        about=about or f"{parent.name} with other rules for {', '.join(changed_names) or 'nothing'}",
        fields={**parent.fields, **(fields or {})},
        tallies=parent.tallies + tallies,
        parameters=parent.parameters + parameters,
        **{PROMISE: None, **_copy_functions(parent, rules, replaced_rules), **replaced_functions},
    )


def _copy_functions(
    parent: Game, rules: Mapping[str, Function], replaced_rules: Mapping[Function, Function]
) -> dict[str, Function]:
    """Copies of the rules in these slots and of the parent's Python functions, which call each other and the
    replaced rules.
    """
    functions = dict(rules)
    for key in OTHER_FUNCTIONS:
        if isinstance(getattr(parent, key), FunctionType):
            functions[key] = getattr(parent, key)
    copies = rebind(
        functions.values(), replaced_rules, follow=_make_filter(parent), aliases=_map_ancestors(parent)
    )
    return {key: copies[function] for key, function in functions.items()}


def _is_free_slot(parent: Game, key: str) -> bool:
    """Whether a slot has no function, or shares it with another slot."""
    present = getattr(parent, key)
    return present is None or sum(getattr(parent, other) is present for other in RULE_FUNCTIONS) > 1


def _list_rules(parent: Game) -> list[Function]:
    return [
        function
        for function in reachable_rules(parent.functions().values())
        if not is_platform_function(function)
    ]


def _find_rule(parent: Game, name: str) -> Function:
    """The rule function of the parent with this name. A name that replaces nothing is an error."""
    if name in RULE_FUNCTIONS:
        return parent.functions()[name]
    rules = [function for function in _list_rules(parent) if getattr(function, "__stands_for__", True)]
    matching = [function for function in rules if function.__name__ == name]
    if not matching:
        raise make_unknown_error(
            f"rule function of {parent.name}", name, {function.__name__ for function in rules}
        )
    if len(matching) > 1:
        raise InvalidInput(
            f"{parent.name} has {len(matching)} rule functions called {name}: "
            "a replacement would be ambiguous"
        )
    return matching[0]


def _map_ancestors(parent: Game) -> dict[Function, Function]:
    """For each rule of the games that the parent was derived from, the parent's own version."""
    return {
        ancestor: function
        for function in _list_rules(parent)
        for ancestor in getattr(function, "__stands_for__", ())
    }


def _make_filter(parent: Game) -> Any:
    """A function that says what is copied: the rules, and the game's Python functions that describe them."""
    packages = {function.__module__.partition(".")[0] for function in _list_rules(parent)}

    def follow(value: Any) -> bool:
        is_of_game = isinstance(value, FunctionType) and value.__module__.partition(".")[0] in packages
        return is_rule(value) or (is_of_game and not is_platform_function(value))

    return follow
