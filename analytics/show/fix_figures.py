"""The front of a search for a fix as a figure: size against how far the goals are."""

from html import escape
from pathlib import Path

import plotly.graph_objects as go

from analytics.questions.fix.conclusions import WORDS
from analytics.questions.fix.results import Fix
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN
from analytics.show.figures import make_error_bars
from boardgames.files import write_file

# readable by colour-blind people; each verdict has a symbol too
STYLES = {
    PASS: ("#0072B2", "circle"),
    UNKNOWN: ("#E69F00", "diamond"),
    FAIL: ("#D55E00", "x"),
    "": ("#999999", "circle-open"),
}
ROW_HEIGHT = 34  # pixels of a change


def describe_shortfall() -> str:
    """What the numbers of the front mean."""
    return (
        "Distance: the goal that is missed by most, in smallest differences that matter, with its 95% "
        "interval. Below 0, all goals are met. The search chose by these numbers, so the best look a little "
        "too good."
    )


def draw_front(fix: Fix) -> go.Figure:
    """Each change with its interval, the smallest on top; left of the line, the goals are met."""
    figure = go.Figure()
    labels = [f"{escape(', '.join(candidate.changes))}" for candidate in fix.candidates]
    for verdict, (colour, symbol) in STYLES.items():
        chosen = [
            (label, candidate)
            for label, candidate in zip(labels, fix.candidates, strict=True)
            if (candidate.trial.verdict if candidate.trial else "") == verdict
        ]
        if not chosen:
            continue
        estimates = [candidate.shortfall for _, candidate in chosen]
        figure.add_scatter(
            x=[estimate.mean for estimate in estimates],
            y=[label for label, _ in chosen],
            error_x=make_error_bars(estimates),
            mode="markers",
            marker={"size": 11, "color": colour, "symbol": symbol},
            name=f"on fresh deals: {WORDS[verdict]}" if verdict else "by the search alone",
            hovertext=[
                _format_hover(label, candidate.parameters, candidate.steps) for label, candidate in chosen
            ],
            hoverinfo="text+x",
        )
    figure.add_vline(
        x=0,
        line_dash="dot",
        line_color="#666666",
        annotation_text="left: all goals met",
        annotation_position="top left",
    )
    figure.update_layout(
        xaxis={"title": "distance from the goals, in<br>smallest differences that matter"},
        yaxis={
            "title": "changes, the smallest first",
            "categoryorder": "array",
            "categoryarray": labels,
            "range": [len(labels) - 0.5, -1.2],  # the smallest on top, below the words at the line
            "automargin": True,
        },
        height=220 + ROW_HEIGHT * len(labels),
        legend={"orientation": "h", "y": -0.3},
        showlegend=True,
        template="plotly_white",
    )
    return figure


def _format_hover(label: str, parameters: int, steps: int) -> str:
    return f"{label}<br>{parameters} parameters, {steps} steps"


def write_front(fix: Fix, path: Path) -> None:
    """The figure in a file that needs no network."""
    figure = draw_front(fix)
    figure.update_layout(title=escape(f"Changes of {fix.variant} against its goals: {'; '.join(fix.goals)}"))
    write_file(path, figure.to_html(include_plotlyjs=True))
