"""The figures of a report: data in, Plotly out."""

import itertools
import math
from collections.abc import Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from analytics.metric.chance_race import LEADER
from analytics.questions.report import Report, Subject
from analytics.stats.intervals import Estimate

# Apart for every kind of colour-blindness, and readable on white and on the dashboard's dark ground: a test works it out.
COLOURS = ("#6349fd", "#de7709", "#2fa784", "#da0044", "#a14b9b", "#a77df5")
LOOKS = tuple((colour, symbol) for symbol in ("circle", "diamond", "square", "cross") for colour in COLOURS)  # of series, in order
INK, GRID = "#2b2b2b", "#e3e1da"


def seats(subject: Subject) -> go.Figure:
    """Shares of wins by seat, times the players: 1 is fair."""
    figure = _figure("seat", "wins (1 is a fair share)")
    figure.update_layout(scattermode="group", scattergap=0.6)  # side by side: nobody reads a line between seats
    known: list[Estimate] = []
    for look, count in zip(itertools.cycle(LOOKS), subject.counts, strict=False):
        shares = count.answers.get("seat_win_share", {})
        scaled = [times(e, count.players) for e in shares.values()]
        _dots(figure, f"{count.players} players", list(shares), scaled, look)
        known += scaled
    figure.add_hline(y=1, line_dash="dot", line_color=INK)
    away = max((max(1 - e.low, e.high - 1) for e in known), default=0)
    figure.update_yaxes(range=[1 - 1.1 * away, 1 + 1.1 * away] if away else None)
    return figure


def lengths(report: Report) -> go.Figure:
    """Turns of each player by player count."""
    figure = _figure("players", "turns of each player")
    for look, subject in zip(itertools.cycle(LOOKS), report.subjects, strict=False):
        known = [count for count in subject.counts if "length" in count.answers]
        each = [times(count.answers["length"][""], 1 / count.players) for count in known]
        _dots(figure, subject.name, [str(count.players) for count in known], each, look, "lines+markers")
    return figure


def leaders(subject: Subject) -> go.Figure:
    """How often the leader after a part of the match wins; dotted, the race of pure luck."""
    figure = _figure("part of the match that is played", "the leader wins, %")
    for look, count in zip(itertools.cycle(LOOKS), subject.counts, strict=False):
        leads = count.answers.get("leader_conversion", {})
        places = [f"{part} %" for part in leads]
        _dots(figure, f"{count.players} players", places, [times(e, 100) for e in leads.values()], look, "lines+markers")
        if leads and count.calibrated and count.players in LEADER:
            luck = [100 * LEADER[count.players][part] for part in leads]
            figure.add_scatter(
                x=places, y=luck, name=f"pure luck, {count.players}", mode="lines", line={"dash": "dot", "color": look[0]}
            )
    return figure


def skills(report: Report) -> go.Figure:
    """How far one agent among weaker ones wins above its share, by player count."""
    figure = _figure("players", "skill edge, %")
    lines = [(s, rung) for s in report.subjects for rung in dict.fromkeys((d.strong, d.weak) for c in s.counts for d in c.duels)]
    for look, (subject, rung) in zip(itertools.cycle(LOOKS), lines, strict=False):
        found = [(c.players, d.edge) for c in subject.counts for d in c.duels if (d.strong, d.weak) == rung]
        name = f"{subject.name}: {rung[0]} among {rung[1]}"
        edges = [times(edge, 100) for _, edge in found]
        _dots(figure, name, [str(n) for n, _ in found], edges, look, "lines+markers")
    figure.add_hline(y=0, line_dash="dot", line_color=INK)
    return figure


def lifts(subject: Subject) -> go.Figure:
    """How many times as often users of a component win, at the middle player count."""
    count = subject.counts[(len(subject.counts) - 1) // 2]
    known = sorted((one for one in count.lifts if math.isfinite(one.lift.low)), key=lambda one: one.lift.mean)
    figure = _figure(f"times as often as non-users, {count.players} players (1 is no lift)", "")
    estimates = [one.lift for one in known]
    figure.add_scatter(
        x=[e.mean for e in estimates], y=[escape(one.counter) for one in known], error_x=errors(estimates), mode="markers",
        marker={"color": COLOURS[0], "size": 8}, showlegend=False,
    )  # fmt: skip
    figure.add_vline(x=1, line_dash="dot", line_color=INK)
    figure.update_layout(height=max(260, 80 + 26 * len(known)), yaxis={"automargin": True})
    return figure


def times(estimate: Estimate, factor: float) -> Estimate:
    mean, low, high = (value * factor for value in estimate[:3])
    return Estimate(mean, low, high, estimate.blocks)


def errors(estimates: Sequence[Estimate]) -> dict[str, Any]:
    above, below = ([e.high - e.mean for e in estimates], [e.mean - e.low for e in estimates])
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5}


def _dots(
    figure: go.Figure, name: str, places: Sequence[str], estimates: Sequence[Estimate], look: tuple[str, str], mode: str = "markers"
) -> None:
    """Estimates with their intervals. The name is escaped, because Plotly reads a little HTML."""
    colour, symbol = look
    figure.add_scatter(
        x=list(places), y=[e.mean for e in estimates], error_y=errors(estimates), name=escape(name), mode=mode,
        marker={"color": colour, "symbol": symbol, "size": 9}, line={"color": colour},
    )  # fmt: skip


def _figure(across: str, up: str) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        template="none", height=360, margin={"l": 70, "r": 20, "t": 20, "b": 60}, paper_bgcolor="white", plot_bgcolor="white",
        font={"family": "Georgia, serif", "size": 14, "color": INK}, legend={"orientation": "h", "y": -0.25},
        xaxis={"title": across, "gridcolor": GRID, "automargin": True},
        yaxis={"title": up, "gridcolor": GRID, "automargin": True},
    )  # fmt: skip
    figure.update_xaxes(type="category" if up else "log")
    return figure
