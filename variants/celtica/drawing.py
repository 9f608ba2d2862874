"""A position of Celtica as a picture: the path, the druids, the display, and each player's amulets and cards.

`draw` returns a whole SVG file as text. For one seat's view the hands of the others are shown from behind.
"""

import itertools
import math
from collections.abc import Sequence
from html import escape
from typing import Any

from variants.celtica import codes
from variants.celtica.scoring import standing

WIDTH, MARGIN = 1180, 28
PER_ROW, ROW, RADIUS = 10, 128, 29  # of the path
STRIP, PANEL = 126, 112  # height of the strip with the display, and of a player's panel
INK, PALE, PAPER, CARD_BACK = "#2d2a26", "#8b8378", "#fbf8f1", "#6d7f78"
DRUID_FILL = {"red": "#b8392f", "grey": "#9a9a98", "white": "#ffffff", "brown": "#7b4f2b", "black": "#2b2b2b"}
PLACE_FILL = ("#d5dde0", "#d9e6c3", "#f3e2b3", "#e8c684", "#d3c6e6", "#dcb4a6", "#f0bd4a")
PART_FILL = (
    "#c8553d",
    "#e09f3e",
    "#d9c74f",
    "#7fa653",
    "#3f8f7f",
    "#4a7fb0",
    "#6d5fa8",
    "#a85f93",
    "#5a5550",
)
PHASE_NAMES = {
    codes.MOVE: "plays cards",
    codes.TAKING: "takes parts ({owed} more)",
    codes.GIVING: "gives up parts ({owed} more)",
    codes.CULT: "may draw a druid card",
    codes.EXCHANGE: "exchanges experience cards",
    codes.SWAPPING: "gives a part in return",
}


def draw(state: Any, seat: int | None = None) -> str:
    """All of a position, or what one seat sees of it."""
    rows = math.ceil(_count_places(state) / PER_ROW)
    below_path = 84 + rows * ROW
    panels = below_path + STRIP
    height = panels + int(state.players) * PANEL + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        _draw_heading(state, seat),
        *_draw_path(state),
        _draw_strip(state, below_path),
        *(_draw_panel(state, other, seat, panels + other * PANEL) for other in range(state.players)),
        "</svg>",
    ]
    return "\n".join(parts)


