"""Compare: what the other variants do to the first, as a forest plot with verdicts, and the distributions
side by side.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from analytics.metric.metric import find_metric
from analytics.questions.sweep.grid import Grid, SweepCells, list_stored_sweeps, read_grid
from analytics.show.sweep_figures import draw_sweep
from dashboard import charts
from dashboard.comparison_charts import draw_distributions
from dashboard.controls import Segments
from dashboard.data.answers import DEALS_READ, bin_shares, choose_bin_width, count_values
from dashboard.data.examples import make_link, name_value_filter
from dashboard.data.file import CellInfo, cache_until_changed
from dashboard.page import Chart, Command, Element, PageParts, Text, TextStyle, Title, ask
from dashboard.pages.contrast import contrast_elements
from dashboard.selection import Selection

DISTRIBUTIONS = {
    "turns": "turns of a match",
    "score": "points of a seat",
    "winning_margin": "points between first and second",
}


def elements(selection: Selection) -> PageParts:
    if len(selection.variants) < 2:
        yield from _invite_elements(selection)
        return
    players = selection.main_player_count
    if len(selection.players) > 1:
        players = yield from ask(
            Segments(
                label="Players",
                key="count",
                options=selection.players,
                default=players,
                format_option=lambda n: f"{n} players",
            )
        )
    baseline, *others = selection.variants
    for variant in others:
        yield from _variant_elements(selection, baseline, variant, players)
    yield from _distribution_elements(selection, players)
    yield from _sweep_elements(selection, players)


def _invite_elements(selection: Selection) -> Iterator[Element]:
    """How to get a second variant."""
    yield Text(
        "Choose a second variant in the sidebar: everything is compared with the first one.", TextStyle.NOTE
    )
    info = selection.find_info(selection.variants[0])
    parameter = next(iter(info.parameters), "PARAMETER")
    yield Command(["compare", info.spec, f"{info.spec}+{parameter}=VALUE", "--db", str(selection.db)])


def _variant_elements(selection: Selection, baseline: str, variant: str, players: int) -> Iterator[Element]:
    """B against A; or what to play, if the matches of one are missing."""
    cell_a, cell_b = (selection.find_cell(label, players) for label in (baseline, variant))
    if cell_a and cell_b:
        yield from contrast_elements(selection, cell_a, cell_b)
        return
    missing = variant if cell_a else baseline
    yield Title(f"B = {variant} against A = {baseline}")
    yield Text(
        f"No match of {missing} with {players} players by {selection.line_up}"
        f" is stored on seed {selection.seed}.",
        TextStyle.NOTE,
    )
    options = {
        "--players": players,
        "--agents": selection.line_up,
        "--seed": selection.seed,
        "--db": selection.db,
    }
    words = [str(word) for option in options.items() for word in option]
    yield Command(["simulate", selection.find_info(missing).spec, *words])


def _distribution_elements(selection: Selection, players: int) -> Iterator[Element]:
    cells = [cell for variant in selection.variants if (cell := selection.find_cell(variant, players))]
    if not cells:
        return
    yield Title("Side by side")
    for column, x_title in DISTRIBUTIONS.items():
        counts = {cell.variant: count_values(selection.db, cell.id, column) for cell in cells}
        width = choose_bin_width(list(counts.values()))
        series = {variant: bin_shares(values, width) for variant, values in counts.items()}
        if max((len(points) for points in series.values()), default=0) < 4:
            continue  # all matches have about the same value
        half = (width - 1) / 2
        links = {
            cell.variant: [
                make_link(cell, name_value_filter(column, middle - half, middle + half))
                for middle, _ in series[cell.variant]
            ]
            for cell in cells
        }
        yield Chart(
            f"distribution {column}",
            draw_distributions(series, selection.styles, x_title, links),
            _describe_sizes(cells, width),
            has_links=True,
        )


def _describe_sizes(cells: Sequence[CellInfo], width: int) -> str:
    sizes = ", ".join(f"{min(cell.matches, DEALS_READ * cell.seatings):,}" for cell in cells)
    together = f" {width} values together." if width > 1 else ""
    return (
        f"Of the first {DEALS_READ:,} deals: {sizes} matches."
        f" {cells[0].players} players, {cells[0].line_up}.{together}"
    )


# ---- sweeps


@cache_until_changed
def load_sweeps(db: Path) -> list[SweepCells]:
    return list_stored_sweeps(db)


@cache_until_changed
def load_grid(db: Path, index: int) -> Grid:
    return read_grid(db, list_stored_sweeps(db)[index])


def _sweep_elements(selection: Selection, players: int) -> Iterator[Element]:
    """The main metrics over each grid of parameters that a run has played."""
    for index, sweep in enumerate(load_sweeps(selection.db)):
        games = {selection.find_info(variant).game for variant in selection.variants}
        if sweep.game not in games or (sweep.players, sweep.line_up, sweep.seed) != (
            players,
            selection.line_up,
            selection.seed,
        ):
            continue
        grid = load_grid(selection.db, index)
        yield Title(f"Over a grid: {sweep.title}")
        for name in grid.metrics:
            parts = {part for point in grid.points for part in point.answers.get(name, {})}
            for part in sorted(parts)[:1]:
                figure = charts.apply_style(draw_sweep(grid, name, part), 320)
                yield Chart(
                    f"grid {index} {name}",
                    figure,
                    f"{find_metric(name).question} {part and f'Of {part}.'} Bars are 95 % intervals.",
                )
