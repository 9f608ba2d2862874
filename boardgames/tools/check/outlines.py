"""The outlines of SVG shapes as points, in the coordinates of the whole picture."""

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Points = np.ndarray[Any, Any]  # one row a point: x, y
Matrix = np.ndarray[Any, Any]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
STEPS = 24  # points along a circle or a curve
ARGUMENTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}


def read_transform(text: str) -> Matrix | None:
    """The matrix of a `transform`; None if it is written in a way that this does not read."""
    matrix: Matrix = np.eye(3)
    try:
        for name, arguments in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
            matrix = matrix @ _make_matrix(name, _read_numbers(arguments))
    except ValueError:
        return None
    return matrix


def _make_matrix(name: str, numbers: list[float]) -> Matrix:
    if name == "matrix":
        a, b, c, d, e, f = numbers
        return np.array([[a, c, e], [b, d, f], [0, 0, 1]])
    first, second = (*numbers, 0.0, 0.0)[:2]
    if name == "translate":
        return np.array([[1, 0, first], [0, 1, second], [0, 0, 1]])
    if name == "scale":
        return np.diag([first, second if len(numbers) > 1 else first, 1])
    if name == "rotate" and len(numbers) == 3:
        there, back = (_make_matrix("translate", [sign * n for n in numbers[1:]]) for sign in (1, -1))
        return there @ _make_matrix("rotate", numbers[:1]) @ back
    turn = math.radians(first)
    if name == "rotate":
        return np.array(
            [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]]
        )
    if name == "skewX":
        return np.array([[1, math.tan(turn), 0], [0, 1, 0], [0, 0, 1]])
    if name == "skewY":
        return np.array([[1, 0, 0], [math.tan(turn), 1, 0], [0, 0, 1]])
    raise ValueError(name)


def trace(element: ElementTree.Element, kind: str) -> list[Points] | None:
    """The outlines of a shape in its own coordinates; None if it is of a kind, or written in a way, that this
    does not read.
    """
    try:
        return TRACERS[kind](element) if kind in TRACERS else None
    except (ValueError, IndexError):
        return None


def _trace_rectangle(element: ElementTree.Element) -> list[Points]:
    x, y, width, height = (_read_length(element, name) for name in ("x", "y", "width", "height"))
    return [np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])]


def _trace_ellipse(element: ElementTree.Element) -> list[Points]:
    radius = _read_length(element, "r")
    rx, ry = _read_length(element, "rx") or radius, _read_length(element, "ry") or radius
    turns = np.linspace(0, math.tau, STEPS, endpoint=False)
    x, y = _read_length(element, "cx"), _read_length(element, "cy")
    return [np.column_stack([x + rx * np.cos(turns), y + ry * np.sin(turns)])]


def _trace_corners(element: ElementTree.Element) -> list[Points]:
    return [np.array(_read_numbers(element.get("points", ""))).reshape(-1, 2)]


def _trace_line(element: ElementTree.Element) -> list[Points]:
    x1, y1, x2, y2 = (_read_length(element, name) for name in ("x1", "y1", "x2", "y2"))
    return [np.array([(x1, y1), (x2, y2)])]


def _trace_path(element: ElementTree.Element) -> list[Points]:
    """Lines as they are; curves by points on them."""
    outlines: list[list[complex]] = []
    here = bend = 0j
    for letter, numbers in _split_path(element.get("d", "")):
        kind, origin = letter.upper(), here if letter.islower() else 0j
        if kind == "Z":
            here = outlines[-1][0]
            continue
        if kind == "M" or not outlines:
            outlines.append([])
        steps, bend = _follow(kind, origin, here, bend, numbers)
        outlines[-1] += steps
        here = steps[-1]
    return [np.array([(point.real, point.imag) for point in outline]) for outline in outlines]


def _split_path(text: str) -> Iterator[tuple[str, list[float]]]:
    """The commands of a path, each with the numbers of one step."""
    for letter, arguments in re.findall(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*)", text):  # e is in 1e3
        numbers, count = _read_numbers(arguments), ARGUMENTS.get(letter.upper(), -1)
        if count < 0 or (count and (not numbers or len(numbers) % count)):
            raise ValueError(text)
        if not count:
            yield letter, []
        for start in range(0, len(numbers), count or 1):
            is_more = start > 0 and letter in "Mm"  # further points of a move are lines
            yield {"M": "L", "m": "l"}[letter] if is_more else letter, numbers[start : start + count]


def _follow(
    kind: str, origin: complex, here: complex, bend: complex, numbers: list[float]
) -> tuple[list[complex], complex]:
    """The points of one step of a path, and the control point that a smooth curve after it mirrors."""
    if kind == "H":
        end = complex(numbers[0] + origin.real, here.imag)
        return [end], end
    if kind == "V":
        end = complex(here.real, numbers[0] + origin.imag)
        return [end], end
    if kind == "A":
        end = origin + complex(*numbers[5:])
        return _bend_arc(here, end, *numbers[:5]), end
    points = [origin + complex(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    if kind in "ST":
        points.insert(0, 2 * here - bend)
    if len(points) == 1:
        return points, points[0]
    return _bend_curve([here, *points]), points[-2]


def _bend_curve(controls: list[complex]) -> list[complex]:
    """Points along a Bezier curve."""
    degree = len(controls) - 1
    return [
        sum(
            (math.comb(degree, k) * (1 - t) ** (degree - k) * t**k * c for k, c in enumerate(controls)),
            start=0j,
        )
        for t in (step / STEPS for step in range(1, STEPS + 1))
    ]


def _bend_arc(
    start: complex, end: complex, rx: float, ry: float, turned: float, large: float, sweep: float
) -> list[complex]:
    """Points along an arc of an ellipse: on the unit circle, turned and stretched back."""
    if start == end or not rx or not ry:
        return [end]
    turn = complex(math.cos(math.radians(turned)), math.sin(math.radians(turned)))

    def squeeze(point: complex) -> complex:
        point /= turn
        return complex(point.real / rx, point.imag / ry)

    first, last = squeeze(start), squeeze(end)
    chord = last - first
    size = max(1.0, abs(chord) / 2)  # an ellipse that is too small grows
    rise = math.sqrt(max(0.0, size**2 - abs(chord) ** 2 / 4)) / abs(chord)
    centre = (first + last) / 2 + chord * complex(0, rise if bool(large) != bool(sweep) else -rise)
    begin = math.atan2((first - centre).imag, (first - centre).real)
    angle = math.atan2((last - centre).imag, (last - centre).real) - begin
    angle = angle % math.tau if sweep else -(-angle % math.tau)
    circle = (
        centre + size * complex(math.cos(begin + angle * t), math.sin(begin + angle * t))
        for t in (step / STEPS for step in range(1, STEPS + 1))
    )
    return [complex(point.real * rx, point.imag * ry) * turn for point in circle]


def _read_numbers(text: str) -> list[float]:
    if re.sub(f"{NUMBER}|[\\s,]", "", text):
        raise ValueError(text)
    return [float(number) for number in re.findall(NUMBER, text)]


def _read_length(element: ElementTree.Element, name: str) -> float:
    """A length without a unit, or in pixels; raises ValueError for others."""
    return float(element.get(name, "0").removesuffix("px"))


TRACERS: dict[str, Callable[[ElementTree.Element], list[Points]]] = {
    "rect": _trace_rectangle,
    "circle": _trace_ellipse,
    "ellipse": _trace_ellipse,
    "polygon": _trace_corners,
    "polyline": _trace_corners,
    "line": _trace_line,
    "path": _trace_path,
}