def _draw_text(
    x: float,
    y: float,
    words: str,
    size: float = 13,
    fill: str = INK,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    style = f'font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def _draw_heading(state: Any, seat: int | None) -> str:
    """The title, the phase, and whose view it is."""
    view = "all hands open" if seat is None else f"as player {seat + 1} sees it"
    title = _draw_text(MARGIN, 44, "Celtica", 28, bold=True)
    phase = _draw_text(MARGIN + 122, 44, f"turn {state.turn}: {_describe_phase(state)}", 16)
    return title + phase + _draw_text(WIDTH - MARGIN, 44, view, 13, PALE, "end")


def _describe_phase(state: Any) -> str:
    if not state.end:
        return f"player {state.actor + 1} {PHASE_NAMES[int(state.phase)].format(owed=int(state.owed))}"
    standings = [standing(state, seat) for seat in range(state.players)]
    winners = " and ".join(str(seat + 1) for seat, mine in enumerate(standings) if mine == max(standings))
    return f"the match is over, won by player {winners}"


# ---- the path


def _count_places(state: Any) -> int:
    return int(state.rules.goal) + 1


def _find_spot(place: int) -> tuple[float, float]:
    """Where a place is drawn: to and fro in rows, like a path."""
    row, column = divmod(place, PER_ROW)
    column = column if row % 2 == 0 else PER_ROW - 1 - column
    return MARGIN + 54 + column * (WIDTH - 2 * MARGIN - 108) / (PER_ROW - 1), 134 + row * ROW


def _draw_path(state: Any) -> list[str]:
    spots = [_find_spot(place) for place in range(_count_places(state))]
    steps = [
        f"M{spots[0][0]:.1f},{spots[0][1]:.1f}",
        *(_draw_step(here, there) for here, there in itertools.pairwise(spots)),
    ]
    way = (
        f'<path d="{" ".join(steps)}" fill="none" stroke="#dccfb4" stroke-width="15" stroke-linecap="round"/>'
    )
    return [way, *(_draw_place(state, place) for place in range(len(spots))), *_draw_druids(state)]


def _draw_step(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Straight on; at the end of a row in a bow, outside of what is written there."""
    (x, y), (to_x, to_y) = start, end
    bow = x + (78 if x > WIDTH / 2 else -78)
    return (
        f"L{to_x:.1f},{to_y:.1f}"
        if y == to_y
        else f"C{bow:.1f},{y:.1f} {bow:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"
    )


def _draw_place(state: Any, place: int) -> str:
    """A place with its kind, its number, and what is printed there."""
    x, y = _find_spot(place)
    kind = int(state.rules.place_kind[place])
    style = f'fill="{PLACE_FILL[kind]}" stroke="{INK}" stroke-width="1.5"'
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" {style}/>'
    name = "cult site" if kind == codes.CULT_SITE else codes.PLACE_NAMES[kind]
    labels = _draw_text(x, y + 7, _format_parts(state, place), 19, anchor="middle", bold=True)
    labels += _draw_text(x, y + RADIUS + 17, f"{place + 1} {name}", 12, PALE, "middle")
    return circle + labels


def _format_parts(state: Any, place: int) -> str:
    """Parts gained or lost; a card at cult sites; a goal that pays nothing says so."""
    kind, parts = int(state.rules.place_kind[place]), int(state.rules.place_parts[place])
    if kind in (codes.START, codes.CULT_SITE):
        return "" if kind == codes.START else "card"
    if kind == codes.GOAL and not state.rules.goal_pays:
        return "0"
    return f"\N{MINUS SIGN}{parts}" if kind == codes.RUIN else f"+{parts}"


def _draw_druids(state: Any) -> list[str]:
    """The druids stand side by side above their place."""
    pictures = []
    for place in sorted({int(place) for place in state.position}):
        colours = [colour for colour, at in enumerate(state.position) if at == place]
        x, y = _find_spot(place)
        left = x - (len(colours) - 1) * 9
        pictures += [
            _draw_druid(left + n * 18, y - RADIUS + 4, codes.COLOUR_NAMES[colour])
            for n, colour in enumerate(colours)
        ]
    return pictures


def _draw_druid(x: float, y: float, colour: str) -> str:
    """A robe and a hood, standing at (x, y)."""
    left = f"M{x - 9:.1f},{y:.1f} Q{x - 5:.1f},{y - 17:.1f} {x:.1f},{y - 23:.1f}"
    robe = f"{left} Q{x + 5:.1f},{y - 17:.1f} {x + 9:.1f},{y:.1f} Z"
    style = f'fill="{DRUID_FILL[colour]}" stroke="{INK}" stroke-width="1.3"'
    head = f'<circle aria-label="{escape(colour)}" cx="{x:.1f}" cy="{y - 23:.1f}" r="5.6" {style}/>'
    body = f'<path d="{robe}" {style} stroke-linejoin="round"/>'
    return f"<g><title>{escape(colour)} druid</title>{body}{head}</g>"


# ---- amulets


def _draw_amulet(x: float, y: float, radius: float, present: Sequence[bool]) -> str:
    """Eight outer parts around a middle; missing ones are outlines."""
    pieces = []
    for kind in range(codes.KINDS):
        fill = f'fill="{PART_FILL[kind]}"' if present[kind] else 'fill="#f1ece0"'
        stroke = f'stroke="{"#ffffff" if present[kind] else "#d8cfbd"}" stroke-width="1.2"'
        shape = (
            _draw_wedge(x, y, radius, kind)
            if kind < codes.KINDS - 1
            else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * 0.34:.1f}"'
        )
        pieces.append(f"{shape} {fill} {stroke}/>")
        if present[kind]:
            pieces.append(_draw_label(x, y, radius, kind))
    return f"<g><title>{sum(present)} of {codes.KINDS} parts</title>{''.join(pieces)}</g>"


def _draw_wedge(x: float, y: float, radius: float, kind: int) -> str:
    """The beginning of a path for one of the eight outer parts, clockwise from the top."""
    inner, angles = (
        radius * 0.4,
        [math.tau * (kind + side) / (codes.KINDS - 1) - math.pi / 2 for side in (0, 1)],
    )
    (a, b), (c, d) = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in angles]
    (e, f), (g, h) = [(x + inner * math.cos(t), y + inner * math.sin(t)) for t in reversed(angles)]
    outside, inside = (
        f"A{radius:.1f},{radius:.1f} 0 0 1 {c:.1f},{d:.1f}",
        f"A{inner:.1f},{inner:.1f} 0 0 0 {g:.1f},{h:.1f}",
    )
    return f'<path d="M{a:.1f},{b:.1f} {outside} L{e:.1f},{f:.1f} {inside} Z"'


def _draw_label(x: float, y: float, radius: float, kind: int) -> str:
    """The number of a part: not everyone can tell the parts apart by colour."""
    if kind == codes.KINDS - 1:
        return _draw_text(x, y + radius * 0.11, "M", radius * 0.32, "#ffffff", "middle", True)
    turn = math.tau * (kind + 0.5) / (codes.KINDS - 1) - math.pi / 2
    across, down = x + radius * 0.7 * math.cos(turn), y + radius * 0.7 * math.sin(turn)
    return _draw_text(across, down + radius * 0.11, str(kind + 1), radius * 0.32, "#ffffff", "middle", True)


# ---- display and decks


def _draw_strip(state: Any, y: float) -> str:
    """The displayed parts, each in its place of an amulet, and what lies face down."""
    pictures = [_draw_text(MARGIN, y + 8, "Display", 15, bold=True)]
    for n, kind in enumerate(kind for kind in range(codes.KINDS) if state.display[kind] > 0):
        x, copies = MARGIN + 30 + n * 68, int(state.display[kind])
        name = codes.PART_NAMES[kind].removeprefix("the ") + (
            f" \N{MULTIPLICATION SIGN}{copies}" if copies > 1 else ""
        )
        pictures += [
            _draw_amulet(x, y + 48, 28, [kind == other for other in range(codes.KINDS)]),
            _draw_text(x, y + 93, name, 11.5, INK, "middle"),
        ]
    counts = [
        ("Parts", f"{state.stock.sum()} in stock", f"{state.given_up.sum()} given up"),
        ("Druid cards", f"{state.druid_deck.sum()} in the deck", f"{state.druid_discard.sum()} discarded"),
        (
            "Experience \N{BLACK STAR}",
            f"{state.experience_deck.sum()} in the deck",
            f"{state.experience_discard.sum()} discarded",
        ),
    ]
    for n, (name, deck, discard) in enumerate(counts):
        x = MARGIN + 660 + n * 168
        pictures += [
            _draw_text(x, y + 8, name, 15, bold=True),
            _draw_text(x, y + 38, deck),
            _draw_text(x, y + 58, discard),
        ]
    return "".join(pictures)


# ---- players


def _draw_panel(state: Any, seat: int, viewer: int | None, y: float) -> str:
    """One player: name and complete amulets, druid and experience cards, amulets."""
    acting = not state.end and seat == state.actor
    box = (
        f'<rect x="{MARGIN - 12}" y="{y}" width="{WIDTH - 2 * MARGIN + 24}" height="{PANEL - 10}" rx="8" '
        f'fill="#ffffff" stroke="{INK if acting else "#e2d9c6"}" stroke-width="{2 if acting else 1}"/>'
    )
    complete = int(state.parts[seat].min())
    name = _draw_text(MARGIN, y + 26, f"Player {seat + 1}", 16, bold=True)
    name += _draw_text(
        MARGIN + 84, y + 26, f"{complete} complete amulet{'' if complete == 1 else 's'}", 13, PALE
    )
    name += _draw_text(MARGIN + 236, y + 26, _describe_duty(state, seat, viewer), 13, "#a3352b")
    is_open = viewer is None or viewer == seat
    cards = _draw_cards(state.hand[seat], is_open, MARGIN, y + 40, 210, False)
    cards += _draw_cards(state.experience[seat], is_open, MARGIN + 262, y + 40, 110, True)
    return f"<g>{box}{name}{cards}{_draw_amulets(state.parts[seat], y + 51)}</g>"


def _describe_duty(state: Any, seat: int, viewer: int | None) -> str:
    """The card that was drawn and must be played; others know only that there is one."""
    if not state.drew[seat]:
        return ""
    return (
        f"must play {codes.COLOUR_NAMES[state.due[seat] - 1]}"
        if viewer in (None, seat)
        else "must play what he drew"
    )


def _draw_cards(hand: Any, is_open: bool, x: float, y: float, width: float, experience: bool) -> str:
    """Cards side by side; closer together when there are many. Experience cards have a star."""
    colours = [codes.COLOUR_NAMES[colour] for colour, n in enumerate(hand) for _ in range(int(n))]
    step = min(36.0, width / max(1, len(colours) - 1))
    mark = "\N{BLACK STAR}" if experience else "" if is_open else "?"
    return "".join(
        _draw_card(x + n * step, y, colour if is_open else "", mark) for n, colour in enumerate(colours)
    )


def _draw_card(x: float, y: float, colour: str, mark: str) -> str:
    """A card of a colour, or one from behind."""
    fill, ink = DRUID_FILL.get(colour, CARD_BACK), INK if colour == "white" else "#ffffff"
    named = f'aria-label="{escape(colour)}" ' if colour else ""
    style = f'fill="{fill}" stroke="{INK}" stroke-width="1"'
    card = f'<rect {named}x="{x:.1f}" y="{y}" width="32" height="46" rx="4" {style}/>'
    label = _draw_text(x + 16, y + 30, mark, 18, ink, "middle", True)
    return f"<g><title>{escape(colour or 'hidden')} card</title>{card}{label}</g>"


def _draw_amulets(parts: Any, y: float) -> str:
    """The k-th amulet has every kind of which there are at least k."""
    amulets = max(1, int(parts.max()))
    step = min(92.0, 690 / amulets)
    radius = min(42.0, step / 2 - 2)
    x = MARGIN + 412 + radius
    return "".join(
        _draw_amulet(x + k * step, y, radius, [bool(held > k) for held in parts]) for k in range(amulets)
    )
