"""A page as one HTML file, which needs no server and no network."""

from collections.abc import Iterator, Sequence
from html import escape

from analytics.show.report import markup
from dashboard.page import (
    BulletList,
    Card,
    Cards,
    Chart,
    Command,
    DataTable,
    Element,
    Excerpt,
    OnlyShared,
    Picture,
    Snippet,
    Text,
    TextStyle,
    Title,
    drop_infinite,
)


def make_html(title: str, about: Sequence[str], elements: Sequence[Element]) -> str:
    """The elements as one HTML file."""
    body = [f"<h1>{escape(title)}</h1>", *(f'<p class="small">{escape(line)}</p>' for line in about)]
    figures = 0
    for element in elements:
        if isinstance(element, Chart):
            body.append(_render_chart(element, figures))
            figures += 1
        else:
            body.extend(_render_element(element))
    return markup.make_document(title, body)


def _render_chart(chart: Chart, index: int) -> str:
    caption = f"<figcaption>{escape(chart.caveat)}</figcaption>"
    figure = chart.figure.to_html(
        full_html=False,
        include_plotlyjs="inline" if index == 0 else False,  # the first chart brings the library
        div_id=f"figure-{index}",
        config={"displayModeBar": False},
    )
    return f"<figure>{figure}{caption}</figure>"


def _render_element(element: Element) -> Iterator[str]:
    """Any element but a chart."""
    if isinstance(element, Title):
        yield f"<h2>{escape(element.text)}</h2>"
    elif isinstance(element, Text):
        css = "small" if element.style is TextStyle.CAPTION else element.style.value
        yield f'<p class="{css}">{escape(element.text)}</p>'
    elif isinstance(element, BulletList):
        yield markup.render_list(element.items)
    elif isinstance(element, Command | Snippet):
        yield f"<pre>{escape(element.text)}</pre>"
    elif isinstance(element, Picture):
        caption = f"<figcaption>{escape(element.caption)}</figcaption>"
        yield f'<figure class="picture">{element.svg}{caption}</figure>'
    elif isinstance(element, Excerpt):
        yield _render_excerpt(element)
    elif isinstance(element, DataTable):
        rows = [
            ["" if drop_infinite(value) is None else escape(str(value)) for value in row]
            for row in element.rows
        ]
        yield markup.render_table(element.title, element.heads, rows)
    elif isinstance(element, Cards):
        for card in element.cards:
            yield from _render_card(card)
    elif isinstance(element, OnlyShared):
        yield from _render_element(element.element)


def _render_excerpt(excerpt: Excerpt) -> str:
    lines = [f"{number}. {escape(line)}" for number, line in excerpt.lines.items()]
    marked = [
        f"<b>{line}</b>" if number == excerpt.current else line
        for number, line in zip(excerpt.lines, lines, strict=True)
    ]
    return f"<p>{'<br>'.join(marked)}</p>"


def _render_card(card: Card) -> Iterator[str]:
    yield from _render_element(Title(card.title))
    if card.about:
        yield from _render_element(Text(card.about))
    rows = [[headline.label, f"{headline.value} {headline.interval}"] for headline in card.headlines]
    yield from _render_element(DataTable(card.setting, ["", ""], rows))
