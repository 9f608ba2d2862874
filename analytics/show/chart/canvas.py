"""A sheet to draw on: lines, marks and texts in, SVG out."""

from dataclasses import dataclass, field
from html import escape

from analytics.show.figures import GRID, INK

FONT = "Helvetica, Arial, sans-serif"
GREY = "#6b6b6b"
BAND = "#ececec"  # where a difference does not matter
LETTER = 0.5  # the width of an average letter, as a part of the font size


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
    ) -> None:
        """Write a line of text; `anchor` is start, middle or end."""
        weight = ' font-weight="bold"' if is_bold else ""
        place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.4g}" text-anchor="{anchor}"'
        self.parts.append(f'<text {place} fill="{colour}"{weight}>{escape(text)}</text>')

    def add_line(
        self, start: tuple[float, float], end: tuple[float, float], colour: str = GRID, width: float = 1
    ) -> None:
        place = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        self.parts.append(f'<line {place} stroke="{colour}" stroke-width="{width:g}"/>')

    def add_dotted_line(self, points: list[tuple[float, float]], colour: str = GREY) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        look = f'fill="none" stroke="{colour}" stroke-width="1.3" stroke-dasharray="2 3"'
        self.parts.append(f'<polyline points="{path}" {look}/>')

    def add_rectangle(self, corner: tuple[float, float], width: float, height: float, colour: str) -> None:
        place = f'x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self.parts.append(f'<rect {place} fill="{colour}"/>')

    def add_mark(
        self, x: float, y: float, colour: str, symbol: str = "circle", *, is_hollow: bool = False
    ) -> None:
        """Draw a circle, square, diamond or cross."""
        look = f'fill="{"white" if is_hollow else colour}" stroke="{colour}" stroke-width="1.5"'
        shapes = {
            "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {look}/>',
            "square": f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {look}/>',
            "diamond": f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5-5.5z" {look}/>',
            "cross": f'<path d="M{x - 4.5:.1f} {y:.1f}h9m-4.5-4.5v9" stroke="{colour}" stroke-width="3"/>',
        }
        self.parts.append(shapes[symbol])

    def render(self, title: str) -> str:
        """The picture; `title` says what it shows to those who cannot see it."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" role="img">'
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" fill="white"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", ground, *self.parts, "</svg>", ""])


def fit_size(text: str, width: float, size: float) -> float:
    """The font size at which a text fits a width, at most `size`."""
    return min(size, width / (LETTER * max(1, len(text))))
