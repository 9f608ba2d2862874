"""The pieces of Celtica as shapes of an SVG picture: druids, cards, amulets, and what stands on the places.

Each function returns SVG text. A letter or a number stands beside every colour.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from html import escape

from variants.celtica import codes

INK, MUTED, PAPER, GOLD = "#2a2620", "#5a5348", "#fbf7ec", "#a05200"
CARD_BACK, SLOT = "#4a5d56", "#f4efe3"
DRUID_FILL = ("#a5322a", "#6c6c6a", "#ffffff", "#6b4423", "#262626")
DRUID_LETTERS = ("R", "G", "W", "Br", "Bl")
PART_FILL = (
    "#a63a24",
    "#8f5a08",
    "#67660a",
    "#3f7026",
    "#1f6f62",
    "#2f5f95",
    "#574a99",
    "#8c3f78",
    "#3d3833",
)
PART_LABELS = (*(str(kind) for kind in range(1, codes.KINDS)), "M")
MIDDLE = codes.KINDS - 1
CARD_WIDTH, CARD_HEIGHT = 34, 50
TARGET = 30  # 24 pixels where the picture is 800 wide

# What stands on a place, in a box from (-20, -14) to (20, 12): outlines with their fills.
STONE, ROOF, WALL, WOOD = "#8a8378", "#8c4a2f", "#fff8e4", "#7a5632"
BUILDINGS = {
    codes.START: (
        (WOOD, "-18,3 18,3 11,11 -11,11"),
        (WALL, "-1,-14 13,0 -1,0"),
        (WALL, "-4,-10 -4,0 -13,0"),
    ),
    codes.VILLAGE: (
        (WALL, "-18,10 -18,0 -9,-8 0,0 0,10"),
        (WALL, "0,11 0,1 9,-7 18,1 18,11"),
        (ROOF, "-20,1 -9,-10 2,1"),
        (ROOF, "-2,2 9,-9 20,2"),
    ),
    codes.CLOISTER: (
        (WALL, "-16,10 -16,-2 8,-2 8,10"),
        (ROOF, "-19,-1 -12,-9 8,-9 8,-1"),
        (WALL, "8,10 8,-8 16,-8 16,10"),
        (ROOF, "6,-7 12,-15 18,-7"),
    ),
    codes.CASTLE: (
        (STONE, "-19,10 -19,-12 -15,-12 -15,-8 -11,-8 -11,-12 -7,-12 -7,10"),
        (STONE, "7,10 7,-12 11,-12 11,-8 15,-8 15,-12 19,-12 19,10"),
        (STONE, "-7,10 -7,-2 7,-2 7,10"),
        (INK, "-4,10 -4,4 0,1 4,4 4,10"),
    ),
    codes.CULT_SITE: (
        (STONE, "-15,10 -14,-5 -7,-5 -8,10"),
        (STONE, "8,10 7,-5 14,-5 15,10"),
        (STONE, "-18,-5 -16,-11 17,-12 18,-5"),
    ),
    codes.RUIN: (
        (STONE, "-19,10 -19,-11 -14,-7 -12,-11 -9,0 -4,3 0,1 3,10"),
        (STONE, "6,10 8,5 13,3 19,10"),
    ),
    codes.GOAL: (
        (WALL, "-13,10 -13,-3 13,-3 13,10"),
        (ROOF, "-15,-2 0,-12 15,-2"),
        (WALL, "-20,10 -20,-8 -12,-8 -12,10"),
        (ROOF, "-22,-7 -16,-15 -10,-7"),
        (WALL, "12,10 12,-8 20,-8 20,10"),
        (ROOF, "10,-7 16,-15 22,-7"),
        (INK, "-4,10 -4,3 0,0 4,3 4,10"),
    ),
}


def write(
    x: float,
    y: float,
    words: str,
    size: float = 13,
    fill: str = INK,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    style = f'font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{weight}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def draw_polygon(points: Iterable[tuple[float, float]], fill: str, stroke: str = INK, extra: str = "") -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{corners}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round" {extra}/>'


def draw_building(kind: int, x: float, y: float) -> str:
    """What stands on a place of this kind."""
    shapes = [f'<polygon points="{outline}" fill="{fill}"/>' for fill, outline in BUILDINGS[kind]]
    where = f'transform="translate({x:.1f} {y:.1f}) scale(1.2)"'
    return f'<g {where} stroke="{INK}" stroke-linejoin="round">{"".join(shapes)}</g>'


def group(content: str, title: str, actions: Sequence[int] = (), target: str = "") -> str:
    """Shapes that belong together, with the numbers of the legal actions that concern them and then a larger
    target.
    """
    numbers = f' data-action="{" ".join(map(str, actions))}"' if actions else ""
    return f"<g{numbers}><title>{escape(title)}</title>{content}{target if actions else ''}</g>"


def draw_target(x: float, y: float, width: float = 0, height: float = 0) -> str:
    """Around the middle of a piece of this size, what nobody sees and a finger can hit."""
    width, height = max(TARGET, width), max(TARGET, height)
    box = f'x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {box} fill="none" pointer-events="all"/>'


# ---- druids and cards


def draw_druid(x: float, y: float, colour: int, actions: Sequence[int]) -> str:
    """A hooded figure that stands at (x, y), with the letter of its colour."""
    outline = [(0, -41), (8, -31), (6, -22), (13, 0), (-13, 0), (-6, -22), (-8, -31)]
    robe = draw_polygon(
        [(x + dx, y + dy) for dx, dy in outline], DRUID_FILL[colour], extra='stroke-width="1.5"'
    )
    face = f'<ellipse cx="{x:.1f}" cy="{y - 30:.1f}" rx="3.6" ry="4.6" fill="#edd3b4" stroke="{INK}"/>'
    letter = write(x, y - 5, DRUID_LETTERS[colour], 12, choose_ink(colour), "middle", True)
    target = draw_target(x, y - 20.5, height=41)
    return group(robe + face + letter, f"{codes.COLOUR_NAMES[colour]} druid", actions, target)


def choose_ink(colour: int) -> str:
    """A colour that can be read on a druid or card of this colour."""
    return INK if codes.COLOUR_NAMES[colour] == "white" else "#ffffff"


def draw_card(x: float, y: float, colour: int | None, is_experience: bool, actions: Sequence[int]) -> str:
    """A card of a colour, or from behind; experience cards have a star."""
    fill = CARD_BACK if colour is None else DRUID_FILL[colour]
    ink = "#ffffff" if colour is None else choose_ink(colour)
    name = "hidden" if colour is None else codes.COLOUR_NAMES[colour]
    rim = f'stroke="{GOLD}" stroke-width="3"' if actions else f'stroke="{INK}" stroke-width="1.2"'
    size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5"'
    content = f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{fill}" {rim}/>'
    letter = "?" if colour is None else DRUID_LETTERS[colour]
    middle = x + CARD_WIDTH / 2
    if is_experience:
        content += write(middle, y + 22, "\N{BLACK STAR}", 18, ink, "middle")
        content += write(middle, y + 42, letter, 15, ink, "middle", True)
    else:
        content += write(middle, y + 32, letter, 19, ink, "middle", True)
    return group(content, f"{name}{' experience' * is_experience} card", actions)


# ---- amulets: drawn around the point (0, 0) and moved to their places, so that every part is traced once


def draw_amulet(
    x: float, y: float, radius: float, held: Sequence[bool], actions: Sequence[Sequence[int]]
) -> str:
    """Eight outer parts around a middle; missing ones are empty slots with their number."""
    pieces = [
        draw_part(radius, kind, tuple(actions[kind])) if held[kind] else draw_slot(radius, kind)
        for kind in range(codes.KINDS)
    ]
    missing = [PART_LABELS[kind] for kind in range(codes.KINDS) if not held[kind]]
    title = f"{sum(held)} of {codes.KINDS} parts"
    return group(move(x, y, pieces), f"{title}, missing: {', '.join(missing)}" if missing else title)


def draw_displayed_part(x: float, y: float, radius: float, kind: int, actions: Sequence[int]) -> str:
    """A part on the faint outline of the amulet that it belongs to."""
    others = [other for other in range(codes.KINDS) if other != kind]
    faint = [draw_polygon(outline_part(radius, other), PAPER, "#b9c6c4") for other in others]
    return move(x, y, [*faint, draw_part(radius, kind, tuple(actions))])


def move(x: float, y: float, pieces: Iterable[str]) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{"".join(pieces)}</g>'


@functools.cache
def draw_part(radius: float, kind: int, actions: tuple[int, ...]) -> str:
    """One part at its place in an amulet."""
    stroke, width = (GOLD, 3) if actions else ("#ffffff", 1.2)
    outline = outline_part(radius, kind)
    piece = draw_polygon(outline, PART_FILL[kind], stroke, f'stroke-width="{width}"')
    label = write(*find_label(radius, kind), PART_LABELS[kind], 13, "#ffffff", "middle", True)
    x, y = ((min(along) + max(along)) / 2 for along in zip(*outline, strict=True))
    return group(piece + label, codes.PART_NAMES[kind], actions, draw_target(x, y))


@functools.cache
def draw_slot(radius: float, kind: int) -> str:
    """The empty slot of a part. A terminal shows only a text's own words, and so nothing here."""
    slot = draw_polygon(outline_part(radius, kind), SLOT, "#8d8371", 'stroke-dasharray="3 2"')
    label = write(*find_label(radius, kind), "", 11, "#6b6355", "middle")
    return slot + label.replace("></text>", f"><tspan>{PART_LABELS[kind]}</tspan></text>")


def outline_part(radius: float, kind: int) -> list[tuple[float, float]]:
    """The middle is round; the outer parts lie around it, clockwise from the top."""
    if kind == MIDDLE:
        return [turn_to(0.33 * radius, step / 20) for step in range(20)]
    shares = [(kind + step / 6) / MIDDLE for step in range(7)]
    outside = [turn_to(radius, share) for share in shares]
    return outside + [turn_to(0.39 * radius, share) for share in reversed(shares)]


def turn_to(distance: float, share: float) -> tuple[float, float]:
    """The point at this distance, a share of a whole turn clockwise from the top."""
    return distance * math.sin(math.tau * share), -distance * math.cos(math.tau * share)


def find_label(radius: float, kind: int) -> tuple[float, float]:
    x, y = (0.0, 0.0) if kind == MIDDLE else turn_to(0.71 * radius, (kind + 0.5) / MIDDLE)
    return x, y + 4.5
