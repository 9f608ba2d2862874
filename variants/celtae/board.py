"""Boards of Celtae: reading and refusing them, what of them is reconstructed, and other plausible ones."""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from variants.celtae import codes

DEFAULT, SECOND = "reconstructed", "second-guess"
MARKS = codes.BOX["boards"][DEFAULT]["marks"]
CHOSEN = codes.BOX["boards"][DEFAULT]["board"]
COSTS = {"market_costs": "leaves", "disk_costs": "cards"}  # reconstructed, too, but parameters of their own
LETTERS = "FBSN"
DECK = 60

# The fields that a board fills in the rules record.
FIELDS = {
    "army_strength": ("i2", (codes.TILES,)),
    "druid_workers": ("i2", (codes.TILES,)),  # counts of workers in one number
    "workers": ("i2", (codes.PLAIN_WORKERS,)),
    "ring_marks": ("i2", (codes.RINGS,)),  # likewise
    "point_holes": ("i2", ()),  # a bit for each hole, counted from 1
    "progress_cards": ("i2", (codes.PROGRESS_CARDS,)),  # measure * NEED_BITS + the number needed
    "two_spots": ("i2", ()),  # how many of them have two spots
    "citadel_spaces": ("i4", ()),  # by citadel, in one number
    "citadel_marks": ("i4", ()),  # likewise
    "garrison_icons": ("i4", ()),  # by space, likewise
    "garrison_marks": ("i4", ()),  # likewise
    "bonus_tiles": ("i4", ()),  # kinds by region and tile, likewise
    "tokens": ("i2", ()),  # in the box
    "icon_copies": ("i2", ()),  # cards of each icon in a colour, likewise
}
PARTS = (
    "army",
    "druid",
    "workers",
    "ring",
    "point_holes",
    "progress",
    "two_spots",
    "citadel_spaces",
    "citadel_marks",
    "garrisons",
    "garrison_marks",
    "bonus_tiles",
    "tokens",
    "icons",
)


def read_board(table: Mapping[str, Any]) -> dict[str, Any]:
    """§1.1 and §10.1. A board as the rules record holds it; ValueError says what is wrong where."""
    for name in table:
        if name not in PARTS:
            raise ValueError(f"it has {name}, which no board has; a board has {', '.join(PARTS)}")
    holes = _check_numbers("point_holes", table["point_holes"], None, 1, codes.DISKS)
    icons = _check_icons(table["icons"])
    return {
        "army_strength": _check_numbers("army", table["army"], codes.TILES, 0, 99),
        "druid_workers": [
            _pack_letters("druid", word, 3 * codes.PLAIN_WORKERS)
            for word in _check_words("druid", table["druid"], codes.TILES)
        ],
        "workers": _check_workers(table["workers"], table["ring"]),
        "ring_marks": [
            _pack_letters("ring", word, codes.PLACES_IN_AREA)
            for word in _check_words("ring", table["ring"], codes.RINGS)
        ],
        "point_holes": sum(1 << hole for hole in set(holes)),
        "progress_cards": _pack_progress(table["progress"]),
        "two_spots": _check_number(
            "two_spots",
            table["two_spots"],
            codes.TWO_SPOT_SLOTS,
            codes.PROGRESS_CARDS - codes.THREE_SPOT_SLOTS,
        ),
        **_read_regions(table),
        "tokens": _check_number("tokens", table["tokens"], codes.SEATS, 99),
        "icon_copies": _pack(icons),
    }


def _read_regions(table: Mapping[str, Any]) -> dict[str, Any]:
    """What is printed in the two regions: citadels, garrison spaces, bonus tiles."""
    citadel_spaces = _check_numbers("citadel_spaces", table["citadel_spaces"], codes.CITADELS, 2, 4)
    garrisons = _check_words("garrisons", table["garrisons"], codes.GARRISON_SPACES)
    garrison_marks = _check_numbers(
        "garrison_marks", table["garrison_marks"], codes.GARRISON_SPACES, 0, codes.SEATS + 1
    )
    citadel_marks = _check_numbers(
        "citadel_marks", table["citadel_marks"], codes.CITADELS, 0, codes.SEATS + 1
    )
    return {
        "citadel_spaces": _pack(citadel_spaces),
        "citadel_marks": _pack(citadel_marks),
        "garrison_icons": _pack([_find_garrison(name) for name in garrisons]),
        "garrison_marks": _pack(garrison_marks),
        "bonus_tiles": _pack_bonus_tiles(table["bonus_tiles"]),
    }


