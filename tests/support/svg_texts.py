"""The texts of an SVG picture as a reader meets them: how large they are, and how clearly they stand out
from what lies under them.

Shapes are painted one after the other, as a browser does it, at a few points along each text. What is not
understood is an error, so that no text escapes.
"""

import cmath
import functools
import itertools
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import NamedTuple

Colour = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float]
NAMED = {"white": "#ffffff", "black": "#000000"}
INHERITED = ("fill", "font-size", "text-anchor", "fill-opacity")
SHAPES = ("rect", "circle", "ellipse", "polygon", "path")
WIDTH_OF_A_LETTER = 0.5  # of the font's size
CURVE_PIECES = 12


class DrawnText(NamedTuple):
    """A text of a picture."""

    words: str
    size: float  # in px, if the picture is 1,000 px wide
    contrast: float  # the least along the text, from 1 to 21 (WCAG 2)
    colour: str
    x: float  # of its middle, in the picture's own units
    y: float


class Shape(NamedTuple):
    """A filled shape, with the way from the picture's coordinates into its own."""

    element: ElementTree.Element
    back: Matrix
    colours: tuple[Colour, ...]  # several, if it is a gradient
    alpha: float


def measure_texts(svg: str) -> list[DrawnText]:
    """Every text of a picture, in the order in which they are drawn."""
    root = ElementTree.fromstring(svg)
    _, _, width, _ = (float(number) for number in re.split(r"[ ,]+", root.get("viewBox", "").strip()))
    shapes: list[Shape] = []
    texts = []
    for element, matrix, style in _walk(root, (1, 0, 0, 1, 0, 0), {"opacity": "1"}):
        kind = element.tag.rpartition("}")[2]
        if kind in SHAPES and style.get("fill", "black") != "none":
            alpha = float(style.get("fill-opacity", "1")) * float(style["opacity"])
            shapes.append(
                Shape(element, _invert(matrix), _read_fill(style.get("fill", "black"), root), alpha)
            )
        elif kind == "text" and "".join(element.itertext()).strip():
            texts.append(_measure(element, matrix, style, shapes, 1000 / width))
    return texts


def _walk(
    node: ElementTree.Element, matrix: Matrix, style: dict[str, str]
) -> Iterator[tuple[ElementTree.Element, Matrix, dict[str, str]]]:
    """Every element with its matrix and its style; definitions are not drawn."""
    own = {**node.attrib, **dict(re.findall(r"([\w-]+)\s*:\s*([^;]+)", node.get("style", "")))}
    opacity = float(style["opacity"]) * float(own.get("opacity", "1"))
    style = {
        **style,
        **{name: own[name].strip() for name in INHERITED if name in own},
        "opacity": str(opacity),
    }
    matrix = _multiply(matrix, _read_transform(node.get("transform", "")))
    yield node, matrix, style
    for child in node:
        if child.tag.rpartition("}")[2] not in ("defs", "title", "desc", "style"):
            yield from _walk(child, matrix, style)


def _measure(
    text: ElementTree.Element, matrix: Matrix, style: dict[str, str], shapes: list[Shape], scale: float
) -> DrawnText:
    words = "".join(text.itertext()).strip()
    grown = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    sizes = [
        float(part.get("font-size", style.get("font-size", "16")).removesuffix("px")) for part in text.iter()
    ]
    size, long = min(sizes), WIDTH_OF_A_LETTER * max(sizes) * len(words)
    begins = {"start": 0.0, "middle": -0.5, "end": -1.0}[style.get("text-anchor", "start")] * long
    x, y = float(text.get("x", "0")) + begins, float(text.get("y", "0")) - 0.35 * size
    points = [_move(matrix, (x + share * long, y)) for share in (0.05, 0.25, 0.5, 0.75, 0.95)]
    fill = style.get("fill", "black")
    (ink,) = _read_fill(fill, text)
    contrast = min(
        compute_contrast(ink, colour) for point in points for colour in _list_colours_under(point, shapes)
    )
    return DrawnText(words, size * grown * scale, contrast, fill, *points[2])


def _list_colours_under(point: tuple[float, float], shapes: list[Shape]) -> list[Colour]:
    colours: list[Colour] = [(1.0, 1.0, 1.0)]
    for shape in shapes:
        if _is_inside(shape.element, _move(shape.back, point)):
            colours = [
                _mix(below, colour, shape.alpha)
                for below in (colours if shape.alpha < 1 else colours[:1])
                for colour in shape.colours
            ]
    return colours


