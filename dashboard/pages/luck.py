"""Where the luck comes from: a chart of each source's share, and what a change does to it."""

from collections.abc import Iterator, Mapping, Sequence

from analytics.metric.luck import QUANTITIES, SEAT, name_source
from analytics.metric.metric import SHARE
from analytics.questions.luck.conclusions import (
    HOW_CHANGES_ARE_JUDGED,
    HOW_TO_READ,
    describe_luck,
    describe_luck_change,
)
from analytics.questions.luck.results import QuantityLuck, SourceLuck
from analytics.words import format_interval
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.examples import make_link
from dashboard.data.file import CellInfo
from dashboard.data.luck import load_luck, load_luck_changes
from dashboard.page import (
    BulletList,
    Chart,
    ChartCard,
    Columns,
    Command,
    DataTable,
    Element,
    PagePart,
    Text,
    TextStyle,
)
from dashboard.selection import Selection


def make_luck_card(selection: Selection) -> ChartCard:
    """A chart for each quantity, at the selection's main player count; without one, how to get it."""
    players = selection.main_player_count
    cells = [cell for variant in selection.variants if (cell := selection.find_cell(variant, players))]
    luck_by_id = load_luck(selection.db, tuple(cell.id for cell in cells))
    by_cell = {cell: luck_by_id[cell.id] for cell in cells if cell.id in luck_by_id}
    title = "Where does the luck come from?"
    if not by_cell:
        return ChartCard(title=title, parts=_explain_how(selection, players))
    sentences = [
        f"{cell.variant}: {sentence}"
        for cell, quantities in by_cell.items()
        for luck in quantities
        for sentence in describe_luck(luck)
    ]
    return ChartCard(
        title=title,
        parts=[BulletList(sentences), Columns([[chart] for chart in _make_charts(selection, by_cell)])],
        details=[Text(HOW_TO_READ, TextStyle.CAPTION), _make_table(by_cell)],
        is_wide=True,
    )


def _make_charts(selection: Selection, by_cell: Mapping[CellInfo, Sequence[QuantityLuck]]) -> Iterator[Chart]:
    """A chart for each quantity, all on one scale."""
    all_series = [
        {cell.variant: _make_dots(cell, luck[index]) for cell, luck in by_cell.items()}
        for index in range(len(QUANTITIES))
    ]
    axis_range = charts.find_axis_range(all_series, SHARE)
    for quantity, series in zip(QUANTITIES, all_series, strict=True):
        x_title = f"share of {quantity}, %, {selection.main_player_count} players"
        figure = charts.draw_rows(
            series, selection.styles, SHARE, x_title, reference=0.0, axis_range=axis_range
        )
        yield Chart(f"luck, {quantity}", figure, has_links=True)


def _make_table(by_cell: Mapping[CellInfo, Sequence[QuantityLuck]]) -> DataTable:
    """Everything that was drawn, and what each source decides alone and is involved in."""
    rows = [
        [cell.variant, luck.quantity, source.title]
        + [format_interval(part, SHARE) for part in (source.share, source.alone, source.involved)]
        for cell, quantities in by_cell.items()
        for luck in quantities
        for source in [*luck.sources, SourceLuck(SEAT, name_source(SEAT), luck.seat, luck.seat, luck.seat)]
    ]
    heads = ["variant", "what is decided", "source", "share, % (95% interval)", "alone, %", "involved in, %"]
    return DataTable("", heads, rows)


def _make_dots(cell: CellInfo, luck: QuantityLuck) -> list[Dot]:
    """A dot for each source's share; pointing at it tells the two other numbers."""
    dots = []
    for source in luck.sources:
        alone, involved = (format_interval(part, SHARE) for part in (source.alone, source.involved))
        hover = f"{cell.name}: {source.title}; alone {alone}%, involved in {involved}%"
        dots.append(Dot(source.title, source.share, hover, make_link(cell)))
    seat = name_source(SEAT)
    return [*dots, Dot(seat, luck.seat, f"{cell.name}: {seat}", make_link(cell))]


def _explain_how(selection: Selection, players: int) -> list[PagePart]:
    """How to find out."""
    spec = selection.find_info(selection.variants[0]).spec
    words = ["luck", spec, "--players", str(players), "--agents", selection.line_up]
    seed = [] if selection.seed == 1 else ["--seed", str(selection.seed)]
    return [
        Text(
            "Deals that are played again with one source of chance exchanged tell. None is stored yet.",
            TextStyle.CAPTION,
        ),
        Command([*words, *seed, "--db", str(selection.db)]),
    ]


def luck_change_elements(selection: Selection, cell_a: CellInfo, cell_b: CellInfo) -> Iterator[Element]:
    """What the change does to luck, if that is stored."""
    names = (cell_a.variant, cell_b.variant)
    changes = load_luck_changes(selection.db, (cell_a.id, cell_b.id), names, cell_a.line_up)
    if changes:
        yield Text(f"Where the luck comes from, by {changes[0].deals:,} deals of each:")
        yield BulletList([describe_luck_change(change) for change in changes])
        yield Text(HOW_CHANGES_ARE_JUDGED, TextStyle.CAPTION)