def _check_icons(values: Any) -> list[int]:
    icons = _check_numbers("icons", values, codes.ICONS, 1, 15)
    if codes.COLOURS * sum(icons) != DECK:
        raise ValueError(
            f"icons: {codes.COLOURS} colours of {sum(icons)} cards are {codes.COLOURS * sum(icons)}, "
            f"and there are {DECK} cards"
        )
    return icons


def _check_numbers(name: str, values: Any, length: int | None, low: int, high: int) -> list[int]:
    if not isinstance(values, list) or (length is not None and len(values) != length):
        raise ValueError(f"{name} is a list of {length or 'some'} whole numbers, not {values}")
    for value in values:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{name}: {value} is not a whole number from {low} to {high}")
    return values


def _check_number(name: str, value: Any, low: int, high: int) -> int:
    return _check_numbers(name, [value], 1, low, high)[0]


def _pack(numbers: list[int]) -> int:
    """Small numbers packed into one, the first in the lowest digit."""
    return sum(number << (codes.BITS * index) for index, number in enumerate(numbers))


def _check_words(name: str, values: Any, length: int) -> list[str]:
    if (
        not isinstance(values, list)
        or len(values) != length
        or not all(isinstance(value, str) for value in values)
    ):
        raise ValueError(f"{name} is a list of {length} words, not {values}")
    return values


def _pack_letters(name: str, word: str, most: int) -> int:
    """ "FBN" as counts of workers in one number."""
    if set(word) - set(LETTERS) or len(word) > most or any(word.count(letter) > 3 for letter in LETTERS):
        named = ", ".join(
            f"{letter} for {worker}" for letter, worker in zip(LETTERS, codes.WORKER_NAMES, strict=False)
        )
        raise ValueError(
            f"{name}: '{word}' is not made of {named}; there are at most 3 of each, and {most} in all"
        )
    return sum(1 << (codes.BITS * LETTERS.index(letter)) for letter in word)


def _check_workers(workers: Any, ring: Any) -> list[int]:
    """Check that there are enough for each player's first three and for the marked spaces."""
    counts = _check_numbers("workers", workers, codes.PLAIN_WORKERS, 1, 99)
    marked = "".join(_check_words("ring", ring, codes.RINGS))
    for kind, letter in enumerate(LETTERS):
        needed = marked.count(letter) + (codes.SEATS if kind <= codes.SOLDIER else 0)
        if counts[kind] < needed:
            raise ValueError(
                f"workers: {counts[kind]} {codes.WORKER_NAMES[kind]}s are too few; set-up takes {needed}"
            )
    return counts


def _find_garrison(name: str) -> int:
    if name not in codes.GARRISON_NAMES:
        raise ValueError(
            f"garrisons: there is no space for {name}; there are {', '.join(codes.GARRISON_NAMES)}"
        )
    return codes.GARRISON_NAMES.index(name)


def _pack_bonus_tiles(regions: Any) -> int:
    if not isinstance(regions, list) or len(regions) != codes.REGIONS:
        raise ValueError(f"bonus_tiles is a list for the north and one for the south, not {regions}")
    kinds = [kind for region in regions for kind in _check_words("bonus_tiles", region, codes.COLOURS)]
    for kind in kinds:
        if kind not in codes.BONUS_NAMES:
            raise ValueError(
                f"bonus_tiles: there is no bonus {kind}; there are {', '.join(codes.BONUS_NAMES)}"
            )
    return _pack([codes.BONUS_NAMES.index(kind) for kind in kinds])


def _pack_progress(cards: Any) -> list[int]:
    """The cards with two spots come first."""
    if not isinstance(cards, list) or len(cards) != codes.PROGRESS_CARDS:
        raise ValueError(f"progress has {codes.PROGRESS_CARDS} cards")
    packed = []
    for card in cards:
        if card["counts"] not in codes.MEASURES:
            raise ValueError(
                f"progress: nothing counts {card['counts']}; there are {', '.join(codes.MEASURES)}"
            )
        needed = _check_number(f"progress: {card['counts']}", card["at_least"], 1, codes.NEED_BITS - 1)
        packed.append(codes.MEASURES.index(card["counts"]) * codes.NEED_BITS + needed)
    return packed


