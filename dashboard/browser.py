"""A page in the browser: each part of it by Streamlit."""

import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from boardgames.errors import BoardgamesError
from dashboard.data.examples import MatchLink
from dashboard.errors import describe_failure
from dashboard.looks import PHONE
from dashboard.page import (
    BulletList,
    Card,
    Cards,
    Chart,
    ChartCard,
    ChartCards,
    Columns,
    Command,
    Control,
    DataTable,
    Element,
    Excerpt,
    OnlyShared,
    PagePart,
    PageParts,
    Picture,
    Scope,
    Snippet,
    Tabs,
    Text,
    TextStyle,
    Title,
    drop_infinite,
)

MARKDOWN_CHARACTERS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")
CHART_CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "responsive": True,
}
CARDS_PER_ROW = 3
FEW_LINES = 3  # of a cell of a table on a phone, where a wide table scrolls instead
CELL_PADDING = 3  # letters


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is; what stands between backticks is shown as code."""
    parts = text.replace("\n", " ").split("`")
    if len(parts) % 2 == 0 or "" in parts[1::2]:
        return MARKDOWN_CHARACTERS.sub(r"\\\1", "`".join(parts))
    return "".join(
        f"`{part}`" if index % 2 else MARKDOWN_CHARACTERS.sub(r"\\\1", part)
        for index, part in enumerate(parts)
    )


def show_error(text: str) -> None:
    st.error(escape_markdown(text), icon=":material/error:")


def show_failure(error: BoardgamesError) -> None:
    show_error(describe_failure(error))


@contextmanager
def show_errors() -> Iterator[None]:
    """Show an exception as a sentence; the details go to the terminal that started the dashboard."""
    try:
        yield
    except BoardgamesError as error:
        show_failure(error)
    except Exception as error:
        traceback.print_exc()
        show_error(
            f"This page could not be shown: {type(error).__name__}: {error}."
            " The terminal of the dashboard says more."
        )


@dataclass
class View:
    """Shows a page part by part, and keeps its elements in the order shown: Share takes them from here."""

    show_match_link: Callable[[MatchLink], None]  # to the matches behind a point of a chart
    elements: list[Element] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)  # what the reader chose on the page
    scope: Scope | None = None  # None: the page shows all that is selected

    def show(self, parts: Iterable[PagePart]) -> None:
        """Show all parts; a control's answer goes back to the page that asked."""
        page = _make_generator(parts)
        answer: Any = None
        while True:
            try:
                part = page.send(answer)
            except StopIteration:
                return
            answer = self._show_part(part)

    def _show_part(self, part: PagePart) -> Any:
        """Show one part; a control returns its answer, others None."""
        if isinstance(part, Control):
            answer = part.ask()
            self.choices += filter(None, [part.describe(answer)])
            return answer
        if isinstance(part, Columns):
            for column, parts in zip(st.columns(part.widths or len(part.columns)), part.columns, strict=True):
                with column:
                    self.show(parts)
        elif isinstance(part, Tabs):
            for tab, parts in zip(st.tabs(list(part.tabs)), part.tabs.values(), strict=True):
                with tab:
                    self.show(parts)
        elif isinstance(part, ChartCards):
            for row in part.rows:
                self._show_row(row)
        elif isinstance(part, Scope):
            self.scope = part
        else:
            self._show_element(part)
        return None

    def _show_row(self, row: Sequence[ChartCard]) -> None:
        """One wide card, or two narrow ones side by side; a last narrow one keeps its half."""
        columns = [st.container()] if row[0].is_wide else st.columns(2)
        for column, card in zip(columns, row, strict=False):
            with column, st.container(border=True, height="stretch"):
                self.show([Title(card.title), *card.parts])
                if card.details:
                    _show_details(card.details, number=len(self.elements) + 1)
                    self.elements += card.details

    def _show_element(self, element: Element) -> None:
        self.elements.append(element)
        if isinstance(element, Chart):
            link = _show_chart(element)
            if link:
                self.show_match_link(link)
        else:
            _show_plain_element(element, number=len(self.elements))


@st.fragment
def _show_details(details: Sequence[Element], number: int) -> None:
    """Draw a card's details only when they are open: a page with many tables then appears sooner.

    `number` is that of the first element on this page.
    """
    fold = st.expander("Details", type="compact", key=f"details-{number}", on_change="rerun")
    if fold.open:
        with fold:
            for place, element in enumerate(details):
                _show_plain_element(element, number + place)


def _make_generator(parts: Iterable[PagePart]) -> PageParts:
    yield from parts


def _show_plain_element(element: Element, number: int) -> None:
    """Show any element but a chart; `number` is its own on this page."""
    if isinstance(element, Title):
        st.header(escape_markdown(element.text), anchor=False)  # the next level below the page's question
    elif isinstance(element, Text):
        _show_text(element)
    elif isinstance(element, BulletList):
        st.markdown("\n".join(f"- {escape_markdown(item)}" for item in element.items))
    elif isinstance(element, Picture):
        _show_picture(element)
    elif isinstance(element, Command):
        st.code(element.text, language="sh", wrap_lines=True)
    elif isinstance(element, Snippet):
        st.code(element.text, language="toml", wrap_lines=True)
    elif isinstance(element, Excerpt):
        _show_excerpt(element)
    elif isinstance(element, Cards):
        _show_cards(element)
    elif isinstance(element, DataTable):
        _show_data_table(element, number)
    else:
        assert isinstance(element, OnlyShared)


