"""The small pictures that a drawing of Celtae is made of: cards, workers, disks, cubes, tiles and icons, as
pieces of SVG. Every colour comes with a letter, a number or a shape.
"""

from html import escape

from variants.celtae import codes

INK, PAPER = "#2b2722", "#fdfaf1"
EDGE, HOLE, NEUTRAL, GOLD = "#a79b7c", "#e6dec8", "#a8a49a", "#a3781a"
SMALL, MIDDLE, LARGE = 16, 18, 24  # sizes of letters: at 1,000 pixels for the whole width, 16 are 11.4
CARD_WIDTH, CARD_HEIGHT = 36, 50
TARGET = 42  # 24 pixels where the picture is 800 wide
CARD_COLOURS = {
    "magenta": ("#b03a6b", "#7d2549"),
    "purple": ("#6f4ea3", "#4b3279"),
    "teal": ("#1b7770", "#124f4a"),
    "orange": ("#b4560c", "#7c3a05"),
}
TINTS = {"magenta": "#f3dbe5", "purple": "#e5dcf1", "teal": "#d6ebe9", "orange": "#f8e4cf"}
WORKER_COLOURS = ("#3a7528", "#e3bd35", "#b5342a", "#2c5ea3", "#b3b3ae")
PLAYER_COLOURS = ("#2c66ad", "#9ac53a", "#74451f", "#ffffff")
FORT = "M-7,7 v-14 h3 v3 h2.5 v-3 h3 v3 h2.5 v-3 h3 v14 z"
TRAP = "M-8,6 l4,-12 l4,12 l4,-12 l4,12 z"
WEAPON = "M-1.5,8 v-4 h-4 v-2.5 h4 v-9 l1.5,-2.5 l1.5,2.5 v9 h4 v2.5 h-4 v4 z"
ICON_SHAPES = (FORT, TRAP, WEAPON)
# M, P, T and O as lines: in a terminal a card is one word, its letters
LETTER_SHAPES = (
    "M-5,6 V-6 L0,1 L5,-6 V6",
    "M-4,6 V-6 H1 a3.5,3.5 0 0 1 0,7 H-4",
    "M-5,-6 H5 M0,-6 V6",
    "M0,-6 a6,6 0 1 0 0.1,0 z",
)


def draw_card(x: float, y: float, kind: int) -> str:
    """A card: the letter of its colour above its icon, or the back of one."""
    box = f'x="{x}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5"'
    if kind == codes.NONE:
        inner = f'x="{x + 5}" y="{y + 5}" width="{CARD_WIDTH - 10}" height="{CARD_HEIGHT - 10}" rx="3"'
        frame = f'<rect {inner} fill="none" stroke="#d7cfb8"/>'
        return f'<rect {box} fill="#5f6f66" stroke="#3f4b43"/>{frame}'
    colour, icon = divmod(kind, codes.ICONS)
    fill, edge = CARD_COLOURS[codes.COLOUR_NAMES[colour]]
    style = f'fill="{fill}" stroke="{edge}" stroke-width="1.5"'
    body = f'<rect aria-label="{code_card(kind)}" {box} {style}/>'
    place = f'transform="translate({x + CARD_WIDTH / 2},{y + 14})"'
    stroke = f'fill="none" stroke="{PAPER}" stroke-width="2.4"'
    letter = f'<path {place} d="{LETTER_SHAPES[colour]}" {stroke}/>'
    return body + letter + draw_icon(x + CARD_WIDTH / 2, y + 36, icon, PAPER)


def code_card(kind: int) -> str:
    """A card in two letters: "Mf" is a magenta fort."""
    colour, icon = divmod(kind, codes.ICONS)
    return f"{codes.COLOUR_NAMES[colour][0].upper()}{codes.ICON_NAMES[icon][0]}"


def draw_target(x: float, y: float, width: float = 0, height: float = 0) -> str:
    """Around the middle of a piece of this size, what nobody sees and a finger can hit."""
    width, height = max(TARGET, width), max(TARGET, height)
    box = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {box} fill="none" pointer-events="all"/>'


def draw_card_target(x: float, y: float) -> str:
    return draw_target(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, height=CARD_HEIGHT)


def draw_icon(x: float, y: float, kind: int, fill: str, name: str = "") -> str:
    """An icon; with a name it is shown in a terminal, too."""
    return f'<path{_name(name)} transform="translate({x},{y})" d="{ICON_SHAPES[kind]}" fill="{fill}"/>'


def _name(words: str) -> str:
    return f' aria-label="{escape(words)}"' if words else ""


def draw_worker(x: float, y: float, kind: int, radius: float) -> str:
    """A thick disk in the colour of its kind, with the kind's first letter."""
    fill = WORKER_COLOURS[kind]
    letter = codes.WORKER_NAMES[kind][0].upper()
    return draw_disc(x, y, radius, fill) + draw_mark(x, y, letter, fill)


def draw_disc(x: float, y: float, radius: float, fill: str, edge: str = INK, width: float = 1.4) -> str:
    """A disk, or an empty space for one."""
    style = f'fill="{fill}" stroke="{edge}" stroke-width="{width}"'
    return f'<circle cx="{x}" cy="{y}" r="{radius}" {style}/>'


def draw_mark(x: float, y: float, words: str, below: str) -> str:
    """A letter or number in the middle of a piece of this colour."""
    return draw_label(x, y + 5.5, words, SMALL, "middle", choose_ink(below), "bold")


def draw_cube(x: float, y: float, fill: str, words: str = "", name: str = "") -> str:
    box = f'x="{x - 10}" y="{y - 10}" width="20" height="20" rx="3"'
    cube = f'<rect{_name(name)} {box} fill="{fill}" stroke="{INK}" stroke-width="1.4"/>'
    return cube + (draw_mark(x, y, words, fill) if words else "")


def draw_chip(x: float, y: float, words: str, fill: str, width: float) -> str:
    """A small plate with words."""
    box = f'x="{x}" y="{y}" width="{width}" height="24" rx="5"'
    plate = f'<rect {box} fill="{fill}" stroke="{INK}"/>'
    return plate + draw_label(x + width / 2, y + 17, words, SMALL, "middle", choose_ink(fill))


def draw_label(
    x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'


def draw_box(x: float, y: float, width: float, height: float, fill: str, edge: str = "none") -> str:
    """A plate with round corners."""
    style = f'fill="{fill}" stroke="{edge}" stroke-width="1.5"'
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="12" {style}/>'


def choose_ink(below: str) -> str:
    """Dark or light letters, whichever can be read better on a colour."""
    return INK if find_contrast(INK, below) > find_contrast(PAPER, below) else PAPER


def find_contrast(first: str, second: str) -> float:
    """How well two colours stand out, from 1 to 21: the ratio of their luminances as WCAG defines it."""
    high, low = sorted((_find_luminance(first), _find_luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _find_luminance(colour: str) -> float:
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