def refuse(rules: Any, players: int) -> str | None:
    """§1.4, §1.8 and §1.11. A marker always finds a spot, and the bag is never empty between turns."""
    spots = int(2 * codes.IN_PLAY[0, players - 2] + 3 * codes.IN_PLAY[1, players - 2])
    markers = int(rules.progress_markers) + codes.SITES
    if markers > spots:
        sources = f"{markers} progress markers, {codes.SITES} of them from sites,"
        return f"{sources} do not fit on the {spots} spots for {players} players"
    pool = int(rules.workers.sum()) - (codes.SEATS - players) * codes.ACTIVE
    needed = players * (codes.ACTIVE + int(rules.tribe_limit)) + codes.RINGS * codes.PLACES_IN_AREA
    if pool < needed:
        tribes = f"{players} tribes of {rules.tribe_limit} could use up the bag"
        return f"{tribes}: {needed} workers are needed, there are {pool}"
    tokens = int(rules.starting_tokens[:players].sum())
    return (
        f"{players} players begin with {tokens} bonus tokens, there are {rules.tokens}"
        if tokens > rules.tokens
        else None
    )


# ---- what no source documents


def list_reconstructed() -> dict[str, str]:
    """§10.1. Every reconstructed value of board.toml: what we chose, and why."""
    parts = {}
    for name, part in [*codes.BOX.items(), *MARKS.items()]:
        if part.get("known") == "reconstructed":
            parts[name.replace("_", " ")] = f"{_describe_choice(name)}: {part['source']}"
    return parts


def _describe_choice(name: str) -> str:
    """What we chose, in short."""
    part = CHOSEN.get(name, codes.BOX.get(name))
    if name == "progress":
        return f"{sum('known' not in card for card in part)} of {len(part)} conditions"
    value = next(iter(part.values())) if isinstance(part, Mapping) else part
    return (
        " ".join(str(item) if not isinstance(item, list) else "/".join(item) for item in value)
        if isinstance(value, list)
        else str(value)
    )


def _list_readings(name: str) -> list[Any]:
    """A part of the board as we chose it, and then its alternatives."""
    if name == "progress":
        return [
            [_shift_condition(card, reading["higher"]) for card in CHOSEN[name]]
            for reading in [{"higher": 0}, *MARKS[name]["or"]]
        ]
    return [CHOSEN[name], *MARKS[name]["or"]]


def _shift_condition(card: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """A reconstructed condition made harder or easier; one that wants all of four colours or kinds stays."""
    whole = card["counts"] in ("colours with a disk", "kinds in the tribe")
    needed = card["at_least"] if "known" in card or whole else max(1, card["at_least"] + shift)
    return {"counts": card["counts"], "at_least": needed}


def fill_in(chance: random.Random) -> dict[str, Any]:
    """§10.1. One plausible choice of all that is reconstructed."""
    costs = {
        name: chance.choice([codes.BOX[name][key], *codes.BOX[name]["or"]]) for name, key in COSTS.items()
    }
    return {"board": {name: chance.choice(_list_readings(name)) for name in PARTS}, **costs}


BOARDS = {DEFAULT: CHOSEN, SECOND: {name: _list_readings(name)[1] for name in PARTS}}
SECOND_GUESS: dict[str, Any] = {"board": SECOND, **{name: tuple(codes.BOX[name]["or"][0]) for name in COSTS}}
SHIPPED = [read_board(table) for table in BOARDS.values()]


def is_reconstructed(rules: Any, field: str) -> bool:
    """§10.1. Whether what is printed here is our guess: a value of our boards, not of a board of your own."""
    if field in COSTS:
        part = codes.BOX[field]
        return rules[field].tolist() in [part[COSTS[field]], *part["or"]]
    return any(np.array_equal(rules[field], table[field]) for table in SHIPPED)


def is_condition_reconstructed(rules: Any, card: int) -> bool:
    """§10.1. Whether the condition of a progress card is our guess; four are documented."""
    return "known" not in CHOSEN["progress"][card] and is_reconstructed(rules, "progress_cards")
