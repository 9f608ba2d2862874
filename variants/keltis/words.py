"""Keltis in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.keltis import codes

LAY_WORDS = {
    codes.ADVANCE: "",
    codes.SMALL: ", a small figure enters",
    codes.LARGE: ", the large figure enters",
    codes.LAST: " and end the match",
}
STEP_WORDS = {
    codes.ADVANCE: "advance on {}",
    codes.SMALL: "a small figure enters {}",
    codes.LARGE: "the large figure enters {}",
    codes.LAST: "advance on {} and end the match",
    codes.NOBODY: "nobody moves",
}


def say(state: Any, action: int) -> str:
    if action < codes.LAY:
        return f"discard {name_card(action - codes.DISCARD)}"
    if action < codes.BY_CLOVER:
        way, card = divmod(action - codes.LAY, codes.CARDS)
        return f"lay {name_card(card)}{LAY_WORDS[way]}"
    if action < codes.INSTEAD:
        return f"clover: {name_step(action - codes.BY_CLOVER)}"
    if action < codes.FROM_DECK:
        return f"instead: {name_step(action - codes.INSTEAD)}"
    if action < codes.FROM_PILE:
        return "draw a card" if action == codes.FROM_DECK else "draw the last card"
    path = action - codes.FROM_PILE
    return f"take {codes.PATH_NAMES[path]} {state.pile[path, state.height[path] - 1]}"


def name_card(card: int) -> str:
    return f"{codes.PATH_NAMES[card // codes.VALUES]} {card % codes.VALUES}"


def name_step(step: int) -> str:
    way, path = divmod(step, codes.PATHS)
    return STEP_WORDS[way].format(codes.PATH_NAMES[path])


def list_groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce."""
    return {
        "discards": list(range(codes.DISCARD, codes.LAY)),
        "lays": list(range(codes.LAY, codes.BY_CLOVER)),
        "clovers": list(range(codes.BY_CLOVER, codes.INSTEAD)),
        "substitute steps": list(range(codes.INSTEAD, codes.FROM_DECK)),
        "pile draws": list(range(codes.FROM_PILE, codes.ACTIONS)),
        "new paths": _list_ways(codes.SMALL) + _list_ways(codes.LARGE),
        "large figure": _list_ways(codes.LARGE),
        "declined steps": _list_ways(codes.NOBODY),
        "ending moves": [*_list_ways(codes.LAST), codes.LAST_FROM_DECK],
    }


def _list_ways(way: int) -> list[int]:
    """All actions in which this figure moves."""
    by_card = range(codes.LAY + way * codes.CARDS, min(codes.LAY + (way + 1) * codes.CARDS, codes.BY_CLOVER))
    by_clover = range(
        codes.BY_CLOVER + way * codes.PATHS, min(codes.BY_CLOVER + (way + 1) * codes.PATHS, codes.INSTEAD)
    )
    instead = range(
        codes.INSTEAD + way * codes.PATHS, min(codes.INSTEAD + (way + 1) * codes.PATHS, codes.FROM_DECK)
    )
    return [*by_card, *by_clover, *instead]
