"""The pieces of Keltis as SVG shapes: stones, tiles, figures, cards. Every colour comes with a letter or a
number, so that nobody has to tell colours apart.
"""

from collections.abc import Iterable
from html import escape

from variants.keltis import codes

INK, PAPER, GOLD, LOSS = "#2b2823", "#fbf6e8", "#c9962b", "#9c2f20"
LIGHT = {"red": "#e0917a", "yellow": "#ecc95f", "pink": "#e6a3c2", "green": "#9cc683", "blue": "#8fb9df"}
DARK = {"red": "#8a3a26", "yellow": "#7a5a0c", "pink": "#8e3d66", "green": "#3d6a2b", "blue": "#2f5a83"}
FIGURE_COLOURS = (
    ("#26231f", "#f4efe4"),
    ("#fdfbf5", "#26231f"),
    ("#a3a39f", "#26231f"),
    ("#7a4a26", "#f4efe4"),
)  # black, white, grey and brown: fill, and outline with number
FIGURE = "M-6.5,0 Q-5.5,-8 -2.8,-10.5 a4.6,4.6 0 1 1 5.6,0 Q5.5,-8 6.5,0 Z"
GEM = "M0,-15 L14,-5 L9,14 L-9,14 L-14,-5 Z"
FACETS = "M-14,-5 H14 M0,-15 L-5,-5 L0,14 L5,-5 Z"
TARGET = 38  # 24 pixels where the picture is 800 wide
SMALLEST = 14  # font size: 11 px where the whole picture is 1,000 px wide


def draw_text(
    x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


def draw_plate(x: float, y: float, width: float, height: float, radius: float, style: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" {style}/>'


def link_actions(shapes: str, actions: Iterable[int], target: str = "") -> str:
    """Shapes that carry the numbers of the actions which concern them, so that a page can make them
    clickable; then with a larger target.
    """
    numbers = " ".join(map(str, actions))
    return f'<g data-action="{numbers}">{shapes}{target}</g>' if numbers else shapes


def draw_target(x: float, y: float, width: float = 0, height: float = 0) -> str:
    """Around the middle of a piece of this size, what nobody sees and a finger can hit."""
    width, height = max(TARGET, width), max(TARGET, height)
    return draw_plate(x - width / 2, y - height / 2, width, height, 0, 'fill="none" pointer-events="all"')


def name_letter(path: int) -> str:
    return codes.PATH_NAMES[path][0].upper()


# ---- the board


def draw_stone(path: int, x: float, y: float, width: float, height: float, dark: bool, end: bool) -> str:
    name = codes.PATH_NAMES[path]
    fill, ink = (DARK[name], PAPER) if dark else (LIGHT[name], INK)
    left, top, radius = x - width / 2, y - height / 2, height / 2 if end else 18
    shadow = draw_plate(left, top, width, height + 4, radius, 'fill="#b9ad90"')
    stone = draw_plate(
        left, top, width, height, radius, f'fill="{fill}" stroke="{DARK[name]}" stroke-width="2"'
    )
    return shadow + stone + draw_text(left + 9, y - 4, name_letter(path), SMALLEST, fill=ink, weight="bold")


def draw_tile(tile: int, x: float, y: float) -> str:
    if tile == codes.WISHING_STONE:
        return f'<g aria-label="stone" transform="translate({x:g},{y:g})">{draw_gem()}</g>'
    label = ' aria-label="clover"' if tile == codes.CLOVER_LEAF else ""
    disc = f'<circle{label} cx="{x:g}" cy="{y:g}" r="16" fill="{PAPER}" stroke="#6d6553" stroke-width="1.5"/>'
    if tile == codes.CLOVER_LEAF:
        return disc + draw_clover(x, y)
    return disc + draw_text(x, y + 7, str(tile), 21, "middle", weight="bold")


def draw_gem() -> str:
    """A wishing stone around the origin."""
    line = 'stroke="#1f5d6e" stroke-linejoin="round"'
    facets = f'<path d="{FACETS}" fill="none" {line} stroke-width="1"/>'
    return f'<path d="{GEM}" fill="#d5eef2" {line} stroke-width="2.4"/>{facets}'


def draw_clover(x: float, y: float) -> str:
    places = ((0, -6.2), (-5.8, 2.2), (5.8, 2.2))
    leaves = "".join(f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="5.4"/>' for dx, dy in places)
    return f'<g fill="#257a35">{leaves}<path d="M{x - 1.2:g},{y:g} l-1.2,12 h4.8 l-1.2,-12 z"/></g>'


# ---- figures


def draw_figure(seat: int, x: float, y: float, large: bool, framed: bool = False) -> str:
    """A figure whose foot is at (x, y), with the number of its seat; the large one also has a star."""
    fill, line = FIGURE_COLOURS[seat]
    scale = "2.5 1.95" if large else "1.75 1.5"
    edge = f'stroke="{GOLD}" stroke-width="2"' if framed else f'stroke="{line}" stroke-width="0.8"'
    body = (
        f'<g transform="translate({x:g},{y:g}) scale({scale})"><path d="{FIGURE}" fill="{fill}" {edge}/></g>'
    )
    words = f"{seat + 1}\N{BLACK STAR}" if large else f"{seat + 1}"
    half = 5 * len(words)
    sign = draw_plate(x - half, y - 14, 2 * half, 12, 3, f'fill="{fill}"')  # the terminal shows its colour
    return body + sign + draw_text(x, y - 3.5, words, SMALLEST, "middle", line, "bold")


def find_figure_width(large: bool) -> int:
    return 33 if large else 23


# ---- cards


def draw_card(x: float, y: float, width: float, height: float, path: int, value: int) -> str:
    """A card with the letter of its colour and its value."""
    name = codes.PATH_NAMES[path]
    size = max(SMALLEST, round(width * 0.45))
    edge = f'fill="{LIGHT[name]}" stroke="{DARK[name]}" stroke-width="1.6"'
    words = f"{name_letter(path)}{value}"
    label = draw_text(x + width / 2, y + height / 2 + 0.36 * size, words, size, "middle", weight="bold")
    return draw_plate(x, y, width, height, 5, edge) + label


def draw_card_back(x: float, y: float, width: float, height: float) -> str:
    back = draw_plate(x, y, width, height, 5, 'fill="#4f6350" stroke="#2c3a2e" stroke-width="1.6"')
    middle, radius = (x + width / 2, y + height / 2), width * 0.17
    rings = "".join(
        f'<circle cx="{middle[0] + dx * radius:.1f}" cy="{middle[1] + dy * radius:.1f}" r="{radius:.1f}"/>'
        for dx, dy in ((0, -0.9), (-0.8, 0.5), (0.8, 0.5))
    )
    return f'{back}<g fill="none" stroke="#d9cfae" stroke-width="1.3">{rings}</g>'
