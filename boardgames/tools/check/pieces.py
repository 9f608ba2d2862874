"""The pieces of a drawing that can be clicked, and what a click on them hits: as a browser has it, without
one.

Only pieces take clicks, so nothing else can cover them. A piece is an element with `data-action`. A shape of
it with `pointer-events="all"`, which may have no fill, makes it larger to click, but takes no click from what
can be seen of another. Styles are not read, nor how large texts are.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from boardgames.tools.check.outlines import Matrix, Points, read_transform, trace

WIDTH = 800  # pixels of a drawing on the Play page
SMALLEST = 24  # pixels of a piece each way: WCAG 2.2, 2.5.8
GROUPS = ("svg", "g", "switch")
UNPAINTED = ("title", "desc", "metadata", "style", "defs", "clipPath", "mask", "pattern", "symbol", "marker")
# the Play page takes these out, with what is in them
TAKEN_OUT = ("script", "foreignObject", "iframe", "object", "embed", "image", "use", "a", "animate", "set")
INHERITED = ("fill", "stroke", "stroke-width", "visibility")


class Shape(NamedTuple):
    """A shape of a piece: its outlines in the picture, and how it is painted."""

    outlines: list[Points]
    is_filled: bool
    is_target: bool  # it only makes its piece larger to click
    edge: float  # half the width of its stroke, 0 if it has none

    def hits(self, point: Points) -> bool:
        turns = [_count_turns(outline, point) for outline in self.outlines]
        if self.is_filled and sum(turns) != 0:
            return True
        return bool(self.edge) and any(
            _find_distance(outline, point) <= self.edge for outline in self.outlines if len(outline) > 1
        )


@dataclass(kw_only=True)
class Piece:
    """A part of a drawing with the actions that a click on it offers."""

    actions: tuple[int, ...]
    shapes: list[Shape] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)  # kinds of elements whose place is not known
    has_text: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it can be said where it is."""
        return bool(self.shapes) and not self.unread

    def find_box(self) -> tuple[Points, Points]:
        """Its upper left and lower right corner."""
        points = np.concatenate([outline for shape in self.shapes for outline in shape.outlines])
        return points.min(axis=0), points.max(axis=0)

    def find_middle(self) -> Points:
        low, high = self.find_box()
        return (low + high) / 2

    def hits(self, point: Points, by_target: bool) -> bool:
        return any(shape.hits(point) for shape in self.shapes if shape.is_target is by_target)


@dataclass(frozen=True)
class Drawing:
    """A drawing with its pieces in the order in which they are painted."""

    pieces: list[Piece]
    scale: float  # pixels of a unit where the drawing is WIDTH pixels wide

    def find_hit(self, point: Points) -> Piece | None:
        """The piece that a click takes: what is visible comes before what only makes a piece larger."""
        for by_target in (False, True):
            for piece in reversed(self.pieces):
                if piece.hits(point, by_target):
                    return piece
        return None

    def measure(self, piece: Piece) -> tuple[float, float]:
        """Width and height in pixels."""
        low, high = piece.find_box()
        width, height = self.scale * (high - low)
        return float(width), float(height)


def read_drawing(svg: str, legal: Collection[int]) -> Drawing:
    """The pieces of an SVG picture that carry a legal action. Raises ParseError if it is not well-formed."""
    root = ElementTree.fromstring(svg)
    box = re.findall(r"[-+.\de]+", root.get("viewBox", ""))
    pieces: list[Piece] = []
    _read_element(root, _Context(np.eye(3), None, {}), legal, pieces)
    return Drawing(pieces, WIDTH / float(box[2]) if len(box) == 4 else 1.0)


class _Context(NamedTuple):
    """What an element has from those around it."""

    matrix: Matrix
    piece: Piece | None
    style: dict[str, str]
    unread: str = ""  # the element that moves it in a way which is not read
    is_inside: bool = False  # the picture


