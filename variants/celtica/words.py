"""Celtica in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.celtica.codes import (
    ACTIONS,
    BUY,
    CASTLE,
    CLOISTER,
    COLOUR_NAMES,
    COLOURS,
    CULT_SITE,
    DONE,
    DRAW_CARD,
    DRUID_PLAYS,
    EXPERIENCE_PLAYS,
    GIVE,
    GOAL,
    LANDINGS,
    NO_CARD,
    NOWHERE,
    PART_NAMES,
    PLACE_NAMES,
    PLAY,
    RETURN,
    RUIN,
    SWAP,
    TAKE,
    VILLAGE,
)


def say(state: Any, action: int) -> str:
    if action < TAKE:
        return say_play(state, action)
    if action < GIVE:
        return f"take {PART_NAMES[action - TAKE]}"
    if action < DRAW_CARD:
        return f"give up {PART_NAMES[action - GIVE]}"
    if action < SWAP:
        return "draw a druid card" if action == DRAW_CARD else "draw no card"
    if action < RETURN:
        return f"swap for {PART_NAMES[action - SWAP]}"
    if action < BUY:
        return f"give {PART_NAMES[action - RETURN]} in return"
    return f"buy {PART_NAMES[action - BUY]}" if action < DONE else "exchange no more"


def say_play(state: Any, action: int) -> str:
    """play 2 red and 1 red experience, move the red druid to the village on place 6"""
    colour, druids, experience, landing = played(action)
    name = COLOUR_NAMES[colour]
    cards = " and ".join([f"{druids} {name}"] * (druids > 0) + [f"{experience} {name} experience"] * (experience > 0))
    if landing == NOWHERE:
        return f"play {cards} without effect, as the {name} druid is at the goal"
    place = min(int(state.position[colour]) + druids + experience, int(state.rules.goal))
    spot = "goal" if landing == GOAL else f"{PLACE_NAMES[landing]}{' site' * (landing == CULT_SITE)} on place {place + 1}"
    return f"play {cards}, move the {name} druid to the {spot}"


def played(action: int) -> tuple[int, int, int, int]:
    """What a play is made of: colour, druid cards, experience cards, kind of place reached."""
    cards, landing = divmod(action - PLAY, LANDINGS)
    rest, experience = divmod(cards, EXPERIENCE_PLAYS)
    return *divmod(rest, DRUID_PLAYS), experience, landing


def groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce."""
    plays = {action: played(action) for action in range(PLAY, TAKE)}
    plays = {action: (d, e, landing) for action, (_, d, e, landing) in plays.items() if d + e > 0}
    to = {"villages": VILLAGE, "cloisters": CLOISTER, "castles": CASTLE, "cult sites": CULT_SITE, "ruins": RUIN, "goal": GOAL}
    return {
        **{name: [action for action, (_, _, landing) in plays.items() if landing == kind] for name, kind in to.items()},
        "wasted cards": [action for action, (_, _, landing) in plays.items() if landing == NOWHERE],
        "single card": [action for action, (d, e, _) in plays.items() if d + e == 1],
        "several cards": [action for action, (d, e, _) in plays.items() if d + e > 1],
        "waiting": [action for action, (d, _, _) in plays.items() if d == 0],
        "experience": [action for action, (_, e, _) in plays.items() if e > 0],
        **{colour: list(range(first, first + TAKE // COLOURS)) for colour, first in _by_colour()},
        "cult draw": [DRAW_CARD],
        "no cult draw": [NO_CARD],
        "swap": list(range(SWAP, RETURN)),
        "buy": list(range(BUY, DONE)),
        "no exchange": list(range(DONE, ACTIONS)),
    }


def _by_colour() -> list[tuple[str, int]]:
    return [(f"{name} druid", colour * (TAKE // COLOURS)) for colour, name in enumerate(COLOUR_NAMES)]
