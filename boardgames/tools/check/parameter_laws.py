"""The laws of parameters: each does something, and what cannot be played is refused in words."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from boardgames.errors import BoardgamesError
from boardgames.game.parameters import Board
from boardgames.game.variant import Variant, make_variant
from boardgames.play.batch import Batch
from boardgames.tools.check.checker import (
    MIXES_ARE_EXPLAINED,
    SEED,
    Checker,
    Violation,
    format_location,
    format_setting,
    get_row_bytes,
    law,
)
from boardgames.tools.check.position_laws import Position, check_census
from boardgames.tools.check.walk import walk_match

FEW_DEALS = 4  # of a variant that is only tried, when played uncompiled
MIXES = 12


@law("every parameter has an effect")
def check_parameters(check: Checker) -> Iterator[Violation]:
    """Every value plays, and some value changes a match. One board alone is there for files: it passes."""
    rng = random.Random(SEED)
    for parameter in check.game.parameters:
        if isinstance(parameter, Board) and len(parameter.boards) == 1:
            continue
        values = parameter.sample_values(rng, check.game.player_counts)
        default, *others = check.list_variants()
        effects = [_has_effect(check, default, parameter.name, value) for value in values]  # each must play
        if not any(effects) and not any(
            _has_effect(check, variant, parameter.name, value) for variant in others for value in values
        ):
            tried = ", ".join(parameter.write(value) for value in values)
            yield Violation(f"{parameter.name} changed no match in many (tried {tried})")


def _has_effect(check: Checker, variant: Variant, name: str, value: Any) -> bool:
    """Whether some match differs when one value is changed. Raises if the changed variant does not play."""
    changed = replace(variant, values={**variant.values, name: value}, name=f"{variant.name}+{name}={value}")
    for players in check.game.player_counts:
        if (
            variant.find_problem(players) is None
            and changed.find_problem(players) is None
            and _makes_difference(check, variant, changed, players)
        ):
            return True
    return False


def _makes_difference(check: Checker, variant: Variant, changed: Variant, players: int) -> bool:
    """Whether some match of a sample differs; uncompiled, a few are tried first."""
    sample = check.sample(variant, players)
    for deals in (check.deals,) if check.compiled else (FEW_DEALS, check.deals):
        played = _play_or_explain(check, changed, players, deals)
        if get_row_bytes(sample, 0, deals) != get_row_bytes(played, 0, deals):
            return True
    return False


def _play_or_explain(check: Checker, variant: Variant, players: int, deals: int) -> Batch:
    """Some deals of a variant that `refuse` allows. Raises if they do not play: `refuse` should say so."""
    where = format_setting(variant, players)
    try:
        batch = check.play(variant, players, deals)
    except Exception as error:
        raise check.fail(MIXES_ARE_EXPLAINED, check.describe(error), where) from error
    if not batch.matches["end"].all():
        message = f"a match was still on after {check.game.cap} decisions"
        raise check.fail(MIXES_ARE_EXPLAINED, message, where)
    return batch


@law(MIXES_ARE_EXPLAINED)
def check_mixes(check: Checker) -> Iterator[Violation]:
    """Any mix of parameters plays, or is refused in words."""
    rng = random.Random(SEED + 1)
    for _ in range(MIXES if check.game.parameters else 0):
        values = {
            p.name: rng.choice(p.sample_values(rng, check.game.player_counts)) for p in check.game.parameters
        }
        variant, players = make_variant(check.game, "", values), rng.choice(list(check.game.player_counts))
        if variant.find_problem(players) is None:
            position = _walk_or_explain(check, variant, players)
            for message in check_census.check(position):
                yield Violation(message, format_location(variant, players, 0, 0), check_census.name)


def _walk_or_explain(check: Checker, variant: Variant, players: int) -> Position:
    """The last position of a random match. Raises if it does not play: `refuse` should say so."""
    try:
        _play_or_explain(check, variant, players, check.deals if check.compiled else FEW_DEALS)
        walk = walk_match(check, variant, players, 0)
        position = walk.finish()
    except BoardgamesError as error:
        raise check.fail(MIXES_ARE_EXPLAINED, str(error), variant.name) from error
    if not position.state.end:
        raise check.fail(MIXES_ARE_EXPLAINED, "there is no legal action", walk.format_location())
    return position
