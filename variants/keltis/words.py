"""Keltis in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.keltis.codes import (
    ACTIONS,
    ADVANCE,
    BY_CLOVER,
    CARDS,
    DISCARD,
    FROM_DECK,
    FROM_PILE,
    INSTEAD,
    LARGE,
    LAST,
    LAST_FROM_DECK,
    LAY,
    NOBODY,
    PATH_NAMES,
    PATHS,
    SMALL,
    VALUES,
)

LAYING = {ADVANCE: "", SMALL: ", a small figure enters", LARGE: ", the large figure enters", LAST: " and end the match"}
STEPPING = {
    ADVANCE: "advance on {}",
    SMALL: "a small figure enters {}",
    LARGE: "the large figure enters {}",
    LAST: "advance on {} and end the match",
    NOBODY: "nobody moves",
}


def say(state: Any, action: int) -> str:
    if action < LAY:
        return f"discard {card_name(action - DISCARD)}"
    if action < BY_CLOVER:
        way, card = divmod(action - LAY, CARDS)
        return f"lay {card_name(card)}{LAYING[way]}"
    if action < INSTEAD:
        return f"clover: {step_name(action - BY_CLOVER)}"
    if action < FROM_DECK:
        return f"instead: {step_name(action - INSTEAD)}"
    if action < FROM_PILE:
        return "draw a card" if action == FROM_DECK else "draw the last card"
    path = action - FROM_PILE
    return f"take {PATH_NAMES[path]} {state.pile[path, state.height[path] - 1]}"


def card_name(card: int) -> str:
    return f"{PATH_NAMES[card // VALUES]} {card % VALUES}"


def step_name(step: int) -> str:
    way, path = divmod(step, PATHS)
    return STEPPING[way].format(PATH_NAMES[path])


def groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce."""
    return {
        "discards": list(range(DISCARD, LAY)),
        "lays": list(range(LAY, BY_CLOVER)),
        "clovers": list(range(BY_CLOVER, INSTEAD)),
        "substitute steps": list(range(INSTEAD, FROM_DECK)),
        "pile draws": list(range(FROM_PILE, ACTIONS)),
        "new paths": _ways(SMALL) + _ways(LARGE),
        "large figure": _ways(LARGE),
        "declined steps": _ways(NOBODY),
        "ending moves": [*_ways(LAST), LAST_FROM_DECK],
    }


def _ways(way: int) -> list[int]:
    """All actions in which this figure moves."""
    by_card = range(LAY + way * CARDS, min(LAY + (way + 1) * CARDS, BY_CLOVER))
    by_clover = range(BY_CLOVER + way * PATHS, min(BY_CLOVER + (way + 1) * PATHS, INSTEAD))
    instead = range(INSTEAD + way * PATHS, min(INSTEAD + (way + 1) * PATHS, FROM_DECK))
    return [*by_card, *by_clover, *instead]
