"""A position of Celtica as a picture: the path, the druids, the display, and each player's amulets and cards.

`draw` returns a whole SVG file as text. For one seat's view the hands of the others are shown from behind.
"""

import itertools
import math
from collections.abc import Sequence
from html import escape
from typing import Any

from variants.celtica.codes import (
    COLOUR_NAMES,
    CULT,
    CULT_SITE,
    EXCHANGE,
    GIVING,
    GOAL,
    KINDS,
    MOVE,
    PART_NAMES,
    PLACE_NAMES,
    RUIN,
    START,
    SWAPPING,
    TAKING,
)
from variants.celtica.ending import standing

WIDTH, MARGIN = 1180, 28
PER_ROW, ROW, RADIUS = 10, 128, 29  # of the path
STRIP, PANEL = 126, 112  # height of the strip with the display, and of a player's panel
INK, PALE, PAPER, CARD_BACK = "#2d2a26", "#8b8378", "#fbf8f1", "#6d7f78"
DRUID_FILL = {"red": "#b8392f", "grey": "#9a9a98", "white": "#ffffff", "brown": "#7b4f2b", "black": "#2b2b2b"}
PLACE_FILL = ("#d5dde0", "#d9e6c3", "#f3e2b3", "#e8c684", "#d3c6e6", "#dcb4a6", "#f0bd4a")
PART_FILL = ("#c8553d", "#e09f3e", "#d9c74f", "#7fa653", "#3f8f7f", "#4a7fb0", "#6d5fa8", "#a85f93", "#5a5550")
DOING = {
    MOVE: "plays cards",
    TAKING: "takes parts ({owed} more)",
    GIVING: "gives up parts ({owed} more)",
    CULT: "may draw a druid card",
    EXCHANGE: "exchanges experience cards",
    SWAPPING: "gives a part in return",
}


def draw(state: Any, seat: int | None = None) -> str:
    """All of a position, or what one seat sees of it."""
    rows = math.ceil(_places(state) / PER_ROW)
    below_path = 84 + rows * ROW
    panels = below_path + STRIP
    height = panels + int(state.seats) * PANEL + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        _head(state, seat),
        *_path(state),
        _strip(state, below_path),
        *(_panel(state, other, seat, panels + other * PANEL) for other in range(state.seats)),
        "</svg>",
    ]
    return "\n".join(parts)


