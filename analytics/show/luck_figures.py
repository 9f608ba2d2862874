"""Where the luck comes from, as a chart in one HTML file."""

from html import escape
from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analytics.metric.luck import QUANTITIES, SEAT, name_source
from analytics.questions.luck.results import LuckAnswer, QuantityLuck, VariantLuck
from analytics.show.figures import COLOURS, make_error_bars
from analytics.stats.intervals import Estimate
from boardgames.files import write_file


def write_chart(answer: LuckAnswer, path: Path) -> None:
    """A panel for each quantity, a row for each source, with intervals. The file needs no network."""
    write_file(path, draw_luck(answer).to_html(include_plotlyjs=True))


def draw_luck(answer: LuckAnswer) -> go.Figure:
    titles = [f"What decides {quantity}" for quantity in QUANTITIES]
    figure = make_subplots(rows=1, cols=len(QUANTITIES), subplot_titles=titles, shared_yaxes=True)
    for index, split in enumerate(answer.splits):
        for column, luck in enumerate(split.quantities, 1):
            _add_marks(figure, split, luck, index, column)
    figure.update_xaxes(title="% (bars: 95% intervals)", range=[-3, 103])
    figure.update_yaxes(autorange="reversed", automargin=True)
    rows = max(len(split.quantities[0].sources) for split in answer.splits) + 1
    figure.update_layout(
        title="Where the luck comes from: fair share, decided alone, involved in",
        template="plotly_white",
        scattermode="group",
        height=220 + rows * (30 + 24 * len(answer.splits)),
        legend={"orientation": "h", "y": -0.2},
    )
    return figure


def _add_marks(figure: go.Figure, split: VariantLuck, luck: QuantityLuck, index: int, column: int) -> None:
    """The marks of one variant in one panel."""
    seat = {name_source(SEAT): luck.seat}
    marks = {
        ("share", "circle"): {source.title: source.share for source in luck.sources} | seat,
        ("alone", "line-ns-open"): {source.title: source.alone for source in luck.sources},
        ("involved", "circle-open"): {source.title: source.involved for source in luck.sources},
    }
    name = f"{split.variant}, {split.players} players"
    for (meaning, symbol), estimates in marks.items():
        known = {title: estimate for title, estimate in estimates.items() if estimate.has_interval}
        percents: list[Estimate] = [estimate.scale(100) for estimate in known.values()]
        figure.add_scatter(
            x=[estimate.mean for estimate in percents],
            y=[escape(title) for title in known],
            error_x=make_error_bars(percents),
            name=f"{escape(name)}: {meaning}",
            orientation="h",
            mode="markers",
            offsetgroup=f"{index} {meaning}",
            marker={"color": COLOURS[index % len(COLOURS)], "symbol": symbol, "size": 10},
            showlegend=column == 1,
            row=1,
            col=column,
        )
