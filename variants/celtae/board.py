"""Boards of Celtae: reading and refusing them, what of them is reconstructed, and other plausible ones."""

import random
from collections.abc import Mapping
from typing import Any

from variants.celtae.codes import (
    ACTIVE,
    BITS,
    BONUS_NAMES,
    BOX,
    CITADELS,
    COLOURS,
    DISKS,
    GARRISON_NAMES,
    GARRISON_SPACES,
    ICONS,
    IN_PLAY,
    MEASURES,
    NEED_BITS,
    PLACES_IN_AREA,
    PLAIN_WORKERS,
    PROGRESS_CARDS,
    REGIONS,
    RINGS,
    SEATS,
    SITES,
    SOLDIER,
    THREE_SPOT_SLOTS,
    TILES,
    TWO_SPOT_SLOTS,
    WORKER_NAMES,
)

DEFAULT, SECOND = "reconstructed", "second-guess"
MARKS = BOX["boards"][DEFAULT]["marks"]
CHOSEN = BOX["boards"][DEFAULT]["board"]
COSTS = {"market_costs": "leaves", "disk_costs": "cards"}  # reconstructed, too, but parameters of their own
LETTERS = "FBSN"
DECK = 60

# The fields that a board fills in the rules record.
FIELDS = {
    "army_strength": ("i2", (TILES,)),
    "druid_workers": ("i2", (TILES,)),  # counts of workers in one number
    "workers": ("i2", (PLAIN_WORKERS,)),
    "ring_marks": ("i2", (RINGS,)),  # likewise
    "point_holes": ("i2", ()),  # a bit for each hole, counted from 1
    "progress_cards": ("i2", (PROGRESS_CARDS,)),  # measure * NEED_BITS + the number needed
    "two_spots": ("i2", ()),  # how many of them have two spots
    "citadel_spaces": ("i4", ()),  # by citadel, in one number
    "citadel_marks": ("i2", (CITADELS,)),
    "garrison_icons": ("i2", (GARRISON_SPACES,)),
    "garrison_marks": ("i4", ()),  # by space, likewise
    "bonus_tiles": ("i4", ()),  # kinds by region and tile, likewise
    "tokens": ("i2", ()),  # in the box
    "icon_copies": ("i2", (ICONS,)),
}
PARTS = (
    "army", "druid", "workers", "ring", "point_holes", "progress", "two_spots", "citadel_spaces", "citadel_marks", "garrisons",
    "garrison_marks", "bonus_tiles", "tokens", "icons",
)  # fmt: skip


def read_board(table: Mapping[str, Any]) -> dict[str, Any]:
    """§1.1 and §10.1. A board as the rules record holds it; ValueError says what is wrong where."""
    for name in table:
        if name not in PARTS:
            raise ValueError(f"it has {name}, which no board has; a board has {', '.join(PARTS)}")
    holes = _numbers("point_holes", table["point_holes"], None, 1, DISKS)
    icons = _numbers("icons", table["icons"], ICONS, 1, 15)
    if COLOURS * sum(icons) != DECK:
        raise ValueError(f"icons: {COLOURS} colours of {sum(icons)} cards are {COLOURS * sum(icons)}, and there are {DECK} cards")
    return {
        "army_strength": _numbers("army", table["army"], TILES, 0, 99),
        "druid_workers": [_letters("druid", word, 3 * PLAIN_WORKERS) for word in _words("druid", table["druid"], TILES)],
        "workers": _workers(table["workers"], table["ring"]),
        "ring_marks": [_letters("ring", word, PLACES_IN_AREA) for word in _words("ring", table["ring"], RINGS)],
        "point_holes": sum(1 << hole for hole in set(holes)),
        "progress_cards": _progress(table["progress"]),
        "two_spots": _number("two_spots", table["two_spots"], TWO_SPOT_SLOTS, PROGRESS_CARDS - THREE_SPOT_SLOTS),
        "citadel_spaces": _packed(_numbers("citadel_spaces", table["citadel_spaces"], CITADELS, 2, 4)),
        "citadel_marks": _numbers("citadel_marks", table["citadel_marks"], CITADELS, 0, SEATS + 1),
        "garrison_icons": [_garrison(name) for name in _words("garrisons", table["garrisons"], GARRISON_SPACES)],
        "garrison_marks": _packed(_numbers("garrison_marks", table["garrison_marks"], GARRISON_SPACES, 0, SEATS + 1)),
        "bonus_tiles": _bonus_tiles(table["bonus_tiles"]),
        "tokens": _number("tokens", table["tokens"], SEATS, 99),
        "icon_copies": icons,
    }


def _numbers(name: str, values: Any, many: int | None, low: int, high: int) -> list[int]:
    if not isinstance(values, list) or (many is not None and len(values) != many):
        raise ValueError(f"{name} is a list of {many or 'some'} whole numbers, not {values}")
    for value in values:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{name}: {value} is not a whole number from {low} to {high}")
    return values


def _number(name: str, value: Any, low: int, high: int) -> int:
    return _numbers(name, [value], 1, low, high)[0]


def _packed(numbers: list[int]) -> int:
    """Small numbers in one, the first in the lowest digit."""
    return sum(number << (BITS * place) for place, number in enumerate(numbers))


def _words(name: str, values: Any, many: int) -> list[str]:
    if not isinstance(values, list) or len(values) != many or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{name} is a list of {many} words, not {values}")
    return values


