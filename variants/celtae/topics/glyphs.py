"""The small pictures that a drawing of Celtae is made of: cards, workers, disks, cubes, tiles and icons, as
pieces of SVG.
"""

from html import escape

from variants.celtae import codes

INK, PAPER = "#2f2b25", "#fdfaf1"
CARD_COLOURS = {
    "magenta": ("#c2527f", "#7d2549"),
    "purple": ("#8a6bb8", "#4b3279"),
    "teal": ("#4fa6a0", "#1f625d"),
    "orange": ("#e0954a", "#8f5416"),
}
WORKER_COLOURS = ("#5c9a3c", "#e3bd35", "#c23b2e", "#3c6fb0", "#9c9c98")
FORT = "M-7,7 v-14 h3 v3 h2.5 v-3 h3 v3 h2.5 v-3 h3 v14 z"
TRAP = "M-8,6 l4,-12 l4,12 l4,-12 l4,12 z"
WEAPON = "M-1.5,8 v-4 h-4 v-2.5 h4 v-9 l1.5,-2.5 l1.5,2.5 v9 h4 v2.5 h-4 v4 z"
ICON_SHAPES = (FORT, TRAP, WEAPON)


def draw_card(x: float, y: float, kind: int) -> str:
    """A card of a colour with its icon, or the back of one."""
    if kind == codes.NONE:
        inner = f'<rect x="{x + 5}" y="{y + 5}" width="26" height="44" rx="3" fill="none" stroke="#d7cfb8"/>'
        return f'<rect x="{x}" y="{y}" width="36" height="54" rx="5" fill="#5f6f66" stroke="#3f4b43"/>{inner}'
    fill, edge = CARD_COLOURS[codes.COLOUR_NAMES[kind // codes.ICONS]]
    knot = f'<circle cx="{x + 18}" cy="{y + 16}" r="8" fill="none" stroke="{PAPER}" stroke-width="2.5"/>'
    knot += f'<path d="M{x + 12},{y + 16} h12 M{x + 18},{y + 10} v12" stroke="{PAPER}" stroke-width="2"/>'
    named = f'aria-label="{codes.COLOUR_NAMES[kind // codes.ICONS]} {codes.ICON_NAMES[kind % codes.ICONS]}"'
    style = f'fill="{fill}" stroke="{edge}" stroke-width="1.5"'
    body = f'<rect {named} x="{x}" y="{y}" width="36" height="54" rx="5" {style}/>'
    return body + knot + draw_icon(x + 18, y + 39, kind % codes.ICONS, PAPER)


def draw_icon(x: float, y: float, kind: int, fill: str) -> str:
    return f'<path transform="translate({x},{y})" d="{ICON_SHAPES[kind]}" fill="{fill}"/>'


def draw_worker(x: float, y: float, kind: int, radius: float) -> str:
    """A thick disk in the colour of its kind, with the kind's first letter."""
    letter = draw_label(
        x,
        y + radius * 0.42,
        codes.WORKER_NAMES[kind][0].upper(),
        round(radius * 1.15),
        "middle",
        PAPER,
        "bold",
    )
    return draw_disc(x, y, radius, WORKER_COLOURS[kind]) + letter


def draw_disc(x: float, y: float, radius: float, fill: str) -> str:
    """A disk, or an empty space for one."""
    if fill == "none":
        return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{INK}" stroke-dasharray="3 3"/>'
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}" stroke-width="1.2"/>'


def draw_cube(x: float, y: float, fill: str) -> str:
    style = f'fill="{fill}" stroke="{INK}" stroke-width="1.2"'
    return f'<rect x="{x}" y="{y}" width="15" height="15" rx="2" {style}/>'


def draw_tile(x: float, y: float, kind: int) -> str:
    """A bonus tile beside its citadel."""
    text = {codes.CARDS_TILE: "2 cards", codes.RECRUIT_TILE: "recruit", codes.STRENGTH_TILE: "+3"}.get(
        kind, "token"
    )
    box = f'x="{x}" y="{y}" width="44" height="42" rx="5"'
    return f'<rect {box} fill="{PAPER}" stroke="{INK}"/>' + draw_label(x + 22, y + 26, text, 11, "middle")


def draw_label(
    x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