def _text(x: float, y: float, words: str, size: float = 13, fill: str = INK, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'


def _head(state: Any, seat: int | None) -> str:
    """What is going on, and whose picture it is."""
    view = "all hands open" if seat is None else f"as player {seat + 1} sees it"
    title = _text(MARGIN, 44, "Celtica", 28, bold=True)
    doing = _text(MARGIN + 122, 44, f"turn {state.turn}: {_doing(state)}", 16)
    return title + doing + _text(WIDTH - MARGIN, 44, view, 13, PALE, "end")


def _doing(state: Any) -> str:
    if not state.end:
        return f"player {state.actor + 1} {DOING[int(state.phase)].format(owed=int(state.owed))}"
    standings = [standing(state, seat) for seat in range(state.seats)]
    winners = " and ".join(str(seat + 1) for seat, mine in enumerate(standings) if mine == max(standings))
    return f"the match is over, won by player {winners}"


# ---- the path


def _places(state: Any) -> int:
    return int(state.rules.goal) + 1


def _spot(place: int) -> tuple[float, float]:
    """Where a place is drawn: to and fro in rows, like a path."""
    row, column = divmod(place, PER_ROW)
    column = column if row % 2 == 0 else PER_ROW - 1 - column
    return MARGIN + 54 + column * (WIDTH - 2 * MARGIN - 108) / (PER_ROW - 1), 134 + row * ROW


def _path(state: Any) -> list[str]:
    spots = [_spot(place) for place in range(_places(state))]
    steps = [f"M{spots[0][0]:.1f},{spots[0][1]:.1f}", *(_step(here, there) for here, there in itertools.pairwise(spots))]
    way = f'<path d="{" ".join(steps)}" fill="none" stroke="#dccfb4" stroke-width="15" stroke-linecap="round"/>'
    return [way, *(_place(state, place) for place in range(len(spots))), *_druids(state)]


def _step(here: tuple[float, float], there: tuple[float, float]) -> str:
    """Straight on; at the end of a row in a bow, outside of what is written there."""
    (x, y), (to_x, to_y) = here, there
    bow = x + (78 if x > WIDTH / 2 else -78)
    return f"L{to_x:.1f},{to_y:.1f}" if y == to_y else f"C{bow:.1f},{y:.1f} {bow:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"


def _place(state: Any, place: int) -> str:
    """A place with its kind, its number, and what is printed there."""
    x, y = _spot(place)
    kind = int(state.rules.place_kind[place])
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{PLACE_FILL[kind]}" stroke="{INK}" stroke-width="1.5"/>'
    name = "cult site" if kind == CULT_SITE else PLACE_NAMES[kind]
    labels = _text(x, y + 7, _printed(state, place), 19, anchor="middle", bold=True)
    labels += _text(x, y + RADIUS + 17, f"{place + 1} {name}", 12, PALE, "middle")
    return circle + labels


def _printed(state: Any, place: int) -> str:
    """Parts gained or lost; a card at cult sites; a goal that pays nothing says so."""
    kind, parts = int(state.rules.place_kind[place]), int(state.rules.place_parts[place])
    if kind in (START, CULT_SITE):
        return "" if kind == START else "card"
    if kind == GOAL and not state.rules.goal_pays:
        return "0"
    return f"\N{MINUS SIGN}{parts}" if kind == RUIN else f"+{parts}"


def _druids(state: Any) -> list[str]:
    """The druids stand side by side above their place."""
    drawn = []
    for place in sorted({int(place) for place in state.position}):
        here = [colour for colour, at in enumerate(state.position) if at == place]
        x, y = _spot(place)
        left = x - (len(here) - 1) * 9
        drawn += [_druid(left + n * 18, y - RADIUS + 4, COLOUR_NAMES[colour]) for n, colour in enumerate(here)]
    return drawn


def _druid(x: float, y: float, colour: str) -> str:
    """A robe and a hood, standing at (x, y)."""
    robe = f"M{x - 9:.1f},{y:.1f} Q{x - 5:.1f},{y - 17:.1f} {x:.1f},{y - 23:.1f} Q{x + 5:.1f},{y - 17:.1f} {x + 9:.1f},{y:.1f} Z"
    style = f'fill="{DRUID_FILL[colour]}" stroke="{INK}" stroke-width="1.3"'
    head = f'<circle aria-label="{escape(colour)}" cx="{x:.1f}" cy="{y - 23:.1f}" r="5.6" {style}/>'
    return f'<g><title>{escape(colour)} druid</title><path d="{robe}" {style} stroke-linejoin="round"/>{head}</g>'


# ---- amulets


def _amulet(x: float, y: float, radius: float, present: Sequence[bool]) -> str:
    """Eight outer parts around a middle; missing ones are outlines."""
    pieces = []
    for kind in range(KINDS):
        fill = f'fill="{PART_FILL[kind]}"' if present[kind] else 'fill="#f1ece0"'
        stroke = f'stroke="{"#ffffff" if present[kind] else "#d8cfbd"}" stroke-width="1.2"'
        shape = _wedge(x, y, radius, kind) if kind < KINDS - 1 else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * 0.34:.1f}"'
        pieces.append(f"{shape} {fill} {stroke}/>")
        if present[kind]:
            pieces.append(_label(x, y, radius, kind))
    return f"<g><title>{sum(present)} of {KINDS} parts</title>{''.join(pieces)}</g>"


def _wedge(x: float, y: float, radius: float, kind: int) -> str:
    """The beginning of a path for one of the eight outer parts, clockwise from the top."""
    inner, angles = radius * 0.4, [math.tau * (kind + side) / (KINDS - 1) - math.pi / 2 for side in (0, 1)]
    (a, b), (c, d) = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in angles]
    (e, f), (g, h) = [(x + inner * math.cos(t), y + inner * math.sin(t)) for t in reversed(angles)]
    outside, inside = f"A{radius:.1f},{radius:.1f} 0 0 1 {c:.1f},{d:.1f}", f"A{inner:.1f},{inner:.1f} 0 0 0 {g:.1f},{h:.1f}"
    return f'<path d="M{a:.1f},{b:.1f} {outside} L{e:.1f},{f:.1f} {inside} Z"'


def _label(x: float, y: float, radius: float, kind: int) -> str:
    """The number of a part: colours alone do not tell parts apart for everybody."""
    if kind == KINDS - 1:
        return _text(x, y + radius * 0.11, "M", radius * 0.32, "#ffffff", "middle", True)
    turn = math.tau * (kind + 0.5) / (KINDS - 1) - math.pi / 2
    across, down = x + radius * 0.7 * math.cos(turn), y + radius * 0.7 * math.sin(turn)
    return _text(across, down + radius * 0.11, str(kind + 1), radius * 0.32, "#ffffff", "middle", True)


