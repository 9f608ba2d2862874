"""How answers show themselves in a notebook: the terminal's sentences and tables as HTML, the numbers as a
pandas table, the charts as Plotly figures.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
from rich.table import Table
from rich.text import Text

from analytics.questions.alternatives import Robustness
from analytics.questions.coverage import Coverage
from analytics.questions.effort import Effort
from analytics.questions.explain import Explanation
from analytics.questions.fix.results import Fix
from analytics.questions.goals.check import Balance
from analytics.questions.ladder import Ladder
from analytics.questions.luck.results import LuckAnswer
from analytics.questions.people import PeopleComparison
from analytics.questions.side_by_side import SideBySide, show_side_by_side
from analytics.questions.sweep.sweep import Sweep
from analytics.show.figures import COLOURS
from analytics.show.fix_figures import draw_front
from analytics.show.forest import ROW_HEIGHT, ForestRow, draw_forest
from analytics.show.frames import (
    list_candidate_rows,
    list_check_rows,
    list_comparison_rows,
    list_ladder_rows,
    list_luck_rows,
    list_sweep_rows,
)
from analytics.show.ladder import draw_ladders, show_ladder
from analytics.show.luck_figures import draw_luck
from analytics.show.sweep_figures import draw_sweep
from analytics.show.terminal.alternatives import show_robustness
from analytics.show.terminal.comparison import show_comparison
from analytics.show.terminal.coverage import show_coverage
from analytics.show.terminal.effort import show_plan
from analytics.show.terminal.explanation import show_explanation
from analytics.show.terminal.fix import show_fix
from analytics.show.terminal.goals import show_balance
from analytics.show.terminal.luck import show_luck
from analytics.show.terminal.people import show_people
from analytics.show.terminal.sweep import show_sweep
from analytics.verdict.results import Comparison
from boardgames.notebook import format_table


def draw_comparison(comparison: Comparison) -> go.Figure:
    """The main metrics of every contrast, as a forest plot."""
    rows = []
    for index, contrast in enumerate(comparison.contrasts):
        where = f"{contrast.b}, {contrast.players} players: " if len(comparison.contrasts) > 1 else ""
        for line in contrast.main_lines:
            title = f"{where}{line.metric} {line.part}".rstrip()
            rows.append(ForestRow(line, title, COLOURS[index % len(COLOURS)]))
    figure = go.Figure(layout={"template": "plotly_white", "height": 120 + ROW_HEIGHT * len(rows)})
    draw_forest(figure, rows)
    figure.update_yaxes(automargin=True)
    others = ", ".join(dict.fromkeys(contrast.b for contrast in comparison.contrasts))
    figure.update_layout(title=escape(f"{others} against {comparison.variants[0]}"), margin={"t": 50})
    return figure


def _draw_sweep(sweep: Sweep) -> go.Figure:
    """The metric of the aim over the grid."""
    metric = sweep.grid.metrics[0]
    part = next(iter(sweep.grid.points[0].answers[metric]), "")
    return draw_sweep(sweep.grid, metric, part).update_layout(template="plotly_white")


class Presentation(NamedTuple):
    """How answers of one kind are shown."""

    show: Callable[[Any], Iterator[Any]]  # as lines and tables of the terminal
    list_rows: Callable[[Any], Iterator[dict[str, Any]]] | None = None  # as rows of a table
    draw: Callable[[Any], go.Figure] | None = None


PRESENTATIONS: dict[type, Presentation] = {
    Balance: Presentation(show_balance, list_check_rows),
    Comparison: Presentation(show_comparison, list_comparison_rows, draw_comparison),
    Coverage: Presentation(show_coverage),
    Effort: Presentation(show_plan),
    Explanation: Presentation(show_explanation),
    Fix: Presentation(show_fix, list_candidate_rows, draw_front),
    Ladder: Presentation(show_ladder, list_ladder_rows, lambda ladder: draw_ladders([ladder])),
    LuckAnswer: Presentation(show_luck, list_luck_rows, draw_luck),
    PeopleComparison: Presentation(show_people),
    Robustness: Presentation(show_robustness),
    SideBySide: Presentation(show_side_by_side),
    Sweep: Presentation(show_sweep, list_sweep_rows, _draw_sweep),
}


def format_answer(answer: Any) -> str:
    """The sentences and tables of the terminal, as HTML."""
    parts = PRESENTATIONS[type(answer)].show(answer)
    return "".join(_format_part(part) for part in parts)


def _format_part(part: Any) -> str:
    if isinstance(part, Table):
        heads = [_read_text(column.header) for column in part.columns]
        rows = zip(*([_read_text(cell) for cell in column.cells] for column in part.columns), strict=True)
        title, caption = (_format_part(str(text)) if text else "" for text in (part.title, part.caption))
        return f"{title}{format_table(heads, rows)}{caption}"
    lines = str(part).strip().splitlines()
    return "".join(f"<p>{escape(re.sub('^- ', '• ', line))}</p>" for line in lines)


def _read_text(cell: Any) -> str:
    return Text.from_markup(cell).plain if isinstance(cell, str) else str(cell)


def make_frame(answer: Any) -> pd.DataFrame:
    """The numbers of an answer, one row each."""
    list_rows = PRESENTATIONS[type(answer)].list_rows
    assert list_rows is not None
    return pd.DataFrame(list(list_rows(answer)))


def draw_answer(answer: Any) -> go.Figure:
    draw = PRESENTATIONS[type(answer)].draw
    assert draw is not None
    return draw(answer)