def _show_text(element: Text) -> None:
    text = escape_markdown(element.text)
    if element.style is TextStyle.CAPTION:
        st.caption(text)
    elif element.style is TextStyle.NOTE:
        st.info(text, icon=":material/info:")
    elif element.style is TextStyle.WARNING:
        st.warning(text, icon=":material/warning:")
    else:
        st.markdown(text)


def _show_picture(picture: Picture) -> None:
    st.image(
        picture.svg,
        caption=escape_markdown(picture.caption) or None,
        width="stretch",
        alt=picture.caption or "the table",
    )


def _show_excerpt(excerpt: Excerpt) -> None:
    lines = []
    for number, line in excerpt.lines.items():
        text = escape_markdown(line)
        is_current = number == excerpt.current
        lines.append(f"**{number}.** **{text}**" if is_current else f":gray[{number}. {text}]")
    st.markdown("  \n".join(lines))


def _show_cards(element: Cards) -> None:
    columns = min(CARDS_PER_ROW, max(2, len(element.cards)))
    for first in range(0, len(element.cards), columns):
        row = element.cards[first : first + columns]  # the last one may be short
        for column, card in zip(st.columns(columns), row, strict=False):
            with column, st.container(border=True, height="stretch"):
                _show_card(card)


def _show_card(card: Card) -> None:
    st.html(f'<div style="height:6px;border-radius:3px;background:{card.colour}"></div>')
    st.header(escape_markdown(card.title), anchor=False)
    if card.about:
        st.caption(escape_markdown(card.about))
    st.caption(escape_markdown(card.setting))
    for label, value, interval in card.headlines:
        st.markdown(
            f"{escape_markdown(label)}  \n**{escape_markdown(value)}** :gray[{escape_markdown(interval)}]"
        )
    st.caption(escape_markdown(card.stored))
    if card.problem is not None:
        st.caption(f":orange[{escape_markdown(card.problem[0].upper() + card.problem[1:] + '.')}]")


def _show_data_table(table: DataTable, number: int) -> None:
    if table.is_folded:
        with st.expander(escape_markdown(table.title)):
            _show_rows(table, number)
        return
    if table.title:
        st.caption(escape_markdown(table.title))
    _show_rows(table, number)


def _show_rows(table: DataTable, number: int) -> None:
    if not table.rows:
        st.caption("Nothing is stored about this.")
        return
    if table.is_grid:
        _show_grid(table)
        return
    key = f"table-{number}"
    with st.container(key=key):
        st.html(f"<style>{make_phone_widths(table, key)}</style>")
        _show_table(table)


def make_phone_widths(table: DataTable, key: str) -> str:
    """Rules by which no cell of the table has more than a few lines on a phone: its columns stay wide."""
    rules = []
    for column in range(len(table.heads)):
        texts = [str(table.heads[column]), *(str(row[column]) for row in table.rows)]
        words = [word for text in texts for word in text.split()]
        longest_word = max(map(len, words), default=0)
        width = max(map(len, texts)) / FEW_LINES + longest_word / 2 + CELL_PADDING  # lines end with a word
        rules.append(f".st-key-{key} :is(th, td):nth-child({column + 1}) {{ min-width: {width:.0f}ch; }}")
    return f"@media (max-width: {PHONE}px) {{ {' '.join(rules)} }}"


def _show_table(table: DataTable) -> None:
    rows = [
        ["" if drop_infinite(value) is None else escape_markdown(str(value)) for value in row]
        for row in table.rows
    ]
    frame = pd.DataFrame(rows, columns=[escape_markdown(head) for head in table.heads])
    st.table(frame, border="horizontal", hide_index=True, alt=table.title or None)


def _show_grid(table: DataTable) -> None:
    frame = pd.DataFrame(
        [[drop_infinite(value) for value in row] for row in table.rows], columns=list(table.heads)
    )
    st.dataframe(
        frame,
        hide_index=True,
        width="stretch",
        height="content" if len(frame) < 14 else 480,
        alt=table.title or None,
    )


def _show_chart(chart: Chart) -> MatchLink | None:
    """Show a chart; return where the picked point leads, None if no point is picked."""
    options = {"format": "svg", "filename": chart.name}
    picked: Any = st.plotly_chart(
        chart.figure,
        width="stretch",
        config={**CHART_CONFIG, "toImageButtonOptions": options},
        key=f"chart {chart.name}",
        alt=f"{chart.name.replace('_', ' ')}. {chart.caveat}".strip(),
        on_select="rerun" if chart.has_links else "ignore",
        selection_mode="points",
    )
    if chart.caveat:
        st.caption(escape_markdown(chart.caveat))
    points = picked["selection"]["points"] if chart.has_links else []
    link = points[0].get("customdata") if points else None
    return MatchLink(*link) if link else None
