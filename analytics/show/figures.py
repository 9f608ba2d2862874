"""The figures of a report: data in, Plotly out."""

import itertools
from collections.abc import Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from analytics.metric.chance_race import LEADER
from analytics.metric.metric import LEADER_CONVERSION, LENGTH, SEAT_WIN_SHARE
from analytics.questions.report import Report, VariantReport
from analytics.stats.intervals import Estimate

# Apart for every kind of colour-blindness, and readable on white and on the dashboard's dark ground: a test
# works it out.
COLOURS = ("#6349fd", "#de7709", "#2fa784", "#da0044", "#a14b9b", "#a77df5")
SYMBOLS = ("circle", "diamond", "square", "cross")
SERIES_STYLES = tuple((colour, symbol) for symbol in SYMBOLS for colour in COLOURS)
INK = "#2b2b2b"
GRID = "#e3e1da"


def draw_seats(variant: VariantReport) -> go.Figure:
    """Shares of wins by seat, times the players: 1 is fair."""
    figure = _make_figure("seat", "wins (1 is a fair share)")
    figure.update_layout(scattermode="group", scattergap=0.6)  # side by side
    all_shares: list[Estimate] = []
    for style, result in zip(itertools.cycle(SERIES_STYLES), variant.results, strict=False):
        shares = result.answers.get(SEAT_WIN_SHARE, {})
        scaled = [estimate.scale(result.players) for estimate in shares.values()]
        _add_dots(figure, f"{result.players} players", list(shares), scaled, style)
        all_shares += scaled
    figure.add_hline(y=1, line_dash="dot", line_color=INK)
    away = max((max(1 - estimate.low, estimate.high - 1) for estimate in all_shares), default=0)
    figure.update_yaxes(range=[1 - 1.1 * away, 1 + 1.1 * away] if away else None)
    return figure


def draw_lengths(report: Report) -> go.Figure:
    """Turns of each player by player count."""
    figure = _make_figure("players", "turns of each player")
    for style, variant in zip(itertools.cycle(SERIES_STYLES), report.variants, strict=False):
        results = [result for result in variant.results if LENGTH in result.answers]
        lengths = [result.answers[LENGTH][""].scale(1 / result.players) for result in results]
        labels = [str(result.players) for result in results]
        _add_dots(figure, variant.name, labels, lengths, style, "lines+markers")
    return figure


def draw_leaders(variant: VariantReport) -> go.Figure:
    """How often the leader after a part of the match wins; dotted, the race of pure luck."""
    figure = _make_figure("part of the match that is played", "the leader wins, %")
    for style, result in zip(itertools.cycle(SERIES_STYLES), variant.results, strict=False):
        leads = result.answers.get(LEADER_CONVERSION, {})
        labels = [f"{part} %" for part in leads]
        percents = [estimate.scale(100) for estimate in leads.values()]
        _add_dots(figure, f"{result.players} players", labels, percents, style, "lines+markers")
        if leads and result.calibrated and result.players in LEADER:
            luck = [100 * LEADER[result.players][part] for part in leads]
            figure.add_scatter(
                x=labels,
                y=luck,
                name=f"pure luck, {result.players}",
                mode="lines",
                line={"dash": "dot", "color": style[0]},
            )
    return figure


def draw_skills(report: Report) -> go.Figure:
    """How much more than an equal share one agent among weaker ones wins, by player count."""
    figure = _make_figure("players", "skill edge, %")
    series: dict[tuple[str, str, str], dict[str, Estimate]] = {}  # by variant and agents, then by players
    for variant in report.variants:
        for result in variant.results:
            for head_to_head in result.head_to_heads:
                key = (variant.name, head_to_head.strong, head_to_head.weak)
                series.setdefault(key, {})[str(result.players)] = head_to_head.edge.scale(100)
    for style, (key, edges) in zip(itertools.cycle(SERIES_STYLES), series.items(), strict=False):
        name, strong, weak = key
        title = f"{name}: {strong} among {weak}"
        _add_dots(figure, title, list(edges), list(edges.values()), style, "lines+markers")
    figure.add_hline(y=0, line_dash="dot", line_color=INK)
    return figure


def draw_lifts(variant: VariantReport) -> go.Figure:
    """How many times as often users of a component win, at the middle player count."""
    result = variant.results[(len(variant.results) - 1) // 2]
    lifts = [lift for lift in result.lifts if lift.lift.has_interval]
    lifts.sort(key=lambda lift: lift.lift.mean)
    figure = _make_figure(f"times as often as non-users, {result.players} players (1 is no lift)", "")
    estimates = [lift.lift for lift in lifts]
    figure.add_scatter(
        x=[estimate.mean for estimate in estimates],
        y=[escape(lift.tally) for lift in lifts],
        error_x=make_error_bars(estimates),
        mode="markers",
        marker={"color": COLOURS[0], "size": 8},
        showlegend=False,
    )
    figure.add_vline(x=1, line_dash="dot", line_color=INK)
    figure.update_layout(height=max(260, 80 + 26 * len(lifts)), yaxis={"automargin": True})
    return figure


def make_error_bars(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Plotly's description of the intervals."""
    above = [estimate.high - estimate.mean for estimate in estimates]
    below = [estimate.mean - estimate.low for estimate in estimates]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5}


def _add_dots(
    figure: go.Figure,
    name: str,
    labels: Sequence[str],
    estimates: Sequence[Estimate],
    style: tuple[str, str],
    mode: str = "markers",
) -> None:
    """Estimates with their intervals. The name is escaped, because Plotly reads a little HTML."""
    colour, symbol = style
    figure.add_scatter(
        x=list(labels),
        y=[estimate.mean for estimate in estimates],
        error_y=make_error_bars(estimates),
        name=escape(name),
        mode=mode,
        marker={"color": colour, "symbol": symbol, "size": 9},
        line={"color": colour},
    )


def _make_figure(across: str, up: str) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        template="none",
        height=360,
        margin={"l": 70, "r": 20, "t": 20, "b": 60},
        paper_bgcolor="white",
        plot_bgcolor="white",
        font={"family": "Georgia, serif", "size": 14, "color": INK},
        legend={"orientation": "h", "y": -0.25},
        xaxis={"title": across, "gridcolor": GRID, "automargin": True},
        yaxis={"title": up, "gridcolor": GRID, "automargin": True},
    )
    figure.update_xaxes(type="category" if up else "log")
    return figure
