"""A sheet to draw on: lines, marks and texts in, SVG out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from analytics.show.figures import GRID, INK

FONT = "Helvetica, Arial, sans-serif"
GREY = "#6b6b6b"
BAND = "#ececec"  # where a difference does not matter
GROUND = "white"
LETTER = 0.5  # the width of an average letter, as a part of the font size
# Colours that a page with a dark ground replaces. The picture names them too, for programs without styles.
ADAPTED = {INK: "ink", GREY: "grey", GRID: "grid", BAND: "band", GROUND: "ground"}
DASHES = {"solid": "", "dash": "7 5", "dot": "2 3"}
RADIUS = 4.5

Point = tuple[float, float]


def _make_polygon(corners: int, inner: float = 1.0) -> list[Point]:
    """Corners around (0, 0) from the top on; every second one may lie further inside."""
    angles = [math.pi * (2 * index / corners - 0.5) for index in range(corners)]
    sizes = [inner if index % 2 else 1.0 for index in range(corners)]
    return [
        (size * math.cos(angle), size * math.sin(angle)) for angle, size in zip(angles, sizes, strict=True)
    ]


FILLED = {  # symbols by their corners, in radii
    "square": [(0.9 * x, 0.9 * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))],
    "diamond": [(1.22 * x, 1.22 * y) for x, y in _make_polygon(4)],
    "triangle-up": [(1.2 * x, 1.2 * y) for x, y in _make_polygon(3)],
    "hexagon": [(1.1 * x, 1.1 * y) for x, y in _make_polygon(6)],
    "star": [(1.4 * x, 1.4 * y) for x, y in _make_polygon(10, inner=0.45)],
}
STROKED: dict[str, list[tuple[Point, Point]]] = {  # symbols without an inside: lines from corner to corner
    "cross": [((-1, 0), (1, 0)), ((0, -1), (0, 1))],
    "x": [((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8))],
    "line-ew": [((-1.4, 0), (1.4, 0))],
    "line-ns": [((0, -1.4), (0, 1.4))],
}


@dataclass
class Canvas:
    width: float
    height: float
    parts: list[str] = field(default_factory=list)

    def add_text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        anchor: str = "start",
        colour: str = INK,
        is_bold: bool = False,
        is_upright: bool = False,
    ) -> None:
        """Write a line of text; `anchor` is start, middle or end. An upright one reads from below."""
        weight = ' font-weight="bold"' if is_bold else ""
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if is_upright else ""
        place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.4g}" text-anchor="{anchor}"{turn}'
        self.parts.append(f"<text {place} {_paint(fill=colour)}{weight}>{escape(text)}</text>")

    def add_line(self, start: Point, end: Point, colour: str = GRID, width: float = 1) -> None:
        place = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        self.parts.append(f'<line {place} {_paint(stroke=colour)} stroke-width="{width:g}"/>')

    def add_path(
        self, points: Sequence[Point], colour: str, *, width: float = 2, dash: str = "solid"
    ) -> None:
        """Draw a line through several points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{DASHES[dash]}"' if DASHES[dash] else ""
        look = f'fill="none" {_paint(stroke=colour)} stroke-width="{width:g}"{dashes}'
        self.parts.append(f'<polyline points="{path}" {look}/>')

    def add_dotted_line(self, points: Sequence[Point], colour: str = GREY) -> None:
        self.add_path(points, colour, width=1.3, dash="dot")

    def add_rectangle(self, corner: Point, width: float, height: float, colour: str, hover: str = "") -> None:
        place = f'x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self.parts.append(f"<rect {place} {_paint(fill=colour)}>{_make_hover(hover)}</rect>")

    def add_mark(
        self,
        x: float,
        y: float,
        colour: str,
        symbol: str = "circle",
        *,
        is_hollow: bool = False,
        radius: float = RADIUS,
        hover: str = "",
    ) -> None:
        """Draw a symbol; `hover` is shown when pointing at it."""
        look = f'{_paint(fill=GROUND if is_hollow else colour, stroke=colour)} stroke-width="1.5"'
        if symbol == "circle":
            mark = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.3g}" {look}/>'
        elif symbol in FILLED:
            corners = (
                f"{x + radius * across:.1f} {y + radius * down:.1f}" for across, down in FILLED[symbol]
            )
            mark = f'<path d="M{"L".join(corners)}z" {look}/>'
        else:
            lines = (
                f"M{x + radius * a:.1f} {y + radius * b:.1f}L{x + radius * c:.1f} {y + radius * d:.1f}"
                for (a, b), (c, d) in STROKED[symbol]
            )
            mark = f'<path d="{"".join(lines)}" {_paint(stroke=colour)} stroke-width="3"/>'
        self.parts.append(f"<g>{_make_hover(hover)}{mark}</g>" if hover else mark)

    def render(self, title: str) -> str:
        """The picture; `title` says what it shows to those who cannot see it."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" role="img">'
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" {_paint(fill=GROUND)}/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", ground, *self.parts, "</svg>", ""])


def _paint(**colours: str) -> str:
    """The colours of a fill and a stroke; with classes where a dark page has others for them."""
    attributes = [f'{attribute}="{colour}"' for attribute, colour in colours.items()]
    classes = [f"{attribute}-{ADAPTED[colour]}" for attribute, colour in colours.items() if colour in ADAPTED]
    return " ".join([*attributes, *([f'class="{" ".join(classes)}"'] if classes else [])])


def _make_hover(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def fit_size(text: str, width: float, size: float) -> float:
    """The font size at which a text fits a width, at most `size`."""
    return min(size, width / (LETTER * max(1, len(text))))
