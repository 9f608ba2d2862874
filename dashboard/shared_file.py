"""A page as one HTML file, which needs no server and no network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from dashboard.svg_chart.chart import draw_svg


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What stands above the elements of a shared page."""

    question: str  # of the page
    title: str = ""  # of the reader's own
    note: str = ""
    facts: Mapping[str, str]  # what exactly is shown


def make_html(heading: Heading, elements: Sequence[Element]) -> str:
    """The elements as one HTML file."""
    title = heading.title.strip() or heading.question
    body = [f"<h1>{escape(title)}</h1>"]
    if title != heading.question:
        body.append(f"<p>{escape(heading.question)}</p>")
    body.append(markup.render_note(heading.note))
    facts = [[escape(name), escape(fact)] for name, fact in heading.facts.items()]
    body.append(markup.render_table("What this page shows", ["what", "shown"], facts, "words"))
    for element in elements:
        body.extend(_render_element(element))
    return markup.make_document(title, body)


def _render_element(element: Element) -> Iterator[str]:
    if isinstance(element, Chart):
        yield markup.render_picture(draw_svg(element.figure, element.name), element.caveat, "chart")
    elif isinstance(element, Title):
        yield f"<h2>{escape(element.text)}</h2>"
    elif isinstance(element, Text):
        css = "small" if element.style is TextStyle.CAPTION else element.style.value
        yield f'<p class="{css}">{escape(element.text)}</p>'
    elif isinstance(element, BulletList):
        yield markup.render_list(element.items)
    elif isinstance(element, Command | Snippet):
        yield f"<pre>{escape(element.text)}</pre>"
    elif isinstance(element, Picture):
        yield markup.render_picture(element.svg, element.caption, "picture")
    elif isinstance(element, Excerpt):
        yield _render_excerpt(element)
    elif isinstance(element, DataTable):
        rows = [
            ["" if drop_infinite(value) is None else escape(str(value)) for value in row]
            for row in element.rows
        ]
        table = markup.render_table("" if element.is_folded else element.title, element.heads, rows)
        summary = f"<summary>{escape(element.title)}</summary>"
        yield f"<details>{summary}{table}</details>" if element.is_folded else table
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
    yield from _render_element(DataTable(card.setting, ["what", "measured"], rows))
