"""Boards of Celtica: reading and refusing them, and filling in what no source documents."""

import random
from collections.abc import Mapping
from typing import Any

from variants.celtica import codes

MIN_PLACES, MAX_PARTS = 5, 9
MARKS = ("known", "source", "or")  # how a place is documented; without effect on play
BOARDS = {name: {"places": board["places"]} for name, board in codes.BOX["boards"].items()}
DEFAULT = "reconstructed"


def read_board(table: Mapping[str, Any]) -> dict[str, Any]:
    """§1.1. Kind and number of each place, as the rules record holds them; ValueError says what is wrong
    where.
    """
    places = table.get("places")
    if not isinstance(places, list):
        raise ValueError("it has no list called places")
    if not MIN_PLACES <= len(places) <= codes.PLACES:
        raise ValueError(f"it has {len(places)} places; a board has {MIN_PLACES} to {codes.PLACES}")
    pairs = [_read_place(number, place, len(places)) for number, place in enumerate(places, 1)]
    rest = [(0, 0)] * (codes.PLACES - len(pairs))
    kinds, parts = zip(*pairs, *rest, strict=True)
    return {"place_kind": kinds, "place_parts": parts, "goal": len(places) - 1}


def _read_place(number: int, place: Any, last: int) -> tuple[int, int]:
    """One place as (kind, parts)."""
    if not isinstance(place, Mapping) or not isinstance(place.get("kind"), str):
        raise ValueError(f"place {number} is {place!r}; a place is written {{ kind = 'village', parts = 1 }}")
    kind, parts = place["kind"], place.get("parts", 0)
    for strange in set(place) - {"kind", "parts", *MARKS}:
        raise ValueError(
            f"place {number}, {kind}: nothing is called {strange!r} here; a place has kind and parts"
        )
    if kind not in codes.PLACE_NAMES:
        raise ValueError(f"place {number}: unknown kind {kind!r}; kinds are {', '.join(codes.PLACE_NAMES)}")
    if (kind == "start") != (number == 1):
        raise ValueError(f"place {number} is a {kind}; the start is the first place, and only that")
    if (kind == "goal") != (number == last):
        missing = "the goal is missing: " if number == last else ""
        raise ValueError(f"{missing}place {number} is a {kind}; the goal is the last place, and only that")
    _check_parts(number, kind, parts, "parts" in place)
    return codes.PLACE_NAMES.index(kind), parts


def _check_parts(number: int, kind: str, parts: Any, given: bool) -> None:
    """Amulet sites, ruins and the goal have a number of parts; the start and cult sites have none."""
    if isinstance(parts, bool) or not isinstance(parts, int) or not 0 <= parts <= MAX_PARTS:
        raise ValueError(
            f"place {number}, {kind}: parts = {parts!r}; it is a whole number from 0 to {MAX_PARTS}"
        )
    if given == (kind in ("start", "cult")):
        mistake = "has no parts" if given else "needs its number of parts"
        raise ValueError(f"place {number}: a {kind} {mistake}")


def _list_printed(board: Mapping[str, Any]) -> list[tuple[int, int]]:
    table = read_board(board)
    return list(zip(table["place_kind"], table["place_parts"], strict=True))


PRINTED = {name: _list_printed(board) for name, board in BOARDS.items()}


# ---- what no source documents


def list_reconstructed() -> dict[str, str]:
    """Every reconstructed value of board.toml: what we chose, its alternatives, and why."""
    parts = {
        f"place {n}": _describe_place(place)
        for n, place in enumerate(BOARDS[DEFAULT]["places"], 1)
        if _is_reconstructed(place)
    }
    start = codes.BOX["start_counts"]
    parts["start"] = f"counted as one of the 19 places, not beside them: {start['source']}"
    ruins = codes.BOX["ruins_block"]
    parts["cult site and two ruins"] = f"on places {ruins['places']}, or {ruins['or'][0]}: {ruins['source']}"
    parts["experience cards"] = (
        f"{codes.BOX['experience_cards']['copies']} of each colour: {codes.BOX['experience_cards']['source']}"
    )
    return parts


def _is_reconstructed(place: Mapping[str, Any]) -> bool:
    return bool(place["known"] == "reconstructed")


def find_reconstructed(rules: Any) -> set[int]:
    """The places of this board that no source documents; none on a board of your own."""
    printed = [
        (int(kind), int(parts)) for kind, parts in zip(rules.place_kind, rules.place_parts, strict=True)
    ]
    for name, board in BOARDS.items():
        if printed == PRINTED[name]:
            places = enumerate(board["places"])
            return {n for n, place in places if name != DEFAULT or _is_reconstructed(place)}
    return set()


def _describe_place(place: Mapping[str, Any]) -> str:
    others = " or ".join(_name_place(other) for other in place.get("or", []))
    return f"{_name_place(place)}{', perhaps ' + others if others else ''}: {place['source']}"


def _name_place(place: Mapping[str, Any]) -> str:
    return f"{place['kind']} {place['parts']}" if "parts" in place else str(place["kind"])


def fill_in(chance: random.Random) -> dict[str, Any]:
    """One plausible board: every reconstructed value is drawn from its alternatives, until the whole is
    plausible.
    """
    while True:
        places = [_choose_reading(place, chance) for place in BOARDS[DEFAULT]["places"]]
        first, second = chance.choice(
            [
                (None, None),
                *((codes.BOX["ruins_block"]["places"], other) for other in codes.BOX["ruins_block"]["or"]),
            ]
        )
        for place, other_place in zip(first or [], second or [], strict=True):
            places[place - 1], places[other_place - 1] = places[other_place - 1], places[place - 1]
        if not chance.choice([codes.BOX["start_counts"]["value"], *codes.BOX["start_counts"]["or"]]):
            places.insert(1, _choose_reading(codes.BOX["start_counts"]["beside"], chance))
        if _is_plausible(places):
            return {"board": {"places": places}}


def _choose_reading(place: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    reading = chance.choice([place, *place.get("or", [])])
    return {key: reading[key] for key in ("kind", "parts") if key in reading}


def _is_plausible(places: list[dict[str, Any]]) -> bool:
    """Whether the board agrees with what players report of the printed one."""
    low, high = codes.BOX["plausible"]["net"]
    net = sum(place.get("parts", 0) * (-1 if place["kind"] == "ruin" else 1) for place in places)
    kinds = [place["kind"] for place in places]
    enough = (
        kinds.count("village") >= codes.BOX["plausible"]["villages"]
        and kinds.count("cult") >= codes.BOX["plausible"]["cults"]
    )
    return bool(low <= net <= high and enough)