def _letters(name: str, word: str, most: int) -> int:
    """ "FBN" as counts of workers in one number."""
    if set(word) - set(LETTERS) or len(word) > most or any(word.count(letter) > 3 for letter in LETTERS):
        named = ", ".join(f"{letter} for {worker}" for letter, worker in zip(LETTERS, WORKER_NAMES, strict=False))
        raise ValueError(f"{name}: '{word}' is not made of {named}; there are at most 3 of each, and {most} in all")
    return sum(1 << (BITS * LETTERS.index(letter)) for letter in word)


def _workers(workers: Any, ring: Any) -> list[int]:
    """Enough for every player's first three and for the marked spaces."""
    found = _numbers("workers", workers, PLAIN_WORKERS, 1, 99)
    marked = "".join(_words("ring", ring, RINGS))
    for kind, letter in enumerate(LETTERS):
        needed = marked.count(letter) + (SEATS if kind <= SOLDIER else 0)
        if found[kind] < needed:
            raise ValueError(f"workers: {found[kind]} {WORKER_NAMES[kind]}s are too few; set-up takes {needed}")
    return found


def _garrison(name: str) -> int:
    if name not in GARRISON_NAMES:
        raise ValueError(f"garrisons: there is no space for {name}; there are {', '.join(GARRISON_NAMES)}")
    return GARRISON_NAMES.index(name)


def _bonus_tiles(regions: Any) -> int:
    if not isinstance(regions, list) or len(regions) != REGIONS:
        raise ValueError(f"bonus_tiles is a list for the north and one for the south, not {regions}")
    kinds = [kind for region in regions for kind in _words("bonus_tiles", region, COLOURS)]
    for kind in kinds:
        if kind not in BONUS_NAMES:
            raise ValueError(f"bonus_tiles: there is no bonus {kind}; there are {', '.join(BONUS_NAMES)}")
    return _packed([BONUS_NAMES.index(kind) for kind in kinds])


def _progress(cards: Any) -> list[int]:
    """The cards with two spots come first."""
    if not isinstance(cards, list) or len(cards) != PROGRESS_CARDS:
        raise ValueError(f"progress has {PROGRESS_CARDS} cards")
    found = []
    for card in cards:
        if card["counts"] not in MEASURES:
            raise ValueError(f"progress: nothing counts {card['counts']}; there are {', '.join(MEASURES)}")
        needed = _number(f"progress: {card['counts']}", card["at_least"], 1, NEED_BITS - 1)
        found.append(MEASURES.index(card["counts"]) * NEED_BITS + needed)
    return found


def refuse(rules: Any, seats: int) -> str:
    """§1.4, §1.8 and §1.11. A marker always finds a spot, and the bag is never empty between turns."""
    spots = int(2 * IN_PLAY[0, seats - 2] + 3 * IN_PLAY[1, seats - 2])
    markers = int(rules.progress_markers) + SITES
    if markers > spots:
        return f"{markers} progress markers, {SITES} of them from sites, do not fit on the {spots} spots for {seats} players"
    pool = int(rules.workers.sum()) - (SEATS - seats) * ACTIVE
    needed = seats * (ACTIVE + int(rules.tribe_limit)) + RINGS * PLACES_IN_AREA
    if pool < needed:
        return f"{seats} tribes of {rules.tribe_limit} could use up the bag: {needed} workers are needed, there are {pool}"
    tokens = int(rules.starting_tokens[:seats].sum())
    return f"{seats} players begin with {tokens} bonus tokens, there are {rules.tokens}" if tokens > rules.tokens else ""


# ---- what no source documents


def reconstructed() -> dict[str, str]:
    """§10.1. Every reconstructed value of board.toml: what we chose, and why."""
    found = {}
    for name, part in [*BOX.items(), *MARKS.items()]:
        if part.get("known") == "reconstructed":
            found[name.replace("_", " ")] = f"{_told(name)}: {part['source']}"
    return found


def _told(name: str) -> str:
    """What we chose, as short as can be."""
    part = CHOSEN.get(name, BOX.get(name))
    if name == "progress":
        return f"{sum('known' not in card for card in part)} of {len(part)} conditions"
    value = next(iter(part.values())) if isinstance(part, Mapping) else part
    return (
        " ".join(str(one) if not isinstance(one, list) else "/".join(one) for one in value)
        if isinstance(value, list)
        else str(value)
    )


def _readings(name: str) -> list[Any]:
    """A part of the board as we chose it, and then its alternatives."""
    if name == "progress":
        return [[_shifted(card, reading["higher"]) for card in CHOSEN[name]] for reading in [{"higher": 0}, *MARKS[name]["or"]]]
    return [CHOSEN[name], *MARKS[name]["or"]]


def _shifted(card: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """A reconstructed condition made harder or easier; one that wants all of four colours or kinds stays."""
    whole = card["counts"] in ("colours with a disk", "kinds in the tribe")
    needed = card["at_least"] if "known" in card or whole else max(1, card["at_least"] + shift)
    return {"counts": card["counts"], "at_least": needed}


def fill_in(chance: random.Random) -> dict[str, Any]:
    """§10.1. One plausible choice of all that is reconstructed."""
    costs = {name: chance.choice([BOX[name][what], *BOX[name]["or"]]) for name, what in COSTS.items()}
    return {"board": {name: chance.choice(_readings(name)) for name in PARTS}, **costs}


BOARDS = {DEFAULT: CHOSEN, SECOND: {name: _readings(name)[1] for name in PARTS}}
SECOND_GUESS: dict[str, Any] = {"board": SECOND, **{name: tuple(BOX[name]["or"][0]) for name in COSTS}}
