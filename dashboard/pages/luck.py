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
from dashboard.page import BulletList, Chart, Command, DataTable, Element, Text, TextStyle, Title
from dashboard.selection import Selection


def luck_elements(selection: Selection) -> Iterator[Element]:
    """A chart for each quantity, at the selection's main player count."""
    players = selection.main_player_count
    cells = [cell for variant in selection.variants if (cell := selection.find_cell(variant, players))]
    by_cell = {cell: luck for cell in cells if (luck := load_luck(selection.db, cell.id))}
    yield Title("Where does the luck come from?")
    if not by_cell:
        yield from _hint_elements(selection, players)
        return
    yield BulletList(
        [
            f"{cell.variant}: {sentence}"
            for cell, quantities in by_cell.items()
            for luck in quantities
            for sentence in describe_luck(luck)
        ]
    )
    for index, quantity in enumerate(QUANTITIES):
        series = {cell.variant: _make_dots(cell, luck[index]) for cell, luck in by_cell.items()}
        x_title = f"share of {quantity}, %, {players} players"
        figure = charts.draw_rows(series, selection.styles, SHARE, x_title, reference=0.0)
        yield Chart(f"luck, {quantity}", figure, "Bars are 95% intervals over deals.", has_links=True)
    yield Text(HOW_TO_READ, TextStyle.CAPTION)
    yield _make_table(by_cell)


def _make_table(by_cell: Mapping[CellInfo, Sequence[QuantityLuck]]) -> DataTable:
    """Everything that was drawn, and what each source decides alone and is involved in."""
    rows = [
        [cell.variant, luck.quantity, source.title]
        + [format_interval(part, SHARE) for part in (source.share, source.alone, source.involved)]
        for cell, quantities in by_cell.items()
        for luck in quantities
        for source in [*luck.sources, SourceLuck(SEAT, name_source(SEAT), luck.seat, luck.seat, luck.seat)]
    ]
    heads = ["variant", "what is decided", "source", "share, % (95 %)", "alone, %", "involved in, %"]
    return DataTable("The numbers: luck", heads, rows, is_folded=True)


def _make_dots(cell: CellInfo, luck: QuantityLuck) -> list[Dot]:
    """A dot for each source's share; pointing at it tells the two other numbers."""
    dots = []
    for source in luck.sources:
        alone, involved = (format_interval(part, SHARE) for part in (source.alone, source.involved))
        hover = f"{cell.name}: {source.title}; alone {alone} %, involved in {involved} %"
        dots.append(Dot(source.title, source.share, hover, make_link(cell)))
    seat = name_source(SEAT)
    return [*dots, Dot(seat, luck.seat, f"{cell.name}: {seat}", make_link(cell))]


def _hint_elements(selection: Selection, players: int) -> Iterator[Element]:
    """How to find out."""
    yield Text(
        "Deals that are played again with one source of chance exchanged tell. None is stored yet.",
        TextStyle.CAPTION,
    )
    spec = selection.find_info(selection.variants[0]).spec
    words = ["luck", spec, "--players", str(players), "--agents", selection.line_up]
    seed = [] if selection.seed == 1 else ["--seed", str(selection.seed)]
    yield Command([*words, *seed, "--db", str(selection.db)])


def luck_change_elements(selection: Selection, cell_a: CellInfo, cell_b: CellInfo) -> Iterator[Element]:
    """What the change does to luck, if that is stored."""
    names = (cell_a.variant, cell_b.variant)
    changes = load_luck_changes(selection.db, (cell_a.id, cell_b.id), names, cell_a.line_up)
    if changes:
        yield Text(f"Where the luck comes from, by {changes[0].deals:,} deals of each:")
        yield BulletList([describe_luck_change(change) for change in changes])
        yield Text(HOW_CHANGES_ARE_JUDGED, TextStyle.CAPTION)
