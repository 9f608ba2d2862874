"""The answer of a comparison as one picture: what changed, by how much, and whether that matters."""

import math
from collections.abc import Sequence
from pathlib import Path

from analytics.questions.compare.conclusions import describe_line, format_values, label_verdict, sort_others
from analytics.show.chart.canvas import BAND, GREY, Canvas, fit_size
from analytics.show.figures import COLOURS, INK
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from boardgames.errors import InvalidInput
from boardgames.files import write_file

WIDTH, ROW, HEAD, FOOT = 760, 46, 86, 50
LEFT, PLOT, RIGHT = 316, 322, 122  # the columns: what changed, the picture, the verdict
TICKS = (0, 1, 2, 5, 10, 30, 100, 300)  # in thresholds
ORDER = (DIFFERENT, UNCLEAR, SAME, UNKNOWN, NONE)
LOOKS = {DIFFERENT: COLOURS[0], UNCLEAR: COLOURS[1], SAME: GREY, UNKNOWN: GREY, NONE: GREY}


def check_chart_file(path: Path) -> None:
    """Raise if the name does not say that it is an SVG file."""
    if path.suffix.lower() != ".svg":
        name = path.with_suffix(".svg") if path.name else "answer.svg"
        raise InvalidInput(f"a chart is an SVG file: write --chart {name}")


def write_answer(comparison: Comparison, path: Path) -> None:
    write_file(path, draw_answer(comparison))


def draw_answer(comparison: Comparison) -> str:
    """A section for each variant and player count, one below the other."""
    return draw_contrasts(comparison.contrasts, has_stars=bool(comparison.reconstructed))


def draw_contrasts(
    contrasts: Sequence[Contrast], *, has_stars: bool, scale_of: Sequence[Contrast] = ()
) -> str:
    """A section for each contrast, all on one scale: their own, or that of other pictures beside it."""
    sections = [(contrast, select_lines(contrast)) for contrast in contrasts]
    reach = _find_reach([line for contrast in scale_of or contrasts for line in select_lines(contrast)])
    canvas = Canvas(WIDTH, FOOT + sum(_measure_height(lines) for _, lines in sections))
    y = 0.0
    for contrast, lines in sections:
        _draw_section(canvas, y, contrast, lines, reach)
        y += _measure_height(lines)
    _draw_key(canvas, y, has_stars=has_stars)
    variants = dict.fromkeys(name for contrast in contrasts for name in (contrast.a, contrast.b))
    return canvas.render(f"What changes between {' and '.join(variants)}, in thresholds")


def _measure_height(lines: Sequence[Line]) -> float:
    return HEAD + ROW * max(1, len(lines)) + 24


def select_lines(contrast: Contrast) -> list[Line]:
    """The main metrics in the order of the sentences, then the largest other difference."""
    others = sort_others([line for line in contrast.lines if not line.is_main])
    return [*sorted(contrast.main_lines, key=_rank), *others[:1]]


def _rank(line: Line) -> tuple[int, float]:
    """What differs comes first, the largest before the others; what is open keeps its order."""
    return ORDER.index(line.verdict), 0.0 if line.verdict in (UNKNOWN, NONE) else -_measure_size(line)


def _measure_size(line: Line) -> float:
    return abs(line.difference.mean) / line.threshold if line.threshold > 0 else 0.0


def _draw_section(
    canvas: Canvas, top: float, contrast: Contrast, lines: Sequence[Line], reach: float
) -> None:
    title = f"{contrast.b} instead of {contrast.a}"
    canvas.add_text(20, top + 32, title, size=fit_size(title, WIDTH - 40, 19), is_bold=True)
    setting = f"{contrast.players} players, played by {contrast.agent}, {contrast.matches:,} matches of each"
    canvas.add_text(20, top + 54, setting, colour=GREY)
    if not lines:
        why = "The rules are the same." if contrast.same_rules else "Too few matches yet."
        canvas.add_text(20, top + HEAD + 24, why)
        return
    bottom = top + HEAD + ROW * len(lines)
    _draw_scale(canvas, top + HEAD - 6, bottom, reach)
    for index, line in enumerate(lines):
        _draw_row(canvas, top + HEAD + ROW * index, line, reach)


def _find_reach(lines: Sequence[Line]) -> float:
    """How far the scale reaches to either side."""
    ends = [
        abs(math.asinh(end / line.threshold))
        for line in lines
        for end in line.difference[:3]
        if line.threshold > 0 and math.isfinite(end)
    ]
    return 1.08 * max([math.asinh(3), *ends])


def _find_x(thresholds: float, reach: float) -> float:
    """Where a difference in thresholds stands: linear near 0, compressed far from it, cut off at the edge."""
    part = max(-1.0, min(1.0, math.asinh(thresholds) / reach))
    return LEFT + PLOT / 2 * (1 + part)


def _draw_scale(canvas: Canvas, top: float, bottom: float, reach: float) -> None:
    left, right = _find_x(-1, reach), _find_x(1, reach)
    canvas.add_rectangle((left, top), right - left, bottom - top, BAND)
    canvas.add_text((left + right) / 2, top - 6, "too small to matter", size=11, anchor="middle", colour=GREY)
    canvas.add_text(LEFT, top - 6, "lower", size=11, colour=GREY)
    canvas.add_text(LEFT + PLOT, top - 6, "higher", size=11, anchor="end", colour=GREY)
    centre = _find_x(0, reach)
    canvas.add_line((centre, top), (centre, bottom), GREY)
    for tick in TICKS:
        for sign in (-1, 1) if tick else (1,):
            if math.asinh(tick) <= reach:
                x = _find_x(sign * tick, reach)
                canvas.add_line((x, bottom), (x, bottom + 4), GREY)
                text = f"{sign * tick:+d}" if tick else "0"
                canvas.add_text(x, bottom + 17, text, size=11, anchor="middle", colour=GREY)


def _draw_row(canvas: Canvas, top: float, line: Line, reach: float) -> None:
    colour = LOOKS[line.verdict]
    text = describe_line(line)
    canvas.add_text(20, top + 19, text, size=fit_size(text, LEFT - 30, 14), is_bold=line.verdict == DIFFERENT)
    values = format_values(line).replace("percentage points", "pp")
    canvas.add_text(20, top + 36, values, size=fit_size(values, LEFT - 30, 12), colour=GREY)
    label = label_verdict(line)
    canvas.add_text(LEFT + PLOT + 14, top + 28, label, size=fit_size(label, RIGHT - 16, 13), colour=INK)
    if line.threshold <= 0 or not math.isfinite(line.difference.mean):
        return
    y = top + 24
    for low, high, width in ((line.low, line.high, 1.5), (*line.difference[1:3], 6)):
        if math.isfinite(low) and math.isfinite(high):
            ends = [_find_x(end / line.threshold, reach) for end in (low, high)]
            canvas.add_line((ends[0], y), (ends[1], y), colour, width)
    x = _find_x(line.difference.mean / line.threshold, reach)
    canvas.add_mark(x, y, colour, is_hollow=line.verdict == UNKNOWN)


def _draw_key(canvas: Canvas, top: float, *, has_stars: bool) -> None:
    """How to read it, once."""
    canvas.add_text(
        LEFT + PLOT / 2, top + 10, "difference, in thresholds", size=11, anchor="middle", colour=GREY
    )
    star = " * Parts of the game are reconstructed." if has_stars else ""
    text = f"Thick: 95% interval. Thin: always-valid interval, which decides.{star}"
    canvas.add_text(20, top + 36, text, size=11, colour=GREY)