# ---- display and decks


def _strip(state: Any, y: float) -> str:
    """The displayed parts, each in its place of an amulet, and what lies face down."""
    drawn = [_text(MARGIN, y + 8, "Display", 15, bold=True)]
    for n, kind in enumerate(kind for kind in range(KINDS) if state.display[kind] > 0):
        x, copies = MARGIN + 30 + n * 68, int(state.display[kind])
        name = PART_NAMES[kind].removeprefix("the ") + (f" \N{MULTIPLICATION SIGN}{copies}" if copies > 1 else "")
        drawn += [_amulet(x, y + 48, 28, [kind == other for other in range(KINDS)]), _text(x, y + 93, name, 11.5, INK, "middle")]
    counts = [
        ("Parts", f"{state.stock.sum()} in stock", f"{state.given_up.sum()} given up"),
        ("Druid cards", f"{state.druid_deck.sum()} in the deck", f"{state.druid_discard.sum()} discarded"),
        ("Experience \N{BLACK STAR}", f"{state.experience_deck.sum()} in the deck", f"{state.experience_discard.sum()} discarded"),
    ]
    for n, (name, deck, discard) in enumerate(counts):
        x = MARGIN + 660 + n * 168
        drawn += [_text(x, y + 8, name, 15, bold=True), _text(x, y + 38, deck), _text(x, y + 58, discard)]
    return "".join(drawn)


# ---- players


def _panel(state: Any, seat: int, viewer: int | None, y: float) -> str:
    """One player: name and complete amulets, druid and experience cards, amulets."""
    acting = not state.end and seat == state.actor
    box = (
        f'<rect x="{MARGIN - 12}" y="{y}" width="{WIDTH - 2 * MARGIN + 24}" height="{PANEL - 10}" rx="8" '
        f'fill="#ffffff" stroke="{INK if acting else "#e2d9c6"}" stroke-width="{2 if acting else 1}"/>'
    )
    complete = int(state.parts[seat].min())
    name = _text(MARGIN, y + 26, f"Player {seat + 1}", 16, bold=True)
    name += _text(MARGIN + 84, y + 26, f"{complete} complete amulet{'' if complete == 1 else 's'}", 13, PALE)
    name += _text(MARGIN + 236, y + 26, _duty(state, seat, viewer), 13, "#a3352b")
    is_open = viewer is None or viewer == seat
    cards = _cards(state.hand[seat], is_open, MARGIN, y + 40, 210, False)
    cards += _cards(state.experience[seat], is_open, MARGIN + 262, y + 40, 110, True)
    return f"<g>{box}{name}{cards}{_amulets(state.parts[seat], y + 51)}</g>"


def _duty(state: Any, seat: int, viewer: int | None) -> str:
    """The card that was drawn and must be played; others know only that there is one."""
    if not state.drew[seat]:
        return ""
    return f"must play {COLOUR_NAMES[state.due[seat] - 1]}" if viewer in (None, seat) else "must play what he drew"


def _cards(hand: Any, is_open: bool, x: float, y: float, width: float, experience: bool) -> str:
    """Cards side by side; closer together when there are many. Experience cards have a star."""
    colours = [COLOUR_NAMES[colour] for colour, n in enumerate(hand) for _ in range(int(n))]
    step = min(36.0, width / max(1, len(colours) - 1))
    mark = "\N{BLACK STAR}" if experience else "" if is_open else "?"
    return "".join(_card(x + n * step, y, colour if is_open else "", mark) for n, colour in enumerate(colours))


def _card(x: float, y: float, colour: str, mark: str) -> str:
    """A card of a colour, or one from behind."""
    fill, ink = DRUID_FILL.get(colour, CARD_BACK), INK if colour == "white" else "#ffffff"
    named = f'aria-label="{escape(colour)}" ' if colour else ""
    card = f'<rect {named}x="{x:.1f}" y="{y}" width="32" height="46" rx="4" fill="{fill}" stroke="{INK}" stroke-width="1"/>'
    return f"<g><title>{escape(colour or 'hidden')} card</title>{card}{_text(x + 16, y + 30, mark, 18, ink, 'middle', True)}</g>"


def _amulets(parts: Any, y: float) -> str:
    """The k-th amulet has every kind of which there are at least k."""
    number = max(1, int(parts.max()))
    step = min(92.0, 690 / number)
    radius = min(42.0, step / 2 - 2)
    x = MARGIN + 412 + radius
    return "".join(_amulet(x + k * step, y, radius, [bool(held > k) for held in parts]) for k in range(number))
