"""Compare: what the other variants do to the baseline. The answer in sentences first, then the numbers,
distributions side by side, and people's results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from analytics.metric.metric import find_metric
from analytics.questions.compare.conclusions import HOW_TO_READ
from analytics.questions.compare.stored import StoredComparison
from analytics.questions.sweep.grid import Grid, SweepCells, list_stored_sweeps, read_grid
from analytics.show.sweep_figures import draw_sweep
from analytics.words import format_metric
from boardgames.errors import TooMuchUnstored
from dashboard import charts
from dashboard.comparison_charts import draw_distributions
from dashboard.controls import LinkButton, Segments
from dashboard.data.answers import DEALS_READ, bin_shares, choose_bin_width, load_distributions
from dashboard.data.cache import cache_until_changed
from dashboard.data.contrasts import (
    Setting,
    VariantAnswer,
    find_comparison,
    load_answers,
    make_comparison,
    select_deciding_cells,
)
from dashboard.data.examples import make_link, name_value_filter
from dashboard.data.file import CellInfo
from dashboard.data.requests import CompareRequest
from dashboard.page import (
    Chart,
    ChartCard,
    ChartCards,
    Command,
    Element,
    PageParts,
    Scope,
    Text,
    TextStyle,
    Title,
    ask,
)
from dashboard.pages.contrast import (
    DrawnContrast,
    answer_elements,
    explain_unstored_sums,
    make_number_cards,
    open_parts,
    request_sums,
)
from dashboard.pages.luck import luck_change_elements
from dashboard.pages.metric_charts import BARS
from dashboard.pages.missing import describe_missing
from dashboard.pages.people import people_elements
from dashboard.selection import Selection

GRID_HEIGHT = 240
DISTRIBUTIONS = {  # the question, the axis and what is counted of each column
    "turns": ("How do lengths spread?", "turns of a match", "matches"),
    "score": ("How do scores spread?", "points of a seat", "seats"),
    "winning_margin": ("How do winning margins spread?", "points between first and second", "matches"),
}


def elements(selection: Selection) -> PageParts:
    yield from describe_missing(selection)
    if len(selection.variants) < 2:
        yield from _invite_elements(selection)
        yield from people_elements(selection, selection.players)
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
    yield Scope(replace(selection, players=(players,)))
    yield from _contrast_parts(selection, players)
    yield from people_elements(selection, [players])
    yield ChartCards(list(_list_distribution_cards(selection, players)))
    yield from _sweep_elements(selection, players)


def _invite_elements(selection: Selection) -> Iterator[Element]:
    """How to get a second variant."""
    yield Text(
        "Choose a second variant in the sidebar: everything is compared with the first one.", TextStyle.NOTE
    )
    info = selection.find_info(selection.variants[0])
    parameter = next(iter(info.parameters), "PARAMETER")
    yield Command(["compare", info.spec, f"{info.spec}+{parameter}=VALUE", "--db", str(selection.db)])


# ---- the answer


def _contrast_parts(selection: Selection, players: int) -> PageParts:
    """Everything against the baseline; nothing if there is no match of it, or of no other variant."""
    setting = _make_setting(selection, players)
    if setting is None:
        return
    try:
        answers = load_answers(selection.db, setting, selection.contents.cells)
    except TooMuchUnstored as error:
        yield from explain_unstored_sums(selection.db, error, _list_missing(selection, setting))
        return
    yield Scope(replace(selection, players=(players,)), cells=_list_shown_cells(setting, answers))
    for answer in answers:
        yield Title(f"B = {answer.cell.variant} against A = {setting.baseline.variant}")
        yield from answer_elements(answer.contrast, answer.problem)
    for group in _group_answers(answers):
        yield from _open_group_parts(selection, setting, group)
    if any(answer.problem is None for answer in answers):
        yield Text(HOW_TO_READ, TextStyle.CAPTION)
    drawn = [answer for answer in answers if not answer.contrast.same_rules]
    yield make_number_cards([_make_drawn(selection, setting.baseline, answer) for answer in drawn])


def _make_setting(selection: Selection, players: int) -> Setting | None:
    cells = [cell for variant in selection.variants if (cell := selection.find_cell(variant, players))]
    if len(cells) < 2 or cells[0].variant != selection.variants[0]:
        return None
    agents = [agent for agent in selection.equal_line_ups if agent != selection.line_up]
    others: list[CellInfo] = []
    for agent in agents:
        found = [cell for base in cells if (cell := selection.find_cell(base.variant, players, agent))]
        others += found if len(found) == len(cells) else []
    return Setting(cells=tuple(cells), others=tuple(others))


def _list_shown_cells(setting: Setting, answers: Sequence[VariantAnswer]) -> list[CellInfo]:
    """The cells that decide, and those of other agents whose differences are shown."""
    lines = [line for answer in answers for line in answer.contrast.main_lines]
    agents = {other.agent for line in lines for other in line.other_agents}
    return [*setting.cells, *(cell for cell in setting.others if cell.line_up in agents)]


def _list_missing(selection: Selection, setting: Setting) -> list[CompareRequest]:
    """A command for each comparison that was asked for, and one for the variants that are in none."""
    baseline, *others = setting.cells
    asked = {cell: find_comparison(selection.db, (baseline, cell)) for cell in others}
    comparisons = {comparison.id: comparison for comparison in asked.values() if comparison}
    requests = [request_sums(comparison) for comparison in comparisons.values()]
    unasked = [cell.spec for cell, comparison in asked.items() if comparison is None]
    if unasked:
        request = CompareRequest(
            specs=[baseline.spec, *unasked],
            players=str(baseline.players),
            agents=setting.agents,
            seed=baseline.seed,
        )
        requests.append(request)
    return requests


def _group_answers(answers: Sequence[VariantAnswer]) -> list[list[VariantAnswer]]:
    """Those with verdicts, by the comparison that they are part of."""
    groups: dict[int, list[VariantAnswer]] = {}
    for answer in answers:
        if answer.problem is None and answer.contrast.main_lines:
            groups.setdefault(answer.asked.id if answer.asked else 0, []).append(answer)
    return list(groups.values())


def _open_group_parts(selection: Selection, setting: Setting, group: Sequence[VariantAnswer]) -> PageParts:
    """What is open, a way to play it, and where the comparison has its own page."""
    asked, terms = group[0].asked, group[0].terms
    cells = select_deciding_cells(asked, selection.contents) if asked else []
    cells = cells or [setting.baseline, *(answer.cell for answer in group)]
    contrasts = [answer.contrast for answer in group]
    if not setting.baseline.has_equal_agents:
        return
    comparison = make_comparison(selection.db, contrasts, terms, cells)
    yield from open_parts(selection.db, comparison, asked)
    if asked:
        fixed = f"Metrics and thresholds as they were fixed on {asked.asked:%Y-%m-%d %H:%M}."
        yield Text(fixed, TextStyle.CAPTION)
        yield LinkButton("This comparison as it was asked", make_address(asked))


def make_address(comparison: StoredComparison) -> str:
    return f"comparison?{urlencode({'comparison': comparison.id})}"


def _make_drawn(selection: Selection, baseline: CellInfo, answer: VariantAnswer) -> DrawnContrast:
    has_luck = answer.contrast.paired and baseline.has_equal_agents
    return DrawnContrast(
        title=f"{answer.cell.variant} in numbers",
        contrast=answer.contrast,
        terms=answer.terms,
        colour=selection.styles.get(answer.cell.variant)[0],
        cell=answer.cell,
        more=list(luck_change_elements(selection, baseline, answer.cell)) if has_luck else [],
    )


# ---- side by side


def _list_distribution_cards(selection: Selection, players: int) -> Iterator[ChartCard]:
    cells = [cell for variant in selection.variants if (cell := selection.find_cell(variant, players))]
    if not cells:
        return
    distributions = load_distributions(selection.db, tuple(cells), tuple(DISTRIBUTIONS))
    for column, (title, x_title, counted) in DISTRIBUTIONS.items():
        counts = distributions[column]
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
        figure = draw_distributions(series, selection.styles, x_title, links, counted)
        yield ChartCard(
            title=title,
            parts=[Chart(f"distribution {column}", figure, has_links=True)],
            details=[Text(_describe_sizes(cells, width), TextStyle.CAPTION)],
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


def _sweep_elements(selection: Selection, players: int) -> PageParts:
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
        yield Text(BARS, TextStyle.CAPTION)
        answered = [name for name in grid.metrics if any(point.answers.get(name) for point in grid.points)]
        yield ChartCards([_make_grid_card(grid, name, f"grid {index} {name}") for name in answered])


def _make_grid_card(grid: Grid, metric: str, name: str) -> ChartCard:
    """A metric over a grid; of several parts, the first."""
    part = min(part for point in grid.points for part in point.answers.get(metric, {}))
    figure = charts.apply_style(draw_sweep(grid, metric, part), GRID_HEIGHT)
    return ChartCard(
        title=find_metric(metric).question,
        parts=[Chart(name, figure, f"{format_metric(metric, part)}." if part else "")],
    )
