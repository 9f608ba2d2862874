"""Boards of Celtica: reading and refusing them, and filling in what no source documents."""

import random
from collections.abc import Mapping
from typing import Any

from variants.celtica.codes import BOX, PLACE_NAMES, PLACES

FEWEST, MOST_PARTS = 5, 9
MARKS = ("known", "source", "or")  # how a place is documented; without effect on play
BOARDS = {name: {"places": board["places"]} for name, board in BOX["boards"].items()}
DEFAULT = "reconstructed"


def read_board(table: Mapping[str, Any]) -> dict[str, Any]:
    """§1.1. Kind and number of each place, as the rules record holds them; ValueError says what is wrong where."""
    places = table.get("places")
    if not isinstance(places, list):
        raise ValueError("it has no list called places")
    if not FEWEST <= len(places) <= PLACES:
        raise ValueError(f"it has {len(places)} places; a board has {FEWEST} to {PLACES}")
    read = [_place(number, place, len(places)) for number, place in enumerate(places, 1)]
    rest = [(0, 0)] * (PLACES - len(read))
    kinds, parts = zip(*read, *rest, strict=True)
    return {"place_kind": kinds, "place_parts": parts, "goal": len(places) - 1}


def _place(number: int, place: Any, last: int) -> tuple[int, int]:
    """One place as (kind, parts)."""
    if not isinstance(place, Mapping) or not isinstance(place.get("kind"), str):
        raise ValueError(f"place {number} is {place!r}; a place is written {{ kind = 'village', parts = 1 }}")
    kind, parts = place["kind"], place.get("parts", 0)
    for strange in set(place) - {"kind", "parts", *MARKS}:
        raise ValueError(f"place {number}, {kind}: nothing is called {strange!r} here; a place has kind and parts")
    if kind not in PLACE_NAMES:
        raise ValueError(f"place {number}: unknown kind {kind!r}; kinds are {', '.join(PLACE_NAMES)}")
    if (kind == "start") != (number == 1):
        raise ValueError(f"place {number} is a {kind}; the start is the first place, and only that")
    if (kind == "goal") != (number == last):
        missing = "the goal is missing: " if number == last else ""
        raise ValueError(f"{missing}place {number} is a {kind}; the goal is the last place, and only that")
    _check_parts(number, kind, parts, "parts" in place)
    return PLACE_NAMES.index(kind), parts


def _check_parts(number: int, kind: str, parts: Any, given: bool) -> None:
    """Amulet sites, ruins and the goal have a number of parts; the start and cult sites have none."""
    if isinstance(parts, bool) or not isinstance(parts, int) or not 0 <= parts <= MOST_PARTS:
        raise ValueError(f"place {number}, {kind}: parts = {parts!r}; it is a whole number from 0 to {MOST_PARTS}")
    if given == (kind in ("start", "cult")):
        wrong = "has no parts" if given else "needs its number of parts"
        raise ValueError(f"place {number}: a {kind} {wrong}")


# ---- what no source documents


def reconstructed() -> dict[str, str]:
    """Every reconstructed value of board.toml: what we chose, what it might be as well, and why."""
    found = {f"place {n}": _told(place) for n, place in enumerate(BOARDS[DEFAULT]["places"], 1) if _unsure(place)}
    start = BOX["start_counts"]
    found["start"] = f"counted as one of the 19 places, not beside them: {start['source']}"
    block = BOX["ruins_block"]
    found["cult site and two ruins"] = f"on places {block['places']}, or {block['or'][0]}: {block['source']}"
    found["experience cards"] = f"{BOX['experience_cards']['copies']} of each colour: {BOX['experience_cards']['source']}"
    return found


def _unsure(place: Mapping[str, Any]) -> bool:
    return bool(place["known"] == "reconstructed")


def _told(place: Mapping[str, Any]) -> str:
    others = " or ".join(_named(other) for other in place.get("or", []))
    return f"{_named(place)}{', perhaps ' + others if others else ''}: {place['source']}"


def _named(place: Mapping[str, Any]) -> str:
    return f"{place['kind']} {place['parts']}" if "parts" in place else str(place["kind"])


def fill_in(chance: random.Random) -> dict[str, Any]:
    """One plausible board: every unknown drawn from its alternatives, again and again until the whole is plausible."""
    while True:
        places = [_drawn(place, chance) for place in BOARDS[DEFAULT]["places"]]
        first, second = chance.choice(
            [(None, None), *((BOX["ruins_block"]["places"], other) for other in BOX["ruins_block"]["or"])]
        )
        for here, there in zip(first or [], second or [], strict=True):
            places[here - 1], places[there - 1] = places[there - 1], places[here - 1]
        if not chance.choice([BOX["start_counts"]["value"], *BOX["start_counts"]["or"]]):
            places.insert(1, _drawn(BOX["start_counts"]["beside"], chance))
        if _plausible(places):
            return {"board": {"places": places}}


def _drawn(place: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    drawn = chance.choice([place, *place.get("or", [])])
    return {key: drawn[key] for key in ("kind", "parts") if key in drawn}


def _plausible(places: list[dict[str, Any]]) -> bool:
    """Whether players would find what they report of the printed board."""
    low, high = BOX["plausible"]["net"]
    net = sum(place.get("parts", 0) * (-1 if place["kind"] == "ruin" else 1) for place in places)
    kinds = [place["kind"] for place in places]
    enough = kinds.count("village") >= BOX["plausible"]["villages"] and kinds.count("cult") >= BOX["plausible"]["cults"]
    return bool(low <= net <= high and enough)
