"""A ladder for people: tables for the terminal, and a chart as one HTML file."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from rich.table import Table

from analytics.questions.ladder import Ladder
from analytics.show.figures import make_error_bars
from analytics.show.table import make_table
from analytics.stats.intervals import Estimate
from analytics.words import describe_reconstructed, format_fair_share
from boardgames.files import write_file


def show_ladder(ladder: Ladder) -> Iterator[Any]:
    yield (
        f"{ladder.variant}, {ladder.players} players, seed {ladder.seed}: "
        "ratings on the Elo scale; the weakest agent has 0"
    )
    table = make_table()
    for head in ("agent", "rating"):
        table.add_column(head, overflow="fold")
    for agent in ladder.agents:
        rating = "0" if agent is ladder.agents[0] else _format_estimate(agent.elo, 0)
        table.add_row(agent.agent, ("at least " if agent.at_least else "") + rating)
    yield table
    yield _make_steps_table(ladder)
    if ladder.elo_per_doubling:
        yield f"Twice the thinking is worth {_format_estimate(ladder.elo_per_doubling, 0)} rating points."
    yield from ladder.trained_on
    if ladder.reconstructed:
        yield describe_reconstructed(ladder.variant, ladder.reconstructed)


def _make_steps_table(ladder: Ladder) -> Table:
    caption = (
        f"One stronger agent among weaker ones, in every seat in turn; {format_fair_share(ladder.players)} "
        "of the wins would be an equal share. In brackets: 95% intervals. Fitted: what the ratings predict. "
        "Edge: 0 = luck alone, 100 = it always wins. "
        "Tau (Kendall's): 100 = the stronger always finishes ahead. Upsets: the weaker one finishes ahead."
    )
    table = make_table("Who beats whom, in %", caption)
    for head in ("stronger", "weaker", "wins", "fitted", "edge", "tau", "upsets"):
        table.add_column(head, overflow="fold")
    for step in ladder.steps:
        numbers = [
            _format_estimate(estimate, 1, 100) for estimate in (step.share, step.edge, step.tau, step.upsets)
        ]
        table.add_row(step.stronger, step.weaker, numbers[0], f"{100 * step.fitted:.1f}", *numbers[1:])
    return table


def _format_estimate(estimate: Estimate, digits: int, factor: float = 1) -> str:
    scaled = estimate.scale(factor)
    return f"{scaled.mean:.{digits}f} ({scaled.low:.{digits}f} to {scaled.high:.{digits}f})"


def write_chart(ladders: Sequence[Ladder], path: Path) -> None:
    """The ratings in a file that needs no network."""
    write_file(path, draw_ladders(ladders).to_html(include_plotlyjs=True))


def draw_ladders(ladders: Sequence[Ladder]) -> go.Figure:
    """Ratings with their intervals, one line per variant."""
    figure = go.Figure()
    for ladder in ladders:
        elo = [agent.elo for agent in ladder.agents]
        figure.add_scatter(
            x=[escape(agent.agent) for agent in ladder.agents],
            y=[estimate.mean for estimate in elo],
            error_y=make_error_bars(elo),
            name=f"{escape(ladder.variant)}, {ladder.players} players",
            mode="lines+markers",
        )
    figure.update_layout(
        title="How much skill the game rewards: ratings of the agents with 95% intervals",
        xaxis_title="agent",
        yaxis_title="rating (Elo scale; the weakest agent has 0)",
        template="plotly_white",
        showlegend=True,
    )
    return figure