def compute_contrast(one: Colour, other: Colour) -> float:
    """The ratio of two colours' luminances, from 1 to 21."""
    lights = sorted((_find_luminance(one), _find_luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _find_luminance(colour: Colour) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _mix(below: Colour, above: Colour, alpha: float) -> Colour:
    red, green, blue = (b + (a - b) * alpha for b, a in zip(below, above, strict=True))
    return red, green, blue


def _read_fill(fill: str, root: ElementTree.Element) -> tuple[Colour, ...]:
    """The colour of a fill, or those of its gradient."""
    if fill.startswith("url(#"):
        name = fill[5:].rstrip(")")
        stops = [stop for node in root.iter() if node.get("id") == name for stop in node]
        return tuple(_read_colour(stop.get("stop-color", "black")) for stop in stops)
    return (_read_colour(fill),)


def _read_colour(colour: str) -> Colour:
    digits = NAMED.get(colour, colour).removeprefix("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    if not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        raise ValueError(f"the colour {colour} is not understood")
    red, green, blue = (int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4))
    return red, green, blue


# ---- places


def _multiply(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)


def _invert(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    return (d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)


def _move(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def _read_transform(transform: str) -> Matrix:
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    for name, written in re.findall(r"(\w+)\(([^)]*)\)", transform):
        matrix = _multiply(
            matrix, _read_step(name, [float(number) for number in re.split(r"[ ,]+", written.strip())])
        )
    return matrix


def _read_step(name: str, numbers: list[float]) -> Matrix:
    if name == "translate":
        return (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0)
    if name == "scale":
        return (numbers[0], 0, 0, numbers[-1], 0, 0)
    if name == "rotate":
        turn, (x, y) = math.radians(numbers[0]), numbers[1:] or (0, 0)
        turned = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0, 0)
        return _multiply(_multiply((1, 0, 0, 1, x, y), turned), (1, 0, 0, 1, -x, -y))
    if name == "matrix":
        a, b, c, d, e, f = numbers
        return (a, b, c, d, e, f)
    raise ValueError(f"the transform {name} is not understood")


def _is_inside(shape: ElementTree.Element, point: tuple[float, float]) -> bool:
    kind = shape.tag.rpartition("}")[2]
    x, y = point

    def read(name: str) -> float:
        value = shape.get(name, "0")
        return float(value.removesuffix("px")) if value != "100%" else math.inf

    if kind == "rect":
        return read("x") <= x <= read("x") + read("width") and read("y") <= y <= read("y") + read("height")
    if kind == "circle":
        return math.hypot(x - read("cx"), y - read("cy")) <= read("r")
    if kind == "ellipse":
        return math.hypot((x - read("cx")) / read("rx"), (y - read("cy")) / read("ry")) <= 1
    outline = _list_corners(shape.get("points", "")) if kind == "polygon" else _trace_path(shape.get("d", ""))
    return _is_inside_outline(outline, complex(x, y))


def _is_inside_outline(outline: tuple[complex, ...], point: complex) -> bool:
    """Whether a line to the right crosses the outline an odd number of times."""
    crossings = 0
    if not _is_inside_box(outline, point):
        return False
    for one, other in zip(outline, [*outline[1:], *outline[:1]], strict=True):
        if (one.imag > point.imag) != (other.imag > point.imag):
            share = (point.imag - one.imag) / (other.imag - one.imag)
            crossings += point.real < one.real + share * (other.real - one.real)
    return crossings % 2 == 1


def _is_inside_box(outline: tuple[complex, ...], point: complex) -> bool:
    left, right, top, bottom = _find_box(outline)
    return left <= point.real <= right and top <= point.imag <= bottom


@functools.cache
def _find_box(outline: tuple[complex, ...]) -> tuple[float, float, float, float]:
    across, down = [corner.real for corner in outline], [corner.imag for corner in outline]
    return min(across), max(across), min(down), max(down)


@functools.cache
def _list_corners(points: str) -> tuple[complex, ...]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", points)]
    return tuple(complex(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


# ---- paths


PARAMETERS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


@functools.cache
def _trace_path(path: str) -> tuple[complex, ...]:
    """The outline of a path as corners; curves in pieces, several parts joined by lines."""
    outline, start = [0j], 0j
    for command, numbers in _list_commands(path):
        here, kind = outline[-1], command.lower()
        origin = here if command.islower() else 0j
        if kind == "z":
            outline.append(start)
        elif kind == "h":
            outline.append(complex(numbers[0] + origin.real, here.imag))
        elif kind == "v":
            outline.append(complex(here.real, numbers[0] + origin.imag))
        elif kind == "a":
            outline += _trace_arc(here, numbers, origin + complex(numbers[5], numbers[6]))
        else:
            corners = [origin + complex(*numbers[i : i + 2]) for i in range(0, len(numbers), 2)]
            outline += _trace_curve([here, *corners]) if kind in "cq" else corners[-1:]
        start = outline[-1] if kind == "m" else start
    return tuple(outline[1:])


def _list_commands(path: str) -> Iterator[tuple[str, list[float]]]:
    for command, written in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", written)]
        count = PARAMETERS[command.lower()]
        if not count:
            yield command, []
        for first in range(0, len(numbers), count or 1):
            yield command, numbers[first : first + count]


def _trace_curve(corners: list[complex]) -> list[complex]:
    """Points of a Bezier curve, by De Casteljau's way."""
    points = []
    for piece in range(1, CURVE_PIECES + 1):
        level = corners
        while len(level) > 1:
            level = [a + (b - a) * piece / CURVE_PIECES for a, b in itertools.pairwise(level)]
        points.append(level[0])
    return points


def _trace_arc(here: complex, numbers: list[float], there: complex) -> list[complex]:
    """Points of an elliptical arc, after the notes on implementation of the SVG standard."""
    rx, ry, turned, large, sweep = numbers[:5]
    if here == there or not rx or not ry:
        return [there]
    turn = cmath.exp(1j * math.radians(turned))
    half = (here - there) / 2 / turn
    half = complex(half.real / rx, half.imag / ry)  # now on a circle
    scale = max(1.0, abs(half))
    half /= scale
    side = 1 if large != sweep else -1
    centre = side * complex(half.imag, -half.real) / abs(half) * math.sqrt(max(0.0, 1 - abs(half) ** 2))
    first, span = cmath.phase(half - centre), cmath.phase((-half - centre) / (half - centre))
    span += 2 * math.pi if sweep and span < 0 else -2 * math.pi if not sweep and span > 0 else 0
    middle, points = (here + there) / 2, []
    for piece in range(1, CURVE_PIECES + 1):
        unit = (centre + cmath.rect(1, first + span * piece / CURVE_PIECES)) * scale
        points.append(middle + complex(unit.real * rx, unit.imag * ry) * turn)
    return points
