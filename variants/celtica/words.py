"""Celtica in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.celtica import codes


def say(state: Any, action: int) -> str:
    if action < codes.TAKE:
        return say_play(state, action)
    if action < codes.GIVE:
        return f"take {codes.PART_NAMES[action - codes.TAKE]}"
    if action < codes.DRAW_CARD:
        return f"give up {codes.PART_NAMES[action - codes.GIVE]}"
    if action < codes.SWAP:
        return "draw a druid card" if action == codes.DRAW_CARD else "draw no card"
    if action < codes.RETURN:
        return f"swap for {codes.PART_NAMES[action - codes.SWAP]}"
    if action < codes.BUY:
        return f"give {codes.PART_NAMES[action - codes.RETURN]} in return"
    return f"buy {codes.PART_NAMES[action - codes.BUY]}" if action < codes.DONE else "exchange no more"


def say_play(state: Any, action: int) -> str:
    """play 2 red and 1 red experience, move the red druid to the village on place 6"""
    colour, druids, experience, landing = split_play(action)
    name = codes.COLOUR_NAMES[colour]
    cards = " and ".join(
        [f"{druids} {name}"] * (druids > 0) + [f"{experience} {name} experience"] * (experience > 0)
    )
    if landing == codes.NOWHERE:
        return f"play {cards} without effect, as the {name} druid is at the goal"
    place = min(int(state.position[colour]) + druids + experience, int(state.rules.goal))
    spot = (
        "goal"
        if landing == codes.GOAL
        else f"{codes.PLACE_NAMES[landing]}{' site' * (landing == codes.CULT_SITE)} on place {place + 1}"
    )
    return f"play {cards}, move the {name} druid to the {spot}"


def split_play(action: int) -> tuple[int, int, int, int]:
    """(colour, druid cards, experience cards, kind of place reached) of a play."""
    cards, landing = divmod(action - codes.PLAY, codes.LANDINGS)
    rest, experience = divmod(cards, codes.EXPERIENCE_PLAYS)
    return *divmod(rest, codes.DRUID_PLAYS), experience, landing


def list_amulets(parts: Any) -> list[int]:
    """The size of each amulet, the largest first: the k-th has every kind of which there are at least k."""
    return [sum(int(held) > k for held in parts) for k in range(int(max(parts)))]


def count_amulets(parts: Any) -> int:
    """How many are complete."""
    return int(min(parts))


def list_groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce."""
    plays = {action: split_play(action) for action in range(codes.PLAY, codes.TAKE)}
    plays = {action: (d, e, landing) for action, (_, d, e, landing) in plays.items() if d + e > 0}
    to = {
        "villages": codes.VILLAGE,
        "cloisters": codes.CLOISTER,
        "castles": codes.CASTLE,
        "cult sites": codes.CULT_SITE,
        "ruins": codes.RUIN,
        "goal": codes.GOAL,
    }
    return {
        **{
            name: [action for action, (_, _, landing) in plays.items() if landing == kind]
            for name, kind in to.items()
        },
        "wasted cards": [action for action, (_, _, landing) in plays.items() if landing == codes.NOWHERE],
        "single card": [action for action, (d, e, _) in plays.items() if d + e == 1],
        "several cards": [action for action, (d, e, _) in plays.items() if d + e > 1],
        "waiting": [action for action, (d, _, _) in plays.items() if d == 0],
        "experience": [action for action, (_, e, _) in plays.items() if e > 0],
        **{
            colour: list(range(first, first + codes.TAKE // codes.COLOURS))
            for colour, first in _list_druids()
        },
        "cult draw": [codes.DRAW_CARD],
        "no cult draw": [codes.NO_CARD],
        "swap": list(range(codes.SWAP, codes.RETURN)),
        "buy": list(range(codes.BUY, codes.DONE)),
        "no exchange": list(range(codes.DONE, codes.ACTIONS)),
    }


def _list_druids() -> list[tuple[str, int]]:
    return [
        (f"{name} druid", colour * (codes.TAKE // codes.COLOURS))
        for colour, name in enumerate(codes.COLOUR_NAMES)
    ]
