"""A drawn position in a terminal: the words and pieces of its SVG picture, in their places and colours.

Empty rows are left out, so that a board of a thousand points fits on a screen. A shape is shown by its
`aria-label`, a circle without one as a piece; other shapes only colour the words on them.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

COLUMNS = 110  # the greatest width
POINTS = 9.0  # per column, of a small picture
ROW = 0.017  # of the picture's height: marks that are closer together stand on one row
SMALL = 0.03  # of the picture's width: a circle up to this radius is a piece
# between the most and the least of red, green and blue: less is a grey, which has the terminal's own colour
COLOURFUL = 0.25
HEX = r"#[0-9a-fA-F]{6}"


class Mark(NamedTuple):
    """Words or a piece at a point of the picture."""

    x: float
    y: float
    words: str
    anchor: str  # start, middle or end
    colour: str
    bold: bool = False
    radius: float = 0.0  # of a piece; words have none


class Plate(NamedTuple):
    """A coloured rectangle, which colours the words on it."""

    left: float
    top: float
    right: float
    bottom: float
    colour: str


def render_board(svg: str) -> Text:
    """The picture as rows of coloured text."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = (float(number) for number in root.get("viewBox", "0 0 1000 1000").split())
    marks: list[Mark] = []
    plates: list[Plate] = []
    for element, shift, scale in _walk_elements(root, (0.0, 0.0), 1.0):
        _read_element(element, shift, scale, width, marks, plates)
    visible = [mark for mark in marks if not (mark.radius and _is_covered(mark, marks))]
    return Text("\n").join(
        _render_row(row, plates, min(COLUMNS / width, 1 / POINTS))
        for row in _group_rows(visible, ROW * height)
    )


def _is_covered(piece: Mark, marks: list[Mark]) -> bool:
    """Whether words are written on a piece: then they have its colour, and the piece itself is not shown."""
    near = [
        mark
        for mark in marks
        if abs(mark.x - piece.x) <= piece.radius and abs(mark.y - piece.y) <= piece.radius
    ]
    return any(not mark.radius for mark in near)


def _walk_elements(
    node: ElementTree.Element, shift: tuple[float, float], scale: float
) -> Iterator[tuple[ElementTree.Element, tuple[float, float], float]]:
    """Every element of the picture, with the origin and the scale of its coordinates."""
    moved = re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", node.get("transform", ""))
    grown = re.search(r"scale\(([-\d.]+)", node.get("transform", ""))
    if moved:
        shift = (shift[0] + scale * float(moved[1]), shift[1] + scale * float(moved[2]))
    scale *= float(grown[1]) if grown else 1.0
    yield node, shift, scale
    for child in node:
        yield from _walk_elements(child, shift, scale)


def _read_element(
    element: ElementTree.Element,
    shift: tuple[float, float],
    scale: float,
    width: float,
    marks: list[Mark],
    plates: list[Plate],
) -> None:
    kind, fill = element.tag.rpartition("}")[2], element.get("fill", "")

    def read_length(name: str) -> float:
        return scale * float(element.get(name, "0"))

    if label := element.get("aria-label"):
        x, y = _find_centre(element)
        marks.append(Mark(shift[0] + scale * x, shift[1] + scale * y, label, "middle", ""))
    if kind == "text" and (element.text or "").strip():
        x, y = shift[0] + read_length("x"), shift[1] + read_length("y") - 0.35 * read_length("font-size")
        bold = element.get("font-weight") == "bold"
        marks.append(
            Mark(x, y, (element.text or "").strip(), element.get("text-anchor", "start"), fill, bold)
        )
    elif kind == "circle" and fill.startswith("#") and read_length("r") <= SMALL * width:
        x, y, r = shift[0] + read_length("cx"), shift[1] + read_length("cy"), read_length("r")
        marks.append(Mark(x, y, "○" if _is_light(fill) else "●", "middle", fill, radius=r))
        plates.append(Plate(x - r, y - r, x + r, y + r, fill))
    elif kind == "rect" and fill.startswith("#"):
        left, top = shift[0] + read_length("x"), shift[1] + read_length("y")
        plates.append(Plate(left, top, left + read_length("width"), top + read_length("height"), fill))


def _find_centre(element: ElementTree.Element) -> tuple[float, float]:
    """A point of a shape in its own coordinates: centre of a rectangle or circle, start of a path, origin of
    a group.
    """
    x, y, width, height, cx, cy = (
        float(element.get(name, "0")) for name in ("x", "y", "width", "height", "cx", "cy")
    )
    begins = re.match(r"M([-\d.]+)[ ,]([-\d.]+)", element.get("d", ""))
    if begins:
        return float(begins[1]), float(begins[2])
    return x + width / 2 + cx, y + height / 2 + cy


def _group_rows(marks: list[Mark], apart: float) -> Iterator[list[Mark]]:
    """Marks from top to bottom, in rows of about the same height."""
    row: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.y):
        if row and mark.y - row[0].y > apart:
            yield row
            row = []
        row.append(mark)
    if row:
        yield row


def _render_row(row: list[Mark], plates: list[Plate], scale: float) -> Text:
    """One row; marks that would overlap are moved to the right."""
    line = Text()
    for mark in sorted(row, key=lambda mark: _find_start(mark, scale)):
        column = max(_find_start(mark, scale), len(line) + (len(line) > 0 and not mark.radius))
        line.append(" " * (column - len(line)))
        line.append(mark.words, _make_style(mark, plates))
    return line


def _find_start(mark: Mark, scale: float) -> int:
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * len(mark.words)
    return max(0, round(mark.x * scale - back))


def _make_style(mark: Mark, plates: list[Plate]) -> Style:
    """A word has the colour of the smallest plate under it; black on white is the terminal's own."""
    plates_below = [
        plate
        for plate in plates
        if plate.left <= mark.x <= plate.right and plate.top <= mark.y <= plate.bottom
    ]
    plate = min(
        plates_below, key=lambda plate: (plate.right - plate.left) * (plate.bottom - plate.top), default=None
    )
    paper = plate.colour if plate and not mark.radius and _is_colourful(plate.colour) else None
    ink = mark.colour if _is_colourful(mark.colour) else None
    if paper and not ink:
        ink = (
            mark.colour
            if re.fullmatch(HEX, mark.colour)
            else "#000000"
            if max(_parse_colour(paper)) > 0.65
            else "#ffffff"
        )
    return Style(color=ink, bgcolor=paper, bold=mark.bold)


def _is_colourful(colour: str) -> bool:
    """Whether a colour is not nearly black, white or grey."""
    shares = _parse_colour(colour)
    return max(shares) - min(shares) > COLOURFUL


def _is_light(colour: str) -> bool:
    """Whether a colour is white or light grey: such pieces are shown hollow, on any terminal's background."""
    return not _is_colourful(colour) and min(_parse_colour(colour)) > 0.5


def _parse_colour(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, from 0 to 1; anything but #rrggbb counts as black."""
    if not re.fullmatch(HEX, colour):
        return 0.0, 0.0, 0.0
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue
