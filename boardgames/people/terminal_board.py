"""A drawn position in a terminal: the words and pieces of its SVG picture, in their places and colours.

Only rows on which something is written or stands are kept, so that a board of a thousand points fits on a screen. A shape is shown
by its `aria-label`, a circle without one as a piece; other shapes only colour what is written on them.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

COLUMNS, POINTS = 110, 9.0  # at most so wide; a small picture has a column for so many points
ROW = 0.017  # of the picture's height: what is closer together stands on one row
SMALL = 0.03  # of the picture's width: a circle up to this radius is a piece
COLOURFUL = 0.25  # between the most and the least of red, green and blue: less is a grey, which has the terminal's own colour
HEX = r"#[0-9a-fA-F]{6}"


class Mark(NamedTuple):
    """Something to show at a place of the picture."""

    x: float
    y: float
    words: str
    anchor: str  # start, middle or end
    colour: str
    bold: bool = False
    radius: float = 0.0  # of a piece; words have none


class Plate(NamedTuple):
    """A coloured rectangle, which colours what is written on it."""

    left: float
    top: float
    right: float
    bottom: float
    colour: str


def board_text(svg: str) -> Text:
    """The picture as rows of coloured text."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = (float(number) for number in root.get("viewBox", "0 0 1000 1000").split())
    marks: list[Mark] = []
    plates: list[Plate] = []
    for element, shift, scale in _elements(root, (0.0, 0.0), 1.0):
        _read(element, shift, scale, width, marks, plates)
    shown = [mark for mark in marks if not (mark.radius and _covered(mark, marks))]
    return Text("\n").join(_line(row, plates, min(COLUMNS / width, 1 / POINTS)) for row in _rows(shown, ROW * height))


def _covered(piece: Mark, marks: list[Mark]) -> bool:
    """Whether something is written on a piece: then the words have its colour, and it is not shown beside them."""
    near = [mark for mark in marks if abs(mark.x - piece.x) <= piece.radius and abs(mark.y - piece.y) <= piece.radius]
    return any(not mark.radius for mark in near)


def _elements(
    node: ElementTree.Element, shift: tuple[float, float], scale: float
) -> Iterator[tuple[ElementTree.Element, tuple[float, float], float]]:
    """Everything in the picture, with where its own coordinates begin and how large they are."""
    moved = re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", node.get("transform", ""))
    grown = re.search(r"scale\(([-\d.]+)", node.get("transform", ""))
    if moved:
        shift = (shift[0] + scale * float(moved[1]), shift[1] + scale * float(moved[2]))
    scale *= float(grown[1]) if grown else 1.0
    yield node, shift, scale
    for child in node:
        yield from _elements(child, shift, scale)


def _read(
    element: ElementTree.Element, shift: tuple[float, float], scale: float, width: float, marks: list[Mark], plates: list[Plate]
) -> None:
    kind, fill = element.tag.rpartition("}")[2], element.get("fill", "")

    def number(name: str) -> float:
        return scale * float(element.get(name, "0"))

    if named := element.get("aria-label"):
        x, y = _middle(element)
        marks.append(Mark(shift[0] + scale * x, shift[1] + scale * y, named, "middle", ""))
    if kind == "text" and (element.text or "").strip():
        x, y = shift[0] + number("x"), shift[1] + number("y") - 0.35 * number("font-size")
        bold = element.get("font-weight") == "bold"
        marks.append(Mark(x, y, (element.text or "").strip(), element.get("text-anchor", "start"), fill, bold))
    elif kind == "circle" and fill.startswith("#") and number("r") <= SMALL * width:
        x, y, r = shift[0] + number("cx"), shift[1] + number("cy"), number("r")
        marks.append(Mark(x, y, "○" if _is_light(fill) else "●", "middle", fill, radius=r))
        plates.append(Plate(x - r, y - r, x + r, y + r, fill))
    elif kind == "rect" and fill.startswith("#"):
        left, top = shift[0] + number("x"), shift[1] + number("y")
        plates.append(Plate(left, top, left + number("width"), top + number("height"), fill))


def _middle(element: ElementTree.Element) -> tuple[float, float]:
    """Where a shape is, in its own coordinates: a rectangle's or a circle's centre, a path's beginning, a group's origin."""
    x, y, width, height, cx, cy = (float(element.get(name, "0")) for name in ("x", "y", "width", "height", "cx", "cy"))
    begins = re.match(r"M([-\d.]+)[ ,]([-\d.]+)", element.get("d", ""))
    if begins:
        return float(begins[1]), float(begins[2])
    return x + width / 2 + cx, y + height / 2 + cy


def _rows(marks: list[Mark], apart: float) -> Iterator[list[Mark]]:
    """Marks from top to bottom, in rows of about the same height."""
    row: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.y):
        if row and mark.y - row[0].y > apart:
            yield row
            row = []
        row.append(mark)
    if row:
        yield row


def _line(row: list[Mark], plates: list[Plate], scale: float) -> Text:
    """One row; what would be written over something else is moved to the right."""
    line = Text()
    for mark in sorted(row, key=lambda mark: _start(mark, scale)):
        at = max(_start(mark, scale), len(line) + (len(line) > 0 and not mark.radius))
        line.append(" " * (at - len(line)))
        line.append(mark.words, _style(mark, plates))
    return line


def _start(mark: Mark, scale: float) -> int:
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * len(mark.words)
    return max(0, round(mark.x * scale - back))


def _style(mark: Mark, plates: list[Plate]) -> Style:
    """A word has the colour of the smallest plate under it; black on white is the terminal's own."""
    under = [plate for plate in plates if plate.left <= mark.x <= plate.right and plate.top <= mark.y <= plate.bottom]
    plate = min(under, key=lambda plate: (plate.right - plate.left) * (plate.bottom - plate.top), default=None)
    paper = plate.colour if plate and not mark.radius and _colourful(plate.colour) else None
    ink = mark.colour if _colourful(mark.colour) else None
    if paper and not ink:
        ink = mark.colour if re.fullmatch(HEX, mark.colour) else "#000000" if max(_shares(paper)) > 0.65 else "#ffffff"
    return Style(color=ink, bgcolor=paper, bold=mark.bold)


def _colourful(colour: str) -> bool:
    """Whether a colour says something, beside black, white and what is nearly so."""
    shares = _shares(colour)
    return max(shares) - min(shares) > COLOURFUL


def _is_light(colour: str) -> bool:
    """White and light grey pieces are shown hollow: the terminal's own colour may be either."""
    return not _colourful(colour) and min(_shares(colour)) > 0.5


def _shares(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, from 0 to 1; what is not written as #rrggbb counts as black."""
    if not re.fullmatch(HEX, colour):
        return 0.0, 0.0, 0.0
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
