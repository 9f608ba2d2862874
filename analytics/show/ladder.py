"""A ladder for people: tables for the terminal, and a chart as one HTML file."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from rich.table import Table

from analytics.questions.ladder import Ladder
from analytics.show.figures import errors
from analytics.stats.intervals import Estimate
from boardgames.files import write_file


def show_ladder(ladder: Ladder) -> Iterator[Any]:
    yield f"{ladder.variant}, {ladder.players} players, seed {ladder.seed}: ratings on the Elo scale, the lowest rung has 0"
    table = Table()
    for head in ("rung", "rating"):
        table.add_column(head, overflow="fold")
    for rung in ladder.rungs:
        rating = "0" if rung is ladder.rungs[0] else _number(rung.elo, 0)
        table.add_row(rung.agent, ("at least " if rung.at_least else "") + rating)
    yield table
    yield _steps(ladder)
    if ladder.elo_per_doubling:
        yield f"Twice the budget is worth {_number(ladder.elo_per_doubling, 0)} points of rating."
    if ladder.reconstructed:
        yield f"Part of the components is reconstructed ({', '.join(ladder.reconstructed)}): `boardgames show {ladder.variant}`."


def _steps(ladder: Ladder) -> Table:
    caption = (
        "One of the stronger at a table of the weaker, in every seat; 95 % intervals over blocks. Edge: 0 = luck alone, 100 = it"
        " always wins. Tau: Kendall's, 100 = the better always finishes ahead. Upsets: the weaker one finishes ahead."
    )
    table = Table(title="Who beats whom, in %", title_justify="left", caption=caption, caption_justify="left")
    for head in ("stronger", "weaker", "wins", "fitted", "edge", "tau", "upsets"):
        table.add_column(head, overflow="fold")
    for step in ladder.steps:
        numbers = [_number(one, 1, 100) for one in (step.share, step.edge, step.tau, step.upsets)]
        table.add_row(step.stronger, step.weaker, numbers[0], f"{100 * step.fitted:.1f}", *numbers[1:])
    return table


def _number(estimate: Estimate, digits: int, factor: float = 1) -> str:
    mean, low, high = (f"{factor * value:.{digits}f}" for value in estimate[:3])
    return f"{mean} ({low} to {high})"


def chart(ladders: Sequence[Ladder], path: Path) -> None:
    """Ratings with their intervals, one line per variant, in a file that needs no network."""
    figure = go.Figure()
    for ladder in ladders:
        elo = [rung.elo for rung in ladder.rungs]
        figure.add_scatter(
            x=[escape(rung.agent) for rung in ladder.rungs],
            y=[one.mean for one in elo],
            error_y=errors(elo),
            name=f"{escape(ladder.variant)}, {ladder.players} players",
            mode="lines+markers",
        )
    figure.update_layout(
        title="How much skill the game rewards: ratings of the rungs with 95 % intervals",
        xaxis_title="rung",
        yaxis_title="rating (Elo scale; the lowest rung has 0)",
        template="plotly_white",
        showlegend=True,
    )
    write_file(path, figure.to_html(include_plotlyjs=True))