def _read_element(
    element: ElementTree.Element, around: _Context, legal: Collection[int], pieces: list[Piece]
) -> None:
    kind = element.tag.rpartition("}")[2]
    if kind in (*UNPAINTED, *TAKEN_OUT) or element.get("display") == "none":
        return
    context = _enter(element, kind, around, legal)
    if context.piece is not None:
        if context.piece is not around.piece:
            pieces.append(context.piece)
        if context.unread:
            context.piece.unread.append(context.unread)
        elif kind not in GROUPS:
            _add_shape(context.piece, element, kind, context)
    for child in element:
        _read_element(child, context, legal, pieces)


def _enter(element: ElementTree.Element, kind: str, around: _Context, legal: Collection[int]) -> _Context:
    """What holds within an element."""
    actions = tuple(int(word) for word in element.get("data-action", "").split() if int(word) in legal)
    piece = Piece(actions=actions) if actions else around.piece
    style = {**around.style, **{name: element.get(name, "") for name in INHERITED if element.get(name)}}
    matrix = read_transform(element.get("transform", ""))
    is_nested = kind == "svg" and around.is_inside
    unread = around.unread or (kind if is_nested or matrix is None else "")
    return _Context(around.matrix if matrix is None else around.matrix @ matrix, piece, style, unread, True)


def _add_shape(piece: Piece, element: ElementTree.Element, kind: str, context: _Context) -> None:
    if kind in ("text", "tspan", "textPath"):
        piece.has_text = True
        return
    outlines, style = trace(element, kind), context.style
    if outlines is None:
        piece.unread.append(kind)
        return
    is_target = element.get("pointer-events") == "all"
    is_filled = (style.get("fill") != "none" or is_target) and kind != "line"
    has_stroke = style.get("stroke", "none") != "none"
    is_hidden = style.get("visibility") in ("hidden", "collapse") or element.get("pointer-events") == "none"
    if is_hidden or not (is_filled or has_stroke):
        return
    growth = abs(float(np.linalg.det(context.matrix[:2, :2]))) ** 0.5
    width = re.match(r"[.\d]+", style.get("stroke-width", ""))
    edge = growth * (float(width[0]) if width else 1.0) / 2 if has_stroke else 0.0
    placed = [points @ context.matrix[:2, :2].T + context.matrix[:2, 2] for points in outlines]
    piece.shapes.append(Shape([points for points in placed if len(points)], is_filled, is_target, edge))


def _count_turns(outline: Points, point: Points) -> int:
    """How often an outline goes around a point."""
    x, y = (outline - point).T
    next_x, next_y = np.roll(x, -1), np.roll(y, -1)
    side = x * next_y - next_x * y
    return int(np.sum((y <= 0) & (next_y > 0) & (side > 0))) - int(
        np.sum((y > 0) & (next_y <= 0) & (side < 0))
    )


def _find_distance(outline: Points, point: Points) -> float:
    """How far a point is from a line."""
    start, step = outline[:-1], np.diff(outline, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-12)
    share = np.clip(((point - start) * step).sum(axis=1) / length, 0, 1)
    return float(np.sqrt(((start + share[:, None] * step - point) ** 2).sum(axis=1)).min())


def list_unread(drawing: Drawing) -> set[str]:
    """The kinds of elements in pieces that cannot be judged: it is not known where they are."""
    unread = {kind for piece in drawing.pieces for kind in piece.unread}
    alone = {"text" for piece in drawing.pieces if piece.has_text and not piece.shapes}
    return unread | alone


def find_faults(drawing: Drawing) -> Iterator[tuple[Piece, str]]:
    """Each piece that cannot be clicked well, and why."""
    for piece in drawing.pieces:
        if not piece.is_known:
            continue
        hit = drawing.find_hit(piece.find_middle())
        width, height = drawing.measure(piece)
        if hit is None:
            yield piece, "has a hole in its middle, where a click does nothing"
        elif hit.actions != piece.actions:
            yield piece, f"has its middle under a later piece, that of actions {list(hit.actions)}"
        elif min(width, height) < SMALLEST - 0.05:
            size = f"{width:.1f} x {height:.1f} pixels"
            yield piece, f"is {size} where the drawing is {WIDTH} wide: at least {SMALLEST} each way"
